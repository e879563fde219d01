"""Every field of JSON and CSV, and every column of the views, agrees with docs/reference/FIELDS.md."""

import csv
import io
import itertools
import json
import re
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from little_go.__main__ import main
from little_go.arena.exam.outcome import ExamOutcome
from little_go.book.files.shipped import ATLAS_FILE, LATER_PLIES
from little_go.book.store.views import TABLES, VIEWS
from little_go.generator.questions.atlas_run import RunProgress
from little_go.generator.report.progress import progress_record
from little_go.proof.verify import Ply, summary
from little_go.runtime.files import MIB, open_text
from tests.arena.exam.faulty import FAULTS, mark, perfect
from tests.options import NO_SEARCH
from tests.shipped import exam_questions

DOCUMENT = Path(__file__).parents[1] / "docs" / "reference" / "FIELDS.md"

COMMON = "The same everywhere"

MOVE = "(?:[0-4],[0-4]|PASS)"
SIDE = "Black|White"
RESULT = r"[BW]\+\d+\.5(?: or more)?|(?:Black|White) wins|undecided"
TEXTS = {
    "text": ".*",
    "side": SIDE,
    "result": RESULT,
    "move": MOVE,
    "moves": rf"(?:{MOVE}(?: {MOVE})*)?",
    "board": r"[.XO]{5}(?:/[.XO]{5}){4}",
    "origin": "search|ply before|ply after",
    "integer": r"-?\d+",
    "number": r"-?\d+(?:\.\d+)?(?:e-?\d+)?",
    "flag": "[01]",
    "list": ".*",
}

#: Fields with objects whose keys are data: moves, plies, names, reasons, values.
BY_DATA = {
    "agents",
    "inexact",
    "faults",
    "words",
    "values",
    "divide",
    "won",
    "built_in",
    "statuses",
    "moves_by",
    "believed",
}
#: Fields that contain rows of the database.
AS_STORED = {"parameters", "believed"}


def tables() -> dict[str, dict[str, list[str]]]:
    """Return the tables of the document: by heading and field, the possible types."""
    found: dict[str, dict[str, list[str]]] = {}
    heading = ""
    for line in DOCUMENT.read_text("utf-8").splitlines():
        if line.startswith("## "):
            heading = line[3:]
            found[heading] = {}
        elif line.startswith("| `"):
            names, holds, _ = (cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:4])
            for name in re.findall("`([^`]+)`", names):
                assert name not in found[heading], f"{heading}: {name} stands there twice"
                found[heading][name] = re.split(r", | or ", holds)
        elif same := re.match(r"As in \[(.+?)\]", line):
            found[heading] |= {name: found[same[1]][name] for name in re.findall("`([^`]+)`", line)}
    return found


TOLD = tables()


def holds(kind: str, value: Any) -> bool:
    """Return whether a JSON value has a type of the document."""
    if kind == "null" or value is None:
        return kind == "null" and value is None
    if kind in ("list", "object"):
        return isinstance(value, list if kind == "list" else dict)
    if kind == "moves" and isinstance(value, list):
        return all(isinstance(each, str) and re.fullmatch(MOVE, each) for each in value)
    if kind == "flag":
        return isinstance(value, bool)
    if kind in ("integer", "number"):
        return isinstance(value, int if kind == "integer" else int | float) and not isinstance(value, bool)
    return isinstance(value, str) and re.fullmatch(TEXTS[kind], value) is not None


def fields(value: Any, own: str) -> Iterator[tuple[str, Any]]:
    """Yield the fields of JSON, at any depth, that are not data."""
    if isinstance(value, list):
        for each in value:
            yield from fields(each, own)
    elif isinstance(value, dict):
        for name, content in value.items():
            yield name, content
            by_move = name in ("moves", "plies") and isinstance(content, dict)
            if name in AS_STORED:
                continue
            if name in BY_DATA or by_move:
                yield from fields(list(content.values()) if isinstance(content, dict) else content, own)
            else:
                yield from fields(content, own)


