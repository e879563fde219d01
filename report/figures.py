"""The figures of ``measured.toml`` and ``derived.toml``, and their places in the documents.

The comment after a figure in a document contains the row and key of the figure, as in ``28 s<!--solve.clock-->``. The
comment before a whole table contains the row of the table, as in ``<!-- table: scaling -->``. ``make measure`` writes
new measured figures into these places, and ``python -m tools.affected --accept`` writes the figures that the code
declares. Tests compare both files with the documents.
"""

import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

STORED = Path("report/measured.toml")
DERIVED = Path("report/derived.toml")
PAGE = Path("docs/reference/MEASUREMENTS.md")

#: A pattern of a number with a unit, or of several numbers with units, such as ``24 min 27 s``.
UNIT = (
    r"(?:s|ms|min|minutes?|seconds?|h|hours?|kB|MB|GB|KiB|MiB|GiB|%"
    r"|(?:M|million|billion) (?:nodes|positions)|M(?![-\w])|billion)(?!\w)"
)
FIGURE = rf"\d[\d,.]*(?:\s{UNIT})?(?:\s\d[\d,.]*\s{UNIT})*"

_MARKED = re.compile(rf"(?<![\w.,])(?P<value>{FIGURE})<!--(?P<row>\w+)\.(?P<key>\w+)-->")
_MARK = re.compile(r"<!--(\w+\.\w+)-->")
#: A table without rows has not been filled in yet.
_TABLE = re.compile(r"^<!-- table: (?P<row>\w+) -->\n\n(?P<value>(?:\|.*\n)*)", re.MULTILINE)

#: The fields of a row that are not figures.
_ABOUT = ("of", "command", "commit", "machine", "run", "table")

#: A row, as a mapping from the names of its fields to their texts.
Row = dict[str, str]


class FigureError(Exception):
    """Raised if a figure is missing or wrong. The message contains the document and the row."""


class Place(NamedTuple):
    """A place in a document with a figure or a table.

    row, key: the row and key of the figure in ``measured.toml``; the key of a table is ``table``. text: the text in the
    document. start, end: the offsets of the text.
    """

    row: str
    key: str
    text: str
    start: int
    end: int


def read_figures(root: Path) -> dict[str, Row]:
    """Return the rows of measured.toml by name, each with its commit and machine."""
    rows: dict[str, Row] = tomllib.loads((root / STORED).read_text("utf-8"))
    machine = rows.pop("machine")
    return {name: {"machine": machine["name"], **row} for name, row in rows.items()}


def all_figures(root: Path) -> dict[str, Row]:
    """Return the rows of measured.toml and derived.toml by name."""
    rows: dict[str, Row] = tomllib.loads((root / DERIVED).read_text("utf-8"))
    return {**read_figures(root), **rows}


def values(row: Row) -> Row:
    """Return the figures of a row."""
    return {key: value for key, value in row.items() if key not in _ABOUT}


def documents(root: Path) -> list[Path]:
    """Return the paths of the documents that may contain figures."""
    found = [*root.glob("*.md"), *root.glob("docs/**/*.md"), root / "data" / "README.md"]
    return sorted(path for path in found if path not in (root / PAGE, root / "CHANGELOG.md") and path.exists())


def places(text: str) -> Iterator[Place]:
    """Yield the places of figures and tables in a text. Raise FigureError if no figure precedes a marker."""
    marked = [
        Place(found["row"], found["key"], found["value"], *found.span("value")) for found in _MARKED.finditer(text)
    ]
    if left := [name for name in _MARK.findall(text) if name.split(".") not in [[p.row, p.key] for p in marked]]:
        raise FigureError(f"no figure before <!--{left[0]}-->")
    yield from marked
    for found in _TABLE.finditer(text):
        yield Place(found["row"], "table", found["value"], *found.span("value"))


