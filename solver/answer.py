"""A search's answer about a position, and the bounds in it; part of ``my_player3.py``, Python 3.7.

A value is stones Black - White at the end under best play, komi left out. Bounds on it are from Black's side too, so
questions about the mover take ``black``, whether Black is to move.
"""

from typing import NamedTuple, Optional

from solver.position import KOMI

#: The least value with which Black wins.
BLACK_WINS = int(KOMI) + 1

#: Bounds of every position: a side has 24 stones at most.
LEAST, MOST = -24, 24


class BoundsBase:
    """Proven bounds on a value, and the questions that they answer."""

    __slots__ = ()

    @property
    def lo(self) -> int:
        """The least that the value can be."""
        raise NotImplementedError

    @property
    def hi(self) -> int:
        """The most that the value can be."""
        raise NotImplementedError

    @property
    def value(self) -> Optional[int]:
        """The exact value, or None while the ends differ."""
        return self.lo if self.lo == self.hi else None

    def at_least(self, threshold: int) -> Optional[bool]:
        """Return whether the value reaches ``threshold``, or None when the ends do not tell."""
        if self.lo >= threshold:
            return True
        if self.hi < threshold:
            return False
        return None

    def mover_bound(self, black: bool) -> int:
        """Return the mover's guaranteed bound, more being better."""
        return self.lo if black else -self.hi

    def opponent_bound(self, black: bool) -> int:
        """Return the most that the value can be for the mover, the opponent's guaranteed bound."""
        return self.hi if black else -self.lo

    def mover_end(self, black: bool) -> "Bounds":
        """Return the mover's end alone, which stays proven after a move that carries it."""
        return Bounds(lo=self.lo) if black else Bounds(hi=self.hi)

    def opponent_end(self, black: bool) -> "Bounds":
        """Return the other end alone, which no move of the mover's exceeds."""
        return Bounds(hi=self.hi) if black else Bounds(lo=self.lo)


class _Bounds(NamedTuple):
    lo: int = LEAST
    hi: int = MOST


class Bounds(_Bounds, BoundsBase):
    """Proven bounds on a value, -24 <= lo <= value <= hi <= 24; by default those of every position."""

    __slots__ = ()


class _Answer(NamedTuple):
    lo: int
    hi: int
    best: Optional[int]
    nodes: int


class Answer(_Answer, BoundsBase):
    """Proven bounds on a position's value, and what they cost.

    lo, hi: as of Bounds; equal when the value is exact.
    best: a move that keeps the mover's end, lo for Black and hi for White; where that is the least, which every move
        keeps, the most promising one. None where no move is known, or the game is over.
    nodes: positions searched.
    """

    __slots__ = ()


def goal_of(value: int, black: bool) -> int:
    """Return the threshold that decides whether the mover keeps a value: Black when it is reached, White when not."""
    return value if black else value + 1
