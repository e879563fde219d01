"""The SQLite database of a class: tables of students, points, games, moves, mistakes and reviews, and several views."""

import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256
from itertools import zip_longest
from pathlib import Path
from typing import Any, NamedTuple

from little_go.arena.classroom.gradebook import StudentRow
from little_go.arena.classroom.staff_tables import Regrade
from little_go.arena.review.page import student_html
from little_go.arena.review.reading import GameToReview, from_record
from little_go.arena.review.review import REVIEW_NODES, Evaluator, Mistake, Review, review
from little_go.arena.review.summary import AgentSummary
from little_go.arena.standings.entrants import BUILT_IN
from little_go.arena.standings.tally import SIDES
from little_go.arena.standings.tournament import Record
from little_go.book.answers.sources import session_sources
from little_go.runtime.display import tracked
from little_go.runtime.files import open_database as open_file
from little_go.solver.symmetry import canonical_key, key_of

#: The text that replaces other students' names on a student's page.
_ANOTHER = "another student"


@dataclass(frozen=True)
class StudentGames:
    """The games of a student. players: the names of the student's programs in these games."""

    name: str
    players: frozenset[str]
    records: Sequence[Record]

    def side(self, record: Record) -> int:
        """Return the student's colour in a game: 1 for Black, 2 for White."""
        return 1 if record["black"] in self.players else 2

    def digest(self) -> str:
        """Return a digest of everything on which the review depends."""
        played = sorted(
            (game_id(record), record["moves"], record["winner"], record["reason"]) for record in self.records
        )
        return sha256(repr((self.name, played)).encode("utf-8", "surrogateescape")).hexdigest()


@dataclass(frozen=True)
class StudentReview:
    """The review of a student's games.

    digest: the digest of the games (see StudentGames). html: the part of the student's page on the games. games: the
    number of games. mistakes: the database rows of the mistakes.
    """

    name: str
    digest: str
    html: str
    games: int
    mistakes: list[dict[str, Any]]


def game_id(record: Record) -> str:
    """Return the name of a game in the database."""
    return f"{record['black']} - {record['white']} {record['number']}"


@lru_cache
def _evaluator() -> Evaluator:
    return Evaluator(session_sources(None), REVIEW_NODES)


class GameOfStudent(NamedTuple):
    """A game to review.

    number: the index of the game among the student's games. colour: the student's colour, 1 for Black, 2 for White.
    """

    student: str
    number: int
    record: Record
    colour: int


def games_of(games: StudentGames) -> list[GameOfStudent]:
    """Return the jobs for reviewing a student's games."""
    return [
        GameOfStudent(games.name, number, record, games.side(record)) for number, record in enumerate(games.records)
    ]


def review_game(job: GameOfStudent) -> Review:
    """Review a game as ``little-go review`` does, and explain the student's own mistakes."""
    return review(_played(job), _evaluator(), (job.colour,))


def student_review(games: StudentGames, reviews: Sequence[Review]) -> StudentReview:
    """Return the review of all games of a student. reviews: the review of each game, in the order of the records."""
    summary, rows = AgentSummary(), list[dict[str, Any]]()
    for record, found in zip(games.records, reviews, strict=True):
        summary.add(found, games.side(record))
        own = (mistake for mistake in found.mistakes if mistake.mover == games.side(record))
        rows += ({"game": game_id(record), "student": games.name, **mistake_row(mistake)} for mistake in own)
    return StudentReview(games.name, games.digest(), student_html(summary), summary.games, rows)


def _played(job: GameOfStudent) -> GameToReview:
    """Return a game to review, with the student's usual name and without the names of other students."""
    record, own = job.record, SIDES[job.colour - 1]
    course = {side: record[side] for side in SIDES if record[side] in BUILT_IN}
    names = {**dict.fromkeys(SIDES, _ANOTHER), **course, own: job.student}
    return from_record(game_id(record), {**record, **names})


