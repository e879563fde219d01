"""The atlas: its values of small games agree with plain minimax."""

import json
import os
import signal
import sqlite3
import subprocess
import sys
import time
from bisect import bisect_right
from contextlib import closing
from functools import cache
from itertools import accumulate
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from little_go.book.__main__ import main as book_main
from little_go.book.files.atlas import Row, read_atlas
from little_go.book.store.facts import Fact
from little_go.book.store.store import open_store
from little_go.generator.__main__ import main
from little_go.generator.questions.atlas_run import ProgressEstimate, TableUsage
from little_go.generator.questions.first_plies import Tree
from little_go.solver.answer import BLACK_WINS
from little_go.solver.exact import ExactSolver
from little_go.solver.family import COURSE
from little_go.solver.position import GAME_PLIES, PASS, Position
from little_go.solver.symmetry import canonical_key, position_of
from tests.background import run_inside

GAME = 10


def command(db: Path, *options: str) -> list[str]:
    memory = ["--table", "16MiB", "--workers", "2"]
    return [sys.executable, "-m", "little_go.generator", "atlas", "--db", str(db), *memory, *options]


def atlas(db: Path, *options: str) -> "subprocess.CompletedProcess[str]":
    return run_inside(main, *command(db, *options)[3:])


def small(plies: int, game: int = GAME) -> list[str]:
    return ["--plies", str(game), "--depth", str(plies)]


def tree(plies: int, game: int = GAME) -> Tree:
    return Tree(Position(ply=GAME_PLIES - game), plies, lambda *_: None)


def value(position: Position) -> int:
    return value_of(canonical_key(position))


#: All tests share the values, because the positions of a small game lead to the same positions.
SOLVER = ExactSolver()


