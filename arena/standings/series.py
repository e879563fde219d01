"""Play a series of games of a tournament, a grading or a class, in one or several stages.

    fixtures, kept games            crew: this process, processes here, or workers of a cluster
    queue of games    -- order -->  one game
          ^                            |
          `-------- record ------------'   kept in games.jsonl

If workers send the record of a game twice, the game counts once. If a worker is lost, its game is played again. If a
program exceeded its wall-clock limit because the machine was busy, the game is played again when the machine is free.
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

#: The end of the message about games in which an agent did not answer because of this machine.
STARVED = "to be played again when the machine is free: it was busy or had a fault, so an agent did not answer"


class GameOrder(NamedTuple):
    """An order to play a game."""

    fixture: Fixture
    roster: Roster  # the two entrants, by name
    terms: Terms


class GameOutcome(NamedTuple):
    """The outcome of an order to play a game."""

    order: GameOrder
    record: Record | None  # None if the machine was busy or had a fault, so the game does not count
    seconds: float  # wall-clock seconds
    worker: str = ""  # the name of the worker that played the game, or "" for this machine


Players: TypeAlias = Crew[GameOrder, GameOutcome]


def play_order(order: GameOrder, worker: str = "") -> GameOutcome:
    """Play a game, and return its outcome. worker: the name of the worker that plays the game."""
    begun = time.monotonic()
    game = play_fixture(*order)
    seconds = time.monotonic() - begun
    record = None if game.cpu_starved or game.machine_fault else timed_record(order.fixture, game, seconds)
    return GameOutcome(order, record, seconds, worker)


def timed_record(fixture: Fixture, game: Game, seconds: float) -> Record:
    """Return the record of a game. seconds: the wall-clock time that the game took."""
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
        """Start the workers. here: whether this process plays all games one after the other, without workers."""
        super().__init__(_Here() if here else WorkerPool(workers), play_order, workers)
        self._here = here

    @property
    def slots(self) -> int:
        """The number of games that are played at the same time."""
        return 1 if self._here else super().slots

    def result_of(self, future: "Future[GameOutcome]", job: GameOrder) -> GameOutcome:
        """Return the outcome of a game. Raise JobLost if the machine could not run a program."""
        try:
            return super().result_of(future, job)
        except RunnerError as error:
            raise JobLost(str(error)) from None


def cannot_play(order: GameOrder, losses: int, why: str) -> TournamentError:
    """Return the error for a game that was lost so often that it is not tried again."""
    return TournamentError(
        f"game {order.fixture.number} of {order.fixture.black} - {order.fixture.white} cannot be"
        f" played: {why}; start the same command again, which plays the games that are left"
    )


class SeriesDisplay(Protocol):
    """A display that shows the progress of a series of games."""

    def hide(self) -> None:
        """Clear the display, so that another line can be printed."""

    def tick(self) -> None:
        """Update the time on the display."""

    def game(self, outcome: GameOutcome) -> None:
        """Show that a game was played and stored."""


@dataclass
class GameSeries:
    """The games of a run, and the state of the run."""

    roster: Roster
    identities: Mapping[str, str]  # maps each agent's name to the agent's digest
    terms: Terms
    folder: GamesFolder | None  # stores the games, or None if nothing is stored
    say: Callable[[str], None]  # prints a line
    #: The records of all games that count. Games that were already in the folder come first.
    records: list[Record] = field(default_factory=list)
    #: For each stored game that does not count because agents have changed, the names of these agents.
    changed_agents: list[set[str]] = field(default_factory=list)
    spoilt: int = 0  # number of games that are missing because the machine stayed busy or had another fault
    machine_fault: str = ""  # a clause on the other fault, or ""
    interrupted: bool = False  # whether Ctrl-C ended the series

    def take_kept(self, fixtures: Sequence[Fixture]) -> list[Fixture]:
        """Add the stored records of the games, and return the games that are not stored.

        If an agent has changed since a stored game, the game does not count, but it is not played again either.
        """
        if self.folder is None:
            return list(fixtures)
        played, changed = self.folder.played(fixtures, self.identities, self.terms.game)
        self.records += played.values()
        self.changed_agents += changed.values()
        return [fixture for fixture in fixtures if fixture.key not in played.keys() | changed.keys()]

    def play(self, fixtures: Iterable[Fixture], crew: Players, display: SeriesDisplay) -> None:
        """Play the games, and store and show each game. Ctrl-C ends the series.

        Games in which an agent did not answer because of the machine are played again at the end. Raise TournamentError
        if a game cannot be played or stored.
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
        """Store a game. Raise TournamentError if an agent has changed since its first game."""
        if self.folder:
            self.folder.add(record)
        for name, identity in zip((record["black"], record["white"]), record["identities"], strict=True):
            if identity != self.identities[name]:
                raise TournamentError(f"{name!r} has changed since its first game: give the same command again")
        self.records.append(record)
        display.game(outcome)

    def missing(self) -> str:
        """Return a sentence that explains why games are missing although the series was not interrupted, or ""."""
        busy = "the machine stays busy, so programs get too little time: give the same command when it is free"
        why = f"{self.machine_fault}: give the same command when this problem is solved" if self.machine_fault else busy
        return f"{count_text(self.spoilt, 'game')} not played: {why}" if self.spoilt else ""


def _outcomes(orders: Iterable[GameOrder], crew: Players, tick: Callable[[], None]) -> Iterator[GameOutcome]:
    """Yield the outcome of each game.

    If an exception occurs, such as KeyboardInterrupt, end all running games before it is raised again. tick: a function
    that is called regularly while no game has ended.
    """
    try:
        for results in crew.rounds(orders):
            yield from (outcome for _, outcome in results)
            if not results:
                tick()
    except BaseException:
        crew.pool.end()
        raise
