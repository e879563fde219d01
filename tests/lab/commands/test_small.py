"""The values on small boards agree with plain minimax: on 3x3 for all games, on 4x4 for short games."""

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


@pytest.mark.system
def test_small_boards_are_worth_what_plain_minimax_says(monkeypatch: pytest.MonkeyPatch) -> None:
    """The games are so short that plain minimax takes no time. The kernel's own tests have longer games."""
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
        points = [None if name == "PASS" else size * int(name[0]) + int(name[2]) for name in row["best"].split()]
        after = dict(minimax.successors(start))
        named = [alike(after[point]) for point in points]
        # Of symmetric moves one is listed, and no move is omitted.
        assert sorted(named) == sorted({alike(child) for child in after.values() if minimax.value(child) == value})


def alike(state: minimax.State) -> tuple[str, bool]:
    """Return the same value for symmetric positions: the least of their boards, and whether the last ply was a PASS."""
    size, boards = minimax.SIZE, [state.board]
    for _ in range(3):
        boards.append(
            "".join(boards[-1][size * (size - 1 - column) + row] for row in range(size) for column in range(size))
        )
    mirrored = ["".join(board[at : at + size][::-1] for at in range(0, size * size, size)) for board in boards]
    return min(*boards, *mirrored), state.passed
