"""Play the games of a class, on this machine or by a cluster, and keep each as soon as it has ended.

    fixtures, kept games            crew: processes here, or workers of a cluster
    queue of games    -- order -->  one game
          ^                            |
          `-------- record ------------'   kept in games.jsonl

A game counts once, whoever sends it how often. What was in flight when a worker was lost is played again.
"""

import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple, TypeAlias

from arena.classroom.time_left import TimeLeft, time_text
from arena.match.limits import RunnerError
from arena.match.play import Game, play_when_free
from arena.standings.entrants import Terms
from arena.standings.tally import counted
from arena.standings.tournament import (
    MOST_WAITING,
    Fixture,
    GamesFolder,
    Record,
    Roster,
    TournamentError,
    play_fixture,
    record_of,
)
from crew.jobs import Crew, ExecutorPool, JobLost
from crew.workers import WorkerPool
from runtime.display import Display


class GameOrder(NamedTuple):
    """A game to play, and who its players are, by name: the built-in agents are not among them."""

    fixture: Fixture
    roster: Roster
    terms: Terms


class GameOutcome(NamedTuple):
    """What came of an order.

    record: of the game. None: the clock ended it on a busy machine. seconds: by the clock. worker: who played it, ""
    for this machine.
    """

    order: GameOrder
    record: Record | None
    seconds: float
    worker: str = ""


#: Those who play.
Players: TypeAlias = Crew[GameOrder, GameOutcome]


def play_order(order: GameOrder, worker: str = "") -> GameOutcome:
    """Play a game."""
    begun = time.monotonic()
    game = play_fixture(order.fixture, order.roster, order.terms)
    seconds = time.monotonic() - begun
    return GameOutcome(order, None if game.starved else timed_record(order.fixture, game, seconds), seconds, worker)


def timed_record(fixture: Fixture, game: Game, seconds: float) -> Record:
    """Return a game's record with what it took by the clock."""
    return {**record_of(fixture, game), "seconds": round(seconds, 3)}


class LocalPlayers(ExecutorPool[GameOrder, GameOutcome]):
    """Processes of this machine."""

    def __init__(self, workers: int) -> None:
        """workers: how many."""
        super().__init__(WorkerPool(workers), play_order, workers)

    def take(self, future: "Future[GameOutcome]", job: GameOrder) -> GameOutcome:
        """Return the outcome of a game; raises JobLost where the machine had no room for it."""
        try:
            return super().take(future, job)
        except RunnerError as error:
            raise JobLost(str(error)) from None


def cannot_play(order: GameOrder, losses: int, why: str) -> TournamentError:
    """Return the error for a game that was lost so often."""
    return TournamentError(
        f"game {order.fixture.number} of {order.fixture.black} - {order.fixture.white} cannot be"
        f" played: {why}; start the same command again, it goes on with the games left"
    )


@dataclass
class StagePlayed:
    """How a stage ended. missing: games not played, as the machine stayed busy. interrupted: whether by Ctrl-C."""

    missing: int = 0
    interrupted: bool = False


class GamesDisplay(Display):
    """Progress through a class's games, with the time left."""

    def __init__(self, what: str, forecast: TimeLeft) -> None:
        """Prepare the display; what: the games, for people."""
        super().__init__(patience=2.0, forecast=False)
        self._what, self._forecast = what, forecast

    def tell(self) -> None:
        """Show how far they have come."""
        done, total = self._forecast.done, self._forecast.done + self._forecast.left
        left = self._forecast.seconds(self.elapsed)
        about = "" if left is None or done == total else f", about {time_text(left)} left"
        self.show(f"{self._what}: {done:,} of {total:,}{about}", done, total)


def play_games(
    fixtures: Iterable[Fixture],
    kept: Iterable[Record],
    folder: GamesFolder,
    roster: Roster,
    terms: Terms,
    crew: Players,
    what: str,
    add: Callable[[Record], None],
    say: Callable[[str], None],
) -> StagePlayed:
    """Play games; each is kept in the folder and then handed to ``add``.

    kept: records of games that were played before, from which the time is forecast. roster: all players. say: prints a
    line. Raises TournamentError.
    """
    todo = list(fixtures)
    orders = (GameOrder(each, {name: roster[name] for name in each[:2]}, terms) for each in todo)
    forecast = TimeLeft(todo)
    for record in kept:
        forecast.learn((record["black"], record["white"]), record.get("seconds", 0.0))
    starved: list[GameOrder] = []
    result = StagePlayed()

    def keep(outcome: GameOutcome) -> None:
        if outcome.record is None:
            starved.append(outcome.order)
            return
        folder.add(outcome.record)
        add(outcome.record)
        forecast.game(outcome.order.fixture, outcome.seconds)

    with GamesDisplay(what, forecast) as display:
        try:
            for outcome in _outcomes(orders, crew, display.tell):
                keep(outcome)
                display.tell()
            if starved:
                display.hide()
                say(
                    f"{counted(len(starved), 'game')} to be played again when the machine is free: the clock ended them"
                    " while the agents waited for a core"
                )
            deadline = time.monotonic() + MOST_WAITING
            for order in list(starved):
                begun = time.monotonic()
                again = play_when_free(partial(play_fixture, order.fixture, order.roster, terms), deadline)
                if again is None:
                    result.missing += 1
                    continue
                seconds = time.monotonic() - begun
                record = {**timed_record(order.fixture, again, seconds), "again": True}
                keep(GameOutcome(order, record, seconds))
                display.tell()
        except KeyboardInterrupt:
            result.interrupted = True
    return result


def say_above(display: Display, say: Callable[[str], None]) -> Callable[[str], None]:
    """Return what prints a line above a display."""

    def hidden(line: str) -> None:
        display.hide()
        say(line)

    return hidden


def _outcomes(orders: Iterable[GameOrder], crew: Players, tick: Callable[[], None]) -> Iterator[GameOutcome]:
    """Yield what comes of the games, each once; raises TournamentError, and KeyboardInterrupt when all are ended."""
    try:
        for results in crew.rounds(orders):
            yield from (outcome for _, outcome in results)
            if not results:
                tick()
        crew.pool.settle()
    except BaseException:
        crew.pool.end()
        raise
