"""Connect to the file of a proof store, and check that the file is a store.

Reading needs only Python's sqlite3. Writing also needs sqlite-utils, whose import takes longer than most queries, so
only migrations.py imports it.
"""

import sqlite3
from collections import Counter
from collections.abc import Collection
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

from little_go.book.store.facts import StoreError
from little_go.book.store.views import VIEWS
from little_go.solver.family import COURSE, Variant

if TYPE_CHECKING:
    from sqlite_utils import Database
from little_go.runtime.files import MIB, database_in_memory, open_database, read_text
from little_go.runtime.hints import command_line

#: ``PRAGMA application_id`` of a store, which the first migration sets: "LGo5" in ASCII.
APPLICATION_ID = 0x4C476F35

#: The error message for a file that another program made.
NOT_OURS = "not a Little-Go store: name another file"

#: The name of our migrations in sqlite-utils' table of migrations, and their files in order.
MIGRATION_SET = "little-go"
SCRIPTS = sorted(Path(__file__).with_name("sql").glob("*.sql"))

#: The name of the migration that also makes VIEWS.
_WITH_VIEWS = "m008_best_moves_and_origin"

#: The number of SQLite instructions between two checks for a Ctrl-C, which take about a millisecond.
_INSTRUCTIONS = 50_000

#: The tables that SQLite's ANALYZE adds to a schema; they are harmless.
_STATISTICS = {
    ("table", "sqlite_stat1", "sqlite_stat1", "CREATE TABLE sqlite_stat1(tbl,idx,stat)"),
    ("table", "sqlite_stat4", "sqlite_stat4", "CREATE TABLE sqlite_stat4(tbl,idx,neq,nlt,ndlt,sample)"),
}

#: A row of sqlite_schema: type, name, the table's name, and the statement with single blanks.
SchemaRow = tuple[str, str, str, str]


def connect(path: Path, write: bool, timeout: float) -> sqlite3.Connection:
    """Connect to the file. Raise StoreError if the file must not be opened.

    timeout: seconds to wait for another program's lock. A Ctrl-C ends the running statement with the error
    ``interrupted``.
    """
    try:
        # With isolation_level None, sqlite3 begins no transactions implicitly.
        db = open_database(path, write=write, timeout=timeout, isolation_level=None)
    except OSError as error:
        raise StoreError(f"{error.filename}: {error.strerror}") from None
    # Python handles a signal only when it runs Python code, such as this handler. An exception in the handler ends the
    # statement.
    db.set_progress_handler(lambda: 0, _INSTRUCTIONS)
    return db


def checkpoint_wal(db: sqlite3.Connection) -> None:
    """Move all writes from the WAL file into the store, and leave WAL mode, unless another process is reading the
    store.

    Most programs cannot read a file in WAL mode if the directory is read-only.
    """
    try:
        db.execute("PRAGMA busy_timeout = 0")
        db.execute("PRAGMA journal_mode = DELETE")
    except sqlite3.Error as error:
        raise_interrupt(error)


def raise_interrupt(error: sqlite3.Error) -> None:
    """Raise KeyboardInterrupt if the error is an interrupted statement, because only a Ctrl-C interrupts statements."""
    if str(error) == "interrupted":
        raise KeyboardInterrupt from None


def game_number(game: Variant) -> int:
    """Return the game's number in ``PRAGMA user_version``.

    The number is 0 for the course's game, as in older stores. The number of another game has these bits::

        bit  12 .. 8   7 .. 0
             plies     twice the komi + 64
    """
    return 0 if game == COURSE else game.plies << 8 | int(2 * game.komi) + 64


def _game_in(db: sqlite3.Connection) -> Variant:
    (number,) = db.execute("PRAGMA user_version").fetchone()
    return COURSE if number == 0 else Variant(number >> 8, ((number & 255) - 64) / 2)


def named_game(path: Path) -> Variant:
    """Return a store's game, or the course's game if the file is not a valid store, which Store() reports later."""
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
        raise StoreError(f"{path}: a store of the game of {there}, not of {game}: name another file")


def missing_store(path: Path) -> StoreError:
    """Return the error for a store that does not exist."""
    return StoreError(f"{path} does not exist: build it with {command_line('book import --db', path)}")


def empty_store(path: Path) -> StoreError:
    """Return the error for a store without rows."""
    return StoreError(f"{path} is empty: fill it with {command_line('book import --db', path)}")


