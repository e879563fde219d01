"""Accessibility: axe finds no violation in any tab."""

from collections.abc import Callable
from typing import Any

import pytest

from tools.browsing import DESK, PHONE, Explorer

Violations = Callable[[Any], list[str]]

#: The sizes of a page on a screen of 1440 by 900, zoomed to 200 % and to 400 %.
ZOOMED = [{"width": 720, "height": 450}, {"width": 360, "height": 225}]

#: A game that is almost over and contains mistakes.
GAME = "#moves=2,2.1,1.2,1.1,2.1,3.0,3.2,3.3,2.3,1.4,2.0,2.4,1.3,3.0,1.0,0"

#: A file with two games.
GAMES = """{"moves": ["2,2", "1,1"], "winner": 1, "reason": "resigned"}
{"moves": ["1,1", "2,2"], "winner": 2, "reason": "max"}"""


def in_tabs(explorer: Explorer, violations: Violations) -> dict[str, list[str]]:
    found = {}
    for tab in ("explore", "play", "review", "tour", "puzzles"):
        explorer.page.click(f"#tab-{tab}")
        explorer.settle()
        found[tab] = violations(explorer.page)
    return found


def elsewhere(explorer: Explorer, violations: Violations) -> dict[str, list[str]]:
    """Check the views outside the tabs: a solved puzzle, the dialogs, a branch, a draft and so on."""
    explorer.page.click("#puzzle-answer")
    found = {"answer": violations(explorer.page)}
    explorer.page.click("#tab-tour")
    explorer.page.click("#tour-rules")
    explorer.page.click("#learn-next")
    found["learn"] = violations(explorer.page)
    for button in ("open", "share", "help"):
        explorer.page.click(f"#{button}-button")
        found[button] = violations(explorer.page)
        explorer.page.keyboard.press("Escape")
    explorer.go(GAME)
    explorer.page.click("#back")
    explorer.play("4,4")
    explorer.page.click("#variations summary")
    explorer.page.click("[data-tool=letter]")
    explorer.play("0,4")
    explorer.page.fill("#note", "A comment")
    explorer.page.click("#beside-keep")
    explorer.settle()
    found["branch"] = violations(explorer.page)
    explorer.page.click("#tab-review")
    explorer.settle()
    explorer.page.click("#try-mistakes")
    found["mistakes"] = violations(explorer.page)
    explorer.page.click("#open-button")
    explorer.page.fill("#open-text", GAMES)
    explorer.page.click("#open-dialog [value=open]")
    explorer.settle()
    found["games"] = violations(explorer.page)
    explorer.go("")
    found["first screen"] = violations(explorer.page)
    explorer.page.click("#tab-explore")
    explorer.page.click("#edit")
    return {**found, "edit": violations(explorer.page)}


def broken(found: dict[str, list[str]]) -> dict[str, list[str]]:
    return {place: faults for place, faults in found.items() if faults}


def test_axe_finds_no_violation_in_any_tab(opened: Callable[..., Explorer], violations: Violations) -> None:
    assert broken(in_tabs(opened(GAME), violations)) == {}


@pytest.mark.long
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("viewport", [DESK, PHONE, *ZOOMED], ids=["desk", "phone", "200", "400"])
def test_axe_finds_no_violation_anywhere(
    opened: Callable[..., Explorer], violations: Violations, scheme: str, viewport: dict[str, int]
) -> None:
    explorer = opened(GAME, viewport, color_scheme=scheme)
    assert broken({**in_tabs(explorer, violations), **elsewhere(explorer, violations)}) == {}
