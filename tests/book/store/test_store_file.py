"""The store as a file: a single writer, killed writers, and files of other programs."""

import contextlib
import os
import signal
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from little_go.book.__main__ import main as book
from little_go.book.store.connection import NOT_OURS, checkpoint_wal, connect, missing_store
from little_go.book.store.facts import Fact, StoreError
from little_go.book.store.migrations import migrations
from little_go.book.store.store import open_store
from little_go.generator.__main__ import main as generator
from little_go.proof.__main__ import main as proof
from little_go.solver.family import COURSE
from little_go.solver.position import START, Position
from tests.background import run_inside, run_together
from tests.book.positions import make_store

ROOT = Path(__file__).parents[3]

HOLD = """
import sys
from little_go.book.store.store import open_store
from little_go.solver.family import COURSE
with open_store(sys.argv[1], write=True, game=COURSE):
    print("open", flush=True)
    sys.stdin.read()
"""

#: A program that writes batches of ten facts about invented positions, one node each, and prints a line after each
#: commit.
WRITE_FOREVER = """
import itertools, sys
from little_go.book.store.facts import Fact
from little_go.book.store.store import open_store
from little_go.solver.family import COURSE
from little_go.solver.position import Position
with open_store(sys.argv[1], write=True, game=COURSE) as store:
    boards = (Position(black=b, white=1 << 24, ply=20) for b in itertools.count(1))
    for batch in itertools.count(1):
        store.record(Fact(next(boards), 0, 0, nodes=1) for _ in range(10))
        print(batch, flush=True)
"""


@contextlib.contextmanager
def running(program: str, path: Path) -> Iterator["subprocess.Popen[str]"]:
    """Run a program on a store in another process; yield after its first line of output, and kill it at the end."""
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
        with pytest.raises(StoreError, match=r"book\.db: being written by another process"):
            open_store(path, write=True, game=COURSE)
        with open_store(path, game=COURSE) as reader:
            assert reader.find(START).lo == 3
        holder.communicate("")
    with open_store(path, write=True, game=COURSE) as writer:
        assert START in writer


def test_a_second_writer_in_one_process_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "book.db"
    with open_store(path, write=True, game=COURSE):
        for _ in range(2):
            with pytest.raises(StoreError, match="already open for writing in this process"):
                open_store(path, write=True, game=COURSE)
    open_store(path, write=True, game=COURSE).close()


def test_a_worker_that_outlives_its_killed_parent_does_not_keep_the_store(tmp_path: Path) -> None:
    path = tmp_path / "book.db"
    fork = "import os, sys, time\nfrom little_go.book.store.store import open_store\n"
    fork += "from little_go.solver.family import COURSE\n"
    fork += "store = open_store(sys.argv[1], write=True, game=COURSE)\n"
    fork += "child = os.fork()\nif child:\n    print(child, flush=True)\ntime.sleep(60)\n"
    command = [sys.executable, "-c", fork, str(path)]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as parent:
        assert parent.stdout is not None
        worker = int(parent.stdout.readline())
        try:
            parent.kill()
            parent.wait()
            os.kill(worker, 0)
            open_store(path, write=True, game=COURSE).close()
        finally:
            os.kill(worker, signal.SIGKILL)


def test_readers_see_each_batch_once_it_is_committed(tmp_path: Path) -> None:
    path = make_store(tmp_path / "book.db")
    with open_store(path, write=True, game=COURSE) as writer, open_store(path, game=COURSE) as reader:
        assert START not in reader
        writer.record([Fact(START, 3, 24)])
        assert START in reader


@pytest.mark.system
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
    with open_store(path, game=COURSE) as store:
        found = sum(entry.nodes for entry in store)
    assert found % 10 == 0
    assert 10 * committed <= found <= 10 * (committed + 1)
    with open_store(path, write=True, game=COURSE) as store:
        assert sum(entry.nodes for entry in store) == found
        store.record([Fact(START, 3, 24)])


