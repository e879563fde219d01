"""The picture of an atlas: every position is drawn once, with its value."""

import re
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest

from book.__main__ import main
from book.drawing.sheet import sheet_svg
from book.files.atlas import Row, summary, summary_text, write_atlas
from solver.position import PASS, START, Position
from solver.symmetry import canonical_key, position_of
from tests.background import run_inside

SVG = "{http://www.w3.org/2000/svg}"


def positions(plies: int) -> list[Position]:
    level = {canonical_key(START)}
    for _ in range(plies):
        afters = (position_of(key).play(move) for key in level for move in position_of(key).legal_moves())
        level = {canonical_key(after) for after in afters if not after.is_over}
    return [position_of(key) for key in sorted(level)]


def atlas() -> list[Row]:
    """Made-up values, for all positions to ply 2: +3 where White passed or is in the corner, else less."""
    first = [Row(position, 0, 0, (PASS,)) for ply in (0, 1) for position in positions(ply)]
    corner = {0, 4, 20, 24}
    second = []
    for position in positions(2):
        high = position.passed or position.white.bit_length() - 1 in corner
        second.append(Row(position, 3, 24 if position.passed else 3) if high else Row(position, -2, -2))
    return first + second


def texts(svg: str, style: str) -> list[str]:
    return [
        element.text or ""
        for element in ElementTree.fromstring(svg).iter(f"{SVG}text")
        if style in element.get("class", "").split()
    ]


def test_every_position_is_drawn_with_its_value() -> None:
    svg = sheet_svg(atlas())
    values = texts(svg, "value")
    assert len(values) == 91
    assert values.count("≥+3 pass") == 6
    assert values.count("\N{MINUS SIGN}2") == sum(row.lo == -2 for row in atlas())
    drawn = ElementTree.fromstring(svg).findall(f"{SVG}rect")
    framed = [rect for rect in drawn if rect.get("class") == "won"]
    assert len(framed) == sum(row.lo == 3 for row in atlas()) == len(texts(svg, "black"))


def test_the_replies_stand_by_first_move() -> None:
    headings = [text for text in texts(sheet_svg(atlas()), "heading") if text.startswith("After")]
    found = {}
    for text in headings:
        match = re.fullmatch(r"After (\d,\d), worth 0: the (\d+) replies of White, the best first", text)
        assert match
        found[match[1]] = int(match[2])
    assert found == {"0,0": 15, "0,1": 25, "0,2": 15, "1,1": 15, "1,2": 15, "2,2": 6}


def test_each_ply_has_its_chart() -> None:
    svg = sheet_svg(atlas())
    assert {"Ply 0", "Ply 1", "Ply 2"} <= set(texts(svg, "heading"))
    assert "85 of 91 exact" in texts(svg, "small")


def test_the_summary_counts() -> None:
    *_, last = record = summary((row.position.ply, row.lo, row.hi) for row in atlas())
    assert [each["positions"] for each in record] == [1, 6, 91]
    assert last["black"] + last["white"] == 91
    assert last["exact"] == sum(last["values"].values()) == 85
    assert "   -2 " in summary_text(record)


def test_the_command_draws_and_counts(tmp_path: Path) -> None:
    write_atlas(atlas(), tmp_path / "atlas.csv.gz")
    done = run_inside(main, "atlas", str(tmp_path / "atlas.csv.gz"), "--svg", str(tmp_path / "out.svg"))
    assert done.returncode == 0, done.stderr
    assert "  2         91      85" in done.stdout
    assert (tmp_path / "out.svg").read_text() == sheet_svg(atlas())


@pytest.mark.parametrize(("rows", "complaint"), [([], "no position after two plies"), (None, "atlas.csv.gz")])
def test_bad_input_gets_one_line(tmp_path: Path, rows: list[Row] | None, complaint: str) -> None:
    file = tmp_path / "atlas.csv.gz"
    if rows is not None:
        write_atlas(rows, file)
    done = run_inside(main, "atlas", str(file), "--svg", str(tmp_path / "out.svg"))
    assert done.returncode != 0
    assert complaint in done.stderr.splitlines()[-1]
    assert "Traceback" not in done.stderr