def mistake_row(mistake: Mistake) -> dict[str, Any]:
    """Return a mistake as a database row. Symmetric mistakes have the same value in the column ``alike``."""
    position = mistake.position
    told = mistake.record()
    board = position.rows()
    return {
        **{key: told[key] for key in ("ply", "mover", "move", "best_move", "cost", "exact", "decisive", "kind", "why")},
        "board": "/".join(row.translate(str.maketrans("012", ".XO")) for row in board),
        "key": key_of(position),
        "alike": f"{canonical_key(position)} {canonical_key(position.play(mistake.move))}",
    }


def move_rows(record: Record) -> Iterator[dict[str, Any]]:
    """Yield a row for each call of a player in a game, including a last call that returned no move."""
    clocks = [second for pair in zip_longest(*(record["cpu"][side] for side in SIDES)) for second in pair]
    for ply, seconds in enumerate(clocks, 1):
        if seconds is not None:
            yield {
                "game": game_id(record),
                "ply": ply,
                "player": record[SIDES[1 - ply % 2]],
                "mover": SIDES[1 - ply % 2].capitalize(),
                "move": record["moves"][ply - 1] if ply <= len(record["moves"]) else None,
                "cpu": seconds,
                "killed": int(ply in record["killed"]),
            }


#: The name of the database in the output directory.
DATABASE = "class.db"

#: The application id in the header of a class's database: "LGcl".
_OURS = 0x4C47636C

#: The tables that every run rewrites. The tables of reviews are kept until the games change, because a review is slow.
_REWRITTEN = ("students", "points", "games", "moves")

_VIEWS = {
    "gradebook": """SELECT name, final, points, late_days, regraded, regrade_reason, basis, program, games, wins,
        faults, notes FROM students ORDER BY name""",
    "hardest_opponents": """SELECT opponent, sum(games) AS games, sum(wins) AS wins,
        round(100.0 * sum(wins) / sum(games), 1) AS won_percent, round(avg(points), 2) AS mean_points
        FROM points WHERE counts GROUP BY opponent HAVING sum(games) ORDER BY won_percent""",
    "common_faults": """SELECT reason, count(DISTINCT loser) AS students, count(*) AS games, min(detail) AS example
        FROM games WHERE reason NOT IN ('max', 'two_passes') AND loser IN (SELECT name FROM students)
        GROUP BY reason ORDER BY students DESC, games DESC""",
    "slowest_programs": """SELECT name, cpu_mean, cpu_max, cpu_total, program FROM students WHERE games
        ORDER BY cpu_max DESC""",
    # Board, moves and reason come from a single mistake of the group, because symmetric mistakes differ in them. The
    # choice of this mistake does not depend on the order of the reviews.
    "shared_mistakes": """SELECT students, times, mine.ply, mine.board, mine.move, mine.best_move, groups.cost,
        groups.decisive, mine.why, mine.key, groups.alike
        FROM (SELECT alike, count(DISTINCT student) AS students, count(*) AS times, max(cost) AS cost,
            sum(decisive) AS decisive FROM mistakes GROUP BY alike) AS groups
        JOIN mistakes AS mine ON mine.rowid = (SELECT rowid FROM mistakes AS one WHERE one.alike = groups.alike
            ORDER BY why IS NULL, student, game, ply LIMIT 1)
        ORDER BY students DESC, groups.decisive DESC, times DESC, mine.student, mine.game, mine.ply""",
}


#: The tables that are kept from run to run, with the types of their columns.
_KEPT: dict[str, dict[str, type]] = {
    "reviews": {"student": str, "digest": str, "games": int, "html": str},
    "mistakes": {
        **{"game": str, "student": str, "ply": int, "mover": str, "move": str, "best_move": str, "cost": int},
        **{"exact": int, "decisive": int, "kind": str, "why": str, "board": str, "key": int, "alike": str},
    },
    "regrades": {"student_key": str, "points": float, "reason": str},
}

#: SQLite's names of Python's types.
_TYPES = {str: "text", int: "integer", float: "real"}

#: The columns of the kept tables that may be NULL.
_MAY_BE_EMPTY = frozenset({"best_move", "why"})

#: Words in SQLite's error messages that do not mean a damaged database.
_NOT_DAMAGE = ("locked", "readonly", "full")


