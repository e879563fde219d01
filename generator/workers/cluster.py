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

import hashlib
import logging
import mmap
import os
import random
import sys
import threading
import time
from collections.abc import Iterable, Sequence
from concurrent.futures import CancelledError, Future
from contextlib import suppress
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any, cast
from uuid import uuid4

import distributed as dask
from distributed import Client, KilledWorker, Worker, WorkerPlugin, get_worker
from distributed.comm.addressing import get_address_host_port
from distributed.comm.core import CommClosedError

from book.store.facts import Fact
from book.store.store import Store
from generator.workers.crew import CrewError, Pool
from generator.workers.memory import Shared
from generator.workers.worker import Finding, Job, Tools, do_job
from solver.answer import Answer
from solver.bounds import refuted
from solver.native.kernel import Kernel
from solver.native.table import open_table
from solver.position import Position

_log = logging.getLogger(__name__)

#: Seconds to look for a scheduler; after it was lost, for as long as somebody may need to start it again.
CONNECT, RECONNECT = 10.0, 120.0

#: Seconds between two broadcasts of what was found to all machines.
BROADCAST = 5.0

#: The table in MiB, and the most nodes for a claim, of the searches that check what comes in: some seconds.
_CHECK_MIB, _CHECK_NODES = 64, 20_000_000

#: What travels of a fact.
_Known = tuple[Position, Answer]


def fingerprint() -> str:
    """Return a hash of the code that finds facts; workers with another one are refused."""
    digest = hashlib.sha256()
    for package in ("generator", "solver", "book"):
        folder = Path(str(files(package)))
        for file in sorted(folder.rglob("*")):
            if file.suffix in (".py", ".c", ".h", ".pyx", ".json"):
                digest.update(str(file.relative_to(folder)).encode() + b"\0" + file.read_bytes())
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


class Workplace(WorkerPlugin):
    """A worker's place: its machine's table, and a kernel for each of its threads."""

    name = "little-go"

    def __init__(self, order: Order) -> None:
        """order: of the run that comes with this."""
        self._order = order

    def setup(self, worker: Worker) -> None:
        """Make a worker ready. An obstacle is noted in ``fault``, because dask does not report it."""
        self.fault = ""
        self._threads = threading.local()
        self._kernels: list[Kernel] = []
        logging.getLogger("generator").setLevel(logging.DEBUG)
        if fingerprint() != self._order.fingerprint:
            self.fault = f"{worker.address} runs another version of Little-Go"
            return
        try:
            self._shared = self._table(worker.state.nthreads)
        except (ValueError, OSError) as error:
            self.fault = str(error)
            return
        self.teach(self._order.facts)

    def _table(self, threads: int) -> Shared:
        if threads >= len(os.sched_getaffinity(0)):
            # No other worker is to share this machine, and private memory may have huge pages.
            return Shared.make(self._order.table_mib)
        return Shared.of_machine(self._order.table_mib, self._order.store)

    def teach(self, known: Iterable[_Known]) -> None:
        """Put what is proven into the table."""
        kernel = Kernel(self._shared.table)
        for position, answer in known:
            kernel.teach(position, answer)

    def do(self, job: Job) -> Finding:
        """Do a job on this thread; raises CrewError where there is a fault."""
        if self.fault:
            raise CrewError(self.fault)
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


def _workplace(worker: Worker) -> Workplace:
    return cast(Workplace, worker.plugins[Workplace.name])


def _fault(dask_worker: Worker) -> str:
    return _workplace(dask_worker).fault


def _do(job: Job) -> Finding:
    return _workplace(get_worker()).do(job)


# Coroutines, as only those can be run without waiting for them.


async def _teach(known: Sequence[_Known], dask_worker: Worker) -> None:
    _workplace(dask_worker).teach(known)


async def _stop(dask_worker: Worker) -> None:
    _workplace(dask_worker).stop()


