"""A series of games of a tournament, a grading or a class, in one or several stages.

    fixtures, kept games            crew: this process, processes here, or workers of a cluster
    queue of games    -- order -->  one game
          ^                            |
          `-------- record ------------'   kept in games.jsonl

A game counts once, however often workers send it. A game of a lost worker is played again; so is one that the clock
ended on a busy machine, when the machine is free.
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

#: Message about games that the clock ended because other work took the cores, or that another fault spoilt.
STARVED = "to be played again when the machine is free: it was busy or had a fault, which cost an agent its answer"


class GameOrder(NamedTuple):
    """A game to play."""

    fixture: Fixture
    roster: Roster  # its players, by name
    terms: Terms


class GameOutcome(NamedTuple):
    """The result of a game."""

    order: GameOrder
    record: Record | None  # None: the machine spoilt it, such as by ending it by the clock while it was busy
    seconds: float  # by the clock
    worker: str = ""  # that played it, "" for this machine


Players: TypeAlias = Crew[GameOrder, GameOutcome]


def play_order(order: GameOrder, worker: str = "") -> GameOutcome:
    """Play a game."""
    begun = time.monotonic()
    game = play_fixture(*order)
    seconds = time.monotonic() - begun
    record = None if game.cpu_starved or game.machine_fault else timed_record(order.fixture, game, seconds)
    return GameOutcome(order, record, seconds, worker)


def timed_record(fixture: Fixture, game: Game, seconds: float) -> Record:
    """Return a game's record with its seconds by the clock."""
    return {**record_of(fixture, game), "seconds": round(seconds, 3)}


class _Here(Executor):
    """An executor that does each job at once, in this process."""

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> "Future[Any]":
        future: Future[Any] = Future()
        try:
            future.set_result(fn(*args, **kwargs))
        except Exception as error:
            future.set_exception(error)
        return future


class LocalPlayers(ExecutorPool[GameOrder, GameOutcome]):
    """Processes of this machine, or this process."""

    def __init__(self, workers: int, here: bool = False) -> None:
        """Start the workers. here: whether this process plays, one game after the other."""
        super().__init__(_Here() if here else WorkerPool(workers), play_order, workers)
        self._here = here

    @property
    def slots(self) -> int:
        """The number of games that keep the workers busy."""
        return 1 if self._here else super().slots

    def result_of(self, future: "Future[GameOutcome]", job: GameOrder) -> GameOutcome:
        """Return the outcome of a game; raises JobLost where the machine had no room for it."""
        try:
            return super().result_of(future, job)
        except RunnerError as error:
            raise JobLost(str(error)) from None


def cannot_play(order: GameOrder, losses: int, why: str) -> TournamentError:
    """Return the error for a game that was lost too often."""
    return TournamentError(
        f"game {order.fixture.number} of {order.fixture.black} - {order.fixture.white} cannot be"
        f" played: {why}; start the same command again, it goes on with the games left"
    )


class SeriesDisplay(Protocol):
    """Shows the progress of a series."""

    def hide(self) -> None:
        """Clear the line, so that others can be printed."""

    def tick(self) -> None:
        """Show that time passes."""

    def game(self, outcome: GameOutcome) -> None:
        """Show a game that was played and kept."""


@dataclass
class GameSeries:
    """The games of a run."""

    roster: Roster
    identities: Mapping[str, str]  # of all agents, by name
    terms: Terms
    folder: GamesFolder | None  # keeps the games
    say: Callable[[str], None]  # prints a line
    records: list[Record] = field(default_factory=list)  # of all counting games, those found in the folder first
    of_others: list[set[str]] = field(default_factory=list)  # for each found game of other agents, their names
    spoilt: int = 0  # games not played, since the machine stayed busy or had another fault
    machine_fault: str = ""  # a clause on that other fault
    interrupted: bool = False  # by Ctrl-C

    def take_kept(self, fixtures: Sequence[Fixture]) -> list[Fixture]:
        """Add the folder's records of the games, and return the remaining games; raises TournamentError.

        Games of other agents with the same names do not count, and are not played again.
        """
        if self.folder is None:
            return list(fixtures)
        played, of_others = self.folder.played(fixtures, self.identities, self.terms.game)
        self.records += played.values()
        self.of_others += of_others.values()
        return [fixture for fixture in fixtures if fixture.key not in played.keys() | of_others.keys()]

    def play(self, fixtures: Iterable[Fixture], crew: Players, display: SeriesDisplay) -> None:
        """Play games, and keep and show each, those of a busy machine last; until Ctrl-C.

        Raises TournamentError, and the crew's errors.
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
        """Keep a game; raises TournamentError when an agent was changed meanwhile."""
        if self.folder:
            self.folder.add(record)
        for name, identity in zip((record["black"], record["white"]), record["identities"], strict=True):
            if identity != self.identities[name]:
                raise TournamentError(f"{name!r} has changed since its first game: give the same command again")
        self.records.append(record)
        display.game(outcome)

    def missing(self) -> str:
        """Describe why games are missing from an uninterrupted series, "" where none is."""
        busy = "the machine stays busy, and the clock would end them: give the same command when it is free"
        why = f"{self.machine_fault}: give the same command when that has ended" if self.machine_fault else busy
        return f"{count_text(self.spoilt, 'game')} not played: {why}" if self.spoilt else ""


def _outcomes(orders: Iterable[GameOrder], crew: Players, tick: Callable[[], None]) -> Iterator[GameOutcome]:
    """Yield each game's outcome once; raises TournamentError, and KeyboardInterrupt after ending all games."""
    try:
        for results in crew.rounds(orders):
            yield from (outcome for _, outcome in results)
            if not results:
                tick()
    except BaseException:
        crew.pool.end()
        raise
