"""Players on other machines, by dask.distributed.

    class --scheduler tcp://…          scheduler              machine
    order: a game, programs by digest  -- order -->  |  -- order -->  worker, with the archives that it has
            ^                                        |                  |
            `---- record, or the digests that it has not yet <----------'

An archive travels to a worker once, when the first game needs it. A worker runs programs in its own sandbox and sends
records back. What a lost worker was at, the scheduler gives to another. One game in fifty is played again by another
worker: where the agents have no chance of their own, both records must be the same.
"""

import os
import random
import tempfile
import threading
from collections.abc import Callable, Collection, Mapping
from concurrent.futures import FIRST_COMPLETED, Future, wait
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from distributed import Worker

from arena.classroom.submissions import AgentProgram, unpack
from arena.match.limits import RunnerError, SandboxError
from arena.match.runner import require_sandbox
from arena.standings.entrants import UnknownAgent
from arena.standings.series import GameOrder, GameOutcome, play_order
from arena.standings.tournament import Record, TournamentError, fault_of
from crew.jobs import JobLost, NotYet, Pool
from crew.scheduler import LOST, UNREACHED, Cluster, Place, place_of
from runtime.release import version

#: Seconds in which a record that is done must arrive.
_READING = 30.0

#: Seconds between two looks at how many workers there are.
_LOOK = 1.0

#: One game in so many is played again elsewhere.
_SAMPLE = 50

#: What is the same whenever a game is played again by agents without chance.
_OF_CHANCE = ("moves", "winner", "reason", "margin", "final")

#: What a future says whose game has ended.
_NOT_FETCHED: Any = None


class RemoteOrder(NamedTuple):
    """A game for a worker. programs: the digests of the players' programs, by name."""

    order: GameOrder
    programs: dict[str, str]


class Wanting(NamedTuple):
    """A worker's answer that it has not all programs yet."""

    digests: tuple[str, ...]


class GamesPlace(Place):
    """A worker's place: the programs that it has, unpacked."""

    name, error = "little-go-class", TournamentError

    def __init__(self, sandboxed: bool, release: str) -> None:
        """sandboxed: whether programs run in a sandbox. release: the version of the run's Little-Go."""
        self._sandboxed, self._release = sandboxed, release

    def prepare(self, worker: Worker) -> str:
        """Make a worker ready."""
        self._address = worker.address
        self._lock = threading.Lock()
        self._folder = tempfile.TemporaryDirectory(prefix="class-")
        # Programs that root runs in a sandbox are nobody's, and must get there.
        os.chmod(self._folder.name, 0o755)
        if version() != self._release:
            return f"{worker.address} has another version of Little-Go, {version()}"
        if self._sandboxed:
            try:
                require_sandbox()
            except SandboxError as error:
                return f"{worker.address}: {error}"
        return ""

    def teardown(self, worker: Worker) -> None:
        """Remove the programs."""
        self._folder.cleanup()

    def put(self, archives: Mapping[str, bytes]) -> None:
        """Take programs."""
        with self._lock:
            for digest, archive in archives.items():
                if not self._place(digest).is_dir():
                    unpack(archive, self._place(digest))

    def do(self, job: RemoteOrder) -> "GameOutcome | Wanting":
        """Play a game, or ask for programs; raises TournamentError where there is an obstacle."""
        wanting = tuple(digest for digest in job.programs.values() if not self._place(digest).is_dir())
        if wanting:
            return Wanting(wanting)
        order = job.order
        here = {
            name: entrant._replace(agent=str(self._place(job.programs[name]))) if name in job.programs else entrant
            for name, entrant in order.roster.items()
        }
        try:
            outcome = play_order(order._replace(roster=here), self._address)
        except (RunnerError, UnknownAgent, SandboxError) as error:
            raise TournamentError(f"{self._address} cannot play: {error}") from None
        return outcome._replace(order=order)

    def _place(self, digest: str) -> Path:
        return Path(self._folder.name, digest)


# Coroutines, as only those can be run without waiting for them.


async def _put(archives: Mapping[str, bytes], dask_worker: Worker) -> None:
    place_of(dask_worker, GamesPlace.name).put(archives)


@dataclass
class _Game:
    """A game in flight. remote: dask's future. first: what a game that is played again has come to elsewhere."""

    order: GameOrder
    remote: Any
    first: GameOutcome | None = None


