"""The kernel's static bounds: true of every position, for every goal."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.solver.positions import DATA

ROOT = DATA.parents[1]

#: Positions, and the most plies left. `LITTLE_GO_EXAMPLES` asks for more.
NUMBER, MOST_LEFT = int(os.environ.get("LITTLE_GO_EXAMPLES", "5000")), 6


def test_no_bound_is_wrong(tmp_path: Path) -> None:
    if not shutil.which("gcc"):
        pytest.skip("no gcc here: the static bounds are not held against a plain search")
    program = tmp_path / "bounds"
    source = ROOT / "tests" / "solver" / "bounds.c"
    subprocess.run(["gcc", "-std=c11", "-Wall", "-Wextra", "-Werror", "-O2", source, "-o", program], check=True)
    done = subprocess.run([program, "1", str(NUMBER), str(MOST_LEFT)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout
    assert done.stdout == f"{NUMBER} positions, 0 wrong\n"
