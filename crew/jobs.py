"""Submit jobs to workers, return the results as they arrive, and repeat lost jobs.

    jobs    -- submit -->   pool: processes or threads of this machine, or a cluster's workers
    results <-- wait ---

A Crew keeps a list of the jobs in flight, which are submitted but not finished. If a worker process is killed, its
whole pool breaks. The crew then makes a new pool and submits the jobs in flight again, so only these jobs are repeated.
"""

import concurrent.futures
import time
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Executor, Future
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from itertools import chain
from typing import ClassVar, Generic, TypeVar

from little_go.crew.workers import WorkerPool
from little_go.runtime.display import Display

_Job = TypeVar("_Job")
_Result = TypeVar("_Result")

#: The number of times that a job is repeated because its worker was lost. After one more loss the run ends.
MOST_LOSSES = 5

#: The number of seconds between two checks whether the run must stop.
TICK = 0.25

#: The number of seconds after which the progress of a run is displayed.
_PATIENCE = 2.0


class LostWorkers(BrokenExecutor):
    """Raised if too many workers were lost while they did the same job. The message is one line."""


class JobLost(Exception):
    """Raised if a job must be repeated and counts as lost, although its pool is not broken."""


class NotYet(Exception):
    """Raised if a job must be submitted again because its worker was not ready. The job does not count as lost."""


class Pool(ABC, Generic[_Job, _Result]):
    """A pool of workers on this machine or on other machines.

    lost: the exceptions that submit() and result_of() raise if the pool is broken. Another pool can do the jobs of a
        broken pool.
    """

    lost: ClassVar[tuple[type[BaseException], ...]] = (BrokenExecutor,)

    @property
    @abstractmethod
    def slots(self) -> int:
        """The number of jobs that keep the workers busy, including the jobs that wait for a free worker."""

    @abstractmethod
    def submit(self, job: _Job) -> "Future[_Result]":
        """Submit a job to the next free worker."""

    def result_of(self, future: "Future[_Result]", job: _Job) -> _Result:
        """Return the result of a finished job, or raise JobLost, NotYet or an exception in ``lost``."""
        return future.result()

    @abstractmethod
    def close(self, wait: bool) -> None:
        """Stop the workers. If ``wait`` is true, let the workers finish their current jobs first."""

    def settle(self, hurried: bool = False) -> None:
        """Wait until the results have been checked. If ``hurried`` is true, wait only for necessary checks."""

    def end(self) -> None:
        """End the current jobs, and stop the workers."""
        self.close(wait=False)


class ExecutorPool(Pool[_Job, _Result]):
    """A pool whose workers belong to an executor of the standard library and call the same function for each job."""

    def __init__(self, executor: Executor, function: Callable[[_Job], _Result], workers: int) -> None:
        """Create a pool from an executor with ``workers`` workers."""
        self._executor, self._function, self._workers = executor, function, workers

    @property
    def slots(self) -> int:
        """The number of jobs that keep the workers busy: one running job and one waiting job for each worker."""
        return 2 * self._workers

    def submit(self, job: _Job) -> "Future[_Result]":
        """Submit a job to the next free worker."""
        return self._executor.submit(self._function, job)

    def close(self, wait: bool) -> None:
        """Stop the workers."""
        self._executor.shutdown(wait=wait, cancel_futures=True)

    def end(self) -> None:
        """Stop the workers. Current jobs are ended if the executor supports this; otherwise wait for these jobs."""
        if isinstance(self._executor, WorkerPool):
            self._executor.end()
        else:
            self.close(wait=True)


@dataclass(eq=False)
class _Submission(Generic[_Job]):
    """A submitted job, and the number of times that its worker was lost."""

    job: _Job
    losses: int = 0


def _lost_workers(job: object, losses: int, why: str) -> Exception:
    return LostWorkers(f"{why}, {losses} times at the same work: start the same command again")


