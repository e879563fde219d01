"""A ply on a cluster: the values are the same as on threads, and a worker that sends false values is reported."""

import subprocess
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from little_go.generator import __main__ as command
from little_go.generator.__main__ import main
from little_go.generator.questions.level_cluster import LevelCheck
from little_go.generator.questions.level_files import folder_of
from little_go.generator.questions.level_run import Level, LevelJob, Question, Solved
from little_go.generator.workers.search_crew import CrewError, Pool, ThreadPool
from little_go.generator.workers.shared_memory import Shared
from little_go.generator.workers.worker import JobResult
from little_go.solver.family import Variant
from tests.background import ROOT, run_inside

GAME = Variant(10, 2.5)

SIZE = ["--plies", "10", "--depth", "2", "--table", "16MiB"]


@pytest.fixture(scope="module")
def values(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    out = tmp_path_factory.mktemp("threads")
    assert run_inside(main, "level", *SIZE, "--out", str(out)).returncode == 0
    return (folder_of(out, 2) / "values").read_bytes()


@pytest.mark.system
def test_a_cluster_finds_what_threads_find(tmp_path: Path, values: bytes) -> None:
    pytest.importorskip("distributed")
    from tools.loopback import Loopback

    loopback = Loopback(tmp_path)
    try:
        options = ["--scheduler", loopback.address, "--recheck", "100%", "--out", str(tmp_path / "out")]
        words = [sys.executable, "-m", "little_go.generator", "level", *SIZE, *options]
        done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, timeout=240)
        assert done.returncode == 0, done.stderr
        assert (folder_of(tmp_path / "out", 2) / "values").read_bytes() == values
    finally:
        loopback.close()


def test_the_workers_of_a_scheduler_search(tmp_path: Path, values: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[object] = []

    def make(*given: object) -> Callable[[], Pool]:
        asked.append(given)
        return partial(ThreadPool, 1, Shared.make(16), 0, 0)

    monkeypatch.setattr(command, "cluster_pool_maker", make)
    options = ["--scheduler", "tcp://192.0.2.1:8786", "--recheck", "25%", "--seed", "7", "--out", str(tmp_path)]
    done = run_inside(main, "level", *SIZE, *options)
    assert done.returncode == 0, done.stderr
    assert (folder_of(tmp_path, 2) / "values").read_bytes() == values
    assert asked == [("tcp://192.0.2.1:8786", GAME, 2, 16, 7, 0.25)]


def job(values: bytes) -> tuple[LevelJob, list[Solved]]:
    """Return a job of two positions, and its true result."""
    keys = Level(GAME, 2, None).keys
    questions = tuple(Question(index, keys[index], -24, values[index] - 24 + index % 2) for index in (40, 41))
    return LevelJob(questions), [Solved(index, values[index] - 24, None) for index in (40, 41)]


def checked(job: LevelJob, result: object) -> LevelCheck:
    check = LevelCheck(1.0)
    check("tcp://192.0.2.1:5", "192.0.2.1", job, JobResult(job, result, [], 1, 0.1, 10))
    return check


def test_true_values_are_searched_again(values: bytes) -> None:
    asked, found = job(values)
    assert checked(asked, found).searched == 2
    assert checked(asked, found[:1]).searched == 1
    assert checked(asked, []).searched == 0


def test_a_false_value_names_the_worker(values: bytes) -> None:
    asked, [first, second] = job(values)
    with pytest.raises(CrewError, match=r"192\.0\.2\.1 sent the value .* by a search here: remove this worker"):
        checked(asked, [first, Solved(second.index, second.value - 1, None)])


def test_what_is_no_result_of_the_job_names_the_worker(values: bytes) -> None:
    asked, [first, second] = job(values)
    for result in (
        None,
        [None],
        [second, first],
        [first, second, second],
        [Solved(first.index, first.value + 1, None)],
        [Solved(first.index, True, None)],
        [Solved(first.index, first.value, 26)],
    ):
        with pytest.raises(CrewError, match="sent something that is not a result of its job"):
            checked(asked, result)
