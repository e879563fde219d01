"""The forecast of an atlas's cost: a law that is known comes back, and bad logs are refused."""

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from lab.__main__ import main
from lab.speed.forecast import Law, RunSample, forecast, law_of
from tests.background import run_inside

RATE = 2_000_000.0


def growing(power: float, positions: int) -> list[int]:
    """Nodes of each position when the first k of them take 10^6 k^power."""
    return [round(1e6 * ((k + 1) ** power - k**power)) for k in range(positions)]


@pytest.mark.parametrize("power", [0.6, 0.9, 1.0])
def test_a_power_law_comes_back(power: float) -> None:
    law = law_of(RunSample(growing(power, 500), RATE))
    assert law.power == pytest.approx(power, abs=0.005)
    assert law.nodes(500) == pytest.approx(1e6 * 500**power, rel=1e-6)
    assert law.nodes(5000) == pytest.approx(1e6 * 5000**power, rel=0.05)


def test_the_range_runs_from_a_warming_table_to_one_that_warms_no_more() -> None:
    law = law_of(RunSample(growing(0.7, 400), RATE))
    assert law.nodes_at_most(400) == law.nodes(400)
    assert law.nodes_at_most(401) - law.nodes(400) == pytest.approx(law.late)
    (one,) = forecast(law, RATE, 4000, [1], 16, 0.0)
    assert one.nodes[0] < one.nodes[1]
    assert one.seconds == (one.nodes[0] / RATE, one.nodes[1] / RATE)


def test_cores_of_a_machine_wait_for_each_other_and_machines_have_a_table_each() -> None:
    law = Law(factor=1e6, power=0.5, late=1000.0, seen=100)
    one, sixteen, two = forecast(law, RATE, 10_000, [1, 16, 32], 16, 0.05)
    assert (one.machines, sixteen.machines, two.machines) == (1, 1, 2)
    assert one.seconds[0] / sixteen.seconds[0] == pytest.approx(16 / 1.75)
    assert two.nodes[0] == pytest.approx(2**0.5 * sixteen.nodes[0])
    assert sixteen.seconds[0] / two.seconds[0] == pytest.approx(2**0.5)


def log(path: Path, nodes: list[int], **changes: Any) -> Path:
    positions = [{"event": "position", "nodes": each, "seconds": each / RATE, **changes} for each in nodes]
    path.write_text("".join(json.dumps(record) + "\n" for record in [*positions, {"event": "tick"}]))
    return path


def run(path: Path, *options: str) -> "subprocess.CompletedProcess[str]":
    return run_inside(main, "forecast", str(path), "--positions", "94315", *options)


def test_the_command_tells_cores_machines_and_time(tmp_path: Path) -> None:
    path = log(tmp_path / "log", growing(0.9, 300))
    done = run(path, "--cores", "32", "--per-machine", "16")
    assert "k^0.90" in done.stdout
    assert done.stdout.splitlines()[-1].split()[:2] == ["32", "2"]
    (one,) = json.loads(run(path, "--cores", "1", "--json").stdout)
    assert one["seconds"][0] == pytest.approx(1e6 * 94315**0.9 / RATE, rel=0.02)
    (faster,) = json.loads(run(path, "--cores", "1", "--rate", str(2 * RATE), "--json").stdout)
    assert faster["seconds"][0] == pytest.approx(one["seconds"][0] / 2)


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("", "too few"),
        ("rubbish\n", "line 1: not from the log of atlas"),
        ('{"event": "position"}\n', "line 1: not from the log of atlas"),
    ],
)
def test_a_bad_log_gets_one_clear_line(tmp_path: Path, text: str, complaint: str) -> None:
    (tmp_path / "log").write_text(text)
    done = run(tmp_path / "log")
    assert done.returncode == 1
    assert complaint in done.stderr.splitlines()[-1]
    assert "Traceback" not in done.stderr
    assert "No such file" in run(tmp_path / "none").stderr