def test_a_store_left_empty_by_a_kill_is_made_again(tmp_path: Path) -> None:
    path = tmp_path / "book.db"
    path.touch()
    make_store(path, Fact(START, 3, 24))
    with open_store(path, game=COURSE) as store:
        assert START in store


def test_a_reader_cannot_write(tmp_path: Path) -> None:
    path = make_store(tmp_path / "book.db")
    with open_store(path, game=COURSE) as reader, pytest.raises(StoreError, match="opened for reading"):
        reader.record([Fact(START, 3, 24)])


def test_a_store_in_a_folder_that_cannot_be_written_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = make_store(tmp_path / "book.db", Fact(START, 3, 24))
    files = sorted(tmp_path.iterdir())
    monkeypatch.setattr("os.access", lambda *_: False)
    with open_store(path, game=COURSE) as store:
        assert START in store
        assert sorted(tmp_path.iterdir()) == files, "SQLite made files beside the store"


def test_a_locked_file_is_reported(tmp_path: Path) -> None:
    path = make_store(tmp_path / "book.db")
    with open_store(path, write=True, timeout=0.01, game=COURSE) as store:
        with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            with pytest.raises(StoreError, match=r"book\.db: locked by another program"):
                store.record([Fact(START, 3, 24)])
            other.execute("ROLLBACK")
        store.record([Fact(START, 3, 24)])


def test_a_link_to_a_store_has_the_same_one_writer(tmp_path: Path) -> None:
    path = make_store(tmp_path / "book.db")
    (tmp_path / "other").mkdir()
    link = tmp_path / "other" / "link.db"
    link.symlink_to(path)
    opens = "open_store(sys.argv[1], write=True, game=COURSE)"
    imports = "from little_go.book.store.store import open_store; from little_go.solver.family import COURSE"
    script = f"import sys; {imports}; {opens}"
    with open_store(path, write=True, game=COURSE):
        other = subprocess.run([sys.executable, "-c", script, str(link)], cwd=ROOT, capture_output=True, text=True)
    assert other.stderr.endswith(f"StoreBusy: {link}: being written by another process: wait until it has ended\n")
    assert subprocess.run([sys.executable, "-c", script, str(link)], cwd=ROOT).returncode == 0


def test_a_missing_file_is_reported_and_not_made(tmp_path: Path) -> None:
    path = tmp_path / "book.db"
    with pytest.raises(StoreError) as error:
        open_store(path, game=COURSE)
    assert str(error.value) == str(missing_store(path))
    assert not path.exists()


@pytest.mark.parametrize("write", [False, True])
def test_foreign_files_are_refused_and_left_alone(tmp_path: Path, write: bool) -> None:
    foreign, text = tmp_path / "foreign.db", tmp_path / "text.db"
    with contextlib.closing(sqlite3.connect(foreign)) as db:
        db.execute("CREATE TABLE positions (key INTEGER PRIMARY KEY)")
    text.write_text("not a database " * 100)
    for path in (foreign, text):
        before = path.read_bytes()
        with pytest.raises(StoreError) as error:
            open_store(path, write=write, game=COURSE)
        assert str(error.value) == f"{path}: {NOT_OURS}"
        assert path.read_bytes() == before
    assert sorted(tmp_path.iterdir()) == [foreign, text]


@pytest.mark.parametrize(("write", "message"), [(False, "unable to open"), (True, "Is a directory")])
def test_a_folder_is_refused(tmp_path: Path, write: bool, message: str) -> None:
    with pytest.raises(StoreError, match=message):
        open_store(tmp_path, write=write, game=COURSE)


def test_a_missing_folder_is_reported(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="cannot write there: No such file or directory"):
        open_store(tmp_path / "none" / "book.db", write=True, game=COURSE)


@pytest.mark.parametrize("write", [False, True])
def test_a_newer_store_is_refused(tmp_path: Path, write: bool) -> None:
    path = make_store(tmp_path / "book.db")
    with contextlib.closing(sqlite3.connect(path)) as db, db:
        db.execute("INSERT INTO _sqlite_migrations VALUES (99, ?, 'm999_future', '')", (migrations.name,))
    with pytest.raises(StoreError, match=r"written by a newer version of Little-Go, .*m999_future"):
        open_store(path, write=write, game=COURSE)


