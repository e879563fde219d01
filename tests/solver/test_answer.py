"""The methods of bounds on a value."""

import pytest

from little_go.solver.answer import BLACK_WINS, LEAST, MOST, Answer
from little_go.solver.family import COURSE


def test_value_is_known_when_the_bounds_meet() -> None:
    assert Answer(-2, -2, 0, 1).value == -2
    assert Answer(0, 0, 0, 1).value == 0
    assert Answer(-2, -1, 0, 1).value is None


@pytest.mark.parametrize(("threshold", "known"), [(-1, True), (0, True), (1, None), (4, None), (5, False)])
def test_at_least_is_none_between_the_bounds(threshold: int, known: bool | None) -> None:
    assert Answer(0, 4, None, 0).at_least(threshold) is known


@pytest.mark.parametrize(
    ("lo", "hi", "winner"), [(3, 24, 1), (3, 3, 1), (-24, 2, 2), (2, 2, 2), (2, 3, None), (LEAST, MOST, None)]
)
def test_winner_needs_three_stones_for_black(lo: int, hi: int, winner: int | None) -> None:
    assert BLACK_WINS == 3
    assert COURSE.winner(Answer(lo, hi, None, 0)) == winner
