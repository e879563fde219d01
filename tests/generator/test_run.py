"""The generator as a process: signals, and a store that survives them."""

import json
import os
import re
import shlex
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest

from little_go.book.answers.query import smallest_best_move
from little_go.book.store.facts import Choice, Fact, StoreError
from little_go.book.store.store import open_store
from little_go.crew.workers import START_VARIABLE
from little_go.generator.__main__ import main
from little_go.solver.exact import ExactSolver
from little_go.solver.family import COURSE
from little_go.solver.position import START, Position, parse_move
from tests.background import run_inside
from tools.loopback import children, wait_until

#: The game for `solve`, which takes a minute; `run` would end within seconds.
LONG_GAME = ["--plies", "24"]
SHORT_GAME = ["--plies", "14"]
#: A closure that takes a few seconds. Its workers are processes, and the workers of the other commands are threads.
CLOSURE = ["--plies", "20", "--colour", "white", "--left", "19"]


def command(db: Path, *options: str, name: str = "run") -> list[str]:
    memory = ["--table", "16MiB", "--workers", "2"]
    return [sys.executable, "-m", "little_go.generator", name, "--db", str(db), *memory, *options]


def run(db: Path, *options: str, name: str = "run") -> "subprocess.CompletedProcess[str]":
    return run_inside(main, *command(db, *options, name=name)[3:])


def run_outside(db: Path, *options: str, name: str = "run") -> "subprocess.CompletedProcess[str]":
    """Run a command in a separate process, because it starts processes itself."""
    return subprocess.run(command(db, *options, name=name), capture_output=True, text=True, timeout=100)


