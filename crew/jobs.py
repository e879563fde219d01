"""Hand jobs to workers, return results as they come, and repeat lost jobs.

    jobs    -- submit -->   pool: processes or threads here, or a cluster's workers
    results <-- wait ---    those in flight are known here, so that a lost worker costs its jobs a repetition

A killed worker breaks a whole pool of processes. The crew then makes a new one and submits the jobs in flight again.
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

from crew.workers import WorkerPool
from runtime.display import Display

_Job = TypeVar("_Job")
_Result = TypeVar("_Result")

#: How often a job is repeated after the loss of its worker, before the run gives up.
MOST_LOSSES = 5

#: Seconds between checks whether to stop, while jobs run.
TICK = 0.25

#: Seconds of work before progress is shown.
_PATIENCE = 2.0


class LostWorkers(BrokenExecutor):
    """A job that lost every worker that it was given to; the message is one line."""


class JobLost(Exception):
    """A job to be repeated, though its pool is whole; it counts as a loss."""


class NotYet(Exception):
    """A job to be submitted again without counting a loss: its worker was not ready."""


class Pool(ABC, Generic[_Job, _Result]):
    """Workers, wherever they are.

    lost: the exceptions of submit() and take() when the pool is gone; hired again, it takes the same jobs.
    """

    lost: ClassVar[tuple[type[BaseException], ...]] = (BrokenExecutor,)

    @property
    @abstractmethod
    def slots(self) -> int:
        """The number of jobs that keep the workers busy, the next ones included."""

    @abstractmethod
    def submit(self, job: _Job) -> "Future[_Result]":
        """Submit a job to the next free worker."""

    def take(self, future: "Future[_Result]", job: _Job) -> _Result:
        """Return the result of a finished job; raises the exceptions of ``lost``, JobLost and NotYet."""
        return future.result()

    @abstractmethod
    def close(self, wait: bool) -> None:
        """Stop the workers, after their current jobs if ``wait``."""

    def settle(self, hurried: bool = False) -> None:
        """Wait until the results have been checked. hurried: only for the necessary ones."""

    def end(self) -> None:
        """End the current jobs, and stop the workers."""
        self.close(wait=False)


class ExecutorPool(Pool[_Job, _Result]):
    """Workers of an executor of the standard library, for one function."""

    def __init__(self, executor: Executor, function: Callable[[_Job], _Result], workers: int) -> None:
        """workers: the executor's number."""
        self._executor, self._function, self._workers = executor, function, workers

    @property
    def slots(self) -> int:
        """The number of jobs that keep the workers busy: the next ones are queued already."""
        return 2 * self._workers

    def submit(self, job: _Job) -> "Future[_Result]":
        """Submit a job to the next free worker."""
        return self._executor.submit(self._function, job)

    def close(self, wait: bool) -> None:
        """Stop the workers."""
        self._executor.shutdown(wait=wait, cancel_futures=True)

    def end(self) -> None:
        """End the current jobs, as far as the executor can, and stop the workers."""
        if isinstance(self._executor, WorkerPool):
            self._executor.end()
        else:
            self.close(wait=True)


@dataclass(eq=False)
class _Order(Generic[_Job]):
    """A submitted job. losses: how often its worker was lost."""

    job: _Job
    losses: int = 0


def _gone(job: object, losses: int, why: str) -> Exception:
    return LostWorkers(f"{why}, {losses} times at the same work: start the same command again")


