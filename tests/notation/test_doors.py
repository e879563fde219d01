"""A text has the same result in query, in its --lines, in value --lines, review, open_book() and the page."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from little_go.book.__main__ import main as book_main
from little_go.book.commands.solver import _placed_in
from little_go.book.files.games import GamesError
from little_go.notation.record import from_record, game_of
from little_go.runtime.errors import BadUsage
from little_go.solver.family import COURSE, Variant
from little_go.solver.position import Position
from tests.explorer.vectors import PageModules
from tests.notation.test_strangers import STRANGERS
from tests.notation.ways.outcomes import Answer, asked_of_page, asked_of_python
from tests.options import FROM_LINES, NO_SEARCH
from tests.test_given_back import Door, Found, Printed, by_book, by_command, by_page, by_query, by_review

#: One-line texts of the course's game in UTF-8, because --lines reads a position from each line.
TEXTS = [
    vector["input"]
    for vector in STRANGERS
    if vector["game"] is None and vector["encoding"] == "utf-8" and "\n" not in vector["input"].strip()
]


def by_query_lines(folder: Path) -> Door:
    def door(given: Printed, game: Variant | None) -> Found:
        path = folder / "lines.txt"
        path.write_text(given.text + "\n")
        done = CliRunner().invoke(book_main, ["query", *NO_SEARCH, "--only", "atlas", FROM_LINES, str(path)])
        if done.exit_code:
            raise ValueError(done.stderr)
        record = json.loads(done.stdout)
        found = game_of(record)
        return Found(from_record(record, found), found)

    return door


def by_value_lines(folder: Path) -> Door:
    """Return the result of reading a text as `value --lines` does, without its search."""

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


#: SGF whose meaning does not change if a blank is inserted between two characters.
GAMES = ["(;SZ[5]KM[2.5];B[cc];W[bb])", "(;SZ[5]PL[W]AB[cc][dd]AW[aa:ab])", ";B[cc];W[bb]"]

#: Blanks of ASCII, of web pages and of other scripts; the last two characters are not blanks.
SIGNS = " \t\n\r\x0b\x0c\x85\xa0\u1680\u2003\u2028\u202f\u205f\u3000\ufeff\x1f\u200b"


def test_blanks_in_sgf_are_the_same_at_both_doors(page_modules: PageModules) -> None:
    texts = [game[:at] + sign + game[at:] for game in GAMES for sign in SIGNS for at in range(len(game) + 1)]
    found = [(by_python.position, by_page.position) for by_python, by_page in both(texts, page_modules)]
    assert [text for text, (one, other) in zip(texts, found, strict=True) if one != other] == []
    read = {
        sign: sum(sign in text and one is not None for text, (one, _) in zip(texts, found, strict=True))
        for sign in SIGNS
    }
    assert min(read[sign] for sign in SIGNS[:-2]) > max(read[sign] for sign in SIGNS[-2:])


def both(texts: list[str], page_modules: PageModules) -> Iterator[tuple[Answer, Answer]]:
    """Yield, for each text, the answers of Python and of the page."""
    return zip(map(asked_of_python, texts), asked_of_page(page_modules, texts), strict=True)


DRAFTS = [
    ("explorer.html#mode=edit&moves=&draft=X________________________.1.-.-", Position(black=1, ply=1)),
    ("#moves=2,2.1,1&at=1&mode=edit&draft=XO_______________________.2.-.-", Position(black=1, white=2, ply=2)),
    ("#moves=2,2&mode=edit&draft=XO_______________________.1.-.-", None),
    ("#moves=2,2&mode=edit&draft=XO", None),
    ("#moves=2,2&mode=edit&draft=X________________________.1.-.-&draft=_________________________.0.-.-", None),
    ("#moves=2,2&mode=edit&draft=X________________________.1.-.- Black to move", None),
    ("#moves=2,2&beside=X________________________.1.-.-", Position(black=1 << 12, ply=1)),
]


def test_a_draft_in_a_link_is_its_position_at_both_doors(page_modules: PageModules) -> None:
    answers = both([text for text, _ in DRAFTS], page_modules)
    assert [(one.position, other.position) for one, other in answers] == [(wanted, wanted) for _, wanted in DRAFTS]