class Crew(Generic[_Job, _Result]):
    """The jobs in flight in a pool. The public attribute ``pool`` is replaced after a loss."""

    def __init__(
        self,
        make_pool: Callable[[], Pool[_Job, _Result]],
        give_up: Callable[[_Job, int, str], Exception] = _lost_workers,
    ) -> None:
        """Create a crew with a new pool.

        - ``make_pool``: a function that returns a new pool, also after a loss.
        - ``give_up``: a function that returns the exception for a job that was lost too often. The function receives
          the job, the number of losses, and the reason for the last loss.
        """
        self._make_pool, self._give_up = make_pool, give_up
        self.pool = make_pool()
        self._in_flight: dict[Future[_Result], _Submission[_Job]] = {}
        self._fault: Exception | None = None

    def __len__(self) -> int:
        return len(self._in_flight)

    @property
    def jobs(self) -> list[_Job]:
        """The jobs in flight."""
        return [submission.job for submission in self._in_flight.values()]

    def submit(self, job: _Job) -> None:
        """Submit a job to the next free worker. The exceptions are the same as for wait()."""
        self._raise_fault()
        self._submit_all([_Submission(job)])

    def _submit_all(self, submissions: Iterable[_Submission[_Job]]) -> None:
        waiting = deque(submissions)
        while waiting:
            submission = waiting.popleft()
            try:
                self._in_flight[self.pool.submit(submission.job)] = submission
            except self.pool.lost:
                waiting.extendleft(reversed(self._with_new_pool([submission])))

    def wait(self, timeout: float) -> list[tuple[_Job, _Result]]:
        """Wait for a finished job for up to ``timeout`` seconds, and return all finished jobs with their results.

        If a job was lost more than MOST_LOSSES times, raise the exception that ``give_up`` returns.
        """
        self._raise_fault()
        if not self._in_flight:
            time.sleep(timeout)
        done, _ = concurrent.futures.wait(self._in_flight, timeout, FIRST_COMPLETED)
        results: list[tuple[_Job, _Result]] = []
        try:
            self._collect(done, results)
        except Exception as error:
            if not results:
                raise
            # Return the finished jobs first, because the caller may keep their results. The next call raises the
            # exception.
            self._fault = error
        return results

    def _raise_fault(self) -> None:
        if self._fault is not None:
            raise self._fault

    def _collect(self, done: Iterable[Future[_Result]], results: list[tuple[_Job, _Result]]) -> None:
        """Append the results of finished jobs to ``results``, and submit lost jobs again."""
        again: list[_Submission[_Job]] = []
        broken: list[_Submission[_Job]] = []
        for future in done:
            submission = self._in_flight.pop(future)
            try:
                results.append((submission.job, self.pool.result_of(future, submission.job)))
            except self.pool.lost:
                broken.append(submission)
            except JobLost as error:
                again.append(self._count_loss(submission, str(error)))
            except NotYet:
                again.append(submission)
        self._submit_all(again)
        if broken:
            self._submit_all(self._with_new_pool(broken))

    def _with_new_pool(self, broken: list[_Submission[_Job]]) -> list[_Submission[_Job]]:
        """Make a new pool, and return the jobs that must be submitted again."""
        # Include all jobs in flight, because the other futures of a broken pool may also fail, or never start.
        submissions = [
            *(self._count_loss(submission, "a worker was killed") for submission in broken),
            *self._in_flight.values(),
        ]
        self._in_flight.clear()
        self.replace_pool()
        return submissions

    def replace_pool(self) -> None:
        """Make a new pool."""
        self.pool.close(wait=False)
        self.pool = self._make_pool()

    def _count_loss(self, submission: _Submission[_Job], why: str) -> _Submission[_Job]:
        submission.losses += 1
        if submission.losses > MOST_LOSSES:
            raise self._give_up(submission.job, submission.losses, why)
        return submission

    def withdraw(self, is_needless: Callable[[_Job], bool]) -> list[_Job]:
        """Withdraw and return all jobs for which ``is_needless`` is true, except jobs that a worker has begun."""
        gone = [
            future for future, submission in self._in_flight.items() if is_needless(submission.job) and future.cancel()
        ]
        return [self._in_flight.pop(future).job for future in gone]

    def rounds(
        self, jobs: Iterable[_Job], stop: Callable[[], bool] = lambda: False
    ) -> Iterator[list[tuple[_Job, _Result]]]:
        """Do all jobs, and yield lists of results as they arrive. If no result arrives for TICK seconds, the list is
        empty.

        If the function ``stop`` returns True, no more jobs are submitted, and only the jobs in flight are finished. The
        exceptions are the same as for wait().
        """
        waiting = iter(jobs)
        left = True
        while left or self._in_flight:
            left = not stop() and left
            while left and len(self._in_flight) < self.pool.slots:
                try:
                    self.submit(next(waiting))
                except StopIteration:
                    left = False
            if self._in_flight:
                yield self.wait(TICK)
        self._raise_fault()

    def results(self, jobs: Iterable[_Job]) -> Iterator[tuple[_Job, _Result]]:
        """Do all jobs, and yield each job with its result. The exceptions are the same as for wait()."""
        return chain.from_iterable(self.rounds(jobs))

    def close(self) -> None:
        """Stop the workers when they have finished their current jobs."""
        self.pool.close(wait=True)


