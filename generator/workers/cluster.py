"""Workers of a cluster, by dask.distributed: any number of machines, each with one warm table.

    run --scheduler tcp://…          scheduler               machine              machine
    store, queue of jobs   -- job -->    |    -- job -->   worker  worker        worker ...
            ^                            |                   \\      /              |
            `------- finding ------------'                  one table          one table

Only jobs and facts travel, a few hundred bytes each. A machine's table lives in memory without a name, which all its
workers share and which is gone with the last of them; a worker with a thread for each core has it in private memory,
which is faster. Workers may come, go and die: the scheduler gives out again what
a dead worker was at, and the crew what was in flight when the scheduler died. So a finding may come twice; the store
merges it.
"""

import asyncio
import hashlib
import logging
import os
import sys
import threading
import time
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import CancelledError, Future
from contextlib import suppress
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any, Protocol
from uuid import uuid4

from distributed import Worker
from distributed.comm.addressing import get_address_host_port

from book.store.facts import Fact
from crew.scheduler import CONNECT, LOST, Cluster, WorkerContext, context_of
from generator.workers.search_crew import CrewError, Pool
from generator.workers.shared_memory import Shared
from generator.workers.worker import Job, JobResult, Tools, do_job
from runtime.files import MIB, read_file
from solver.answer import Answer
from solver.native.kernel import Kernel
from solver.position import Position

_log = logging.getLogger(__name__)

#: Seconds to look for a scheduler after it was lost, as the user may need to start it again.
RECONNECT = 120.0

#: Seconds in which a finding that is done must arrive, and be read.
READING = 20.0

#: Seconds between two broadcasts of what was found to all machines.
BROADCAST = 5.0

#: What a future says that is done.
_NOT_FETCHED: Any = None

#: What travels of a fact.
_Known = tuple[Position, Answer]


def fingerprint() -> str:
    """Return a hash of the code that finds facts; workers with another one are refused."""
    digest = hashlib.sha256()
    for package in ("generator", "solver", "book"):
        folder = Path(str(files(package)))
        for file in sorted(folder.rglob("*")):
            if file.suffix in (".py", ".c", ".h", ".pyx", ".json"):
                digest.update(str(file.relative_to(folder)).encode() + b"\0" + read_file(file, 64 * MIB))
    return digest.hexdigest()[:16]


@dataclass(frozen=True)
class Order:
    """A run's order to each worker.

    store: the identity of the run's. table_mib: of table on each machine. facts: what is proven when the run begins.
    """

    store: str
    table_mib: int
    keep_nodes: int
    seed: int
    fingerprint: str
    facts: tuple[_Known, ...]


class SearchContext(WorkerContext):
    """A worker's place: its machine's table, and a kernel for each of its threads."""

    name, error = "little-go", CrewError

    def __init__(self, order: Order) -> None:
        """order: of the run that comes with this."""
        self._order = order

    def prepare(self, worker: Worker) -> str:
        """Make a worker ready."""
        self._threads = threading.local()
        self._kernels: list[Kernel] = []
        logging.getLogger("generator").setLevel(logging.DEBUG)
        if fingerprint() != self._order.fingerprint:
            return f"{worker.address} runs another version of Little-Go"
        try:
            self._shared = self._table(worker.state.nthreads)
        except (ValueError, OSError) as error:
            return str(error)
        self.teach(self._order.facts)
        return ""

    def _table(self, threads: int) -> Shared:
        if sys.platform != "linux" or threads >= len(os.sched_getaffinity(0)):
            # No other worker is to share this machine, and private memory may have huge pages.
            return Shared.make(self._order.table_mib)
        return Shared.of_machine(self._order.table_mib, self._order.store)

    def teach(self, known: Iterable[_Known]) -> None:
        """Put what is proven into the table."""
        kernel = Kernel(self._shared.table)
        for position, answer in known:
            kernel.teach(position, answer)

    def do(self, job: Job) -> JobResult:
        """Do a job on this thread."""
        tools: Tools | None = getattr(self._threads, "tools", None)
        if tools is None:
            order = self._order
            kernel = Kernel(self._shared.table, busy=self._shared.busy, keep_nodes=order.keep_nodes, seed=order.seed)
            self._kernels.append(kernel)
            tools = self._threads.tools = Tools(kernel)
        return do_job(job, tools)

    def stop(self) -> None:
        """End the searches at hand."""
        for kernel in self._kernels:
            kernel.stop()


# Coroutines, as only those can be run without waiting for them.


async def _teach(known: Sequence[_Known], dask_worker: Worker) -> None:
    context_of(dask_worker, SearchContext.name).teach(known)


async def _stop(dask_worker: Worker) -> None:
    context_of(dask_worker, SearchContext.name).stop()


class FindingCheck(Protocol):
    """What checks all that comes in."""

    def __call__(self, worker: str, host: str, job: Job, finding: JobResult) -> JobResult:
        """Return the finding; raises CrewError that names a worker not to be believed."""

    def settle(self, hurried: bool) -> None:
        """Wait for searches that check results; raises CrewError as a call does. hurried: only for necessary ones."""


class Stated(Protocol):
    """A position and its answer."""

    @property
    def position(self) -> Position:
        """The position."""

    @property
    def answer(self) -> Answer:
        """What is proven of it."""


