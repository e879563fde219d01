"""Little-Go's moves and keys for a learner.

A move's key encodes the board after it in six numbers that no rotation or reflection changes; "mine" is the side that
has just moved::

    bit  18 .. 16    15 .. 13     12 .. 11    10 .. 9     8 .. 5     4 .. 0
         shape       liberties    atari on    atari on    margin     plies left
         + 2         / 2 + 3      theirs      mine        + 7

    plies left: these fix the colour as well; 0 is the end, where bit 5 alone is whether mine has won
    margin: my stones minus theirs, -7 to 7
    atari on mine: stones in my largest group with one liberty, up to 3
    atari on theirs: stones in all of their groups with one liberty, up to 3
    liberties: my liberty points minus theirs, in steps of two, -3 to 3
    shape: groups minus holes (Gray 1971), theirs minus mine, -2 to 2

Whole boards repeat too rarely to be learnt (docs/reference/AGENTS.md).
"""

from functools import lru_cache
from typing import NamedTuple

from arena.learning.learner import KeyedMove, Rules
from generator.opponents.features import euler, side_groups
from solver.family import COURSE
from solver.position import FULL, PASS, START, Position, neighbours, parse_move, points_of

#: The course's agent opens here in all its logged games; the only opening that is learnt.
OPENING = parse_move("1,2")

#: Bits of a key.
KEY_BITS = 19

_MOST_MARGIN, _MOST_ATARI, _MOST_LIBERTIES, _MOST_SHAPE = 7, 3, 3, 2

#: Positions whose choices are cached: openings repeat.
_REMEMBERED = 1 << 14


def key_after(following: Position, mover: int) -> int:
    """Return the key of the move of ``mover`` (1 = Black, 2 = White) that led to a position."""
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
    """Return the legal points, or PASS, with their keys; at the start OPENING alone."""
    moves = (list(points_of(position.legal_points())) or [PASS]) if position.ply else [OPENING]
    return tuple(KeyedMove(move, key_after(position.play(move), position.mover)) for move in moves)


class _ShapeCounts(NamedTuple):
    """The shape of one side's stones: liberty points, groups minus holes, and stones in atari."""

    liberties: int
    euler: int
    in_atari: int
    largest_in_atari: int


def _look(mine: int, theirs: int) -> _ShapeCounts:
    in_atari = [group.stones.bit_count() for group in side_groups(mine, theirs) if group.in_atari]
    liberties = neighbours(mine) & FULL & ~(mine | theirs)
    return _ShapeCounts(liberties.bit_count(), euler(mine), sum(in_atari), max(in_atari, default=0))


def _clipped(number: int, most: int) -> int:
    """Return a number clipped to -most..most, plus ``most``."""
    return max(0, min(2 * most, number + most))


#: The game, Black = player 1; PASS only without a legal point, as in the logged games.
LITTLE_GO = Rules(
    START,
    _choices,
    Position.play,
    mover=lambda position: position.mover,
    winner=lambda position: COURSE.leader(position) if position.is_over else None,
)
