"""The pool of a cluster's workers and the context of a worker; the tests need no scheduler."""

import asyncio
import os
import sys
import time
from concurrent.futures import CancelledError
from types import SimpleNamespace
from typing import Any, cast

import pytest

pytest.importorskip("distributed", reason="no dask.distributed here: `pip install little-go[cluster]`")

from distributed import KilledWorker
from distributed.comm.core import CommClosedError

from little_go.book.store.facts import Fact
from little_go.generator.workers import cluster
from little_go.generator.workers.cluster import (
    BROADCAST,
    ClusterPool,
    SearchContext,
    WorkerSettings,
    fingerprint,
)
from little_go.generator.workers.search_crew import CrewError, FalseWorker
from little_go.generator.workers.shared_memory import Shared
from little_go.generator.workers.worker import JobResult, QuestionJob
from little_go.solver.answer import Answer
from little_go.solver.native.kernel import Kernel
from little_go.solver.position import START, parse_moves, play_all

WORKER = "tcp://192.0.2.1:40001"

#: A position with 10 plies left, whose value is 3.
LATE = play_all(START, parse_moves("2,2 1,2 2,1 2,3 3,3 1,3 3,4 1,1 1,0 3,2 3,1 1,4 0,0 4,2"))

JOB = QuestionJob(LATE, 3, 10**9)
JOB_RESULT = JobResult(JOB, Answer(3, 24, 23, 5), [], 5, 0.1, 1)


class Remote:
    """A future of dask."""

    key = "job"

    def __init__(self, outcome: JobResult | BaseException) -> None:
        self._outcome = outcome
        self.is_cancelled = False
        self.callbacks: list[Any] = []

    def add_done_callback(self, callback: Any) -> None:
        self.callbacks.append(callback)

    def cancel(self) -> None:
        self.is_cancelled = True

    def result(self, timeout: float) -> JobResult:
        if isinstance(self._outcome, BaseException):
            raise self._outcome
        return self._outcome


class Scheduler:
    """A scheduler, its workers and its client in one object.

    holders: the workers that have the result. there: the workers that are there.
    """

    threads, slots = 6, 8

    def __init__(self, holders: tuple[str, ...] = (WORKER,), there: tuple[str, ...] = (WORKER,)) -> None:
        self.client = self
        self.holders, self.there = holders, there
        self.outcome: JobResult | BaseException = JOB_RESULT
        self.error: Exception | None = None
        self.sent: list[tuple[Any, ...]] = []
        self.remotes: list[Remote] = []

    def _fail(self) -> None:
        if self.error:
            raise self.error

    def forward_logging(self, name: str, level: int) -> None:
        pass

    def submit(self, job: object, key: str) -> Remote:
        self._fail()
        self.remotes.append(Remote(self.outcome))
        return self.remotes[-1]

    def who_has(self, remotes: list[Remote]) -> dict[str, tuple[str, ...]]:
        return {remote.key: self.holders for remote in remotes}

    def nthreads(self) -> dict[str, int]:
        self._fail()
        return dict.fromkeys(self.there, 1)

    def run(self, function: Any, *given: object, wait: bool, on_error: str) -> None:
        self._fail()
        assert (wait, on_error) == (False, "ignore")
        self.sent.append((function.__name__, *given))

    def leave(self) -> None:
        self.sent.append(("leave",))


def pool_of(scheduler: Scheduler, monkeypatch: pytest.MonkeyPatch, check: Any = None) -> ClusterPool:
    monkeypatch.setattr(cluster, "Cluster", lambda *_: scheduler)
    return ClusterPool("tcp://192.0.2.9:8786", WorkerSettings("", 16, 0, 0, "", ()), check)


