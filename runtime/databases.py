"""Open a SQLite file safely: SQLite may write to files beside it, or remove one that a journal names."""

import errno
import os
import sqlite3
import stat
from contextlib import suppress
from pathlib import Path
from typing import Literal
from urllib.parse import quote

from runtime.files import read_end

#: The files that SQLite opens beside a database, and the end of a journal that names another file to remove.
_BESIDE = ("-journal", "-wal", "-shm")
_NAMES_ANOTHER = bytes.fromhex("d9d505f920a163d7")


def open_database(
    path: Path, *, write: bool, timeout: float = 5.0, isolation_level: Literal["DEFERRED"] | None = "DEFERRED"
) -> sqlite3.Connection:
    """Connect to a file, made if it is to be written to and missing.

    timeout: seconds to wait for another program's lock. isolation_level: None where the caller begins and ends
        transactions. Raises sqlite3.Error, and OSError for a file that SQLite should not open.
    """
    _check_files(path)
    if write:
        options = "mode=rwc"
    elif os.access(path.parent, os.W_OK) or Path(f"{path}-wal").exists():
        options = "mode=rw"
    else:
        # A reader in WAL mode writes beside the file. Where it may not, and no writer has begun anything, the file is
        # complete as it is.
        options = "immutable=1"
    uri = f"file:{quote(str(path))}?{options}"
    return sqlite3.connect(uri, uri=True, timeout=timeout, isolation_level=isolation_level)


def database_in_memory() -> sqlite3.Connection:
    """Return an empty database without a file."""
    return sqlite3.connect(":memory:")


def _check_files(path: Path) -> None:
    """Raise OSError unless a database and SQLite's files beside it are plain files, if they exist."""
    real = os.path.realpath(path)
    for name in (real, *(f"{real}{end}" for end in _BESIDE)):
        with suppress(FileNotFoundError, NotADirectoryError, PermissionError):
            mode = os.lstat(name).st_mode
            if not stat.S_ISREG(mode) and not (name == real and stat.S_ISDIR(mode)):
                named = str(path) if name == real else name
                raise OSError(errno.EINVAL, "not a plain file, so it is not opened", named)
    journal, end = f"{real}{_BESIDE[0]}", b""
    with suppress(OSError):
        end = read_end(journal, len(_NAMES_ANOTHER))
    if end == _NAMES_ANOTHER:
        raise OSError(errno.EINVAL, "it has SQLite remove another file, so it is not opened", journal)
