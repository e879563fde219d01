"""Types for a search's answer about a position, and for the bounds that the answer contains.

The module is part of ``my_player3.py`` and must run with Python 3.7. A value is the number of Black's stones minus the
number of White's stones at the end under best play, without komi. Bounds on a value are also from Black's point of
view, so methods about the mover have the parameter ``black``, which states whether Black is to move.
"""

from typing import NamedTuple, Optional

from little_go.solver.position import KOMI

#: The lowest value with which Black wins.
BLACK_WINS = int(KOMI) + 1

#: Bounds that are correct for every position, because a side has at most 24 stones.
LEAST, MOST = -24, 24


class BoundsBase:
    """The base class of types that contain proven bounds on a value."""

    __slots__ = ()

    @property
    def lo(self) -> int:
        """The lower bound, which is the lowest possible value."""
        raise NotImplementedError

    @property
    def hi(self) -> int:
        """The upper bound, which is the highest possible value."""
        raise NotImplementedError

    @property
    def value(self) -> Optional[int]:
        """The exact value, or None if the bounds differ."""
        return self.lo if self.lo == self.hi else None

    def at_least(self, threshold: int) -> Optional[bool]:
        """Return whether the value is at least ``threshold``, or None if the bounds do not decide this."""
        if self.lo >= threshold:
            return True
        if self.hi < threshold:
            return False
        return None

    def mover_bound(self, black: bool) -> int:
        """Return the lower bound from the mover's point of view, which is the result that the mover can enforce."""
        return self.lo if black else -self.hi

    def opponent_bound(self, black: bool) -> int:
        """Return the upper bound from the mover's point of view, which is the best result that the mover can reach."""
        return self.hi if black else -self.lo

    def mover_end(self, black: bool) -> "Bounds":
        """Return bounds that contain only the mover's bound, which is lo for Black and hi for White.

        After a move that keeps the mover's bound, this bound is still proven.
        """
        return Bounds(lo=self.lo) if black else Bounds(hi=self.hi)

    def opponent_end(self, black: bool) -> "Bounds":
        """Return bounds that contain only the opponent's bound, which is hi if Black moves and lo if White moves.

        This bound is also proven after every move, because no move improves the position of the mover.
        """
        return Bounds(hi=self.hi) if black else Bounds(lo=self.lo)


class _Bounds(NamedTuple):
    lo: int = LEAST
    hi: int = MOST


class Bounds(_Bounds, BoundsBase):
    """Proven bounds on a value: -24 <= lo <= value <= hi <= 24. The default bounds are correct for every position."""

    __slots__ = ()


class _Answer(NamedTuple):
    lo: int
    hi: int
    best: Optional[int]
    nodes: int


class Answer(_Answer, BoundsBase):
    """Proven bounds on a position's value, and the cost of the search.

    - ``lo``, ``hi``: the bounds on the value; they are equal if the value is exact.
    - ``best``: a move that keeps the mover's bound, which is lo for Black and hi for White. If this bound is the worst
      possible bound, every move keeps it, and ``best`` is the most promising move. If no move is known, or if the game
      is over, ``best`` is None.
    - ``nodes``: the number of positions that were searched.
    """

    __slots__ = ()


def goal_of(value: int, black: bool) -> int:
    """Return the threshold that decides whether the mover keeps a value.

    Black keeps the value if later values reach the threshold. White keeps the value if later values stay below the
    threshold.
    """
    return value if black else value + 1
