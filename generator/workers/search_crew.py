"""The workers of a run, which are threads or processes, and the recovery if a worker dies.

The native search releases Python's interpreter lock, so threads can search in parallel, in private memory. Jobs that
run the pure-Python solver would wait for each other, so they need processes. Workers on other machines are in
generator.workers.cluster.
"""

import logging
from abc import abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Executor, ThreadPoolExecutor
from typing import ClassVar

from little_go.book.store.facts import Fact
from little_go.crew import jobs
from little_go.crew.workers import WorkerPool, start_method
from little_go.generator.workers.shared_memory import Shared
from little_go.generator.workers.worker import Job, JobResult, LogPipe, start_process, start_thread, work
from little_go.solver.native.kernel import Kernel

_log = logging.getLogger(__name__)


class CrewError(Exception):
    """Raised if workers cannot be reached, or if a job kills each of its workers; the message is one line."""


class FalseWorker(CrewError):
    """Raised if a check shows that a worker's results are false; the message is one line."""


class Stopped(Exception):
    """Raised if the user has stopped the run; all proven facts are stored."""


class Pool(jobs.Pool[Job, JobResult]):
    """Workers on this machine or on a cluster.

    shares_table: whether all workers use the same transposition table.
    """

    shares_table: ClassVar[bool] = True

    @property
    @abstractmethod
    def workers(self) -> int:
        """The current number of workers."""

    @property
    def slots(self) -> int:
        """The number of jobs that keep the workers busy, including the jobs that wait for a free worker."""
        return 2 * self.workers

    @property
    def jobs_at_once(self) -> int:
        """The number of jobs that the workers can do in parallel. A job that waits may become needless."""
        return self.workers

    @property
    def nodes(self) -> int | None:
        """The nodes searched so far, including running jobs; None if workers report nodes only with a result."""
        return None

    def stop(self) -> None:
        """End the running searches if the pool supports it. The pool cannot be used afterwards."""

    def share_facts(self, facts: Sequence[Fact]) -> None:
        """Send facts to the workers that have separate tables."""


class _LocalPool(jobs.ExecutorPool[Job, JobResult], Pool):
    """Workers of this machine, which an executor of the standard library runs."""

    def __init__(self, workers: int, executor: Executor) -> None:
        super().__init__(executor, work, workers)

    @property
    def workers(self) -> int:
        """The number of workers."""
        return self._workers


class ProcessPool(_LocalPool):
    """Processes that search in shared memory."""

    def __init__(self, workers: int, shared: Shared, keep_nodes: int, seed: int) -> None:
        """shared: memory that was made for processes. keep_nodes: the same as in ThreadPool."""
        self._log_pipe = LogPipe() if start_method() == "spawn" else None
        super().__init__(workers, WorkerPool(workers, start_process, shared, keep_nodes, seed, self._log_pipe))

    def close(self, wait: bool) -> None:
        """Stop the workers, and write their last messages to the log."""
        super().close(wait)
        if self._log_pipe is not None:
            self._log_pipe.close()


class ThreadPool(_LocalPool):
    """Threads that share memory, and whose searches can be watched and stopped."""

    def __init__(self, workers: int, shared: Shared, keep_nodes: int, seed: int) -> None:
        """keep_nodes: the number of nodes from which on an intermediate result is also returned."""
        self._kernels: list[Kernel] = []
        start = lambda: self._kernels.append(start_thread(shared, keep_nodes, seed))  # noqa: E731
        super().__init__(workers, ThreadPoolExecutor(workers, "worker", start))

    @property
    def nodes(self) -> int:
        """Nodes searched so far, including the running jobs."""
        return sum(kernel.nodes for kernel in self._kernels)

    def stop(self) -> None:
        """End the running searches."""
        for kernel in self._kernels:
            kernel.stop()


def _died(job: Job, losses: int, why: str) -> CrewError:
    _log.error("%d times a worker died at %r", losses, job)
    return CrewError(
        f"a worker died {losses} times at the same job, which the log contains; if memory ran out, give a"
        " smaller --table"
    )


class Crew(jobs.Crew[Job, JobResult]):
    """The jobs in flight in a pool, which are submitted again if a worker dies.

    The caller keeps the results, so a worker's death costs only the repetition of its jobs. Public attributes:
    ``pool``, which is replaced if a worker dies; ``nodes``, the nodes of all results so far; ``peak_mib``, the greatest
    peak memory of a worker, in MiB.
    """

    pool: Pool

    def __init__(self, make_pool: Callable[[], Pool]) -> None:
        """make_pool: a function that returns a new pool, and is called again when a pool is lost."""
        super().__init__(make_pool, _died)
        self.nodes = 0
        self.peak_mib = 0

    @property
    def live_nodes(self) -> int:
        """Nodes searched so far, including the running jobs if the pool counts them."""
        return self.nodes if self.pool.nodes is None else self.pool.nodes

    def wait(self, timeout: float) -> list[tuple[Job, JobResult]]:
        """Return the jobs that finish within ``timeout`` seconds, with their results, as soon as there are any.

        Raise CrewError if workers died at the same job more than MOST_LOSSES times.
        """
        results = super().wait(timeout)
        for _, job_result in results:
            self.nodes += job_result.nodes
            self.peak_mib = max(self.peak_mib, job_result.peak_mib)
        return results

    def job_results(self, timeout: float) -> list[JobResult]:
        """Return the results that wait() returns, without the jobs."""
        return [job_result for _, job_result in self.wait(timeout)]

    def each(self, work: Iterable[Job], stop: Callable[[], bool]) -> Iterator[list[JobResult]]:
        """Do all jobs, and yield lists of results as results arrive.

        A list is empty if no result arrived for TICK seconds. stop: a function that returns whether to submit no more
        jobs. If ``stop`` returns true, the jobs in flight are finished, and Stopped is raised.
        """
        stopped = False

        def asked() -> bool:
            nonlocal stopped
            stopped = stopped or stop()
            return stopped

        for results in self.rounds(work, asked):
            yield [job_result for _, job_result in results]
        if stopped:
            raise Stopped

    def replace_pool(self) -> None:
        """Replace the pool by a new pool."""
        _log.warning("a worker died: starting new workers and submitting the unfinished jobs again")
        super().replace_pool()
