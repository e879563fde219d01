"""The mid-game search is exact if it reaches the end of the game, otherwise sensible, fast enough and deterministic."""

import random

import pytest

from little_go.solver import alphabeta
from little_go.solver.alphabeta import WON_SCORE, AlphaBeta
from little_go.solver.exact import ExactSolver
from little_go.solver.family import COURSE
from little_go.solver.position import PASS, START, Position, parse_move, parse_rows
from tests.conftest import TickingClock
from tests.solver.test_exact import as_position, oracle_rows, random_states


@pytest.mark.parametrize("left", [1, 2, 3, 4, 5])
def test_is_exact_when_it_reaches_the_end(left: int) -> None:
    searcher = AlphaBeta(komi=COURSE.komi)
    for state in random_states(15, left, seed=50 + left):
        position = as_position(state)
        advice = searcher.search(position)
        value = ExactSolver().value(position).value
        assert value is not None
        lead = 100 * value - 250 if position.black_to_move else 250 - 100 * value
        assert advice.score == lead + (WON_SCORE if lead > 0 else -WON_SCORE), position
        assert advice.depth == left
        child = position.play(advice.move)
        assert child.margin == value if child.is_over else ExactSolver().value(child).value == value


def test_takes_a_group_in_atari() -> None:
    black, white = parse_rows(["00000", "01110", "12220", "01110", "00000"])
    advice = AlphaBeta(komi=COURSE.komi).search(Position(black, white, ply=10), depth_limit=3)
    assert advice.move == parse_move("2,4")


def test_passes_to_win_a_game_that_a_pass_ends() -> None:
    position = Position(black=0b11111_11111_01010, white=1 << 24, ply=14, passed=True)
    advice = AlphaBeta(komi=COURSE.komi).search(position, depth_limit=1)
    assert advice.move == PASS
    assert advice.score > WON_SCORE


def test_opens_in_the_middle_and_never_passes_first() -> None:
    advice = AlphaBeta(komi=COURSE.komi).search(START, depth_limit=2)
    assert advice.move != PASS
    assert advice.depth == 2


@pytest.mark.parametrize("looks", [1, 100])
def test_keeps_the_deadline_and_always_has_a_legal_move(looks: int, ticking: TickingClock) -> None:
    advice = AlphaBeta(komi=COURSE.komi).search(START, cpu_deadline=looks / 1000)
    assert ticking.looks == looks
    assert advice.move in START.legal_moves()


def test_is_deterministic() -> None:
    position = random_position(ply=9)
    first, second = (AlphaBeta(komi=COURSE.komi).search(position, depth_limit=4) for _ in range(2))
    assert first == second


def random_position(ply: int) -> Position:
    rng = random.Random(3)
    position = START
    while position.ply < ply:
        position = position.play(rng.choice(position.legal_moves()[:-1]))
    return position


def test_refuses_a_finished_game() -> None:
    with pytest.raises(ValueError, match="over"):
        AlphaBeta(komi=COURSE.komi).search(Position(ply=24))


def test_finds_most_won_games_before_the_end_is_in_reach() -> None:
    rows = [row for row in oracle_rows(9, 9) if abs(row["value"] - 2.5) > 3][:40]
    right = 0
    for row in rows:
        position = Position(row["black"], row["white"], row["ko"], row["ply"], row["passed"])
        score = AlphaBeta(komi=COURSE.komi).search(position, depth_limit=4).score
        lead = row["value"] - 2.5 if position.black_to_move else 2.5 - row["value"]
        right += (score > 0) == (lead > 0)
    assert right > 0.8 * len(rows)


def test_a_search_begins_with_a_table_within_its_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    searcher = AlphaBeta(komi=COURSE.komi)
    searcher.search(START, depth_limit=3)
    before = len(searcher._table)
    monkeypatch.setattr(alphabeta, "_SCORE_TABLE_LIMIT", before - 1)
    searcher.search(START, depth_limit=1)
    assert len(searcher._table) < before
