"""The migrations that make the tables of the proof store, which are the files in ``sql/`` in the order of their names.

``positions.key`` contains the whole position, so the columns for people (black, white, ko, ply, mover, passed) are
virtual: SQLite computes them from the key when they are read.
"""

import contextlib
import sqlite3
from collections.abc import Collection
from pathlib import Path

from sqlite_utils import Database, Migrations

from little_go.book.store.connection import (
    MIGRATION_SET,
    SCRIPTS,
    SchemaRow,
    applied_names,
    drop_views,
    file_faults,
    game_number,
    renew_views,
    run_script,
    schema_faults,
    schema_of,
    schema_rows,
)
from little_go.book.store.facts import StoreError
from little_go.solver.family import COURSE, Variant

migrations = Migrations(MIGRATION_SET)


def _add(script: Path) -> None:
    @migrations(name=script.stem)
    def migrate(db: Database) -> None:
        run_script(db, script)


for _script in SCRIPTS:
    _add(_script)


def damage(db: sqlite3.Connection, game: Variant) -> list[str]:
    """Return a line for each fault of the file, and for each difference between its schema and ours."""
    return file_faults(db) + schema_faults(schema_rows(db), schema_of(game, _made(len(SCRIPTS))))


def _made(count: int) -> list[SchemaRow]:
    pending = [script.stem for script in SCRIPTS[count:]]
    with contextlib.closing(Database(memory=True)) as empty:
        migrations.apply(empty, stop_before=pending or None)
        return schema_rows(empty.conn)


def prepare_writing(connection: sqlite3.Connection, path: Path, game: Variant) -> None:
    """Apply the missing migrations, and set SQLite's modes for writing. Raise StoreError if the file has a fault.

    The file is checked first, because a trigger of another program could react to a migration.
    """
    applied = applied_names(connection, path)
    if schema_rows(connection):
        _check(connection, path, applied)
    db = Database(connection)
    db.execute("PRAGMA journal_mode = WAL")
    # A crash of the machine can lose the last commits, but not damage the file. A crash of the process loses no commit.
    db.execute("PRAGMA synchronous = NORMAL")
    db.execute("PRAGMA foreign_keys = ON")
    with db.atomic():
        migrations.apply(db)
        if game == COURSE:
            renew_views(db)
        else:
            drop_views(db)
            db.execute(f"PRAGMA user_version = {game_number(game)}")


def _check(db: sqlite3.Connection, path: Path, applied: Collection[str]) -> None:
    if applied != {script.stem for script in SCRIPTS[: len(applied)]}:
        raise StoreError(f"{path}: damaged: its list of migrations has a gap")
    # Views are not compared, because a migration or renew_views() replaces them if they differ.
    there = [row for row in schema_rows(db) if not row[3].upper().startswith("CREATE VIEW ")]
    ours = [row for row in _made(len(applied)) if row[0] != "view"]
    faults = schema_faults(there, ours) or file_faults(db)
    if faults:
        raise StoreError(f"{path}: not written, because of a fault: {faults[0]}")
