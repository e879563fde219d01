"""The table of the family: its values agree with plain minimax, and its first moves keep them."""

import csv
import io
import sys
import time
from collections.abc import Iterator

import pytest
from click.testing import CliRunner

from little_go.maker.__main__ import main
from little_go.maker.lengths import COLUMNS, Length, lengths
from little_go.runtime.release import shipped
from little_go.solver.family import COURSE, Variant
from little_go.solver.native.kernel import Kernel
from little_go.solver.native.table import open_table
from little_go.solver.position import parse_move
from tests.solver import minimax


def test_values_and_first_moves() -> None:
    kernel = Kernel(open_table(16))
    began, seconds = time.monotonic(), 0.0
    for length in lengths(10, 1, 16):
        seconds += length.seconds
        assert 0 < seconds <= time.monotonic() - began
        start = Variant(length.plies, komi=COURSE.komi).start
        assert kernel.value(start).value == length.value
        for move in start.legal_moves():
            child = start.play(move)
            reached = child.margin if child.is_over else kernel.value(child).value
            assert reached is not None
            assert reached <= length.value
        for name in length.best:
            child = start.play(parse_move(name))
            assert (child.margin if child.is_over else kernel.value(child).value) == length.value


@pytest.mark.parametrize("plies", [2, pytest.param(4, marks=pytest.mark.long)])
def test_as_plain_minimax(plies: int) -> None:
    *_, last = lengths(plies, 1, 16)
    assert last.value == minimax.value(minimax.START._replace(left=plies))


def test_the_command() -> None:
    done = CliRunner().invoke(main, ["family", "--plies", "6", "--workers", "1", "--csv"])
    assert done.exit_code == 0, done.output
    rows = list(csv.DictReader(io.StringIO(done.stdout)))
    assert [row["plies"] for row in rows] == ["2", "4", "6"]
    assert rows[0]["value"] == "0"
    text = CliRunner().invoke(main, ["family", "--plies", "4", "--workers", "1"]).stdout.splitlines()
    assert len(text) == 3
    assert text[1].split()[:2] == ["2", "+0"]
    done = CliRunner().invoke(main, ["family", "--plies", "5"])
    assert (done.exit_code, done.output) == (2, "Error: --plies is 5: give an even number of plies, 2 to 30\n")


@pytest.mark.parametrize(
    ("options", "row"),
    [(["--csv"], '2,0,"0,0 PASS",14,1.2\n'), ([], "   2     +0           14      1.2 s   0,0 PASS\n")],
)
def test_each_row_is_printed_before_the_next_search(
    monkeypatch: pytest.MonkeyPatch, options: list[str], row: str
) -> None:
    printed: list[str] = []

    def one(*_: object) -> Iterator[Length]:
        yield Length(2, 0, ("0,0", "PASS"), 14, 1.25)
        printed.append(sys.stdout.buffer.getvalue().decode())  # type: ignore[union-attr]

    monkeypatch.setattr("little_go.maker.__main__.lengths", one)
    done = CliRunner().invoke(main, ["family", "--workers", "1", *options])
    assert [text.splitlines(True)[1:] for text in printed] == [[row]], done.output


@pytest.mark.parametrize(("plies", "code"), [(0, 2), (2, 0), (3, 2), (30, 0), (31, 2), (32, 2)])
def test_the_lengths_that_are_taken(monkeypatch: pytest.MonkeyPatch, plies: int, code: int) -> None:
    asked: list[int] = []

    def none(plies: int, *_: object) -> list[object]:
        asked.append(plies)
        return []

    monkeypatch.setattr("little_go.maker.__main__.lengths", none)
    assert CliRunner().invoke(main, ["family", "--plies", str(plies), "--workers", "1"]).exit_code == code
    assert asked == ([] if code else [plies])


def shipped_rows() -> list[dict[str, str]]:
    with shipped("data/family.csv").open(encoding="ascii", newline="") as text:
        return list(csv.DictReader(text))


@pytest.mark.parametrize("longest", [14, pytest.param(30, marks=pytest.mark.long)])
def test_the_table_that_ships_is_what_one_thread_finds(longest: int) -> None:
    # The numbers of nodes change with the kernel. Only the long test compares them, because the file is slow to make.
    omitted = {"seconds": ""} if longest == 30 else {"seconds": "", "nodes": ""}
    wanted = [row | omitted for row in shipped_rows() if int(row["plies"]) <= longest]
    found = (dict(zip(COLUMNS, length.record(), strict=True)) for length in lengths(longest, 1, 256))
    assert [row | omitted for row in found] == wanted
