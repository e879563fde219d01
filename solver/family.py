"""The family of games, which differ in length and komi.

The module is part of ``my_player3.py`` and must run with Python 3.7. The search depends only on the plies left and the
difference of stones, but not on the length of the game or the komi. A game of n plies is the end of the course's game
of 24 plies: it starts with the empty board and n plies left. The ply before the start counts as a PASS, because the
host ends a game of any length if the first ply is a PASS.
"""

import math
from typing import NamedTuple, Optional

from little_go.solver.answer import LEAST, MOST, Bounds, BoundsBase
from little_go.solver.position import GAME_PLIES, KOMI, Position

#: The minimum length of a game in plies: one ply for each side.
LEAST_PLIES = 2


class Variant(NamedTuple):
    """A game, described by its length in plies and White's komi.

    The length is an even number from 2 to 24. The komi is an integer plus a half, from -24.5 to 24.5.

    >>> print(Variant(20, 4.5), Variant(20, 4.5).least)
    20 plies, komi 4.5 5
    """

    plies: int
    komi: float

    def check(self) -> None:
        """Raise ValueError with a one-line message if the length or the komi is invalid."""
        if not LEAST_PLIES <= self.plies <= GAME_PLIES or self.plies % 2:
            wanted = "games have an even number of plies, {} to {}".format(LEAST_PLIES, GAME_PLIES)
            raise ValueError(f"{self.plies} plies: {wanted}")
        if not (abs(self.komi) <= MOST + 0.5 and self.komi % 1 == 0.5):
            raise ValueError(f"komi {self.komi:g}: give a half such as 2.5, from {LEAST - 0.5} to {MOST + 0.5}")

    def __str__(self) -> str:
        return f"{self.plies} plies, komi {self.komi:g}"

    @property
    def least(self) -> int:
        """The lowest value with which Black wins."""
        return math.floor(self.komi) + 1

    @property
    def first_ply(self) -> int:
        """The field ``ply`` of the game's first position, 0 to 22."""
        return GAME_PLIES - self.plies

    @property
    def start(self) -> Position:
        """The first position of the game."""
        return Position(ply=self.first_ply, passed=self.first_ply > 0)

    def winner(self, ends: BoundsBase) -> Optional[int]:
        """Return the colour that wins (1 = Black, 2 = White), or None if the bounds do not decide the winner."""
        wins = ends.at_least(self.least)
        return None if wins is None else 1 if wins else 2

    def leader(self, position: Position) -> int:
        """Return the colour that would win if the game ended in this position."""
        return 1 if position.margin > self.komi else 2

    def won_by(self, colour: int) -> Bounds:
        """Return the bounds that contain exactly the values with which ``colour`` wins."""
        return Bounds(lo=self.least) if colour == 1 else Bounds(hi=self.least - 1)


#: The game of the course.
COURSE = Variant(GAME_PLIES, KOMI)
