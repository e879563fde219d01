"""The views for people, on positions with few plies left: every row against the rules and the native kernel."""

import re
import sqlite3
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from hypothesis import example, given, settings

from little_go.book.__main__ import main
from little_go.book.answers.report import verdict
from little_go.book.files.atlas import ORIGINS, read_atlas
from little_go.book.files.shipped import ATLAS_FILE, VALUES
from little_go.book.files.values import Values, read_values
from little_go.book.store.connection import missing_store
from little_go.book.store.facts import Fact
from little_go.book.store.links import link_moves
from little_go.book.store.store import open_store
from little_go.book.store.views import TABLES, schema_text
from little_go.solver.answer import LEAST, MOST, Bounds
from little_go.solver.bounds import score_text, worth_text
from little_go.solver.family import COURSE
from little_go.solver.native.kernel import Kernel, next_ply
from little_go.solver.native.table import open_table
from little_go.solver.position import PASS, START, Position, move_name, parse_moves, play_all
from little_go.solver.symmetry import canonical_key, key_of, position_of
from tests.book.positions import make_store, open_positions

#: The first stored positions, and the number of plies after each that are stored: an empty board with eight plies left,
#: on which many moves are symmetric, and a lost game in which only one reply holds after many moves.
LATE = "3,3 3,0 2,4 1,3 3,2 4,1 0,0 0,2 2,2 0,4 2,0 3,4 4,2 4,0 1,4 1,0"
BEGINNINGS = ((Position(ply=16), 2), (play_all(START, parse_moves(LATE)), 3))

COLOURS = {1: "Black", 2: "White"}


class Short:
    """The stored positions with their values, and a reading connection to the store."""

    def __init__(self, db: sqlite3.Connection, values: dict[Position, int]) -> None:
        self.db = db
        self.values = values
        self._by_key = {canonical_key(position): value for position, value in values.items()}

    def rows(self, sql: str, *parameters: object) -> list[dict[str, Any]]:
        return [dict(row) for row in self.db.execute(sql, parameters)]

    def view(self, name: str) -> dict[Position, dict[str, Any]]:
        """Return, by position, the rows of a view."""
        rows = self.rows(f"SELECT * FROM {name}")
        found = {position_of(row["key"]): row for row in rows}
        assert len(found) == len(rows)
        return found

    def worth(self, position: Position) -> int | None:
        """Return the value of a position, or None if the store does not have it."""
        return position.margin if position.is_over else self._by_key.get(canonical_key(position))

    def different(self, position: Position) -> dict[int, list[int]]:
        """Return, by key of the position after it, the legal moves."""
        moves: dict[int, list[int]] = {}
        for move in position.legal_moves():
            moves.setdefault(canonical_key(position.play(move)), []).append(move)
        return moves


def winner_of(value: int) -> int:
    return 1 if value >= 3 else 2


@pytest.fixture(scope="module")
def short(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Short]:
    kernel = Kernel(open_table(16))
    positions = []
    for beginning, plies in BEGINNINGS:
        keys = [canonical_key(beginning)]
        for _ in range(plies + 1):
            positions += [position_of(key) for key in keys]
            keys = list(next_ply(keys))
    answers = {position: kernel.value(position) for position in positions}
    path = tmp_path_factory.mktemp("views") / "short.db"
    with open_store(path, write=True, game=COURSE) as store:
        store.record(Fact(at, answer.lo, answer.hi, answer.best, answer.nodes) for at, answer in answers.items())
        assert link_moves(store) == len(positions)
        assert link_moves(store) == 0
    with closing(sqlite3.connect(path)) as db:
        db.row_factory = sqlite3.Row
        values = {position: answer.lo for position, answer in answers.items()}
        yield Short(db, values)


def board_of(position: Position) -> str:
    return "/".join("".join(".XO"[int(digit)] for digit in row) for row in position.rows())


