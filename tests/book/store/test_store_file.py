"""The store as a file: one writer, killed writers, and files that are not ours."""

import contextlib
import os
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from book.store.facts import Fact, StoreError
from book.store.migrations import migrations
from book.store.store import open_store
from solver.position import START, Position
from tests.book.positions import make_store

ROOT = Path(__file__).parents[3]

HOLD = """
import sys
from book.store.store import open_store
with open_store(sys.argv[1], write=True):
    print("open", flush=True)
    sys.stdin.read()
"""

#: Writes batches of ten facts about made-up positions, one node each, and says so after each commit.
WRITE_FOREVER = """
import itertools, sys
from book.store.facts import Fact
from book.store.store import open_store
from solver.position import Position
with open_store(sys.argv[1], write=True) as store:
    boards = (Position(black=b, white=1 << 24, ply=20) for b in itertools.count(1))
    for batch in itertools.count(1):
        store.record(Fact(next(boards), 0, 0, nodes=1) for _ in range(10))
        print(batch, flush=True)
"""


@contextlib.contextmanager
def running(program: str, path: Path) -> Iterator["subprocess.Popen[str]"]:
    """Run a program on a store in another process, from its first line of output until the block ends."""
    command = [sys.executable, "-c", program, str(path)]
    with subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            assert process.stdout.readline()
            yield process
        finally:
            process.kill()


def test_a_second_writer_is_refused_and_readers_are_not(tmp_path: Path) -> None:
    path = make_store(tmp_path / "book.db", Fact(START, 3, 24))
    with running(HOLD, path) as holder:
        with pytest.raises(StoreError, match=r"book\.db is being written by another process"):
            open_store(path, write=True)
        with open_store(path) as reader:
            assert reader.find(START).lo == 3
        holder.communicate("")
    with open_store(path, write=True) as writer:
        assert START in writer


def test_a_second_writer_in_one_process_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "book.db"
    with open_store(path, write=True):
        for _ in range(2):
            with pytest.raises(StoreError, match="already open for writing in this process"):
                open_store(path, write=True)
    open_store(path, write=True).close()


def test_a_worker_that_outlives_its_killed_parent_does_not_keep_the_store(tmp_path: Path) -> None:
    path = tmp_path / "book.db"
    fork = (
        "import os, sys, time\nfrom book.store.store import open_store\nstore = open_store(sys.argv[1], write=True)\n"
    )
    fork += "child = os.fork()\nif child:\n    print(child, flush=True)\ntime.sleep(60)\n"
    command = [sys.executable, "-c", fork, str(path)]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as parent:
        assert parent.stdout is not None
        worker = int(parent.stdout.readline())
        try:
            parent.kill()
            parent.wait()
            os.kill(worker, 0)
            open_store(path, write=True).close()
        finally:
            os.kill(worker, signal.SIGKILL)


def test_readers_see_each_batch_once_it_is_committed(tmp_path: Path) -> None:
    path = make_store(tmp_path / "book.db")
    with open_store(path, write=True) as writer, open_store(path) as reader:
        assert START not in reader
        writer.record([Fact(START, 3, 24)])
        assert START in reader


@pytest.mark.parametrize("batches", [1, 5, 40])
def test_a_killed_writer_loses_only_its_last_batch(tmp_path: Path, batches: int) -> None:
    path = tmp_path / "book.db"
    with running(WRITE_FOREVER, path) as writer:
        assert writer.stdout is not None
        committed = 1
        while committed < batches:
            committed = int(writer.stdout.readline())
        os.kill(writer.pid, signal.SIGKILL)
        committed = max([committed, *map(int, writer.stdout.read().split())])
    with open_store(path) as store:
        found = sum(entry.nodes for entry in store)
    assert found % 10 == 0
    assert 10 * committed <= found <= 10 * (committed + 1)
    with open_store(path, write=True) as store:
        assert sum(entry.nodes for entry in store) == found
        store.record([Fact(START, 3, 24)])


