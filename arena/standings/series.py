"""A series of games of a tournament, a grading or a class, in one or several stages.

    fixtures, kept games            crew: this process, processes here, or workers of a cluster
    queue of games    -- order -->  one game
          ^                            |
          `-------- record ------------'   kept in games.jsonl

If workers send the record of a game twice, it counts once. If a worker is lost, its game is played again. If the clock
ended a game because the machine was busy, the game is played again when the machine is free.
"""

import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Executor, Future
from dataclasses import dataclass, field
from functools import partial
from typing import Any, NamedTuple, Protocol, TypeAlias

from little_go.arena.match.limits import RunnerError
from little_go.arena.match.play import MOST_WAITING, Game, play_when_free
from little_go.arena.standings.entrants import Terms
from little_go.arena.standings.tally import count_text
from little_go.arena.standings.tournament import (
    Fixture,
    GamesFolder,
    Record,
    Roster,
    TournamentError,
    play_fixture,
    record_of,
)
from little_go.crew.jobs import Crew, ExecutorPool, JobLost
from little_go.crew.workers import WorkerPool

#: The message about games in which an agent did not answer because of this machine.
STARVED = "to be played again when the machine is free: it was busy or had a fault, which cost an agent its answer"


class GameOrder(NamedTuple):
    """An order to play a game."""

    fixture: Fixture
    roster: Roster  # the two players, by name
    terms: Terms


class GameOutcome(NamedTuple):
    """The result of a game."""

    order: GameOrder
    record: Record | None  # None if the game does not count, because the machine was busy or had a fault
    seconds: float  # by the clock
    worker: str = ""  # the worker that played the game, "" for this machine


Players: TypeAlias = Crew[GameOrder, GameOutcome]


def play_order(order: GameOrder, worker: str = "") -> GameOutcome:
    """Play a game and return its outcome. worker: its name for the outcome."""
    begun = time.monotonic()
    game = play_fixture(*order)
    seconds = time.monotonic() - begun
    record = None if game.cpu_starved or game.machine_fault else timed_record(order.fixture, game, seconds)
    return GameOutcome(order, record, seconds, worker)


def timed_record(fixture: Fixture, game: Game, seconds: float) -> Record:
    """Return a game's record with its seconds by the clock."""
    return {**record_of(fixture, game), "seconds": round(seconds, 3)}


class _Here(Executor):
    """An executor that runs each job in this process, during the call of submit()."""

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> "Future[Any]":
        future: Future[Any] = Future()
        try:
            future.set_result(fn(*args, **kwargs))
        except Exception as error:
            future.set_exception(error)
        return future


class LocalPlayers(ExecutorPool[GameOrder, GameOutcome]):
    """A pool that plays games in processes of this machine, or in this process."""

    def __init__(self, workers: int, here: bool = False) -> None:
        """Start the workers. here: whether this process plays the games one after the other, without workers."""
        super().__init__(_Here() if here else WorkerPool(workers), play_order, workers)
        self._here = here

    @property
    def slots(self) -> int:
        """The number of games that keep the workers busy."""
        return 1 if self._here else super().slots

    def result_of(self, future: "Future[GameOutcome]", job: GameOrder) -> GameOutcome:
        """Return the outcome of a game; raises JobLost if the machine could not run a program for it."""
        try:
            return super().result_of(future, job)
        except RunnerError as error:
            raise JobLost(str(error)) from None


def cannot_play(order: GameOrder, losses: int, why: str) -> TournamentError:
    """Return the error for a game that was lost too often."""
    return TournamentError(
        f"game {order.fixture.number} of {order.fixture.black} - {order.fixture.white} cannot be"
        f" played: {why}; start the same command again, which plays the games that are left"
    )


class SeriesDisplay(Protocol):
    """Shows the progress of a series."""

    def hide(self) -> None:
        """Clear the progress, so that another line can be printed."""

    def tick(self) -> None:
        """Update the displayed time."""

    def game(self, outcome: GameOutcome) -> None:
        """Show that a game was played and kept."""


