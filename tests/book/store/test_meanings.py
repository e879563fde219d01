"""Every column of every view agrees, row by row, with its description, by the rules and the atlas."""

import csv
import io
import json
import random
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from little_go.__main__ import main
from little_go.book.exchange.merge import import_files
from little_go.book.files.shipped import LATER_PLIES, VALUES, shipped_files
from little_go.book.files.values import Values, read_values
from little_go.book.library import open_book
from little_go.book.store.views import TABLES, VIEWS
from little_go.notation.record import to_record
from little_go.solver.answer import Bounds
from little_go.solver.bounds import COLOURS, worth_text
from little_go.solver.family import COURSE
from little_go.solver.position import PASS, Position, move_name, parse_moves
from little_go.solver.symmetry import canonical_key, key_of, position_of
from tests.options import FROM_LINES

Row = dict[str, Any]

#: The share of the keys whose rows the fast test reads; a random number selects them.
_SHARE, _SEED = 211, 58

#: By view, the columns that describe the position after the row's move, and not the position before it.
_OF_MOVES = {"moves_view", "traps"}


@cache
def atlas() -> Values:
    return read_values(VALUES)


def exact(position: Position) -> int | None:
    """Return a position's value: the margin if the game is over, or the atlas's value, or None."""
    if position.is_over:
        return position.margin
    known = atlas().get(position)
    return None if known is None else known.value


def board_of(position: Position) -> str:
    return "/".join("".join(".XO"[int(digit)] for digit in row) for row in position.rows())


def link_of(position: Position) -> str:
    ko = "-" if position.ko is None else position.ko
    board = board_of(position).replace("/", "").replace(".", "_")
    return f"explorer.html#from={board}.{position.ply}.{ko}.{'P' if position.passed else '-'}"


def moves_in(text: str | None) -> list[int]:
    return parse_moves(text) if text else []


def worth_of(position: Position, move: int) -> int | None:
    return exact(position.play(move))


def keeps(position: Position, move: int, row: Row) -> bool:
    """Return whether a move keeps the mover's bound, if the atlas has the position after it."""
    value = worth_of(position, move)
    return value is None or (value >= row["lo"] if position.black_to_move else value <= row["hi"])


def check_best(position: Position, row: Row) -> None:
    """Compare the moves in a row with the values after them."""
    if row["best_move"] is not None:
        (move,) = moves_in(row["best_move"])
        assert position.allows(move)
        assert keeps(position, move, row), row
    if "best" not in row:
        return
    best, value = moves_in(row["best"]), row["value"]
    assert best == sorted(set(best))
    assert not best or value is not None, f"moves stand as best where the value is not known: {row}"
    after = {move: worth_of(position, move) for move in position.legal_moves()}
    assert all(after[move] in (value, None) for move in best), row
    if value is not None and row["best_move"] is not None:
        assert moves_in(row["best_move"])[0] in best
    if row["moves_known"]:
        assert value is not None
        assert best
        assert not [move for move, worth in after.items() if worth == value and move not in best], row


def check_worth(position: Position, row: Row) -> None:
    """Check the columns about a position's value: they must agree with the atlas and with each other."""
    bounds = Bounds(row["lo"], row["hi"])
    value = exact(position)
    assert value is None or bounds.lo <= value <= bounds.hi, row
    assert row["value"] == bounds.value
    assert row["worth"] == worth_text(bounds, COURSE)
    winner = COURSE.winner(bounds)
    words = ("undecided", "not in the store") if winner is None else (COLOURS[winner],)
    assert row["winner"] in words


def check_place(view: str, row: Row) -> None:
    """Check the columns that identify a position, and the columns that identify the position after the move."""
    position = position_of(row["key"])
    assert key_of(position) == canonical_key(position) == row["key"]
    assert (row["board"], row["ply"]) == (board_of(position), position.ply)
    assert (row["mover"], row["key_text"]) == (COLOURS[position.mover], str(row["key"]))
    linked = position
    if view in _OF_MOVES:
        linked = position_of(row["after_key"])
        assert row["after_key_text"] == str(row["after_key"])
        assert row["after_board"] == board_of(linked)
        for move in moves_in(row["move"]):
            assert canonical_key(position.play(move)) == row["after_key"]
    assert row["explorer"] == link_of(linked)


def check_position(row: Row) -> None:
    position = position_of(row["key"])
    assert row["passed"] == position.passed
    assert row["ko"] == (None if position.ko is None else move_name(position.ko))
    check_worth(position, row)
    check_best(position, row)
    assert row["origin"] in (None, "search", "ply before", "ply after")
    assert row["nodes"] >= 0
    assert row["seconds"] >= 0
    assert row["source"].endswith((".gz", ".json")), row["source"]


