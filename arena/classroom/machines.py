"""Players on other machines, by dask.distributed.

    class --scheduler tcp://…          scheduler              machine
    order: a game, programs by digest  -- order -->  |  -- order -->  worker, with the archives that it has
            ^                                        |                  |
            `---- record, or the digests that it has not yet <----------'

An archive travels to a worker once, when the first game needs it. A worker runs programs in its own sandbox and returns
records. The scheduler gives a lost worker's games to another. One game in fifty is repeated by another worker. If the
two differ, both repeat it, and so does this machine, twice. Only a difference that cannot be chance accuses a worker: a
record against the rules, of another game or of other agents, or a move that a built-in agent does not play. A program
may depend on the machine, so other differences are only counted.
"""

import os
import random
import tempfile
import threading
from collections import Counter
from collections.abc import Callable, Collection, Mapping
from concurrent.futures import FIRST_COMPLETED, Future, wait
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

from distributed import Worker

from arena.classroom.submissions import AgentProgram, unpack
from arena.match.host import states_of
from arena.match.limits import RunnerError, SandboxError
from arena.match.programs import require_sandbox
from arena.standings.entrants import BUILT_IN, UnknownAgent, open_contestant
from arena.standings.series import GameOrder, GameOutcome, play_order
from arena.standings.tally import SIDES
from arena.standings.tournament import Fixture, Record, TournamentError, fault_of
from crew.jobs import JobLost, NotYet, Pool
from crew.scheduler import LOST, UNREACHED, Cluster, WorkerContext, context_of
from runtime.release import version

#: Seconds in which a finished record must arrive.
_READING = 30.0

#: Seconds between two checks of repeated games.
_LOOK = 1.0

#: One game in this many is repeated elsewhere.
_SAMPLE = 50

#: Keys that are equal whenever agents without random numbers repeat a game.
_OF_CHANCE = ("moves", "winner", "reason", "margin", "final")

#: A future's result when its game has ended.
_NOT_FETCHED: Any = None


#: A game for a worker, and the digests of the players' programs, by name.
RemoteOrder: TypeAlias = tuple[GameOrder, dict[str, str]]


class MissingPrograms(NamedTuple):
    """A worker's answer that it lacks programs."""

    digests: tuple[str, ...]


class GamesPlace(WorkerContext):
    """A worker's unpacked programs."""

    name, error = "little-go-class", TournamentError

    def __init__(self, sandboxed: bool, release: str) -> None:
        """sandboxed: whether programs run in a sandbox. release: the run's version of Little-Go."""
        self._sandboxed, self._release = sandboxed, release

    def prepare(self, worker: Worker) -> str:
        """Prepare a worker; return a fault, or ""."""
        self._address = worker.address
        self._lock = threading.Lock()
        self._folder = tempfile.TemporaryDirectory(prefix="class-")
        # In a sandbox of root's, nobody must be able to read the programs.
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
        """Unpack programs."""
        with self._lock:
            for digest, archive in archives.items():
                if not self._place(digest).is_dir():
                    unpack(archive, self._place(digest))

    def do(self, job: RemoteOrder) -> "GameOutcome | MissingPrograms":
        """Play a game, or ask for programs; raises TournamentError where it cannot be played."""
        order, programs = job
        wanting = tuple(digest for digest in programs.values() if not self._place(digest).is_dir())
        if wanting:
            return MissingPrograms(wanting)
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


# A coroutine, since only those run without waiting.


async def _put(archives: Mapping[str, bytes], dask_worker: Worker) -> None:
    context_of(dask_worker, GamesPlace.name).put(archives)


@dataclass
class _GameInFlight:
    """A game in flight. remote: dask's future. first: a repeated game's earlier outcome."""

    order: GameOrder
    remote: Any
    first: GameOutcome | None = None


@dataclass(eq=False)
class _Recheck:
    """A game that is repeated elsewhere.

    first: the outcome that counts. by: current workers, by the game in flight. others: outcomes so far, by worker.
    other: the second worker, "" before its outcome.
    """

    first: GameOutcome
    by: "dict[Future[GameOutcome], str]" = field(default_factory=dict)
    others: dict[str, list[GameOutcome]] = field(default_factory=dict)
    other: str = ""


