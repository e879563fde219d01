"""The functions about bounds: merging, inference and words."""

from typing import NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from little_go.solver.answer import LEAST, MOST, Answer, Bounds, goal_of
from little_go.solver.bounds import (
    UNKNOWN,
    after_move,
    best_of,
    bounds_text,
    disproved,
    intersect,
    merge_answers,
    refuted,
)
from little_go.solver.family import COURSE
from little_go.solver.position import START, Position

BOUNDS = st.tuples(st.integers(LEAST, MOST), st.integers(LEAST, MOST)).map(lambda pair: Bounds(min(pair), max(pair)))


class Truth(NamedTuple):
    """A position with the values of its moves. black: whether Black is to move. The value is the best of the moves'
    values.
    """

    black: bool
    moves: list[int]

    @property
    def value(self) -> int:
        return max(self.moves) if self.black else min(self.moves)

    def keeps(self, answer: Answer) -> bool:
        """Return whether an answer is true: the value is within its bounds, and its move keeps the mover's bound."""
        if answer.best is None:
            return answer.lo <= self.value <= answer.hi
        kept = self.moves[answer.best]
        return answer.lo <= self.value <= answer.hi and (answer.lo <= kept if self.black else kept <= answer.hi)


TRUTHS = st.builds(Truth, st.booleans(), st.lists(st.integers(LEAST, MOST), min_size=1, max_size=6))


@st.composite
def true_answers(draw: st.DrawFn, truth: Truth) -> Answer:
    """A strategy of true answers: bounds around the value, and a move that keeps the mover's bound, or None."""
    lo, hi = draw(st.integers(LEAST, truth.value)), draw(st.integers(truth.value, MOST))
    best = draw(st.one_of(st.none(), st.integers(0, len(truth.moves) - 1)))
    answer = Answer(lo, hi, best, draw(st.integers(0, 99)))
    return answer if truth.keeps(answer) else answer._replace(best=None)


@st.composite
def several(draw: st.DrawFn) -> tuple[Truth, list[Answer]]:
    """A strategy of a position and three true answers about it."""
    truth = draw(TRUTHS)
    return truth, [draw(true_answers(truth)) for _ in range(3)]


@given(several())
def test_what_true_answers_say_together_is_true(drawn: tuple[Truth, list[Answer]]) -> None:
    truth, (one, other, third) = drawn
    assert all(map(truth.keeps, (one, other, third)))
    for old, new in ((one, other), (other, one)):
        answer = merge_answers(truth.black, old, new)
        assert truth.keeps(answer)
        assert answer[:2] == intersect(old, new)
        assert answer.nodes == old.nodes


@given(several())
def test_answers_may_be_grouped_and_repeated(drawn: tuple[Truth, list[Answer]]) -> None:
    (black, _), (one, other, third) = drawn
    assert merge_answers(black, merge_answers(black, one, other), third) == merge_answers(
        black, one, merge_answers(black, other, third)
    )
    assert merge_answers(black, one, one) == one
    assert merge_answers(black, one, UNKNOWN) == one


@given(BOUNDS, BOUNDS, BOUNDS)
def test_bounds_meet_in_any_order(one: Bounds, other: Bounds, third: Bounds) -> None:
    assert intersect(one, other) == intersect(other, one)
    assert intersect(intersect(one, other), third) == intersect(one, intersect(other, third))
    assert intersect(one, one) == intersect(one, Bounds()) == one


@given(BOUNDS, BOUNDS, st.integers(LEAST, MOST))
def test_both_hold_where_each_does(one: Bounds, other: Bounds, value: int) -> None:
    both = intersect(one, Answer(*other, None, 0))
    assert (both.lo <= value <= both.hi) == (one.lo <= value <= one.hi and other.lo <= value <= other.hi)


@given(BOUNDS, st.booleans())
def test_each_end_is_one_of_the_movers(bounds: Bounds, black: bool) -> None:
    assert intersect(bounds.mover_end(black), bounds.opponent_end(black)) == bounds
    assert bounds.mover_end(black) == bounds.opponent_end(not black)
    assert (bounds.mover_bound(black), bounds.opponent_bound(black)) == (
        -bounds.opponent_bound(not black),
        -bounds.mover_bound(not black),
    )
    assert bounds.mover_end(black).mover_bound(black) == bounds.mover_bound(black) <= bounds.opponent_bound(black)
    assert bounds.mover_end(black).opponent_bound(black) == MOST


