"""The picture of the first plies."""

import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest
from click.testing import CliRunner

from little_go.book.__main__ import main
from little_go.book.drawing.tree import _about, _branches, _throws_away, tree_svg
from little_go.book.store.facts import Choice, Fact
from little_go.book.store.store import open_store
from little_go.solver.answer import Answer
from little_go.solver.family import COURSE
from little_go.solver.position import START, Position
from tests.book.positions import make_store


@pytest.fixture
def db(tmp_path: Path) -> Path:
    """A store that lacks one first move, and the answers to all replies but one."""
    after = START.play(12)
    facts = [Fact(START, 3, 3, 12), Fact(after, 3, 3, 7), Fact(START.play(0), -24, 2), Fact(START.play(2), -3, -3)]
    path = make_store(tmp_path / "book.db", *facts, Fact(after.play(7), 3, 24, 11))
    with open_store(path, write=True, game=COURSE) as store:
        store.choose([Choice(after.play(7), 11)])
    return path


def texts(svg: str) -> list[str]:
    root = ElementTree.fromstring(svg)
    return ["".join(each.itertext()) for each in root.iter("{http://www.w3.org/2000/svg}text")]


def test_every_first_move_every_reply_and_our_answers_are_drawn(db: Path) -> None:
    with open_store(db, game=COURSE) as store:
        found = texts(tree_svg(store))
    boards = [text for text in found if not text.endswith(("board", "moves", "one", "answers", "s"))]
    assert boards[0] == "+3"
    assert boards[1:8] == ["0,0 ≤+2", "0,1 ", "0,2 -3", "1,1 ", "1,2 ", "2,2 +3", "PASS +0"]
    assert boards[8:14] == ["0,0 ", "0,1 ", "0,2 ", "1,1 ", "1,2 ≥+3", "PASS "]
    assert boards[14:] == ["2,1 ≥+3"]


def test_the_command_writes_the_picture_or_says_why_not(db: Path, tmp_path: Path) -> None:
    out = tmp_path / "tree.svg"
    done = CliRunner().invoke(main, ["tree", "--db", str(db), "--out", str(out)])
    assert done.exit_code == 0, done.output
    assert out.read_text(encoding="utf-8").startswith("<svg")
    empty = make_store(tmp_path / "empty.db", Fact(START, -24, 24, 12))
    done = CliRunner().invoke(main, ["tree", "--db", str(empty), "--out", str(tmp_path / "no.svg")])
    assert done.exit_code == 2
    said = f"the store does not prove who wins the game: first run little-go generator run --db {tmp_path / 'empty.db'}"
    assert done.output.strip() == f"Error: {said}"
    assert not (tmp_path / "no.svg").exists()


WON, LOST, OPEN = Answer(3, 5, None, 0), Answer(-5, 2, None, 0), Answer(-24, 24, None, 0)


@pytest.mark.parametrize(
    ("before", "after", "is_thrown_away"),
    [
        (WON, LOST, True),
        (WON, WON, False),
        (WON, OPEN, False),
        (LOST, LOST, False),
        (OPEN, LOST, False),
        (None, LOST, False),
    ],
)
def test_only_a_win_can_be_thrown_away(before: Answer | None, after: Answer, is_thrown_away: bool) -> None:
    assert _throws_away(COURSE, START, before, after) == is_thrown_away
    swapped = {WON: LOST, LOST: WON, OPEN: OPEN, None: None}
    assert _throws_away(COURSE, START.play(12), swapped[before], swapped[after] or after) == is_thrown_away


@pytest.mark.parametrize("position", [START, START.play(12)])
def test_moves_that_win_come_first_and_moves_that_lose_last(position: Position) -> None:
    best = {0: Answer(4, 6, None, 0), 1: Answer(3, 5, None, 0), 2: OPEN, 7: Answer(-3, 1, None, 0)}
    wins = best if position.black_to_move else {move: Answer(-hi, -lo, None, 0) for move, (lo, hi, *_) in best.items()}
    order = [7, 2, 1, 0]
    found = _branches(COURSE, position, {move: wins[move] for move in order})
    assert [moves[0] for moves, _ in found] == [0, 1, 2, 7]


@pytest.mark.parametrize(
    ("before", "after", "moves", "text"),
    [
        (3, 2, [0], "0,0 loses 1 point."),
        (3, -2, [0, 4], "0,0 loses 5 points. Alike: 0,4."),
        (3, 3, [0, 4, 20], "Alike: 0,4 4,0."),
        (3, 3, [0], ""),
        (3, None, [0], ""),
        (None, 3, [0], ""),
    ],
)
def test_the_comment_of_a_move(before: int | None, after: int | None, moves: list[int], text: str) -> None:
    answers = [OPEN if value is None else Answer(value, value, None, 0) for value in (before, after)]
    assert _about(START, moves, *answers) == text
    assert before is not None or _about(START, moves, None, answers[1]) == text
