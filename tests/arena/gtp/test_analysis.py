import itertools
import json
import re
from array import array
from pathlib import Path
from types import SimpleNamespace

import pytest

from little_go.arena.gtp.engine import Engine
from little_go.arena.gtp.protocol import value_line
from little_go.book.answers.live import LiveSearch, for_seconds
from little_go.book.answers.query import NOT_IN_BOOK, PROVEN, Knowledge, Service
from little_go.book.answers.sources import BookSource
from little_go.book.files.reader import BOOK_LOSS, BOOK_UNDECIDED, BOOK_WIN, MoveBook, read_book
from little_go.notation.record import from_record
from little_go.solver.family import COURSE
from little_go.solver.position import PASS, START, Position, move_name
from little_go.solver.symmetry import POINT_IMAGE, canonical

ROOT = Path(__file__).parents[3]
ORACLE = [json.loads(line) for line in (ROOT / "tests/data/oracle_positions.jsonl").read_text().splitlines()]

#: Seconds that are too short for any search.
NO_TIME = 1e-9


def book_of(position: Position, verdict: int, move: int) -> MoveBook:
    key, symmetry = canonical(position)
    return MoveBook(array("Q", [key]), bytes([verdict << 5 | POINT_IMAGE[symmetry][move]]), game=COURSE)


def asked(position: Position, book: MoveBook | None = None, seconds: float = NO_TIME) -> dict[int, Knowledge]:
    """Return the knowledge after each move, the best first, from a book and with a search, or only from the book."""
    sources = [] if book is None else [BookSource(book, "book.json")]
    return dict(
        Service(sources, LiveSearch(), game=COURSE).ask(position, for_seconds(seconds), replies=False).after_moves
    )


@pytest.mark.parametrize("record", [record for record in ORACLE if record.get("moves") and record["ply"] >= 15][:40])
def test_values_are_the_oracles(record: dict[str, object]) -> None:
    values = asked(from_record(record, COURSE), seconds=30.0)
    assert {move_name(move): after.value for move, after in values.items()} == record["moves"]
    assert {after.state for after in values.values()} == {PROVEN}


def test_best_for_the_mover_comes_first() -> None:
    seen = set()
    for record in [record for record in ORACLE if record.get("moves") and record["ply"] >= 17][:30]:
        position = from_record(record, COURSE)
        values = [after.lo for after in asked(position, seconds=30.0).values()]
        assert values == sorted(values, reverse=position.black_to_move)
        seen.add(position.mover)
    assert seen == {1, 2}


def test_three_answers_are_kept_apart() -> None:
    opening = asked(START)
    # A PASS ends the game, so its value is known.
    assert value_line(0, opening[0]) == "A5 not-in-book winner unknown lo -24 hi 24 sources none"
    assert value_line(PASS, opening[PASS]) == "PASS proven winner White lo 0 hi 0 sources rules"
    child = START.play(12)
    undecided = asked(START, book_of(child, BOOK_UNDECIDED, 0))
    assert value_line(12, undecided[12]) == "C3 undecided winner unknown lo -24 hi 24 sources book"
    assert undecided[0].state == NOT_IN_BOOK
    lost = asked(START, book_of(child, BOOK_LOSS, 0))
    assert value_line(12, lost[12]) == "C3 proven winner Black lo 3 hi 24 sources book"


def test_search_in_vain_finds_nothing() -> None:
    assert NOT_IN_BOOK in {after.state for after in asked(START, seconds=0.05).values()}


def test_what_the_book_says_of_the_position_holds_for_its_moves() -> None:
    won = asked(START, book_of(START, BOOK_WIN, 12))
    assert (won[12].winner, won[12].kinds) == (1, ["book"])
    assert won[0].state == NOT_IN_BOOK
    reply = START.play(12)
    lost = asked(reply, book_of(reply, BOOK_LOSS, 0))
    assert {after.winner for after in lost.values()} == {1}


def test_the_projects_book_knows_the_opening() -> None:
    values = asked(START, read_book(str(ROOT / "book.json"), game=COURSE))
    assert next(iter(values)) == 12
    assert (values[12].winner, values[12].kinds) == (1, ["book"])
    assert all(after.winner == 2 for move, after in values.items() if move != 12)


def test_time_limit_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    """The clock advances by a tenth of a second whenever it is read."""
    looks = itertools.count(1)
    monkeypatch.setattr("little_go.book.answers.live.time", SimpleNamespace(monotonic=lambda: next(looks) / 10))
    asked(START, seconds=1.0)
    assert 11 <= next(looks) <= 20


def test_the_engine_knows_atlas_and_certificates() -> None:
    """Nothing is searched: that 0,0 is worth exactly -3 is in the atlas and the certificates, but not in the book."""
    lines = str(
        Engine(read_book(str(ROOT / "book.json"), game=COURSE), seconds=NO_TIME, game=COURSE).respond(
            "littlego-analyze"
        )
    )
    (corner,) = re.findall("A5 (.*)", lines)
    words, _, sources = corner.rpartition(" ")
    assert words == "proven winner White lo -3 hi -3 sources"
    assert {"line", "atlas", "certificate", "book"} >= set(sources.split("+")) >= {"atlas", "certificate"}
