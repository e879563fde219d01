"""The class as a database for questions: students, points, games, moves and mistakes, and views for people."""

import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from typing import Any

from arena.classroom.gradebook import Regrade, StudentRow
from arena.classroom.reviews import StudentGames, StudentReview, game_id, move_rows
from arena.course.grading import Mark
from arena.standings.tally import SIDES
from arena.standings.tournament import Record
from runtime.display import tracked
from runtime.files import open_database as open_file

DATABASE = "class.db"

#: What marks a file as ours: "LGcl".
_OURS = 0x4C47636C

#: Tables that every run writes again. Reviews, which are costly, stay until their games change.
_WRITTEN_AGAIN = ("students", "points", "games", "moves")

_VIEWS = {
    "gradebook": """SELECT name, final, points, late_days, regraded, regrade_reason, program, games, wins, faults, notes
        FROM students ORDER BY name""",
    "hardest_opponents": """SELECT opponent, sum(games) AS games, sum(wins) AS wins,
        round(100.0 * sum(wins) / sum(games), 1) AS won_percent, round(avg(points), 2) AS mean_points
        FROM points WHERE counts GROUP BY opponent HAVING sum(games) ORDER BY won_percent""",
    "common_faults": """SELECT reason, count(DISTINCT loser) AS students, count(*) AS games, min(detail) AS example
        FROM games WHERE reason NOT IN ('max', 'two_passes') AND loser IN (SELECT name FROM students)
        GROUP BY reason ORDER BY students DESC, games DESC""",
    "slowest_programs": """SELECT name, cpu_mean, cpu_max, cpu_total, program FROM students WHERE games
        ORDER BY cpu_max DESC""",
    # Board, moves and reason are those of one row, as a symmetry turns the others; which one does not depend on whose
    # review was done first.
    "shared_mistakes": """SELECT students, times, mine.ply, mine.board, mine.move, mine.best_move, groups.cost,
        groups.decisive, mine.why, mine.key, groups.alike
        FROM (SELECT alike, count(DISTINCT student) AS students, count(*) AS times, max(cost) AS cost,
            sum(decisive) AS decisive FROM mistakes GROUP BY alike) AS groups
        JOIN mistakes AS mine ON mine.rowid = (SELECT rowid FROM mistakes AS one WHERE one.alike = groups.alike
            ORDER BY why IS NULL, student, game, ply LIMIT 1)
        ORDER BY students DESC, groups.decisive DESC, times DESC, mine.student, mine.game, mine.ply""",
}


#: The tables that stay from run to run, with the columns' types, and the columns that may be empty.
_KEPT: dict[str, dict[str, type]] = {
    "reviews": {"student": str, "digest": str, "games": int, "html": str},
    "mistakes": {
        **{"game": str, "student": str, "ply": int, "mover": str, "move": str, "best_move": str, "cost": int},
        **{"exact": int, "decisive": int, "kind": str, "why": str, "board": str, "key": int, "alike": str},
    },
    "regrades": {"student_key": str, "points": float, "reason": str},
}

#: The types as SQLite names them.
_TYPES = {str: "text", int: "integer", float: "real"}

_MAY_BE_EMPTY = frozenset({"best_move", "why"})

#: What SQLite has to say where a database is none the worse.
_NOT_DAMAGE = ("locked", "readonly", "full")


class BadDatabase(ValueError):
    """A file that is no database of a class's; the message is one line."""


class ClassDatabase:
    """A class's database; open it with open_database()."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        """Make the tables that later runs keep, and check them. Raises sqlite3.Error, as all methods do."""
        # It takes longer to import, with pandas where that is, than all else that `play` does before its first move.
        from sqlite_utils import Database

        self._db = Database(connection)
        _check_tables(connection)
        with connection:
            self._db.table("reviews").create(_KEPT["reviews"], pk="student", if_not_exists=True)
            self._db.table("mistakes").create(_KEPT["mistakes"], if_not_exists=True)
            self._db.table("regrades").create(_KEPT["regrades"], pk="student_key", if_not_exists=True)
            for column in ("student", "alike"):
                self._db.table("mistakes").create_index([column], if_not_exists=True)
        for table, columns in _KEPT.items():
            _check_types(connection, table, columns)

    def digests(self) -> dict[str, str]:
        """Return the digest of the games that each student's review is about."""
        return dict(self._db.conn.execute("SELECT student, digest FROM reviews"))

    def reviewed(self) -> dict[str, str]:
        """Return the students' reviews as HTML."""
        return dict(self._db.conn.execute("SELECT student, html FROM reviews"))

    def regrades(self) -> dict[str, Regrade]:
        """Return the points that the staff has given, by the students' keys."""
        rows = self._db.conn.execute("SELECT student_key, points, reason FROM regrades")
        return {key: Regrade(points, reason) for key, points, reason in rows}

    def keep_regrades(self, regrades: Mapping[str, Regrade | None]) -> None:
        """Keep points that the staff has given, by the students' keys; None takes earlier ones back."""
        with self._db.conn:
            for key, regrade in regrades.items():
                self._db.conn.execute("DELETE FROM regrades WHERE student_key = ?", (key,))
                if regrade is not None:
                    self._db.conn.execute("INSERT INTO regrades VALUES (?, ?, ?)", (key, *regrade))

    def keep(self, review: StudentReview) -> None:
        """Keep a student's review in place of an earlier one."""
        with self._db.conn:
            self._db.conn.execute("DELETE FROM mistakes WHERE student = ?", (review.name,))
            self._db.table("mistakes").insert_all(review.mistakes)
            row = {"student": review.name, "digest": review.digest, "games": review.games, "html": review.html}
            self._db.table("reviews").upsert(row, pk="student")

    def write(self, rows: Sequence[StudentRow], games: Iterable[StudentGames], records: Sequence[Record]) -> None:
        """Write all but the reviews again, in one step."""
        student_of = {player: each.name for each in games for player in each.players}
        with self._db.conn:
            for table in _WRITTEN_AGAIN:
                self._db.conn.execute(f"DROP TABLE IF EXISTS {table}")
            for view in _VIEWS:
                self._db.conn.execute(f"DROP VIEW IF EXISTS {view}")
            names = [row.name for row in rows]
            for table in ("reviews", "mistakes"):
                marks = ",".join("?" * len(names))
                self._db.conn.execute(f"DELETE FROM {table} WHERE student NOT IN ({marks})", names)
            self._db.table("students").insert_all((row.record() for row in rows), pk="name")
            self._db.table("points").create(
                {
                    **{"student": str, "repetition": int, "stage": int, "opponent": str, "games": int, "wins": int},
                    **{"points": float, "full_points": int, "counts": int},
                }
            )
            self._db.table("points").insert_all(_points_rows(rows))
            self._db.table("games").create({**_GAME, "id": str}, pk="id")
            self._db.table("games").insert_all(_game_row(record, student_of) for record in records)
            self._db.table("moves").create(_MOVE, pk=("game", "ply"))
            self._db.table("moves").insert_all(
                row for record in tracked(records, "Games written") for row in move_rows(record)
            )
            for view, query in _VIEWS.items():
                self._db.create_view(view, query)
        self._db.conn.execute("PRAGMA optimize")

    def names(self) -> list[str]:
        """Return the students' names."""
        return [name for (name,) in self._db.conn.execute("SELECT name FROM students")]

    def rows(self, view: str, most: int = 1000) -> list[dict[str, Any]]:
        """Return the first rows of a view."""
        found: list[dict[str, Any]] = list(self._db.query(f"SELECT * FROM {view} LIMIT {most}"))
        return found


