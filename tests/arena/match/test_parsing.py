"""Every spelling in the documented table, and any other text, compared with Python's own files and integers."""

import ast
import re
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from little_go.arena.match.host import OPENING, BadAnswer, beginning_of, judge, read_answer

PAGE = Path(__file__).parents[3] / "docs" / "reference" / "HOST.md"
TABLE = Path(__file__).with_name("answers.txt")

#: Matches a row of the table of spellings: the text, the move, whether it has the exact format, and the sources.
ROW = re.compile(r'^\| `(".*")`(?: \([^|]*\))? \| ([^|]+) \| (yes|no) \| ([^|]+) \|$', re.MULTILINE)

ROWS = [
    (ast.literal_eval(text), taken.partition(", off")[0], letter == "yes", sources)
    for text, taken, letter, sources in ROW.findall(TABLE.read_text("utf-8"))
]


def taken_as(text: str) -> str:
    try:
        return read_answer(text).move
    except BadAnswer:
        return "loses"


def test_the_table_is_whole() -> None:
    page = PAGE.read_text("utf-8")
    table = TABLE.read_text("utf-8")
    assert len(ROWS) == len(table.splitlines()) >= 80
    shown = [line for line in page.splitlines() if line.startswith('| `"')]
    assert len(shown) >= 20
    assert set(shown) <= set(table.splitlines())
    assert len({text for text, *_ in ROWS}) == len(ROWS)
    known = set(re.findall(r"^\| ([HA]\d) \|", page, re.MULTILINE))
    assert {source for *_, sources in ROWS for source in sources.split(", ")} <= known


@pytest.mark.parametrize(("text", "taken", "letter", "sources"), ROWS, ids=[ascii(row[0]) for row in ROWS])
def test_a_spelling_is_taken_as_the_table_says(text: str, taken: str, letter: bool, sources: str) -> None:
    assert taken_as(text) == taken
    if taken != "loses":
        assert read_answer(text).is_exact is letter
        state = judge(OPENING, text)
        assert state.inexact == (() if letter else ((1, beginning_of(text)),))
    strict = judge(OPENING, text, strict=True).result
    assert (strict is not None and strict.reason == "malformed") is not letter


@given(st.text(alphabet=st.sampled_from("01234,+-_ PAS\n\r\t\x1c\x85\u0662\ufeffx"), max_size=12) | st.text(max_size=6))
@example("0,1\r\n")
def test_any_text_is_taken_as_python_takes_it(tmp_path_factory: pytest.TempPathFactory, text: str) -> None:
    path = tmp_path_factory.getbasetemp() / "output.txt"
    path.write_bytes(text.encode())
    with path.open(encoding="utf-8") as file:
        first, _, rest = file.readline().strip().partition(",")
    try:
        expected = "PASS" if first == "PASS" else f"{int(first)},{int(rest.partition(',')[0])}"
    except ValueError:
        expected = "loses"
    assert taken_as(text) == expected


@pytest.mark.parametrize(
    ("content", "taken"),
    [
        (b"2,1\n" + b"x" * 10**6, "2,1"),
        (b"2,1," + b"x" * 10**6, "2,1"),
        # Python needs the rest of a character here, although this line does not contain it.
        (b"2,1\n\xe2\x82", "2,1"),
        (b"2,1\xe2\x82", "loses"),
        # Python decodes a file in blocks, and only the first block is read here.
        (b"2,1\n" + b"x" * 8188 + b"\xff", "2,1"),
        (b"2,1\n" + b"x" * 8187 + b"\xff", "loses"),
    ],
)
def test_long_files_and_bad_bytes(tmp_path: Path, content: bytes, taken: str) -> None:
    path = tmp_path / "output.txt"
    path.write_bytes(content)
    assert taken_as(content.decode("utf-8", "surrogateescape")) == taken
    try:
        with path.open(encoding="utf-8") as file:
            assert file.readline().startswith("2,1")
    except UnicodeDecodeError:
        assert taken == "loses"


def test_a_point_out_of_sight_is_named_shortly() -> None:
    assert read_answer("9" * 4000 + ",-" + "9" * 4000).move == "999999999,-999999999"


def test_a_mark_fits_every_file() -> None:
    state = judge(OPENING, "2,1\n\udce2")
    assert state.inexact == ((1, "2,1\n\ufffd"),)
