"""The contents of the compressed book."""

import random
from collections import Counter
from itertools import combinations

import pytest

from little_go.book.exchange.compress import (
    CANNOT_ARISE,
    MOST_CAPTURED,
    NO_MOVE,
    TOO_LATE,
    UNDECIDED,
    may_arise,
    may_arise_in_some_game,
    select_lines,
)
from little_go.book.files.reader import BOOK_LOSS, BOOK_WIN
from little_go.book.files.writer import BookLine
from little_go.book.store.facts import Entry
from little_go.solver.answer import Answer
from little_go.solver.family import COURSE, Variant
from little_go.solver.position import FULL, PASS, START, Position, groups_of, parse_moves, play_all
from little_go.solver.symmetry import key_of

AFTER_CENTRE = START.play(12)


def entry(position: Position, lo: int, hi: int, best: int | None) -> Entry:
    return Entry(position, Answer(lo, hi, best, 0), 0.0, None, None)


def test_proven_entries_with_a_move_are_chosen() -> None:
    entries = [
        entry(START, 3, 24, 12),
        entry(AFTER_CENTRE, 4, 4, PASS),
        entry(AFTER_CENTRE, 2, 3, PASS),
        entry(AFTER_CENTRE, -24, 2, None),
        entry(Position(ply=2), 3, 24, 12),
        entry(AFTER_CENTRE.play(0).play(1), 3, 24, 2),
    ]
    skipped: Counter[str] = Counter()
    lines = list(select_lines(entries, 22, skipped, game=COURSE))
    assert lines == [BookLine(key_of(START), 12, BOOK_WIN), BookLine(key_of(AFTER_CENTRE), PASS, BOOK_LOSS)]
    assert skipped == {UNDECIDED: 1, NO_MOVE: 1, CANNOT_ARISE: 1, TOO_LATE: 1}


@pytest.mark.parametrize(("stones", "most"), MOST_CAPTURED.items())
def test_few_stones_capture_no_more_than_claimed(stones: int, most: int) -> None:
    """Try every set of capturing stones. A region of at most 12 points that they enclose is what they can capture."""
    found = 0
    for points in combinations(range(25), stones):
        sizes = [group.bit_count() for group in groups_of(FULL & ~sum(1 << p for p in points))]
        found = max(found, *(s for s in subset_sums(sizes) if s <= 12))
    assert found == most


def subset_sums(sizes: list[int]) -> set[int]:
    sums = {0}
    for size in sizes:
        sums |= {s + size for s in sums}
    return sums


def test_whatever_a_game_shows_may_arise() -> None:
    rng = random.Random(5)
    captures = 0
    for game in range(400):
        position = START
        # Every second game stays in one corner, so that stones are captured.
        crowd = 3 if game % 2 else 26
        while not position.is_over:
            assert may_arise(position, game=COURSE)
            moves = position.legal_moves()
            after = position.play(moves[min(rng.randrange(crowd), len(moves) - 1)])
            captures += after.white.bit_count() < position.white.bit_count()
            position = after
    assert captures > 100


def test_the_fewest_stones_arise() -> None:
    for moves in ("0,0 PASS 0,1 PASS", "0,0 0,1 PASS 1,0", "0,0 0,1 PASS 1,0 PASS", "0,0 PASS"):
        assert may_arise(play_all(START, parse_moves(moves)), game=COURSE)


@pytest.mark.parametrize(
    "position",
    [
        pytest.param(Position(ply=2), id="the empty board of a shorter game"),
        pytest.param(Position(ply=2, passed=True), id="the empty board after a PASS"),
        pytest.param(Position(black=1, ply=3), id="a lone stone at ply 3"),
        pytest.param(Position(black=1, white=2, ply=6), id="two stones at ply 6"),
        pytest.param(Position(black=0b111, ply=4), id="more stones than turns"),
        pytest.param(Position(black=1, ply=1, passed=True), id="a PASS that would have ended the game"),
    ],
)
def test_what_no_game_shows_cannot_arise(position: Position) -> None:
    assert not may_arise(position, game=COURSE)


@pytest.mark.parametrize("plies", [2, 20, 24])
def test_a_pass_on_the_first_ply_ends_the_game(plies: int) -> None:
    game = Variant(plies, 2.5)
    assert not may_arise(Position(ply=game.first_ply + 1, passed=True), game)
    assert not may_arise(Position(white=1, ply=game.first_ply + 2), game)
    assert may_arise(game.start.play(0), game)


@pytest.mark.parametrize(("ply", "arises"), [(1, False), (3, True), (23, True)])
def test_only_the_first_ply_of_24_has_no_pass_in_any_game(ply: int, arises: bool) -> None:
    assert may_arise_in_some_game(Position(ply=ply, passed=True)) == arises
