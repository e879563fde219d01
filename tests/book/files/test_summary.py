"""The summary of an atlas: who wins and how many positions have each value, by ply."""

from pathlib import Path

from little_go.book.__main__ import main
from little_go.book.files.atlas import Row, summary, summary_text, write_atlas
from little_go.solver.position import PASS, START, Position
from little_go.solver.symmetry import canonical_key, position_of
from tests.background import run_inside


def positions(plies: int) -> list[Position]:
    level = {canonical_key(START)}
    for _ in range(plies):
        afters = (position_of(key).play(move) for key in level for move in position_of(key).legal_moves())
        level = {canonical_key(after) for after in afters if not after.is_over}
    return [position_of(key) for key in sorted(level)]


def atlas() -> list[Row]:
    """Invented values for all positions to ply 2: +3 if White passed or has a stone in the corner, otherwise less."""
    first = [Row(position, 0, 0, (PASS,)) for ply in (0, 1) for position in positions(ply)]
    corner = {0, 4, 20, 24}
    second = []
    for position in positions(2):
        high = position.passed or position.white.bit_length() - 1 in corner
        second.append(Row(position, 3, 24 if position.passed else 3) if high else Row(position, -2, -2))
    return first + second


def test_the_summary_counts() -> None:
    *_, last = record = summary((row.position.ply, row.lo, row.hi) for row in atlas())
    assert [each["positions"] for each in record] == [1, 6, 91]
    assert last["black"] + last["white"] == 91
    assert last["exact"] == sum(last["values"].values()) == 85
    assert "   -2 " in summary_text(record)


def test_the_command_counts(tmp_path: Path) -> None:
    write_atlas(atlas(), tmp_path / "atlas.csv.gz")
    done = run_inside(main, "atlas", str(tmp_path / "atlas.csv.gz"))
    assert done.returncode == 0, done.stderr
    assert "  2         91      85" in done.stdout


def test_a_missing_file_costs_one_line(tmp_path: Path) -> None:
    done = run_inside(main, "atlas", str(tmp_path / "atlas.csv.gz"))
    assert done.returncode != 0
    assert "atlas.csv.gz" in done.stderr.splitlines()[-1]
    assert "Traceback" not in done.stderr