def _connect(path: Path) -> sqlite3.Connection:
    """Open a file that is ours or new, and mark it as ours; raises BadDatabase and sqlite3.Error."""
    try:
        opened = open_file(path, write=True)
    except OSError as error:
        raise BadDatabase(f"{error.filename}: {error.strerror}") from None
    with ExitStack() as stack:
        connection = stack.enter_context(closing(opened))
        (tables,) = connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()
        (mark,) = connection.execute("PRAGMA application_id").fetchone()
        if tables and mark != _OURS:
            raise BadDatabase(f"{path}: not a class's database: move it away")
        connection.execute(f"PRAGMA application_id = {_OURS}")
        stack.pop_all()
    return connection


def _check_tables(db: sqlite3.Connection) -> None:
    """Raise sqlite3.DatabaseError where a view or an index has the name of a table that stays."""
    for name, kind in db.execute("SELECT name, type FROM sqlite_schema"):
        if name in _KEPT and kind != "table":
            raise sqlite3.DatabaseError(f"{name} is no table")


def _check_types(db: sqlite3.Connection, table: str, columns: Mapping[str, type]) -> None:
    """Raise sqlite3.DatabaseError where a row's values have not the types of its columns."""
    for column, of in columns.items():
        types = f"'{_TYPES[of]}'"
        if column in _MAY_BE_EMPTY:
            types += ", 'null'"
        # In brackets, as SQLite takes a name that it does not know for a text in quotes.
        if db.execute(f"SELECT 1 FROM [{table}] WHERE typeof([{column}]) NOT IN ({types}) LIMIT 1").fetchone():
            raise sqlite3.DatabaseError(f"{table}.{column} has another type")


_GAME = {
    **{"id": str, "black": str, "white": str, "number": int, "winner": str, "loser": str, "reason": str, "detail": str},
    **{"margin": int, "plies": int, "moves": str, "seed": int, "seconds": float, "again": int},
}
_MOVE = {"game": str, "ply": int, "player": str, "mover": str, "move": str, "cpu": float, "killed": int}


def _game_row(record: Record, student_of: Mapping[str, str]) -> dict[str, Any]:
    winner = record["winner"].lower()
    loser = record[SIDES[1 - SIDES.index(winner)]]
    return {
        "id": game_id(record),
        **{key: record[key] for key in ("black", "white", "number", "winner", "reason", "detail", "margin", "seed")},
        "loser": student_of.get(loser, loser),
        "plies": len(record["moves"]),
        "moves": " ".join(record["moves"]),
        "seconds": record.get("seconds"),
        "again": int("again" in record),
    }


def _points_rows(rows: Iterable[StudentRow]) -> Iterator[dict[str, Any]]:
    for row in rows:
        for number, stages in enumerate(row.grade.repetitions if row.grade else [], 1):
            for stage in stages:
                for mark in stage.marks:
                    yield {
                        "student": row.name,
                        "repetition": number,
                        "stage": stage.number,
                        **_mark_row(mark),
                        "counts": int(stages is row.best),
                    }


def _mark_row(mark: Mark) -> dict[str, Any]:
    return {
        "opponent": mark.opponent.agent,
        "games": mark.line.games.total(),
        "wins": mark.line.wins.total(),
        "points": mark.points,
        "full_points": mark.opponent.full,
    }


@contextmanager
def open_database(path: Path) -> Iterator[ClassDatabase]:
    """Open the database to write; raises BadDatabase, also for what is found damaged meanwhile."""
    try:
        with closing(_connect(path)) as connection:
            yield ClassDatabase(connection)
    except sqlite3.Error as error:
        what = " ".join(str(error).split())
        advice = "" if any(word in what for word in _NOT_DAMAGE) else ": move it away, it is made again"
        raise BadDatabase(f"{path}: {what}{advice}") from None
