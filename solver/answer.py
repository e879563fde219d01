"""A search's answer about a position, and the bounds in it; part of ``my_player3.py``, Python 3.7.

A value is the number of Black's stones minus the number of White's stones at the end under best play, without komi.
Bounds on a value are from Black's side too, so methods about the mover have a parameter ``black``: whether Black is to
move.
"""

from typing import NamedTuple, Optional

from little_go.solver.position import KOMI

#: The least value with which Black wins.
BLACK_WINS = int(KOMI) + 1

#: Bounds that hold for every position, because a side has at most 24 stones.
LEAST, MOST = -24, 24


class BoundsBase:
    """Proven bounds on a value, and what follows from them."""

    __slots__ = ()

    @property
    def lo(self) -> int:
        """The least possible value."""
        raise NotImplementedError

    @property
    def hi(self) -> int:
        """The greatest possible value."""
        raise NotImplementedError

    @property
    def value(self) -> Optional[int]:
        """The exact value, or None if the bounds differ."""
        return self.lo if self.lo == self.hi else None

    def at_least(self, threshold: int) -> Optional[bool]:
        """Return whether the value is ``threshold`` or more, or None if the bounds leave it open."""
        if self.lo >= threshold:
            return True
        if self.hi < threshold:
            return False
        return None

    def mover_bound(self, black: bool) -> int:
        """Return the lower bound from the mover's side, which is the value that the mover reaches at least."""
        return self.lo if black else -self.hi

    def opponent_bound(self, black: bool) -> int:
        """Return the upper bound from the mover's side, which is the value that the mover reaches at most."""
        return self.hi if black else -self.lo

    def mover_end(self, black: bool) -> "Bounds":
        """Return only the mover's bound: lo for Black, hi for White. It stays proven after a move that keeps it."""
        return Bounds(lo=self.lo) if black else Bounds(hi=self.hi)

    def opponent_end(self, black: bool) -> "Bounds":
        """Return only the opponent's bound: hi if Black moves, lo if White moves. No move of the mover improves it."""
        return Bounds(hi=self.hi) if black else Bounds(lo=self.lo)


class _Bounds(NamedTuple):
    lo: int = LEAST
    hi: int = MOST


class Bounds(_Bounds, BoundsBase):
    """Proven bounds on a value, -24 <= lo <= value <= hi <= 24; by default the bounds that hold for every position."""

    __slots__ = ()


class _Answer(NamedTuple):
    lo: int
    hi: int
    best: Optional[int]
    nodes: int


class Answer(_Answer, BoundsBase):
    """Proven bounds on a position's value, and the cost of the search.

    lo, hi: the bounds; they are equal if the value is exact. best: a move that keeps the mover's bound, lo for Black
    and hi for White. If every move keeps this bound, because it is the worst possible bound, ``best`` is the most
    promising move. It is None if no move is known or the game is over. nodes: the number of positions searched.
    """

    __slots__ = ()


def goal_of(value: int, black: bool) -> int:
    """Return the threshold that decides whether the mover keeps a value: Black keeps it if later values reach it.

    White keeps the value if later values stay below the threshold.
    """
    return value if black else value + 1