class BadDatabase(ValueError):
    """Raised if a file is not the database of a class, or is damaged; the message is one line."""


class ClassDatabase:
    """The database of a class, which open_database() opens. Every method can raise sqlite3.Error."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        """Create the tables that are kept from run to run, or check existing tables."""
        # sqlite_utils is imported here, because the import is slow and other commands do not need it.
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
        """Return the digest of each student's reviewed games."""
        return dict(self._db.conn.execute("SELECT student, digest FROM reviews"))

    def reviewed(self) -> dict[str, str]:
        """Return each student's review as HTML."""
        return dict(self._db.conn.execute("SELECT student, html FROM reviews"))

    def regrades(self) -> dict[str, Regrade]:
        """Return the points that the staff gave, by student key."""
        rows = self._db.conn.execute("SELECT student_key, points, reason FROM regrades")
        return {key: Regrade(points, reason) for key, points, reason in rows}

    def keep_regrades(self, regrades: Mapping[str, Regrade | None]) -> None:
        """Store points that the staff gave, by student key. The value None removes a student's earlier points."""
        with self._db.conn:
            for key, regrade in regrades.items():
                self._db.conn.execute("DELETE FROM regrades WHERE student_key = ?", (key,))
                if regrade is not None:
                    self._db.conn.execute("INSERT INTO regrades VALUES (?, ?, ?)", (key, *regrade))

    def keep(self, review: StudentReview) -> None:
        """Store the review of a student's games in place of an earlier review."""
        with self._db.conn:
            self._db.conn.execute("DELETE FROM mistakes WHERE student = ?", (review.name,))
            self._db.table("mistakes").insert_all(review.mistakes)
            row = {"student": review.name, "digest": review.digest, "games": review.games, "html": review.html}
            self._db.table("reviews").upsert(row, pk="student")

    def write(self, rows: Sequence[StudentRow], games: Iterable[StudentGames], records: Sequence[Record]) -> None:
        """Rewrite the tables of students, points, games and moves in one transaction."""
        student_of = {player: each.name for each in games for player in each.players}
        with self._db.conn:
            for table in _REWRITTEN:
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
        """Return the names of the students."""
        return [name for (name,) in self._db.conn.execute("SELECT name FROM students")]

    def rows(self, view: str, most: int = 1000) -> list[dict[str, Any]]:
        """Return the first rows of a view. most: the maximum number of rows."""
        found: list[dict[str, Any]] = list(self._db.query(f"SELECT * FROM {view} LIMIT {most}"))
        return found


def _connect(path: Path) -> sqlite3.Connection:
    """Open or create the database of a class. Raise BadDatabase if the file is another program's database."""
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
    """Raise sqlite3.DatabaseError if the database has a view or an index with the name of a kept table."""
    for name, kind in db.execute("SELECT name, type FROM sqlite_schema"):
        if name in _KEPT and kind != "table":
            raise sqlite3.DatabaseError(f"{name} is not a table")


def _check_types(db: sqlite3.Connection, table: str, columns: Mapping[str, type]) -> None:
    """Raise sqlite3.DatabaseError if a value in the table does not have the type of its column."""
    for column, kind in columns.items():
        types = f"'{_TYPES[kind]}'"
        if column in _MAY_BE_EMPTY:
            types += ", 'null'"
        # The column's name is in brackets, because SQLite reads an unknown name in quotes as a string.
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
                        "opponent": mark.opponent.agent,
                        "games": mark.results.games.total(),
                        "wins": mark.results.wins.total(),
                        "points": mark.points,
                        "full_points": mark.opponent.full,
                        "counts": int(stages is row.best),
                    }


@contextmanager
def open_database(path: Path) -> Iterator[ClassDatabase]:
    """Open a class's database for writing. Raise BadDatabase if SQLite reports an error in the ``with`` block."""
    try:
        with closing(_connect(path)) as connection:
            yield ClassDatabase(connection)
    except sqlite3.Error as error:
        what = " ".join(str(error).split())
        advice = "" if any(word in what for word in _NOT_DAMAGE) else ": move it away, so that a new one is made"
        raise BadDatabase(f"{path}: {what}{advice}") from None
