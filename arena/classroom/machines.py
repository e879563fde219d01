"""Workers on other machines, which play games through dask.distributed.

    class --scheduler tcp://…          scheduler              machine
    order: a game, programs by digest  -- order -->  |  -- order -->  worker, with the archives that it has
            ^                                        |                  |
            `---- record, or the digests that it does not have <--------'

A worker receives the archive of a program once, before the program's first game on this worker. The worker runs the
programs in its own sandbox, and returns the records of the games. If a worker is lost, the scheduler gives its games to
another worker. If a record contradicts the rules, or is about another game or other agents, the run ends with a message
that contains the worker's address.
"""

import os
import tempfile
import threading
from collections.abc import Collection, Mapping
from concurrent.futures import Future
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

from distributed import Worker

from little_go.arena.classroom.submissions import AgentProgram, unpack
from little_go.arena.match.limits import RunnerError, SandboxError
from little_go.arena.match.programs import require_sandbox
from little_go.arena.standings.entrants import UnknownAgent
from little_go.arena.standings.series import GameOrder, GameOutcome, play_order
from little_go.arena.standings.tournament import TournamentError, fault_of
from little_go.crew.jobs import JobLost, NotYet, Pool
from little_go.crew.scheduler import LOST, UNREACHED, Cluster, WorkerContext, context_of
from little_go.runtime.release import version

#: Maximum seconds for fetching the record of a finished game.
_READING = 30.0

#: The placeholder result of a future whose game has ended. result_of() then fetches the record.
_NOT_FETCHED: Any = None


#: The order of a game, and the digests of the players' programs by player name.
RemoteOrder: TypeAlias = tuple[GameOrder, dict[str, str]]


class MissingPrograms(NamedTuple):
    """The answer of a worker that lacks the programs with these digests."""

    digests: tuple[str, ...]


class GamesPlace(WorkerContext):
    """The unpacked programs on a worker."""

    name, error = "little-go-class", TournamentError

    def __init__(self, sandboxed: bool, release: str) -> None:
        """Store the settings. sandboxed: whether programs run in a sandbox. release: the run's version of Little-Go."""
        self._sandboxed, self._release = sandboxed, release

    def prepare(self, worker: Worker) -> str:
        """Prepare a worker; return a message if it cannot be used, else ""."""
        self._address = worker.address
        self._lock = threading.Lock()
        self._folder = tempfile.TemporaryDirectory(prefix="class-")
        # If the worker runs as root, programs run as another user, who must be able to read the folder.
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
        """Remove the unpacked programs."""
        self._folder.cleanup()

    def put(self, archives: Mapping[str, bytes]) -> None:
        """Unpack programs. archives: the programs' archives by digest."""
        with self._lock:
            for digest, archive in archives.items():
                if not self._place(digest).is_dir():
                    unpack(archive, self._place(digest))

    def do(self, job: RemoteOrder) -> "GameOutcome | MissingPrograms":
        """Play a game, or return the digests of missing programs.

        Raise TournamentError if the sandbox or a program cannot be used.
        """
        order, programs = job
        missing = tuple(digest for digest in programs.values() if not self._place(digest).is_dir())
        if missing:
            return MissingPrograms(missing)
        here = {
            name: entrant._replace(agent=str(self._place(programs[name]))) if name in programs else entrant
            for name, entrant in order.roster.items()
        }
        try:
            outcome = play_order(order._replace(roster=here), self._address)
        except (RunnerError, UnknownAgent, SandboxError) as error:
            raise TournamentError(f"{self._address} cannot play: {error}") from None
        return outcome._replace(order=order)

    def _place(self, digest: str) -> Path:
        return Path(self._folder.name, digest)


# _put() is a coroutine, because Dask runs a coroutine immediately, even if the worker is playing a game.


async def _put(archives: Mapping[str, bytes], dask_worker: Worker) -> None:
    context_of(dask_worker, GamesPlace.name).put(archives)