def test_an_older_store_asks_for_an_upgrade(tmp_path: Path) -> None:
    path = make_store(tmp_path / "book.db")
    with contextlib.closing(sqlite3.connect(path)) as db, db:
        db.execute("DELETE FROM _sqlite_migrations")
    with pytest.raises(StoreError, match="written by another version"):
        open_store(path, game=COURSE)


def test_odd_file_names_work(tmp_path: Path) -> None:
    path = make_store(tmp_path / "what? #1 50%.db", Fact(START, 3, 24))
    with open_store(path, game=COURSE) as store:
        assert START in store
    assert path.exists()


def test_many_entries_come_page_by_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("little_go.book.store.store._PAGE", 7)
    path = make_store(tmp_path / "book.db", *(Fact(Position(black=b, ply=20), 0, b % 3) for b in range(1, 99)))
    with open_store(path, game=COURSE) as store:
        keys = [entry.position for entry in store]
        assert len(keys) == len(set(keys)) == len(store)
        assert sum(entry.status(COURSE) == "exact" for entry in store) == store.count_by_status()["exact"]


# Stores of other programs


def changed(path: Path, sql: str) -> Path:
    """Create a store, and run a statement on it."""
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
            "view positions_view differs from ours",
        ),
        ("DROP TABLE choices", "table choices is missing"),
        ("CREATE INDEX own ON positions (lo)", "index own is not ours"),
    ],
)
def test_a_schema_that_is_not_ours_is_found(tmp_path: Path, sql: str, fault: str) -> None:
    with open_store(changed(tmp_path / "book.db", sql), suspect=True, game=COURSE) as store:
        assert f"schema: {fault}" in store.damage()
    if "VIEW" not in sql:
        with pytest.raises(StoreError, match=f"not written, because of a fault: schema: {fault}"):
            open_store(tmp_path / "book.db", write=True, game=COURSE)


@pytest.mark.parametrize(
    "sql",
    ["DROP VIEW positions_view; CREATE VIEW positions_view AS SELECT 1", "DROP VIEW traps; DROP VIEW moves_view"],
)
def test_views_of_another_version_are_made_again_by_whoever_writes(tmp_path: Path, sql: str) -> None:
    path = changed(tmp_path / "book.db", sql)
    with pytest.raises(StoreError, match="written by another version"):
        open_store(path, game=COURSE)
    with open_store(path, write=True, game=COURSE) as store:
        assert store.damage() == []
    with open_store(path, game=COURSE) as store:
        assert store.damage() == []


def test_our_schema_is_ours(tmp_path: Path) -> None:
    with open_store(make_store(tmp_path / "book.db", Fact(START, 3, 24)), game=COURSE) as store:
        assert store.damage() == []


def test_blanks_in_a_schema_do_not_matter(tmp_path: Path) -> None:
    sql = """
        PRAGMA writable_schema = ON;
        UPDATE sqlite_schema SET sql = replace(sql, ' INTEGER', char(10) || '    INTEGER') WHERE name = 'choices';
    """
    path = changed(tmp_path / "book.db", sql)
    with open_store(path, write=True, game=COURSE) as store:
        assert store.damage() == []


def test_a_flipped_byte_in_the_schema_is_told(tmp_path: Path) -> None:
    path = make_store(tmp_path / "book.db", Fact(START, 3, 24))
    content = path.read_bytes()
    for at in (content.index(b"CREATE TABLE runs") + 3, content.index(b"CREATE TABLE positions") + 14):
        path.write_bytes(content[:at] + b"\xff" + content[at + 1 :])
        for write in (False, True):
            with pytest.raises(StoreError) as error:
                open_store(path, write=write, game=COURSE)
            assert "\n" not in str(error.value)