class ClusterPool(Pool):
    """The workers of a scheduler, as many as there are at the time."""

    shares_table = False
    lost = (CancelledError, KilledWorker, CommClosedError)

    def __init__(self, address: str, order: Order, check: "Check", patience: float = CONNECT) -> None:
        """Connect, and make all workers ready, also those that come later.

        address: such as tcp://192.0.2.1:8786. check: is given all that comes in. patience: seconds to look for the
        scheduler. Raises CrewError when there is none, or when a worker cannot be made ready.
        """
        self._client = _connect(address, patience)
        self._client.forward_logging("generator", logging.DEBUG)
        self._client.register_plugin(Workplace(order))
        faults = [fault for fault in self._client.run(_fault, on_error="ignore").values() if fault]
        if faults:
            self._client.close()
            raise CrewError(faults[0])
        self._executor = self._client.get_executor(pure=False)
        self._check = check
        self._keys: dict[Future[Finding], str] = {}
        self._news: dict[Position, Answer] = {}
        self._told = time.monotonic()
        self._looked = 0.0
        self._workers = 0

    @property
    def workers(self) -> int:
        """The number of threads of all workers together."""
        if time.monotonic() - self._looked > 1.0:
            self._looked = time.monotonic()
            with suppress(OSError, TimeoutError, CommClosedError):
                self._workers = sum(self._client.nthreads().values())
        return self._workers

    @property
    def slots(self) -> int:
        """The number of jobs that keep the threads busy: more than threads, so that the next job is there already."""
        return self.workers + (self.workers + 3) // 4

    def submit(self, job: Job) -> "Future[Finding]":
        """Hand a job to the scheduler."""
        try:
            key = f"{type(job).__name__}-{uuid4()}"
            future: Future[Finding] = self._executor.submit(_do, job, key=key)
        except (RuntimeError, OSError) as error:
            raise CancelledError from error
        self._keys[future] = key
        return future

    def take(self, future: "Future[Finding]", job: Job) -> Finding:
        """Return what came of a job, checked; raises what ``lost`` lists, and CrewError for a worker not to believe."""
        key = self._keys.pop(future)
        try:
            finding = future.result()
        except (*self.lost, CrewError):
            raise
        except Exception as error:
            raise CrewError(f"a worker cannot do its jobs, or sends what cannot be read: {error!r}") from None
        try:
            # By the scheduler's word: a worker cannot give another's name.
            holders = self._client.who_has([dask.Future(key, self._client)])[key]
        except (OSError, TimeoutError, KeyError) as error:
            raise CancelledError from error
        if not holders:
            raise CancelledError
        self._check(min(holders), job, finding)
        return finding

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
        """Leave the scheduler; what its workers are at they finish for nobody."""
        # It is no news that the connections are closed.
        for name in list(logging.root.manager.loggerDict):
            if name.partition(".")[0] in ("distributed", "tornado", "asyncio"):
                logging.getLogger(name).setLevel(logging.CRITICAL)
        with suppress(OSError, TimeoutError):
            self._client.close(timeout=5)


def _connect(address: str, patience: float) -> Any:
    deadline = time.monotonic() + patience
    try:
        get_address_host_port(address, strict=True)
    except ValueError as error:
        raise CrewError(
            f"{address} is not a scheduler's address: give one such as tcp://192.0.2.1:8786 ({error})"
        ) from None
    security: Any = dask.Security
    if address.startswith("tls:") and security().get_connection_args("client").get("ssl_context") is None:
        raise CrewError(f"{address} needs certificates: name them in dask's configuration, distributed.comm.tls")
    while True:
        try:
            return Client(address, timeout=min(patience, CONNECT), set_as_default=False)  # type: ignore[no-untyped-call]
        except (OSError, TimeoutError):
            if time.monotonic() >= deadline:
                if address.startswith("tls:"):
                    raise CrewError(
                        f"no scheduler answers at {address} by TLS: it may speak tcp://, or ask for other certificates"
                        " than dask's configuration names (distributed.comm.tls)"
                    ) from None
                raise CrewError(
                    f"no scheduler answers at {address}; start one with `dask scheduler`, workers with"
                    f" `dask worker {address} --memory-limit 0`, and then the same command again"
                ) from None


