"""Committed files that are made from the code, so that a review shows changes on which people and scripts rely.

``python -m tools.affected --accept`` makes the files again and shows the differences. The tests compare each file with
the code: ``tests/test_pins.py`` and the tests of the room that makes the file.
"""

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import NamedTuple

from little_go.arena.classroom.canvas import CANVAS_COLUMNS
from little_go.arena.course.course_file import KEYS
from little_go.arena.exam.paper import TOPICS
from little_go.book.answers.query import Service
from little_go.book.answers.report import COLUMNS, knowledge_record
from little_go.book.files import atlas, puzzles
from little_go.book.store.views import TABLES
from little_go.maker import lengths
from little_go.notation.record import answer_record, to_record
from little_go.solver.bounds import UNKNOWN
from little_go.solver.family import COURSE
from little_go.solver.position import START
from report.figures import DERIVED, all_figures, documents, fill
from tests.notation.answers import STORED as ANSWERS
from tests.notation.answers import answers_text
from tests.solver import kernel_pictures
from tests.solver.nodes import STORED as NODES
from tests.solver.nodes import nodes_text
from tests.solver.reasons import STORED as REASONS
from tests.solver.reasons import reasons_text
from tests.test_options import TABLE, options_text
from tools.derived import derived, to_toml

ROOT = Path(__file__).parents[1]

#: The file that lists the columns of tables, the fields of JSON, and the keys of files that people write.
KEY_LISTS = Path("tests/key_lists.toml")

#: The document that shows pictures. The kernel's functions print these pictures.
PICTURES = kernel_pictures.DOCUMENT.relative_to(ROOT)


class Pin(NamedTuple):
    """A file that is made from the code.

    path: relative to the root. make: a function that returns the file's text. sources: the rooms whose changes can
    change the file.
    """

    path: Path
    make: Callable[[], str]
    sources: tuple[str, ...]


def key_lists() -> Mapping[str, Mapping[str, Iterable[str]]]:
    """Return the lists of columns, fields or keys, by section and name."""
    asked = knowledge_record(Service([], game=COURSE).ask(START))
    return {
        "csv": {
            "query": COLUMNS,
            "puzzles": puzzles.COLUMNS,
            "atlas": atlas.COLUMNS,
            "lengths": lengths.COLUMNS,
            "canvas": CANVAS_COLUMNS,
        },
        "json": {
            "query": asked,
            "query, only moves": [key for key in asked["moves"]["2,2"] if key not in asked],
            "value": to_record(START, COURSE) | answer_record(UNKNOWN, []),
        },
        "sql": {name: table.columns for name, table in TABLES.items()},
        "course_file": {"keys": KEYS, "limits": KEYS["limits"], "stage": KEYS["stage1"]},
        "exam": TOPICS,
    }


def key_lists_text() -> str:
    """Return the lists of columns and keys as TOML, with one line for each list."""
    lines = ["# Columns and keys that scripts rely on. `python -m tools.affected --accept` writes them."]
    for section, lists in key_lists().items():
        lines += ["", f"[{section}]"]
        lines += [f'"{name}" = "{", ".join(keys)}"' for name, keys in lists.items()]
    return "\n".join([*lines, ""])


PINS = (
    Pin(DERIVED, lambda: to_toml(derived()), ("arena", "data", "notation", "solver")),
    Pin(ANSWERS.relative_to(ROOT), answers_text, ("notation",)),
    Pin(KEY_LISTS, key_lists_text, ("arena", "book", "maker", "notation")),
    Pin(NODES.relative_to(ROOT), nodes_text, ("solver",)),
    Pin(REASONS.relative_to(ROOT), reasons_text, ("solver",)),
    Pin(PICTURES, kernel_pictures.document_text, ("docs", "solver", "tests")),
    Pin(TABLE.relative_to(ROOT), options_text, ("arena", "book", "explorer", "generator", "maker", "player", "proof")),
)


def changed_pins(rooms: Iterable[str] | None = None) -> Mapping[Path, str]:
    """Return, by path, the new texts of the pinned files that differ from the code.

    rooms: the rooms whose pins are compared, or None for all rooms.
    """
    wanted = [pin for pin in PINS if rooms is None or set(pin.sources) & set(rooms)]
    made = {pin.path: pin.make() for pin in wanted}
    return {path: text for path, text in made.items() if (ROOT / path).read_text("utf-8") != text}


def changed_documents() -> Mapping[Path, str]:
    """Return, by path, the new texts of the documents whose figures differ from the stored figures."""
    figures = all_figures(ROOT)
    texts = {path: path.read_text("utf-8") for path in documents(ROOT)}
    filled = {path.relative_to(ROOT): fill(text, figures) for path, text in texts.items()}
    return {path: text for path, text in filled.items() if text != texts[ROOT / path]}
