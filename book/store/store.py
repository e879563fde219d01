"""The proof store: what is proven about each position, in one SQLite file.

Facts are kept once per canonical position and merged monotonically: bounds only tighten, so
facts may arrive in any order, from any number of runs, and twice. Two facts that cannot both
be true raise Contradiction, and nothing of their batch is written.

One process writes; any number read meanwhile (SQLite's WAL mode). Each batch is one
transaction: a process killed at any moment loses the batch it had not committed, nothing else.
A store belongs to the process that opened it and must not be used after a fork.
"""

import contextlib
import hashlib
import json
import os
import platform
import sqlite3
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timezone
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import quote

from sqlite_utils import Database

from book.store.migrations import APPLICATION_ID, migrations
from book.store.views import COUNT_MOVES
from runtime.release import version
from solver.answer import BLACK_WINS, LEAST, MOST, Answer
from solver.position import GAME_PLIES, POINTS, Position
from solver.symmetry import INVERSE, POINT_IMAGE, canonical, canonical_key, key_of, position_of

STATUSES = ("exact", "decided", "undecided")

#: STRICT tables need this SQLite.
_OLDEST_SQLITE = (3, 37, 0)

#: Rows read at once when iterating; between pages no read lock is held.
_PAGE = 10_000

_INSERT_POSITION = """
    INSERT INTO positions (key, lo, hi, best, nodes, seconds, run) VALUES (?, ?, ?, ?, ?, ?, ?)
    ON CONFLICT (key) DO UPDATE SET lo = excluded.lo, hi = excluded.hi, best = excluded.best,
        nodes = excluded.nodes, seconds = excluded.seconds, run = excluded.run
"""
_INSERT_MOVE = """
    INSERT INTO moves (position, move, child, lo, hi) VALUES (?, ?, ?, ?, ?)
    ON CONFLICT (position, move) DO UPDATE SET lo = excluded.lo, hi = excluded.hi
"""
_INSERT_STATEMENT = "INSERT OR REPLACE INTO statements (position, run, lo, hi, best) VALUES (?, ?, ?, ?, ?)"
#: Whether a key names a ko point and plies left that there are.
_IS_POSITION = f"(key >> 50 & 31) <= {POINTS} AND (key >> 55 & 31) <= {GAME_PLIES}"
_SELECT_POSITION = "SELECT lo, hi, best, nodes, seconds, run FROM positions WHERE key = ?"
_SELECT_STATEMENTS = """
    SELECT lo, hi, best, json_extract(parameters, '$.import'), json_extract(parameters, '$.kind')
    FROM statements JOIN runs ON runs.id = run WHERE position = ? ORDER BY run
"""


class StoreError(Exception):
    """A store that cannot be opened, read or written; the message is one line."""


class Contradiction(StoreError):
    """Two proven facts that cannot both be true."""


@dataclass(frozen=True)
class Fact:
    """Something proven about a position, in the position's own orientation.

    lo, hi: bounds on the value (stones Black - White), -24 <= lo <= hi <= 24.
    best: a move that keeps the mover's side of the bounds (lo for Black, hi for White), or None.
    nodes, seconds: what this proof cost; costs add up over the facts about a position.
    moves: proven bounds (lo, hi) of single moves, where known.
    """

    position: Position
    lo: int
    hi: int
    best: int | None = None
    nodes: int = 0
    seconds: float = 0.0
    moves: Mapping[int, tuple[int, int]] = field(default_factory=dict)

    def check(self) -> None:
        """Raise ValueError unless the position is possible and open, the bounds sane and ``best`` legal."""
        self.position.check()
        if self.position.is_over:
            raise ValueError("the game is over: the board holds the value, there is nothing to record")
        for lo, hi in ((self.lo, self.hi), *self.moves.values()):
            if not LEAST <= lo <= hi <= MOST:
                raise ValueError(f"bounds {lo} to {hi} are not within {LEAST} to {MOST}, in order")
        if self.best is not None and self.best not in self.position.legal_moves():
            raise ValueError(f"the best move, {self.best}, is illegal")


