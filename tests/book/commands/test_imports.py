"""A process that prints a stored answer imports and opens only the necessary modules and files."""

import subprocess
import sys
from pathlib import Path

import pytest

from little_go.solver.position import START, parse_moves, play_all
from little_go.solver.symmetry import canonical_key
from tests.options import NO_SEARCH

ROOT = Path(__file__).parents[3]

#: The key of a position after twelve plies. A question with moves would also look up the earlier positions.
LATE = str(canonical_key(play_all(START, parse_moves("0,0 4,4 0,1 4,3 1,0 3,4 2,4 2,2 0,3 4,1 1,3 3,1"))))

#: Modules that an answer from the shipped files must not import.
UNUSED = (
    "little_go.book.drawing",
    "little_go.book.exchange.compress",
    "little_go.book.exchange.merge",
    "little_go.book.store.connection",
    "little_go.book.store.store",
    "sqlite3",
    "sqlite_utils",
    "dask",
    "multiprocessing",
    "little_go.generator",
    "little_go.arena",
    "little_go.notation.sgf",
    "sgfmill",
    "little_go.solver.exact",
    "little_go.solver.native.moves",
    "little_go.solver.native.table",
)

#: A program that prints the modules that a question has imported, and the project's other files that it has opened. The
#: program finds no store, even if the clone contains one.
PROGRAM = """
import os, sys
opened = []
sys.addaudithook(lambda event, given: event == "open" and opened.append(given[0]))
from pathlib import Path
from little_go.__main__ import main
from little_go.book.files import shipped
shipped.STORE = Path("none.db")
main(["query", *sys.argv[1:]], standalone_mode=False)
here = os.getcwd() + os.sep
files = {os.path.relpath(os.path.realpath(path)) for path in opened if str(path).startswith(here)}
print("opened", *sorted(path for path in files if not path.endswith((".py", ".pyc", ".so")) and path[0] != "."))
print("imported", *sys.modules)
"""


def question(*words: str) -> tuple[list[str], list[str]]:
    """Run a question, and return the imported modules and the opened files."""
    command = [sys.executable, "-c", PROGRAM, *NO_SEARCH, *words]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    answer, _, imported = done.stdout.rpartition("imported ")
    return imported.split(), answer.rpartition("opened ")[2].split()


@pytest.mark.parametrize("words", [["2,2"], ["--moves", "2,2 1,2 2,1 1,3"], ["--json", "--key", LATE]])
def test_a_stored_answer_imports_neither_store_nor_drawings_nor_games(words: list[str]) -> None:
    imported, _ = question(*words)
    assert {"little_go.book.answers.query", "little_go.book.files.values"} <= {*imported}
    assert [name for name in imported if name.startswith(UNUSED)] == []


ATLAS, CLAIMS, BOOK = "data/atlas.values", "data/claims.index", "book.json"


@pytest.mark.parametrize(
    ("words", "files"),
    [
        (["--only", "book", "2,2"], {BOOK}),
        (["--only", "certificate", "2,2"], {CLAIMS}),
        (["--only", "atlas", "--key", LATE], {ATLAS}),
        (["--key", LATE], {ATLAS, BOOK, CLAIMS}),
        (["--only", "certificate", "--only", "atlas", "2,2 1,2"], {ATLAS, CLAIMS, "data/ply6/", "data/ply7/"}),
    ],
)
def test_a_question_opens_the_files_that_it_needs(words: list[str], files: set[str]) -> None:
    _, opened = question(*words)
    found = {path[: len("data/ply6/")] if path.endswith(".part") else path for path in opened}
    # The only files are for the version of the command and for the forms of texts.
    assert found - {"pyproject.toml", "notation/forms.toml"} == files
