"""Little-Go as a learner sees it.

The value of a move is kept under what the board after it looks like, in six numbers that no turn or reflection
changes; "mine" is the side that has just moved::

    bit  18 .. 16    15 .. 13     12 .. 11    10 .. 9     8 .. 5     4 .. 0
         shape       liberties    atari on    atari on    margin     plies left
         + 2         / 2 + 3      theirs      mine        + 7

    plies left: they tell the colour as well; 0 is the end, and then bit 5 alone tells whether mine has won
    margin: my stones less theirs, -7 to 7
    atari on mine: stones in my largest group with one liberty, up to 3
    atari on theirs: stones in all of their groups with one liberty, up to 3
    liberties: points where I breathe less points where they do, in steps of two, -3 to 3
    shape: groups less the holes in them (Gray 1971), theirs less mine, -2 to 2

Whole boards instead do not come back often enough to be learnt (docs/reference/AGENTS.md).
"""

from functools import lru_cache
from typing import NamedTuple

from arena.learning.learner import KeyedMove, Rules
from generator.opponents.features import euler, side_groups
from solver.family import COURSE
from solver.position import FULL, PASS, START, Position, neighbours, parse_move, points_of

#: Where the course's agent opens in all of its logged games, and so the one opening that is learnt.
OPENING = parse_move("1,2")

#: Bits of a key.
KEY_BITS = 19

_MOST_MARGIN, _MOST_ATARI, _MOST_LIBERTIES, _MOST_SHAPE = 7, 3, 3, 2

#: Positions whose choices are remembered: openings come again and again.
_REMEMBERED = 1 << 14


def key_after(following: Position, mover: int) -> int:
    """Return the key of a move of ``mover`` (1 = Black, 2 = White) that led to a position."""
    if following.is_over:
        return int(COURSE.leader(following) == mover) << 5
    mine, theirs = (following.black, following.white) if mover == 1 else (following.white, following.black)
    my_side, their_side = _look(mine, theirs), _look(theirs, mine)
    return (
        following.left
        | _clipped(mine.bit_count() - theirs.bit_count(), _MOST_MARGIN) << 5
        | min(my_side.largest_in_atari, _MOST_ATARI) << 9
        | min(their_side.in_atari, _MOST_ATARI) << 11
        | _clipped((my_side.liberties - their_side.liberties) // 2, _MOST_LIBERTIES) << 13
        | _clipped(their_side.euler - my_side.euler, _MOST_SHAPE) << 16
    )


@lru_cache(maxsize=_REMEMBERED)
def _choices(position: Position) -> tuple[KeyedMove, ...]:
    """Return the legal points, or the PASS, with their keys; of the first moves OPENING alone."""
    moves = (list(points_of(position.legal_points())) or [PASS]) if position.ply else [OPENING]
    return tuple(KeyedMove(move, key_after(position.play(move), position.mover)) for move in moves)


class _ShapeCounts(NamedTuple):
    """The shape of one side's stones: counts of points, of groups less holes, and of stones."""

    liberties: int
    euler: int
    in_atari: int
    largest_in_atari: int


def _look(mine: int, theirs: int) -> _ShapeCounts:
    in_atari = [group.stones.bit_count() for group in side_groups(mine, theirs) if group.in_atari]
    liberties = neighbours(mine) & FULL & ~(mine | theirs)
    return _ShapeCounts(liberties.bit_count(), euler(mine), sum(in_atari), max(in_atari, default=0))


def _clipped(number: int, most: int) -> int:
    """Return a number cut off at -most and most, counted from 0 at -most."""
    return max(0, min(2 * most, number + most))


#: The game, Black = player 1; a PASS is a choice only without a legal point, as in the logged games.
LITTLE_GO = Rules(
    START,
    _choices,
    Position.play,
    mover=lambda position: position.mover,
    winner=lambda position: COURSE.leader(position) if position.is_over else None,
)
