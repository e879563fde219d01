from itertools import pairwise
from xml.etree import ElementTree

from arena.learning.curve import Point, curve_svg

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
