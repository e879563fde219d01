"""The proof store: proven bounds of each position, in one SQLite file.

There is one row for each canonical position, into which all facts about the position are merged. Bounds only tighten,
so facts may arrive in any order, from any number of runs, and repeatedly. If two facts contradict each other,
Contradiction is raised, and no fact of the batch is written.

One process can write while any number of processes read (in SQLite's WAL mode, until the writer closes the file). Each
batch is one transaction, so a process that is killed loses only its uncommitted batch. A store belongs to the process
that opened it, and must not be used after a fork.
"""

import contextlib
import json
import os
import platform
import re
import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime, timezone
from itertools import chain, islice
from pathlib import Path
from typing import Any

from little_go.book.store.connection import (
    NOT_OURS,
    check_ours,
    checkpoint_wal,
    connect,
    missing_store,
    raise_interrupt,
)
from little_go.book.store.facts import (
    STATUSES,
    Believed,
    Choice,
    Entry,
    Fact,
    MoveRow,
    Origin,
    Statement,
    StoreBusy,
    StoreError,
    entry_of,
    improves,
    intersect_proven,
    merge,
    merge_move,
    move_of,
    rows_of,
)
from little_go.runtime.files import check_writable, open_to_write, try_lock
from little_go.runtime.release import version
from little_go.solver.answer import Answer, Bounds
from little_go.solver.bounds import UNKNOWN
from little_go.solver.family import Variant
from little_go.solver.position import GAME_PLIES, POINTS, Position
from little_go.solver.symmetry import KEY_BITS, Oriented, canonical_key, position_of

#: The oldest version of SQLite that has STRICT tables.
_OLDEST_SQLITE = (3, 37, 0)

#: The possible outcomes of a run.
COMPLETE, INTERRUPTED, BUDGET_SPENT, FAILED = "complete", "interrupted", "budget spent", "failed"

#: The columns of ``runs`` that contain JSON.
_JSON = ("parameters", "believed")

#: The number of rows that an iteration reads at a time. Between two reads the iteration holds no lock.
_PAGE = 10_000

#: The columns of ``positions`` except the key, in the order of the parameters of _entry().
_COLUMNS = "lo, hi, best_move, nodes, seconds, run, maker, moves_known, origin"
_INSERT_POSITION = f"""
    INSERT INTO positions (key, {_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
    ON CONFLICT (key) DO UPDATE SET lo = excluded.lo, hi = excluded.hi, best_move = excluded.best_move,
        nodes = excluded.nodes, seconds = excluded.seconds, run = excluded.run, maker = excluded.maker,
        moves_known = excluded.moves_known, origin = excluded.origin
"""
_INSERT_MOVE = """
    INSERT INTO moves (position, move, child, lo, hi) VALUES (?, ?, ?, ?, ?)
    ON CONFLICT (position, move) DO UPDATE SET lo = excluded.lo, hi = excluded.hi
"""
_INSERT_COUNTS = "INSERT OR REPLACE INTO move_counts VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
_INSERT_STATEMENT = "INSERT OR REPLACE INTO statements (position, run, lo, hi, best_move) VALUES (?, ?, ?, ?, ?)"
#: An SQL condition: the key has a valid ko point, valid plies left, and no further bits.
_IS_POSITION = f"key >> {KEY_BITS} = 0 AND (key >> 50 & 31) <= {POINTS} AND (key >> 55 & 31) <= {GAME_PLIES}"
_SELECT_POSITIONS = f"SELECT key, {_COLUMNS} FROM positions WHERE key"
_SELECT_STATEMENTS = """
    SELECT lo, hi, best_move, json_extract(parameters, '$.import'), json_extract(parameters, '$.kind')
    FROM statements JOIN runs ON runs.id = run WHERE position = ? ORDER BY run
"""


def open_store(
    path: str | Path, *, write: bool = False, timeout: float = 5.0, suspect: bool = False, game: Variant
) -> "Store":
    """Open the store at ``path``. For writing, create or upgrade the file. The store is a context manager.

    timeout: the seconds to wait for another program's lock on the file. suspect: whether to accept any schema, so that
    damage() can report its faults. game: the game that the store must have. Raise StoreError if the file is not a
    store, is damaged, is of another game or a newer version, does not exist (for reading), or is being written by
    another process (for writing).
    """
    return Store(Path(path), write, timeout, suspect, game=game)