class Crew(Generic[_Job, _Result]):
    """Jobs in flight in a pool. Public attribute: ``pool``, replaced after a loss."""

    def __init__(
        self,
        hire: Callable[[], Pool[_Job, _Result]],
        give_up: Callable[[_Job, int, str], Exception] = _gone,
    ) -> None:
        """hire: makes a pool, again after a loss. give_up: makes a job's error from its losses and the reason."""
        self._hire, self._give_up = hire, give_up
        self.pool = hire()
        self._orders: dict[Future[_Result], _Order[_Job]] = {}
        self._fault: Exception | None = None

    def __len__(self) -> int:
        return len(self._orders)

    @property
    def jobs(self) -> list[_Job]:
        """The jobs in flight."""
        return [order.job for order in self._orders.values()]

    def submit(self, job: _Job) -> None:
        """Submit a job to the next free worker; raises as wait() does."""
        self._check()
        self._hand_out([_Order(job)])

    def _hand_out(self, orders: Iterable[_Order[_Job]]) -> None:
        waiting = deque(orders)
        while waiting:
            order = waiting.popleft()
            try:
                self._orders[self.pool.submit(order.job)] = order
            except self.pool.lost:
                waiting.extendleft(reversed(self._rehired([order])))

    def wait(self, timeout: float) -> list[tuple[_Job, _Result]]:
        """Return the jobs done within ``timeout`` seconds with their results, at once when there are some.

        Raises the error of ``give_up`` when a job's worker was lost more than MOST_LOSSES times.
        """
        self._check()
        if not self._orders:
            time.sleep(timeout)
        done, _ = concurrent.futures.wait(self._orders, timeout, FIRST_COMPLETED)
        results: list[tuple[_Job, _Result]] = []
        try:
            self._sort(done, results)
        except Exception as error:
            if not results:
                raise
            # Jobs done by then come first: their results may be kept.
            self._fault = error
        return results

    def _check(self) -> None:
        if self._fault is not None:
            raise self._fault

    def _sort(self, done: Iterable[Future[_Result]], results: list[tuple[_Job, _Result]]) -> None:
        """Add the results of finished jobs, and submit lost ones again."""
        again: list[_Order[_Job]] = []
        broken: list[_Order[_Job]] = []
        for future in done:
            order = self._orders.pop(future)
            try:
                results.append((order.job, self.pool.take(future, order.job)))
            except self.pool.lost:
                broken.append(order)
            except JobLost as error:
                again.append(self._lost(order, str(error)))
            except NotYet:
                again.append(order)
        self._hand_out(again)
        if broken:
            self._hand_out(self._rehired(broken))

    def _rehired(self, broken: list[_Order[_Job]]) -> list[_Order[_Job]]:
        """Make a new pool, and return the jobs to submit again."""
        # A pool's other futures may fail too, or never start.
        orders = [*(self._lost(order, "a worker was killed") for order in broken), *self._orders.values()]
        self._orders.clear()
        self.rehire()
        return orders

    def rehire(self) -> None:
        """Make a new pool."""
        self.pool.close(wait=False)
        self.pool = self._hire()

    def _lost(self, order: _Order[_Job], why: str) -> _Order[_Job]:
        order.losses += 1
        if order.losses > MOST_LOSSES:
            raise self._give_up(order.job, order.losses, why)
        return order

    def forget(self, vain: Callable[[_Job], bool]) -> list[_Job]:
        """Withdraw and return the jobs for which ``vain`` is true, but for those that a worker has begun."""
        gone = [future for future, order in self._orders.items() if vain(order.job) and future.cancel()]
        return [self._orders.pop(future).job for future in gone]

    def rounds(
        self, jobs: Iterable[_Job], stop: Callable[[], bool] = lambda: False
    ) -> Iterator[list[tuple[_Job, _Result]]]:
        """Do all jobs, and yield lists of results as they come, now and then an empty one.

        stop: whether to submit no more; jobs in flight are waited for. Raises as wait() does.
        """
        waiting = iter(jobs)
        left = True
        while left or self._orders:
            left = not stop() and left
            while left and len(self._orders) < self.pool.slots:
                try:
                    self.submit(next(waiting))
                except StopIteration:
                    left = False
            if self._orders:
                yield self.wait(TICK)
        self._check()

    def results(self, jobs: Iterable[_Job]) -> Iterator[tuple[_Job, _Result]]:
        """Do all jobs, and yield each with its result; raises as wait() does."""
        return chain.from_iterable(self.rounds(jobs))

    def close(self) -> None:
        """Stop the workers, after their current jobs."""
        self.pool.close(wait=True)


def processes(
    function: Callable[[_Job], _Result], workers: int, start: Callable[..., object] | None = None, *given: object
) -> Callable[[], Pool[_Job, _Result]]:
    """Return a function that hires local processes for a function; start: each calls it first, with ``given``."""
    return lambda: ExecutorPool(WorkerPool(workers, start, *given), function, workers)


def each(
    function: Callable[[_Job], _Result],
    jobs: Sequence[_Job],
    workers: int,
    start: Callable[..., object] | None = None,
    *given: object,
    show: str = "",
) -> Iterator[tuple[_Job, _Result]]:
    """Do a function of each job in processes, and yield jobs with results as they come.

    workers: the most. start: each process calls it first, with ``given``. show: the name of the jobs, whose number is
        shown when they take long. A closed generator, by Ctrl-C too, ends its jobs.
    Raises LostWorkers, and the function's exceptions.
    """
    yield from each_of(processes(function, max(1, min(workers, len(jobs))), start, *given), jobs, show)


def each_of(
    hire: Callable[[], Pool[_Job, _Result]], jobs: Sequence[_Job], show: str = ""
) -> Iterator[tuple[_Job, _Result]]:
    """Do each job by the workers that ``hire`` returns; as each()."""
    if not jobs:
        return
    with _shown(show) as tell:
        crew = Crew(hire)
        try:
            for done, (job, result) in enumerate(crew.results(jobs), 1):
                tell(done, len(jobs))
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
    """Yield the results of jobs, which are different objects, in the jobs' order."""
    ready: dict[int, _Result] = {}
    waiting = deque(jobs)
    for job, result in results:
        ready[id(job)] = result
        while waiting and id(waiting[0]) in ready:
            yield ready.pop(id(waiting.popleft()))
