"""The kernel's node count, and the command that prints it."""

import json
import re
import subprocess
from typing import Any

import pytest
from click.testing import CliRunner, Result

from lab.__main__ import main
from lab.speed import bench
from tests.solver.positions import DATA

ROOT = DATA.parents[1]

#: The files on which the node count of the bench depends.
SOURCES = ("solver/native/kernel.c", "solver/native/kernel*.h", "solver/native/kernel.pyx", "lab/speed/bench.py")


def git(*arguments: str) -> str:
    """Return git's output; skip the test if there is no git or no checkout."""
    try:
        done = subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        pytest.skip("not in a git checkout: nothing says what the bench should be")
    return done.stdout


@pytest.mark.system
def test_bench_is_what_the_log_says() -> None:
    if git("status", "--porcelain", *SOURCES):
        pytest.skip("the kernel or the bench differs from the last commit: commit it with its line `Bench: <nodes>`")
    logged = re.search(r"^Bench: (\d+)$", git("log", "--format=%B", "--", *SOURCES), re.MULTILINE)
    if logged is None:
        pytest.skip("no commit message has a line `Bench: <nodes>` yet")
    result = CliRunner().invoke(main, ["bench"], catch_exceptions=False)
    assert result.exit_code == 0
    last = result.output.splitlines()[-1]
    assert last == logged[0], "a commit that changes the search must end with the new line `Bench: <nodes>`"


def run(*arguments: str) -> Result:
    return CliRunner().invoke(main, arguments)


def record_of(result: Result) -> dict[str, Any]:
    assert result.exit_code == 0, result.output
    record: dict[str, Any] = json.loads(result.stdout)
    return record


def test_bench_ends_with_the_nodes_of_its_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bench, "GAMES", range(8, 13, 2))
    monkeypatch.setattr(bench, "POSITIONS", {8: 2})
    monkeypatch.setattr(bench, "PERFT_DEPTH", 4)
    record = record_of(run("bench", "--json"))
    assert [part["name"] for part in record["parts"]] == [
        "8 plies, +3?",
        "10 plies, +3?",
        "12 plies, +3?",
        "2 positions, 8 left",
    ]
    assert sum(part["nodes"] for part in record["parts"]) == record["bench"]
    lines = run("bench").output.splitlines()
    assert lines[-1] == f"Bench: {record['bench']}"
    assert lines[0].split()[:4] == ["8", "plies,", "+3?", f"{record['parts'][0]['nodes']}"]


def test_bench_of_moves_tells_nodes_and_values(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bench, "MOVES_POSITIONS", {6: 2, 7: 1})
    arguments = ("bench", "--all-moves", "--table", "16MiB")
    record = record_of(run(*arguments, "--json"))
    assert [part["name"] for part in record["parts"]] == ["2 positions, 6 left", "1 positions, 7 left"]
    assert sum(part["nodes"] for part in record["parts"]) == record["moves"]
    assert run(*arguments).output.splitlines()[-1] == f"Moves: {record['moves']}"
    shared = record_of(run(*arguments, "--json", "--workers", "2"))
    assert [part["result"] for part in shared["parts"]] == [part["result"] for part in record["parts"]]


@pytest.mark.parametrize("arguments", [["--all-moves", "--exact"], ["--workers", "2"], ["--table", "64MiB"]])
def test_bench_refuses_options_that_do_not_fit(arguments: list[str]) -> None:
    result = run("bench", *arguments)
    assert result.exit_code == 2
    assert result.stderr.startswith("Error: ")
    assert len(result.stderr.splitlines()) == 1
