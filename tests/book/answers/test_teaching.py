"""Teaching lines keep the value, settle the board soonest, and are always the same."""

from functools import cache
from random import Random

import pytest

from little_go.book.answers.reasons import LATE_LEFT, teaching_line
from little_go.solver.position import PASS, START, Position


def by_lot(seed: int, left: int) -> Position:
    rng, position = Random(seed), START
    while position.left > left:
        position = position.play(rng.choice(position.legal_moves()[:-1] or [PASS]))
    return position


@cache
def value_of(position: Position) -> int:
    if position.is_over:
        return position.margin
    pick = max if position.black_to_move else min
    return pick(value_of(position.play(move)) for move in position.legal_moves())


def taken(position: Position, move: int) -> int:
    after, black = position.play(move), position.black_to_move
    return (position.white & ~after.white if black else position.black & ~after.black).bit_count()


def open_points(position: Position) -> int:
    """Return the number of points that either side may fill, if it has a ply left."""
    if position.is_over:
        return 0
    sides = (position, position._replace(ply=position.ply + 1, ko=None))
    return len({move for side in sides if not side.is_over for move in side.legal_moves()} - {PASS})


@pytest.mark.parametrize("seed", range(10))
def test_of_equal_moves_the_one_that_settles_soonest(seed: int) -> None:
    """By plain minimax, each move keeps the value, and no other move that keeps it captures more or leaves fewer open
    points.
    """
    position = by_lot(seed, 4)
    value = value_of(position)
    for move in teaching_line(position, []):
        keeping = [each for each in position.legal_moves() if value_of(position.play(each)) == value]
        assert move == min(keeping, key=lambda each: (-taken(position, each), open_points(position.play(each)), each))
        position = position.play(move)
    assert position.is_over
    assert position.margin == value


def test_the_known_part_stays_and_the_end_depends_on_the_rules_alone() -> None:
    position = by_lot(3, LATE_LEFT + 2)
    known = position.legal_moves()[:2]
    line = teaching_line(position, known)
    assert line[:2] == known
    assert line == teaching_line(position, [*known, PASS])
    assert teaching_line(position, known[:1]) == known[:1]