def run(*arguments: str) -> str:
    done = CliRunner().invoke(main, arguments, catch_exceptions=False)
    assert done.exit_code == 0, done.stderr
    return done.stdout


def lines(*arguments: str) -> list[Any]:
    return [json.loads(line) for line in run(*arguments).splitlines()]


def _query() -> list[Any]:
    game = "2,2 1,1 1,2 2,1 3,1 3,2 1,3 0,2 2,3 3,3"
    return [
        *lines("query", "--moves", "2,2 1,1", *NO_SEARCH, "--json"),
        *lines("query", "--moves", game, *NO_SEARCH, "--json"),
        *lines("query", "--moves", "PASS", "--json"),
    ]


def _played() -> list[Any]:
    run("play", "--black", "greedy", "--white", "random", "--plies", "8", "--jsonl", "games.jsonl")
    run("tournament", "greedy", "random", "--games", "1", "--out", "kept")
    kept = (Path("games.jsonl"), Path("kept/games.jsonl"))
    return [json.loads(line) for path in kept for line in path.read_text("utf-8").splitlines()]


def _reviewed() -> list[Any]:
    Path("two.sgf").write_text("(;SZ[5];B[cc];W[bb];B[];W[])(;SZ[5];B[bb];W[cc])", "ascii")
    few = ("--json", "--nodes", "2000")
    return [*lines("review", "two.sgf", *few), *lines("review", "2,2", "2,2", *few)]


def _walked() -> list[Any]:
    return [summary([Ply(10, won=30, moves_by={"exact": 28, "book": 2}, most_nodes=90_000, most_seconds=0.4)])]


def _logged() -> list[Any]:
    options = ("--plies", "6", "--depth", "1", "--table", "16MiB")
    run("generator", "atlas", *options, "--db", "small.db", "--jsonl", "log.jsonl")
    found = [json.loads(line) for line in Path("log.jsonl").read_text("utf-8").splitlines()]
    return [*found, progress_record(RunProgress(2, 5, 9, 1000, 2.5, 0.01, (3.0, 1.0), 2))]


def _graded() -> list[Any]:
    """Return the gradebooks of a class whose only student has no program with one of the assignment's names."""
    Path("class/ann").mkdir(parents=True)
    Path("class/ann/player.py").write_text("", "ascii")
    return [
        found
        for year in ("2020", "2025")
        for found in lines("class", "class", "--scheme", year, "--out", f"graded-{year}", "--json")
    ]


def _class_checked() -> list[Any]:
    """Return the check of a class of copies, one of them late, and a file that belongs to no student."""
    for name in ("ann", "ben"):
        Path("class", name).mkdir(parents=True)
        Path("class", name, "my_player3.py").write_text("import numpy\n", "ascii")
    Path("class/README.md").write_text("", "ascii")
    Path("late.csv").write_text("name,days\nann,1\ncid,1\n", "ascii")
    return list(lines("class", "class", "--check", "--late", "late.csv", "--json"))


def _examined() -> list[Any]:
    """Return the exam results of greedy, and of an agent with a fault."""
    answers = [mark(FAULTS["never PASS"][0](perfect), question) for question in exam_questions()]
    return [*lines("exam", "greedy", "--positions", "24", "--json"), ExamOutcome("agent", answers, False).record()]


#: By section of the document, the function that prints the output.
OUTPUTS: dict[str, Callable[[], list[Any]]] = {
    "query --json": _query,
    "review --json": _reviewed,
    "play --jsonl": _played,
    "tournament --json": lambda: lines("tournament", "greedy", "random", "--games", "1", "--json"),
    "grade --json": lambda: lines("grade", "greedy", "--scheme", "2020", "--games", "1", "--json"),
    "class --json": _graded,
    "class --check --json": _class_checked,
    "exam --json": _examined,
    "status --json": lambda: lines("status", "--db", "shipped.db", "--json"),
    "book atlas --json": lambda: lines("book", "atlas", "--json"),
    "value": lambda: lines("value", "2,2 1,1 1,2 2,1 3,1 3,2 1,3 0,2 2,3 3,3 0,1 0,3"),
    "perft --json": lambda: lines("solver", "perft", "1", "--divide", "--json"),
    "tictactoe --json": lambda: lines("tictactoe", "--episodes", "20", "--json"),
    "train --json": lambda: lines("train", "--episodes", "5", "--every", "5", "--test-games", "1", "--json"),
    "proof verify --json": _walked,
    "generator atlas --jsonl": _logged,
}


