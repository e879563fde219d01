"""Play the games of a class, on this machine or by a cluster, and keep each as soon as it has ended.

    fixtures, kept games            crew: processes here, or workers of a cluster
    queue of games    -- order -->  one game
          ^                            |
          `-------- record ------------'   kept in games.jsonl

A game counts once, whoever sends it how often. What was in flight when a worker was lost is played again.
"""

import time
from collections import deque
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from concurrent.futures import FIRST_COMPLETED, Future, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple, Protocol

from arena.classroom.time_left import TimeLeft, time_text
from arena.match.play import Game, play_when_free
from arena.match.runner import RunnerError
from arena.standings.entrants import Terms
from arena.standings.tally import counted
from arena.standings.tournament import (
    MOST_WAITING,
    Fixture,
    GamesFolder,
    Record,
    Roster,
    TournamentError,
    interruptible,
    play_fixture,
    record_of,
    stop_workers,
)
from crew.workers import WorkerPool, serve_parent
from runtime.display import Display

#: Seconds between two looks at games that have ended.
_TICK = 0.5

#: So often a game is played again whose worker was lost, before the run gives up.
_MOST_LOSSES = 5


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


class PlayerLost(Exception):
    """The worker of a game was lost: it is to be played again."""


class ProgramsSent(PlayerLost):
    """A worker has got programs that it had not: the game is to be handed out again, which is nobody's loss."""


class Players(Protocol):
    """Those who play."""

    @property
    def slots(self) -> int:
        """How many games keep all busy."""

    def submit(self, order: GameOrder) -> "Future[GameOutcome | None]":
        """Hand out a game."""

    def take(self, future: "Future[GameOutcome | None]", order: GameOrder) -> GameOutcome:
        """Return what came of it; raises PlayerLost, TournamentError."""

    def settle(self) -> None:
        """Wait for what is still checked; raises TournamentError."""

    def stop(self, running: Collection["Future[GameOutcome | None]"]) -> None:
        """End the games at hand."""

    def close(self) -> None:
        """End the crew."""


def play_order(order: GameOrder, worker: str = "") -> GameOutcome:
    """Play a game."""
    begun = time.monotonic()
    game = play_fixture(order.fixture, order.roster, order.terms)
    seconds = time.monotonic() - begun
    return GameOutcome(order, None if game.starved else timed_record(order.fixture, game, seconds), seconds, worker)


def timed_record(fixture: Fixture, game: Game, seconds: float) -> Record:
    """Return a game's record with what it took by the clock."""
    return {**record_of(fixture, game), "seconds": round(seconds, 3)}


class LocalPlayers:
    """Processes of this machine. One that is lost is replaced."""

    def __init__(self, workers: int) -> None:
        """workers: how many."""
        self._workers = workers
        self._pool = WorkerPool(workers, serve_parent)

    @property
    def slots(self) -> int:
        """Return how many games keep all busy: the next one is there already."""
        return self._workers + 1

    def submit(self, order: GameOrder) -> "Future[GameOutcome | None]":
        """Hand out a game."""
        try:
            return self._pool.submit(_play_alone, order)
        except BrokenProcessPool:
            self._pool.shutdown(cancel_futures=True)
            self._pool = WorkerPool(self._workers, serve_parent)
            return self._pool.submit(_play_alone, order)

    def take(self, future: "Future[GameOutcome | None]", order: GameOrder) -> GameOutcome:
        """Return what came of a game; raises PlayerLost."""
        try:
            outcome = future.result()
        except (BrokenProcessPool, RunnerError) as error:
            raise PlayerLost(str(error) or "its process was killed") from None
        if outcome is None:
            raise KeyboardInterrupt
        return outcome

    def settle(self) -> None:
        """Do nothing: what this machine plays is not checked."""

    def stop(self, running: Collection["Future[GameOutcome | None]"]) -> None:
        """End the games at hand."""
        stop_workers(running)

    def close(self) -> None:
        """End the processes."""
        self._pool.shutdown(cancel_futures=True)


def _play_alone(order: GameOrder) -> GameOutcome | None:
    """Play a game in a process of its own; None where an interrupt ends it."""
    with suppress(KeyboardInterrupt), interruptible():
        return play_order(order)
    return None


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
    todo = deque(fixtures)
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
            for outcome in _outcomes(todo, roster, terms, crew, say_above(display, say), display.tell):
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


def _outcomes(
    todo: deque[Fixture],
    roster: Mapping[str, object],
    terms: Terms,
    crew: Players,
    say: Callable[[str], None],
    tick: Callable[[], None],
) -> Iterator[GameOutcome]:
    """Yield what comes of the games, each once; raises TournamentError, and KeyboardInterrupt when all are ended."""
    running: dict[Future[GameOutcome | None], GameOrder] = {}
    losses: dict[Fixture, int] = {}
    try:
        while todo or running:
            while todo and len(running) < crew.slots:
                fixture = todo.popleft()
                order = GameOrder(fixture, {name: roster[name] for name in fixture[:2]}, terms)  # type: ignore[misc]
                running[crew.submit(order)] = order
            done, _ = wait(running, timeout=_TICK, return_when=FIRST_COMPLETED)
            for future in done:
                order = running.pop(future)
                try:
                    yield crew.take(future, order)
                except ProgramsSent:
                    todo.appendleft(order.fixture)
                except PlayerLost as error:
                    losses[order.fixture] = losses.get(order.fixture, 0) + 1
                    if losses[order.fixture] > _MOST_LOSSES:
                        raise TournamentError(
                            f"game {order.fixture.number} of {order.fixture.black} - {order.fixture.white} cannot be"
                            f" played: {error}; start the same command again, it goes on with the games left"
                        ) from None
                    todo.appendleft(order.fixture)
            if not done:
                tick()
        crew.settle()
    except BaseException:
        crew.stop(running)
        raise
