"""Three people who know only the text of the page: a beginner, a strong player and an analyst.

They find buttons by their names. With LITTLE_GO_PICTURES=FOLDER the test saves a picture after each step.
"""

import json
import os
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from little_go.notation.sgf import read_games
from little_go.solver.family import COURSE
from little_go.solver.position import BY_KO, SUICIDE
from tools.browsing import DESK, PHONE, Explorer

Opened = Callable[..., Explorer]

PICTURES = os.environ.get("LITTLE_GO_PICTURES")

#: A desktop screen with the light theme, and a phone with the dark theme.
SCREENS = {
    "desk": {"viewport": DESK, "color_scheme": "light"},
    "phone": {"viewport": PHONE, "color_scheme": "dark", "has_touch": True, "is_mobile": True},
}


def screens(usual: str) -> list[Any]:
    """Return both screens. Every test run includes the person's usual screen; the other one is a long test."""
    return [
        pytest.param(screen, id=name, marks=[] if name == usual else [pytest.mark.long])
        for name, screen in SCREENS.items()
    ]


class Reader:
    """A user of the page who finds buttons by their names."""

    def __init__(self, explorer: Explorer, name: str) -> None:
        self.explorer, self.name, self.steps = explorer, name, 0

    def press(self, *names: str) -> None:
        for name in names:
            self.explorer.page.get_by_role("button", name=name, exact=True).locator("visible=true").click()
        self.look()

    def play(self, moves: str) -> None:
        self.explorer.play(moves)
        self.look()

    def reads(self, words: str) -> str:
        """Return the text of the page, and check that it contains these words."""
        text = self.explorer.text("body")
        assert words in text, (words, text)
        return text

    def look(self) -> None:
        self.steps += 1
        self.explorer.until("!explorer.app.scheduled")
        if PICTURES:
            picture = self.explorer.page.screenshot(full_page=True)
            (Path(PICTURES) / f"{self.name}-{self.steps:02}.png").write_bytes(picture)


@pytest.mark.parametrize("screen", screens("phone"))
def test_a_newcomer_learns_ko_and_beats_greedy(
    opened: Opened, screen: dict[str, Any], request: pytest.FixtureRequest
) -> None:
    reader = Reader(opened(**screen), f"newcomer-{request.node.callspec.id}")
    reader.look()
    reader.reads("This page knows how every position of Go on a 5")
    page = reader.explorer.page
    page.get_by_role("button", name="Learn the rules").click()
    reader.reads("A stone needs an empty point beside it")
    reader.play("3,2")
    reader.press("Next")
    reader.play("3,2")
    reader.press("Next")
    reader.play("0,0")
    reader.reads(f"Not allowed: 0,0 is {SUICIDE}.")
    reader.play("4,4")
    reader.press("Next")
    reader.play("2,2")
    reader.reads(f"Not allowed: 2,2 is {BY_KO}.")
    reader.play("0,0")
    reader.reads("The board is another one now, so 2,2 is free again")
    reader.play("2,2")
    reader.reads("one move elsewhere, then you may take")
    reader.press("Next")
    reader.play("PASS")
    reader.reads("9 to 8.5: Black wins by 0.5, which is written B+0.5")
    reader.press("Play a game against Greedy")
    reader.reads("It takes as many stones as it can at once")
    while not page.locator("#play-result").is_visible():
        reader.explorer.until("!explorer.app.mode.locked && !explorer.app.mode.thinking.isRunning")
        if page.locator("#play-result").is_visible():
            break
        page.get_by_role("button", name="Hint", exact=True).click()
        reader.explorer.until("document.querySelector('#play-said').textContent.startsWith('Hint: ')")
        hint = re.match(r"Hint: ([^ ,]+(?:,\d)?)", reader.explorer.text("#play-said"))
        assert hint
        reader.explorer.play(hint[1])
    reader.look()
    assert reader.explorer.text("#play-outcome").startswith("Black wins")
    reader.press("Review this game")
    reader.explorer.settle()
    reader.reads("Black was winning throughout")
    reader.look()


@pytest.mark.parametrize("screen", screens("desk"))
def test_a_strong_player_compares_three_lines_and_exports_them(
    opened: Opened, screen: dict[str, Any], request: pytest.FixtureRequest
) -> None:
    reader = Reader(opened(**screen), f"strong-{request.node.callspec.id}")
    page = reader.explorer.page
    reader.play("2,2 1,2 2,1 1,1")
    reader.press("Back", "Back")
    reader.play("2,3 1,3")
    reader.press("Back", "Back")
    reader.play("1,1")
    reader.explorer.settle()
    reader.reads("White wins")
    page.get_by_text("Variations, comment, marks").click()
    page.get_by_label("Name of this branch").fill("The slip")
    page.get_by_label("Comment on this position").fill("Loses by half a point.")
    reader.press("Letter")
    page.click('[data-point="2,1"]')
    reader.press("Letter")
    assert "3 lines" in reader.reads("The slip: 1,1")
    reader.press("Compare with another position")
    page.get_by_role("button", name="Ply 3, Black: 2,3 1,3").click()
    page.get_by_label("Two positions side by side").wait_for()
    reader.explorer.settle()
    reader.look()
    reader.press("Share…")
    reader.look()
    sgf = page.get_by_label("SGF of all 3 lines").input_value()
    for part in ("(;B[bc]", "(;B[dc]", "(;B[bb]N[The slip]C[Loses by half a point.", "LB[bc:A]"):
        assert part in sgf, sgf
    assert len(list(read_games(sgf, game=COURSE))) == 1


@pytest.mark.parametrize("screen", screens("phone"))
def test_an_analyst_cites_a_position_and_takes_its_table(
    opened: Opened, screen: dict[str, Any], request: pytest.FixtureRequest
) -> None:
    reader = Reader(opened(**screen), f"analyst-{request.node.callspec.id}")
    page = reader.explorer.page
    reader.press("Open…")
    page.get_by_label("Text to open").fill("2,2 1,2 2,1 1,1 3,3 2,3 3,2 1,3")
    reader.look()
    reader.press("Open the text")
    page.get_by_role("tab", name="Explore").click()
    reader.explorer.settle()
    reader.press("Copy as JSON")
    reader.reads("The table of all moves is copied as JSON.")
    rows = json.loads(page.input_value("#take-area"))
    assert {row["move"]: (row["lo"], row["hi"]) for row in rows}.items() <= reader.explorer.moves().items()
    assert all(row["value"] is not None and row["sources"] for row in rows)
    reader.press("Copy as CSV")
    table = page.input_value("#take-area").splitlines()
    assert len(table) == len(rows) + 1
    reader.press("Share…")
    link = page.get_by_label("Text to paste into this page on another machine").input_value()
    shown = reader.explorer.position()
    other = Reader(opened("#" + link.partition("#")[2], **screen), f"analyst-link-{request.node.callspec.id}")
    other.explorer.settle()
    other.look()
    assert other.explorer.position() == shown
    assert other.explorer.moves() == reader.explorer.moves()
