"""Connect to the file of a proof store, and check that it is ours.

Reading needs only Python's sqlite3. sqlite-utils, which writers need, takes longer to import than most questions take
to answer: it is in migrations.py.
"""

import sqlite3
from collections import Counter
from collections.abc import Collection
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

from book.store.facts import StoreError
from book.store.views import VIEWS
from solver.family import COURSE, Variant

if TYPE_CHECKING:
    from sqlite_utils import Database
from runtime.files import MIB, database_in_memory, open_database, read_text
from runtime.hints import command_line

#: Marks a SQLite file as ours (``PRAGMA application_id``, in the first migration): "LGo5".
APPLICATION_ID = 0x4C476F35

#: Why another program's file is refused.
NOT_OURS = "not a Little-Go store; name another file"

#: The migrations' name in sqlite-utils' table of them, and the file of each, in order.
MIGRATION_SET = "little-go"
SCRIPTS = sorted(Path(__file__).with_name("sql").glob("*.sql"))

#: The migration that makes VIEWS too.
_WITH_VIEWS = "m008_best_moves_and_origin"

#: SQLite instructions between checks for a Ctrl-C: about a millisecond.
_LOOK = 50_000

#: ANALYZE adds these to a schema; they do no harm.
_STATISTICS = {
    ("table", "sqlite_stat1", "sqlite_stat1", "CREATE TABLE sqlite_stat1(tbl,idx,stat)"),
    ("table", "sqlite_stat4", "sqlite_stat4", "CREATE TABLE sqlite_stat4(tbl,idx,neq,nlt,ndlt,sample)"),
}

#: A row of sqlite_schema: type, name, the table's name, and the statement with single blanks.
SchemaRow = tuple[str, str, str, str]


def connect(path: Path, write: bool, timeout: float) -> sqlite3.Connection:
    """Connect to the file; raises sqlite3.Error, and StoreError for a file that SQLite should not open.

    timeout: seconds to wait for another program's lock. Ctrl-C stops a statement, which then fails as ``interrupted``.
    """
    try:
        # isolation_level None: this module begins and ends transactions.
        db = open_database(path, write=write, timeout=timeout, isolation_level=None)
    except OSError as error:
        raise StoreError(f"{error.filename}: {error.strerror}") from None
    # Python handles a signal when it runs code of its own; an exception here ends the statement.
    db.set_progress_handler(lambda: 0, _LOOK)
    return db


def checkpoint_wal(db: sqlite3.Connection) -> None:
    """Put all writes into the one file and keep none beside it, unless another process reads it.

    A file in WAL mode cannot be read in a directory that may not be written, except by programs that know it is
    unchanged.
    """
    try:
        db.execute("PRAGMA busy_timeout = 0")
        db.execute("PRAGMA journal_mode = DELETE")
    except sqlite3.Error as error:
        raise_interrupt(error)


def raise_interrupt(error: sqlite3.Error) -> None:
    """Raise KeyboardInterrupt if a Ctrl-C has ended the statement that failed: nothing else interrupts one."""
    if str(error) == "interrupted":
        raise KeyboardInterrupt from None


def game_number(game: Variant) -> int:
    """Return the game's number in ``PRAGMA user_version``; 0 is the course's, as in older stores.

    Otherwise::

        bit  12 .. 8   7 .. 0
             plies     twice the komi + 64
    """
    return 0 if game == COURSE else game.plies << 8 | int(2 * game.komi) + 64


def _game_in(db: sqlite3.Connection) -> Variant:
    (number,) = db.execute("PRAGMA user_version").fetchone()
    return COURSE if number == 0 else Variant(number >> 8, ((number & 255) - 64) / 2)


def named_game(path: Path) -> Variant:
    """Return a store's game; the course's where there is no store, which Store() reports then."""
    try:
        with closing(connect(path, write=False, timeout=5.0)) as db:
            game = _game_in(db)
            game.check()
            return game
    except sqlite3.Error as error:
        raise_interrupt(error)
    except (StoreError, ValueError):
        pass
    return COURSE


def _check_game(db: sqlite3.Connection, path: Path, game: Variant) -> None:
    there = _game_in(db)
    if there != game:
        raise StoreError(f"{path} is about the game of {there}, and this one is of {game}; name another file")


def empty_store(path: Path) -> StoreError:
    """Return the error of a command that needs rows, for a store without any."""
    return StoreError(f"{path} is empty: fill it with {command_line('book import --db', path)}")


