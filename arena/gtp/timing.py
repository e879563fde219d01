"""The seconds that a controller leaves for a move: GTP's ``time_settings`` and ``time_left``."""

import math
from dataclasses import dataclass, field

#: A move is always found, so an empty clock leaves the least that the player's search can use.
_LEAST = 0.05


@dataclass
class Allowance:
    """The time of both sides; without settings there is no limit.

    main: seconds for the whole game. period: seconds for each ``stones`` moves after that. Where ``period`` is set and
    ``stones`` is 0, the controller wants no limit.
    """

    main: float = math.inf
    period: float = 0.0
    stones: int = 0
    _left: dict[int, float] = field(default_factory=dict)
    _moves: dict[int, int] = field(default_factory=dict)

    def settle(self, main: float, period: float, stones: int) -> None:
        """Take the controller's settings for the games from now on; raises ValueError for numbers below 0."""
        if not (0 <= main < math.inf and 0 <= period < math.inf and stones >= 0):
            raise ValueError("times and stones are 0 or more")
        no_limit = period > 0 and stones == 0
        self.main, self.period, self.stones = (math.inf, 0.0, 0) if no_limit else (main, period, stones)
        self.restart()

    def restart(self) -> None:
        """Begin a game: both sides have all their time."""
        self._left = {}
        self._moves = {}

    def tell(self, colour: int, seconds: float, stones: int) -> None:
        """Note what the controller's clock says: ``seconds`` for the next ``stones`` moves, for all when it is 0."""
        if not (0 <= seconds < math.inf and stones >= 0):
            raise ValueError("times and stones are 0 or more")
        self._left[colour] = seconds
        self._moves[colour] = stones

    def spend(self, colour: int, seconds: float) -> None:
        """Take the time of a move off a side's clock."""
        self._left[colour] = max(0.0, self._main_left(colour) - seconds)
        self._moves[colour] = max(0, self._moves.get(colour, 0) - 1)

    def for_move(self, colour: int, left: int) -> float:
        """Return the seconds for a move: an even share of what is left for the game, and of the period after it.

        left: the plies left.
        """
        in_period = self._moves.get(colour, 0)
        if in_period:
            return max(_LEAST, self._main_left(colour) / in_period)
        share = self._main_left(colour) / max(1, (left + 1) // 2)
        return max(_LEAST, share, self.period / self.stones if self.stones else 0.0)

    def _main_left(self, colour: int) -> float:
        return self._left.get(colour, self.main)
