"""Workers behind an Executor: threads or processes, and what happens when a process dies.

The native search lets go of the interpreter, so threads search side by side, on memory that needs to be shared with
nobody else. Jobs that run the pure-Python solver would wait for each other; those want processes.
"""

import concurrent.futures
import logging
import multiprocessing
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool

from generator.memory import Shared
from generator.worker import Finding, Job, start_process, start_thread, work
from solver.kernel import Kernel

_log = logging.getLogger(__name__)

#: How many deaths in a row, without a finding between, before the run gives up.
RETRIES = 3


#: Seconds between looks at whether to stop, while jobs run.
TICK = 0.25


class CrewError(Exception):
    """Jobs that kill every worker they are given to."""


class Stopped(Exception):
    """The run was asked to stop; what was proven is stored."""


def process_pool(workers: int, shared: Shared, keep_nodes: int, seed: int) -> Executor:
    """Return a pool of forked processes on shared memory, which keep results of so many nodes."""
    fork = multiprocessing.get_context("fork")
    return ProcessPoolExecutor(workers, mp_context=fork, initializer=start_process, initargs=(shared, keep_nodes, seed))


class ThreadPool(ThreadPoolExecutor):
    """A pool of threads on shared memory, whose searches can be watched and stopped."""

    def __init__(self, workers: int, shared: Shared, keep_nodes: int, seed: int) -> None:
        self._kernels: list[Kernel] = []
        super().__init__(workers, "worker", lambda: self._kernels.append(start_thread(shared, keep_nodes, seed)))

    @property
    def nodes(self) -> int:
        """Nodes searched so far, those of the jobs at hand included."""
        return sum(kernel.nodes for kernel in self._kernels)

    def stop(self) -> None:
        """End the searches at hand; the pool is of no use afterwards."""
        for kernel in self._kernels:
            kernel.stop()


def thread_pool(workers: int, shared: Shared, keep_nodes: int, seed: int) -> Executor:
    """Return a pool of threads on shared memory, which keep results of so many nodes."""
    return ThreadPool(workers, shared, keep_nodes, seed)


class Crew:
    """Jobs in flight on an executor, resubmitted when a worker dies.

    A dead worker breaks a whole process pool. The crew then makes a new one and submits again what was in
    flight; as findings are kept by the caller, a death costs its jobs a retry and nothing else.
    Public attributes: ``nodes``, searched for all findings so far; ``peak_mib``, the most memory a worker had.
    """

    def __init__(self, hire: Callable[[], Executor]) -> None:
        self._hire = hire
        self._executor = hire()
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
        return self._executor.nodes if isinstance(self._executor, ThreadPool) else self.nodes

    def stop(self) -> None:
        """End the searches at hand, if they are in threads; their findings are left open."""
        if isinstance(self._executor, ThreadPool):
            self._executor.stop()

    def submit(self, job: Job) -> None:
        """Hand a job to the next free worker."""
        try:
            future = self._executor.submit(work, job)
        except BrokenProcessPool:
            self._rehire()
            future = self._executor.submit(work, job)
        self._jobs[future] = job

    def wait(self, timeout: float) -> list[Finding]:
        """Return the findings that arrive within ``timeout`` seconds, at once when there are some.

        Raises CrewError when workers died more than RETRIES times without a finding between.
        """
        done, _ = concurrent.futures.wait(self._jobs, timeout, concurrent.futures.FIRST_COMPLETED)
        findings: list[Finding] = []
        broken = []
        for future in done:
            job = self._jobs.pop(future)
            try:
                findings.append(future.result())
            except BrokenProcessPool:
                broken.append(job)
        for finding in findings:
            self._deaths = 0
            self.nodes += finding.nodes
            self.peak_mib = max(self.peak_mib, finding.peak_mib)
        if broken:
            self._retry(broken)
        return findings

    def each(self, jobs: Iterable[Job], in_flight: int, stop: Callable[[], bool]) -> Iterator[list[Finding]]:
        """Have all jobs done, so many at a time, and yield the findings as they come, an empty list now and then.

        Raises Stopped after those in flight when ``stop`` says so, and as wait() does.
        """
        waiting = deque(jobs)
        stopped = False
        while waiting or len(self):
            stopped = stopped or stop()
            if stopped:
                waiting.clear()
            while waiting and len(self) < in_flight:
                self.submit(waiting.popleft())
            yield self.wait(TICK)
        if stopped:
            raise Stopped

    def _retry(self, broken: list[Job]) -> None:
        # The pool's other futures fail too, or never start.
        jobs = broken + list(self._jobs.values())
        self._rehire()
        self._deaths += 1
        if self._deaths > RETRIES:
            raise CrewError(f"{self._deaths} times in a row a worker died at {jobs[0]}")
        for job in jobs:
            self.submit(job)

    def _rehire(self) -> None:
        _log.warning("a worker died: a new crew is hired, and what was in flight given out again")
        self._executor.shutdown(wait=False, cancel_futures=True)
        self._jobs.clear()
        self._executor = self._hire()

    def close(self) -> None:
        """Send the workers home, after the jobs they are at."""
        self._executor.shutdown(wait=True, cancel_futures=True)
