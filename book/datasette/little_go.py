"""A plugin for Datasette 0.65: boards drawn in tables, links to the explorer, and a description for every column.

Datasette loads the plugin by ``--plugins-dir book/datasette``. Datasette finds the hooks by their names, and passes the
arguments that are the parameters of a hook.
"""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from markupsafe import Markup, escape

# This is the same object as datasette.hookimpl, but it can be imported if Datasette is not installed.
from pluggy import HookimplMarker

from little_go.book.store.views import TABLES
from little_go.notation.faults import NotationError
from little_go.notation.record import link_fragment, read_key
from little_go.runtime.files import MIB, read_text
from little_go.runtime.release import shipped
from little_go.solver.family import COURSE
from little_go.solver.position import PASS, SIZE, parse_move

hookimpl = HookimplMarker("datasette")

_FOLDER = Path(__file__).parent

STYLE, EXPLORER = "/-/little-go.css", "/-/explorer.html"

#: The columns with a key, a board, and the move to mark on the board.
_KEYS = ("key", "key_text", "after_key", "after_key_text")
_BOARDS = ("board", "after_board")
_MOVES = ("move", "best_move")

#: The number of pixels between two lines of a drawn board, and the width of the margin around the lines in pixels.
_STEP, _EDGE = 14, 10
_WIDTH = 2 * _EDGE + _STEP * (SIZE - 1)


@hookimpl
def render_cell(row: Any, value: Any, column: str) -> Markup | None:
    """Return a drawn board, or a link for a key or an address, as HTML. Return None for any other cell."""
    if column in _KEYS:
        return _key_link(value)
    if not isinstance(value, str):
        return None
    if column in _BOARDS and _is_board(value):
        return board_svg(value, _marked(row) if column == "board" else [])
    if column == "explorer" and value.startswith("explorer.html#"):
        return Markup('<a href="{}">explore</a>').format(f"{EXPLORER}#{value.partition('#')[2]}")
    return None


def _key_link(value: Any) -> Markup | None:
    """Return the link of a key to its position in the explorer, or None if the value is not a key."""
    try:
        fragment = link_fragment(read_key(str(value), game=COURSE).position, COURSE)
    except NotationError:
        return None
    return Markup('<a class="key" href="{}">{}</a>').format(f"{EXPLORER}#{fragment}", value)


def _is_board(text: str) -> bool:
    rows = text.split("/")
    return len(rows) == SIZE and all(len(row) == SIZE and not row.strip(".XO") for row in rows)


def _marked(row: Any) -> list[int]:
    names = row.keys() if row is not None else ()
    words = [word for name in _MOVES if name in names and isinstance(row[name], str) for word in row[name].split()]
    points = []
    for word in words:
        try:
            points.append(parse_move(word))
        except ValueError:
            return []
    return [point for point in points if point != PASS]


def board_svg(board: str, marked: list[int]) -> Markup:
    """Draw a board such as ``...../...../..X../...../.....`` as SVG, with a ring on the marked points."""
    far = _EDGE + _STEP * (SIZE - 1)
    lines = "".join(f"M{_EDGE} {at}H{far}M{at} {_EDGE}V{far}" for at in range(_EDGE, far + 1, _STEP))
    shapes = [f'<rect class="wood" width="{_WIDTH}" height="{_WIDTH}" rx="3"/><path class="line" d="{lines}"/>']
    for point, sign in enumerate(board.replace("/", "")):
        x, y = _EDGE + _STEP * (point % SIZE), _EDGE + _STEP * (point // SIZE)
        if sign != ".":
            shapes.append(f'<circle class="{"black" if sign == "X" else "white"}" cx="{x}" cy="{y}" r="6"/>')
        elif point in marked:
            shapes.append(f'<circle class="move" cx="{x}" cy="{y}" r="4"/>')
    # The title is for screen readers, and for copies of the table as text.
    head = f'<svg class="little-go" viewBox="0 0 {_WIDTH} {_WIDTH}" width="{_WIDTH}" height="{_WIDTH}" role="img">'
    return Markup(f"{head}<title>{escape(board)}</title>{''.join(shapes)}</svg>")


@hookimpl
def extra_css_urls() -> list[str]:
    """Return the address of the style sheet for boards and dark pages."""
    return [STYLE]


@hookimpl
def register_routes() -> list[tuple[str, Callable[[], Any]]]:
    """Return the routes of the style sheet and of the explorer, so that links work without a network."""
    return [(f"^{STYLE}$", _style), (f"^{EXPLORER}$", _explorer)]


def _style() -> Any:
    return _response(_FOLDER / "little_go.css", "text/css; charset=utf-8")


def _explorer() -> Any:
    return _response(shipped("explorer.html"), "text/html; charset=utf-8")


def _response(path: Path, content_type: str) -> Any:
    from datasette.utils.asgi import Response

    return Response(read_text(path, MIB), content_type=content_type)


@hookimpl
def get_metadata(datasette: Any) -> Mapping[str, Any]:
    """Return the descriptions of the tables, views and columns of every open database."""
    tables: dict[str, dict[str, Any]] = {
        name: {
            "description": described.text.replace("`", ""),
            "columns": {column: text.replace("`", "") for column, text in described.columns.items()},
        }
        for name, described in TABLES.items()
    }
    # The table of migrations is hidden, because it is of no use to a reader.
    tables["_sqlite_migrations"] = {"hidden": True}
    return {"databases": {name: {"tables": tables} for name in datasette.databases}}