class Store:
    """An open proof store. Use open_store() to make one."""

    def __init__(self, path: Path, write: bool, timeout: float, suspect: bool = False, *, game: Variant) -> None:
        self.path = path
        self.game = game
        if sqlite3.sqlite_version_info < _OLDEST_SQLITE:
            raise StoreError(
                f"{path}: this Python has SQLite {sqlite3.sqlite_version}, but a store needs 3.37 or newer: use another"
                " Python"
            )
        if not write and not path.exists():
            raise missing_store(path)
        if write:
            try:
                check_writable(path)
            except OSError as error:
                raise StoreError(f"{path}: cannot write there: {error.strerror}") from None
        self._lock: WriterLock | None = None
        self._is_prepared = False
        with self._one_line_errors():
            self._db = connect(path, write, timeout)
            try:
                check_ours(self._db, path, write, suspect, game=game)
                if write:
                    from little_go.book.store.migrations import prepare_writing

                    self._lock = WriterLock(path)
                    prepare_writing(self._db, path, game)
                    self._is_prepared = True
            except BaseException:
                self.close()
                raise

    def __enter__(self) -> "Store":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the file, and release the lock for writing. A second call of this method has no effect.

        Unless another process is reading, a writer leaves a single file, which can be read even in a read-only
        directory.
        """
        try:
            if self._is_prepared:
                self._is_prepared = False
                checkpoint_wal(self._db)
        finally:
            self._db.close()
            if self._lock is not None:
                self._lock.release()
                self._lock = None

    # Reading

    def get(self, position: Position) -> Entry | None:
        """Return the entry of a position, or None if it is not in the store."""
        return self.get_all([position]).get(position)

    def get_all(self, positions: Iterable[Position]) -> dict[Position, Entry]:
        """Return the entries of the positions that are in the store."""
        turned = {position: Oriented.of(position) for position in positions}
        rows = self._positions({each.key for each in turned.values()})
        return {
            position: entry_of(position, each, rows[each.key]) for position, each in turned.items() if each.key in rows
        }

    def find(self, position: Position) -> Entry:
        """Return the entry of a position. Raise KeyError if the position is not in the store."""
        entry = self.get(position)
        if entry is None:
            raise KeyError(position)
        return entry

    def answer(self, position: Position) -> Answer | None:
        """Return the proven answer for a position, or None. If the game is over, the answer is the margin."""
        return self._answer(position, self.get(position), {})

    def moves_of(self, position: Position) -> dict[int, Answer]:
        """Return the proven answers for the positions after the legal moves, by move.

        Moves without an answer are omitted. The answer merges the recorded bounds of the move, the stored position
        after it, and the margin if the move ends the game. ``best`` is the reply, in the orientation of
        ``position.play(move)``. Raise Contradiction if two of these sources contradict each other.
        """
        sql = "SELECT child, lo, hi FROM moves WHERE position = ? AND child IS NOT NULL"
        recorded = {child: Bounds(lo, hi) for child, lo, hi in self._rows(sql, (canonical_key(position),))}
        after = {move: position.play(move) for move in position.legal_moves()}
        entries = self.get_all(child for child in after.values() if not child.is_over)
        answers = {move: self._answer(child, entries.get(child), recorded) for move, child in after.items()}
        return {move: answer for move, answer in answers.items() if answer is not None}

    def _answer(self, position: Position, entry: Entry | None, recorded: Mapping[int, Bounds]) -> Answer | None:
        """Return the proven answer for a position, or None.

        entry: the position's entry, or None. recorded: the bounds of moves, by the key of the position after the move.
        """
        if position.is_over:
            return Answer(position.margin, position.margin, None, 0)
        known = UNKNOWN if entry is None else entry.answer
        # Most positions have no recorded moves, so computing a key, which takes most of the time here, is avoided.
        if not recorded or (key := canonical_key(position)) not in recorded:
            return None if entry is None else known
        lo, hi = intersect_proven(key, known, recorded[key], self.game)
        return known._replace(lo=lo, hi=hi)

    def entries(self, *, ply: int | None = None, last_ply: int | None = None) -> Iterator[Entry]:
        """Yield the entries in the order of their keys, in canonical orientation. Omit rows whose key is not valid.

        ply: the number of plies played in all yielded positions, or None for all positions. last_ply: the maximum
        number of plies played, or None.
        """
        where = "" if ply is None else "AND ply = :ply "
        where += "" if last_ply is None else "AND ply <= :last_ply"
        sql = f"""
            SELECT key, {_COLUMNS} FROM positions
            WHERE key > :key AND {_IS_POSITION} {where} ORDER BY key LIMIT {_PAGE}
        """
        for key, *columns in self._pages(sql, {"ply": ply, "last_ply": last_ply}):
            yield _entry(key, *columns)

    def winning_moves(self, position: Position) -> list[int]:
        """Return the moves that are recorded as winning for the mover, in the order of their stored numbers."""
        oriented = Oriented.of(position)
        won = f"lo >= {self.game.least}" if position.black_to_move else f"hi < {self.game.least}"
        rows = self._rows(f"SELECT move FROM moves WHERE position = ? AND {won} ORDER BY move", (oriented.key,))
        return [move_of(oriented, move) for (move,) in rows]

    def statements_of(self, position: Position) -> list[Statement]:
        """Return the statements of imported files about a position, in the order of the imports."""
        oriented = Oriented.of(position)
        rows = self._rows(_SELECT_STATEMENTS, (oriented.key,))
        return [
            Statement(lo, hi, () if best is None else (move_of(oriented, best),), Origin(kind, name))
            for lo, hi, best, name, kind in rows
        ]

    def imported(self) -> dict[str, str]:
        """Return the names of all files that were imported completely, by their SHA-256."""
        whole = [run["parameters"] for run in self.runs() if run["outcome"] == COMPLETE]
        return {run["sha256"]: run["import"] for run in whole if "kind" in run}

    def choice_of(self, position: Position) -> Choice | None:
        """Return our choice in a position, or None if there is none."""
        oriented = Oriented.of(position)
        rows = self._rows("SELECT move, solver_nodes, chance FROM choices WHERE position = ?", (oriented.key,))
        if not rows:
            return None
        move, solver_nodes, chance = rows[0]
        return Choice(position, move_of(oriented, move), solver_nodes, chance)

    def choices(self) -> Iterator[tuple[Choice, Entry]]:
        """Yield each choice with the entry of its position, in the order of the keys, in canonical orientation."""
        sql = f"""
            SELECT key, move, solver_nodes, chance, {_COLUMNS.replace("run", "positions.run")}
            FROM choices JOIN positions ON key = position
            WHERE position > :key AND {_IS_POSITION} ORDER BY position LIMIT {_PAGE}
        """
        for key, move, solver_nodes, chance, *columns in self._pages(sql, {}):
            entry = _entry(key, *columns)
            yield Choice(entry.position, move, solver_nodes, chance), entry

    def _pages(self, sql: str, parameters: dict[str, Any]) -> Iterator[tuple[Any, ...]]:
        key = -1
        while rows := self._rows(sql, {**parameters, "key": key}):
            yield from rows
            key = rows[-1][0]

    def count_choices(self) -> int:
        """Return the number of positions with a choice."""
        return int(self._rows("SELECT count(*) FROM choices")[0][0])

    def __iter__(self) -> Iterator[Entry]:
        return self.entries()

    def __len__(self) -> int:
        return int(self._rows("SELECT count(*) FROM positions")[0][0])

    def __contains__(self, position: object) -> bool:
        return isinstance(position, Position) and self.get(position) is not None

    def count_by_status(self) -> dict[str, int]:
        """Return the number of positions for each of STATUSES."""
        plies = self.count_by_ply().values()
        return {status: sum(counts[status] for counts in plies) for status in STATUSES}

    def count_by_ply(self) -> dict[int, dict[str, int]]:
        """Return, for each ply with positions, the number of positions for each of STATUSES.

        Plies count from the start of the store's game, and the game's komi determines the status.
        """
        sql = """
            SELECT ply - :first,
                CASE WHEN lo = hi THEN 'exact' WHEN lo >= :least OR hi < :least THEN 'decided' ELSE 'undecided' END,
                count(*)
            FROM positions GROUP BY 1, 2 ORDER BY 1
        """
        counts: dict[int, dict[str, int]] = {}
        for ply, status, positions in self._rows(sql, {"first": self.game.first_ply, "least": self.game.least}):
            counts.setdefault(ply, dict.fromkeys(STATUSES, 0))[status] = positions
        return counts

    def runs(self) -> list[dict[str, Any]]:
        """Return the rows of ``runs`` in order, with ``parameters`` and ``believed`` as mappings."""
        with self._one_line_errors():
            rows = self._db.execute("SELECT * FROM runs ORDER BY id")
            names = [column[0] for column in rows.description]
            runs = [dict(zip(names, row, strict=True)) for row in rows]
        try:
            runs = [{**run, **{name: json.loads(run[name] or "null") for name in _JSON}} for run in runs]
        except (ValueError, RecursionError):
            raise StoreError(f"{self.path}: damaged: a row of the table runs has invalid JSON") from None
        if not all(map(_is_run, runs)):
            raise StoreError(f"{self.path}: damaged: a row of the table runs has a value of the wrong type")
        return runs

    @property
    def identity(self) -> str:
        """The store's unique name of 32 hexadecimal digits, which never changes."""
        names = [str(name) for (name,) in self._rows("SELECT name FROM identity")]
        if len(names) != 1 or not re.fullmatch("[0-9a-f]{32}", names[0]):
            raise StoreError(f"{self.path}: damaged: it does not have one identity of 32 hexadecimal digits")
        return names[0]

    def position_bounds(self) -> dict[int, tuple[int, int, int | None, bool]]:
        """Return, by key, the bounds, the best move and ``moves_known`` of all positions with a valid key."""
        sql = f"SELECT key, lo, hi, best_move, moves_known FROM positions WHERE {_IS_POSITION}"
        return {key: (lo, hi, best, bool(known)) for key, lo, hi, best, known in self._rows(sql)}

    def origins(self) -> dict[int, tuple[int, int, str | None]]:
        """Return, by key, the bounds and the origin of all positions."""
        rows = self._rows("SELECT key, lo, hi, origin FROM positions")
        return {key: (lo, hi, origin) for key, lo, hi, origin in rows}

    def move_bounds(self) -> dict[int, dict[int, tuple[int, int]]]:
        """Return the recorded bounds of moves: by the position's key, a dictionary by move."""
        found: dict[int, dict[int, tuple[int, int]]] = {}
        for key, move, lo, hi in self._rows("SELECT position, move, lo, hi FROM moves"):
            found.setdefault(key, {})[move] = lo, hi
        return found

    def impossible_keys(self) -> list[int]:
        """Return the stored keys that no position can have."""
        return [key for (key,) in self._rows(f"SELECT key FROM positions WHERE NOT ({_IS_POSITION}) ORDER BY key")]

    def damage(self) -> list[str]:
        """Check the file with SQLite's own checks, and compare its schema with ours. Return a line for each fault.

        If the schema differs, no row is checked, because a query could run another program's expressions.
        """
        from little_go.book.store.migrations import damage

        with self._one_line_errors():
            found = damage(self._db, self.game)
        if any(line.startswith("schema: ") for line in found):
            return found
        wrong = " OR ".join(f"NOT json_valid(coalesce({name}, 'null'))" for name in _JSON)
        found += [f"run {run}: invalid JSON" for (run,) in self._rows(f"SELECT id FROM runs WHERE {wrong}")]
        orphans = self._rows("PRAGMA foreign_key_check")
        return found + [
            f"row {row} of {table} refers to a row of {parent} that does not exist" for table, row, parent, _ in orphans
        ]

    # Writing

    def record(self, facts: Iterable[Fact], run: int | None = None, *, stated: bool = False) -> int:
        """Merge a batch of facts into the store, in one transaction. Return the number of new or improved entries.

        stated: whether to store each fact also as a statement of ``run`` (see statements_of()).

        A bound of a move is also a bound of its position, on the mover's side. An entry's best move always keeps the
        mover's bound: a fact that improves this bound replaces the best move by its own, and any other fact adds its
        best move only if the entry has none. Write nothing and raise Contradiction if two facts exclude each other, or
        ValueError if a fact fails Fact.check() or has an illegal move.
        """
        rows, moves = rows_of(facts, run, self._source_name, self.game)
        with self._transaction():
            olds = self._positions(rows)
            merged = {key: merge(key, olds.get(key), rows[key], self._source_name, self.game) for key in rows}
            merged_moves = {at: merge_move(at, self._old_move(at), new, self.game) for at, new in moves.items()}
            self._write_rows(_INSERT_POSITION, ((key, *_columns(row)) for key, row in merged.items()))
            self._write_rows(_INSERT_MOVE, ((*at, child, *bounds) for at, (child, bounds) in merged_moves.items()))
            if stated:
                statements = ((key, run, row.lo, row.hi, row.best) for key, row in rows.items())
                self._write_rows(_INSERT_STATEMENT, statements)
        return sum(improves(merged[key], olds.get(key)) for key in rows)

    def _source_name(self, row: Entry) -> str:
        if row.maker is not None:
            return f"worker {self.maker_name(row.maker)} in run {row.run}"
        return "another proof" if row.run is None else f"run {row.run}"

    def _positions(self, keys: Iterable[int]) -> dict[int, Entry]:
        found: dict[int, Entry] = {}
        left = iter(keys)
        while many := list(islice(left, 100)):
            sql = f"{_SELECT_POSITIONS} IN ({', '.join('?' * len(many))})"
            found |= {row[0]: _entry(*row) for row in self._rows(sql, many)}
        return found

    def _old_move(self, at: tuple[int, int]) -> MoveRow | None:
        sql = "SELECT child, lo, hi FROM moves WHERE position = ? AND move = ?"
        row = self._db.execute(sql, at).fetchone()
        return None if row is None else (row[0], Bounds(*row[1:]))

    def choose(self, choices: Iterable[Choice], run: int | None = None) -> None:
        """Store choices, which replace older choices in their positions, in one transaction.

        Write nothing and raise ValueError if a move is illegal, or StoreError if a position is not in the store.
        """
        rows = [_choice_row(choice, run) for choice in choices]
        with self._transaction():
            self._write_rows("INSERT OR REPLACE INTO choices VALUES (?, ?, ?, ?, ?)", rows)

    def unlinked_keys(self) -> list[int]:
        """Return the keys of the positions whose legal moves are not stored, in order."""
        sql = f"""
            SELECT key FROM positions
            WHERE {_IS_POSITION} AND NOT EXISTS (SELECT 1 FROM legal_moves WHERE position = key) ORDER BY key
        """
        return [key for (key,) in self._rows(sql)]

    def link(self, links: Iterable[tuple[int, int, int]], counts: Iterable[tuple[int | None, ...]]) -> None:
        """Store legal moves, and replace rows of move_counts, in one transaction.

        links: a tuple for each move, with the canonical key of its position, which is one of unlinked_keys(), the move
        in canonical orientation, and the canonical key of the position after the move. counts: rows of move_counts.
        """
        # The 1.7 million foreign keys are known to exist, and SQLite's check of them would take a third of the time.
        with self._without_foreign_keys(), self._transaction():
            self._write_rows("INSERT OR IGNORE INTO legal_moves VALUES (?, ?, ?)", links)
            self._write_rows(_INSERT_COUNTS, counts)

    @contextlib.contextmanager
    def _without_foreign_keys(self) -> Iterator[None]:
        self._db.execute("PRAGMA foreign_keys = OFF")
        try:
            yield
        finally:
            self._db.execute("PRAGMA foreign_keys = ON")

    def _write_rows(self, sql: str, rows: Iterable[Iterable[Any]]) -> None:
        """Run a statement, which writes one row, for 300 rows at a time. executemany() would take twice as long."""
        head, one, tail = re.split(r"(?<=VALUES )(\([?, ]+\))", sql)
        left = iter(rows)
        while many := list(islice(left, 300)):
            values = list(chain.from_iterable(many))
            self._db.execute(f"{head}{', '.join([one] * len(many))}{tail}", values)

    def start_run(self, parameters: Mapping[str, Any]) -> int:
        """Store the start of a run, with its parameters (as JSON), machine and version. Return the run's number."""
        sql = "INSERT INTO runs (parameters, machine, python, version, started) VALUES (?, ?, ?, ?, ?)"
        machine = f"{platform.node()} {platform.machine()}, {os.cpu_count()} cores"
        row = (json.dumps(parameters, sort_keys=True), machine, platform.python_version(), version(), _now())
        with self._transaction():
            return int(self._db.execute(sql, row).lastrowid or 0)

    def note_believed(self, run: int, believed: Believed) -> None:
        """Store a summary of the rows that a run uses without searching them again."""
        with self._transaction():
            sql = "UPDATE runs SET believed = ? WHERE id = ?"
            self._db.execute(sql, (json.dumps(believed.record()), run))

    def note_worker(self, run: int, worker: str, host: str, code: str) -> int:
        """Store a worker of a cluster that takes part in a run, with the hash of its code.

        Return the worker's number.
        """
        with self._transaction():
            sql = "INSERT INTO makers (run, worker, host, code) VALUES (?, ?, ?, ?)"
            return int(self._db.execute(sql, (run, worker, host, code)).lastrowid or 0)

    def maker_name(self, maker: int) -> str:
        """Return the name of a worker, which is its address at the scheduler, from its number."""
        return str(self._rows("SELECT worker FROM makers WHERE id = ?", (maker,))[0][0])

    def drop_worker(self, name: str) -> tuple[int, int, int]:
        """Remove all results that were stored since a worker first took part in a run.

        Other workers have used this worker's results, so every row that this run or a later run has improved is
        removed. The bounds of all moves are also removed, because no run is stored with these bounds. name: the name of
        a worker of a cluster, or a host with any number of workers. Return the number of the first run, the number of
        removed rows, and the number of rows that the worker itself had found. Raise StoreError if no run had the
        worker.
        """
        its = "(SELECT id FROM makers WHERE :name IN (worker, host))"
        ((first,),) = self._rows("SELECT min(run) FROM makers WHERE :name IN (worker, host)", {"name": name})
        if first is None:
            raise StoreError(f"{self.path}: no run had a worker or a host {name}")
        given = {"name": name, "first": first}
        ((own,),) = self._rows(f"SELECT count(*) FROM positions WHERE maker IN {its}", given)
        spoilt = "(SELECT key FROM positions WHERE run >= :first)"
        with self._transaction():
            execute = self._db.execute
            execute("DELETE FROM moves")
            execute("UPDATE positions SET moves_known = 0 WHERE moves_known")
            execute(f"DELETE FROM choices WHERE run >= :first OR position IN {spoilt}", given)
            for table, column in (("statements", "position"), ("legal_moves", "position"), ("move_counts", "key")):
                execute(f"DELETE FROM {table} WHERE {column} IN {spoilt}", given)
            rows = execute("DELETE FROM positions WHERE run >= :first", given).rowcount
        return first, rows, own

    def end_run(self, run: int, outcome: str, *, nodes: int | None = None, peak_mib: int | None = None) -> None:
        """Store a run's outcome, such as COMPLETE, and its cost. Raise KeyError if there is no such run."""
        with self._transaction():
            sql = "UPDATE runs SET ended = ?, outcome = ?, nodes = ?, peak_mib = ? WHERE id = ?"
            if not self._db.execute(sql, (_now(), outcome, nodes, peak_mib, run)).rowcount:
                raise KeyError(run)

    # The file

    def _rows(self, sql: str, parameters: Sequence[Any] | dict[str, Any] = ()) -> list[tuple[Any, ...]]:
        with self._one_line_errors():
            return self._db.execute(sql, parameters).fetchall()

    @contextlib.contextmanager
    def _transaction(self) -> Iterator[None]:
        if self._lock is None:
            raise StoreError(f"{self.path}: opened for reading only")
        with self._one_line_errors():
            # An immediate transaction keeps the rows that are merged from changing before they are written.
            self._db.execute("BEGIN IMMEDIATE")
            try:
                yield
                self._db.commit()
            finally:
                self._db.rollback()

    @contextlib.contextmanager
    def _one_line_errors(self) -> Iterator[None]:
        try:
            yield
        except UnicodeDecodeError:
            raise StoreError(f"{self.path}: damaged: its schema is not text") from None
        except sqlite3.Error as error:
            raise_interrupt(error)
            raise StoreError(f"{self.path}: {_fault_text(str(error))}") from error


