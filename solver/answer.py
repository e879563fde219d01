"""A search's answer about a position; part of ``my_player3.py``, Python 3.7."""

from typing import NamedTuple, Optional

from solver.position import KOMI

#: The least value with which Black wins.
BLACK_WINS = int(KOMI) + 1

#: Bounds that hold for every position: 24 stones is the most a side can have.
LEAST, MOST = -24, 24


class Answer(NamedTuple):
    """Proven bounds on a position's value, and what they cost.

    The value is stones Black - White at the end under best play, from Black's side, komi
    left out.

    lo, hi: proven, -24 <= lo <= value <= hi <= 24; equal when the value is exact.
    best: a move of the mover that keeps the proven side, lo for Black and hi for White;
        when nothing is decided the most promising move; None when the game is over.
    nodes: positions searched.
    """

    lo: int
    hi: int
    best: Optional[int]
    nodes: int

    @property
    def value(self) -> Optional[int]:
        """The exact value, or None while the bounds differ."""
        return self.lo if self.lo == self.hi else None

    def at_least(self, threshold: int) -> Optional[bool]:
        """Return whether the value reaches ``threshold``, or None when the bounds do not tell."""
        if self.lo >= threshold:
            return True
        if self.hi < threshold:
            return False
        return None

    @property
    def winner(self) -> Optional[int]:
        """The colour that wins (1 = Black, 2 = White), or None when the bounds do not tell."""
        wins = self.at_least(BLACK_WINS)
        return None if wins is None else 1 if wins else 2