@contextmanager
def started(db: Path, *options: str, name: str = "run") -> "Iterator[subprocess.Popen[str]]":
    process = subprocess.Popen(
        command(db, *options, name=name), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    try:
        yield process
    finally:
        process.kill()
        process.communicate(timeout=60)


def status(db: Path) -> dict[str, Any]:
    record: dict[str, Any] = json.loads(run_inside(main, "status", "--db", str(db), "--json").stdout)
    return record


def facts(db: Path) -> dict[Position, tuple[int, int]]:
    try:
        with open_store(db, game=COURSE) as store:
            return {entry.position: (entry.lo, entry.hi) for entry in store}
    except StoreError:
        return {}  # the store does not exist yet, or is being created


def test_solves_the_short_games_and_says_so(tmp_path: Path) -> None:
    db = tmp_path / "book.db"
    done = run(db, *SHORT_GAME)
    assert done.returncode == 0, done.stderr
    assert "14 plies              White wins" in done.stderr
    assert "14 plies, 2,2 first   White wins" in done.stderr
    assert "complete" in done.stdout
    record = status(db)
    assert [(game["plies"], game["winner"]) for game in record["games"]] == [
        (plies, "White") for plies in (8, 10, 12, 14)
    ]
    (only,) = record["runs"]
    assert only["outcome"] == "complete"
    assert only["nodes"] > 1000
    assert only["peak_mib"] > 16


def test_solve_finds_the_exact_values_of_the_game_and_its_first_moves(tmp_path: Path) -> None:
    db = tmp_path / "book.db"
    done = run(db, "--plies", "8", name="solve")
    assert done.returncode == 0, done.stderr
    assert [(game["plies"], game["value"]) for game in status(db)["games"]] == [(8, 0)]
    start, solver = Position(ply=16), ExactSolver()
    moves = {name: start.play(parse_move(name)) for name in ("0,0", "0,1", "0,2", "1,1", "1,2", "2,2", "PASS")}
    *lines, last = done.stderr.splitlines()[1:]
    found = {line.split()[2]: int(line.split("wins, ")[1].split()[0]) for line in lines}
    assert found == {name: solver.value(child).value for name, child in moves.items()}
    with open_store(db, game=COURSE) as store:
        assert {name: store.find(child).answer.value for name, child in moves.items()} == found
        position = start
        while not position.is_over:
            move = smallest_best_move(position, 0, lambda child: store.find(child).answer)
            assert move == min(move for move in position.legal_moves() if solver.value(position.play(move)).value == 0)
            position = position.play(move)
    assert position.margin == 0
    assert last.startswith("principal variation   White wins, +0")


def test_a_solved_game_is_not_searched_again(tmp_path: Path) -> None:
    db = tmp_path / "book.db"
    run(db, *SHORT_GAME)
    before = facts(db)
    again = run(db, *SHORT_GAME)
    assert again.returncode == 0
    assert " 0.0 M nodes" in again.stderr.splitlines()[-1]
    assert facts(db) == before


@pytest.mark.parametrize(("workers", "seed"), [("1", "0"), ("3", "0"), ("2", "7")])
def test_the_verdict_does_not_depend_on_workers_and_seed(tmp_path: Path, workers: str, seed: str) -> None:
    db = tmp_path / "book.db"
    assert run(db, *SHORT_GAME, "--workers", workers, "--seed", seed).returncode == 0
    assert {game["winner"] for game in status(db)["games"]} == {"White"}


@pytest.mark.system
def test_all_workers_log_to_one_file(tmp_path: Path) -> None:
    db = tmp_path / "book.db"
    run(db, *SHORT_GAME, "--log", str(tmp_path / "all.log"))
    text = (tmp_path / "all.log").read_text()
    assert "MainProcess MainThread INFO little_go.generator: run 1 ends: complete" in text
    assert " DEBUG little_go.generator.workers.worker: ply 10, at least +3?" in text
    assert {line.split()[3] for line in text.splitlines()} == {"MainThread", "worker_0", "worker_1"}
    closure = ("--plies", "14", "--colour", "white", "--left", "11")
    assert run_outside(db, *closure, "--log", str(tmp_path / "all.log"), name="closure").returncode == 0
    text = (tmp_path / "all.log").read_text()
    assert len({line.split()[2] for line in text.splitlines()}) == 3


@pytest.mark.system
def test_a_spent_budget_ends_the_run_in_good_order(tmp_path: Path) -> None:
    db = tmp_path / "book.db"
    options = [*LONG_GAME, "--budget", "1s", "--keep-nodes", "5000"]
    done = run(db, *options, name="solve")
    assert done.returncode == 0, done.stderr
    assert "budget spent" in done.stdout
    again = shlex.join(["little-go", *command(db, *options, name="solve")[3:]])
    assert done.stdout.endswith(f"Not finished; to resume: {again}\n")
    assert status(db)["runs"][-1]["outcome"] == "budget spent"


@pytest.mark.usefixtures("hangup_ends")
@pytest.mark.parametrize("number", [signal.SIGINT, pytest.param(signal.SIGHUP, marks=pytest.mark.system)])
def test_ctrl_c_or_a_closed_terminal_keeps_what_is_proven_and_exits_130(tmp_path: Path, number: int) -> None:
    db = tmp_path / "book.db"
    with started(db, *LONG_GAME, "--keep-nodes", "5000", name="solve") as process:
        wait_until(lambda: len(facts(db)) > 20)
        os.kill(process.pid, number)
        _, errors = process.communicate(timeout=60)
    assert process.returncode == 130
    assert "Traceback" not in errors
    assert status(db)["runs"][-1]["outcome"] == "interrupted"


@pytest.mark.system
@pytest.mark.parametrize(
    ("name", "options", "processes"), [("solve", LONG_GAME, 0), ("closure", [*CLOSURE, "--left", "14"], 2)]
)
def test_kill_9_loses_nothing_that_was_stored_and_leaves_no_worker(
    tmp_path: Path, name: str, options: list[str], processes: int
) -> None:
    db = tmp_path / "book.db"
    known = 20
    if name == "closure":
        assert run(db, *CLOSURE[:2]).returncode == 0
        known += len(facts(db))
    with started(db, *options, "--keep-nodes", "5000", name=name) as process:
        wait_until(lambda: len(facts(db)) > known)
        workers = workers_of(process)
        assert len(workers) == processes
        before = facts(db)
    wait_until(lambda: not any(Path(f"/proc/{worker}").exists() for worker in workers))
    after = facts(db)
    assert all(after[position][0] >= lo and after[position][1] <= hi for position, (lo, hi) in before.items())
    assert status(db)["runs"][-1]["outcome"] is None
    assert run(db, *SHORT_GAME).returncode == 0
    assert status(db)["runs"][-1]["outcome"] == "complete"


def workers_of(process: "subprocess.Popen[str]") -> list[int]:
    """Return the child processes, except the one that cleans up after spawned processes."""
    return [
        each for each in children(process.pid) if b"resource_tracker" not in Path(f"/proc/{each}/cmdline").read_bytes()
    ]


def test_a_second_ctrl_c_stops_at_once(tmp_path: Path) -> None:
    db, log = tmp_path / "book.db", tmp_path / "log"
    with started(db, "--depth", "1", "--log", str(log), name="atlas") as process:
        wait_until(lambda: log.exists() and "run 1 starts" in log.read_text())
        time.sleep(0.1)
        os.kill(process.pid, signal.SIGINT)
        # Two signals at the same time count as one, so the first must have been handled before the second is sent.
        assert process.stderr is not None
        assert any("a second signal stops at once" in line for line in process.stderr)
        os.kill(process.pid, signal.SIGINT)
        _, errors = process.communicate(timeout=60)
    # Each of these jobs searches four million nodes if it is not stopped.
    assert not re.search(" 40000.. nodes, ", log.read_text())
    assert process.returncode == 130
    assert "Traceback" not in errors
    assert status(db)["runs"][-1]["outcome"] == "interrupted"


@pytest.mark.system
def test_a_table_file_survives_kill_9(tmp_path: Path) -> None:
    table = ["--table-file", str(tmp_path / "table.bin")]
    with started(tmp_path / "one.db", *LONG_GAME, *table, "--keep-nodes", "5000", name="solve") as process:
        wait_until(lambda: len(facts(tmp_path / "one.db")) > 20)
    process.wait(timeout=60)
    # The store to which the table belongs, without the facts of the killed run.
    with closing(sqlite3.connect(tmp_path / "one.db")) as db, db:
        db.execute("DELETE FROM positions")
    nodes = {}
    for name, options in (("cold", []), ("one", table)):
        assert run(tmp_path / f"{name}.db", *SHORT_GAME, *options).returncode == 0
        nodes[name] = status(tmp_path / f"{name}.db")["runs"][-1]["nodes"]
    assert nodes["one"] < nodes["cold"] / 3


@pytest.mark.parametrize("method", ["fork", pytest.param("spawn", marks=pytest.mark.system)])
def test_a_killed_worker_costs_a_retry_and_nothing_else(
    tmp_path: Path, method: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(START_VARIABLE, method)
    db = tmp_path / "book.db"
    assert run(db, *CLOSURE[:2]).returncode == 0
    with started(db, *CLOSURE, "--keep-nodes", "5000", name="closure") as process:
        wait_until(lambda: len(workers_of(process)) == 2)
        os.kill(workers_of(process)[0], signal.SIGKILL)
        _, errors = process.communicate(timeout=100)
    assert process.returncode == 0, errors
    assert "white, ply  5:        7 positions, 7 won" in errors
    log = (tmp_path / "book.log").read_text()
    # The workers that replace it write the log too.
    assert f" {method.title()}Process-" in log[log.index("a worker died") :]


@pytest.mark.system
def test_a_second_writer_is_told_so_in_one_line(tmp_path: Path) -> None:
    db = tmp_path / "book.db"
    with started(db, *LONG_GAME, name="solve"):
        wait_until(lambda: bool(facts(db)))
        second = run(db, *SHORT_GAME)
    assert second.returncode == 2
    assert second.stderr.strip() == f"Error: {db}: being written by another process: wait until it has ended"


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        (["--plies", "13"], "give an even number"),
        (["--table", "48MiB"], "a power of two"),
        (["--budget", "soon"], "give a time such as 5, 60s, 5m or 2h"),
        (["--db", "no/such/folder/book.db"], "no/such/folder"),
    ],
)
def test_bad_options_get_one_clear_line(tmp_path: Path, options: list[str], complaint: str) -> None:
    done = run(tmp_path / "book.db", *options)
    assert done.returncode != 0
    assert complaint in done.stderr.splitlines()[-1]
    assert "Traceback" not in done.stderr