@pytest.mark.parametrize("sql", ["DELETE FROM identity", "UPDATE identity SET name = 'short'"])
def test_a_store_without_its_identity_is_damaged(tmp_path: Path, sql: str) -> None:
    path = changed(tmp_path / "book.db", sql)
    with (
        open_store(path, game=COURSE) as store,
        pytest.raises(StoreError, match="damaged: it does not have one identity"),
    ):
        assert store.identity


def test_a_lost_record_of_a_migration_is_told(tmp_path: Path) -> None:
    path = changed(tmp_path / "book.db", "DELETE FROM _sqlite_migrations WHERE name LIKE 'm005%'")
    with pytest.raises(StoreError, match="damaged: its list of migrations has a gap"):
        open_store(path, write=True, game=COURSE)


def test_a_hard_link_gets_no_second_writer(tmp_path: Path) -> None:
    path = make_store(tmp_path / "book.db")
    with open_store(path, write=True, game=COURSE):
        (tmp_path / "other.db").hardlink_to(path)
        with pytest.raises(StoreError, match="has a second name, a hard link"):
            open_store(tmp_path / "other.db", write=True, game=COURSE)


def test_a_row_notes_which_worker_found_it_and_a_host_is_dropped(tmp_path: Path) -> None:
    path = make_store(tmp_path / "book.db", Fact(Position(ply=2), 0, 5))
    with open_store(path, write=True, game=COURSE) as store:
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
    with contextlib.closing(sqlite3.connect(path)) as db, db:
        db.execute("INSERT INTO runs (parameters, machine, python, version, started) VALUES ('{', '', '', '', '')")
    with open_store(path, game=COURSE) as store:
        assert store.damage() == ["run 1: invalid JSON"]
        with pytest.raises(StoreError, match="damaged: a row of the table runs has"):
            store.runs()


def test_a_store_of_before_makers_keeps_its_runs_workers(tmp_path: Path) -> None:
    path = make_store(tmp_path / "book.db", Fact(START, 3, 24))
    with contextlib.closing(sqlite3.connect(path)) as db, db:
        db.executescript("""
            DROP VIEW positions_view; DROP VIEW moves_view; DROP VIEW only_moves; DROP VIEW hardest; DROP VIEW traps;
            DROP VIEW largest_swings; DROP VIEW openings; DROP VIEW frontier; DROP VIEW progress;
            ALTER TABLE positions RENAME COLUMN best_move TO best;
            ALTER TABLE statements RENAME COLUMN best_move TO best;
            ALTER TABLE move_counts RENAME COLUMN best_value TO best;
            ALTER TABLE move_counts RENAME COLUMN second_value TO second;
            ALTER TABLE move_counts RENAME COLUMN worst_value TO worst;
            ALTER TABLE positions DROP COLUMN moves_known; ALTER TABLE positions DROP COLUMN origin;
            ALTER TABLE positions DROP COLUMN maker; DROP TABLE makers;
            CREATE VIEW openings AS SELECT best FROM positions;
            CREATE VIEW frontier AS SELECT * FROM positions;
            CREATE VIEW progress AS SELECT lo FROM positions;
            DELETE FROM _sqlite_migrations WHERE name > 'm006';
            PRAGMA writable_schema = ON;
            UPDATE sqlite_schema SET sql = replace(
                replace(sql, 'parameters TEXT NOT NULL', 'parameters TEXT NOT NULL CHECK (json_valid(parameters))'),
                'believed TEXT', 'believed TEXT CHECK (believed IS NULL OR json_valid(believed))'
            ) WHERE name = 'runs';
            UPDATE sqlite_schema SET sql = replace(
                sql,
                'CHECK (hi <= 24),',
                'CHECK (hi <= 24), status TEXT GENERATED ALWAYS AS ( CASE WHEN lo = hi THEN ''exact'' '
                || 'WHEN lo >= 3 OR hi <= 2 THEN ''decided'' ELSE ''undecided'' END ) VIRTUAL,'
            ) WHERE name = 'positions';
            PRAGMA writable_schema = RESET;
            INSERT INTO runs (parameters, machine, python, version, started)
                VALUES ('{"members": [{"name": "tcp://192.0.2.1:5", "code": "abc"}]}', '', '', '', '');
        """)
    with open_store(path, write=True, game=COURSE) as store:
        assert store.find(START).maker is None
        assert store.drop_worker("tcp://192.0.2.1:5")[0] == 1


