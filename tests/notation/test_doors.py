"""One text has one outcome at every entrance: query, its --lines, value --lines, review, open_book() and the page."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from book.__main__ import main as book_main
from book.commands.solver import _placed_in
from book.files.games import GamesError
from notation.record import from_record, game_of
from runtime.errors import BadUsage
from solver.family import COURSE, Variant
from solver.position import Position
from tests.explorer.vectors import PageModules
from tests.notation.test_strangers import STRANGERS
from tests.test_given_back import Door, Found, Printed, by_book, by_command, by_page, by_query, by_review

#: Texts of the course's game, in UTF-8, of one line: --lines reads a position from each line.
TEXTS = [
    vector["input"]
    for vector in STRANGERS
    if vector["game"] is None and vector["encoding"] == "utf-8" and "\n" not in vector["input"].strip()
]


def by_query_lines(folder: Path) -> Door:
    def door(given: Printed, game: Variant | None) -> Found:
        path = folder / "lines.txt"
        path.write_text(given.text + "\n")
        done = CliRunner().invoke(book_main, ["query", "--live", "0", "--only", "atlas", "--lines", str(path)])
        if done.exit_code:
            raise ValueError(done.stderr)
        record = json.loads(done.stdout)
        found = game_of(record)
        return Found(from_record(record, found), found)

    return door


def by_value_lines(folder: Path) -> Door:
    """Read as `value --lines` does, without its search."""

    def door(given: Printed, game: Variant | None) -> Found:
        path = folder / "lines.txt"
        path.write_text(given.text + "\n")
        try:
            (placed,) = _placed_in(str(path))
        except BadUsage as error:
            raise ValueError(str(error)) from None
        return Found(placed.position, placed.game)

    return door


def outcome(door: Door, text: str) -> Position | None:
    try:
        return door(Printed("text", text, COURSE.start), COURSE).position
    except (ValueError, GamesError):
        return None


@pytest.mark.parametrize("text", TEXTS[::4])
def test_a_text_has_one_outcome_at_every_door(text: str, tmp_path: Path, page_modules: PageModules) -> None:
    doors = {
        "open_book()": by_book,
        "query FILE": by_command(tmp_path),
        "review FILE": by_review(tmp_path),
        "the page": by_page({COURSE: page_modules}),
        "query --lines": by_query_lines(tmp_path),
        "value --lines": by_value_lines(tmp_path),
    }
    wanted = outcome(by_query, text)
    assert {name: outcome(door, text) for name, door in doors.items()} == dict.fromkeys(doors, wanted)
