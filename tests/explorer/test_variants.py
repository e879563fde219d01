"""The page of another game of the family: its values are equal to plain minimax, and its texts are about that game."""

import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from little_go.book.files.writer import write_book
from little_go.explorer.build import build_page
from little_go.notation.forms import read
from little_go.solver.family import Variant
from little_go.solver.position import Position
from tests.solver import minimax
from tools.browsing import DESK, ROOT, Explorer

GAME = Variant(8, -1.5)


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("page")
    write_book([], folder / "book.json", GAME)
    (folder / "explorer.html").write_text(build_page(ROOT, GAME, folder / "book.json"), "utf-8")
    return folder / "explorer.html"


@pytest.fixture
def explorer(browser: Any, page: Path) -> Iterator[Explorer]:
    context = browser.new_context(viewport=DESK, offline=True)
    opened = Explorer(context, address=page.as_uri())
    yield opened
    opened.check()
    context.close()


def games(count: int, least_left: int) -> Iterator[tuple[Position, minimax.State]]:
    """Yield random positions with ``least_left`` plies left, each also as a state of the plain minimax."""
    rng = random.Random(7)
    for _ in range(count):
        position, state = GAME.start, minimax.START._replace(left=GAME.plies)
        while position.left > least_left:
            move = rng.choice(position.legal_moves()[:-1])
            after = minimax.after(state, move)
            assert after is not None
            position, state = position.play(move), after
        yield position, state


def test_values_are_those_of_plain_minimax(explorer: Explorer) -> None:
    for position, state in games(12, 3):
        # The page counts plies from the start of its own game.
        shown = position._replace(ply=position.ply - GAME.first_ply)
        assert explorer.answer(shown)["value"] == minimax.value(state)


def test_results_and_plies_are_of_the_game(explorer: Explorer) -> None:
    explorer.settle()
    assert "8 plies, komi -1.5" in explorer.text("header")
    # A PASS on the first ply ends the game, and Black wins because the komi is negative.
    assert explorer.text("#pass-worth") == "B+1.5"
    explorer.play("2,2 1,1")
    assert explorer.text("#turn") == "2 of 8 plies played, Black to move."
    explorer.play("0,0 4,4 0,1 4,3 0,2 4,2")
    assert explorer.text("#turn") == "The game is over after ply 8."
    assert explorer.text("#verdict-value") == "B+1.5"


def test_links_name_the_game(explorer: Explorer) -> None:
    explorer.play("2,2 1,1")
    explorer.until("location.hash.includes('moves=2,2.1,1')")
    link = "explorer.html" + explorer.do("location.hash")
    placed = read(link, game=None)
    assert (placed.game, placed.position) == (GAME, GAME.start.play(12).play(6))
    explorer.go("#moves=2,2&plies=8&komi=-1.5")
    assert explorer.text("#turn") == "1 of 8 plies played, White to move."
    # The start position has a link too. It differs from the link of the course's game.
    explorer.go("#moves=&plies=8&komi=-1.5")
    assert explorer.do("location.hash") == "#moves=&plies=8&komi=-1.5"
    explorer.go("#moves=2,2")
    assert "it is of a game of 24 plies, komi 2.5, and this page of 8 plies, komi -1.5" in explorer.text("#message")


def test_lessons_and_puzzles_are_left_out(explorer: Explorer) -> None:
    shown = explorer.do(
        "[...document.querySelectorAll('[data-mode]')].filter((tab) => !tab.hidden).map((tab) => tab.id)"
    )
    assert shown == ["tab-explore", "tab-play", "tab-review"]
    explorer.page.keyboard.press("4")
    assert explorer.do("explorer.app.state.mode") == "explore"
    explorer.go("#mode=tour&board=1")
    assert "The link does not work" in explorer.text("#message")


def test_it_plays_its_game_to_the_end(explorer: Explorer) -> None:
    explorer.page.click("#tab-play")
    settings = "{...explorer.app.state.play, who: 'none', opponent: 'perfect'}"
    explorer.do(f"explorer.app.dispatch({{type: 'set', changes: {{play: {settings}}}}})")
    explorer.page.click("#new")
    explorer.until("explorer.app.position.ply === 8 || explorer.app.line.moves.at(-1) === 25")
    assert explorer.text("#verdict-winner").startswith("Black")