def check_move(row: Row) -> None:
    position = position_of(row["key"])
    after = position.play(moves_in(row["move"])[0])
    check_worth(after, row)
    if row["points_lost"] is not None:
        here, value = exact(position), exact(after)
        assert row["points_lost"] >= 0
        assert here is None or value is None or row["points_lost"] == abs(here - value)
    assert (row["source"] == "end of the game") == after.is_over
    assert (row["source"] == "none") <= ((row["lo"], row["hi"]) == (-24, 24))


def check_only_move(row: Row) -> None:
    position = position_of(row["key"])
    moves = moves_in(row["move"])
    groups = {canonical_key(position.play(move)) for move in position.legal_moves()}
    assert row["moves"] == len(groups) > 1
    assert len({canonical_key(position.play(move)) for move in moves}) == 1
    for move in position.legal_moves():
        value = worth_of(position, move)
        if value is not None:
            assert ((value > 2.5) is position.black_to_move) == (move in moves), row


def ranked(position: Position) -> list[int] | None:
    """Return the values of the different moves, the mover's best first; None if the atlas lacks one."""
    after = {canonical_key(child): exact(child) for child in map(position.play, position.legal_moves())}
    values = [value for value in after.values() if value is not None]
    return sorted(values, reverse=position.black_to_move) if len(values) == len(after) else None


def check_hardest(row: Row) -> None:
    position = position_of(row["key"])
    assert row["nodes"] >= 0
    assert row["winner"] in ("Black", "White", "undecided")
    if row["legal"] is not None:
        assert row["legal"] == len(position.legal_moves())
        assert row["winning"] + row["losing"] + row["undecided"] == row["different"]
    values = ranked(position)
    if values is not None and row["legal"] is not None:
        assert row["different"] == len(values)
        black = sum(value > 2.5 for value in values)
        won, lost = (black, len(values) - black) if position.black_to_move else (len(values) - black, black)
        assert row["winning"] <= won
        assert row["losing"] <= lost


def check_trap(row: Row) -> None:
    position, after = position_of(row["key"]), position_of(row["after_key"])
    assert row["replies"] == len(after.legal_moves())
    assert row["holding"] + row["failing"] == row["different_replies"]
    assert row["failing"] > 0
    assert row["failing_share"] == round(row["failing"] / row["different_replies"], 3)
    values = ranked(after)
    if values is not None:
        failing = sum((value > 2.5) is position.black_to_move for value in values)
        assert (row["failing"], row["different_replies"]) == (failing, len(values))


def check_swing(row: Row) -> None:
    best, second, worst = (row[f"{name}_value"] for name in ("best", "second", "worst"))
    assert (row["lost_by_second"], row["lost_by_worst"]) == (abs(best - second), abs(best - worst))
    position = position_of(row["key"])
    values = ranked(position)
    if values is not None:
        assert [best, second, worst] == [values[0], values[1], values[-1]]
        assert row["moves"] == len(values)
    (move,) = moves_in(row["best_move"])
    assert worth_of(position, move) in (best, None)


#: By view, the check of its own columns, without the columns that identify positions.
CHECKS: dict[str, Callable[[Row], None]] = {
    "positions_view": check_position,
    "moves_view": check_move,
    "only_moves": check_only_move,
    "hardest": check_hardest,
    "traps": check_trap,
    "largest_swings": check_swing,
}


def rows_of(db: sqlite3.Connection, view: str, where: str) -> Iterator[Row]:
    db.row_factory = sqlite3.Row
    return map(dict, db.execute(f"SELECT * FROM {view} {where}"))


def check_rows(db: sqlite3.Connection, where: str = "") -> dict[str, int]:
    """Check the rows of all views, and return their number."""
    counts = {}
    for view in VIEWS:
        counts[view.name] = 0
        for row in rows_of(db, view.name, where):
            assert list(row) == list(TABLES[view.name].columns)
            check_place(view.name, row)
            CHECKS[view.name](row)
            counts[view.name] += 1
    return counts


@pytest.mark.system
def test_columns_hold_what_they_are_described_as_in_a_sample_of_rows(shipped_store: Path) -> None:
    rest = random.Random(_SEED).randrange(_SHARE)
    with closing(sqlite3.connect(shipped_store)) as db:
        counts = check_rows(db, f"WHERE key % {_SHARE} = {rest}")
    assert set(counts) == set(CHECKS)
    assert all(counts.values()), counts