def check_ours(db: sqlite3.Connection, path: Path, write: bool, suspect: bool = False, *, game: Variant) -> None:
    """Raise StoreError unless it is a store of this version; for writing, an older one or an empty file will do.

    suspect: read damaged stores too, with tables and views of our names that are not as we make them.
    """
    (identity,) = db.execute("PRAGMA application_id").fetchone()
    (tables,) = db.execute("SELECT count(*) FROM sqlite_schema").fetchone()
    if not tables and not identity:
        if write:
            return
        raise empty_store(path)
    if identity != APPLICATION_ID:
        raise StoreError(f"{path}: {NOT_OURS}")
    _check_game(db, path, game)
    applied, ours = applied_names(db, path), {script.stem for script in SCRIPTS}
    if applied - ours:
        raise StoreError(f"{path}: written by a newer version of Little-Go (it has {min(applied - ours)})")
    if write:
        return
    older = StoreError(
        f"{path}: written by another version of Little-Go; upgrade it with a command that writes to it, such as"
        f" {command_line('book import data/atlas.csv.gz --db', path)}"
    )
    if ours - applied:
        raise older
    # Another program may have made the schema. Where we write it must be ours, and SQLite mistrusts our views' JSON.
    db.execute("PRAGMA trusted_schema = OFF")
    with closing(database_in_memory()) as empty:
        for script in SCRIPTS:
            run_script(empty, script)
        named = schema_rows(empty)
    names = {name for _, name, _, _ in named}
    # Additions of others are not read.
    faults = schema_faults([row for row in schema_rows(db) if row[1] in names], schema_of(game, named))
    if faults and not suspect:
        raise (
            older
            if all(fault.startswith("schema: view ") for fault in faults)
            else StoreError(f"{path}: nothing is read of it: {faults[0]}")
        )


def applied_names(db: sqlite3.Connection, path: Path) -> set[str]:
    """Return the names of the applied migrations; raises StoreError."""
    kinds = db.execute("SELECT type FROM sqlite_schema WHERE name = '_sqlite_migrations'").fetchall()
    if not kinds:
        return set()
    columns = db.execute("SELECT hidden FROM pragma_table_xinfo('_sqlite_migrations')").fetchall()
    # A view, or a computed column, could run any statement.
    if kinds == [("table",)] and not any(hidden for (hidden,) in columns):
        rows = db.execute("SELECT name FROM _sqlite_migrations WHERE migration_set = ?", (MIGRATION_SET,)).fetchall()
        names = {name for (name,) in rows if isinstance(name, str)}
        if len(names) == len(rows):
            return names
    raise StoreError(f"{path}: damaged: its list of migrations is none")


def run_script(db: "sqlite3.Connection | Database", script: Path) -> None:
    """Make one migration's tables, and the views for people with the one that has them."""
    db.executescript(read_text(script, MIB))
    for view in VIEWS if script.stem == _WITH_VIEWS else ():
        # One statement: executescript() searches for each end, which takes longer than all else.
        db.execute(view.sql)


def drop_views(db: "Database") -> None:
    """Drop the views of a store of another game than the course's: those for people assume its komi."""
    for name in [row[1] for row in schema_rows(db.conn) if row[0] == "view"]:
        db.execute(f"DROP VIEW {name}")


def renew_views(db: "Database") -> None:
    """Make the views for people again if one differs from this version's."""
    names = {view.name for view in VIEWS}
    found = {row[1]: row[3] for row in schema_rows(db.conn) if row[1] in names}
    if found != {view.name: " ".join(view.sql.split()) for view in VIEWS}:
        for view in VIEWS:
            db.execute(f"DROP VIEW IF EXISTS {view.name}")
        for view in VIEWS:
            db.execute(view.sql)


def schema_rows(db: sqlite3.Connection) -> list[SchemaRow]:
    """Return the schema, with single blanks. SQLite goes by the statement, whatever the other columns."""
    rows = db.execute("SELECT type, name, tbl_name, sql FROM sqlite_schema")
    found = [tuple(" ".join(str(text or "").split()) for text in row) for row in rows]
    return [(kind, name, table, made) for kind, name, table, made in found]


def schema_of(game: Variant, rows: list[SchemaRow]) -> list[SchemaRow]:
    """Return our schema for a game's store: the views for people assume the course's komi."""
    return rows if game == COURSE else [row for row in rows if row[0] != "view"]


def schema_faults(there: Collection[SchemaRow], ours: Collection[SchemaRow]) -> list[str]:
    """Return a line for each table, index, view and trigger that is not as we make it."""
    found = Counter(row for row in there if row not in _STATISTICS)
    named = {row[:2] for row in ours}
    wrong = {row[:2]: "is missing" for row in Counter(ours) - found}
    wrong |= {row[:2]: "is not as we make it" if row[:2] in named else "is not ours" for row in found - Counter(ours)}
    return [f"schema: {kind} {name} {what}" for (kind, name), what in sorted(wrong.items())]


def file_faults(db: sqlite3.Connection) -> list[str]:
    """Run SQLite's own checks of the whole file, 0.5 s for 56 MB; return a line for each fault."""
    try:
        return [" ".join(str(text).split()) for (text,) in db.execute("PRAGMA integrity_check") if text != "ok"]
    except sqlite3.OperationalError:
        raise
    except sqlite3.DatabaseError as error:
        return [str(error)]