def check_ours(db: sqlite3.Connection, path: Path, write: bool, suspect: bool = False, *, game: Variant) -> None:
    """Raise StoreError unless the file is a store of this version.

    For writing, allow also an older store or an empty file. suspect: whether to allow, for reading, also a damaged
    store, whose tables and views may differ from ours.
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
        raise StoreError(
            f"{path}: written by a newer version of Little-Go, because it has {min(applied - ours)}: use that version"
        )
    if write:
        return
    older = StoreError(
        f"{path}: written by another version of Little-Go: upgrade it with a command that writes to it, such as"
        f" {command_line('book import data/atlas.csv.gz --db', path)}"
    )
    if ours - applied:
        raise older
    # Another program may have made the schema, so SQLite must not trust it when reading. For writing, migrations.py
    # accepts only our schema, and its views call JSON functions, which SQLite does not allow in an untrusted schema.
    db.execute("PRAGMA trusted_schema = OFF")
    with closing(database_in_memory()) as empty:
        for script in SCRIPTS:
            run_script(empty, script)
        named = schema_rows(empty)
    names = {name for _, name, _, _ in named}
    # Tables and views that others have added are not read, so they are not checked.
    faults = schema_faults([row for row in schema_rows(db) if row[1] in names], schema_of(game, named))
    if faults and not suspect:
        raise (
            older
            if all(fault.startswith("schema: view ") for fault in faults)
            else StoreError(f"{path}: not read, because of a fault: {faults[0]}")
        )


def applied_names(db: sqlite3.Connection, path: Path) -> set[str]:
    """Return the names of the applied migrations. Raise StoreError if the table of migrations is damaged."""
    kinds = db.execute("SELECT type FROM sqlite_schema WHERE name = '_sqlite_migrations'").fetchall()
    if not kinds:
        return set()
    columns = db.execute("SELECT hidden FROM pragma_table_xinfo('_sqlite_migrations')").fetchall()
    # The list must be a table without computed columns, because a query of these or of a view could run any expression.
    if kinds == [("table",)] and not any(hidden for (hidden,) in columns):
        rows = db.execute("SELECT name FROM _sqlite_migrations WHERE migration_set = ?", (MIGRATION_SET,)).fetchall()
        names = {name for (name,) in rows if isinstance(name, str)}
        if len(names) == len(rows):
            return names
    raise StoreError(f"{path}: damaged: its list of migrations is not a table of names")


def run_script(db: "sqlite3.Connection | Database", script: Path) -> None:
    """Run one migration. The migration _WITH_VIEWS also makes the views for people."""
    db.executescript(read_text(script, MIB))
    for view in VIEWS if script.stem == _WITH_VIEWS else ():
        # executescript() is not used, because its search for the end of each statement takes most of the time.
        db.execute(view.sql)


def drop_views(db: "Database") -> None:
    """Drop all views. A store of another game has no views, because they assume the course's komi."""
    for name in [row[1] for row in schema_rows(db.conn) if row[0] == "view"]:
        db.execute(f"DROP VIEW {name}")


def renew_views(db: "Database") -> None:
    """Replace all views for people if one of them differs from this version's views."""
    names = {view.name for view in VIEWS}
    found = {row[1]: row[3] for row in schema_rows(db.conn) if row[1] in names}
    if found != {view.name: " ".join(view.sql.split()) for view in VIEWS}:
        for view in VIEWS:
            db.execute(f"DROP VIEW IF EXISTS {view.name}")
        for view in VIEWS:
            db.execute(view.sql)


def schema_rows(db: sqlite3.Connection) -> list[SchemaRow]:
    """Return the rows of the schema. Each run of blanks in a statement is replaced by one blank.

    The statement is included because SQLite uses it, even if it contradicts the other columns.
    """
    rows = db.execute("SELECT type, name, tbl_name, sql FROM sqlite_schema")
    found = [tuple(" ".join(str(text or "").split()) for text in row) for row in rows]
    return [(kind, name, table, made) for kind, name, table, made in found]


def schema_of(game: Variant, rows: list[SchemaRow]) -> list[SchemaRow]:
    """Return the schema of a game's store. Only the course's game has views, because the views assume its komi."""
    return rows if game == COURSE else [row for row in rows if row[0] != "view"]


def schema_faults(there: Collection[SchemaRow], ours: Collection[SchemaRow]) -> list[str]:
    """Return a line for each table, index, view and trigger that is missing, is not ours, or differs from ours."""
    found = Counter(row for row in there if row not in _STATISTICS)
    named = {row[:2] for row in ours}
    wrong = {row[:2]: "is missing" for row in Counter(ours) - found}
    wrong |= {row[:2]: "differs from ours" if row[:2] in named else "is not ours" for row in found - Counter(ours)}
    return [f"schema: {kind} {name} {what}" for (kind, name), what in sorted(wrong.items())]


def file_faults(db: sqlite3.Connection) -> list[str]:
    """Run SQLite's check of the whole file, which takes 0.5 s for 56 MB, and return a line for each fault."""
    try:
        return [" ".join(str(text).split()) for (text,) in db.execute("PRAGMA integrity_check") if text != "ok"]
    except sqlite3.OperationalError:
        raise
    except sqlite3.DatabaseError as error:
        return [str(error)]