class RemotePlayers(Pool[GameOrder, GameOutcome]):
    """The workers of a scheduler; their number may change during the run."""

    lost = ()

    def __init__(
        self, address: str, programs: Mapping[str, AgentProgram], identities: Mapping[str, str], sandboxed: bool
    ) -> None:
        """Connect to the scheduler, and prepare all workers, including workers that join later.

        address: such as tcp://192.0.2.1:8786. programs: the programs by player name. identities: the digests of all
        agents as computed on this machine.
        """
        self._cluster = Cluster(address, GamesPlace(sandboxed, version()))
        self._client = self._cluster.client
        self._programs, self._identities = programs, identities
        self._by_digest = {program.digest: program for program in programs.values()}
        #: Dask's future for each future that submit() has returned.
        self._remote: dict[Future[GameOutcome], Any] = {}
        self._number = 0

    @property
    def slots(self) -> int:
        """The number of games that keep all workers busy."""
        return self._cluster.slots

    def submit(self, job: GameOrder) -> "Future[GameOutcome]":
        """Submit a game to the scheduler, or raise TournamentError if the scheduler is lost."""
        digests = {name: self._programs[name].digest for name in job.roster if name in self._programs}
        self._number += 1
        try:
            remote = self._cluster.submit((job, digests), f"game-{os.getpid()}-{self._number}")
        except (RuntimeError, OSError) as error:
            raise TournamentError(f"the scheduler is lost: {error}; start the same command again") from None
        future: Future[GameOutcome] = Future()
        self._remote[future] = remote
        remote.add_done_callback(lambda _: self._arrived(future))
        return future

    def _arrived(self, future: "Future[GameOutcome]") -> None:
        if not future.done():
            with suppress(Exception):
                future.set_result(_NOT_FETCHED)

    def result_of(self, future: "Future[GameOutcome]", job: GameOrder) -> GameOutcome:
        """Return the outcome of a game, after checking its record.

        Raise JobLost if the worker was lost, NotYet if the worker needs programs first, and TournamentError if the
        record is wrong.
        """
        remote = self._remote.pop(future)
        try:
            holders = sorted(self._client.who_has([remote])[remote.key])
            found = remote.result(timeout=_READING)
        except TournamentError:
            raise
        except (*LOST, OSError, KeyError, TimeoutError):
            raise JobLost("its worker was lost") from None
        except Exception as error:
            raise TournamentError(f"a worker sends a record that cannot be read: {error!r}") from None
        if isinstance(found, MissingPrograms):
            self._provide(found, holders)
            raise NotYet
        return self._checked(found, job, holders[0] if holders else "")

    def _provide(self, missing: MissingPrograms, workers: Collection[str]) -> None:
        archives = {each: self._by_digest[each].archive for each in missing.digests if each in self._by_digest}
        with suppress(*UNREACHED, KeyError, ValueError):
            self._client.run(_put, archives, workers=list(workers), on_error="ignore")

    def _checked(self, outcome: object, order: GameOrder, worker: str) -> GameOutcome:
        """Return a worker's outcome, or raise TournamentError if its record is not about the ordered game."""
        if not isinstance(outcome, GameOutcome) or not isinstance(outcome.seconds, float):
            raise TournamentError(f"{worker} sent something that is not a record: remove the worker")
        record, fixture = outcome.record, order.fixture
        if record is None:
            return GameOutcome(order, None, outcome.seconds, worker)
        fault = fault_of(record)
        if not fault and (record["black"], record["white"], record["number"], record["seed"]) != fixture:
            fault = "it is the record of another game"
        if not fault and record.get("identities") != [self._identities[name] for name in fixture[:2]]:
            fault = "its agents differ: the worker's Python or programs are not those of this machine"
        if fault:
            raise TournamentError(f"{worker} sent game {fixture.number} of {fixture.black} - {fixture.white}: {fault}")
        return GameOutcome(order, record, outcome.seconds, worker)

    def end(self) -> None:
        """Cancel the current games. If a worker still finishes its game, the record does not count."""
        with suppress(*UNREACHED):
            self._client.cancel([*self._remote.values()])

    def close(self, wait: bool) -> None:
        """Disconnect from the scheduler."""
        self._cluster.leave()