def test_every_position_is_in_words(short: Short) -> None:
    rows = short.view("positions_view")
    assert set(rows) == set(short.values)
    for position, row in rows.items():
        value = short.values[position]
        assert row["board"] == board_of(position)
        assert (row["ply"], row["mover"]) == (position.ply, COLOURS[position.mover])
        assert row["passed"] == (position.passed)
        assert row["ko"] == (None if position.ko is None else move_name(position.ko))
        assert (row["winner"], row["worth"], row["value"]) == (
            COLOURS[winner_of(value)],
            score_text(value, komi=COURSE.komi),
            value,
        )
        assert row["key_text"] == str(key_of(position))


@pytest.mark.system
def test_every_legal_move_has_a_row_with_its_worth(short: Short) -> None:
    found: dict[tuple[int, str], dict[str, Any]] = {}
    for row in short.rows("SELECT * FROM moves_view"):
        found[row["key"], row["move"]] = row
    expected = [(position, move) for position in short.values for move in position.legal_moves()]
    assert set(found) == {(key_of(position), move_name(move)) for position, move in expected}
    told = Counter[str]()
    for position, move in expected:
        row, child = found[key_of(position), move_name(move)], position.play(move)
        assert (row["board"], row["mover"]) == (board_of(position), COLOURS[position.mover])
        assert (row["after_key"], row["after_key_text"]) == (canonical_key(child), str(canonical_key(child)))
        assert row["after_board"] == board_of(position_of(canonical_key(child)))
        told[row["source"]] += 1
        value, here = short.worth(child), short.values[position]
        if value is not None:
            lost = here - value if position.black_to_move else value - here
            assert (row["winner"], row["worth"]) == (COLOURS[winner_of(value)], score_text(value, komi=COURSE.komi))
            assert row["points_lost"] == lost
        else:
            # If the position after a move is not stored, the position's bounds still limit the move.
            assert row["lo"] <= row["hi"]
            assert row["hi"] <= here if position.black_to_move else row["lo"] >= here
            assert row["winner"] in ("Black", "White", "not in the store")
    assert set(told) == {"unknown", "end of the game", "position before the move"}


def test_bounds_beyond_what_is_stored_are_true(short: Short) -> None:
    kernel = Kernel(open_table(16))
    rows = short.rows("SELECT * FROM moves_view WHERE source = 'position before the move' ORDER BY key % 977 LIMIT 300")
    assert any(row["lo"] == row["hi"] for row in rows)
    for row in rows:
        assert row["lo"] <= kernel.value(position_of(row["after_key"])).lo <= row["hi"]


def counts_of(short: Short, position: Position) -> dict[str, int | None]:
    """Return a position's row of move_counts, if all of its moves are known."""
    moves = short.different(position)
    sign = 1 if position.black_to_move else -1
    worths = [short.worth(position_of(key)) for key in moves]
    values = sorted((worth for worth in worths if worth is not None), key=lambda value: -sign * value)
    assert len(values) == len(moves)
    winning = sum(winner_of(value) == position.mover for value in values)
    return {
        "legal": sum(map(len, moves.values())),
        "different": len(moves),
        "winning": winning,
        "losing": len(moves) - winning,
        "undecided": 0,
        "exact": len(moves),
        "best_value": values[0],
        "second_value": values[1],
        "worst_value": values[-1],
    }


def known(short: Short) -> list[Position]:
    """Return the positions whose moves all lead to stored positions or end the game."""
    return [
        position
        for position in short.values
        if all(short.worth(position_of(key)) is not None for key in short.different(position))
    ]


def test_moves_are_counted(short: Short) -> None:
    rows = short.view("move_counts")
    assert set(rows) == set(short.values)
    for position in known(short):
        row = rows[position]
        assert {name: row[name] for name in counts_of(short, position)} == counts_of(short, position)
    for position in set(short.values) - set(known(short)):
        row = rows[position]
        assert row["winning"] + row["losing"] + row["undecided"] == row["different"] == len(short.different(position))
        if row["exact"] < row["different"]:
            assert (row["best_value"], row["second_value"], row["worst_value"]) == (None, None, None)