@dataclass
class Rechecked:
    """The games that were played again elsewhere.

    by_chance: of agents that play with chance of their own. left_out: without a second worker, or a machine free for
    them.
    """

    agreed: int = 0
    by_chance: int = 0
    left_out: int = 0
    workers: set[str] = field(default_factory=set)

    def line(self) -> str:
        """Say what came of it."""
        if not self.agreed + self.by_chance + self.left_out:
            return f"{len(self.workers)} workers; no game was drawn to be played again elsewhere"
        parts = [f"{self.agreed:,} agreed"]
        if self.by_chance:
            parts.append(f"{self.by_chance:,} had agents with chance of their own")
        if self.left_out:
            parts.append(f"{self.left_out:,} could not be compared")
        total = self.agreed + self.by_chance + self.left_out
        return f"{len(self.workers)} workers; of {total:,} games drawn to be played again elsewhere {', '.join(parts)}"


class RemotePlayers(Pool[GameOrder, GameOutcome]):
    """The workers of a scheduler, as many as there are at the time; public attribute: ``sample``."""

    lost = ()

    def __init__(
        self,
        address: str,
        programs: Mapping[str, AgentProgram],
        identities: Mapping[str, str],
        sandboxed: bool,
        say: Callable[[str], None],
        share: int = _SAMPLE,
    ) -> None:
        """Connect, and make all workers ready, also those that come later.

        address: such as tcp://192.0.2.1:8786. programs: by the players' names. identities: of all agents, as they are
        here. say: prints a line. share: one game in so many is played again elsewhere. Raises TournamentError.
        """
        self._cluster = Cluster(address, GamesPlace(sandboxed, version()))
        self._client = self._cluster.client
        self._programs, self._identities, self._share = programs, identities, share
        self._by_digest = {program.digest: program for program in programs.values()}
        # Not by the run's seed, which the workers may know.
        self._random = random.SystemRandom()
        self._games: dict[Future[GameOutcome], _Game] = {}
        self._say = say
        self._again: dict[Future[GameOutcome], GameOutcome] = {}
        self._number = 0
        self.sample = Rechecked()

    @property
    def slots(self) -> int:
        """Return how many games keep all workers busy: the next ones are there already. Raises TournamentError."""
        for future in [each for each in self._again if each.done()]:
            self._compare(future)
        return max(1, self._cluster.slots - len(self._again))

    def settle(self, hurried: bool = False) -> None:
        """Wait for the games that are played again; raises TournamentError."""
        while self._again:
            done, _ = wait(self._again, timeout=_LOOK, return_when=FIRST_COMPLETED)
            for future in done:
                self._compare(future)

    def submit(self, job: GameOrder) -> "Future[GameOutcome]":
        """Hand a game to the scheduler."""
        future: Future[GameOutcome] = Future()
        self._send(future, _Game(job, None))
        return future

    def _send(self, future: "Future[GameOutcome]", game: _Game, worker: str | None = None) -> None:
        """Send a game out. worker: who is to play it."""
        digests = {name: self._programs[name].digest for name in game.order.roster if name in self._programs}
        self._number += 1
        key = f"game-{os.getpid()}-{self._number}"
        given: dict[str, Any] = {} if worker is None else {"workers": [worker], "allow_other_workers": False}
        try:
            game.remote = self._cluster.submit(RemoteOrder(game.order, digests), key, **given)
        except (RuntimeError, OSError) as error:
            raise TournamentError(f"the scheduler is lost: {error}; start the same command again") from None
        self._games[future] = game
        game.remote.add_done_callback(lambda _: self._arrived(future))

    def _arrived(self, future: "Future[GameOutcome]") -> None:
        if not future.done():
            with suppress(Exception):
                future.set_result(_NOT_FETCHED)

    def take(self, future: "Future[GameOutcome]", job: GameOrder) -> GameOutcome:
        """Return a game's record, checked; raises JobLost, NotYet, TournamentError for a worker not to believe."""
        game = self._games.pop(future)
        try:
            holders = sorted(self._client.who_has([game.remote])[game.remote.key])
            found = game.remote.result(timeout=_READING)
        except TournamentError:
            raise
        except (*LOST, OSError, KeyError, TimeoutError):
            raise JobLost("its worker was lost") from None
        except Exception as error:
            raise TournamentError(f"a worker sends what cannot be read: {error!r}") from None
        if isinstance(found, Wanting):
            self._provide(found, holders)
            raise NotYet
        worker = holders[0] if holders else ""
        outcome = self._checked(found, job, worker)
        if game.first is None and outcome.record is not None and self._random.randrange(self._share) == 0:
            self._send_elsewhere(outcome)
        return outcome

    def _provide(self, wanting: Wanting, workers: Collection[str]) -> None:
        archives = {each: self._by_digest[each].archive for each in wanting.digests if each in self._by_digest}
        with suppress(*UNREACHED, KeyError, ValueError):
            self._client.run(_put, archives, workers=list(workers), on_error="ignore")

    def _checked(self, outcome: object, order: GameOrder, worker: str) -> GameOutcome:
        """Return what a worker has sent, if it is the record of the game that it was given; raises TournamentError."""
        if not isinstance(outcome, GameOutcome) or not isinstance(outcome.seconds, float):
            raise TournamentError(f"{worker} sent no record: take the worker away")
        record, fixture = outcome.record, order.fixture
        if record is None:
            return GameOutcome(order, None, outcome.seconds, worker)
        fault = fault_of(record)
        if not fault and (record["black"], record["white"], record["number"], record["seed"]) != fixture:
            fault = "it is the record of another game"
        if not fault and record.get("identities") != [self._identities[name] for name in fixture[:2]]:
            fault = "its agents are others: the worker's Python or programs are not those of this machine"
        if fault:
            raise TournamentError(f"{worker} sent game {fixture.number} of {fixture.black} - {fixture.white}: {fault}")
        self.sample.workers.add(worker)
        return GameOutcome(order, record, outcome.seconds, worker)

    def _send_elsewhere(self, first: GameOutcome) -> None:
        """Have a game played again by another worker."""
        others: list[str] = []
        with suppress(*UNREACHED):
            others = [worker for worker in self._client.nthreads() if worker != first.worker]
        if not others:
            self.sample.left_out += 1
            return
        future: Future[GameOutcome] = Future()
        self._again[future] = first
        self._send(future, _Game(first.order, None, first), self._random.choice(others))

    def _compare(self, future: "Future[GameOutcome]") -> None:
        """Compare a game that was played again with its first record; raises TournamentError."""
        first = self._again.pop(future)
        try:
            there = self.take(future, first.order)
        except NotYet:
            self._send_elsewhere(first)
        except JobLost:
            self.sample.left_out += 1
        else:
            if _alike(first, there):
                self.sample.agreed += 1
            else:
                self._find_who_is_wrong(first, there)

    def _find_who_is_wrong(self, first: GameOutcome, there: GameOutcome) -> None:
        """Play a game twice here: agents that then play alike have no chance, so that who differs is wrong."""
        here = [play_order(first.order), play_order(first.order)]
        if any(each.record is None for each in here):
            # What a busy machine has spoilt is alike to everything, and proves nothing.
            self.sample.left_out += 1
            return
        if not _alike(*here) or not (_alike(here[0], first) or _alike(here[0], there)):
            self.sample.by_chance += 1
            return
        wrong = there.worker if _alike(here[0], first) else first.worker
        fixture = first.order.fixture
        raise TournamentError(
            f"{wrong} played game {fixture.number} of {fixture.black} - {fixture.white} otherwise than another worker"
            " and this machine: take the worker away, and start again with another --out"
        )

    def end(self) -> None:
        """Give up the games at hand; workers finish theirs for nobody."""
        with suppress(*UNREACHED):
            self._client.cancel([game.remote for game in self._games.values()])

    def close(self, wait: bool) -> None:
        """Leave the scheduler."""
        if self.sample.workers:
            self._say(self.sample.line())
        self._cluster.leave()


def _alike(one: GameOutcome, other: GameOutcome) -> bool:
    """Return whether two records tell of the same game; one that a busy machine spoilt tells nothing."""
    if one.record is None or other.record is None:
        return True
    return _told(one.record) == _told(other.record)


def _told(record: Record) -> list[Any]:
    return [record[key] for key in _OF_CHANCE]
