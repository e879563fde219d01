"""The kernel's static bounds and its search of the last plies are true for every position and every goal."""

import shutil
import subprocess
from pathlib import Path

import pytest

SOURCE = Path(__file__).with_name("static_bounds.c")


@pytest.mark.parametrize(
    ("seed", "positions", "most_left"), [(1, 60, 6), pytest.param(2, 40_000, 6, marks=pytest.mark.long)]
)
def test_no_bound_is_wrong(tmp_path: Path, seed: int, positions: int, most_left: int) -> None:
    if not shutil.which("gcc"):
        pytest.skip("no gcc here: the static bounds are not held against a plain search")
    program = tmp_path / "static_bounds"
    subprocess.run(["gcc", "-std=c11", "-Wall", "-Wextra", "-Werror", "-O2", SOURCE, "-o", program], check=True)
    numbers = (str(number) for number in (seed, positions, most_left))
    done = subprocess.run([program, *numbers], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout
    assert done.stdout == f"{positions} positions, 0 wrong\n"
