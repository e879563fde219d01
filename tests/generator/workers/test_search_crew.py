"""The crew when its workers die."""

from concurrent.futures import Future
from concurrent.futures.process import BrokenProcessPool
from functools import partial

import pytest

from little_go.crew.jobs import MOST_LOSSES
from little_go.generator.workers.search_crew import Crew, CrewError, Pool, ThreadPool
from little_go.generator.workers.shared_memory import Shared
from little_go.generator.workers.worker import Job, JobResult, QuestionJob
from little_go.solver.answer import Answer
from little_go.solver.family import COURSE
from little_go.solver.position import START, Position

JOB = QuestionJob(Position(ply=16), 3, 1000)
JOB_RESULT = JobResult(JOB, Answer(-4, 2, 0, 1), [], 1, 0.0, 20)


class Fated(Pool):
    """A pool whose jobs have given outcomes: a result for True, a dead worker for False, no submission for None."""

    lost = (BrokenProcessPool,)
    workers = 2

    def __init__(self, fates: list[bool | None]) -> None:
        self._fates = fates

    def close(self, wait: bool) -> None:
        pass

    def submit(self, job: Job) -> "Future[JobResult]":
        future: Future[JobResult] = Future()
        fate = self._fates.pop(0)
        if fate is None:
            raise BrokenProcessPool
        if fate:
            future.set_result(JOB_RESULT)
        else:
            future.set_exception(BrokenProcessPool())
        return future


def crew_of(fates: list[bool | None]) -> Crew:
    return Crew(lambda: Fated(fates))


def test_threads_tell_their_nodes_and_stop_when_told() -> None:
    crew = Crew(partial(ThreadPool, 2, Shared.make(16), 100_000, 0))
    for _ in range(2):
        crew.submit(QuestionJob(START, 3, 10**12))
    while crew.live_nodes < 3_000_000:
        assert crew.job_results(0.01) == []
    assert crew.nodes == 0
    crew.pool.stop()
    job_results = []
    while len(crew):
        job_results += crew.job_results(5)
    assert [COURSE.winner(job_result.result) for job_result in job_results] == [None, None]
    assert crew.nodes == crew.live_nodes == sum(job_result.nodes for job_result in job_results)
    crew.close()


def test_equal_jobs_survive_many_deaths_as_long_as_work_goes_on() -> None:
    rounds = 10
    crew = crew_of([False, False, True, True] * rounds)
    for _ in range(rounds):
        crew.submit(JOB)
        crew.submit(JOB)
        assert crew.job_results(1) == []
        assert len(crew) == 2
        assert crew.job_results(1) == [JOB_RESULT, JOB_RESULT]


def test_a_job_that_kills_every_worker_ends_the_run() -> None:
    crew = crew_of([False] * (MOST_LOSSES + 1))
    crew.submit(JOB)
    for _ in range(MOST_LOSSES):
        assert crew.job_results(1) == []
    with pytest.raises(CrewError, match=r"a worker died \d+ times at the same job, .* give a smaller --table"):
        crew.job_results(1)


def test_a_pool_lost_at_a_submission_takes_no_job_with_it() -> None:
    crew = crew_of([False, False, None, False, None, True, True, True])
    for _ in range(3):
        crew.submit(JOB)
    assert len(crew) == 3
    assert crew.job_results(1) == [JOB_RESULT] * 3


def test_a_pool_that_takes_no_job_ends_the_run() -> None:
    crew = crew_of([None] * (MOST_LOSSES + 1))
    with pytest.raises(CrewError, match=r"a worker died \d+ times at the same job, .* give a smaller --table"):
        crew.submit(JOB)