def test_a_closure_asks_for_the_run_before_it(tmp_path: Path) -> None:
    db = tmp_path / "book.db"
    for _ in range(2):
        done = run(db, *SHORT_GAME, name="closure")
        assert (done.returncode, done.stdout) == (2, "")
        assert done.stderr == (
            f"Error: {db}: does not prove who wins the game of 14 plies: first run"
            f" little-go generator run --plies 14 --db {db}\n"
        )
        assert run(db, "--plies", "12").returncode == 0


def test_status_tells_what_is_missing_and_what_comes_next(tmp_path: Path) -> None:
    db = tmp_path / "book.db"
    assert run(db, "--plies", "8").returncode == 0
    assert status(db)["next"] == [f"little-go solve --db {db}"]
    with open_store(db, write=True, game=COURSE) as store:
        store.record([Fact(START, 3, 24, 12)])
    after = [
        f"little-go {command} --db {db}" for command in ("solve", "generator closure", "generator atlas --depth 4")
    ]
    assert status(db)["next"] == after
    with open_store(db, write=True, game=COURSE) as store:
        store.record(
            [Fact(START, 3, 3), Fact(START.play(0), -9, -9), Fact(START.play(1), -24, 2), Fact(Position(ply=1), 0, 0)]
        )
        store.choose([Choice(START, 12)])
    record = status(db)
    assert record["next"] == [f"little-go book compress --db {db}", after[2]]
    assert record["atlas"][:2] == [
        {"ply": 0, "positions": 1, "exact": 1, "decided": 0},
        {"ply": 1, "positions": 6, "exact": 1, "decided": 1},
    ]
    assert record["atlas"][6] == {"ply": 6, "positions": 676_896, "exact": 0, "decided": 0}
    text = run_inside(main, "status", "--db", str(db))
    assert "  ply  1          6          1          1          4" in text.stdout.splitlines()
    assert text.stdout.endswith(f"Next\n  little-go book compress --db {db}\n  {after[2]}\n")