def figure_of(figures: dict[str, Row], place: Place) -> str:
    """Return the stored figure or table for a place. Raise FigureError if nothing is stored for the place."""
    if place.key not in figures.get(place.row, {}):
        raise FigureError(f"{STORED.name} and {DERIVED.name} have no {place.key} in [{place.row}]")
    return figures[place.row][place.key]


def fill(text: str, figures: dict[str, Row]) -> str:
    """Return a document's text with the stored figures in their places. Raise FigureError if a figure is not stored."""
    for place in sorted(places(text), key=lambda each: each.start, reverse=True):
        if place.text.split() != figure_of(figures, place).split():
            # A blank line ends the table if the document had no rows of the table.
            end = "" if place.text else "\n"
            text = text[: place.start] + figure_of(figures, place) + end + text[place.end :]
    return text


def check(root: Path, figures: dict[str, Row]) -> None:
    """Raise FigureError if a document contains another figure than ``measured.toml``."""
    for path in documents(root):
        for place in places(path.read_text("utf-8")):
            if place.text.split() != (right := figure_of(figures, place)).split():
                one, other = (first_difference(place.text, right), first_difference(right, place.text))
                name = path.relative_to(root).as_posix()
                raise FigureError(f"{name} has {one} for the {place.key} of {place.row}, the stored figure is {other}")


def first_difference(text: str, other: str) -> str:
    """Return the first line of a text that is not in the other text."""
    lines = other.strip().splitlines()
    return next((line for line in text.strip().splitlines() if line not in lines), "fewer lines")


def without_figures(text: str) -> str:
    """Return a document's text without code, and without stored figures and tables."""
    text = _TABLE.sub("", re.sub(r"^```.*?^```$", "", text, flags=re.DOTALL | re.MULTILINE))
    return re.sub(r"`[^`]*`", "code", _MARKED.sub("", text))


def unstored_figures(text: str) -> list[str]:
    """Return the numbers with a unit in a document that are not marked as stored figures."""
    return [" ".join(each.split()) for each in re.findall(rf"(?<![\w.,`])\d[\d,.]*\s{UNIT}", without_figures(text))]


def page(root: Path, figures: dict[str, Row]) -> str:
    """Return the text of the page with all rows, ``docs/reference/MEASUREMENTS.md``."""
    where = _documents_by_row(root)
    again = [_line(row, where.get(name, ())) for name, row in figures.items() if "run" in row]
    once = [_line(row, where.get(name, ())) for name, row in figures.items() if "run" not in row]
    machine = tomllib.loads((root / STORED).read_text("utf-8"))["machine"]
    return _PAGE.format(**machine, again="\n".join(again), once="\n".join(once))


def _documents_by_row(root: Path) -> dict[str, list[Path]]:
    found: dict[str, list[Path]] = {}
    for path in documents(root):
        for row in sorted({place.row for place in places(path.read_text("utf-8"))}):
            found.setdefault(row, []).append(path.relative_to(root))
    return found


def _line(row: Row, where: list[Path] | tuple[()]) -> str:
    figures = [f"{key.replace('_', ' ')} {value}" for key, value in values(row).items()]
    if "table" in row:
        figures.append("[the table](" + ", ".join(_link(path) for path in where[:1]) + ")")
    return f"| {row['of']} | {'; '.join(figures)} | `{row['command']}` | {row['commit']} |"


def _link(path: Path) -> str:
    return f"../{path.relative_to('docs').as_posix()}" if path.parts[0] == "docs" else f"../../{path.as_posix()}"


_PAGE = """# Measurements

This page is generated by `make measure` from `report/measured.toml`, which stores each measured figure of the documents
with its command, machine and commit. A node is a position that the search enters. With one worker the node counts are
the same in every run; with two workers they vary by a few per cent. Times depend on the machine:

{name}.

## Measured by `make measure`

| what | figures | by | commit |
|---|---|---|---|
{again}

## Measured separately

The following figures need hours, another machine or other people's programs, so `make measure` does not measure them
again.

| what | figures | by | commit |
|---|---|---|---|
{once}
"""