class Check:
    """What is done with all that comes from workers, before it is believed.

    It must be a result of its job. Its maker is noted with the run, once. A share of its claims is searched again, on
    this machine and from nothing but what such searches have found. Public attribute: ``run``, the run in the store.
    """

    def __init__(self, store: Store, share: float, seed: int) -> None:
        """share: of what comes in, 0 to 1."""
        self.run = 0
        self._store, self._share = store, share
        self._random = random.Random(seed)
        self._met: set[str] = set()
        self._table: mmap.mmap | None = None

    def __call__(self, worker: str, job: Job, finding: Finding) -> None:
        """Raise CrewError that names the worker unless what it has sent can be believed."""
        try:
            claims = _claims(job, finding)
        except Exception as error:
            _log.warning("%s sent for %r: %r", worker, job, error)
            raise CrewError(f"{worker} sent what is no result of its job: {self._remedy(worker)}") from None
        if worker not in self._met:
            self._met.add(worker)
            self._store.note_worker(self.run, {"name": worker, "code": fingerprint()})
        for position, answer in claims:
            if self._random.random() < self._share:
                for fault in refuted(self._decide, position, answer):
                    _log.warning("%s sent %r for %r: %s", worker, answer, position, fault)
                    raise CrewError(f"{worker} sent a falsehood, {fault}: {self._remedy(worker)}")

    def _decide(self, position: Position, goal: int) -> Answer:
        if self._table is None:
            self._table = open_table(_CHECK_MIB)
        return Kernel(self._table).decide(position, goal, node_limit=_CHECK_NODES)

    def _remedy(self, worker: str) -> str:
        return (
            "nothing more is taken from the cluster; take the worker away, and take back what it may have spoilt with"
            f" python -m book drop --db {self._store.path} --worker {worker}"
        )


def _claims(job: Job, finding: Finding) -> list[_Known]:
    """Return all that a finding says; raises any exception for one that is none."""
    if not isinstance(finding, Finding) or finding.job != job:
        raise TypeError("no finding of the job")
    if not all(0 <= number < 1 << 63 for number in (finding.nodes, finding.seconds, finding.peak_mib)):
        raise ValueError("numbers that no search has")
    claims = [*job.claims(finding.result), *finding.kept]
    for position, (lo, hi, best, nodes) in claims:
        Fact(Position(*position), lo, hi, best, nodes).check()
    return [(Position(*position), Answer(*answer)) for position, answer in claims]


class Hiring:
    """Makes a pool of a cluster's workers, and again when its scheduler is lost. ``check``: of what they send."""

    def __init__(self, address: str, store: Store, table_mib: int, keep_nodes: int, seed: int, recheck: float) -> None:
        """store: its proven facts are sent to the workers. recheck: the share of what they send to search again."""
        self.check = Check(store, recheck, seed)
        self._address = address
        self._store = store
        self._asked = (table_mib, keep_nodes, seed)
        self._patience = CONNECT

    def __call__(self) -> ClusterPool:
        """Return a new pool; raises as ClusterPool() does."""
        if self._patience > CONNECT:
            print(f"{self._address} does not answer: trying again for {self._patience:.0f} s", file=sys.stderr)
        known = tuple((entry.position, entry.answer) for entry in self._store)
        order = Order(self._store.identity, *self._asked, fingerprint(), known)
        deadline = time.monotonic() + self._patience
        while True:
            try:
                pool = ClusterPool(self._address, order, self.check, self._patience)
                break
            except OSError as error:
                # The scheduler answered, and was gone the moment after.
                if time.monotonic() >= deadline:
                    raise CrewError(f"{self._address}: {error}; start the same command again") from None
        self._patience = RECONNECT
        return pool
