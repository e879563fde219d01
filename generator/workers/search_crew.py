"""Workers: threads or processes of this machine, or those of a cluster, and what happens when one dies.

The native search lets go of the interpreter, so threads search side by side, on memory that no other
process needs. Jobs that run the pure-Python solver would wait for each other; those want processes. Workers on other
machines are in generator.workers.cluster.
"""

import logging
from abc import abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Executor, ThreadPoolExecutor
from typing import ClassVar

from book.store.facts import Fact
from crew import jobs
from crew.workers import WorkerPool, start_method
from generator.workers.shared_memory import Shared
from generator.workers.worker import Job, JobResult, Records, start_process, start_thread, work
from solver.native.kernel import Kernel

_log = logging.getLogger(__name__)


class CrewError(Exception):
    """Workers that cannot be reached, or jobs that kill every worker they are given to; the message is one line."""


class FalseWorker(CrewError):
    """A worker whose results are false, as a check of them shows; the message is one line."""


class Stopped(Exception):
    """The run was asked to stop; what was proven is stored."""


class Pool(jobs.Pool[Job, JobResult]):
    """Workers, wherever they are.

    shares_table: whether all of them search on one table.
    """

    shares_table: ClassVar[bool] = True

    @property
    @abstractmethod
    def workers(self) -> int:
        """The number of workers now."""

    @property
    def slots(self) -> int:
        """The number of jobs that keep the workers busy, the next ones included."""
        return 2 * self.workers

    @property
    def at_once(self) -> int:
        """The number of jobs that the workers are at, where another job may make a waiting one vain."""
        return self.workers

    @property
    def nodes(self) -> int | None:
        """Nodes searched so far, those of the jobs at hand included, or None where workers tell only when done."""
        return None

    def stop(self) -> None:
        """End the searches at hand, where that can be done; the pool is of no use afterwards."""

    def tell(self, facts: Sequence[Fact]) -> None:
        """Let workers on other tables know what was found."""


class _LocalPool(jobs.ExecutorPool[Job, JobResult], Pool):
    """Workers of this machine, which an executor of the standard library hands the jobs to."""

    def __init__(self, workers: int, executor: Executor) -> None:
        super().__init__(executor, work, workers)

    @property
    def workers(self) -> int:
        """The number of workers."""
        return self._workers


class ProcessPool(_LocalPool):
    """Processes on shared memory."""

    def __init__(self, workers: int, shared: Shared, keep_nodes: int, seed: int) -> None:
        """shared: made for processes. keep_nodes: results that cost this many nodes are kept."""
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
        """keep_nodes: results that cost this many nodes are kept."""
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


def _died(job: Job, losses: int, why: str) -> CrewError:
    _log.error("%d times a worker died at %r", losses, job)
    return CrewError(
        f"a worker died {losses} times at the same work, and the log says at which job; if memory ran out, give a"
        " smaller --table"
    )


class Crew(jobs.Crew[Job, JobResult]):
    """Jobs in flight in a pool, submitted again when a worker dies.

    As findings are kept by the caller, a death costs its jobs a repetition and nothing else.
    Public attributes: ``pool``, another one after a death; ``nodes``, searched for all findings so far; ``peak_mib``,
    the most memory a worker had.
    """

    pool: Pool

    def __init__(self, hire: Callable[[], Pool]) -> None:
        """hire: makes a pool; called again when one is lost."""
        super().__init__(hire, _died)
        self.nodes = 0
        self.peak_mib = 0

    @property
    def live_nodes(self) -> int:
        """Nodes searched so far, as far as the workers tell before they are done."""
        return self.nodes if self.pool.nodes is None else self.pool.nodes

    def wait(self, timeout: float) -> list[tuple[Job, JobResult]]:
        """Return the jobs that are done within ``timeout`` seconds with their findings, at once when there are some.

        Raises CrewError when a worker died at the same job more than MOST_LOSSES times.
        """
        results = super().wait(timeout)
        for _, finding in results:
            self.nodes += finding.nodes
            self.peak_mib = max(self.peak_mib, finding.peak_mib)
        return results

    def findings(self, timeout: float) -> list[JobResult]:
        """Return the findings of wait()."""
        return [finding for _, finding in self.wait(timeout)]

    def each(self, work: Iterable[Job], stop: Callable[[], bool]) -> Iterator[list[JobResult]]:
        """Have all jobs done, enough at a time, and yield the findings as they come, an empty list now and then.

        Raises Stopped after those in flight when ``stop`` asks for it, and as wait() does.
        """
        stopped = False

        def asked() -> bool:
            nonlocal stopped
            stopped = stopped or stop()
            return stopped

        for results in self.rounds(work, asked):
            yield [finding for _, finding in results]
        if stopped:
            raise Stopped

    def rehire(self) -> None:
        """Make a new pool."""
        _log.warning("a worker died: starting new workers and giving out the unfinished jobs again")
        super().rehire()