@dataclass
class RecheckReport:
    """Counts of repeated games.

    by_chance: of agents with their own random numbers. by_machine: games that each machine plays its own way, twice the
    same, with the workers that differ from this machine. left_out: without a second worker, or without a free machine.
    """

    agreed: int = 0
    by_chance: int = 0
    left_out: int = 0
    workers: set[str] = field(default_factory=set)
    by_machine: list[tuple[str, ...]] = field(default_factory=list)

    def line(self) -> str:
        """Return the result in a line."""
        total = self.agreed + self.by_chance + self.left_out + len(self.by_machine)
        if not total:
            return f"{len(self.workers)} workers; no game was drawn to be played again elsewhere"
        parts = [f"{self.agreed:,} agreed"]
        if self.by_chance:
            parts.append(f"{self.by_chance:,} had agents with chance of their own")
        if self.by_machine:
            often = Counter(worker for workers in self.by_machine for worker in workers)
            apart = ", ".join(f"{worker} {count:,}" for worker, count in often.most_common())
            parts.append(f"{len(self.by_machine):,} depended on the machine (other than here: {apart})")
        if self.left_out:
            parts.append(f"{self.left_out:,} could not be compared")
        return f"{len(self.workers)} workers; of {total:,} games drawn to be played again elsewhere {', '.join(parts)}"


