"""A move that wins at each possible ply."""

import time

import pytest

from little_go.book.files.reader import BOOK_LOSS, BOOK_UNDECIDED
from little_go.notation.record import from_record
from little_go.player import choose
from little_go.player.choose import EXACT_LEFT, MOST_PLIES, MoveChoice, choose_move, choose_unsure, possible_positions
from little_go.player.clock import Clock
from little_go.solver.exact import ExactSolver
from little_go.solver.family import COURSE
from little_go.solver.position import PASS, START, Position
from tests.conftest import TickingClock
from tests.player.test_choose import WON_BY_PASS, book_of
from tests.solver.test_exact import oracle_rows


def clock(seconds: float = 9) -> Clock:
    return Clock(seconds, time.process_time())


#: All tests share the values, because the moves of a position lead to the same positions.
SOLVER = ExactSolver()


def wins(position: Position, move: int) -> bool:
    child = position.play(move)
    winner = COURSE.leader(child) if child.is_over else COURSE.winner(SOLVER.decide(child, 3))
    return winner == position.mover


def boards() -> list[list[Position]]:
    """Boards that may have 11, 9, 7, … plies left, or 12, 10, 8, … and are won with 12."""
    rows = list(oracle_rows(11, 11))[::20] + [row for row in oracle_rows(12, 12) if row["value"] >= 3][:2]
    return [possible_positions(from_record(row, COURSE), row["ply"]) for row in rows]


def worth(positions: list[Position], move: int) -> float:
    """Return the weight of the plies with which a move wins, by a plain search."""
    return sum(0.5**place for place, position in enumerate(positions[:MOST_PLIES]) if wins(position, move))


def test_every_ply_is_possible_from_the_least_on() -> None:
    position = Position(black=0b110, white=0b11000, ply=10)
    assert [each.ply for each in possible_positions(position, 4)] == [10, 4, 6, 8, 12, 14, 16, 18, 20, 22]
    assert {each._replace(ply=0) for each in possible_positions(position, 4)} == {position._replace(ply=0)}


@pytest.mark.system
def test_no_move_wins_with_likelier_plies() -> None:
    plain = 0
    for positions in boards():
        choice = choose_unsure(positions, clock(), game=COURSE)
        most = max(worth(positions, move) for move in positions[0].legal_moves())
        assert worth(positions, choice.move) == most
        assert (choice.winner == positions[0].mover) == (most >= 1)
        plain += worth(positions, choose_move(positions[0], clock(), game=COURSE).move) == most
    assert plain < len(boards())


def test_one_other_ply_is_enough_to_doubt() -> None:
    plain = 0
    for positions in boards():
        choice = choose_unsure(positions[:2], clock(), game=COURSE)
        most = max(worth(positions[:2], move) for move in positions[0].legal_moves())
        assert worth(positions[:2], choice.move) == most
        plain += worth(positions[:2], choose_move(positions[0], clock(), game=COURSE).move) == most
    assert plain < len(boards())


@pytest.mark.parametrize("row", [43, 62, 110])
def test_a_win_at_a_likelier_ply_does_not_end_the_search_for_a_move_that_wins_at_more_plies(row: int) -> None:
    likely = from_record(list(oracle_rows(9, 9))[row], COURSE)
    positions = possible_positions(likely, likely.ply)
    most = max(worth(positions, move) for move in likely.legal_moves())
    assert worth(positions, choose_unsure(positions, clock(), game=COURSE).move) == most


def test_in_a_game_that_is_lost_at_every_ply_the_move_that_is_hardest_to_answer_stays() -> None:
    likely = from_record(list(oracle_rows(9, 9))[6], COURSE)
    positions = [likely, likely._replace(ply=likely.ply + 2)]
    assert not any(worth(positions, move) for move in likely.legal_moves())
    choice = choose_move(likely, clock(), game=COURSE)
    assert choice.winner == 3 - likely.mover
    assert choose_unsure(positions, clock(), game=COURSE) == choice


def test_a_ply_at_the_limit_of_the_exact_search_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(choose, "EXACT_LEFT", 11)
    limit = from_record(list(oracle_rows(11, 11))[18], COURSE)
    positions = [limit._replace(ply=limit.ply + 2), limit]
    assert worth(positions, choose_move(positions[0], clock(), game=COURSE).move) == 1
    assert worth(positions, choose_unsure(positions, clock(), game=COURSE).move) == 1.5


def test_without_a_winner_at_the_likeliest_ply_the_other_plies_change_no_move() -> None:
    for late in (positions[0] for positions in boards()):
        likely = late._replace(ply=late.ply - 6)
        assert likely.left > EXACT_LEFT
        won = {move: wins(late, move) for move in late.legal_moves()}
        if len({*won.values()}) == 2:
            move = next(move for move in won if not won[move])
            book = book_of(likely, move, BOOK_UNDECIDED)
            assert choose_unsure([likely, late], clock(), book, game=COURSE) == MoveChoice(move, "book")
            return
    raise AssertionError("no position has moves that win and moves that lose")


def test_a_pass_that_wins_at_every_ply_is_played() -> None:
    choice = choose_unsure(possible_positions(WON_BY_PASS, 10), clock(), game=COURSE)
    assert choice == MoveChoice(PASS, "pass", WON_BY_PASS.mover)


def test_after_the_deadline_no_other_move_is_tried() -> None:
    likely = from_record(list(oracle_rows(11, 11))[41], COURSE)
    other = likely._replace(ply=21)
    move = next(move for move in likely.legal_moves() if not wins(other, move))
    for seconds, source in ((-1.0, "book"), (9.0, "exact")):
        spent = Clock(seconds, time.process_time())
        book = book_of(likely, move, BOOK_LOSS)
        assert choose_unsure([likely, other], spent, book, game=COURSE).source == source


def test_the_likeliest_win_is_not_given_away_for_the_others() -> None:
    """In this position a move that loses at the likeliest ply wins at more of the other plies than any move that wins
    at it.
    """
    likely = Position(black=4596113, white=2693132, ply=15)
    positions = [likely, *(likely._replace(ply=ply) for ply in range(13, 24, 2) if ply != likely.ply)]
    others = {
        move: sum(0.5**place for place, position in enumerate(positions[1:MOST_PLIES]) if wins(position, move))
        for move in likely.legal_moves()
    }
    winning = {move for move in others if wins(likely, move)}
    assert winning
    assert max(others.values()) > max(others[move] for move in winning)
    choice = choose_unsure(positions, clock(), game=COURSE)
    assert choice.move in winning
    assert choice.winner == likely.mover
    assert others[choice.move] == max(others[move] for move in winning)


@pytest.mark.parametrize("plies", [0, 12])
def test_the_budget_is_kept(plies: int, ticking: TickingClock) -> None:
    position = START if plies == 0 else boards()[0][0]
    choose_unsure(possible_positions(position, position.ply), Clock(0.1), game=COURSE)
    assert 30 < ticking.looks < 100