def _fault_text(message: str) -> str:
    if "locked" in message:
        return "locked by another program"
    if message == "file is not a database":
        return NOT_OURS
    # SQLite's message may quote a schema of several lines.
    return " ".join(message.split())


class WriterLock:
    """The lock for writing a store. A process holds the lock until it releases the lock or dies.

    The locked file is a second file next to the store. Linux would grant this lock to the same process twice, so
    ``_held`` contains the locks of this process.
    """

    _held: dict[Path, int] = {}  # noqa: RUF012 - shared on purpose

    def __init__(self, store: Path) -> None:
        self._key = store.resolve()
        if self._held.get(self._key) == os.getpid():
            raise StoreError(f"{store}: already open for writing in this process")
        try:
            # The second file is next to the resolved path, so that all symbolic links to a store share one lock.
            self._file = open_to_write(f"{self._key}-writer", add=True)
        except OSError as error:
            raise StoreError(f"{store}: cannot write there: {error.strerror}") from None
        try:
            if self._key.exists() and self._key.stat().st_nlink > 1:
                raise StoreError(
                    f"{store}: has a second name, a hard link, by which another program could write it: remove one name"
                )
            if not try_lock(self._file):
                raise StoreBusy(f"{store}: being written by another process: wait until it has ended")
        except BaseException:
            self._file.close()
            raise
        self._held[self._key] = os.getpid()

    def release(self) -> None:
        """Release the lock. The second file stays, because its removal could collide with another process's lock."""
        self._file.close()
        del self._held[self._key]