@cache
def value_of(key: int) -> int:
    found = SOLVER.value(position_of(key)).value
    assert found is not None
    return found


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with ``book.db`` and ``atlas.csv.gz`` of the first two plies of a short game."""
    folder = tmp_path_factory.mktemp("atlas")
    done = atlas(folder / "book.db", *small(2), "--out", str(folder / "atlas.csv.gz"))
    assert done.returncode == 0, done.stderr
    assert "ply 16:       97 positions, 97 exact; 0 won by Black, 97 by White" in done.stderr.splitlines()
    return folder


def rows(folder: Path) -> dict[Position, Row]:
    return {row.position: row for row in read_atlas(folder / "atlas.csv.gz")}


def test_the_first_levels_have_as_many_positions_as_the_game() -> None:
    assert [len(level) for level in tree(3, 24).levels] == [1, 6, 91, 1037]


def test_every_position_has_its_exact_value(found: Path) -> None:
    table = rows(found)
    assert sorted(map(canonical_key, table)) == sorted(key for level in tree(2).levels for key in level)
    assert all(row.lo == row.hi == value(position) for position, row in table.items())


@pytest.mark.parametrize("step", [16, pytest.param(1, marks=pytest.mark.long)])
def test_the_best_moves_are_all_of_them_where_positions_follow_in_the_atlas(found: Path, step: int) -> None:
    """step: one in this many positions of the last ply is checked, and all positions before it."""
    table = rows(found)
    last = [position for position in table if position.left == GAME - 2]
    for position in [*(table.keys() - set(last)), *last[::step]]:
        row = table[position]
        worth = {move: child.margin if child.is_over else value(child) for move, child in played(position)}
        best = {move for move, after in worth.items() if after == row.lo}
        assert row.moves_known == (position.left > GAME - 2)
        assert set(row.best) == best if row.moves_known else set(row.best) <= best
        assert row.best


def played(position: Position) -> list[tuple[int, Position]]:
    return [(move, position.play(move)) for move in position.legal_moves()]


@pytest.mark.system
def test_the_store_knows_every_move_above_the_last_ply(found: Path) -> None:
    with open_store(found / "book.db", game=COURSE) as store:
        for key in tree(2).inner():
            position = position_of(key)
            known = {move: answer.value for move, answer in store.moves_of(position).items()}
            assert known == {move: after.margin if after.is_over else value(after) for move, after in played(position)}


def test_a_later_run_finds_the_best_move_of_a_value_that_is_known_without_one(tmp_path: Path) -> None:
    with open_store(tmp_path / "book.db", write=True, game=COURSE) as store:
        store.record([Fact(position_of(key), value_of(key), value_of(key)) for key in tree(1).last])
    done = atlas(tmp_path / "book.db", *small(1), "--out", str(tmp_path / "atlas.csv.gz"))
    assert done.returncode == 0, done.stderr
    for position, row in rows(tmp_path).items():
        assert row.lo == row.hi == value(position)
        assert row.best
        after = [position.play(move) for move in row.best]
        assert {child.margin if child.is_over else value(child) for child in after} == {row.lo}


def test_a_verdict_is_enough_where_it_is_asked_for(tmp_path: Path) -> None:
    done = atlas(tmp_path / "book.db", *small(2, 8), "--verdict", "--out", str(tmp_path / "atlas.csv.gz"))
    assert done.returncode == 0, done.stderr
    table = rows(tmp_path)
    assert len(table) == sum(map(len, tree(2, 8).levels))
    assert all((row.lo >= BLACK_WINS) == (value(position) >= BLACK_WINS) for position, row in table.items())
    assert all(row.lo >= BLACK_WINS or row.hi < BLACK_WINS for row in table.values())
    assert any(row.lo != row.hi for row in table.values())


@pytest.mark.system
def test_a_run_after_kill_9_ends_with_the_same_values(found: Path, tmp_path: Path) -> None:
    db = tmp_path / "book.db"
    killed = subprocess.Popen(command(db, *small(2)), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    deadline = time.monotonic() + 60
    while exact_count(db) < 20 and killed.poll() is None:
        assert time.monotonic() < deadline
        time.sleep(0.01)
    killed.kill()
    killed.communicate()
    assert atlas(db, *small(2), "--out", str(tmp_path / "atlas.csv.gz")).returncode == 0
    assert {p: (row.lo, row.hi) for p, row in rows(tmp_path).items()} == {
        p: (row.lo, row.hi) for p, row in rows(found).items()
    }


def test_what_the_ply_before_decides_is_stored_without_a_search(tmp_path: Path) -> None:
    """In a game that White wins, all positions after a position that White wins need no search if Black has moved."""
    db = tmp_path / "book.db"
    for plies in (1, 2):
        assert atlas(db, *small(plies), "--verdict").returncode == 0
    levels = tree(2).levels
    with open_store(db, game=COURSE) as store:
        answers = {key: store.answer(position_of(key)) for level in levels for key in level}
    assert all(answer is not None and answer.hi < BLACK_WINS for answer in answers.values())
    with closing(sqlite3.connect(db)) as connection:
        counts = dict(connection.execute("SELECT origin, count(*) FROM positions GROUP BY origin"))
    assert counts["ply before"] > 0
    assert sum(counts.values()) == sum(map(len, levels))


def exact_count(db: Path) -> int:
    if not db.exists():
        return 0
    try:
        with open_store(db, game=COURSE) as store:
            return store.count_by_status()["exact"]
    except Exception:  # the file is being created
        return 0


def test_what_is_done_is_not_searched_again_and_leads_further(found: Path, tmp_path: Path) -> None:
    db = tmp_path / "book.db"
    assert atlas(db, *small(1)).returncode == 0
    again = atlas(db, *small(1), "--jsonl", "-")
    assert [json.loads(line)["event"] for line in again.stdout.splitlines()] == []
    assert atlas(db, *small(2)).returncode == 0
    with open_store(db, game=COURSE) as store:
        assert all(store.find(position).lo == row.lo for position, row in rows(found).items())


def test_the_log_has_a_line_for_each_position(tmp_path: Path) -> None:
    done = atlas(tmp_path / "book.db", *small(1), "--jsonl", "-")
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    positions = [line for line in lines if line["event"] == "position"]
    assert sorted(canonical_key(position_in(line)) for line in positions) == tree(1).last
    assert all(line["value"] == value(position_in(line)) for line in positions)
    assert all({"best_move", "nodes", "seconds"} <= line.keys() for line in positions)
    assert [line["open"] for line in lines if line["event"] == "tick"]


@pytest.mark.system
def test_the_nodes_of_a_position_count_once(tmp_path: Path) -> None:
    """This is so even if the search of the position itself was expensive, as all searches are here."""
    db = tmp_path / "book.db"
    assert atlas(db, *small(2), "--keep-nodes", "1").returncode == 0
    with closing(sqlite3.connect(db)) as rows:
        ((searched,),) = rows.execute("SELECT nodes FROM runs")
        ((counted,),) = rows.execute("SELECT sum(nodes) FROM positions WHERE ply = 16")
    assert counted == searched > 0


def position_in(line: dict[str, Any]) -> Position:
    return Position(line["black"], line["white"], line["ko"], line["ply"], line["passed"])


@pytest.mark.parametrize("played", [0, 2])
def test_a_contradiction_with_the_store_is_noticed(tmp_path: Path, played: int) -> None:
    db = tmp_path / "book.db"
    position = position_of(tree(2, 8).levels[played][0])
    with open_store(db, write=True, game=COURSE) as store:
        store.record([Fact(position, 20, 24)])
    done = atlas(db, *small(2, 8))
    assert done.returncode == 1
    assert "cannot both be true" in done.stderr or "but by the moves" in done.stderr
    assert len([line for line in done.stderr.splitlines() if line.startswith("Error")]) == 1
    assert "Traceback" not in done.stderr


@pytest.mark.system
def test_ctrl_c_writes_what_is_known(tmp_path: Path) -> None:
    db, out = tmp_path / "book.db", tmp_path / "atlas.csv.gz"
    process = subprocess.Popen(command(db, "--depth", "3", "--plies", "18", "--out", str(out)), stderr=subprocess.PIPE)
    deadline = time.monotonic() + 60
    while exact_count(db) < 3:
        assert time.monotonic() < deadline
        time.sleep(0.02)
    os.kill(process.pid, signal.SIGINT)
    process.communicate(timeout=60)
    assert process.returncode == 130
    assert 0 < len(list(read_atlas(out))) < sum(map(len, tree(3, 18).levels))


def test_the_last_ply_may_have_a_file_of_its_own(found: Path, tmp_path: Path) -> None:
    files = [tmp_path / "first.csv.gz", tmp_path / "last.csv.gz"]
    done = atlas(found / "book.db", *small(2), "--out", str(files[0]), "--out-last", str(files[1]))
    assert done.returncode == 0, done.stderr
    first, last = (list(read_atlas(file)) for file in files)
    assert {row.position.ply - (GAME_PLIES - GAME) for row in first} == {0, 1}
    assert {row.position.ply - (GAME_PLIES - GAME) for row in last} == {2}
    together = list(read_atlas(found / "atlas.csv.gz"))
    assert last == together[len(first) :]
    # The first file contains the values that follow from the last ply.
    assert first == together[: len(first)]
    assert all(row.moves_known for row in first)
    imported = run_inside(book_main, "import", str(files[0]), "--db", str(tmp_path / "first.db"))
    assert imported.returncode == 0, imported.stderr
    files[1].write_bytes((found / "atlas.csv.gz").read_bytes())
    less = atlas(tmp_path / "book.db", *small(2), "--out-last", str(files[1]))
    assert f"has wider bounds: give another --out, or first run little-go import {files[1]}" in less.stderr


def test_a_file_of_the_last_ply_leaves_out_bounds_that_follow_from_the_plies_before(tmp_path: Path) -> None:
    db, files = tmp_path / "book.db", [tmp_path / "all.csv.gz", tmp_path / "last.csv.gz"]
    assert atlas(db, *small(1, 16)).returncode == 0
    for option, file in zip(("--out", "--out-last"), files, strict=True):
        stopped = atlas(db, *small(2, 16), "--budget", "0s", option, str(file))
        assert "budget spent" in stopped.stdout
    together, last = ([row for row in read_atlas(file) if row.position.ply == 10] for file in files)
    assert last
    assert last == [row for row in together if row.lo == row.hi or row.nodes]
    assert len(last) < len(together)


def test_a_file_that_has_more_is_not_written_over(found: Path, tmp_path: Path) -> None:
    out = tmp_path / "atlas.csv.gz"
    out.write_bytes((found / "atlas.csv.gz").read_bytes())
    command = ["--out", str(out)]
    less = atlas(tmp_path / "book.db", *small(2), *command)
    assert less.returncode == 2
    assert (
        f"has wider bounds: give another --out, or first run little-go import {out} --db {tmp_path / 'book.db'}"
        in less.stderr
    )
    shorter = atlas(found / "book.db", *small(1), *command)
    assert "give a larger --depth, or another --out" in shorter.stderr
    assert out.read_bytes() == (found / "atlas.csv.gz").read_bytes()
    assert atlas(found / "book.db", *small(2), *command).returncode == 0
    assert out.read_bytes() == (found / "atlas.csv.gz").read_bytes()


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        (["--plies", "13"], "give an even number"),
        (["--plies", "4", "--depth", "4"], "give a smaller --depth"),
        (["--table", "nan"], "give a size"),
        (["--table", "0.25"], "give a size"),
        (["--table", "8MiB"], "16MiB or more"),
        (["--table", "48MiB"], "power of two"),
        (["--table", "65536GiB"], "GiB of memory are free"),
        (["--seed", "99999999999999999999999"], "not in the range"),
        (["--jsonl", "no/such/folder/log"], "no/such/folder"),
        (["--table-file", "no/such/folder/table"], "no/such/folder"),
        (["--depth", "1", "--out", "no/such/folder/atlas.csv.gz"], "no/such/folder"),
    ],
)
def test_bad_options_get_one_clear_line(tmp_path: Path, options: list[str], complaint: str) -> None:
    done = atlas(tmp_path / "book.db", *options)
    assert done.returncode != 0
    assert complaint in done.stderr.splitlines()[-1]
    assert "Traceback" not in done.stderr


def test_the_rest_is_not_guessed_from_two_positions() -> None:
    assert ProgressEstimate([1.0, 2.0]).left(10, 1, 0.0) is None
    assert ProgressEstimate([3.0, 3.0, 3.0]).left(10, 2, 0.0) == (15.0, 0.0)


#: The tenths of a second that the positions of ply 2 took in the games of 18 and 20 plies.
RECORDED = {
    18: (
        "62 59 4 1 0 7 1 0 0 3 3 1 3 4 5 4 8 4 5 1 0 4 1 2 0 0 0 1 3 1 0 2 1 1 1 1 4 1 3 6 3 0 1 1 0 0 0 1 0 "
        "0 0 0 0 2 1 0 2 0 1 1 0 0 0 0 0 0 0 0 0 3 2 2 0 0 1 0 0 0 0 0 0 0 0 3 0 14 0 0 0 0 0 1 2 0 4 0 0 "
    ),
    20: (
        "66 68 17 4 0 6 14 0 0 39 2 11 10 17 35 25 9 12 17 2 0 31 2 9 0 0 0 12 5 2 0 1 6 5 3 4 2 18 10 20 27 "
        "3 1 0 4 0 0 2 0 0 7 1 3 10 13 8 21 15 90 0 0 0 0 0 4 0 0 8 75 33 68 20 34 0 4 0 0 0 0 10 0 0 0 17 0 "
        "0 0 0 0 17 0 3 6 2 0 0 13 "
    ),
}


@pytest.mark.parametrize("plies", RECORDED)
def test_the_rest_is_within_its_error_nine_times_out_of_ten(plies: int) -> None:
    seconds = [int(word) / 10 for word in RECORDED[plies].split()]
    ends = list(accumulate(seconds))
    hits = []
    for instant in (ends[-1] * share / 200 for share in range(1, 200)):
        done = bisect_right(ends, instant)
        left = ProgressEstimate(seconds[:done]).left(
            len(seconds) - done, 1, instant - (ends[done - 1] if done else 0.0)
        )
        if left is not None:
            hits.append(abs(left[0] - (ends[-1] - instant)) <= left[1])
    assert len(hits) > 80
    assert sum(hits) / len(hits) >= 0.9


def test_a_pass_on_the_first_ply_ends_the_game() -> None:
    first, *_ = tree(1, 24).levels[0]
    edges = {edge.move: edge for edge in tree(1, 24).moves[first]}
    assert (edges[PASS].child, edges[PASS].margin) == (None, 0)


def test_the_used_entries_of_a_table_are_counted_again_after_an_interval(monkeypatch: pytest.MonkeyPatch) -> None:
    table = bytearray(64)  # One line with eight entries.
    shared: Any = SimpleNamespace(table=table)
    usage = TableUsage(shared, lines=3, interval=5.0)
    found = []
    for now, entries in ((100.0, 2), (104.75, 8), (105.0, 4), (109.75, 0), (110.0, 0)):
        table[:] = b"".join((number < entries).to_bytes(8, "little") for number in range(8))
        monkeypatch.setattr(time, "monotonic", lambda now=now: now)
        found.append(usage.share())
    assert found == [0.25, 0.25, 0.5, 0.5, 0.0]
