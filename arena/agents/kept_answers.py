"""An agent's answers by position, kept for the other processes of this user: the same ones, without the search.

They are kept with what made them, so that answers of other sources, or of another kernel, are not found.
"""

import sqlite3
from collections.abc import Iterable
from contextlib import closing, suppress
from functools import lru_cache
from hashlib import sha256
from pathlib import Path

from runtime.files import MIB, open_database, read_file

_TABLE = """CREATE TABLE IF NOT EXISTS answers (
    maker TEXT, position TEXT, moves TEXT, PRIMARY KEY (maker, position)
) WITHOUT ROWID"""


class KeptAnswers:
    """Answers in a file. Where it cannot be read or written, none is found and none is kept."""

    def __init__(self, path: Path, maker: str) -> None:
        """maker: a digest of all that the answers follow from."""
        self._path, self._maker = path, maker

    def find(self, position: str) -> list[int] | None:
        """Return the answer to a position, None where there is none."""
        with suppress(OSError, sqlite3.Error, ValueError, AttributeError):
            if self._path.is_file():
                with closing(open_database(self._path, write=False)) as db:
                    asked = "SELECT moves FROM answers WHERE maker = ? AND position = ?"
                    row = db.execute(asked, (self._maker, position)).fetchone()
                    return None if row is None else [int(word) for word in row[0].split()]
        return None

    def keep(self, position: str, moves: Iterable[int]) -> None:
        """Keep the answer to a position."""
        with suppress(OSError, sqlite3.Error):
            self._path.parent.mkdir(parents=True, exist_ok=True)
            with closing(open_database(self._path, write=True)) as db, db:
                # What a power cut takes is searched again.
                db.execute("PRAGMA synchronous = OFF")
                db.execute(_TABLE)
                row = (self._maker, position, " ".join(map(str, moves)))
                db.execute("INSERT OR REPLACE INTO answers VALUES (?, ?, ?)", row)


@lru_cache
def digest_of_sources(folders: tuple[Path, ...]) -> str:
    """Return a digest of all Python files and compiled modules in folders, and of single files. Raises OSError."""
    digest = sha256()
    for folder in folders:
        for path in sorted(folder.rglob("*")) if folder.is_dir() else [folder]:
            if path.suffix in (".py", ".so", ".pyd"):
                digest.update(path.name.encode() + b"\0" + sha256(read_file(path, 64 * MIB)).digest())
    return digest.hexdigest()