def _entry(key: int, lo: int, hi: int, best: int | None, nodes: int, seconds: float, *rest: Any) -> Entry:
    run, maker, moves_known, origin = rest
    return Entry(position_of(key), Answer(lo, hi, best, nodes), seconds, run, maker, bool(moves_known), origin)


def _columns(row: Entry) -> tuple[Any, ...]:
    return *row.answer, row.seconds, row.run, row.maker, row.moves_known, row.origin


def _is_run(run: Mapping[str, Any]) -> bool:
    """Return whether a row of ``runs``, after its JSON was parsed, has the fields that readers need."""
    parameters, believed = run["parameters"], run["believed"]
    texts, numbers = ("machine", "python", "version", "started", "ended", "outcome"), ("id", "nodes", "peak_mib")
    return (
        isinstance(parameters, dict)
        and (believed is None or (isinstance(believed, dict) and isinstance(believed.get("rows"), int)))
        and all(run[name] is None or isinstance(run[name], str) for name in texts)
        and all(run[name] is None or isinstance(run[name], int) for name in numbers)
        and ("kind" not in parameters or all(isinstance(parameters.get(name), str) for name in ("import", "sha256")))
    )


def _choice_row(choice: Choice, run: int | None) -> tuple[int, int, int | None, float | None, int | None]:
    if not choice.position.allows(choice.move):
        raise ValueError(f"the move chosen, {choice.move}, is illegal")
    oriented = Oriented.of(choice.position)
    return oriented.key, oriented.to[choice.move], choice.solver_nodes, choice.chance, run


def _now() -> str:
    return datetime.now(timezone.utc).isoformat(timespec="seconds")