def test_moves_are_counted_by_the_bounds_that_the_view_shows(shipped_store: Path) -> None:
    with closing(sqlite3.connect(shipped_store)) as db:
        counts = {row[0]: row[1:] for row in db.execute("SELECT * FROM move_counts WHERE key % 41 = 0")}
        shown: dict[int, list[tuple[int, int, int]]] = {key: [] for key in counts}
        for key, *move in db.execute("SELECT key, after_key, lo, hi FROM moves_view WHERE key % 41 = 0"):
            shown[key].append(tuple(move))
    assert len(counts) > 1_000
    for key, moves in shown.items():
        sign = 1 if position_of(key).black_to_move else -1
        after: dict[int, tuple[int, int]] = {}
        for child, lo, hi in moves:
            least, most = after.get(child, (LEAST, MOST))
            after[child] = max(lo, least), min(hi, most)
        black, white = sum(lo >= 3 for lo, _ in after.values()), sum(hi < 3 for _, hi in after.values())
        exact = sorted((lo for lo, hi in after.values() if lo == hi), key=lambda value: -sign * value)
        ranked = (*(*exact, None)[:2], exact[-1]) if len(exact) == len(after) else (None, None, None)
        won = (black, white) if sign > 0 else (white, black)
        open_ = len(after) - black - white
        assert counts[key] == (len(moves), len(after), *won, open_, len(exact), *ranked)


@pytest.mark.system
def test_pass_alone_is_best_in_46_positions_of_ply_4(shipped_store: Path) -> None:
    alone = "GROUP BY key HAVING count(*) = 1 AND max(move) = 'PASS'"
    with closing(sqlite3.connect(shipped_store)) as db:
        lost_none = db.execute(f"SELECT key FROM moves_view WHERE ply = 4 AND points_lost = 0 {alone}").fetchall()
        named = db.execute("SELECT key FROM positions_view WHERE ply = 4 AND best = 'PASS' AND moves_known").fetchall()
    fifth = read_values(VALUES)
    expected = [row for row in read_atlas(ATLAS_FILE) if row.position.ply == 4 and row.best == (PASS,)]
    assert len(expected) == 46
    assert sorted(lost_none) == sorted(named) == sorted((key_of(row.position),) for row in expected)
    for row in expected:
        children = [row.position.play(move) for move in row.position.legal_moves()]
        *stones, passed = (child.margin if child.is_over else worth_in(fifth, child) for child in children)
        assert row.lo not in stones
        assert row.lo == passed


def worth_in(values: Values, position: Position) -> int:
    known = values.get(position)
    assert known is not None
    return known.lo


def test_every_best_move_is_in_the_store_as_far_as_the_plies_of_the_atlas_that_it_is_made_from(
    shipped_store: Path,
) -> None:
    told = {key_of(row.position): " ".join(map(move_name, row.best)) for row in read_atlas(ATLAS_FILE)}
    with closing(sqlite3.connect(shipped_store)) as db:
        found = db.execute("SELECT key, best, best_move, moves_known, origin FROM positions_view WHERE ply <= 4")
        for key, best, best_move, moves_known, origin in found:
            assert (best, moves_known) == (told[key], 1)
            assert best_move in best.split()
            assert origin in ORIGINS
        (claimed,) = db.execute("SELECT count(*) FROM positions_view WHERE ply > 5 AND origin IS NOT NULL").fetchone()
    assert claimed == 0


