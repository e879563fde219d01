"""A preload module for ``dask worker`` that falsifies some of the worker's results.

The environment variable ``LIE`` contains the kind of false results, and ``LIES`` the share of jobs with false results.
"""

import os
import random
from typing import Any, NoReturn

import little_go.generator.workers.cluster as cluster
from little_go.generator.workers.worker import Job, JobResult, WorkerKernel, do_job
from little_go.solver.answer import BLACK_WINS, LEAST, MOST, Answer

# dask can load this module twice, so store the original function outside the module.
_honest = getattr(cluster, "honest", do_job)
cluster.honest = _honest  # type: ignore[attr-defined]
_chance = random.Random(int(os.environ.get("LIE_SEED", "1")))


class _NoPickle(Exception):
    def __reduce__(self) -> NoReturn:
        raise TypeError("this cannot be pickled")


def _fails() -> NoReturn:
    raise ValueError("this cannot be read")


class _NoReading:
    """A result that can be pickled but not unpickled."""

    def __reduce__(self) -> Any:
        return _fails, ()


def _other_winner(answer: Answer) -> Answer:
    lies = (LEAST, BLACK_WINS - 1) if answer.lo >= BLACK_WINS else (BLACK_WINS, MOST)
    return Answer(*lies, answer.best, answer.nodes)


def _lie(job: Job, worker: WorkerKernel) -> Any:
    job_result = _honest(job, worker)
    if _chance.random() >= float(os.environ["LIES"]):
        return job_result
    what = os.environ["LIE"]
    if what == "no result":
        return "x"
    if what == "no pickle":
        raise _NoPickle
    if what == "no reading":
        return _NoReading()
    result = None if what == "none" else _other_winner(job_result.result)
    return JobResult(job, result, [], 1, 0.1, 1)


cluster.do_job = _lie  # type: ignore[attr-defined]


def dask_setup(worker: object) -> None:
    """Do nothing. dask requires that a preload module has this function."""