@given(st.integers(LEAST, MOST), st.integers(LEAST, MOST), st.booleans())
def test_the_goal_decides_whether_the_mover_keeps_a_value(value: int, kept: int, black: bool) -> None:
    assert ((value >= goal_of(kept, black)) is black) == (value >= kept if black else value <= kept)


@pytest.mark.parametrize("colour", [1, 2])
def test_who_wins_as_bounds(colour: int) -> None:
    assert [
        each for each in range(LEAST, MOST + 1) if COURSE.won_by(colour).lo <= each <= COURSE.won_by(colour).hi
    ] == [each for each in range(LEAST, MOST + 1) if COURSE.winner(Bounds(each, each)) == colour]


@st.composite
def positions(draw: st.DrawFn) -> tuple[Truth, dict[int, Answer], dict[int, Answer]]:
    """A strategy of a position, true answers about its moves, and narrower ones."""
    truth = draw(TRUTHS)
    wide, narrow = {}, {}
    for move, value in enumerate(truth.moves):
        lo, hi = draw(st.integers(LEAST, value)), draw(st.integers(value, MOST))
        wide[move] = Answer(lo, hi, None, 1)
        narrow[move] = Answer(draw(st.integers(lo, value)), draw(st.integers(value, hi)), None, 1)
    return truth, wide, narrow


@given(positions())
def test_the_best_of_the_moves_is_what_the_position_is_worth(
    drawn: tuple[Truth, dict[int, Answer], dict[int, Answer]],
) -> None:
    truth, wide, narrow = drawn
    for moves in (wide, narrow):
        answer = best_of(truth.black, moves)
        assert truth.keeps(answer)
        assert (answer.best is None) == (answer.mover_bound(truth.black) == LEAST)
        assert answer.nodes == len(moves)
    one, other = best_of(truth.black, wide), best_of(truth.black, narrow)
    assert one.lo <= other.lo <= other.hi <= one.hi


@given(several())
def test_after_a_move_the_value_is_within_what_follows(drawn: tuple[Truth, list[Answer]]) -> None:
    truth, answers = drawn
    for answer in answers:
        for move, value in enumerate(truth.moves):
            follows = after_move(truth.black, answer, is_best=move == answer.best)
            assert follows.lo <= value <= follows.hi


@pytest.mark.parametrize(
    ("lo", "hi", "text"), [(0, 0, "+0"), (24, 24, "+24"), (-24, -24, "-24"), (-24, 23, "+23 or less")]
)
def test_bounds_in_words(lo: int, hi: int, text: str) -> None:
    assert bounds_text(Bounds(lo, hi)) == text


@given(BOUNDS, st.integers(LEAST, MOST))
def test_a_bound_is_refuted_exactly_if_the_value_is_beyond_it(bounds: Bounds, value: int) -> None:
    goals = []

    def decide(position: Position, goal: int) -> Answer:
        assert position == START
        goals.append(goal)
        return Answer(goal, MOST, None, 1) if value >= goal else Answer(LEAST, goal - 1, None, 1)

    assert list(refuted(decide, START, bounds)) == [
        *([f"a search refutes {bounds.lo:+d} or more"] if value < bounds.lo else []),
        *([f"a search refutes {bounds.hi:+d} or less"] if value > bounds.hi else []),
    ]
    # A bound that holds for every position needs no search.
    assert goals == [bounds.lo] * (bounds.lo > LEAST) + [bounds.hi + 1] * (bounds.hi < MOST)
    assert list(refuted(lambda *_: UNKNOWN, START, bounds)) == []


@pytest.mark.parametrize("here", [3, 5])
@pytest.mark.parametrize("after", [2, 3, 8])
@pytest.mark.parametrize("black", [True, False])
def test_the_best_move_must_keep_the_bound_of_the_mover(here: int, after: int, black: bool) -> None:
    position = START if black else START.play(7)
    answer = Answer(3, 3, 12, 900)

    def decide(asked: Position, goal: int) -> Answer:
        assert asked in (position, position.play(12))
        value = here if asked == position else after
        return Answer(goal, MOST, None, 1) if value >= goal else Answer(LEAST, goal - 1, None, 1)

    faults = ["a search refutes +3 or less"] if here > 3 else []
    if black and after < 3:
        faults.append("after the best move, 2,2, a search refutes +3 or more")
    if not black and after > 3:
        faults.append("after the best move, 2,2, a search refutes +3 or less")
    assert list(disproved(decide, position, answer)) == faults
    for best in (None, 7):
        # No move is known, or the move is illegal for White.
        if best is None or not black:
            assert list(disproved(decide, position, answer._replace(best=best))) == faults[: here > 3]
