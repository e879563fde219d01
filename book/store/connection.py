"""The file of a proof store: connecting to it, and whether it is ours.

What needs sqlite-utils is here, which takes as long to import as all else of most commands: the store imports this when
one is opened.
"""

import contextlib
import os
import sqlite3
from pathlib import Path
from urllib.parse import quote

from sqlite_utils import Database

from book.store.facts import StoreError
from book.store.migrations import APPLICATION_ID, migrations


def connect(path: Path, write: bool, timeout: float) -> Database:
    """Connect to the file; raises sqlite3.Error.

    timeout: seconds to wait for a lock that another program holds on it.
    """
    if write:
        options = "mode=rwc"
    elif os.access(path.parent, os.W_OK) or Path(f"{path}-wal").exists():
        options = "mode=rw"
    else:
        # A reader in WAL mode writes beside the file. Where it may not, and no writer has
        # begun anything, the file is complete as it is.
        options = "immutable=1"
    # isolation_level None: transactions begin and end where this module says.
    uri = f"file:{quote(str(path))}?{options}"
    return Database(sqlite3.connect(uri, uri=True, timeout=timeout, isolation_level=None))


def check_ours(db: Database, path: Path, write: bool) -> None:
    """Raise StoreError unless it is a store of this version; for writing an older one will do, or an empty file."""
    (identity,) = db.execute("PRAGMA application_id").fetchone()
    (tables,) = db.execute("SELECT count(*) FROM sqlite_schema").fetchone()
    if not tables and not identity:
        if write:
            return
        raise StoreError(f"{path} is empty: fill it with python -m book import --db {path}")
    if identity != APPLICATION_ID:
        raise StoreError(f"{path}: not a Little-Go store; name another file")
    newer = {migration.name for migration in migrations.applied(db)} - _own_migrations()
    if newer:
        raise StoreError(f"{path}: written by a newer version of Little-Go (it has {min(newer)})")
    if migrations.pending(db) and not write:
        raise StoreError(
            f"{path}: written by an older version of Little-Go; upgrade it with a command that writes to it, such as"
            f" python -m book import data/atlas.csv.gz --db {path}"
        )
    if not write:
        # Somebody else may have made the schema. Where we write it must be ours, and SQLite mistrusts our views' JSON.
        db.execute("PRAGMA trusted_schema = OFF")


def _own_migrations() -> set[str]:
    with contextlib.closing(Database(memory=True)) as empty:
        return {migration.name for migration in migrations.pending(empty)}


def schema_faults(db: Database) -> list[str]:
    """Return a line for each table, index, view and trigger that is not as we make it; raises sqlite3.Error."""
    with contextlib.closing(Database(memory=True)) as empty:
        migrations.apply(empty)
        ours = _schema(empty)
    there = _schema(db)
    wrong = {at: "is not as we make it" for at in ours.keys() & there.keys() if ours[at] != there[at]}
    wrong.update(dict.fromkeys(there.keys() - ours.keys(), "is not ours"))
    wrong.update(dict.fromkeys(ours.keys() - there.keys(), "is missing"))
    return [f"schema: {kind} {name} {what}" for (kind, name), what in sorted(wrong.items())]


def _schema(db: Database) -> dict[tuple[str, str], str]:
    """Return the statements that made what is in a database, by kind and name; blanks do not matter."""
    rows = db.execute("SELECT type, name, sql FROM sqlite_schema WHERE substr(name, 1, 7) != 'sqlite_'")
    return {(kind, name): " ".join(made.split()) for kind, name, made in rows}


def prepare_writing(db: Database, path: Path) -> None:
    """Bring the tables up to date, and have SQLite write as a store does; raise StoreError unless they are ours."""
    db.enable_wal()
    # A crash of the machine may lose the last commits, never the file; a crash of the process loses none.
    db.execute("PRAGMA synchronous = NORMAL")
    db.execute("PRAGMA foreign_keys = ON")
    try:
        with db.atomic():
            migrations.apply(db)
    except sqlite3.OperationalError as error:
        if "already exists" not in str(error):
            raise
        raise StoreError(f"{path}: damaged: its list of migrations lacks one that was made: {error}") from None
    # Views are only read.
    faults = [fault for fault in schema_faults(db) if not fault.startswith("schema: view ")]
    if faults:
        raise StoreError(f"{path}: nothing is written to it: {faults[0]}")
