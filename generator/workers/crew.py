"""Workers: threads or processes of this machine, or those of a cluster, and what happens when one dies.

The native search lets go of the interpreter, so threads search side by side, on memory that needs to be shared with
nobody else. Jobs that run the pure-Python solver would wait for each other; those want processes. Workers on other
machines are in generator.workers.cluster.
"""

import concurrent.futures
import logging
import time
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from typing import ClassVar

from book.store.facts import Fact
from crew.workers import WorkerPool, start_method
from generator.workers.one_log import Records
from generator.workers.shared_memory import Shared
from generator.workers.worker import Finding, Job, start_process, start_thread, work
from solver.native.kernel import Kernel

_log = logging.getLogger(__name__)

#: How many deaths in a row, without a finding between, before the run gives up.
RETRIES = 3


#: Seconds between looks at whether to stop, while jobs run.
TICK = 0.25


class CrewError(Exception):
    """Jobs that kill every worker they are given to."""


class Stopped(Exception):
    """The run was asked to stop; what was proven is stored."""


class Pool(ABC):
    """Workers, wherever they are.

    shares_table: whether all of them search on one table.
    lost: what a future raises, or submit(), when its worker is gone.
    """

    shares_table: ClassVar[bool] = True
    lost: ClassVar[tuple[type[BaseException], ...]] = ()

    @property
    @abstractmethod
    def workers(self) -> int:
        """The number of workers now."""

    @abstractmethod
    def submit(self, job: Job) -> "Future[Finding]":
        """Hand a job to the next free worker."""

    @abstractmethod
    def close(self, wait: bool) -> None:
        """Send the workers home, after the jobs they are at if ``wait``."""

    def take(self, future: "Future[Finding]", job: Job) -> Finding:
        """Return what came of a job; raises what ``lost`` lists, and CrewError for a worker not to be believed."""
        return future.result()

    @property
    def slots(self) -> int:
        """The number of jobs that keep the workers busy."""
        return self.workers

    @property
    def nodes(self) -> int | None:
        """Nodes searched so far, those of the jobs at hand included, or None where workers tell only when done."""
        return None

    def settle(self, hurried: bool) -> None:  # noqa: B027 - most can be trusted
        """Wait until what came in has been checked; raises CrewError for a worker not to be believed.

        hurried: wait for no more than must be.
        """

    def stop(self) -> None:  # noqa: B027 - not all can
        """End the searches at hand, where that can be done; the pool is of no use afterwards."""

    def tell(self, facts: Sequence[Fact]) -> None:  # noqa: B027 - most have one table
        """Let workers on other tables know what was found."""


class _LocalPool(Pool):
    """Workers of this machine, which an executor of the standard library hands the jobs to."""

    def __init__(self, workers: int, executor: Executor) -> None:
        self._workers = workers
        self._executor = executor

    @property
    def workers(self) -> int:
        """The number of workers."""
        return self._workers

    def submit(self, job: Job) -> "Future[Finding]":
        """Hand a job to the next free worker."""
        return self._executor.submit(work, job)

    def close(self, wait: bool) -> None:
        """Send the workers home."""
        self._executor.shutdown(wait=wait, cancel_futures=True)


class ProcessPool(_LocalPool):
    """Processes on shared memory."""

    lost = (BrokenProcessPool,)

    def __init__(self, workers: int, shared: Shared, keep_nodes: int, seed: int) -> None:
        """shared: made for processes. keep_nodes: results that cost so many are kept."""
        self._records = Records() if start_method() == "spawn" else None
        super().__init__(workers, WorkerPool(workers, start_process, shared, keep_nodes, seed, self._records))

    def close(self, wait: bool) -> None:
        """Send the workers home, and log the last that they have to log."""
        super().close(wait)
        if self._records is not None:
            self._records.close()