@pytest.mark.parametrize("exists", [Path.exists, lambda path: os.path.exists(path)], ids=["this Python", "3.14"])
def test_a_name_of_300_characters_is_one_line(monkeypatch: pytest.MonkeyPatch, exists: Callable[[Path], bool]) -> None:
    monkeypatch.setattr(Path, "exists", exists)
    for main, command in ((book, "import"), (proof, "fsck"), (generator, "run --plies 8")):
        done = run_inside(main, *command.split(), "--db", "x" * 300)
        assert done.returncode == 2
        assert done.stderr.splitlines()[-1] == f"Error: {'x' * 300}: File name too long"


def test_a_view_of_somebody_else_calls_nothing_that_can_do_harm(tmp_path: Path) -> None:
    path = make_store(tmp_path / "book.db", Fact(START, 3, 24))
    with contextlib.closing(sqlite3.connect(path)) as db, db:
        db.executescript(
            "DROP VIEW progress; CREATE VIEW progress AS SELECT load_extension('x') AS ply, 0, 0 FROM runs"
        )
        db.execute("INSERT INTO runs (parameters, machine, python, version, started) VALUES ('{}', '', '', '', '')")
    with pytest.raises(StoreError, match="written by another version of Little-Go: upgrade it with"):
        open_store(path, game=COURSE)
    with (
        open_store(path, suspect=True, game=COURSE) as store,
        pytest.raises(StoreError, match="unsafe use of load_extension"),
    ):
        store._rows("SELECT * FROM progress")


def planted(path: Path, *rows: tuple[str, str, str, str]) -> Path:
    """Add rows to the schema of a new store, which no SQL statement can do: type, name, the table's name, statement."""
    make_store(path, Fact(START, 3, 24))
    with contextlib.closing(sqlite3.connect(path)) as db, db:
        db.execute("PRAGMA writable_schema = ON")
        db.executemany("INSERT INTO sqlite_schema (type, name, tbl_name, rootpage, sql) VALUES (?, ?, ?, 0, ?)", rows)
    return path


@pytest.mark.parametrize(
    ("kind", "name", "table"),
    [
        ("trigger", "sqlite_own", "runs"),
        # SQLite uses the statement, even if the row has another type.
        ("view", "own", "own"),
        ("view", "sqlite_stat1", "sqlite_stat1"),
        ("index", "sqlite_autoindex_runs_1", "runs"),
        ("table", "sqlite_sequence", "sqlite_sequence"),
    ],
)
def test_a_trigger_under_any_name_is_found_and_never_fires(tmp_path: Path, kind: str, name: str, table: str) -> None:
    fires = f"CREATE TRIGGER {name} AFTER INSERT ON runs BEGIN UPDATE positions SET lo = -24; END"
    path = planted(tmp_path / "book.db", (kind, name, table, fires))
    with contextlib.suppress(StoreError), open_store(path, suspect=True, game=COURSE) as store:
        assert [line for line in store.damage() if line.startswith("schema: ")]
    refused = pytest.raises(StoreError, match=r"not written, because of a fault: schema: |malformed database schema")
    with refused, open_store(path, write=True, game=COURSE) as store:
        store.start_run({})
    with contextlib.closing(sqlite3.connect(path)) as db:
        db.execute("PRAGMA writable_schema = ON")
        assert db.execute("SELECT lo FROM positions").fetchall() == [(3,)]


def test_a_trigger_does_not_fire_while_an_old_store_is_upgraded(tmp_path: Path) -> None:
    path = tmp_path / "book.db"
    sql = "CREATE TRIGGER own AFTER INSERT ON _sqlite_migrations BEGIN UPDATE positions SET lo = -24; END;"
    changed(path, f"{sql} DELETE FROM _sqlite_migrations WHERE name > 'm007'")
    with pytest.raises(StoreError, match="not written, because of a fault: schema: "):
        open_store(path, write=True, game=COURSE)
    with contextlib.closing(sqlite3.connect(path)) as db:
        assert db.execute("SELECT lo FROM positions").fetchall() == [(3,)]