def test_only_moves_are_all_those_that_alone_win(short: Short) -> None:
    rows = short.view("only_moves")
    expected = {}
    for position in known(short):
        wins = [
            moves
            for key, moves in short.different(position).items()
            if winner_of(int(short.worth(position_of(key)) or 0)) == position.mover
        ]
        if len(wins) == 1 < len(short.different(position)):
            expected[position] = " ".join(map(move_name, wins[0]))
    inside = set(known(short))
    assert {position: row["move"] for position, row in rows.items() if position in inside} == expected
    assert len(expected) > 10
    # Even without stored positions after the moves, the position's own bounds limit all its moves.
    for position in set(rows) - inside:
        assert winner_of(short.values[position]) == position.mover


def test_the_hardest_come_first(short: Short) -> None:
    rows = short.rows("SELECT * FROM hardest")
    assert len(rows) == len(short.values)
    nodes = [row["nodes"] for row in rows]
    assert nodes == sorted(nodes, reverse=True)
    assert nodes[0] > nodes[-1]
    counts = short.view("move_counts")
    for row in rows[:50]:
        expected = counts[position_of(row["key"])]
        assert (row["winning"], row["undecided"]) == (expected["winning"], expected["undecided"])


def test_traps_count_the_replies_that_throw_the_win_away(short: Short) -> None:
    expected = {}
    inside = set(known(short))
    for position in inside:
        if winner_of(short.values[position]) == position.mover:
            continue
        for key, moves in short.different(position).items():
            child = position_of(key)
            if child not in inside:
                continue
            counts = counts_of(short, child)
            if counts["losing"]:
                names = " ".join(map(move_name, moves))
                expected[key_of(position), names] = (key, counts["legal"], counts["winning"], counts["losing"])
    rows = short.rows("SELECT * FROM traps")
    found = {
        (row["key"], row["move"]): (row["after_key"], row["replies"], row["holding"], row["failing"])
        for row in rows
        if {position_of(row["key"]), position_of(row["after_key"])} <= inside
    }
    assert found == expected
    assert len(expected) > 5
    shares = [row["failing_share"] for row in short.rows("SELECT failing_share FROM traps")]
    assert shares == sorted(shares, reverse=True)
    assert all(row["failing_share"] == round(row["failing"] / row["different_replies"], 3) for row in rows)
    # A move is not counted as a trap if the winner after some reply is not known.
    assert all(row["holding"] + row["failing"] == row["different_replies"] for row in rows)


def test_a_move_is_no_trap_while_a_reply_is_open(tmp_path: Path) -> None:
    centre, tried = START.play(12), START.play(12).play(7)
    replies = {tried.play(move) for move in tried.legal_moves()}
    facts = [Fact(centre, 3, 24), Fact(tried, 3, 24), *(Fact(reply, -24, 2) for reply in sorted(replies)[1:])]
    for number, last in enumerate([[], [Fact(sorted(replies)[0], 3, 24)]]):
        path = make_store(tmp_path / f"{number}.db", *facts, *last)
        with open_store(path, write=True, game=COURSE) as store:
            link_moves(store)
        with closing(sqlite3.connect(path)) as db:
            assert len(db.execute("SELECT * FROM traps WHERE ply = 1").fetchall()) == number


def test_swings_are_the_gaps_between_the_moves(short: Short) -> None:
    rows = short.view("largest_swings")
    for position in known(short):
        counts, row = counts_of(short, position), rows[position]
        best, second, worst = (int(counts[name] or 0) for name in ("best_value", "second_value", "worst_value"))
        assert (row["best_value"], row["second_value"], row["worst_value"]) == (best, second, worst)
        assert (row["lost_by_second"], row["lost_by_worst"]) == (abs(best - second), abs(best - worst))
    gaps = [row["lost_by_second"] for row in short.rows("SELECT lost_by_second FROM largest_swings")]
    assert gaps == sorted(gaps, reverse=True)
    assert gaps[0] > gaps[-1]


