"""Each job is done once, even if workers are lost."""

import os
import signal
import threading
import time
from collections.abc import Iterator
from concurrent.futures import BrokenExecutor, Future, ThreadPoolExecutor
from contextlib import nullcontext
from itertools import count
from pathlib import Path
from random import Random
from types import SimpleNamespace

import pytest

from little_go.crew import jobs
from little_go.crew.jobs import MOST_LOSSES, Crew, ExecutorPool, JobLost, LostWorkers, NotYet, Pool, each, in_order

#: By job, the outcomes of its attempts, in order; None is a result.
Fates = dict[int, list[BaseException | None]]


class Fated(Pool[int, int]):
    """A pool of workers that square a number, or fail as the test prescribes."""

    slots = 2

    def __init__(self, fates: Fates, out: list[int]) -> None:
        self._fates, self._out = fates, out
        self.ended = self.closed = False

    def submit(self, job: int) -> "Future[int]":
        if (fates := self._fates.get(job)) and isinstance(fates[0], BrokenExecutor) and fates[0].args == ("at once",):
            raise fates.pop(0)  # type: ignore[misc]
        self._out.append(job)
        future: Future[int] = Future()
        fate = fates.pop(0) if fates else None
        if fate is None:
            future.set_result(job * job)
        else:
            future.set_exception(fate)
        return future

    def close(self, wait: bool) -> None:
        self.closed, self.waited = True, wait


class Hired:
    """A maker of pools, which records the pools and the submitted jobs."""

    def __init__(self, fates: Fates) -> None:
        self._fates = fates
        self.pools: list[Fated] = []
        self.out: list[int] = []

    def __call__(self) -> Fated:
        self.pools.append(Fated(self._fates, self.out))
        return self.pools[-1]


def done(fates: Fates, jobs: list[int]) -> tuple[dict[int, int], Hired]:
    hired = Hired(fates)
    crew = Crew(hired)
    found = [pair for results in crew.rounds(jobs) for pair in results]
    assert len(dict(found)) == len(found), "a job has one result"
    return dict(found), hired


def test_each_job_is_done_once() -> None:
    found, hired = done({}, [1, 2, 3])
    assert (found, sorted(hired.out), len(hired.pools)) == ({1: 1, 2: 4, 3: 9}, [1, 2, 3], 1)


@pytest.mark.parametrize("losses", [1, MOST_LOSSES])
@pytest.mark.parametrize("word", ["", "at once"])
def test_a_lost_pool_is_hired_again_and_its_jobs_are_done(losses: int, word: str) -> None:
    found, hired = done({2: [BrokenExecutor(word) for _ in range(losses)]}, [1, 2, 3])
    assert (found, len(hired.pools)) == ({1: 1, 2: 4, 3: 9}, losses + 1)
    assert [pool.closed for pool in hired.pools] == [True] * losses + [False]


@pytest.mark.parametrize("word", ["", "at once"])
def test_a_job_that_loses_each_worker_ends_the_run(word: str) -> None:
    with pytest.raises(LostWorkers, match=r"^a worker was killed, 6 times at the same work: start the same command"):
        done({2: [BrokenExecutor(word) for _ in range(MOST_LOSSES + 1)]}, [1, 2, 3])