def test_a_result_is_checked_with_the_name_of_its_worker(monkeypatch: pytest.MonkeyPatch) -> None:
    checked: list[Any] = []

    def check(*given: Any) -> Any:
        checked.append(given)
        return "checked"

    # If several workers have a result, the name of the first is used.
    scheduler = Scheduler(("tcp://192.0.2.7:1", WORKER))
    pool = pool_of(scheduler, monkeypatch, check)
    assert (pool.workers, pool.jobs_at_once) == (6, 8)
    future = pool.submit(JOB)
    assert not future.done()
    (callback,) = scheduler.remotes[0].callbacks
    callback(None)
    assert future.done()
    result: Any = pool.result_of(future, JOB)
    assert result == "checked"
    assert checked == [(WORKER, "192.0.2.1", JOB, JOB_RESULT)]
    with pytest.raises(KeyError):
        pool.result_of(future, JOB)


def test_a_job_that_is_not_wanted_any_more_is_cancelled(monkeypatch: pytest.MonkeyPatch) -> None:
    scheduler = Scheduler()
    pool = pool_of(scheduler, monkeypatch)
    first, second = pool.submit(JOB), pool.submit(JOB)
    assert first.cancel()
    assert [remote.is_cancelled for remote in scheduler.remotes] == [True, False]
    for remote in scheduler.remotes:
        remote.callbacks[0](None)
    assert (first.cancelled(), second.cancelled(), second.done()) == (True, False, True)


@pytest.mark.parametrize("error", [OSError("closed"), TimeoutError("closed"), CommClosedError("closed")])
def test_a_scheduler_that_is_lost_takes_no_job(error: Exception, monkeypatch: pytest.MonkeyPatch) -> None:
    scheduler = Scheduler()
    pool = pool_of(scheduler, monkeypatch)
    scheduler.error = error
    with pytest.raises(CancelledError):
        pool.submit(JOB)
    pool.share_facts([Fact(LATE, 3, 24, 23)])
    pool.stop()


#: The exceptions of a result that means that a worker or the scheduler is lost.
IS_LOST = [
    CancelledError("lost"),
    asyncio.CancelledError("lost"),
    CommClosedError("lost"),
    KilledWorker("job", cast(Any, SimpleNamespace(address=WORKER)), 3),
    OSError("lost"),
    KeyError("lost"),
]


@pytest.mark.parametrize("error", IS_LOST, ids=lambda error: type(error).__name__)
def test_a_lost_worker_is_no_fault(error: BaseException, monkeypatch: pytest.MonkeyPatch) -> None:
    scheduler = Scheduler()
    scheduler.outcome = error
    pool = pool_of(scheduler, monkeypatch)
    future = pool.submit(JOB)
    with pytest.raises(pool.lost):
        pool.result_of(future, JOB)


