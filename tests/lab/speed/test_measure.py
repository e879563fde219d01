"""The measuring command: the sample follows its rule, and the figures are the solver's."""

import json

import pytest
from click.testing import CliRunner, Result

from lab.__main__ import main
from lab.speed import measure
from lab.speed.measure import MeasureError, Sample, measure_positions, sample_positions, summarise
from solver.answer import BLACK_WINS
from solver.exact import ExactSolver
from solver.position import Position


def run(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["measure", *arguments])


def test_the_sample_follows_from_the_seed() -> None:
    sample = list(sample_positions(12, 8, 1))
    assert sample == list(sample_positions(12, 8, 1))
    assert sample != list(sample_positions(12, 8, 2))
    assert len(set(sample)) == 8
    for position in sample:
        position.check()
        assert position.left == 12


def test_a_larger_sample_begins_as_a_smaller_one() -> None:
    assert list(sample_positions(14, 6, 3))[:3] == list(sample_positions(14, 3, 3))


def test_most_games_start_in_the_centre() -> None:
    sample = list(sample_positions(20, 12, 1))
    assert sum(position.black >> 12 & 1 for position in sample) >= 8


def test_too_few_positions_are_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(measure, "_PATIENCE", 50)
    with pytest.raises(MeasureError, match="23 plies left"):
        list(sample_positions(23, 1000, 1))


@pytest.mark.system
def test_the_figures_are_those_of_a_fresh_solver(python: str) -> None:
    positions = list(sample_positions(10, 5, 1))
    samples = list(measure_positions(iter(positions), python))
    assert [sample.position for sample in samples] == positions
    for sample in samples:
        answer = ExactSolver().decide(sample.position, BLACK_WINS)
        assert (sample.wins, sample.nodes) == (answer.at_least(BLACK_WINS), answer.nodes)
        assert sample.seconds > 0


def test_percentiles_are_of_the_sample() -> None:
    samples = [Sample(Position(), True, nodes, nodes / 100) for nodes in range(100, 0, -1)]
    summary = summarise(24, samples)
    assert summary.nodes == [50, 90, 99, 100]
    assert summary.seconds == [0.5, 0.9, 0.99, 1.0]
    assert summary.quick == 0.5
    assert summarise(24, samples[:1]).nodes == [100] * 4


def test_the_table() -> None:
    result = run("8", "6", "--positions", "3", "--seed", "4")
    assert result.exit_code == 0, result.output
    lines = result.stdout.splitlines()
    assert [line.split(" | ")[:2] for line in lines[2:]] == [["| 8", "3"], ["| 6", "3"]]
    assert {line.count("|") for line in lines} == {12}


def test_json() -> None:
    result = run("8", "--positions", "3", "--json")
    record = json.loads(result.stdout)
    assert list(record) == ["left", "positions", "seed", "python", "nodes", "seconds", "within_0.5_s"]
    assert record["within_0.5_s"] == 1


@pytest.mark.parametrize(("python", "said"), [("/no/such/python", "No such file"), ("/bin/false", "without a word")])
def test_a_python_that_cannot_run_is_one_line(python: str, said: str) -> None:
    result = run("8", "--positions", "3", "--python", python)
    assert result.exit_code == 1
    assert result.stderr.startswith("Error: ")
    assert said in result.stderr


@pytest.mark.parametrize("arguments", [[], ["2"], ["8", "--positions", "0"]])
def test_options_that_make_no_sense(arguments: list[str]) -> None:
    assert run(*arguments).exit_code == 2