def test_a_foreign_database_is_left_alone(tmp_path: Path) -> None:
    db = tmp_path / "book.db"
    db.write_text("not a database at all, but a note of some length to look at\n" * 20)
    done = run(db, *SHORT_GAME)
    assert done.returncode == 2
    assert len(done.stderr.strip().splitlines()) == 1
    assert db.read_text().startswith("not a database")


@pytest.mark.system
def test_a_table_file_starts_the_next_run_warm(tmp_path: Path) -> None:
    table = tmp_path / "table.bin"
    run(tmp_path / "one.db", *SHORT_GAME, "--table-file", str(table))
    with closing(sqlite3.connect(tmp_path / "one.db")) as db, db:
        db.execute("DELETE FROM positions")
    warm = run(tmp_path / "one.db", *SHORT_GAME, "--table-file", str(table))
    assert warm.returncode == 0
    assert status(tmp_path / "one.db")["games"][-1]["winner"] == "White"
    cold, warm_run = status(tmp_path / "one.db")["runs"]
    assert warm_run["nodes"] < cold["nodes"] / 3
    assert (warm_run["believed"]["rows"], len(warm_run["believed"]["table"]["seal"])) == (0, 64)
    other = run(tmp_path / "one.db", *SHORT_GAME, "--table-file", str(table), "--table", "32MiB")
    assert other.returncode == 2
    assert "not a table of 0.03125 GiB" in other.stderr


@pytest.mark.system
def test_a_forged_table_file_proves_nothing(tmp_path: Path) -> None:
    """If the file is another store's, has a changed byte, an older layout or no layout, no run starts, and the file
    stays unchanged.
    """
    table = tmp_path / "table.bin"
    run(tmp_path / "one.db", "--plies", "8", "--table-file", str(table))
    forged = bytearray(table.read_bytes())
    forged[-100:] = b"\xff" * 100
    for content in (table.read_bytes(), forged, bytes(16 << 20), (tmp_path / "one.db").read_bytes()):
        table.write_bytes(content)
        done = run(tmp_path / "two.db", *SHORT_GAME, "--table-file", str(table))
        assert done.returncode == 2
        assert re.fullmatch(r"Error: .*table.bin.*\n", done.stderr), done.stderr
        assert table.read_bytes() == content
    with open_store(tmp_path / "two.db", game=COURSE) as store:
        assert not len(store)


def test_a_run_notes_the_rows_that_it_believes(tmp_path: Path) -> None:
    db = tmp_path / "book.db"
    run(db, "--plies", "8")
    with open_store(db, game=COURSE) as store:
        rows = len(store)
    run(db, *SHORT_GAME)
    first, second = status(db)["runs"]
    assert first["believed"] == {"rows": 0, "by_run": {}, "sha256": None, "table": None}
    assert second["believed"]["by_run"] == {"1": rows}
    assert second["believed"]["rows"] == rows > 0
    assert len(second["believed"]["sha256"]) == 64
