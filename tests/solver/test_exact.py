"""The pure-Python exact solver agrees with the oracle file and with plain minimax."""

import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from little_go.notation.record import from_record
from little_go.solver.answer import BLACK_WINS, LEAST, MOST, Answer
from little_go.solver.exact import _POLL_NODES, ExactSolver
from little_go.solver.family import COURSE
from little_go.solver.native.kernel import Kernel
from little_go.solver.native.table import open_table
from little_go.solver.position import PASS, START, Position, parse_move, points_of
from tests.conftest import TickingClock
from tests.solver import minimax

ORACLE = Path(__file__).parents[1] / "data" / "oracle_positions.jsonl"


def oracle_rows(least_left: int, most_left: int) -> Iterator[dict[str, Any]]:
    for line in ORACLE.read_text().splitlines():
        row = json.loads(line)
        if least_left <= 24 - row["ply"] <= most_left:
            yield row


@pytest.mark.parametrize("left", [*range(1, 9), *(pytest.param(left, marks=pytest.mark.long) for left in (9, 10))])
def test_oracle_values(left: int) -> None:
    solver = ExactSolver()
    for row in oracle_rows(left, left):
        position = from_record(row, COURSE)
        answer = solver.value(position)
        assert answer.value == row["value"], row
        if "moves" in row:
            assert row["moves"]["PASS" if answer.best == PASS else name_of(answer)] == row["value"], row


def name_of(answer: Answer) -> str:
    assert answer.best is not None
    return f"{answer.best // 5},{answer.best % 5}"


@pytest.mark.parametrize("left", [*range(2, 7), *(pytest.param(left, marks=pytest.mark.long) for left in (7, 8, 9))])
def test_oracle_values_of_moves(left: int) -> None:
    solver = ExactSolver()
    for row in oracle_rows(left, left):
        position = from_record(row, COURSE)
        moves = row.get("moves", {})
        assert not moves or len(moves) == len(position.legal_moves())
        for name, value in moves.items():
            child = position.play(parse_move(name))
            for threshold in (value, value + 1):
                answer = solver.decide(child, threshold)
                assert answer.lo <= value <= answer.hi, (row, name)
                assert answer.at_least(threshold) == (threshold <= value), (row, name)


def as_position(state: minimax.State) -> Position:
    """Return the position of a state of minimax; the ko point is found by trying every move."""
    masks = {colour: sum(1 << i for i, c in enumerate(state.board) if c == colour) for colour in "XO."}
    without_ko = state._replace(before="?")
    ko = [
        point
        for point in points_of(masks["."])
        if minimax.after(state, point) is None and minimax.after(without_ko, point) is not None
    ]
    assert len(ko) <= 1
    return Position(masks["X"], masks["O"], ko[0] if ko else None, 24 - state.left, state.passed)


def random_states(count: int, left: int, seed: int) -> Iterator[minimax.State]:
    """Yield states of random games with passes, in which half of the possible captures are played."""
    rng = random.Random(seed)
    while count:
        state = minimax.START
        while state.left > left:
            *stones, passed = [child for _, child in minimax.successors(state)]
            takes = [child for child in stones if child.board.count(".") >= state.board.count(".")]
            pool = takes if takes and rng.random() < 0.5 else stones
            state = rng.choice(pool) if pool and rng.random() < 0.9 else passed
        if state.left == left:
            count -= 1
            yield state


@pytest.mark.parametrize(
    ("left", "count"),
    [
        (1, 60),
        (2, 60),
        (3, 50),
        (4, 4),
        (5, 1),
        *(pytest.param(*more, marks=pytest.mark.long) for more in ((4, 30), (5, 8))),
    ],
)
def test_kernel_pure_solver_and_minimax_agree(left: int, count: int) -> None:
    kernel, solver = Kernel(open_table(16)), ExactSolver()
    for state in random_states(count, left, seed=left):
        position = as_position(state)
        expected = minimax.value(state)
        assert solver.value(position).value == expected, position
        assert kernel.value(position).value == expected, position
        for answer in (ExactSolver().decide(position, BLACK_WINS), kernel.decide(position, BLACK_WINS)):
            assert answer.at_least(BLACK_WINS) == (expected >= BLACK_WINS), position
            assert answer.lo <= expected <= answer.hi


@pytest.mark.parametrize("left", [8, pytest.param(11, marks=pytest.mark.long)])
def test_kernel_and_pure_solver_agree_further_from_the_end(left: int) -> None:
    kernel, solver = Kernel(open_table(16)), ExactSolver()
    for state in random_states(25, left, seed=left):
        position = as_position(state)
        assert solver.value(position).value == kernel.value(position).value, position


def test_random_states_show_ko_and_pass() -> None:
    positions = [as_position(s) for left in (1, 2, 3) for s in random_states(100, left, seed=left)]
    assert sum(p.ko is not None for p in positions) > 5
    assert sum(p.passed for p in positions) > 20


def test_a_pass_that_ends_the_game() -> None:
    # Black is four stones ahead. Any White stone would be captured, and Black's PASS ends the game.
    position = Position(black=0b11111_11111_01010, white=1 << 24, ply=14, passed=True)
    answer = ExactSolver().decide(position, 3)
    assert answer.best == PASS
    assert answer.lo == position.margin


def test_pass_on_the_first_ply_ends_the_game() -> None:
    answer = ExactSolver().decide(START, 0)
    assert (answer.lo, answer.best) == (0, PASS)


def test_a_finished_game_needs_no_search() -> None:
    assert ExactSolver().value(Position(black=7, ply=24)) == Answer(3, 3, None, 0)


def middle_game() -> Position:
    return from_record(next(oracle_rows(12, 12)), COURSE)


def test_thresholds_out_of_range_are_answered() -> None:
    solver = ExactSolver()
    assert solver.decide(middle_game(), LEAST).at_least(LEAST) is True
    assert solver.decide(middle_game(), MOST + 1).at_least(MOST + 1) is False


def test_node_limit_leaves_the_question_open() -> None:
    solver = ExactSolver()
    answer = solver.decide(middle_game(), BLACK_WINS, node_limit=100)
    assert answer.at_least(BLACK_WINS) is None
    assert answer.nodes < 150
    assert answer.best in middle_game().legal_moves()
    assert solver.decide(middle_game(), BLACK_WINS).at_least(BLACK_WINS) is not None


def test_cpu_deadline_is_kept(ticking: TickingClock) -> None:
    answer = ExactSolver().value(START, cpu_deadline=0.02)
    assert answer.value is None
    assert ticking.looks == 20
    assert 0 < answer.nodes <= 20 * _POLL_NODES


def test_same_question_same_nodes() -> None:
    assert ExactSolver().decide(middle_game(), 3) == ExactSolver().decide(middle_game(), 3)


def test_bench() -> None:
    """The fixed workload whose nodes commit messages state: the question of +3 with an empty table, for every second
    row with 12 plies.
    """
    rows = list(oracle_rows(12, 12))[::2]
    nodes = sum(ExactSolver().decide(from_record(row, COURSE), BLACK_WINS).nodes for row in rows)
    print(f"Bench: {nodes}")
    assert nodes < 420_000
