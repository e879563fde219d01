"""A stored answer is quick because its process imports only what it uses."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[3]

#: What a question to the shipped files does without: the store, imports into it, drawings, clusters.
UNUSED = (
    "book.drawing",
    "book.exchange.compress",
    "book.exchange.merge",
    "book.store.connection",
    "book.store.store",
    "sqlite3",
    "sqlite_utils",
    "dask",
    "multiprocessing",
    "generator",
    "arena",
)

PROGRAM = """
import sys
from little_go.__main__ import main
main(["query", "--live", "0", "--only", "atlas", "2,2"], standalone_mode=False)
print("imported", *sys.modules)
"""


def test_a_stored_answer_imports_neither_store_nor_drawings() -> None:
    done = subprocess.run([sys.executable, "-c", PROGRAM], cwd=ROOT, capture_output=True, text=True, check=True)
    imported = done.stdout.rpartition("imported ")[2].split()
    assert {"book.answers.query", "book.files.values"} <= {*imported}
    assert [name for name in imported if name.startswith(UNUSED)] == []
