"""A line or a reason that appears late moves nothing below it, so that no user presses the wrong button."""

import json
import re
from collections.abc import Callable
from typing import Any

import pytest

from tests.explorer.reason_vectors import FILE
from tests.explorer.test_reasons import GAME
from tools.browsing import DESK, PHONE, ROOT, Explorer

SCREENS = [
    pytest.param({"viewport": DESK}, id="desk"),
    pytest.param({"viewport": PHONE, "has_touch": True, "is_mobile": True}, id="phone"),
    pytest.param({"viewport": {"width": 320, "height": 640}, "has_touch": True, "is_mobile": True}, id="narrow"),
]

NAMES = ("board", "moves", "bestline", "variations")

#: Record in each frame the position of some elements, and whether the drawn page shows every value.
WATCH = """() => {
    const frames = window.seen = [];
    const top = (id) => {
        const element = document.getElementById(id);
        return element.checkVisibility() ? element.getBoundingClientRect().top + scrollY : null;
    };
    const look = () => {
        const tops = ["board", "moves", "bestline", "variations"].map((id) => [id, top(id)]);
        const late = document.getElementById("board").dataset.computing === "false";
        frames.push({ late, tops: Object.fromEntries(tops) });
        requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
}"""

#: In pixels. A shift of this size does not make a user miss a button.
FEW = 4


def moved(frames: list[dict[str, Any]]) -> dict[str, float]:
    """Return how many pixels each element has moved at most, from the first frame in which it is shown."""
    found = {}
    for name in NAMES:
        tops = [top for frame in frames if (top := frame["tops"][name]) is not None]
        found[name] = max(tops, default=0) - min(tops, default=0)
    return found


@pytest.mark.parametrize("screen", SCREENS)
@pytest.mark.parametrize("moves", ["2,2 1,2 1,1", f"{GAME} 0,0"], ids=["early", "late"])
def test_nothing_moves_once_the_values_are_shown(
    opened: Callable[..., Explorer], screen: dict[str, Any], moves: str
) -> None:
    explorer = opened(**screen)
    before, _, mistake = moves.rpartition(" ")
    explorer.play(before)
    explorer.until("!explorer.app.scheduled")
    explorer.play(mistake)
    explorer.do(WATCH)
    explorer.settle()
    frames = explorer.do("window.seen")
    assert explorer.text("#reason-text")
    assert moved([frame for frame in frames if frame["late"]]) == pytest.approx(dict.fromkeys(NAMES, 0), abs=FEW)


def test_the_line_and_the_reason_of_a_move_looked_at_move_nothing(explorer: Explorer) -> None:
    explorer.play("2,2 1,2")
    explorer.settle()
    explorer.page.hover(".moves li:last-child")
    explorer.do(WATCH)
    explorer.until("document.querySelector('#bestline-why').checkVisibility()")
    explorer.settle()
    assert moved(explorer.do("window.seen")) == pytest.approx(dict.fromkeys(NAMES, 0), abs=FEW)


def test_any_reason_has_room() -> None:
    source = (ROOT / "explorer/page/verdict.js").read_text("utf-8")
    part, times = re.search(r'LONGEST_REASON = "(.*)"\.repeat\((\d+)\)', source).groups()  # type: ignore[union-attr]
    reasons = [json.loads(line)["is"] for line in FILE.read_text("utf-8").splitlines()]
    assert max(len(f"{each['worse']} {each['better']}") for each in reasons) <= len(part) * int(times)
