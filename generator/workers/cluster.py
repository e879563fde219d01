"""The workers of a cluster, which use dask.distributed. A cluster has any number of machines, each with one table.

    run --scheduler tcp://…          scheduler               machine              machine
    store, queue of jobs   -- job -->    |    -- job -->   worker  worker        worker ...
            ^                            |                   \\      /              |
            `------- result -------------'                  one table          one table

Messages contain only jobs and facts, which take a few hundred bytes each. The workers of a machine share a table in a
memory file, which the system removes when the last worker ends. If one worker has a thread for each core, its table is
in private memory, which is faster. Workers may join, leave and die. The scheduler repeats the jobs of a dead worker,
and the crew repeats the jobs in flight if the scheduler dies. So a result may arrive twice, and the store merges
duplicates.
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

from little_go.book.store.facts import Fact
from little_go.crew.scheduler import CONNECT, LOST, Cluster, WorkerContext, context_of
from little_go.generator.workers.search_crew import CrewError, Pool
from little_go.generator.workers.shared_memory import Shared
from little_go.generator.workers.worker import Job, JobResult, WorkerKernel, do_job
from little_go.runtime.files import MIB, read_file
from little_go.solver.answer import Answer
from little_go.solver.native.kernel import Kernel
from little_go.solver.position import Position

_log = logging.getLogger(__name__)

#: The number of seconds to wait for a lost scheduler, which the user may need to start again.
RECONNECT = 120.0

#: The number of seconds within which a finished result must arrive and be unpickled.
READING = 20.0

#: The number of seconds between two broadcasts of new facts to all machines.
BROADCAST = 5.0

#: The value of a finished future. Only result_of() fetches the result itself.
_NOT_FETCHED: Any = None

#: The part of a fact that is sent to workers.
_ProvenAnswer = tuple[Position, Answer]


def fingerprint() -> str:
    """Return a hash of the code that finds facts; a worker whose hash differs is refused."""
    digest = hashlib.sha256()
    for package in ("generator", "solver", "book"):
        folder = Path(str(files(f"little_go.{package}")))
        for file in sorted(folder.rglob("*")):
            if file.suffix in (".py", ".c", ".h", ".pyx", ".json"):
                digest.update(str(file.relative_to(folder)).encode() + b"\0" + read_file(file, 64 * MIB))
    return digest.hexdigest()[:16]


@dataclass(frozen=True)
class WorkerSettings:
    """The settings that a run sends to each worker.

    store: the identity of the run's store. table_mib: the table's size on each machine, in MiB. keep_nodes: the number
    of nodes from which on an intermediate result is also sent. fingerprint: the fingerprint() of the run's code. facts:
    the facts that were proven before the run.
    """

    store: str
    table_mib: int
    keep_nodes: int
    seed: int
    fingerprint: str
    facts: tuple[_ProvenAnswer, ...]


class SearchContext(WorkerContext):
    """The data of a worker: the table of its machine, and a kernel for each of the worker's threads."""

    name, error = "little-go", CrewError

    def __init__(self, settings: WorkerSettings) -> None:
        self._settings = settings

    def prepare(self, worker: Worker) -> str:
        """Make a worker ready for jobs. Return a message about what prevents this, or ""."""
        self._threads = threading.local()
        self._kernels: list[Kernel] = []
        logging.getLogger("little_go.generator").setLevel(logging.DEBUG)
        if fingerprint() != self._settings.fingerprint:
            return f"{worker.address} runs another version of Little-Go"
        try:
            self._shared = self._table(worker.state.nthreads)
        except (ValueError, OSError) as error:
            return str(error)
        self.teach(self._settings.facts)
        return ""

    def _table(self, threads: int) -> Shared:
        if sys.platform != "linux" or threads >= len(os.sched_getaffinity(0)):
            # No other worker needs this machine's table, and private memory may have huge pages.
            return Shared.make(self._settings.table_mib)
        return Shared.of_machine(self._settings.table_mib, self._settings.store)

    def teach(self, known: Iterable[_ProvenAnswer]) -> None:
        """Write proven answers into the table."""
        kernel = Kernel(self._shared.table)
        for position, answer in known:
            kernel.teach(position, answer)

    def do(self, job: Job) -> JobResult:
        """Do a job with the kernel of this thread."""
        worker: WorkerKernel | None = getattr(self._threads, "worker", None)
        if worker is None:
            settings = self._settings
            kernel = Kernel(
                self._shared.table, busy=self._shared.busy, keep_nodes=settings.keep_nodes, seed=settings.seed
            )
            self._kernels.append(kernel)
            worker = self._threads.worker = WorkerKernel(kernel)
        return do_job(job, worker)

    def stop(self) -> None:
        """End the running searches."""
        for kernel in self._kernels:
            kernel.stop()


# These functions are coroutines, because dask can start only coroutines without waiting for their end.


async def _teach(known: Sequence[_ProvenAnswer], dask_worker: Worker) -> None:
    context_of(dask_worker, SearchContext.name).teach(known)


async def _stop(dask_worker: Worker) -> None:
    context_of(dask_worker, SearchContext.name).stop()


class ResultCheck(Protocol):
    """The check that every result of a worker passes."""

    def __call__(self, worker: str, host: str, job: Job, job_result: JobResult) -> JobResult:
        """Return the result. Raise CrewError, with the worker's name, if the result is false."""

    def settle(self, hurried: bool) -> None:
        """Wait for the searches that check results. Raise CrewError if a result is false.

        hurried: whether to wait only for the claims that were drawn at random.
        """


