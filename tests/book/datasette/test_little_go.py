"""The store in Datasette: the plugin, and pages of the real server, in a browser if one is installed."""

import json
import os
import re
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from html import unescape
from importlib.util import find_spec
from pathlib import Path
from typing import Any
from urllib.error import URLError
from urllib.parse import quote
from urllib.request import urlopen
from xml.etree import ElementTree

import pytest

from little_go.book.datasette.little_go import board_svg, render_cell
from little_go.book.store.views import TABLES
from little_go.solver.position import START, parse_moves, play_all
from little_go.solver.symmetry import key_of, position_of
from tools.browsing import PATIENCE
from tools.cookbook import Question, questions

ROOT = Path(__file__).parents[3]

BOARD = "X..../.O.../..X../...../....O"


# The plugin


def circles(svg: str) -> list[tuple[str, int, int]]:
    shapes = ElementTree.fromstring(svg).iter("circle")
    return [(shape.attrib["class"], int(shape.attrib["cx"]), int(shape.attrib["cy"])) for shape in shapes]


def test_a_board_is_drawn_with_its_move() -> None:
    svg = render_cell({"board": BOARD, "best_move": "0,1"}, BOARD, "board")
    assert svg is not None
    drawn = circles(svg)
    assert [kind for kind, _, _ in drawn] == ["black", "move", "white", "black", "white"]
    places = {kind: (x, y) for kind, x, y in drawn}
    (left, top), (right, _), (_, bottom) = drawn[0][1:], places["move"], drawn[4][1:]
    # The ring is one column to the right of the corner, and the last stone is four rows below the corner.
    assert right > left
    assert bottom - top == 4 * (right - left)
    assert places["white"] == (left + 4 * (right - left), bottom)


def test_alike_moves_are_all_marked_and_a_pass_is_not() -> None:
    empty = "...../...../...../...../....."
    for move, rings in (("1,1 1,3 3,1 3,3", 4), ("PASS", 0), (None, 0)):
        assert len(circles(str(render_cell({"move": move}, empty, "board")))) == rings
    assert circles(str(render_cell({"move": "0,0"}, empty, "after_board"))) == []


@pytest.mark.parametrize(
    ("column", "value"),
    [
        ("board", "no board"),
        ("board", None),
        ("board", "X" * 29),
        ("mover", BOARD),
        ("key", "x"),
        ("explorer", "other"),
    ],
)
def test_all_else_is_left_alone(column: str, value: object) -> None:
    assert render_cell({column: value}, value, column) is None


def test_text_in_a_board_is_no_markup() -> None:
    assert "<b>" not in board_svg("<b>", [])


@pytest.mark.parametrize("moves", ["", "2,2", "2,2 1,1 PASS"])
def test_a_key_leads_to_its_position(moves: str) -> None:
    position = play_all(START, parse_moves(moves))
    for value in (key_of(position), str(key_of(position))):
        link = str(render_cell(None, value, "key_text"))
        found = re.fullmatch(
            r'<a class="key" href="/-/explorer\.html#from=([_XO]{25})\.(\d+)\.-\.(P|-)">(\d+)</a>', link
        )
        assert found
        assert found[1] == "".join("_XO"[int(digit)] for row in position.rows() for digit in row)
        assert (int(found[2]), found[3] == "P", found[4]) == (position.ply, position.passed, str(key_of(position)))


# The server