@pytest.mark.parametrize("view", ["positions_view", "moves_view", "only_moves", "hardest", "traps", "largest_swings"])
def test_numbers_are_found_when_they_are_asked_for_as_text(short: Short, view: str) -> None:
    (row,) = short.rows(f"SELECT * FROM {view} LIMIT 1")
    numbers = {name: value for name, value in row.items() if isinstance(value, int | float)}
    assert len(numbers) >= 3
    for name, value in numbers.items():
        assert short.rows(f"SELECT 1 FROM {view} WHERE {name} = ? LIMIT 1", str(value)), name


@pytest.fixture(scope="module")
def empty(tmp_path_factory: pytest.TempPathFactory) -> Iterator[sqlite3.Connection]:
    with closing(sqlite3.connect(make_store(tmp_path_factory.mktemp("empty") / "book.db"))) as db:
        db.row_factory = sqlite3.Row
        yield db


@settings(max_examples=60)
@example(position=play_all(START, parse_moves("0,1 0,2 1,0 1,3 2,1 2,2 4,4 1,1 1,2")))
@given(position=open_positions())
def test_any_key_is_decoded(empty: sqlite3.Connection, position: Position) -> None:
    key = canonical_key(position)
    stored = position_of(key)
    empty.execute("INSERT INTO positions (key, lo, hi, nodes, seconds) VALUES (?, -24, 24, 0, 0)", (key,))
    row = dict(empty.execute("SELECT * FROM positions_view").fetchone())
    empty.rollback()
    assert row["board"] == board_of(stored)
    assert row["ko"] == (None if stored.ko is None else move_name(stored.ko))
    assert (row["ply"], row["passed"]) == (stored.ply, stored.passed)
    ko = "-" if stored.ko is None else stored.ko
    signs = board_of(stored).replace("/", "").replace(".", "_")
    assert row["explorer"] == f"explorer.html#from={signs}.{stored.ply}.{ko}.{'P' if stored.passed else '-'}"


@pytest.mark.parametrize(
    ("lo", "hi"), [(-24, 24), (-24, 7), (-24, 2), (-3, 24), (3, 24), (-3, -3), (0, 0), (4, 7), (-1, 2), (24, 24)]
)
def test_bounds_are_worded_as_in_python(tmp_path: Path, lo: int, hi: int) -> None:
    path = make_store(tmp_path / "book.db", Fact(START, lo, hi))
    with closing(sqlite3.connect(path)) as db:
        winner, worth = db.execute("SELECT winner, worth FROM positions_view").fetchone()
    with open_store(path, game=COURSE) as store:
        words = verdict(START, store.find(START).answer, game=COURSE)
    assert worth == worth_text(Bounds(lo, hi), game=COURSE)
    assert ("undecided" if "undecided" in words else re.findall("(Black|White) wins", words)[0]) == winner


def test_the_three_answers_are_told_apart(tmp_path: Path) -> None:
    path = make_store(
        tmp_path / "book.db", Fact(START, LEAST, MOST), Fact(START.play(12), 3, 24), Fact(START.play(0), -5, 9)
    )
    with open_store(path, write=True, game=COURSE) as store:
        link_moves(store)
    with closing(sqlite3.connect(path)) as db:
        winners = dict(db.execute("SELECT move, winner FROM moves_view WHERE ply = 0"))
    assert (winners["2,2"], winners["0,0"], winners["1,1"]) == ("Black", "undecided", "not in the store")
    assert winners[move_name(PASS)] == "White"
    assert Counter(winners.values())["undecided"] == 4


def test_a_search_and_a_file_are_named_as_sources(tmp_path: Path) -> None:
    path = tmp_path / "book.db"
    with open_store(path, write=True, game=COURSE) as store:
        store.record([Fact(START, 3, 3)], store.start_run({"plies": 24}))
        store.record([Fact(START.play(12), 3, 3)], store.start_run({"import": "atlas.csv.gz"}))
    with closing(sqlite3.connect(path)) as db:
        sources = [source for (source,) in db.execute("SELECT source FROM positions_view ORDER BY ply")]
    assert sources == ["search of run 1", "atlas.csv.gz"]


