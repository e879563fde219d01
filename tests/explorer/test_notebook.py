"""The notebook of a file of games has the same kinds of mistakes as the output of ``little-go review``."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from little_go.arena.__main__ import main
from tests.arena.review.test_notebook import GAMES
from tools.browsing import PHONE, Explorer

RECORDS = [
    {"black": "ann", "white": "bob", "moves": GAMES[0].split()},
    {"black": "bob", "white": "ann", "moves": GAMES[1].split()},
]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "games.jsonl"
    path.write_text("".join(f"{json.dumps(record)}\n" for record in RECORDS), "utf-8")
    return path


def make_notebook(explorer: Explorer, file: Path) -> None:
    explorer.page.click("#open-button")
    explorer.page.set_input_files("#open-file", file)
    explorer.page.wait_for_selector("#notebook-make")
    explorer.page.click("#notebook-make")
    explorer.until("explorer.app.notebook.done === 2")


def entries(explorer: Explorer, player: str) -> list[dict[str, Any]]:
    """Return the notebook of a player, with the fields that the JSON of the command has too."""
    explorer.page.select_option("#notebook-player", player)
    found: list[dict[str, Any]] = explorer.do(
        "explorer.app.notebook.entries.map(({ worst, ...kind }) => ({ ...kind, worst: worst.record }))"
    )
    return found


@pytest.mark.long
def test_the_kinds_are_those_of_the_command(explorer: Explorer, file: Path) -> None:
    done = CliRunner().invoke(main, ["review", str(file), "--json"])
    agents = json.loads(done.output.splitlines()[-1])["agents"]
    make_notebook(explorer, file)
    for player in ("ann", "bob"):
        wanted = agents[player]["notebook"]
        found = entries(explorer, player)
        names = ("kind", "mistakes", "decisive", "cost")
        assert [[each[name] for name in names] for each in found] == [[each[name] for name in names] for each in wanted]
        for one, other in zip(found, wanted, strict=True):
            assert {name: one["worst"][name] for name in ("ply", "move", "best_move", "why")} == {
                name: other["worst"][name] for name in ("ply", "move", "best_move", "why")
            }
        for place, one in enumerate(wanted):
            buttons = explorer.page.locator(f"#notebook-kinds li:nth-child({place + 1}) button")
            assert buttons.count() == 1 + bool(one["puzzles"])
        count, cost = (
            sum(each[name] for each in agents[player]["kinds"]) - sum(each[name] for each in wanted)
            for name in ("mistakes", "cost")
        )
        rest = explorer.text("#notebook-rest")
        assert rest.startswith(f"{count} mistake") and f"which cost {cost} point" in rest if count else rest == ""


def test_an_example_and_a_puzzle_are_one_click_away(opened: Callable[..., Explorer], file: Path) -> None:
    explorer = opened(viewport=PHONE, has_touch=True, is_mobile=True)
    make_notebook(explorer, file)
    worst = explorer.do("explorer.app.notebook.entries[0].worst.record")
    explorer.page.tap("#notebook-kinds button >> nth=0")
    explorer.until("explorer.app.modes.review.shown")
    assert explorer.position()["ply"] == worst["ply"] - 1
    assert explorer.text("#mistake-deed").startswith(f"Ply {worst['ply']}: ")
    board = explorer.page.locator("#board").bounding_box()
    assert board["y"] >= -1
    assert board["y"] + board["height"] < PHONE["height"]
    explorer.page.tap("text=A puzzle of this kind >> nth=0")
    explorer.until("explorer.app.modes.puzzles.puzzle && explorer.app.modeName === 'puzzles'")
    kind = explorer.do("explorer.app.notebook.entries.find(({ kind }) => explorer.app.notebook.puzzles.has(kind)).kind")
    number = explorer.do("explorer.app.modes.puzzles.puzzle.number")
    assert number == explorer.do("kind => explorer.app.notebook.puzzles.get(kind)[0].number", kind)


def test_a_stop_keeps_the_games_done_and_another_file_begins_again(explorer: Explorer, file: Path) -> None:
    explorer.page.click("#open-button")
    explorer.page.set_input_files("#open-file", file)
    explorer.page.click("#notebook-make")
    explorer.until("explorer.app.notebook.done === 1")
    explorer.page.click("#notebook-make")
    if explorer.is_visible("#notebook-make"):
        assert explorer.text("#notebook-make") == "Go on"
        explorer.page.click("#notebook-make")
    explorer.until("explorer.app.notebook.done === 2")
    assert explorer.text("#notebook-status") == "2 of 2 games reviewed."
    explorer.page.fill("#games-filter", "ann")
    explorer.until("explorer.app.notebook.done === 0")
    assert explorer.page.locator("#notebook-kinds li").count() == 0
    explorer.page.click("#games-close")
    assert not explorer.is_visible("#notebook")