@pytest.fixture(scope="module")
def server(shipped_store: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Serve a store as `make datasette` does; skip the test if Datasette is not installed."""
    if find_spec("datasette") is None:
        pytest.skip("no Datasette here: `make datasette-packages` installs it")
    folder = tmp_path_factory.mktemp("datasette")
    shutil.copyfile(shipped_store, folder / "book.db")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    address = f"http://127.0.0.1:{port}"
    with open(folder / "log", "w") as log:
        process = subprocess.Popen(
            [*command(folder / "book.db"), "--port", str(port)], cwd=ROOT, stdout=log, stderr=log
        )
    try:
        end = time.monotonic() + PATIENCE
        while True:
            with suppress(URLError, ConnectionError), urlopen(f"{address}/-/versions.json"):
                break
            assert process.poll() is None, (folder / "log").read_text()
            assert time.monotonic() < end
            time.sleep(0.1)
        yield address
    finally:
        process.kill()
        process.wait()


def command(db: Path) -> list[str]:
    """Return the command of `make datasette` for a given file."""
    line = subprocess.run(
        ["make", "--dry-run", "--always-make", "datasette"], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout.replace("\\\n", " ")
    (words,) = (row.split() for row in line.splitlines() if "-m datasette" in row)
    words = words[: words.index("--port")]
    return [sys.executable, *[str(db) if word == "book.db" else word for word in words[1:]]]


def page(server: str, path: str) -> str:
    with urlopen(f"{server}{path}", timeout=PATIENCE) as answer:
        return str(answer.read().decode())


@pytest.mark.system
def test_every_column_of_every_table_is_described_on_its_page(server: str) -> None:
    for name, described in TABLES.items():
        text = unescape(page(server, f"/book/{name}?_size=1"))
        assert described.text.replace("`", "") in text
        for column, words in described.columns.items():
            assert re.search(rf"<dt>{column}</dt>\s*<dd>{re.escape(words.replace('`', ''))}</dd>", text), (name, column)


@pytest.mark.system
def test_the_first_page_of_the_store_has_the_questions_and_no_tables_of_the_library(server: str) -> None:
    text = unescape(page(server, "/book"))
    assert all(f"{question.number}. {question.words}" in text for question in questions())
    assert "_sqlite_migrations" not in text.partition("hidden table")[0]


@pytest.mark.system
@pytest.mark.parametrize("question", questions(), ids=lambda question: str(question.number))
def test_a_question_has_its_answer(server: str, question: Question) -> None:
    canned = json.loads(page(server, f"/book/{question.name}.json?_shape=array"))
    assert canned == json.loads(page(server, f"/book.json?_shape=array&sql={quote(question.sql)}"))
    assert len(canned) >= 1
    text = page(server, f"/book/{question.name}")
    assert text.count('<svg class="little-go"') == sum("board" in row for row in canned)
    assert text.count('<a class="key"') == sum("key_text" in row for row in canned)


@pytest.mark.system
def test_a_view_can_be_filtered_and_its_rows_lead_to_the_explorer(server: str) -> None:
    text = page(server, "/book/moves_view?ply=1&winner=Black&_size=10")
    assert text.count('<svg class="little-go"') == 20
    links = re.findall(r'href="(/-/explorer\.html#from=[^"]+)">explore<', text)
    assert len(links) == 10
    assert "<title>Little-Go" in page(server, "/-/explorer.html")


@pytest.mark.system
def test_a_key_survives_json_as_text(server: str) -> None:
    rows = json.loads(page(server, "/book/positions_view.json?_shape=array&_size=100&ply=2"))
    assert len(rows) == 91
    for row in rows:
        position = position_of(int(row["key_text"]))
        assert row["board"] == "/".join("".join(".XO"[int(digit)] for digit in line) for line in position.rows())


@pytest.mark.system
def test_the_file_is_not_written(server: str) -> None:
    with pytest.raises(URLError):
        page(server, f"/book.json?sql={quote('DELETE FROM positions')}")


@pytest.mark.system
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_pages_are_readable_in_a_browser(server: str, browser: Any, scheme: str, tmp_path: Path) -> None:
    folder = Path(os.environ.get("LITTLE_GO_PICTURES", tmp_path))
    context = browser.new_context(viewport={"width": 1400, "height": 900}, color_scheme=scheme)
    shown = context.new_page()
    shown.set_default_timeout(PATIENCE * 1000)
    complaints: list[str] = []
    shown.on("pageerror", lambda error: complaints.append(str(error)))
    for name in ("moves_view?ply=1", "traps", questions()[5].name):
        shown.goto(f"{server}/book/{name}")
        # The test writes the file itself, because Playwright would start a thread that lives as long as the shared
        # browser.
        (folder / f"datasette-{name.partition('?')[0]}-{scheme}.png").write_bytes(shown.screenshot())
        colours = shown.evaluate(
            "() => [...document.querySelectorAll('h1, td, th, .little-go .wood')].map(e => [e.tagName,"
            " getComputedStyle(e).color, getComputedStyle(document.body).backgroundColor])"
        )
        assert len(colours) > 10
        for _, ink, paper in colours:
            assert abs(brightness(ink) - brightness(paper)) > 90
        assert (brightness(colours[0][2]) < 60) == (scheme == "dark")
        stone = shown.locator(".little-go circle.black").first.bounding_box()
        assert stone["width"] > 8
    shown.goto(f"{server}/book/traps")
    shown.get_by_text("explore", exact=True).first.click()
    shown.wait_for_selector("html[data-ready]")
    assert shown.locator("#verdict").inner_text()
    context.close()
    assert complaints == []


def brightness(colour: str) -> float:
    red, green, blue = (float(part) for part in re.findall(r"[\d.]+", colour)[:3])
    return 0.3 * red + 0.59 * green + 0.11 * blue