@pytest.fixture(scope="module")
def whole_atlas(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store of the shipped files and of ply 5 of the atlas."""
    path = tmp_path_factory.mktemp("meanings") / "book.db"
    list(import_files(path, [*shipped_files(), LATER_PLIES[5]]))
    return path


@pytest.mark.long
def test_columns_hold_what_they_are_described_as_in_all_rows(whole_atlas: Path) -> None:
    with closing(sqlite3.connect(whole_atlas)) as db:
        counts = check_rows(db)
    assert counts["positions_view"] > 100_000


def test_a_move_that_loses_points_is_not_named_best(shipped_store: Path) -> None:
    """1,1 keeps the store's bound of this position, but loses four points."""
    lossy = "...../..O../.OX../....X/....X"
    with closing(sqlite3.connect(shipped_store)) as db:
        sql = "SELECT best, best_move, value, winner FROM positions_view WHERE board = ?"
        assert db.execute(sql, (lossy,)).fetchall() == [(None, "1,1", None, "White")]
        (wrong,) = db.execute("SELECT count(*) FROM positions_view WHERE best IS NOT NULL AND value IS NULL").fetchone()
    assert wrong == 0


# The same from SQL, CSV, JSON and Python


def drawn(path: Path, each_ply: int) -> list[Position]:
    """Return random positions of plies 0 to 20: stored positions, and at later plies positions of unfinished games."""
    found: list[Position] = []
    with closing(sqlite3.connect(path)) as db:
        for ply in range(21):
            rng = random.Random(ply)
            keys = [key for (key,) in db.execute("SELECT key FROM positions WHERE ply = ? ORDER BY key", (ply,))]
            late = [each for each in found if each.ply == ply - 1][:10]
            going_on = [each.play(rng.choice(each.legal_moves()[:-1] or [PASS])) for each in late]
            found += map(position_of, rng.sample(keys, min(each_ply, len(keys))))
            found += [] if keys else [each for each in going_on if not each.is_over]
    return found


def asked(*arguments: str) -> str:
    done = CliRunner().invoke(main, ("query", *arguments), catch_exceptions=False)
    assert done.exit_code == 0, done.stderr
    return done.stdout


def best_in_table(text: str) -> list[str]:
    """Return the moves in a table of moves that lose no points."""
    rows = csv.DictReader(io.StringIO(text))
    lossless = [row for row in rows if (row["lost_least"], row["lost_most"]) == ("0", "0")]
    return sorted(move for row in lossless for move in [row["move"], *row["alike"].split()])


def check_doors(path: Path, folder: Path, positions: list[Position], tables: int) -> None:
    """Compare the answers of four programs about positions. tables: the number of positions for which a table is
    printed.
    """
    lines = folder / "positions.jsonl"
    lines.write_text("".join(json.dumps(to_record(each, COURSE)) + "\n" for each in positions), "ascii")
    only = ("--only", "store", "--db", str(path))
    records = [json.loads(line) for line in asked(FROM_LINES, str(lines), *only).splitlines()]
    with open_book(path) as book, closing(sqlite3.connect(path)) as db:
        for number, (position, record) in enumerate(zip(positions, records, strict=True)):
            rows = [*rows_of(db, "positions_view", f"WHERE key = {canonical_key(position)}")]
            for row in rows:
                check_against_row(row, record)
            known = book.get(position)
            if known is None:
                assert not rows
                assert (record["value"], record["best"], record["sources"]) == (None, [], [])
                continue
            assert (known.value, list(known.bounds), known.winner) == (
                record["value"],
                [record["lo"], record["hi"]],
                record["winner"],
            )
            assert known.best == record["best"]
            if number % max(1, len(positions) // tables) == 0:
                table = asked("--key", str(key_of(position)), "--csv", *only)
                assert best_in_table(table) == sorted(record["best"])


def check_against_row(row: Row, record: dict[str, Any]) -> None:
    """Check that a row has exactly the facts that follow from the whole store."""
    assert row["lo"] <= record["lo"] <= record["hi"] <= row["hi"]
    assert row["winner"] in (record["winner"], "undecided")
    assert row["value"] in (record["value"], None)
    best = row["best"].split() if row["best"] else []
    assert set(best) <= set(record["best"])
    if row["moves_known"]:
        assert sorted(best) == sorted(record["best"])


@pytest.mark.system
def test_sql_json_python_and_tables_agree_about_the_best_moves(shipped_store: Path, tmp_path: Path) -> None:
    positions = drawn(shipped_store, 2)
    assert {position.ply for position in positions} == set(range(21))
    check_doors(shipped_store, tmp_path, positions, tables=6)


@pytest.mark.long
def test_sql_json_python_and_tables_agree_about_300_positions(shipped_store: Path, tmp_path: Path) -> None:
    positions = drawn(shipped_store, 30)
    assert len(positions) >= 300
    check_doors(shipped_store, tmp_path, positions, tables=len(positions))