@pytest.mark.parametrize("output", OUTPUTS)
def test_json_is_as_documented(
    output: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, shipped_store: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("shipped.db").symlink_to(shipped_store)
    own = TOLD[output]
    seen = set()
    for name, value in fields(OUTPUTS[output](), output):
        kinds = own.get(name, TOLD[COMMON].get(name))
        assert kinds is not None, f"{output}: {name} is not in {DOCUMENT.name}"
        assert any(holds(kind, value) for kind in kinds), f"{output}: {name} is {value!r}, not {kinds}"
        seen.add(name)
    assert set(own) - {"ko"} <= seen, "documented, but not there"


def test_a_name_of_the_first_table_has_no_other_meaning() -> None:
    for output, own in TOLD.items():
        assert output == COMMON or not set(own) & set(TOLD[COMMON]), output
    assert set(TOLD) == {COMMON, "Positions", "query --csv", *OUTPUTS}


def _csv_rows(output: str) -> Iterator[dict[str, str]]:
    if output == "query --csv":
        yield from csv.DictReader(io.StringIO(run("query", "--moves", "2,2 1,1", *NO_SEARCH, "--csv")))
        return
    with open_text(
        dict(zip("456", (ATLAS_FILE, *LATER_PLIES.values()), strict=True))[output], 256 * MIB, "ascii"
    ) as text:
        yield from csv.DictReader(itertools.islice(text, 0, None, 101))


@pytest.mark.parametrize("output", ["query --csv", "4", "5", "6"])
def test_csv_is_as_documented(output: str) -> None:
    known = TOLD[COMMON] | TOLD.get(output, {})
    for row in _csv_rows(output):
        for name, text in row.items():
            kinds = ["point", "null"] if name == "ko" else known[name]
            assert fits(kinds, text or None), f"{output}: {name} is {text!r}, not {kinds}"


def fits(kinds: list[str], value: object) -> bool:
    """Return whether a cell of CSV or SQL has a type of the document."""
    if value is None:
        return "null" in kinds or bool({"moves", "list", "text"} & set(kinds))
    patterns = {**TEXTS, "point": "[0-4],[0-4]"}
    return any(re.fullmatch(patterns[kind], str(value)) for kind in kinds if kind != "null")


def test_views_mean_the_same(shipped_store: Path) -> None:
    checked = set()
    with closing(sqlite3.connect(shipped_store)) as db:
        db.row_factory = sqlite3.Row
        for view in VIEWS:
            for row in db.execute(f"SELECT * FROM {view.name} LIMIT 300"):
                for name in set(view.columns) & (set(TOLD[COMMON]) | {"ko"}):
                    kinds = ["point", "null"] if name == "ko" else TOLD[COMMON][name]
                    fine = fits(kinds, row[name]) or (
                        name == "winner" and row[name] in ("undecided", "not in the store")
                    )
                    assert fine, f"{view.name}: {name} is {row[name]!r}, not {kinds}"
                    checked.add(name)
    assert {"winner", "worth", "best", "best_move", "moves_known", "origin", "mover", "passed"} <= checked


def test_a_column_has_one_meaning_in_all_tables() -> None:
    """A column with a move's name does not contain values."""
    described = [columns for _, columns in TABLES.values()]
    for name in ("best", "second", "worst"):
        assert not any("value" in columns.get(name, "") for columns in described), name
