"""The agents that search, and the ladder of them."""

from random import Random

import pytest

from arena.agents.fixed_depth import Style, Weights, best_moves
from arena.agents.searching import EVALUATIONS, open_searching
from book.files.reader import BOOK_LOSS, read_book
from lab.games.rungs import TrapLadder, interval, rungs
from solver.answer import BLACK_WINS, Answer
from solver.exact import ExactSolver
from solver.family import COURSE
from solver.position import START, Position, play_all

#: Black to move wins by 3, with 8 plies left.
WON = Position(black=1389316, white=4720866, ply=16)


def winner(position: Position) -> int | None:
    return COURSE.leader(position) if position.is_over else COURSE.winner(ExactSolver().decide(position, BLACK_WINS))


def test_it_plays_what_a_plain_search_plays() -> None:
    position = play_all(START, [12, 7, 11, 13])
    agent = open_searching("search:werf:3:0", game=COURSE)
    plain = best_moves(position, Style(3, 25, Weights(*EVALUATIONS["werf"])))
    assert agent.candidates(position) == plain
    assert {agent(position, Random(seed)) for seed in range(30)} == set(plain)


def test_it_opens_in_the_middle() -> None:
    assert open_searching("search:count:2:6", game=COURSE).candidates(START) == [12]


def test_near_the_end_it_keeps_every_win_and_no_sooner() -> None:
    winning = [move for move in WON.legal_moves() if winner(WON.play(move)) == 1]
    assert open_searching("search:count:1:8", game=COURSE).candidates(WON) == winning
    assert open_searching("search:count:1:7", game=COURSE).candidates(WON) != winning


@pytest.mark.parametrize("name", ["search:", "search:werf", "search:chess:2:6", "search:werf:0:6", "search:werf:2:17"])
def test_other_names_are_refused(name: str) -> None:
    with pytest.raises(ValueError, match="give search:EVALUATION:DEPTH:EXACT"):
        open_searching(name, game=COURSE)


def test_the_ladder_has_each_evaluation_with_each_depth() -> None:
    names = rungs()
    assert len(names) == len(set(names)) == 42
    assert {int(name.split(":")[3]) for name in names} == {6, 8, 10, 12, 14}
    for name in names:
        open_searching(name, game=COURSE)


def test_a_game_is_won_when_black_has_thrown_it_away() -> None:
    """Black passes at ply 3: then nothing is left of its win, whatever the book plays."""
    ladder = TrapLadder(read_book("book.json", game=COURSE))
    rung = ladder.climb("passes", 2, 0, lambda position, rng: 25)
    assert (rung.games, rung.won, rung.plies) == (2, 2, (3, 3))


@pytest.mark.parametrize("believed", [True, pytest.param(False, marks=pytest.mark.long)])
def test_who_answers_without_error_beats_every_trap(believed: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the book knows the position after a reply as lost for White, the reply keeps Black's win.

    believed: whether who wins is taken from the book where it says so, which spares the searches of the first plies.
    """
    book = read_book("book.json", game=COURSE)
    ladder = TrapLadder(book)
    decide = ladder._decide

    def known(position: Position) -> Answer:
        entry = book.get(position)
        return decide(position) if entry is None else Answer(entry.lo, entry.hi, entry.move, 0)

    if believed:
        monkeypatch.setattr(ladder, "_decide", known)
    near_the_end = open_searching("search:count:1:16", game=COURSE)

    def perfect(position: Position, rng: Random) -> int:
        if position.left <= near_the_end.exact_left:
            return near_the_end(position, rng)
        entries = {move: book.get(position.play(move)) for move in position.legal_moves()}
        return next(move for move, entry in entries.items() if entry is not None and entry.verdict == BOOK_LOSS)

    assert ladder.climb("perfect", 1, 0, perfect).won == 0


def test_interval_holds_the_share() -> None:
    low, high = interval(20, 20)
    assert low > 0.8
    assert high == pytest.approx(1)