@pytest.mark.parametrize("asked", ["wait", "submit", "the end of rounds"])
def test_an_error_after_results_is_raised_by_the_next_call(asked: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every later call raises the error too. The finished jobs are in the order in which they were submitted."""
    monkeypatch.setattr("concurrent.futures.wait", lambda futures, timeout, when: (list(futures), []))
    crew = Crew(Hired({2: [ValueError("of 2")]}))
    if asked == "the end of rounds":
        found = crew.rounds([1, 2])
        assert next(found) == [(1, 1)]
        with pytest.raises(ValueError, match="of 2"):
            next(found)
        return
    crew.submit(1)
    crew.submit(2)
    assert crew.wait(0.0) == [(1, 1)]
    for _ in range(2):
        with pytest.raises(ValueError, match="of 2"):
            crew.wait(0.0) if asked == "wait" else crew.submit(3)
    assert len(crew) == 0


def test_a_loss_of_a_job_alone_leaves_the_pool() -> None:
    found, hired = done({2: [JobLost("no room") for _ in range(MOST_LOSSES)]}, [1, 2])
    assert (found, len(hired.pools)) == ({1: 1, 2: 4}, 1)
    with pytest.raises(LostWorkers, match=r"^no room, 6 times at the same work"):
        done({2: [JobLost("no room") for _ in range(MOST_LOSSES + 1)]}, [1, 2])


def test_what_is_not_yet_done_is_no_loss() -> None:
    found, hired = done({1: [NotYet() for _ in range(3 * MOST_LOSSES)]}, [1])
    assert (found, hired.out) == ({1: 1}, [1] * (3 * MOST_LOSSES + 1))


def test_no_more_is_handed_out_than_there_are_slots() -> None:
    hired, taken = Hired({}), []

    def jobs() -> Iterator[int]:
        for number in range(9):
            taken.append(number)
            yield number

    crew = Crew(hired)
    rounds = crew.rounds(jobs())
    assert taken == []
    next(rounds)
    assert taken == [0, 1]


def test_a_run_that_is_asked_to_stop_hands_out_no_more() -> None:
    asked = count()
    found = [pair for results in Crew(Hired({})).rounds(range(9), lambda: next(asked) > 0) for pair in results]
    assert sorted(found) == [(0, 0), (1, 1)]


def test_results_are_put_in_the_order_of_their_jobs() -> None:
    jobs = [[number] for number in range(9)]
    mixed = [(job, job[0]) for job in jobs]
    Random(3).shuffle(mixed)
    assert list(in_order(jobs, mixed)) == list(range(9))


def _die_at_first(path: Path) -> str:
    """Kill this process on the first call with a path."""
    if not path.exists():
        path.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return path.name


def test_a_killed_process_costs_a_repetition(tmp_path: Path) -> None:
    paths = [tmp_path / name for name in "abcde"]
    (tmp_path / "b").touch()
    assert sorted(each(_die_at_first, paths, 1)) == [(path, path.name) for path in paths]


def _die(job: int) -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def test_a_job_that_kills_each_process_is_one_line() -> None:
    with pytest.raises(LostWorkers, match=r"^a worker was killed, 6 times at the same work: .*"):
        list(each(_die, [1], 1))


def _fail(job: int) -> None:
    raise ValueError(job)


def test_what_a_function_raises_arrives() -> None:
    with pytest.raises(ValueError, match="7"):
        list(each(_fail, [7], 1))


def test_results_that_nobody_wants_any_more_end_the_work() -> None:
    begun = time.monotonic()
    results = each(time.sleep, [0, 20, 20], 2)
    assert next(results) == (0, None)
    results.close()  # type: ignore[attr-defined]
    assert time.monotonic() - begun < 10


def test_the_progress_counts_the_jobs_that_are_done(monkeypatch: pytest.MonkeyPatch) -> None:
    shown: list[tuple[str, int, int]] = []
    display = nullcontext(SimpleNamespace(part=lambda what, done, total: shown.append((what, done, total))))
    monkeypatch.setattr(jobs, "Display", lambda patience: display)
    assert dict(each(abs, [-5, -6, -7], 1, show="numbers")) == {-5: 5, -6: 6, -7: 7}
    assert shown == [("numbers", done, 3) for done in (1, 2, 3)]


def test_no_job_takes_no_process() -> None:
    assert list(each(_die, [], 3)) == []


def test_a_worker_has_a_running_job_and_a_waiting_one() -> None:
    with ThreadPoolExecutor(3) as executor:
        assert ExecutorPool(executor, abs, 3).slots == 6


def test_the_end_of_a_pool_does_not_wait_for_its_jobs() -> None:
    pool = Fated({}, [])
    pool.end()
    assert (pool.closed, pool.waited) == (True, False)


@pytest.mark.parametrize("stop", ["end", "wait", "leave"])
def test_a_pool_of_an_executor_finishes_its_current_job_and_cancels_the_others(stop: str) -> None:
    begun, may_end = threading.Event(), threading.Event()

    def work(job: int) -> int:
        begun.set()
        assert may_end.wait(20)
        return job

    pool = ExecutorPool(ThreadPoolExecutor(1), work, 1)
    current, waiting = pool.submit(1), pool.submit(2)
    assert begun.wait(20)
    if stop != "leave":
        threading.Timer(0.1, may_end.set).start()
    if stop == "end":
        pool.end()
    else:
        pool.close(wait=stop == "wait")
    # close(wait=False) does not wait for the current job.
    assert current.done() == (stop != "leave")
    may_end.set()
    assert current.result(20) == 1
    assert waiting.cancelled()


def test_a_crew_without_jobs_waits_for_the_whole_time(monkeypatch: pytest.MonkeyPatch) -> None:
    slept: list[float] = []
    crew = Crew(Hired({}))
    monkeypatch.setattr(time, "sleep", slept.append)
    assert (crew.wait(5), slept) == ([], [5])
    crew.submit(3)
    assert crew.jobs == [3]
    assert (crew.wait(5), slept) == ([(3, 9)], [5])
    assert crew.jobs == []


def test_an_error_of_a_job_is_raised_at_once_if_there_is_no_result() -> None:
    crew = Crew(Hired({1: [ValueError("no")]}))
    crew.submit(1)
    with pytest.raises(ValueError, match=r"^no$"):
        crew.wait(5)


def test_a_broken_pool_is_replaced_without_waiting_for_it() -> None:
    hired = Hired({1: [BrokenExecutor("lost")]})
    assert list(Crew(hired).results([1])) == [(1, 1)]
    assert [pool.closed for pool in hired.pools] == [True, False]
    assert not hired.pools[0].waited


def test_needless_jobs_that_no_worker_has_begun_are_withdrawn() -> None:
    begun, may_end = threading.Event(), threading.Event()

    def work(job: int) -> int:
        begun.set()
        assert may_end.wait(20)
        return job

    crew = Crew(lambda: ExecutorPool(ThreadPoolExecutor(1), work, 1))
    for job in (1, 2, 3):
        crew.submit(job)
    assert begun.wait(20)
    assert crew.withdraw(lambda job: job != 3) == [2]
    assert crew.jobs == [1, 3]
    may_end.set()
    results = []
    while crew.jobs:
        results += crew.wait(20)
    crew.close()
    assert sorted(results) == [(1, 1), (3, 3)]