class ProvenEntry(Protocol):
    """A row of a store: a position and its answer."""

    @property
    def position(self) -> Position:
        """The position."""

    @property
    def answer(self) -> Answer:
        """The proven answer for the position."""


class ProvenEntries(Protocol):
    """The facts that were proven before a run.

    identity: the identity of the store; workers share a table only within a store.
    """

    @property
    def identity(self) -> str:
        """The identity."""

    def __iter__(self) -> Iterator[ProvenEntry]:
        """Yield the facts."""


class ClusterPool(Pool):
    """The workers of a scheduler; their number may change at any time."""

    shares_table = False
    lost = LOST

    def __init__(self, address: str, settings: WorkerSettings, check: ResultCheck, patience: float = CONNECT) -> None:
        """Connect, and make all workers ready, including workers that join later.

        address: the scheduler's address, such as tcp://192.0.2.1:8786. check: a function that checks every result.
        patience: the seconds for finding the scheduler. Raises CrewError if no scheduler answers or a worker cannot be
        made ready.
        """
        self._cluster = Cluster(address, SearchContext(settings), patience)
        self._client = self._cluster.client
        self._client.forward_logging("little_go.generator", logging.DEBUG)
        self._check = check
        self._remotes: dict[Future[JobResult], Any] = {}
        self._unshared: dict[Position, Answer] = {}
        self._shared_at = time.monotonic()

    @property
    def workers(self) -> int:
        """The number of threads of all workers together."""
        return self._cluster.threads

    @property
    def jobs_at_once(self) -> int:
        """The number of jobs that keep all threads busy."""
        return self._cluster.slots

    def submit(self, job: Job) -> "Future[JobResult]":
        """Send a job to the scheduler. Return a future without a value, because result_of() fetches the result."""
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

    def result_of(self, future: "Future[JobResult]", job: Job) -> JobResult:
        """Return the checked result of a job.

        Raise FalseWorker if the result is false, CrewError if it cannot be read, and an exception of ``lost`` if the
        worker or the scheduler is lost.
        """
        remote = self._remotes.pop(future)
        try:
            # The scheduler's answer is reliable: a worker cannot use the name of another worker.
            holders = self._client.who_has([remote])[remote.key]
            job_result = remote.result(timeout=READING)
        except (*self.lost, CrewError):
            raise
        except (asyncio.CancelledError, OSError, KeyError) as error:
            if not isinstance(error, TimeoutError) or not self._is_there(holders):
                raise CancelledError from error
            raise CrewError(f"{min(holders)} sends results that cannot be read: remove this worker") from None
        except Exception as error:
            raise CrewError(f"a worker cannot do its jobs, or sends results that cannot be read: {error!r}") from None
        if not holders:
            raise CancelledError
        worker = min(holders)
        return self._check(worker, get_address_host_port(worker, strict=True)[0], job, job_result)

    def _is_there(self, workers: Sequence[str]) -> bool:
        with suppress(OSError, TimeoutError):
            return bool(set(workers) & set(self._client.nthreads()))
        return False

    def settle(self, hurried: bool = False) -> None:
        """Wait until the results have been checked (ResultCheck.settle())."""
        self._check.settle(hurried)

    def share_facts(self, facts: Sequence[Fact]) -> None:
        """Send facts with a best move to all machines, at most once in BROADCAST seconds."""
        for fact in facts:
            if fact.best is not None:
                self._unshared[fact.position] = Answer(fact.lo, fact.hi, fact.best, 0)
        if self._unshared and time.monotonic() - self._shared_at > BROADCAST:
            self._shared_at = time.monotonic()
            with suppress(OSError):
                self._client.run(_teach, list(self._unshared.items()), wait=False, on_error="ignore")
            self._unshared.clear()

    def stop(self) -> None:
        """End the running searches."""
        with suppress(OSError):
            self._client.run(_stop, wait=False, on_error="ignore")

    def close(self, wait: bool) -> None:
        """Leave the scheduler; its workers finish their current jobs, whose results are lost."""
        self._cluster.leave()


def _done(future: "Future[JobResult]") -> None:
    if future.set_running_or_notify_cancel():
        future.set_result(_NOT_FETCHED)


class ClusterPoolFactory:
    """A callable that returns a pool of a cluster's workers, also after the scheduler was lost."""

    def __init__(
        self, address: str, store: ProvenEntries, check: ResultCheck, table_mib: int, keep_nodes: int, seed: int
    ) -> None:
        """store: the facts to send to the workers. check: the check of the workers' results."""
        self._check = check
        self._address = address
        self._store = store
        self._options = (table_mib, keep_nodes, seed, fingerprint())
        self._patience = CONNECT

    def __call__(self) -> ClusterPool:
        """Return a new pool. Raise CrewError if no scheduler answers, or if a worker cannot be made ready."""
        if self._patience > CONNECT:
            print(f"{self._address} does not answer: trying again for {self._patience:.0f} s", file=sys.stderr)
        known = tuple((entry.position, entry.answer) for entry in self._store)
        settings = WorkerSettings(self._store.identity, *self._options, known)
        deadline = time.monotonic() + self._patience
        while True:
            try:
                pool = ClusterPool(self._address, settings, self._check, self._patience)
                break
            except OSError as error:
                # The scheduler answered, but ended before the workers were ready.
                if time.monotonic() >= deadline:
                    raise CrewError(f"{self._address}: {error}; start the same command again") from None
        self._patience = RECONNECT
        return pool
