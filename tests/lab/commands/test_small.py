"""The values on small boards: on 3x3 what plain minimax says, on 4x4 what it says of short games."""

import csv
import io
import shutil

import pytest
from click.testing import CliRunner

from lab.__main__ import main
from tests.solver import minimax


def rows() -> list[dict[str, str]]:
    if not (shutil.which("cc") or shutil.which("gcc")):
        pytest.skip("no C compiler here")
    done = CliRunner().invoke(main, ["small"])
    assert done.exit_code == 0, done.output
    return list(csv.DictReader(io.StringIO(done.stdout)))


def test_small_boards_are_worth_what_plain_minimax_says(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of games so short that plain minimax takes no time; the kernel's own tests go further."""
    found = rows()
    assert [(row["size"], row["plies"]) for row in found if row["size"] == "3"] == [("3", n) for n in "2468"]
    for row in found:
        size, plies, value = int(row["size"]), int(row["plies"]), int(row["value"])
        if plies > (6 if size == 3 else 2):
            continue
        monkeypatch.setattr(minimax, "SIZE", size)
        empty = "." * size * size
        start = minimax.State(empty, empty, "X", plies, False)
        assert minimax.value(start) == value
        for name in row["best"].split():
            point = None if name == "PASS" else size * int(name[0]) + int(name[2])
            after = minimax.after(start, point)
            assert after is not None
            assert minimax.value(after) == value