class ThreadPool(_LocalPool):
    """Threads on shared memory, whose searches can be watched and stopped."""

    def __init__(self, workers: int, shared: Shared, keep_nodes: int, seed: int) -> None:
        """keep_nodes: results that cost so many are kept."""
        self._kernels: list[Kernel] = []
        start = lambda: self._kernels.append(start_thread(shared, keep_nodes, seed))  # noqa: E731
        super().__init__(workers, ThreadPoolExecutor(workers, "worker", start))

    @property
    def nodes(self) -> int:
        """Nodes searched so far, those of the jobs at hand included."""
        return sum(kernel.nodes for kernel in self._kernels)

    def stop(self) -> None:
        """End the searches at hand."""
        for kernel in self._kernels:
            kernel.stop()


class Crew:
    """Jobs in flight in a pool, submitted again when a worker dies.

    A dead worker breaks a whole process pool. The crew then makes a new one and submits again what was in
    flight; as findings are kept by the caller, a death costs its jobs a retry and nothing else.
    Public attributes: ``pool``, another one after a death; ``nodes``, searched for all findings so far; ``peak_mib``,
    the most memory a worker had.
    """

    def __init__(self, hire: Callable[[], Pool]) -> None:
        """hire: makes a pool; called again when one is lost."""
        self._hire = hire
        self.pool = hire()
        self._jobs: dict[Future[Finding], Job] = {}
        self._deaths = 0
        self.nodes = 0
        self.peak_mib = 0

    def __len__(self) -> int:
        """Jobs in flight."""
        return len(self._jobs)

    @property
    def live_nodes(self) -> int:
        """Nodes searched so far, as far as the workers tell before they are done."""
        return self.nodes if self.pool.nodes is None else self.pool.nodes

    def submit(self, job: Job) -> None:
        """Hand a job to the next free worker; raises as wait() does."""
        try:
            future = self.pool.submit(job)
        except self.pool.lost:
            self._retry([job])
        else:
            self._jobs[future] = job

    def wait(self, timeout: float) -> list[Finding]:
        """Return the findings that arrive within ``timeout`` seconds, at once when there are some.

        Raises CrewError when workers died more than RETRIES times without a finding between.
        """
        if not self._jobs:
            time.sleep(timeout)
        done, _ = concurrent.futures.wait(self._jobs, timeout, concurrent.futures.FIRST_COMPLETED)
        findings: list[Finding] = []
        broken = []
        for future in done:
            job = self._jobs.pop(future)
            try:
                findings.append(self.pool.take(future, job))
            except self.pool.lost:
                broken.append(job)
        for finding in findings:
            self._deaths = 0
            self.nodes += finding.nodes
            self.peak_mib = max(self.peak_mib, finding.peak_mib)
        if broken:
            self._retry(broken)
        return findings

    def forget(self, vain: Callable[[Job], bool]) -> list[Job]:
        """Take back and return the jobs of which ``vain`` is true, but for those that a worker is at."""
        gone = [future for future, job in self._jobs.items() if vain(job) and future.cancel()]
        return [self._jobs.pop(future) for future in gone]

    def each(self, jobs: Iterable[Job], stop: Callable[[], bool]) -> Iterator[list[Finding]]:
        """Have all jobs done, enough at a time, and yield the findings as they come, an empty list now and then.

        Raises Stopped after those in flight when ``stop`` says so, and as wait() does.
        """
        waiting = deque(jobs)
        stopped = False
        while waiting or len(self):
            stopped = stopped or stop()
            if stopped:
                waiting.clear()
            while waiting and len(self) < 2 * self.pool.workers:
                self.submit(waiting.popleft())
            yield self.wait(TICK)
        if stopped:
            raise Stopped

    def _retry(self, broken: list[Job]) -> None:
        # A pool's other futures may fail too, or never start.
        jobs = broken + list(self._jobs.values())
        self._rehire()
        self._deaths += 1
        if self._deaths > RETRIES:
            _log.error("%d times in a row a worker died at %r", self._deaths, jobs[0])
            raise CrewError(
                f"a worker died {self._deaths} times in a row, and the log says at which job; if memory ran out, give a"
                " smaller --table"
            )
        for job in jobs:
            self.submit(job)

    def _rehire(self) -> None:
        _log.warning("a worker died: starting new workers and giving out the unfinished jobs again")
        self.pool.close(wait=False)
        self._jobs.clear()
        self.pool = self._hire()

    def close(self) -> None:
        """Send the workers home, after the jobs they are at."""
        self.pool.close(wait=True)
