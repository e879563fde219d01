"""The choice tries a winning PASS, the book, the exact search and alpha-beta, in this order and within the time."""

import time
from array import array

import pytest

from little_go.book.files.reader import BOOK_LOSS, BOOK_UNDECIDED, BOOK_WIN, MoveBook
from little_go.notation.record import from_record
from little_go.player.choose import EXACT_LEFT, MoveChoice, choose_move, decide_turned, quick_move, quick_rank
from little_go.player.clock import Clock
from little_go.solver.exact import ExactSolver
from little_go.solver.family import COURSE
from little_go.solver.position import PASS, START, Position, parse_moves, play_all
from little_go.solver.symmetry import POINT_IMAGE, canonical, transform
from tests.conftest import TickingClock
from tests.solver.test_exact import oracle_rows

WON_BY_PASS = Position(black=0b11111_11111_01010, white=1 << 24, ply=14, passed=True)


def clock(seconds: float) -> Clock:
    return Clock(seconds, start=time.process_time())


def book_of(position: Position, move: int, verdict: int) -> MoveBook:
    key, symmetry = canonical(position)
    return MoveBook(array("Q", [key]), bytes([verdict << 5 | POINT_IMAGE[symmetry][move]]), game=COURSE)


def test_a_pass_that_wins_is_played() -> None:
    assert choose_move(WON_BY_PASS, clock(1), game=COURSE) == MoveChoice(PASS, "pass", 1)
    assert quick_move(WON_BY_PASS, game=COURSE) == PASS


def test_a_pass_that_loses_is_not_played() -> None:
    behind = Position(black=1 << 24, white=0b11111_11111_01010, ply=14, passed=True)
    assert choose_move(behind, clock(1), game=COURSE).move != PASS
    assert quick_move(behind, game=COURSE) != PASS
    assert choose_move(START, clock(0.1), game=COURSE).move != PASS
    assert quick_move(START, game=COURSE) != PASS


@pytest.mark.parametrize(("verdict", "winner"), [(BOOK_WIN, 2), (BOOK_LOSS, 1)])
def test_the_book_is_believed(verdict: int, winner: int) -> None:
    position = START.play(11)
    choice = choose_move(position, clock(1), book_of(position, 13, verdict), game=COURSE)
    assert choice == MoveChoice(13, "book", winner)


def test_an_undecided_book_move_is_played_where_the_exact_search_does_not_reach() -> None:
    position = START.play(11)
    assert choose_move(position, clock(1), book_of(position, 3, BOOK_UNDECIDED), game=COURSE) == MoveChoice(3, "book")


def test_an_illegal_book_move_is_not_played() -> None:
    position = START.play(11)
    assert choose_move(position, clock(0.2), book_of(position, 11, BOOK_WIN), game=COURSE).source == "search"


def test_turned_and_reflected_positions_take_the_same_search() -> None:
    position = from_record(list(oracle_rows(11, 11))[3], COURSE)
    answers = [decide_turned(ExactSolver(), transform(symmetry, position), game=COURSE) for symmetry in range(8)]
    assert len({answer._replace(best=None) for answer in answers}) == 1
    for symmetry, answer in enumerate(answers):
        assert answer.best is not None
        image = transform(symmetry, position).play(answer.best)
        assert canonical(image)[0] == canonical(position.play(answers[0].best or 0))[0]


def test_won_games_stay_won() -> None:
    for row in [row for left in (8, 9, 11, 12) for row in oracle_rows(left, left)][::48]:
        position = from_record(row, COURSE)
        choice = choose_move(position, clock(4), game=COURSE)
        child = position.play(choice.move)
        if (row["value"] >= 3) == position.black_to_move:
            after = ExactSolver().decide(child, 3)
            assert choice.winner == position.mover or choice.source == "pass"
            assert COURSE.leader(child) == position.mover if child.is_over else COURSE.winner(after) == position.mover
        elif choice.winner is not None:
            assert choice.winner == 3 - position.mover


@pytest.mark.parametrize("moves", ["", "2,2 1,2 2,1 1,1", "2,2 1,2 2,1 1,1 1,3 0,3 2,3 3,2"])
def test_the_budget_is_kept(moves: str, ticking: TickingClock) -> None:
    position = play_all(START, parse_moves(moves))
    assert (position.left <= EXACT_LEFT) == (len(moves) > 20)
    choice = choose_move(position, Clock(0.1), game=COURSE)
    assert 30 < ticking.looks < 100
    assert choice.move in position.legal_moves()


def test_quick_move_takes_what_is_in_atari() -> None:
    position = play_all(START, parse_moves("0,1 0,0 4,4 3,3"))
    assert quick_move(position, game=COURSE) == 5


@pytest.mark.parametrize(
    ("moves", "move", "rank"),
    [
        ("", "2,2", 5 + 10 * 4),
        ("", "0,0", 5 + 10 * 2 - 4),
        ("0,0 4,4", "0,1", 5 + 10 * 3 - 3),
        ("2,2 4,4", "2,3", 5 + 10 * 4 - 1),
        ("0,1 0,0 4,4 3,3", "1,0", 5 + 100 + 10 * 3 - 3),
        ("0,1 4,4 1,1 4,3", "0,0", 5 + 10 * 4 - 4),
        ("4,4 0,1 4,3 1,1", "0,0", -1),
        ("2,2 1,1", "PASS", 0),
    ],
)
def test_a_rank_counts_captures_liberties_and_the_way_to_the_middle(moves: str, move: str, rank: int) -> None:
    (point,) = parse_moves(move)
    assert quick_rank(play_all(START, parse_moves(moves)), point) == rank