# The descriptions


def test_every_table_view_and_column_is_described(tmp_path: Path) -> None:
    path = make_store(tmp_path / "book.db")
    with closing(sqlite3.connect(path)) as db:
        names = [
            name
            for (name,) in db.execute("SELECT name FROM sqlite_schema WHERE type IN ('table', 'view')")
            if not name.startswith(("sqlite_", "_sqlite_"))
        ]
        columns = {name: [row[1] for row in db.execute(f"PRAGMA table_xinfo({name})")] for name in names}
    assert {name: list(table.columns) for name, table in TABLES.items()} == columns
    assert all(text for table in TABLES.values() for text in (table.text, *table.columns.values()))


def test_the_schema_is_printed() -> None:
    result = CliRunner().invoke(main, ["schema"])
    assert result.exit_code == 0
    assert result.output == schema_text() + "\n"
    one = CliRunner().invoke(main, ["schema", "traps"])
    assert one.output.startswith("traps: Moves in lost positions")
    assert "only_moves" not in one.output
    wrong = CliRunner().invoke(main, ["schema", "nothing"])
    assert wrong.exit_code == 2
    assert wrong.stderr.startswith("Error: no table or view is named 'nothing': give one of positions, ")


# The command


def test_moves_are_noted_by_the_command_and_again_for_what_is_new(tmp_path: Path) -> None:
    path = make_store(tmp_path / "book.db", Fact(START, 3, 3))
    run = CliRunner().invoke(main, ["moves", "--db", str(path)])
    assert run.output == f"{path}: stored the legal moves of 1 more positions\n"
    with open_store(path, write=True, game=COURSE) as store:
        store.record([Fact(START.play(12), 3, 3), Fact(START.play(0), 2, 2)])
    again = CliRunner().invoke(main, ["moves", "--db", str(path)])
    assert again.output == f"{path}: stored the legal moves of 2 more positions\n"


def test_moves_makes_no_store(tmp_path: Path) -> None:
    result = CliRunner().invoke(main, ["moves", "--db", str(tmp_path / "none.db")])
    assert result.exit_code == 2
    db = tmp_path / "none.db"
    assert result.stderr == f"Error: {missing_store(db)}\n"
    assert list(tmp_path.iterdir()) == []


#: Conditions, the first of which is expensive to test, and the views that have both columns.
PAIRS = [
    ("positions_view", "board", "ply"),
    ("positions_view", "board", "worth"),
    ("positions_view", "explorer", "mover"),
    ("moves_view", "board", "ply"),
    ("moves_view", "board", "mover"),
    ("moves_view", "board", "move"),
    ("moves_view", "after_board", "ply"),
    ("moves_view", "explorer", "ply"),
    ("only_moves", "board", "ply"),
    ("hardest", "board", "ply"),
    ("traps", "board", "ply"),
    ("largest_swings", "board", "ply"),
]


@pytest.mark.parametrize(("view", "expensive", "cheap"), PAIRS)
def test_a_view_is_as_fast_in_either_order_of_conditions(
    shipped_store: Path, view: str, expensive: str, cheap: str
) -> None:
    steps = 0

    def count() -> None:
        nonlocal steps
        steps += 1

    with closing(sqlite3.connect(shipped_store)) as db:
        row = db.execute(f"SELECT {expensive}, {cheap} FROM {view} WHERE ply = 2 LIMIT 1").fetchone()
        taken = []
        db.set_progress_handler(count, 1_000)
        for first, second in ((expensive, cheap), (cheap, expensive)):
            values = row if first == expensive else row[::-1]
            steps = 0
            db.execute(f"SELECT count(*) FROM {view} WHERE {first} = ? AND {second} = ?", values).fetchone()
            taken.append(steps)
    assert max(taken) <= 2 * min(taken)
    # A test of every position takes about 30,000 steps. A test of every move of moves_view took 500,000.
    assert max(taken) < 60_000