@dataclass(frozen=True)
class Choice:
    """What we play in a position.

    solver_nodes: what the player's own solver needs to find this move from cold, or None when that is too
        much and the book has to tell it.
    chance: in a lost position, how likely a modelled opponent is to throw the win away; else None.
    """

    position: Position
    move: int
    solver_nodes: int | None = None
    chance: float | None = None


@dataclass(frozen=True)
class Entry:
    """What the store knows about a position, in the orientation of the question.

    lo, hi, best, nodes, seconds: as in Fact, merged over all facts.
    run: the last run that improved the entry, or None.
    """

    position: Position
    lo: int
    hi: int
    best: int | None
    nodes: int
    seconds: float
    run: int | None

    @property
    def answer(self) -> Answer:
        """The bounds, best move and nodes, as a search would answer."""
        return Answer(self.lo, self.hi, self.best, self.nodes)

    @property
    def status(self) -> str:
        """One of ``exact``, ``decided`` (the winner is proven) and ``undecided``."""
        if self.lo == self.hi:
            return "exact"
        return "decided" if self.lo >= BLACK_WINS or self.hi < BLACK_WINS else "undecided"


@dataclass(frozen=True)
class Statement:
    """What an imported file says about a position, in the orientation of the question.

    lo, hi, best: as in Fact. file: its name. kind: atlas, book or certificate.
    """

    lo: int
    hi: int
    best: int | None
    file: str
    kind: str


class Believed:
    """The rows that a run took from a store without searching them again.

    table: what it took over from a table's file, as solver.table.TableFile has it, or None.
    """

    def __init__(self, table: Mapping[str, Any] | None = None) -> None:
        self.table = table
        self._rows: Counter[int | None] = Counter()
        self._digest = hashlib.sha256()

    def add(self, entry: Entry) -> None:
        """Count a row; the order matters for the digest, and is that of Store.entries()."""
        self._rows[entry.run] += 1
        self._digest.update(f"{key_of(entry.position)} {entry.lo} {entry.hi} {entry.best}\n".encode("ascii"))

    def record(self) -> dict[str, Any]:
        """Return how many rows, how many of them last improved by which run, their digest, and the table."""
        by_run = {str(run): rows for run, rows in sorted(self._rows.items(), key=lambda item: item[0] or 0)}
        rows = sum(self._rows.values())
        return {
            "rows": rows,
            "by_run": by_run,
            "sha256": self._digest.hexdigest() if rows else None,
            "table": self.table,
        }


class _Row(NamedTuple):
    """The stored columns of ``positions``, canonical orientation."""

    lo: int
    hi: int
    best: int | None
    nodes: int
    seconds: float
    run: int | None


class _Move(NamedTuple):
    """The stored columns of ``moves``."""

    child: int | None
    lo: int
    hi: int


_NOTHING = _Row(LEAST, MOST, None, 0, 0.0, None)

_PositionRows = dict[int, _Row]
_MoveRows = dict[tuple[int, int], _Move]


def open_store(path: str | Path, *, write: bool = False, timeout: float = 5.0) -> "Store":
    """Open the store at ``path``, and create or upgrade it when writing; a context manager.

    timeout: seconds to wait for a lock that another program holds on the file.
    Raises StoreError when the file is missing (reading), is not a Little-Go store, is of a
    newer version, or is being written by another process (writing).
    """
    return Store(Path(path), write, timeout)


