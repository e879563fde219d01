"""Submit jobs to workers, return results as they arrive, and repeat lost jobs.

    jobs    -- submit -->   pool: processes or threads of this machine, or a cluster's workers
    results <-- wait ---

A Crew keeps a list of the jobs in flight. A killed worker breaks a whole pool of processes. The crew then makes a new
pool and submits the jobs in flight again, so a lost worker costs only a repetition of its jobs.
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

#: The number of times that a job is repeated after the loss of its worker. After one more loss the run ends.
MOST_LOSSES = 5

#: Seconds between checks whether to stop, while jobs run.
TICK = 0.25

#: Seconds of work before progress is displayed.
_PATIENCE = 2.0


class LostWorkers(BrokenExecutor):
    """Raised if a job has lost too many workers; the message is one line."""


class JobLost(Exception):
    """Raised if a job must be repeated and counts as lost, although its pool still works."""


class NotYet(Exception):
    """Raised if a job must be submitted again without counting as lost, because its worker was not ready."""


class Pool(ABC, Generic[_Job, _Result]):
    """Workers on this machine or others.

    lost: the exceptions that submit() and result_of() raise if the pool is broken. A new pool can do the same jobs.
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
        """Return the result of a finished job; raises JobLost, NotYet and the exceptions in ``lost``."""
        return future.result()

    @abstractmethod
    def close(self, wait: bool) -> None:
        """Stop the workers. wait: whether to let them finish their current jobs first."""

    def settle(self, hurried: bool = False) -> None:
        """Wait until the results have been checked. hurried: wait only for necessary checks."""

    def end(self) -> None:
        """End the current jobs, and stop the workers."""
        self.close(wait=False)


class ExecutorPool(Pool[_Job, _Result]):
    """The workers of an executor of the standard library, which all call one function."""

    def __init__(self, executor: Executor, function: Callable[[_Job], _Result], workers: int) -> None:
        """workers: the number of the executor's workers."""
        self._executor, self._function, self._workers = executor, function, workers

    @property
    def slots(self) -> int:
        """The number of jobs that keep the workers busy, which is a running and a waiting job for each worker."""
        return 2 * self._workers

    def submit(self, job: _Job) -> "Future[_Result]":
        """Submit a job to the next free worker."""
        return self._executor.submit(self._function, job)

    def close(self, wait: bool) -> None:
        """Stop the workers."""
        self._executor.shutdown(wait=wait, cancel_futures=True)

    def end(self) -> None:
        """End the current jobs if the executor can, and stop the workers; otherwise wait for the current jobs."""
        if isinstance(self._executor, WorkerPool):
            self._executor.end()
        else:
            self.close(wait=True)


@dataclass(eq=False)
class _Submission(Generic[_Job]):
    """A submitted job. losses: the number of times that its worker was lost."""

    job: _Job
    losses: int = 0


def _lost_workers(job: object, losses: int, why: str) -> Exception:
    return LostWorkers(f"{why}, {losses} times at the same work: start the same command again")


class Crew(Generic[_Job, _Result]):
    """Jobs in flight in a pool. Public attribute: ``pool``, which is replaced after a loss."""

    def __init__(
        self,
        make_pool: Callable[[], Pool[_Job, _Result]],
        give_up: Callable[[_Job, int, str], Exception] = _lost_workers,
    ) -> None:
        """make_pool: a function that returns a new pool. It is called again after a loss.

        give_up: a function that returns the error for a job, given the number of its losses and the reason of the last
        loss.
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
        """Submit a job to the next free worker; raises the exceptions of wait()."""
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
        """Return the jobs that finish within ``timeout`` seconds, with their results, as soon as there are any.

        Raises the error of ``give_up`` if a job's worker was lost more than MOST_LOSSES times.
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
            # First return the finished jobs, because the caller may keep their results. The next call raises the error.
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
        """Make a new pool, and return the jobs to submit again."""
        # The other futures of a broken pool may fail too, or never start.
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
        """Withdraw and return the needless jobs, except jobs that a worker has begun."""
        gone = [
            future for future, submission in self._in_flight.items() if is_needless(submission.job) and future.cancel()
        ]
        return [self._in_flight.pop(future).job for future in gone]

    def rounds(
        self, jobs: Iterable[_Job], stop: Callable[[], bool] = lambda: False
    ) -> Iterator[list[tuple[_Job, _Result]]]:
        """Do all jobs, and yield lists of results as they arrive; a list is empty if nothing arrived for TICK seconds.

        stop: a function that returns whether to submit no more jobs. Then only the jobs in flight are finished. Raises
        the exceptions of wait().
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
        """Do all jobs, and yield each job with its result; raises the exceptions of wait()."""
        return chain.from_iterable(self.rounds(jobs))

    def close(self) -> None:
        """Stop the workers, after their current jobs."""
        self.pool.close(wait=True)


def processes(
    function: Callable[[_Job], _Result], workers: int, start: Callable[..., object] | None = None, *given: object
) -> Callable[[], Pool[_Job, _Result]]:
    """Return a function that makes a pool of local processes.

    function: the function that does a job. start: the function that each process calls first, with the arguments
    ``given``; None for no such call.
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
    """Call a function for each job in processes, and yield jobs with results as they arrive.

    workers: the maximum number of processes. start: the function that each process calls first, with the arguments
    ``given``; None for no such call. show: the name of the jobs in the display, which appears if the jobs take long; ""
    for no display. Closing the generator ends its jobs; a Ctrl-C closes it too. Raises LostWorkers, and the function's
    exceptions.
    """
    yield from each_of(processes(function, max(1, min(workers, len(jobs))), start, *given), jobs, show)


def each_of(
    make_pool: Callable[[], Pool[_Job, _Result]], jobs: Sequence[_Job], show: str = ""
) -> Iterator[tuple[_Job, _Result]]:
    """Do each job by the workers of the pool that ``make_pool`` returns. The rest is the same as in each()."""
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
    """Yield the results of jobs in the order of ``jobs``, which must be different objects."""
    ready: dict[int, _Result] = {}
    waiting = deque(jobs)
    for job, result in results:
        ready[id(job)] = result
        while waiting and id(waiting[0]) in ready:
            yield ready.pop(id(waiting.popleft()))
