from itertools import pairwise
from pathlib import Path
from xml.etree import ElementTree

import pytest
from click.testing import CliRunner

from arena.__main__ import main as arena
from arena.learning.littlego import Point
from lab.__main__ import main
from lab.games.curve import curve_svg

SVG = "{http://www.w3.org/2000/svg}"


def test_curve_goes_through_the_points() -> None:
    points = [Point(100, {"a": 0.0, "b": 0.5}), Point(200, {"a": 1.0, "b": 0.5})]
    root = ElementTree.fromstring(curve_svg(points))
    lines = [line.attrib["points"] for line in root.iter(f"{SVG}polyline")]
    # The plot is 560 x 300 from (60, 50).
    assert lines == ["340.0,350.0 620.0,50.0", "340.0,200.0 620.0,200.0"]
    assert len(list(root.iter(f"{SVG}circle"))) == 4


def test_names_do_not_cover_each_other_and_stay_in_the_picture() -> None:
    for rate in (0.0, 0.5, 1.0):
        rates = dict.fromkeys(["a & b", "c", "d", "e"], rate)
        root = ElementTree.fromstring(curve_svg([Point(10, rates)]))
        heights = [float(text.attrib["y"]) for text in root.iter(f"{SVG}text") if text.text in rates]
        assert len(heights) == 4
        assert all(later - earlier >= 18 for earlier, later in pairwise(heights))
        assert min(heights) >= 50
        assert max(heights) <= 350


def test_what_train_prints_is_drawn(tmp_path: Path) -> None:
    printed, picture = tmp_path / "learning.jsonl", tmp_path / "curve.svg"
    options = ["--episodes", "8", "--every", "4", "--test-games", "2", "--out", str(tmp_path / "q.json"), "--json"]
    printed.write_text(CliRunner().invoke(arena, ["train", *options], catch_exceptions=False).stdout)
    done = CliRunner().invoke(main, ["curve", str(printed), "--out", str(picture)])
    assert (done.exit_code, done.stdout) == (0, f"{picture}: 2 measurements\n")
    assert len(ElementTree.parse(picture).getroot().findall(f"{SVG}polyline")) == 4


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "no measurements, or of different opponents"),
        ('{"episodes": 4, "won": {"a": 1}}\n{"episodes": 8, "won": {"b": 1}}\n', "or of different opponents"),
        ('{"episodes": 4}\n', "line 1: not a measurement of train --json"),
        ("what\n", "line 1: not a measurement of train --json"),
    ],
)
def test_what_is_no_curve_is_one_line(tmp_path: Path, text: str, said: str) -> None:
    printed = tmp_path / "learning.jsonl"
    printed.write_text(text)
    done = CliRunner().invoke(main, ["curve", str(printed), "--out", str(tmp_path / "curve.svg")])
    assert (done.exit_code, done.stderr.count("\n")) == (2, 1)
    assert said in done.stderr