def test_a_store_left_empty_by_a_kill_is_made_anew(tmp_path: Path) -> None:
    path = tmp_path / "book.db"
    path.touch()
    make_store(path, Fact(START, 3, 24))
    with open_store(path) as store:
        assert START in store


def test_a_reader_cannot_write(tmp_path: Path) -> None:
    path = make_store(tmp_path / "book.db")
    with open_store(path) as reader, pytest.raises(StoreError, match="opened for reading"):
        reader.record([Fact(START, 3, 24)])


def test_a_store_in_a_folder_that_cannot_be_written_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = make_store(tmp_path / "book.db", Fact(START, 3, 24))
    files = sorted(tmp_path.iterdir())
    monkeypatch.setattr("os.access", lambda *_: False)
    with open_store(path) as store:
        assert START in store
        assert sorted(tmp_path.iterdir()) == files, "SQLite made files beside the store"


def test_a_locked_file_is_reported(tmp_path: Path) -> None:
    path = make_store(tmp_path / "book.db")
    with open_store(path, write=True, timeout=0.01) as store:
        other = sqlite3.connect(path, isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(StoreError, match=r"book\.db: locked by another program"):
            store.record([Fact(START, 3, 24)])
        other.execute("ROLLBACK")
        other.close()
        store.record([Fact(START, 3, 24)])


def test_a_link_to_a_store_has_the_same_one_writer(tmp_path: Path) -> None:
    path = make_store(tmp_path / "book.db")
    (tmp_path / "other").mkdir()
    link = tmp_path / "other" / "link.db"
    link.symlink_to(path)
    script = "import sys; from book.store.store import open_store; open_store(sys.argv[1], write=True)"
    with open_store(path, write=True):
        other = subprocess.run([sys.executable, "-c", script, str(link)], cwd=ROOT, capture_output=True, text=True)
    assert other.stderr.endswith(f"StoreError: {link} is being written by another process\n")
    assert subprocess.run([sys.executable, "-c", script, str(link)], cwd=ROOT).returncode == 0


def test_a_missing_file_is_reported_and_not_made(tmp_path: Path) -> None:
    path = tmp_path / "book.db"
    with pytest.raises(StoreError, match=r"book\.db does not exist: build it with python -m book import"):
        open_store(path)
    assert not path.exists()


@pytest.mark.parametrize("write", [False, True])
def test_foreign_files_are_refused_and_left_alone(tmp_path: Path, write: bool) -> None:
    foreign, text = tmp_path / "foreign.db", tmp_path / "text.db"
    with contextlib.closing(sqlite3.connect(foreign)) as db:
        db.execute("CREATE TABLE positions (key INTEGER PRIMARY KEY)")
    text.write_text("not a database " * 100)
    for path, message in ((foreign, "not a Little-Go store"), (text, "not a database")):
        before = path.read_bytes()
        with pytest.raises(StoreError, match=message) as error:
            open_store(path, write=write)
        assert str(path) in str(error.value)
        assert "\n" not in str(error.value)
        assert path.read_bytes() == before
    assert sorted(tmp_path.iterdir()) == [foreign, text]


@pytest.mark.parametrize("write", [False, True])
def test_a_folder_is_refused(tmp_path: Path, write: bool) -> None:
    with pytest.raises(StoreError, match="unable to open"):
        open_store(tmp_path, write=write)


def test_a_missing_folder_is_reported(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="unable to open"):
        open_store(tmp_path / "none" / "book.db", write=True)


@pytest.mark.parametrize("write", [False, True])
def test_a_newer_store_is_refused(tmp_path: Path, write: bool) -> None:
    path = make_store(tmp_path / "book.db")
    with contextlib.closing(sqlite3.connect(path)) as db, db:
        db.execute("INSERT INTO _sqlite_migrations VALUES (99, ?, 'm999_future', '')", (migrations.name,))
    with pytest.raises(StoreError, match=r"written by a newer version of Little-Go .*m999_future"):
        open_store(path, write=write)


def test_an_older_store_asks_for_an_upgrade(tmp_path: Path) -> None:
    path = make_store(tmp_path / "book.db")
    with contextlib.closing(sqlite3.connect(path)) as db, db:
        db.execute("DELETE FROM _sqlite_migrations")
    with pytest.raises(StoreError, match="written by an older version"):
        open_store(path)


def test_odd_file_names_work(tmp_path: Path) -> None:
    path = make_store(tmp_path / "what? #1 50%.db", Fact(START, 3, 24))
    with open_store(path) as store:
        assert START in store
    assert path.exists()


def test_many_entries_come_page_by_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("book.store.store._PAGE", 7)
    path = make_store(tmp_path / "book.db", *(Fact(Position(black=b, ply=20), 0, b % 3) for b in range(1, 99)))
    with open_store(path) as store:
        keys = [entry.position for entry in store]
        assert len(keys) == len(set(keys)) == len(store)
        assert len(list(store.entries("exact"))) == store.count_by_status()["exact"]


# Stores by others


def changed(path: Path, sql: str) -> Path:
    """Change a new store with any statement."""
    make_store(path, Fact(START, 3, 24))
    with contextlib.closing(sqlite3.connect(path)) as db, db:
        db.executescript(sql)
    return path


@pytest.mark.parametrize(
    ("sql", "fault"),
    [
        ("CREATE TRIGGER own AFTER INSERT ON positions BEGIN DELETE FROM runs; END", "trigger own is not ours"),
        (
            "DROP VIEW positions_view; CREATE VIEW positions_view AS SELECT 1",
            "view positions_view is not as we make it",
        ),
        ("DROP TABLE choices", "table choices is missing"),
        ("CREATE INDEX own ON positions (lo)", "index own is not ours"),
    ],
)
def test_a_schema_that_is_not_ours_is_found(tmp_path: Path, sql: str, fault: str) -> None:
    with open_store(changed(tmp_path / "book.db", sql)) as store:
        assert f"schema: {fault}" in store.damage()
    if "VIEW" not in sql:
        with pytest.raises(StoreError, match=f"nothing is written to it: schema: {fault}"):
            open_store(tmp_path / "book.db", write=True)


def test_our_schema_is_ours(tmp_path: Path) -> None:
    with open_store(make_store(tmp_path / "book.db", Fact(START, 3, 24))) as store:
        assert store.damage() == []


def test_blanks_in_a_schema_do_not_matter(tmp_path: Path) -> None:
    sql = """
        PRAGMA writable_schema = ON;
        UPDATE sqlite_schema SET sql = replace(sql, ' INTEGER', char(10) || '    INTEGER') WHERE name = 'choices';
    """
    path = changed(tmp_path / "book.db", sql)
    with open_store(path, write=True) as store:
        assert store.damage() == []


def test_a_flipped_byte_in_the_schema_is_told(tmp_path: Path) -> None:
    path = make_store(tmp_path / "book.db", Fact(START, 3, 24))
    content = path.read_bytes()
    for at in (content.index(b"CREATE TABLE runs") + 3, content.index(b"CREATE TABLE positions") + 14):
        path.write_bytes(content[:at] + b"\xff" + content[at + 1 :])
        for write in (False, True):
            with pytest.raises(StoreError) as error:
                open_store(path, write=write)
            assert "\n" not in str(error.value)


@pytest.mark.parametrize("sql", ["DELETE FROM identity", "UPDATE identity SET name = 'short'"])
def test_a_store_without_its_identity_is_damaged(tmp_path: Path, sql: str) -> None:
    path = changed(tmp_path / "book.db", sql)
    with open_store(path) as store, pytest.raises(StoreError, match="damaged: it should have one identity"):
        assert store.identity


def test_a_lost_record_of_a_migration_is_told(tmp_path: Path) -> None:
    path = changed(tmp_path / "book.db", "DELETE FROM _sqlite_migrations WHERE name LIKE 'm005%'")
    with pytest.raises(StoreError, match="damaged: its list of migrations lacks one that was made"):
        open_store(path, write=True)


def test_a_hard_link_gets_no_second_writer(tmp_path: Path) -> None:
    path = make_store(tmp_path / "book.db")
    with open_store(path, write=True):
        (tmp_path / "other.db").hardlink_to(path)
        with pytest.raises(StoreError, match="has another name, a hard link"):
            open_store(tmp_path / "other.db", write=True)


def test_a_row_notes_which_worker_found_it_and_a_host_is_dropped(tmp_path: Path) -> None:
    path = make_store(tmp_path / "book.db", Fact(Position(ply=2), 0, 5))
    with open_store(path, write=True) as store:
        run = store.start_run({})
        maker = store.note_worker(run, "tcp://192.0.2.1:5", "192.0.2.1", "abc")
        store.record([Fact(START, 3, 24, maker=maker), Fact(Position(ply=2), 0, 6, maker=maker)], run)
        assert (store.find(START).maker, store.find(Position(ply=2)).maker) == (maker, None)
        assert store.maker_name(maker) == "tcp://192.0.2.1:5"
        store.record([Fact(START, 3, 3)], run)
        assert store.find(START).maker is None
        store.record([Fact(Position(ply=4), 3, 3, maker=maker)], run)
        assert store.drop_worker("192.0.2.1") == (run, 2, 1)
        assert [entry.position.ply for entry in store] == [2]


def test_a_run_that_is_no_json_is_damage(tmp_path: Path) -> None:
    path = make_store(tmp_path / "book.db", Fact(START, 3, 24))
    with sqlite3.connect(path) as db:
        db.execute("INSERT INTO runs (parameters, machine, python, version, started) VALUES ('{', '', '', '', '')")
    with open_store(path) as store:
        assert store.damage() == ["run 1: what it says of itself is no JSON"]
        with pytest.raises(StoreError, match="damaged: what a run says"):
            store.runs()


def test_a_store_of_before_makers_keeps_its_runs_workers(tmp_path: Path) -> None:
    path = make_store(tmp_path / "book.db", Fact(START, 3, 24))
    with sqlite3.connect(path) as db:
        db.executescript("""
            ALTER TABLE positions DROP COLUMN maker; DROP TABLE makers;
            DELETE FROM _sqlite_migrations WHERE name > 'm006';
            INSERT INTO runs (parameters, machine, python, version, started)
                VALUES ('{"members": [{"name": "tcp://192.0.2.1:5", "code": "abc"}]}', '', '', '', '');
        """)
    with open_store(path, write=True) as store:
        assert store.find(START).maker is None
        assert store.drop_worker("tcp://192.0.2.1:5")[0] == 1


def test_a_name_of_300_characters_is_one_line() -> None:
    for command in ("book import", "proof fsck", "generator run --plies 8"):
        name, *options = command.split()
        done = subprocess.run(
            [sys.executable, "-m", name, *options, "--db", "x" * 300], cwd=ROOT, capture_output=True, text=True
        )
        assert done.returncode in (1, 2)
        assert done.stderr.splitlines()[-1] == f"Error: {'x' * 300}: File name too long"


def test_a_view_of_somebody_else_calls_nothing_that_can_do_harm(tmp_path: Path) -> None:
    path = make_store(tmp_path / "book.db", Fact(START, 3, 24))
    with sqlite3.connect(path) as db:
        db.executescript(
            "DROP VIEW progress; CREATE VIEW progress AS SELECT load_extension('x') AS ply, 0, 0 FROM runs"
        )
        db.execute("INSERT INTO runs (parameters, machine, python, version, started) VALUES ('{}', '', '', '', '')")
    with open_store(path) as store, pytest.raises(StoreError, match="unsafe use of load_extension"):
        store.count_by_ply()
