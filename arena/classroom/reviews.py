"""The review of a student's games, as HTML for the student and as rows for the database."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256
from itertools import zip_longest
from typing import Any, NamedTuple

from arena.review.page import student_html
from arena.review.reading import Played, from_record
from arena.review.review import Mistake, Review, review
from arena.review.summary import AgentSummary
from arena.review.worth import REVIEW_NODES, Valuer
from arena.standings.entrants import BUILT_IN
from arena.standings.tally import SIDES
from arena.standings.tournament import Record
from book.answers.sources import session_sources
from solver.symmetry import canonical_key, key_of

#: Other students on a student's page, which must not name them.
_ANOTHER = "another student"


@dataclass(frozen=True)
class StudentGames:
    """A student's games. players: the names of the student's programs in them."""

    name: str
    players: frozenset[str]
    records: Sequence[Record]

    def side(self, record: Record) -> int:
        """Return the student's colour in a game: 1 = Black, 2 = White."""
        return 1 if record["black"] in self.players else 2

    def digest(self) -> str:
        """Return a digest of everything that a review depends on."""
        played = sorted(
            (game_id(record), record["moves"], record["winner"], record["reason"]) for record in self.records
        )
        return sha256(repr((self.name, played)).encode("utf-8", "surrogateescape")).hexdigest()


@dataclass(frozen=True)
class StudentReview:
    """The review of a student's games. html: for the student's page. mistakes: rows of the database."""

    name: str
    digest: str
    html: str
    games: int
    mistakes: list[dict[str, Any]]


def game_id(record: Record) -> str:
    """Return a game's name in the database."""
    return f"{record['black']} - {record['white']} {record['number']}"


@lru_cache
def _valuer() -> Valuer:
    """Return this process's valuer."""
    return Valuer(session_sources(None), REVIEW_NODES)


class GameOfStudent(NamedTuple):
    """A game to review. number: among the student's. colour: the student's, 1 = Black, 2 = White."""

    student: str
    number: int
    record: Record
    colour: int


def games_of(games: StudentGames) -> list[GameOfStudent]:
    """Return a student's games as jobs."""
    return [
        GameOfStudent(games.name, number, record, games.side(record)) for number, record in enumerate(games.records)
    ]


def review_game(job: GameOfStudent) -> Review:
    """Review a game as ``little-go review`` does, and explain the student's own mistakes."""
    return review(_played(job), _valuer(), (job.colour,))


def student_review(games: StudentGames, reviews: Sequence[Review]) -> StudentReview:
    """Return the review of a student's games. reviews: one for each record."""
    summary, rows = AgentSummary(), list[dict[str, Any]]()
    for record, found in zip(games.records, reviews, strict=True):
        summary.add(found, games.side(record))
        rows += _rows(games, record, found)
    return StudentReview(games.name, games.digest(), student_html(summary), summary.games, rows)


def _played(job: GameOfStudent) -> Played:
    """Return a game to review, with one name for the student and none for another student."""
    record, own = job.record, SIDES[job.colour - 1]
    course = {side: record[side] for side in SIDES if record[side] in BUILT_IN}
    names = {**dict.fromkeys(SIDES, _ANOTHER), **course, own: job.student}
    return from_record(game_id(record), {**record, **names})


def _rows(games: StudentGames, record: Record, review: Review) -> Iterator[dict[str, Any]]:
    """Yield the rows of the student's mistakes in a game."""
    for mistake in review.mistakes:
        if mistake.mover == games.side(record):
            yield {"game": game_id(record), "student": games.name, **mistake_row(mistake)}


def mistake_row(mistake: Mistake) -> dict[str, Any]:
    """Return a mistake as a row; ``alike`` is equal for symmetric ones."""
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
    """Yield a game's calls as rows: the moves, and a last call without one."""
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