@pytest.mark.parametrize(
    ("outcome", "holders", "there", "message"),
    [
        (TimeoutError("slow"), (WORKER,), (WORKER,), f"^{WORKER} sends results that cannot be read: remove"),
        (TimeoutError("slow"), (WORKER,), ("tcp://192.0.2.7:1",), None),
        (TimeoutError("slow"), (), (WORKER,), None),
        (JOB_RESULT, (), (WORKER,), None),
        (CrewError("its own"), (WORKER,), (WORKER,), "^its own$"),
        (FalseWorker("its own"), (WORKER,), (WORKER,), "^its own$"),
        (ValueError("odd"), (WORKER,), (WORKER,), r"cannot be read: ValueError\('odd'\)$"),
    ],
)  # fmt: skip
def test_a_result_that_does_not_arrive_is_a_fault_of_a_worker_that_is_there(
    outcome: Any, holders: tuple[str, ...], there: tuple[str, ...], message: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    scheduler = Scheduler(holders, there)
    scheduler.outcome = outcome
    pool = pool_of(scheduler, monkeypatch)
    future = pool.submit(JOB)
    with pytest.raises(CancelledError if message is None else CrewError, match=message):
        pool.result_of(future, JOB)


@pytest.mark.parametrize("error", [OSError("gone"), TimeoutError("gone")])
def test_no_worker_is_there_if_the_scheduler_is_lost(error: Exception, monkeypatch: pytest.MonkeyPatch) -> None:
    scheduler = Scheduler()
    scheduler.outcome = TimeoutError("slow")
    pool = pool_of(scheduler, monkeypatch)
    future = pool.submit(JOB)
    scheduler.error = error
    with pytest.raises(CancelledError):
        pool.result_of(future, JOB)


def test_facts_are_shared_now_and_then(monkeypatch: pytest.MonkeyPatch) -> None:
    now, scheduler = [100.0], Scheduler()
    monkeypatch.setattr(time, "monotonic", lambda: now[0])
    pool = pool_of(scheduler, monkeypatch)
    first, second = Fact(LATE, 3, 24, 23, nodes=7), Fact(LATE, 3, 3, 23, nodes=9)
    after = LATE.play(23)
    pool.share_facts([first])
    now[0] += BROADCAST
    # A position is sent once, with its last fact. A fact without a move is not sent.
    pool.share_facts([second, Fact(after, 3, 24)])
    assert scheduler.sent == []
    now[0] += 0.5
    pool.share_facts([])
    assert scheduler.sent == [("_teach", [(LATE, Answer(3, 3, 23, 0))])]
    now[0] += BROADCAST + 0.5
    pool.share_facts([])
    assert len(scheduler.sent) == 1
    pool.share_facts([first])
    assert scheduler.sent[1:] == [("_teach", [(LATE, Answer(3, 24, 23, 0))])]
    pool.share_facts([first])
    assert len(scheduler.sent) == 2


def test_the_end_reaches_the_check_and_the_scheduler(monkeypatch: pytest.MonkeyPatch) -> None:
    settled: list[bool] = []
    scheduler = Scheduler()
    pool = pool_of(scheduler, monkeypatch, SimpleNamespace(settle=settled.append))
    pool.settle()
    pool.settle(hurried=True)
    pool.stop()
    pool.close(wait=True)
    assert settled == [False, True]
    assert scheduler.sent == [("_stop",), ("leave",)]


def dask_worker(threads: int) -> Any:
    return SimpleNamespace(address=WORKER, state=SimpleNamespace(nthreads=threads))


def test_a_worker_is_ready_and_knows_the_facts_of_the_run() -> None:
    settings = WorkerSettings("store", 16, 10**9, 0, fingerprint(), ((LATE, Answer(3, 3, 23, 0)),))
    context = SearchContext(settings)
    assert context.prepare(dask_worker(10**6)) == ""
    done = context.do(JOB)
    assert (done.job, done.result[:3], done.kept) == (JOB, (3, 3, 23), [])
    assert done.result.nodes < Kernel(Shared.make(16).table).decide(LATE, 3).nodes
    # The kernel of a thread stays, and stops all of its later searches.
    context.stop()
    assert context.do(QuestionJob(START, 3, 10**12)).result[:2] == (-24, 24)


def test_a_worker_that_cannot_be_made_ready_says_why(monkeypatch: pytest.MonkeyPatch) -> None:
    other = SearchContext(WorkerSettings("store", 16, 0, 0, "another", ()))
    assert other.prepare(dask_worker(1)) == f"{WORKER} runs another version of Little-Go"
    context = SearchContext(WorkerSettings("store", 16, 0, 0, fingerprint(), ()))
    for error in (ValueError("too large"), OSError("too large")):

        def make(mib: int, store: str = "", error: Exception = error) -> Shared:
            raise error

        monkeypatch.setattr(Shared, "make", make)
        monkeypatch.setattr(Shared, "of_machine", make)
        assert [context.prepare(dask_worker(threads)) for threads in (1, 10**6)] == ["too large"] * 2


@pytest.mark.parametrize(("threads", "private"), [(1, False), (2, False), (3, True), (4, True)])
def test_the_workers_of_a_machine_share_a_table_unless_one_has_all_cores(
    threads: int, private: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[tuple[object, ...]] = []
    table = Shared.make(16)

    def make(*given: object) -> Shared:
        made.append(given)
        return table

    monkeypatch.setattr(Shared, "make", make)
    monkeypatch.setattr(Shared, "of_machine", make)
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {0, 1, 2})
    monkeypatch.setattr(sys, "platform", "linux")
    assert SearchContext(WorkerSettings("store", 16, 0, 0, fingerprint(), ())).prepare(dask_worker(threads)) == ""
    assert made == ([(16,)] if private else [(16, "store")])