class Store:
    """An open proof store; make one with open_store()."""

    def __init__(self, path: Path, write: bool, timeout: float) -> None:
        self.path = path
        if sqlite3.sqlite_version_info < _OLDEST_SQLITE:
            raise StoreError(f"{path}: this Python has SQLite {sqlite3.sqlite_version}, the store needs 3.37 or newer")
        if not write and not path.exists():
            raise StoreError(f"{path} does not exist: build it with python -m book import --db {path}")
        self._lock: _WriterLock | None = None
        with self._clear_errors():
            self._db = _connect(path, write, timeout)
            try:
                _check_ours(self._db, path, write)
                if write:
                    self._lock = _WriterLock(path)
                    _prepare_writing(self._db)
            except BaseException:
                self.close()
                raise

    def __enter__(self) -> "Store":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the file and let the next writer in; harmless when repeated."""
        self._db.close()
        if self._lock is not None:
            self._lock.release()
            self._lock = None

    # Reading

    def get(self, position: Position) -> Entry | None:
        """Return what is known about a position, or None when it is not in the store."""
        key, symmetry = canonical(position)
        rows = self._rows(_SELECT_POSITION, (key,))
        return _entry(position, symmetry, _Row(*rows[0])) if rows else None

    def find(self, position: Position) -> Entry:
        """Return what is known about a position; raises KeyError when it is not in the store."""
        entry = self.get(position)
        if entry is None:
            raise KeyError(position)
        return entry

    def moves_of(self, position: Position) -> dict[int, Answer]:
        """Return what is known of each legal move: an Answer about the position it leads to.

        Joins the recorded moves with the stored positions they lead to, and the score on the
        board where a move ends the game; unknown moves are left out. ``best`` is the reply, in
        the orientation of ``position.play(move)``. Raises Contradiction when two sources disagree.
        """
        sql = "SELECT child, lo, hi FROM moves WHERE position = ? AND child IS NOT NULL"
        recorded = {child: (lo, hi) for child, lo, hi in self._rows(sql, (canonical_key(position),))}
        known = {}
        for move in position.legal_moves():
            answer = self._move_answer(position.play(move), recorded)
            if answer is not None:
                known[move] = answer
        return known

    def _move_answer(self, child: Position, recorded: Mapping[int, tuple[int, int]]) -> Answer | None:
        if child.is_over:
            return Answer(child.margin, child.margin, None, 0)
        key, symmetry = canonical(child)
        rows = self._rows(_SELECT_POSITION, (key,))
        if not rows and key not in recorded:
            return None
        row = _Row(*rows[0]) if rows else _NOTHING
        lo, hi = _tightened(key, (row.lo, row.hi), recorded.get(key, (LEAST, MOST)))
        return _entry(child, symmetry, row._replace(lo=lo, hi=hi)).answer

    def entries(
        self, status: str | None = None, *, ply: int | None = None, last_ply: int | None = None
    ) -> Iterator[Entry]:
        """Yield the entries, in the order of their keys and in canonical orientation; rows of no position are left out.

        status: one of STATUSES, or None for all. ply: only positions with so many plies played. last_ply: with at most
        so many.
        """
        where = "" if status is None else "AND status = :status "
        where += "" if ply is None else "AND ply = :ply "
        where += "" if last_ply is None else "AND ply <= :last_ply"
        sql = f"""
            SELECT key, lo, hi, best, nodes, seconds, run FROM positions
            WHERE key > :key AND {_IS_POSITION} {where} ORDER BY key LIMIT {_PAGE}
        """
        last = -1
        while rows := self._rows(sql, {"key": last, "status": status, "ply": ply, "last_ply": last_ply}):
            for key, *columns in rows:
                yield Entry(position_of(key), *columns)
            last = rows[-1][0]

    def winning_moves(self, position: Position) -> list[int]:
        """Return the moves recorded as winning for the mover, in the order of their numbers in the store."""
        key, symmetry = canonical(position)
        won = f"lo >= {BLACK_WINS}" if position.black_to_move else f"hi < {BLACK_WINS}"
        rows = self._rows(f"SELECT move FROM moves WHERE position = ? AND {won} ORDER BY move", (key,))
        return [POINT_IMAGE[INVERSE[symmetry]][move] for (move,) in rows]

    def statements_of(self, position: Position) -> list[Statement]:
        """Return what each imported file says about a position, in the order in which they were imported."""
        key, symmetry = canonical(position)
        back = POINT_IMAGE[INVERSE[symmetry]]
        rows = self._rows(_SELECT_STATEMENTS, (key,))
        return [Statement(lo, hi, None if best is None else back[best], *names) for lo, hi, best, *names in rows]

    def imported(self) -> dict[str, str]:
        """Return the SHA-256 of each file that was imported whole, and its name."""
        return {run["parameters"]["sha256"]: run["parameters"]["import"] for run in self.runs() if _is_import(run)}

    def choice_of(self, position: Position) -> Choice | None:
        """Return what we play in a position, or None when that is not chosen yet."""
        key, symmetry = canonical(position)
        rows = self._rows("SELECT move, solver_nodes, chance FROM choices WHERE position = ?", (key,))
        if not rows:
            return None
        move, solver_nodes, chance = rows[0]
        return Choice(position, POINT_IMAGE[INVERSE[symmetry]][move], solver_nodes, chance)

    def choices(self) -> Iterator[tuple[Choice, Entry]]:
        """Yield what we play and what is proven, for each position with a choice, in the order of keys, canonical."""
        sql = f"""
            SELECT key, move, solver_nodes, chance, lo, hi, best, nodes, seconds, positions.run
            FROM choices JOIN positions ON key = position
            WHERE position > ? AND {_IS_POSITION} ORDER BY position LIMIT {_PAGE}
        """
        last = -1
        while rows := self._rows(sql, (last,)):
            for key, move, solver_nodes, chance, *columns in rows:
                position = position_of(key)
                yield Choice(position, move, solver_nodes, chance), Entry(position, *columns)
            last = rows[-1][0]

    def count_choices(self) -> int:
        """Return in how many positions it is chosen what we play."""
        return int(self._rows("SELECT count(*) FROM choices")[0][0])

    def __iter__(self) -> Iterator[Entry]:
        return self.entries()

    def __len__(self) -> int:
        return int(self._rows("SELECT count(*) FROM positions")[0][0])

    def __contains__(self, position: object) -> bool:
        return isinstance(position, Position) and self.get(position) is not None

    def count_by_status(self) -> dict[str, int]:
        """Return the number of positions per status; all of STATUSES are present."""
        counts = dict(self._rows("SELECT status, count(*) FROM positions GROUP BY status"))
        return {status: counts.get(status, 0) for status in STATUSES}

    def count_by_ply(self) -> dict[int, dict[str, int]]:
        """Return, for each ply with positions, their number per status; all of STATUSES are present."""
        counts: dict[int, dict[str, int]] = {}
        for ply, status, positions in self._rows("SELECT ply, status, positions FROM progress ORDER BY ply"):
            counts.setdefault(ply, dict.fromkeys(STATUSES, 0))[status] = positions
        return counts

    def runs(self) -> list[dict[str, Any]]:
        """Return the runs in order: the columns of ``runs``, parameters and what was believed as mappings."""
        columns = [
            "id",
            "parameters",
            "machine",
            "python",
            "version",
            "started",
            "ended",
            "outcome",
            "nodes",
            "peak_mib",
            "believed",
        ]
        rows = self._rows(f"SELECT {', '.join(columns)} FROM runs ORDER BY id")
        runs = [dict(zip(columns, row, strict=True)) for row in rows]
        return [
            {**run, **{name: json.loads(run[name] or "null") for name in ("parameters", "believed")}} for run in runs
        ]

    @property
    def identity(self) -> str:
        """The store's own name, 32 hexadecimal digits, the same as long as the file lives."""
        return str(self._rows("SELECT name FROM identity")[0][0])

    def impossible_keys(self) -> list[int]:
        """Return the keys of rows that name no position."""
        return [key for (key,) in self._rows(f"SELECT key FROM positions WHERE NOT ({_IS_POSITION}) ORDER BY key")]

    def damage(self) -> list[str]:
        """Return what SQLite's own checks find wrong with the file, a line each."""
        found = [str(text) for (text,) in self._rows("PRAGMA integrity_check") if text != "ok"]
        orphans = self._rows("PRAGMA foreign_key_check")
        return found + [
            f"row {row} of {table} names a row of {parent} that is not there" for table, row, parent, _ in orphans
        ]

    # Writing

    def record(self, facts: Iterable[Fact], run: int | None = None, *, stated: bool = False) -> int:
        """Merge a batch of facts into the store, in one transaction; return how many entries are new or improved.

        stated: keep what each fact says by itself too, as what ``run`` says; see statements_of().

        A bound proven for a move is a bound of its position too, on the mover's side. An entry's
        best move always keeps the mover's side of the proven bounds: a fact that raises that
        side brings its own best move, another fact only fills a gap.
        Raises Contradiction, ValueError (a fact that fails Fact.check(), a move that is
        illegal) or StoreError; then nothing of the batch is written.
        """
        rows, moves = _canonical_facts(facts, run)
        with self._transaction():
            olds = {key: self._old_position(key) for key in rows}
            merged = {key: _merged(key, olds[key], rows[key]) for key in rows}
            merged_moves = {at: _merged_move(at, self._old_move(at), new) for at, new in moves.items()}
            self._db.conn.executemany(_INSERT_POSITION, ((key, *row) for key, row in merged.items()))
            self._db.conn.executemany(_INSERT_MOVE, ((*at, *move) for at, move in merged_moves.items()))
            if stated:
                said = ((key, run, row.lo, row.hi, row.best) for key, row in rows.items())
                self._db.conn.executemany(_INSERT_STATEMENT, said)
        return sum(_improves(merged[key], olds[key]) for key in rows)

    def _old_position(self, key: int) -> _Row | None:
        row = self._db.conn.execute(_SELECT_POSITION, (key,)).fetchone()
        return None if row is None else _Row(*row)

    def _old_move(self, at: tuple[int, int]) -> _Move | None:
        sql = "SELECT child, lo, hi FROM moves WHERE position = ? AND move = ?"
        row = self._db.conn.execute(sql, at).fetchone()
        return None if row is None else _Move(*row)

    def choose(self, choices: Iterable[Choice], run: int | None = None) -> None:
        """Note what we play in some positions, in one transaction, in place of earlier choices there.

        Raises ValueError for an illegal move, StoreError for a position that is not in the store; then nothing is
        written.
        """
        rows = [_choice_row(choice, run) for choice in choices]
        with self._transaction():
            self._db.conn.executemany("INSERT OR REPLACE INTO choices VALUES (?, ?, ?, ?, ?)", rows)

    def unlinked_keys(self) -> list[int]:
        """Return the keys of the positions whose legal moves are not noted, in order."""
        sql = f"""
            SELECT key FROM positions
            WHERE {_IS_POSITION} AND NOT EXISTS (SELECT 1 FROM legal_moves WHERE position = key) ORDER BY key
        """
        return [key for (key,) in self._rows(sql)]

    def link(self, links: Iterable[tuple[int, int, int]]) -> None:
        """Note legal moves, in one transaction: canonical key, move in that orientation, canonical key after it."""
        with self._transaction():
            self._db.conn.executemany("INSERT OR IGNORE INTO legal_moves VALUES (?, ?, ?)", links)

    def count_moves(self) -> None:
        """Count anew, for every position whose legal moves are noted, how many of them win and what they are worth."""
        with self._transaction():
            self._db.conn.execute(COUNT_MOVES)

    def start_run(self, parameters: Mapping[str, Any]) -> int:
        """Note the start of a run, with its parameters (as JSON), machine and version; return its id."""
        sql = "INSERT INTO runs (parameters, machine, python, version, started) VALUES (?, ?, ?, ?, ?)"
        machine = f"{platform.node()} {platform.machine()}, {os.cpu_count()} cores"
        row = (json.dumps(parameters, sort_keys=True), machine, platform.python_version(), version(), _now())
        with self._transaction():
            return int(self._db.conn.execute(sql, row).lastrowid or 0)

    def note_believed(self, run: int, believed: Believed) -> None:
        """Note what a run takes from the store without searching it again."""
        with self._transaction():
            sql = "UPDATE runs SET believed = ? WHERE id = ?"
            self._db.conn.execute(sql, (json.dumps(believed.record()), run))

    def end_run(self, run: int, outcome: str, *, nodes: int | None = None, peak_mib: int | None = None) -> None:
        """Note the end of a run and what it cost, where known; raises KeyError when there is no such run."""
        with self._transaction():
            sql = "UPDATE runs SET ended = ?, outcome = ?, nodes = ?, peak_mib = ? WHERE id = ?"
            if not self._db.conn.execute(sql, (_now(), outcome, nodes, peak_mib, run)).rowcount:
                raise KeyError(run)

    # The file

    def _rows(self, sql: str, parameters: Sequence[Any] | dict[str, Any] = ()) -> list[tuple[Any, ...]]:
        with self._clear_errors():
            return self._db.execute(sql, parameters).fetchall()

    @contextlib.contextmanager
    def _transaction(self) -> Iterator[None]:
        if self._lock is None:
            raise StoreError(f"{self.path}: opened for reading, not for writing")
        with self._clear_errors():
            # IMMEDIATE, so that what is merged with cannot change before it is written.
            self._db.conn.execute("BEGIN IMMEDIATE")
            try:
                yield
                self._db.commit()
            finally:
                self._db.rollback()

    @contextlib.contextmanager
    def _clear_errors(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.Error as error:
            locked = "locked" in str(error)
            raise StoreError(f"{self.path}: {'locked by another program' if locked else error}") from error


class _WriterLock:
    """The right to write a store, held by one process until released or dead.

    A record lock on a side file: unlike flock's it is not inherited by worker processes, which
    would otherwise keep it after their parent was killed. As the kernel grants it to the same
    process again, one process's own locks are counted here.
    """

    _held: dict[Path, int] = {}  # noqa: RUF012 - shared on purpose

    def __init__(self, store: Path) -> None:
        try:
            # Here, for stores are read where there is no such module.
            import fcntl
        except ModuleNotFoundError:
            raise StoreError(f"{store}: stores are written on Linux only; here they can be read") from None
        self._key = store.resolve()
        if self._held.get(self._key) == os.getpid():
            raise StoreError(f"{store} is already open for writing in this process")
        try:
            # Beside the file itself, so that a store is the same by whatever link it is opened.
            self._file = open(f"{self._key}-writer", "a")  # noqa: SIM115 - closed by release()
        except OSError as error:
            raise StoreError(f"{store}: cannot write there: {error.strerror}") from None
        try:
            fcntl.lockf(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            self._file.close()
            raise StoreError(f"{store} is being written by another process") from None
        self._held[self._key] = os.getpid()

    def release(self) -> None:
        """Let the next writer in. The side file stays: removing it would race with who locks it next."""
        self._file.close()
        del self._held[self._key]


def _connect(path: Path, write: bool, timeout: float) -> Database:
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


def _check_ours(db: Database, path: Path, write: bool) -> None:
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


def _own_migrations() -> set[str]:
    with contextlib.closing(Database(memory=True)) as empty:
        return {migration.name for migration in migrations.pending(empty)}


def _prepare_writing(db: Database) -> None:
    db.enable_wal()
    # A crash of the machine may lose the last commits, never the file; a crash of the process loses none.
    db.execute("PRAGMA synchronous = NORMAL")
    db.execute("PRAGMA foreign_keys = ON")
    with db.atomic():
        migrations.apply(db)


def _entry(position: Position, symmetry: int, row: _Row) -> Entry:
    """Return a row as an Entry about ``position``, which ``symmetry`` takes to canonical orientation."""
    back = POINT_IMAGE[INVERSE[symmetry]]
    return Entry(position, *row._replace(best=None if row.best is None else back[row.best]))


def _is_import(run: Mapping[str, Any]) -> bool:
    return "kind" in run["parameters"] and run["outcome"] == "complete"


def _choice_row(choice: Choice, run: int | None) -> tuple[int, int, int | None, float | None, int | None]:
    if choice.move not in choice.position.legal_moves():
        raise ValueError(f"the move chosen, {choice.move}, is illegal")
    key, symmetry = canonical(choice.position)
    return key, POINT_IMAGE[symmetry][choice.move], choice.solver_nodes, choice.chance, run


def _canonical_facts(facts: Iterable[Fact], run: int | None) -> tuple[_PositionRows, _MoveRows]:
    """Return the rows that a batch of facts amounts to, facts about the same position merged."""
    rows: _PositionRows = {}
    moves: _MoveRows = {}
    for fact in facts:
        fact.check()
        key, symmetry = canonical(fact.position)
        image = POINT_IMAGE[symmetry]
        for move, bounds in fact.moves.items():
            at = key, image[move]
            moves[at] = _merged_move(at, moves.get(at), _move_row(key, fact.position.play(move), bounds))
        lo, hi, best = _with_moves(key, fact)
        new = _Row(lo, hi, None if best is None else image[best], fact.nodes, fact.seconds, run)
        rows[key] = _merged(key, rows.get(key), new)
    return rows, moves


def _with_moves(key: int, fact: Fact) -> tuple[int, int, int | None]:
    """Return the fact's bounds and best move, the mover's side improved by what its moves are proven to reach."""
    lo, hi, best = fact.lo, fact.hi, fact.best
    for move, (move_lo, move_hi) in fact.moves.items():
        if fact.position.black_to_move and move_lo > lo:
            lo, best = move_lo, move
        elif not fact.position.black_to_move and move_hi < hi:
            hi, best = move_hi, move
    lo, hi = _tightened(key, (lo, MOST), (LEAST, hi))
    return lo, hi, best


def _move_row(key: int, child: Position, bounds: tuple[int, int]) -> _Move:
    if child.is_over:
        return _Move(None, *_tightened(key, bounds, (child.margin, child.margin)))
    return _Move(canonical_key(child), *bounds)


def _merged(key: int, old: _Row | None, new: _Row) -> _Row:
    if old is None:
        return new
    lo, hi = _tightened(key, (old.lo, old.hi), (new.lo, new.hi))
    # How far each row gets the mover: more is better for both colours.
    old_reach, new_reach = (old.lo, new.lo) if position_of(key).black_to_move else (-old.hi, -new.hi)
    replaces = new_reach > old_reach or (new_reach == old_reach and old.best is None)
    row = _Row(lo, hi, new.best if replaces else old.best, old.nodes + new.nodes, old.seconds + new.seconds, old.run)
    return row._replace(run=new.run) if _improves(row, old) else row


def _merged_move(at: tuple[int, int], old: _Move | None, new: _Move) -> _Move:
    if old is None:
        return new
    return _Move(new.child, *_tightened(at[0], (old.lo, old.hi), (new.lo, new.hi)))


def _improves(row: _Row, old: _Row | None) -> bool:
    return old is None or row[:3] != old[:3]


def _tightened(key: int, old: tuple[int, int], new: tuple[int, int]) -> tuple[int, int]:
    lo, hi = max(old[0], new[0]), min(old[1], new[1])
    if lo > hi:
        raise Contradiction(
            f"{position_of(key)}: proven {old[0]} to {old[1]} and proven {new[0]} to {new[1]} cannot both be true"
        )
    return lo, hi


def _now() -> str:
    return datetime.now(timezone.utc).isoformat(timespec="seconds")