def processes(
    function: Callable[[_Job], _Result], workers: int, start: Callable[..., object] | None = None, *given: object
) -> Callable[[], Pool[_Job, _Result]]:
    """Return a function that makes a pool of local processes. The processes call ``function`` for each job.

    When a process starts, it first calls the function ``start`` with the arguments ``given``, unless ``start`` is None.
    """
    return lambda: ExecutorPool(WorkerPool(workers, start, *given), function, workers)


def each(
    function: Callable[[_Job], _Result],
    jobs: Sequence[_Job],
    workers: int,
    start: Callable[..., object] | None = None,
    *given: object,
    show: str = "",
) -> Iterator[tuple[_Job, _Result]]:
    """Call a function for each job in at most ``workers`` processes, and yield each job with its result.

    When a process starts, it first calls the function ``start`` with the arguments ``given``, unless ``start`` is None.
    If the jobs take long, the progress is displayed with the name ``show`` for the jobs, unless the name is empty. The
    jobs end if the caller closes the generator, or if the user presses Ctrl-C. Raise LostWorkers if a job was lost too
    often. An exception of the function is passed on.
    """
    yield from each_of(processes(function, max(1, min(workers, len(jobs))), start, *given), jobs, show)


def each_of(
    make_pool: Callable[[], Pool[_Job, _Result]], jobs: Sequence[_Job], show: str = ""
) -> Iterator[tuple[_Job, _Result]]:
    """Do all jobs with the workers of the pool that ``make_pool`` returns. In all other respects this is each()."""
    if not jobs:
        return
    with _shown(show) as show_done:
        crew = Crew(make_pool)
        try:
            for done, (job, result) in enumerate(crew.results(jobs), 1):
                show_done(done, len(jobs))
                yield job, result
        finally:
            crew.pool.end()


@contextmanager
def _shown(what: str) -> Iterator[Callable[[int, int], None]]:
    if not what:
        yield lambda done, total: None
        return
    with Display(patience=_PATIENCE) as display:
        yield partial(display.part, what)


def in_order(jobs: Sequence[_Job], results: Iterable[tuple[_Job, _Result]]) -> Iterator[_Result]:
    """Yield the results of jobs in the order of the sequence ``jobs``. All jobs must be different objects."""
    ready: dict[int, _Result] = {}
    waiting = deque(jobs)
    for job, result in results:
        ready[id(job)] = result
        while waiting and id(waiting[0]) in ready:
            yield ready.pop(id(waiting.popleft()))