class ProvenFacts(Protocol):
    """What is proven when a run begins. identity: no other run's, so that machines share a table for it alone."""

    @property
    def identity(self) -> str:
        """The identity."""

    def __iter__(self) -> Iterator[Stated]:
        """Yield the facts."""


class ClusterPool(Pool):
    """The workers of a scheduler, as many as there are at the time."""

    shares_table = False
    lost = LOST

    def __init__(self, address: str, order: Order, check: FindingCheck, patience: float = CONNECT) -> None:
        """Connect, and make all workers ready, also those that come later.

        address: such as tcp://192.0.2.1:8786. check: is given all that comes in. patience: seconds to look for the
        scheduler. Raises CrewError when there is none, or when a worker cannot be made ready.
        """
        self._cluster = Cluster(address, SearchContext(order), patience)
        self._client = self._cluster.client
        self._client.forward_logging("generator", logging.DEBUG)
        self._check = check
        self._remotes: dict[Future[JobResult], Any] = {}
        self._news: dict[Position, Answer] = {}
        self._told = time.monotonic()

    @property
    def workers(self) -> int:
        """The number of threads of all workers together."""
        return self._cluster.threads

    @property
    def at_once(self) -> int:
        """The number of jobs that keep the threads busy."""
        return self._cluster.slots

    def submit(self, job: Job) -> "Future[JobResult]":
        """Hand a job to the scheduler. The future tells only that it is done: take() fetches the result."""
        try:
            remote = self._cluster.submit(job, f"{type(job).__name__}-{uuid4()}")
        except (RuntimeError, OSError) as error:
            raise CancelledError from error
        future: Future[JobResult] = Future()
        self._remotes[future] = remote
        remote.add_done_callback(lambda _: _done(future))
        future.add_done_callback(self._cancelled)
        return future

    def _cancelled(self, future: "Future[JobResult]") -> None:
        if future.cancelled():
            self._remotes.pop(future).cancel()

    def take(self, future: "Future[JobResult]", job: Job) -> JobResult:
        """Return the result of a job, checked; raises what ``lost`` lists, FalseWorker and CrewError."""
        remote = self._remotes.pop(future)
        try:
            # By the scheduler's word: a worker cannot give another's name.
            holders = self._client.who_has([remote])[remote.key]
            finding = remote.result(timeout=READING)
        except (*self.lost, CrewError):
            raise
        except (asyncio.CancelledError, OSError, KeyError) as error:
            if not isinstance(error, TimeoutError) or not self._is_there(holders):
                raise CancelledError from error
            raise CrewError(f"{min(holders)} sends what cannot be read: take the worker away") from None
        except Exception as error:
            raise CrewError(f"a worker cannot do its jobs, or sends what cannot be read: {error!r}") from None
        if not holders:
            raise CancelledError
        worker = min(holders)
        return self._check(worker, get_address_host_port(worker, strict=True)[0], job, finding)

    def _is_there(self, workers: Sequence[str]) -> bool:
        with suppress(OSError, TimeoutError):
            return bool(set(workers) & set(self._client.nthreads()))
        return False

    def settle(self, hurried: bool = False) -> None:
        """Wait for what is searched again; raises CrewError for a worker not to be believed."""
        self._check.settle(hurried)

    def tell(self, facts: Sequence[Fact]) -> None:
        """Let all machines know what was found, a few seconds' facts at a time."""
        for fact in facts:
            if fact.best is not None:
                self._news[fact.position] = Answer(fact.lo, fact.hi, fact.best, 0)
        if self._news and time.monotonic() - self._told > BROADCAST:
            self._told = time.monotonic()
            with suppress(OSError):
                self._client.run(_teach, list(self._news.items()), wait=False, on_error="ignore")
            self._news.clear()

    def stop(self) -> None:
        """End the searches at hand."""
        with suppress(OSError):
            self._client.run(_stop, wait=False, on_error="ignore")

    def close(self, wait: bool) -> None:
        """Leave the scheduler; its workers finish their current jobs, whose results are lost."""
        self._cluster.leave()


def _done(future: "Future[JobResult]") -> None:
    if future.set_running_or_notify_cancel():
        future.set_result(_NOT_FETCHED)


class ClusterPoolFactory:
    """Makes a pool of a cluster's workers, and again when its scheduler is lost."""

    def __init__(
        self, address: str, store: ProvenFacts, check: FindingCheck, table_mib: int, keep_nodes: int, seed: int
    ) -> None:
        """store: its proven facts are sent to the workers. check: of what they send."""
        self._check = check
        self._address = address
        self._store = store
        self._asked = (table_mib, keep_nodes, seed, fingerprint())
        self._patience = CONNECT

    def __call__(self) -> ClusterPool:
        """Return a new pool; raises as ClusterPool() does."""
        if self._patience > CONNECT:
            print(f"{self._address} does not answer: trying again for {self._patience:.0f} s", file=sys.stderr)
        known = tuple((entry.position, entry.answer) for entry in self._store)
        order = Order(self._store.identity, *self._asked, known)
        deadline = time.monotonic() + self._patience
        while True:
            try:
                pool = ClusterPool(self._address, order, self._check, self._patience)
                break
            except OSError as error:
                # The scheduler answered, and was gone the moment after.
                if time.monotonic() >= deadline:
                    raise CrewError(f"{self._address}: {error}; start the same command again") from None
        self._patience = RECONNECT
        return pool