def test_a_store_whose_tables_have_exchanged_their_pages_is_not_written_to(tmp_path: Path) -> None:
    path = changed(
        tmp_path / "book.db",
        """
        PRAGMA writable_schema = ON;
        UPDATE sqlite_schema SET rootpage = (SELECT sum(rootpage) FROM sqlite_schema WHERE name IN ('moves', 'choices'))
            - rootpage WHERE name IN ('moves', 'choices');
        """,
    )
    before = path.read_bytes()
    with open_store(path, suspect=True, game=COURSE) as store, pytest.raises(StoreError, match="malformed"):
        store.damage()
    with pytest.raises(StoreError, match="not written, because of a fault: "):
        open_store(path, write=True, game=COURSE)
    assert path.read_bytes() == before


#: Objects in place of a store, or of a file next to it, for which a reader could wait for ever.
BLOCKING = [
    (at, kind, write)
    for at in ["", "-journal", "-wal", "-shm"]
    for kind in ("pipe", "directory", "link")
    for write in ("", "write")
    if at or kind == "pipe"
]

#: A program that opens stores, given by path and whether to write, and prints the errors.
_OPEN_ALL = """
import sys
from little_go.book.store.store import StoreError, open_store
from little_go.solver.family import COURSE
for path, write in zip(sys.argv[1::2], sys.argv[2::2]):
    try:
        open_store(path, write=bool(write), game=COURSE).close()
        print("opened")
    except StoreError as error:
        print(error)
"""


def test_no_pipe_is_opened_in_a_stores_place_or_beside_it(tmp_path: Path) -> None:
    arguments, places = [], []
    for number, (at, kind, write) in enumerate(BLOCKING):
        (tmp_path / str(number)).mkdir()
        path = make_store(tmp_path / str(number) / "book.db", Fact(START, 3, 24))
        place = Path(f"{path}{at}")
        place.unlink(missing_ok=True)
        if kind == "pipe":
            os.mkfifo(place)
        elif kind == "directory":
            place.mkdir()
        else:
            place.symlink_to("/dev/zero")
        places.append(place)
        arguments += [str(path), write]
    # The program runs in a separate process, which can be killed.
    words = [sys.executable, "-c", _OPEN_ALL, *arguments]
    done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, timeout=60, check=True)
    for place, told in zip(places, done.stdout.splitlines(), strict=True):
        assert f"{place}: not a plain file, so it is not opened" in told


