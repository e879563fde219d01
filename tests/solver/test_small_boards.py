"""The kernel for small boards agrees with a plain minimax with its own rules, on all of 3x3 and on random positions of
4x4.
"""

import shutil
import subprocess
from pathlib import Path

import pytest

SOURCE = Path(__file__).with_name("small_boards.c")
NATIVE = SOURCE.parents[2] / "solver" / "native"

#: The number of goals on each side of the value. It includes all goals, because the furthest goal of 4x4 is 30 away.
ALL_GOALS = 31


@pytest.mark.parametrize(
    ("size", "arguments", "positions"),
    [
        pytest.param(3, [ALL_GOALS], 52_211, marks=pytest.mark.long),
        # The position has more plies left than the course's game.
        (3, [2, 14], 3239),
        pytest.param(3, [2, 20], 150_810, marks=pytest.mark.long),
        pytest.param(3, [2, 30], 498_160, marks=pytest.mark.long),
        (4, [2, 1, 300, 5, 30_000], 300),
        pytest.param(4, [2, 1, 2000, 5, 100_000], 2000, marks=pytest.mark.long),
        pytest.param(4, [2, 2, 20_000, 5, 100_000], 20_000, marks=pytest.mark.long),
        pytest.param(4, [ALL_GOALS, 3, 2000, 6, 1_000_000], 2000, marks=pytest.mark.long),
    ],
)
def test_kernel_agrees_with_minimax(tmp_path: Path, size: int, arguments: list[int], positions: int) -> None:
    if not shutil.which("gcc"):
        pytest.skip("no gcc here: the kernel is not held against minimax on small boards")
    program = tmp_path / "small_boards"
    flags = ["-std=c11", "-Wall", "-Wextra", "-Werror", "-O2", f"-DSIZE={size}", f"-I{NATIVE}"]
    subprocess.run(["gcc", *flags, SOURCE, NATIVE / "kernel.c", "-o", program], check=True)
    done = subprocess.run([program, *map(str, arguments)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout
    assert done.stdout == f"{positions} positions, 0 wrong\n"


@pytest.mark.parametrize("size", [2, 6])
def test_other_sizes_do_not_compile(size: int) -> None:
    if not shutil.which("gcc"):
        pytest.skip("no gcc here to refuse a size")
    flags = ["-std=c11", "-fsyntax-only", f"-DSIZE={size}"]
    done = subprocess.run(["gcc", *flags, NATIVE / "kernel.c"], capture_output=True, text=True, check=False)
    assert done.returncode != 0
    assert "the kernel is for boards of 3x3, 4x4 and 5x5" in done.stderr
