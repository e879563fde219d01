"""``python -m lab small``: the values of the game on 3x3 and 4x4, by the kernel compiled for these boards."""

import csv
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import click

from runtime.errors import BadUsage

SIZES = (3, 4)

#: The columns of the table.
COLUMNS = ("size", "plies", "value", "nodes", "best")

_SOURCE = Path(__file__).parents[1] / "games" / "small_boards.c"
_NATIVE = Path(__file__).parents[2] / "solver" / "native"


def small_values(size: int, compiler: str) -> Iterator[list[str]]:
    """Yield a row of COLUMNS for each length of the game on a board, given a C compiler.

    Raises subprocess.CalledProcessError.
    """
    with tempfile.TemporaryDirectory() as folder:
        program = Path(folder) / "small_boards"
        flags = ["-std=c11", "-O2", f"-DSIZE={size}", f"-I{_NATIVE}"]
        subprocess.run([compiler, *flags, str(_SOURCE), str(_NATIVE / "kernel.c"), "-o", str(program)], check=True)
        done = subprocess.run([program], capture_output=True, text=True, check=True)
    for line in done.stdout.splitlines():
        yield [str(size), *line.split(",", 3)]


@click.command()
def small() -> None:
    """List what the game is worth on 3x3 and 4x4 at every length, with the first moves that keep the value, in CSV.

    It compiles the kernel for these boards, which takes some seconds.
    """
    compiler = shutil.which("cc") or shutil.which("gcc")
    if compiler is None:
        raise BadUsage("no C compiler here: Debian's package gcc has one")
    writer = csv.writer(sys.stdout, lineterminator="\n")
    writer.writerow(COLUMNS)
    for size in SIZES:
        writer.writerows(small_values(size, compiler))
