import json
import time
from array import array
from pathlib import Path

import pytest

from arena.gtp.analysis import Analyst, MoveValue
from book.files.reader import BOOK_LOSS, BOOK_UNDECIDED, BOOK_WIN, Book, open_book
from solver.position import PASS, START, Position, move_name
from solver.record import from_record
from solver.symmetry import POINT_IMAGE, canonical

ROOT = Path(__file__).parents[3]
ORACLE = [json.loads(line) for line in (ROOT / "tests/data/oracle_positions.jsonl").read_text().splitlines()]

#: Too short for a single search.
NO_TIME = 1e-9


def book_of(position: Position, verdict: int, move: int) -> Book:
    key, symmetry = canonical(position)
    return Book(array("Q", [key]), bytes([verdict << 5 | POINT_IMAGE[symmetry][move]]))


def by_move(values: list[MoveValue]) -> dict[int, MoveValue]:
    return {value.move: value for value in values}


@pytest.mark.parametrize("record", [record for record in ORACLE if record.get("moves") and record["ply"] >= 15][:40])
def test_values_are_the_oracles(record: dict[str, object]) -> None:
    values = Analyst(None).analyse(from_record(record), 30.0)
    assert {move_name(value.move): value.lo for value in values} == record["moves"]
    assert all(value.lo == value.hi and value.state == "proven" for value in values)


def test_best_for_the_mover_comes_first() -> None:
    seen = set()
    for record in [record for record in ORACLE if record.get("moves") and record["ply"] >= 17][:30]:
        position = from_record(record)
        values = [value.lo for value in Analyst(None).analyse(position, 30.0)]
        assert values == sorted(values, reverse=position.black_to_move)
        seen.add(position.mover)
    assert seen == {1, 2}


def test_three_answers_are_kept_apart() -> None:
    opening = by_move(Analyst(None).analyse(START, NO_TIME))
    assert opening[0] == MoveValue(0, -24, 24, "none")
    assert (opening[0].state, opening[0].winner) == ("not-in-book", None)
    assert opening[PASS] == MoveValue(PASS, 0, 0, "end")
    assert (opening[PASS].state, opening[PASS].winner) == ("proven", 2)
    child = START.play(12)
    undecided = by_move(Analyst(book_of(child, BOOK_UNDECIDED, 0)).analyse(START, NO_TIME))
    assert (undecided[12].state, undecided[12].source) == ("undecided", "book")
    assert undecided[0].state == "not-in-book"
    lost = by_move(Analyst(book_of(child, BOOK_LOSS, 0)).analyse(START, NO_TIME))
    assert (lost[12].state, lost[12].winner, lost[12].lo) == ("proven", 1, 3)


def test_search_in_vain_is_undecided() -> None:
    values = Analyst(None).analyse(START, 0.05)
    assert ("undecided", "live") in {(value.state, value.source) for value in values}


def test_what_the_book_says_of_the_position_holds_for_its_moves() -> None:
    won = by_move(Analyst(book_of(START, BOOK_WIN, 12)).analyse(START, NO_TIME))
    assert (won[12].winner, won[12].source) == (1, "book")
    assert won[0].state == "not-in-book"
    reply = START.play(12)
    lost = by_move(Analyst(book_of(reply, BOOK_LOSS, 0)).analyse(reply, NO_TIME))
    assert {value.winner for value in lost.values()} == {1}


def test_the_projects_book_knows_the_opening() -> None:
    values = Analyst(open_book(str(ROOT / "book.json"))).analyse(START, NO_TIME)
    assert (values[0].move, values[0].winner, values[0].source) == (12, 1, "book")
    assert all(value.winner == 2 for value in values[1:])


def test_time_limit_is_kept() -> None:
    start = time.monotonic()
    Analyst(None).analyse(START, 1.0)
    # A busy machine may search at a tenth of the speed.
    assert 1.0 <= time.monotonic() - start < 10.0
