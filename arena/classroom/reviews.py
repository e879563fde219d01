"""What a student's games show: some of them reviewed move by move, the faults of all."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from hashlib import sha256
from itertools import zip_longest
from typing import Any

from arena.match.host import PLAYED_OUT
from arena.review.page import agent_html
from arena.review.reading import Played, from_record, positions_of
from arena.review.review import Mistake, Review, judged_move, with_lines
from arena.review.summary import AgentSummary
from arena.review.worth import Valuer
from arena.standings.tally import SIDES
from arena.standings.tournament import Record
from book.answers.sources import session_sources
from solver.position import parse_move
from solver.symmetry import canonical_key, key_of

#: Nodes for the value of a position, as there are many: some hundredths of a second.
_NODES = 30_000

#: Of so many moves that cost a student most it is told why they are mistakes.
_EXPLAINED = 6


@dataclass(frozen=True)
class StudentGames:
    """A student's games. players: the names that the student's programs have in them."""

    name: str
    players: frozenset[str]
    records: Sequence[Record]

    def side(self, record: Record) -> int:
        """Return the student's colour in a game: 1 = Black, 2 = White."""
        return 1 if record["black"] in self.players else 2

    def digest(self, reviewed: int) -> str:
        """Return a digest of all that a review depends on."""
        told = sorted((game_id(record), record["moves"], record["winner"], record["reason"]) for record in self.records)
        return sha256(repr((self.name, reviewed, told)).encode("utf-8", "surrogateescape")).hexdigest()

    def chosen(self, reviewed: int) -> list[Record]:
        """Return the games to review: lost by the score first, the opponents in turn, then won ones."""
        out = [record for record in self.records if record["reason"] in PLAYED_OUT]
        lost = [record for record in out if record["winner"].lower() != SIDES[self.side(record) - 1]]
        won = [record for record in out if record["winner"].lower() == SIDES[self.side(record) - 1]]
        return [*self._in_turn(lost), *self._in_turn(won)][:reviewed]

    def _in_turn(self, records: Iterable[Record]) -> Iterator[Record]:
        by_opponent: dict[str, list[Record]] = {}
        for record in sorted(records, key=lambda record: (record["number"], game_id(record))):
            by_opponent.setdefault(record[SIDES[2 - self.side(record)]], []).append(record)
        for at_once in zip_longest(*by_opponent.values()):
            yield from (record for record in at_once if record is not None)


@dataclass(frozen=True)
class StudentReview:
    """What came of it. html: for the student's page. mistakes: rows of the database. games: how many were reviewed."""

    name: str
    digest: str
    html: str
    games: int
    mistakes: list[dict[str, Any]]


def game_id(record: Record) -> str:
    """Return what a game is called in the database."""
    return f"{record['black']} - {record['white']} {record['number']}"


@lru_cache
def _valuer() -> Valuer:
    """Return this process's, which is made for the first review."""
    return Valuer(session_sources(None), _NODES)


def review_student(games: StudentGames, reviewed: int) -> StudentReview:
    """Review a student's games: so many by what each move was worth, the others by how they ended."""
    chosen = {game_id(record) for record in games.chosen(reviewed)}
    reviews: dict[str, Review] = {}
    for record in games.records:
        played = from_record(game_id(record), {**record, **_renamed(record, games)})
        reviews[game_id(record)] = _valued(played) if game_id(record) in chosen else _ended(played)
    summary = _summary(games, reviews)
    _explain(games, reviews, summary)
    summary = _summary(games, reviews)
    rows = [row for record in games.records for row in _rows(games, record, reviews[game_id(record)])]
    return StudentReview(games.name, games.digest(reviewed), agent_html(summary), len(chosen), rows)


def _renamed(record: Record, games: StudentGames) -> Mapping[str, str]:
    return {side: games.name for side in SIDES if record[side] in games.players}


def _valued(played: Played) -> Review:
    """Review a game without what explains its mistakes."""
    positions = positions_of(played.state)
    worth = _valuer().along(positions)
    moves = list(map(parse_move, played.state.moves[: len(positions) - 1]))
    judged = [judged_move(move, *worth[at : at + 2]) for at, move in enumerate(moves)]
    # The best move shows what many mistakes are, without the lines that follow.
    found = [
        mistake if mistake.before.best is None else replace(mistake, instead=(mistake.before.best,))
        for mistake in judged
        if mistake is not None
    ]
    return Review(played, tuple(positions), tuple(worth), tuple(found))


def _ended(played: Played) -> Review:
    """Review no more of a game than how it ended."""
    return Review(played, tuple(positions_of(played.state)), (), ())


def _summary(games: StudentGames, reviews: Mapping[str, Review]) -> AgentSummary:
    summary = AgentSummary()
    for record in games.records:
        summary.add(reviews[game_id(record)], games.side(record))
    return summary


def _explain(games: StudentGames, reviews: dict[str, Review], summary: AgentSummary) -> None:
    """Find out why the moves that cost the student most are mistakes, and put that into the reviews.

    Of the faults that are told first it is found out whether they lost a won game.
    """
    faults = [alike[0][0] for alike in summary.by_fault()]
    for name, review in reviews.items():
        if review.fault in faults:
            reviews[name] = replace(review, worth=(_valuer().worth(review.positions[-1]),))
    first = [alike[0] for alike in summary.by_move()[:_EXPLAINED]]
    for name, review in reviews.items():
        if any(mistake in first for mistake in review.mistakes):
            told = tuple(with_lines(each, _valuer()) if each in first else each for each in review.mistakes)
            reviews[name] = replace(review, mistakes=told)


def _rows(games: StudentGames, record: Record, review: Review) -> Iterator[dict[str, Any]]:
    """Yield the rows of the student's mistakes in a game."""
    for mistake in review.mistakes:
        if mistake.mover == games.side(record):
            yield {"game": game_id(record), "student": games.name, **mistake_row(mistake)}


def mistake_row(mistake: Mistake) -> dict[str, Any]:
    """Return a mistake as a row; ``alike`` is equal for those that a symmetry turns into each other."""
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
    """Yield a game's calls as rows: the moves, and the call that ended it without one."""
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
