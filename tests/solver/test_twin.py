"""The C twin of the player's solver: the same answers, moves and nodes, wherever a limit stops it."""

import random
import time

import pytest

from solver.exact import ExactSolver
from solver.family import COURSE
from solver.native.twin import SCRIPT_RATE, TwinSolver
from solver.position import GAME_PLIES, PASS, START, Position


def random_position(rng: random.Random, left: int) -> Position:
    """Return a position of a random game, with a PASS now and then."""
    while True:
        position = START
        while position.left > left and not position.is_over:
            stones = position.legal_moves()[:-1]
            passes = not stones or (rng.random() < 0.08 and not position.pass_ends)
            position = position.play(PASS if passes else rng.choice(stones))
        if not position.is_over:
            return position


def compare(rng: random.Random, position: Position) -> None:
    """Ask both some questions in a row, as the table of one is there for the next."""
    plain, twin = ExactSolver(), TwinSolver()
    for _ in range(rng.randint(1, 3)):
        threshold = rng.choice([3, 3, 3, -2, 0, 5])
        limit = rng.choice([None if position.left < 12 else 30_000, rng.randint(0, 3000)])
        assert plain.decide(position, threshold, limit) == twin.decide(position, threshold, limit), position
        assert plain.nodes == twin.nodes
    if position.left < 8:
        assert plain.value(position) == twin.value(position), position


@pytest.mark.parametrize("left", range(1, 15))
def test_same_nodes_in_the_same_order(left: int) -> None:
    rng = random.Random(left)
    for _ in range(20 if left < 11 else 4 if left < 13 else 2):
        compare(rng, random_position(rng, left))


@pytest.mark.long
def test_same_on_20_000_positions() -> None:
    rng = random.Random(20_000)
    for _ in range(20_000):
        compare(rng, random_position(rng, rng.randint(3, 12)))


@pytest.mark.long
def test_same_where_tables_are_emptied() -> None:
    # Far more nodes than the table has room for, and many groups more than the cache has.
    position = START.play(12)
    plain, twin = ExactSolver(), TwinSolver()
    assert plain.decide(position, 3, 4_000_000) == twin.decide(position, 3, 4_000_000)
    assert plain.decide(position.play(7), 3, 200_000) == twin.decide(position.play(7), 3, 200_000)


def test_new_solver_knows_nothing() -> None:
    rng = random.Random(5)
    for _ in range(20):
        position = random_position(rng, 9)
        first = TwinSolver().decide(position, 3)
        assert first == TwinSolver().decide(position, 3) == ExactSolver().decide(position, 3)


def test_solvers_do_not_share() -> None:
    one, other = TwinSolver(), TwinSolver()
    position = random_position(random.Random(6), 10)
    assert one.decide(position, 3) == other.decide(position, 3)
    assert one.nodes == other.nodes


def test_deadline_is_so_many_nodes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(time, "process_time", lambda: 7.0)
    position = Position(ply=GAME_PLIES - 20)
    solver = TwinSolver()
    answer = solver.decide(position, 3, cpu_deadline=7.2)
    assert COURSE.winner(answer) is None
    # The limits are looked at between positions, each of which may add its moves.
    assert answer.nodes == pytest.approx(0.2 * SCRIPT_RATE, abs=0.01 * SCRIPT_RATE)
    assert solver.decide(position, 3, cpu_deadline=6.0).nodes == 0
