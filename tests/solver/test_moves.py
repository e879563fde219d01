"""The search of all moves: the bounds are always true and exact at the end, with any known bounds and any number of
threads.
"""

from contextlib import closing
from itertools import pairwise

import pytest

from little_go.solver.answer import BLACK_WINS, LEAST, MOST, Answer
from little_go.solver.native.kernel import Kernel, MoveBounds
from little_go.solver.native.moves import Answers, MoveSolver
from little_go.solver.native.table import open_table
from little_go.solver.position import PASS, START, Position
from tests.solver.positions import known_positions, shown


def values_of(answers: Answers) -> dict[int, int | None]:
    return {move: answer.value for move, answer in answers.items()}


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("left", range(1, 13))
def test_known_values_of_moves(left: int, threads: int) -> None:
    solver = MoveSolver(open_table(16), threads)
    for position, value, moves in known_positions(left)[:30]:
        found = values_of(solver.solve(position))
        assert list(found) == position.legal_moves()
        assert not moves or found == moves, shown(position)
        best = (max if position.black_to_move else min)(value for value in found.values() if value is not None)
        assert best == value, shown(position)


def test_a_finished_game_has_no_moves() -> None:
    assert MoveSolver(open_table(16), 1).solve(START.play(PASS)) == {}
    assert MoveBounds(START.play(PASS)).is_exact


def test_a_pass_that_ends_the_game_is_known_at_once() -> None:
    assert MoveBounds(START).answers()[PASS] == Answer(0, 0, None, 0)


def test_what_is_known_is_not_searched() -> None:
    position, value, _ = known_positions(12)[0]
    table = open_table(16)
    whole = MoveSolver(table, 1)
    found = whole.solve(position)
    known = {move: answer for move, answer in found.items() if move != PASS}
    rest = MoveSolver(open_table(16), 1)
    assert values_of(rest.solve(position, known=known)) == values_of(found)
    assert rest.nodes < whole.nodes / 2
    bounded = MoveSolver(open_table(16), 1)
    bounds = Answer(value, value, None, 0)
    assert values_of(bounded.solve(position, bounds=bounds)) == values_of(found)
    assert bounded.nodes != whole.nodes


def test_who_wins_is_known_before_any_value() -> None:
    position = known_positions(12)[0].position
    told = list(MoveSolver(open_table(16), 1).updates(position))
    found = told[-1]
    for before, after in pairwise(told):
        assert all(before[move].lo <= after[move].lo <= after[move].hi <= before[move].hi for move in found)
    kernel, bounds = Kernel(open_table(16)), MoveBounds(position)
    while any(answer.at_least(BLACK_WINS) is None for answer in bounds.answers().values()):
        assert not kernel.moves(bounds, node_limit=100)
    assert not bounds.is_exact
    assert kernel.moves(bounds)
    assert values_of(bounds.answers()) == values_of(found)


@pytest.mark.parametrize("threads", [1, 2])
def test_it_ends_when_it_is_told_to(threads: int) -> None:
    solver = MoveSolver(open_table(16), threads)
    with closing(solver.updates(START)) as updates:
        assert None in values_of(next(updates)).values()
    searched = solver.nodes
    *_, last = solver.updates(START, node_limit=1000)
    assert None in values_of(last).values()
    assert solver.nodes < searched + 100_000
    position = known_positions(10)[0].position
    assert None not in values_of(solver.solve(position)).values()


@pytest.mark.parametrize("threads", [1, 2])
def test_the_threads_answer_one_question_together(threads: int) -> None:
    solver = MoveSolver(open_table(16), threads)
    for position, value, _ in known_positions(12)[:10]:
        before = solver.nodes
        answer = solver.ask(lambda kernel, position=position: kernel.value(position))  # type: ignore[misc]
        assert (answer.value, answer.nodes) == (value, solver.nodes - before)
    assert solver.ask(lambda kernel: kernel.value(START), lambda: True).value is None


def test_what_is_taught_is_not_searched() -> None:
    position, value, _ = known_positions(12)[0]
    solver = MoveSolver(open_table(16), 1)
    solver.teach(position, Answer(value, value, None, 1 << 20))
    assert solver.ask(lambda kernel: kernel.value(position, guess=value)).nodes < 100_000


def test_an_error_in_a_thread_ends_the_search() -> None:
    def fail(_: Kernel) -> Answer:
        raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        MoveSolver(open_table(16), 2).ask(fail)


@pytest.mark.parametrize("black_to_move", [True, False])
def test_bounds_are_from_black_and_may_not_contradict(black_to_move: bool) -> None:
    bounds = MoveBounds(Position(ply=10 if black_to_move else 11))
    bounds.narrow(12, -3, 5)
    bounds.narrow(12, LEAST, 4)
    assert bounds.answers()[12] == Answer(-3, 4, None, 0)
    with pytest.raises(ValueError, match="contradict"):
        bounds.narrow(12, 5, MOST)
    with pytest.raises(ValueError, match="not a legal move"):
        bounds.narrow(26, LEAST, MOST)
    assert bounds.answers()[12] == Answer(-3, 4, None, 0)
