"""The expected time of a class's remaining games."""

from collections import Counter
from collections.abc import Iterable
from typing import NamedTuple, TypeAlias

from arena.standings.series import GameOutcome
from arena.standings.tournament import Fixture
from runtime.display import Display

#: The players, whatever their colours.
_Pair: TypeAlias = frozenset[str]

#: Minimum seconds and games before a forecast.
_LEAST_SECONDS, _LEAST_GAMES = 5.0, 4


class _Mean(NamedTuple):
    seconds: float = 0.0
    games: int = 0

    def with_game(self, seconds: float) -> "_Mean":
        return _Mean(self.seconds + seconds, self.games + 1)


class TimeLeft:
    """The time left, from the mean seconds of each pair's earlier games, or else of each player's.

    done: number of games played. left: of games to play.
    """

    def __init__(self, fixtures: Iterable[Fixture]) -> None:
        """fixtures: the games to play."""
        self.done = 0
        self._left: Counter[_Pair] = Counter(frozenset(fixture[:2]) for fixture in fixtures)
        self._pairs: dict[_Pair, _Mean] = {}
        self._players: dict[str, _Mean] = {}
        self._all = _Mean()
        self._worked = 0.0

    @property
    def left(self) -> int:
        """The number of games left."""
        return self._left.total()

    def learn(self, players: Iterable[str], seconds: float) -> None:
        """Learn from a game of an earlier run."""
        pair = frozenset(players)
        self._pairs[pair] = self._pairs.get(pair, _Mean()).with_game(seconds)
        for player in pair:
            self._players[player] = self._players.get(player, _Mean()).with_game(seconds)
        self._all = self._all.with_game(seconds)

    def game(self, fixture: Fixture, seconds: float) -> None:
        """Learn from a game of this run."""
        self.learn(fixture[:2], seconds)
        self.done += 1
        self._worked += seconds
        self._left[frozenset(fixture[:2])] -= 1

    def seconds(self, elapsed: float) -> float | None:
        """Return the seconds left by the clock, given those since the first game began; None where it is too early."""
        if self.done < _LEAST_GAMES or elapsed < _LEAST_SECONDS or not self._worked:
            return None
        work = sum(count * self._expected(pair) for pair, count in self._left.items())
        # Seconds of games per second, of all workers together, as busy as the machines are.
        return work * elapsed / self._worked

    def _expected(self, pair: _Pair) -> float:
        """Return the expected seconds of a pair's game."""
        if pair in self._pairs:
            mean = self._pairs[pair]
            return mean.seconds / mean.games
        overall = self._all.seconds / self._all.games
        if not overall:
            return 0.0
        expected = overall
        for player in pair:
            mean = self._players.get(player, self._all)
            if mean.seconds:
                # A player twice as slow as the mean doubles its games' time.
                expected *= mean.seconds / mean.games / overall
        return expected


def time_text(seconds: float) -> str:
    """Return a rounded time with its unit.

    >>> time_text(40), time_text(600), time_text(3 * 3600 + 1800), time_text(200 * 3600)
    ('40 s', '10 min', '3.5 h', '8.3 days')
    """
    if seconds < 90:
        return f"{max(1, round(seconds))} s"
    if seconds < 90 * 60:
        return f"{round(seconds / 60)} min"
    hours = seconds / 3600
    return f"{hours:.1f} h" if hours < 72 else f"{hours / 24:.1f} days"


class GamesDisplay(Display):
    """Progress through a class's games, with the time left."""

    def __init__(self, what: str, forecast: TimeLeft) -> None:
        """Prepare the display; what: the games, for people."""
        super().__init__(patience=2.0, forecast=False)
        self._what, self._forecast = what, forecast

    def game(self, outcome: GameOutcome) -> None:
        """Show a played game, and learn from its time."""
        self._forecast.game(outcome.order.fixture, outcome.seconds)
        self.tick()

    def tick(self) -> None:
        """Show the progress."""
        done, total = self._forecast.done, self._forecast.done + self._forecast.left
        left = self._forecast.seconds(self.elapsed)
        about = "" if left is None or done == total else f", about {time_text(left)} left"
        self.show(f"{self._what}: {done:,} of {total:,}{about}", done, total)
