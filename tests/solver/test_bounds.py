"""What is said of bounds: met, turned and put into words once for all rooms."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from solver.answer import LEAST, MOST, Answer
from solver.bounds import Bounds, bounds_text, for_mover, meet
from solver.position import Position

BOUNDS = st.tuples(st.integers(LEAST, MOST), st.integers(LEAST, MOST)).map(lambda pair: Bounds(min(pair), max(pair)))


@given(BOUNDS, BOUNDS, st.integers(LEAST, MOST))
def test_both_hold_where_each_does(one: Bounds, other: Bounds, value: int) -> None:
    met = meet(one, Answer(*other, None, 0))
    assert (met.lo <= value <= met.hi) == (one.lo <= value <= one.hi and other.lo <= value <= other.hi)


@given(BOUNDS, st.integers(0, 23))
def test_turned_twice_is_the_same(bounds: Bounds, ply: int) -> None:
    position = Position(ply=ply)
    assert for_mover(position, for_mover(position, bounds)) == bounds
    assert for_mover(position, bounds) == (bounds if ply % 2 == 0 else (-bounds.hi, -bounds.lo))


@pytest.mark.parametrize(
    ("lo", "hi", "text"), [(0, 0, "+0"), (24, 24, "+24"), (-24, -24, "-24"), (-24, 23, "+23 or less")]
)
def test_bounds_in_words(lo: int, hi: int, text: str) -> None:
    assert bounds_text(Bounds(lo, hi)) == text