def test_a_journal_that_names_another_file_does_not_remove_it(tmp_path: Path) -> None:
    # SQLite 3.54 removes only a file that is named like a super-journal and contains the name of the journal.
    path, other = make_store(tmp_path / "book.db", Fact(START, 3, 24)), tmp_path / "other.db-mj0123459AB"
    mine = f"{path}-journal\0"
    other.write_text(mine)
    content = path.read_bytes()
    size = int.from_bytes(content[16:18], "big")
    magic, name = bytes.fromhex("d9d505f920a163d7"), bytes(other)
    page = content[:size]
    total = sum(page[at] for at in range(size - 200, 0, -200)) + 1
    head = magic + b"".join(number.to_bytes(4, "big") for number in (1, 1, len(content) // size, 512, size))
    ends = (0x40000000 // size + 1, len(name), sum(name))
    journal = head.ljust(512, b"\0") + b"\0\0\0\1" + page + total.to_bytes(4, "big")
    journal += ends[0].to_bytes(4, "big") + name + b"".join(end.to_bytes(4, "big") for end in ends[1:]) + magic
    Path(f"{path}-journal").write_bytes(journal)
    for write in (False, True):
        with pytest.raises(StoreError, match=r"book\.db-journal: it would make SQLite remove another file"):
            open_store(path, write=write, game=COURSE)
    assert other.read_text() == mine
    # SQLite alone would remove the file, because it trusts the journal.
    with contextlib.closing(sqlite3.connect(path)) as db:
        db.execute("SELECT count(*) FROM runs").fetchall()
    assert not other.exists()


_ENDLESS = "WITH RECURSIVE n (ply) AS (SELECT 1 UNION ALL SELECT ply + 1 FROM n) SELECT ply, 0, 0 FROM n WHERE ply < 0"


@pytest.mark.parametrize("name", ["progress", "_sqlite_migrations", "positions"])
def test_nothing_endless_of_somebody_else_is_run(tmp_path: Path, name: str) -> None:
    kind = "VIEW" if name == "progress" else "TABLE"
    sql = f"PRAGMA foreign_keys = OFF; DROP {kind} {name}; CREATE VIEW {name} AS {_ENDLESS}"
    path = changed(tmp_path / "book.db", sql)
    # The command runs in a separate process, which can be killed.
    commands = (f"{room} --db {path}" for room in ("generator status", "proof fsck", "book sgf"))
    refusals = ("schema: ", "its list of migrations is not a table", "written by another version")
    for done in run_together(tmp_path, *commands):
        # If the store can be read at all, fsck prints its faults.
        assert done.returncode == (2 if "Error: " in done.stderr else 1)
        assert any(refusal in done.stdout + done.stderr for refusal in refusals)


def test_ctrl_c_ends_a_statement(tmp_path: Path) -> None:
    path = make_store(tmp_path / "book.db", Fact(START, 3, 24))
    program = f"""
import sys
from little_go.book.store.store import open_store
from little_go.solver.family import COURSE
with open_store(sys.argv[1], game=COURSE) as store:
    print("open", flush=True)
    store._rows({_ENDLESS!r})
"""
    command = [sys.executable, "-c", program, str(path)]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            process.stdout.readline()
            with pytest.raises(subprocess.TimeoutExpired):
                process.wait(0.5)
            process.send_signal(signal.SIGINT)
            process.wait(10)
        finally:
            process.kill()
        assert process.stderr is not None
        assert process.stderr.read().endswith("KeyboardInterrupt\n")


@pytest.mark.parametrize("value", ["NULL", "x'00ff'", "7"])
def test_a_list_of_migrations_that_is_none_is_damage(tmp_path: Path, value: str) -> None:
    # The column has the type TEXT, so the number becomes a text, the name of an unknown migration.
    path = changed(tmp_path / "book.db", f"UPDATE _sqlite_migrations SET name = {value} WHERE id = 2")
    for write in (False, True):
        with pytest.raises(StoreError, match=r"its list of migrations is not a table|written by a newer version"):
            open_store(path, write=write, game=COURSE)


@pytest.mark.parametrize(
    "told",
    ["[" * 100_000 + "]" * 100_000, "[]", '["kind"]', "1", '{"kind": 1}', '{"kind": 1, "import": [], "sha256": []}'],
)
def test_a_run_that_says_anything_else_is_damage(tmp_path: Path, told: str) -> None:
    path = make_store(tmp_path / "book.db", Fact(START, 3, 24))
    with contextlib.closing(sqlite3.connect(path)) as db, db:
        sql = "INSERT INTO runs (parameters, machine, python, version, started, outcome) VALUES (?, '', '', '', '', ?)"
        db.execute(sql, (told, "complete"))
    with open_store(path, game=COURSE) as store:
        for read in (store.runs, store.imported):
            with pytest.raises(StoreError, match="damaged: a row of the table runs has"):
                read()


_MOVE_99 = {
    "positions": "UPDATE positions SET best_move = 99",
    "moves": "INSERT INTO moves VALUES ((SELECT key FROM positions), 99, 9223372036854775807, 3, 24)",
    "choices": "INSERT INTO choices (position, move) SELECT key, 99 FROM positions",
    "another": "INSERT INTO positions (key, lo, hi, nodes, seconds) SELECT key | (1 << 62), 3, 24, 0, 0 FROM positions",
}


@pytest.mark.parametrize("plant", _MOVE_99)
def test_a_move_or_a_key_that_is_none_is_told_in_a_line(tmp_path: Path, plant: str) -> None:
    path = changed(tmp_path / "book.db", f"PRAGMA ignore_check_constraints = ON; {_MOVE_99[plant]}")
    with open_store(path, game=COURSE) as store:
        reads = (store.get, store.winning_moves, store.choice_of, store.moves_of)
        if plant == "another":
            assert [entry.position for entry in store] == [START]
            assert len(store.impossible_keys()) == 1
        else:
            refusals = 0
            for read in reads:
                try:
                    read(START)
                except StoreError as error:
                    assert "has the move 99" in str(error)  # noqa: PT017 - not each of them
                    refusals += 1
            assert refusals
    sgf = ("sgf", "--out", str(tmp_path / "tree.sgf"))
    for main, words in ((generator, ("status",)), (proof, ("fsck",)), (book, sgf)):
        # An exception that no command expects is raised here.
        done = run_inside(main, *words, "--db", str(path))
        assert done.returncode == 1 or words[0] != "fsck"


#: A program that reads a store with SQLite, run as a user without the right to write.
READER = "import sqlite3, sys; print(sqlite3.connect(sys.argv[1]).execute('SELECT lo FROM positions').fetchall())"


def test_a_store_is_read_by_others_where_nothing_may_be_written() -> None:
    with tempfile.TemporaryDirectory() as name:
        path = make_store(Path(name, "book.db"), Fact(START, 3, 24))
        assert sorted(os.listdir(name)) == ["book.db", "book.db-writer"]
        os.chmod(path, 0o444)
        os.chmod(name, 0o555)
        nobody = 65534 if os.geteuid() == 0 else None
        command = ["/usr/bin/env", "python3", "-c", READER, str(path)]
        done = subprocess.run(command, capture_output=True, text=True, cwd="/", user=nobody)
        os.chmod(name, 0o755)
    assert (done.stdout, done.stderr) == ("[(3,)]\n", "")


def test_who_reads_while_a_writer_begins_and_ends_reads_on(tmp_path: Path) -> None:
    path = make_store(tmp_path / "book.db", Fact(START, 3, 24))
    with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as other:
        with open_store(path, write=True, game=COURSE) as store:
            other.execute("BEGIN")
            assert other.execute("SELECT hi FROM positions").fetchall() == [(24,)]
            store.record([Fact(START, 3, 3)])
            assert other.execute("SELECT hi FROM positions").fetchall() == [(24,)]
        # The writer has ended, but this reader keeps its view of the file until it ends.
        assert other.execute("SELECT hi FROM positions").fetchall() == [(24,)]
        other.execute("COMMIT")
        assert other.execute("SELECT hi FROM positions").fetchall() == [(3,)]
    with open_store(path, write=True, game=COURSE) as store:
        store.record([Fact(START.play(12), 3, 3)])
    assert path.read_bytes()[18:20] == b"\x01\x01"
    assert not Path(f"{path}-wal").exists()


def test_the_end_of_a_writer_does_not_wait_for_a_reader(tmp_path: Path) -> None:
    path = make_store(tmp_path / "book.db", Fact(START, 3, 24))
    with contextlib.closing(connect(path, True, timeout=60)) as writer:
        checkpoint_wal(writer)
        assert writer.execute("PRAGMA busy_timeout").fetchone() == (0,)


def test_a_store_that_is_refused_stays_as_it_is(tmp_path: Path) -> None:
    path = make_store(tmp_path / "book.db", Fact(START, 3, 24))
    with contextlib.closing(sqlite3.connect(path)) as db:
        db.execute("PRAGMA journal_mode = WAL")
        db.execute("CREATE TABLE own (a)")
    before = path.read_bytes()
    with pytest.raises(StoreError, match="not written, because"):
        open_store(path, write=True, game=COURSE)
    assert path.read_bytes() == before