class RemotePlayers(Pool[GameOrder, GameOutcome]):
    """The workers of a scheduler, of varying number; public attribute: ``sample``."""

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
        """Connect, and prepare all workers, also later ones.

        address: such as tcp://192.0.2.1:8786. programs: by the players' names. identities: of all agents on this
        machine. say: prints a line. share: one game in this many is repeated elsewhere. Raises TournamentError.
        """
        self._cluster = Cluster(address, GamesPlace(sandboxed, version()))
        self._client = self._cluster.client
        self._programs, self._identities, self._share = programs, identities, share
        self._by_digest = {program.digest: program for program in programs.values()}
        # Not the run's seed, which the workers may know.
        self._random = random.SystemRandom()
        self._games: dict[Future[GameOutcome], _GameInFlight] = {}
        self._say = say
        self._again: dict[Future[GameOutcome], _Recheck] = {}
        self._number = 0
        self.sample = RecheckReport()

    @property
    def slots(self) -> int:
        """Return the number of games that keep all workers busy. Raises TournamentError."""
        for future in [each for each in self._again if each.done()]:
            self._compare(future)
        return max(1, self._cluster.slots - len(self._again))

    def settle(self, hurried: bool = False) -> None:
        """Wait for the repeated games; raises TournamentError."""
        while self._again:
            done, _ = wait(self._again, timeout=_LOOK, return_when=FIRST_COMPLETED)
            for future in done:
                self._compare(future)

    def submit(self, job: GameOrder) -> "Future[GameOutcome]":
        """Submit a game to the scheduler."""
        future: Future[GameOutcome] = Future()
        self._send(future, _GameInFlight(job, None))
        return future

    def _send(self, future: "Future[GameOutcome]", game: _GameInFlight, worker: str | None = None) -> None:
        """Send a game. worker: must play it."""
        digests = {name: self._programs[name].digest for name in game.order.roster if name in self._programs}
        self._number += 1
        key = f"game-{os.getpid()}-{self._number}"
        given: dict[str, Any] = {} if worker is None else {"workers": [worker], "allow_other_workers": False}
        try:
            game.remote = self._cluster.submit((game.order, digests), key, **given)
        except (RuntimeError, OSError) as error:
            raise TournamentError(f"the scheduler is lost: {error}; start the same command again") from None
        self._games[future] = game
        game.remote.add_done_callback(lambda _: self._arrived(future))

    def _arrived(self, future: "Future[GameOutcome]") -> None:
        if not future.done():
            with suppress(Exception):
                future.set_result(_NOT_FETCHED)

    def result_of(self, future: "Future[GameOutcome]", job: GameOrder) -> GameOutcome:
        """Return a game's checked record; raises JobLost, NotYet, TournamentError for an untrustworthy worker."""
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
        if isinstance(found, MissingPrograms):
            self._provide(found, holders)
            raise NotYet
        worker = holders[0] if holders else ""
        outcome = self._checked(found, job, worker)
        if game.first is None and outcome.record is not None and self._random.randrange(self._share) == 0:
            self._send_elsewhere(outcome)
        return outcome

    def _provide(self, wanting: MissingPrograms, workers: Collection[str]) -> None:
        archives = {each: self._by_digest[each].archive for each in wanting.digests if each in self._by_digest}
        with suppress(*UNREACHED, KeyError, ValueError):
            self._client.run(_put, archives, workers=list(workers), on_error="ignore")

    def _checked(self, outcome: object, order: GameOrder, worker: str) -> GameOutcome:
        """Return a worker's record if it is that of its order; raises TournamentError."""
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
            raise TournamentError(f"{worker} sent {_game_text(fixture)}: {fault}")
        self.sample.workers.add(worker)
        return GameOutcome(order, record, outcome.seconds, worker)

    def _send_elsewhere(self, first: GameOutcome) -> None:
        others = [worker for worker in self._connected() if worker != first.worker]
        if others:
            self._send_to(self._random.choice(others), _Recheck(first))
        else:
            self.sample.left_out += 1

    def _connected(self) -> list[str]:
        with suppress(*UNREACHED):
            return list(self._client.nthreads())
        return []

    def _send_to(self, worker: str, check: _Recheck) -> None:
        future: Future[GameOutcome] = Future()
        check.by[future] = worker
        self._again[future] = check
        self._send(future, _GameInFlight(check.first.order, None, check.first), worker)

    def _compare(self, future: "Future[GameOutcome]") -> None:
        """Compare a repeated game; raises TournamentError for a worker that forges."""
        check = self._again.pop(future)
        worker = check.by.pop(future)
        try:
            there = self.result_of(future, check.first.order)
        except NotYet:
            self._send_to(worker, check)
            return
        except JobLost:
            there = GameOutcome(check.first.order, None, 0.0, worker)
        check.others.setdefault(worker, []).append(there)
        if check.by:
            return
        if check.other:
            self._count(check)
        elif there.record is None:
            self.sample.left_out += 1
        elif _alike(check.first, there):
            self.sample.agreed += 1
        else:
            self._play_on_both(check, worker)

    def _play_on_both(self, check: _Recheck, other: str) -> None:
        """Have both workers repeat a game that they played differently."""
        check.other = other
        if {check.first.worker, other} <= set(self._connected()):
            self._send_to(check.first.worker, check)
            self._send_to(other, check)
        else:
            self.sample.left_out += 1

    def _count(self, check: _Recheck) -> None:
        """Count a game that two workers played differently; raises TournamentError."""
        first, other = check.first.worker, check.other
        played = {first: [check.first, *check.others[first]], other: check.others[other]}
        for worker, outcomes in played.items():
            for outcome in outcomes:
                if fault := _built_in_fault(outcome):
                    raise TournamentError(
                        f"{worker} sent {_game_text(outcome.order.fixture)}: {fault}; take the worker away, and start"
                        " again with another --out"
                    )
        here = [play_order(check.first.order), play_order(check.first.order)]
        if any(each.record is None for each in (*here, *played[first], *played[other])):
            # A game lost by a busy machine or a lost worker proves nothing.
            self.sample.left_out += 1
        elif all(_alike(*outcomes) for outcomes in (here, played[first], played[other])):
            apart = tuple(worker for worker, outcomes in played.items() if not _alike(here[0], outcomes[0]))
            self.sample.by_machine.append(apart)
        else:
            self.sample.by_chance += 1

    def end(self) -> None:
        """Cancel the current games; workers finish theirs without effect."""
        with suppress(*UNREACHED):
            self._client.cancel([game.remote for game in self._games.values()])

    def close(self, wait: bool) -> None:
        """Leave the scheduler."""
        if self.sample.workers:
            self._say(self.sample.line())
        self._cluster.leave()


def _game_text(fixture: Fixture) -> str:
    return f"game {fixture.number} of {fixture.black} - {fixture.white}"


def _built_in_fault(outcome: GameOutcome) -> str:
    """Return a clause on a recorded move that a built-in agent does not play, or "".

    Its random numbers are the game's, so after the same moves it plays the same on each machine.
    """
    record, order = outcome.record, outcome.order
    if record is None:
        return ""
    for side, name in enumerate(order.fixture[:2]):
        if order.roster[name].agent not in BUILT_IN:
            continue
        with open_contestant(order.roster[name], order.terms) as agent:
            agent.new_game(f"{order.fixture.seed} {SIDES[side]}")
            for state, move in zip(states_of(record["moves"], game=order.terms.game), record["moves"], strict=False):
                if state.ply % 2 == side and (played := agent.reply(state).text) != move:
                    return f"{name} plays {move} at ply {state.ply + 1}, where it plays {played}"
    return ""


def _alike(one: GameOutcome, other: GameOutcome) -> bool:
    assert one.record is not None
    assert other.record is not None
    return _told(one.record) == _told(other.record)


def _told(record: Record) -> list[Any]:
    return [record[key] for key in _OF_CHANCE]
