"""The comparison of worker counts."""

import json

import pytest
from click.testing import CliRunner

from lab.__main__ import main
from lab.speed.speedup import Trial, speeds, trials


def test_every_number_of_workers_climbs_with_every_seed() -> None:
    found = list(trials(10, [1, 2], 2, 16))
    assert [(trial.workers, trial.seed) for trial in found] == [(1, 0), (2, 0), (1, 1), (2, 1)]
    assert all(trial.nodes > 100 and trial.seconds > 0 for trial in found)


def test_processes_search_the_same_nodes_as_threads() -> None:
    [thread], [process] = (list(trials(12, [1], 1, 16, processes=processes)) for processes in (False, True))
    assert thread.nodes == process.nodes


def test_one_worker_searches_the_same_nodes_again() -> None:
    once, twice = (list(trials(12, [1], 2, 16)) for _ in range(2))
    assert [trial.nodes for trial in once] == [trial.nodes for trial in twice]
    assert once[0].nodes != once[1].nodes


def test_seeds_that_not_all_have_been_through_do_not_count() -> None:
    found = [Trial(1, 0, 10, 4.0), Trial(2, 0, 10, 2.0), Trial(1, 1, 10, 100.0)]
    assert [speed.speedup for speed in speeds(found)] == [1.0, 2.0]
    assert speeds([*found[:1], Trial(2, 1, 10, 1.0)]) == []


def test_json() -> None:
    done = CliRunner().invoke(main, ["bench-workers", "--plies", "8", "--workers", "1", "--seeds", "1", "--json"])
    assert done.exit_code == 0
    [speed] = json.loads(done.stdout)
    assert speed["workers"] == 1
    assert speed["speedup"] == 1.0


@pytest.mark.parametrize("options", [["--plies", "9"], ["--table", "48MiB"]])
def test_bad_options_cost_one_line(options: list[str]) -> None:
    done = CliRunner().invoke(main, ["bench-workers", "--seeds", "1", *options])
    assert done.exit_code == 2
    assert len(done.stderr.splitlines()) == 1