@dataclass
class GameSeries:
    """The games of a run."""

    roster: Roster
    identities: Mapping[str, str]  # digests of all agents, by name
    terms: Terms
    folder: GamesFolder | None  # keeps the games; None if nothing is kept
    say: Callable[[str], None]  # prints a line
    #: The records of all games that count; games that were already in the folder come first.
    records: list[Record] = field(default_factory=list)
    #: For each kept game of changed agents, the names of these agents.
    changed_agents: list[set[str]] = field(default_factory=list)
    spoilt: int = 0  # number of games that were not played, because the machine stayed busy or had another fault
    machine_fault: str = ""  # a clause on the other fault, or ""
    interrupted: bool = False  # whether Ctrl-C ended the series

    def take_kept(self, fixtures: Sequence[Fixture]) -> list[Fixture]:
        """Add the kept records of the games, and return the games that are left; raises TournamentError.

        A kept game does not count if one of its agents has changed since, but it is not played again.
        """
        if self.folder is None:
            return list(fixtures)
        played, changed = self.folder.played(fixtures, self.identities, self.terms.game)
        self.records += played.values()
        self.changed_agents += changed.values()
        return [fixture for fixture in fixtures if fixture.key not in played.keys() | changed.keys()]

    def play(self, fixtures: Iterable[Fixture], crew: Players, display: SeriesDisplay) -> None:
        """Play games until Ctrl-C. Store and show each game.

        Games in which the machine cost an agent its answer are played again at the end. Raises TournamentError, and the
        errors of the crew.
        """
        orders = (GameOrder(each, {name: self.roster[name] for name in each[:2]}, self.terms) for each in fixtures)
        cpu_starved: list[GameOrder] = []
        try:
            for outcome in _outcomes(orders, crew, display.tick):
                if outcome.record is None:
                    cpu_starved.append(outcome.order)
                else:
                    self._keep(outcome, outcome.record, display)
            self._play_again(cpu_starved, display)
        except KeyboardInterrupt:
            self.interrupted = True

    def _play_again(self, cpu_starved: Sequence[GameOrder], display: SeriesDisplay) -> None:
        if not cpu_starved:
            return
        display.hide()
        self.say(f"{count_text(len(cpu_starved), 'game')} {STARVED}")
        deadline = time.monotonic() + MOST_WAITING
        for order in cpu_starved:
            begun = time.monotonic()
            game = play_when_free(partial(play_fixture, *order), Game.is_cpu_starved, deadline)
            if game is None or game.machine_fault:
                self.spoilt += 1
                self.machine_fault = game.machine_fault if game else ""
                continue
            seconds = time.monotonic() - begun
            record = {**timed_record(order.fixture, game, seconds), "again": True}
            self._keep(GameOutcome(order, record, seconds), record, display)

    def _keep(self, outcome: GameOutcome, record: Record, display: SeriesDisplay) -> None:
        """Store a game; raises TournamentError if an agent has changed meanwhile."""
        if self.folder:
            self.folder.add(record)
        for name, identity in zip((record["black"], record["white"]), record["identities"], strict=True):
            if identity != self.identities[name]:
                raise TournamentError(f"{name!r} has changed since its first game: give the same command again")
        self.records.append(record)
        display.game(outcome)

    def missing(self) -> str:
        """Return a sentence on why games of a series that was not interrupted are missing, or ""."""
        busy = "the machine stays busy, and the clock would end them: give the same command when it is free"
        why = f"{self.machine_fault}: give the same command when that has ended" if self.machine_fault else busy
        return f"{count_text(self.spoilt, 'game')} not played: {why}" if self.spoilt else ""


def _outcomes(orders: Iterable[GameOrder], crew: Players, tick: Callable[[], None]) -> Iterator[GameOutcome]:
    """Yield the outcome of each game once.

    Raises TournamentError, and KeyboardInterrupt after all games have been ended. tick: a function that is called
    regularly until a game ends.
    """
    try:
        for results in crew.rounds(orders):
            yield from (outcome for _, outcome in results)
            if not results:
                tick()
    except BaseException:
        crew.pool.end()
        raise
