"""The kernel's fingerprint."""

import re
import subprocess

import pytest
from click.testing import CliRunner

from solver.__main__ import main
from tests.solver.positions import DATA

ROOT = DATA.parents[1]

#: What the bench's node count depends on.
SOURCES = ("solver/native/kernel.c", "solver/native/kernel.h", "solver/native/kernel.pyx", "solver/bench.py")


def git(*arguments: str) -> str:
    """Return git's output; skip the test where there is no git or no checkout."""
    try:
        done = subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        pytest.skip("not in a git checkout: nothing says what the bench should be")
    return done.stdout


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
