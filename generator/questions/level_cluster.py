"""The workers of a cluster for LevelRun, and the check of the values that they return.

A worker may be faulty, so each value is checked before it is recorded. A value must be within its question's bounds,
and this process searches a random share of the values again, with a small table. Later, when a block is complete,
LevelRun compares the recorded values with the values of the ply before.
"""

import random
import shlex
import sys
from collections.abc import Callable, Iterator

from little_go.book.store.facts import Entry
from little_go.generator.questions.level_run import LevelJob, Question, Solved, solve
from little_go.generator.workers.search_crew import CrewError, FalseWorker, Pool
from little_go.generator.workers.shared_memory import Shared
from little_go.generator.workers.worker import Job, JobResult
from little_go.runtime.release import requirement
from little_go.solver.answer import LEAST, MOST
from little_go.solver.family import Variant
from little_go.solver.native.kernel import Kernel
from little_go.solver.position import PASS

#: The size of the table of a search that checks a value, in MiB.
_CHECK_MIB = 64


class NoFacts:
    """The empty list of facts that a pool sends to each worker first.

    No facts are needed, because each question contains its bounds.
    """

    def __init__(self, game: Variant, ply: int) -> None:
        self.identity = f"plies{game.plies}-ply{ply}"

    def __iter__(self) -> Iterator[Entry]:
        yield from ()


class LevelCheck:
    """A check of the results of workers. Public attribute: ``searched``, the number of values searched again."""

    def __init__(self, share: float) -> None:
        """share: the share of the values that is searched again, 0 to 1."""
        self.searched = 0
        self._share = share
        # The draw does not use the run's seed, because the workers get that seed and could predict which values are
        # checked.
        self._random = random.SystemRandom()

    def __call__(self, worker: str, host: str, job: Job, job_result: JobResult) -> JobResult:
        """Return the result. Raise FalseWorker if the result is malformed or a value is false."""
        if not isinstance(job, LevelJob) or not _answers_its_job(job, job_result):
            raise FalseWorker(f"{worker} on {host} sent something that is not a result of its job: remove this worker")
        for question, found in zip(job.questions, job_result.result, strict=False):
            if self._random.random() < self._share:
                self._search(worker, host, question, found)
        return job_result

    def _search(self, worker: str, host: str, question: Question, found: Solved) -> None:
        value = solve(Kernel(Shared.make(_CHECK_MIB).table), question).value
        self.searched += 1
        if value != found.value:
            raise FalseWorker(
                f"{worker} on {host} sent the value {found.value:+d} of {question.key}, which is {value:+d} by a search"
                " here: remove this worker, and start again with another --out"
            )

    def settle(self, hurried: bool) -> None:
        """Return at once, because every value has been checked already."""


def _answers_its_job(job: LevelJob, job_result: JobResult) -> bool:
    """Return whether a result answers the first questions of its job, within their bounds."""
    if not isinstance(job_result, JobResult) or job_result.job != job or not isinstance(job_result.result, list):
        return False
    return len(job_result.result) <= len(job.questions) and all(
        isinstance(found, Solved)
        and found.index == question.index
        and type(found.value) is int
        and max(question.lo, LEAST) <= found.value <= min(question.hi, MOST)
        and (found.best is None or (type(found.best) is int and 0 <= found.best <= PASS))
        for question, found in zip(job.questions, job_result.result, strict=False)
    )


def cluster_pool_maker(
    address: str, game: Variant, ply: int, table_mib: int, seed: int, share: float
) -> Callable[[], Pool]:
    """Return a function that makes a pool of a scheduler's workers. Raise CrewError if dask is not installed."""
    # The import is not at the top, because a run on one machine needs no dask and should not wait until dask is
    # imported.
    try:
        from little_go.generator.workers.cluster import ClusterPoolFactory
    except ModuleNotFoundError as error:
        if error.name != "distributed":
            raise
        install = shlex.join([sys.executable, "-m", "pip", "install", requirement("distributed")])
        raise CrewError(f"--scheduler needs dask.distributed: {install}") from None
    return ClusterPoolFactory(address, NoFacts(game, ply), LevelCheck(share), table_mib, 0, seed)
