"""Malicious inputs: planted schemas, engines, sandboxed agents, directories that change while they are copied."""

import ctypes
import os
import shlex
import shutil
import sqlite3
import sys
import threading
from contextlib import closing, suppress
from pathlib import Path
from random import Random

from arena.gtp.client import start_engine
from arena.gtp.protocol import EngineFault
from arena.match.contestant import FunctionContestant
from arena.match.limits import Limits, ProgramError, SandboxError
from arena.match.play import play_game
from arena.match.programs import lay_out, open_runner
from arena.match.sandbox import check_sandbox
from book.store.facts import Fact, StoreError
from book.store.store import open_store
from solver.family import COURSE
from solver.position import START
from tools.fuzz.mutation import one_line

_KINDS = ("trigger", "view", "table", "index", "")
_NAMES = ("own", "sqlite_own", "sqlite_stat1", "sqlite_autoindex_runs_1", "openings", "runs", "positions")
_ON = ("runs", "positions", "_sqlite_migrations", "makers")
_MAKES = (
    "CREATE TRIGGER {name} AFTER INSERT ON {on} BEGIN UPDATE positions SET lo = -24; END",
    "CREATE VIEW {name} AS SELECT * FROM runs",
    "CREATE TABLE {name} (a)",
    "CREATE INDEX {name} ON positions (lo)",
)


def planted(rng: Random, folder: Path) -> str:
    """Plant entries in a store's schema and pipes beside it: nothing fires, and no bound is overwritten."""
    path = folder / "book.db"
    with open_store(path, write=True, game=COURSE) as store:
        store.record([Fact(START, 3, 24)], store.start_run({}))
    with closing(sqlite3.connect(path)) as db, suppress(sqlite3.Error), db:
        db.execute("PRAGMA writable_schema = ON")
        for _ in range(rng.randint(1, 3)):
            name, on = rng.choice(_NAMES), rng.choice(_ON)
            row = (rng.choice(_KINDS), name, rng.choice([name, on]), 0, rng.choice(_MAKES).format(name=name, on=on))
            db.execute("INSERT INTO sqlite_schema (type, name, tbl_name, rootpage, sql) VALUES (?, ?, ?, ?, ?)", row)
        if rng.random() < 0.3:
            db.execute("DELETE FROM _sqlite_migrations WHERE name > 'm007'")
    if rng.random() < 0.2:
        pipe = folder / f"book.db{rng.choice(['-journal', '-wal', '-shm'])}"
        pipe.unlink(missing_ok=True)
        os.mkfifo(pipe)
    outcome = "written to"
    try:
        with open_store(path, write=True, game=COURSE) as store:
            store.start_run({})
    except StoreError as error:
        one_line(error)
        outcome = "refused"
    for beside in folder.glob("book.db-*"):
        if beside.is_fifo():
            beside.unlink()
    with closing(sqlite3.connect(path)) as db, suppress(sqlite3.Error):
        db.execute("PRAGMA writable_schema = ON")
        for (bound,) in db.execute("SELECT lo FROM positions"):
            assert bound == 3, "a trigger has fired"
    return outcome


_ANSWERS = (
    r"print('=' + number + ' ' + next(points), end='\n\n', flush=True)",
    r"print('=' + number * 900, end='\n\n', flush=True)",
    r"print('?' + number + ' no\x1b[2J', end='\n\n', flush=True)",
    r"print('=' + number + ' resign', end='\n\n', flush=True)",
    r"sys.stdout.write('\n' * 100000); sys.stdout.flush()",
    r"sys.stdout.write('x' * (1 << 21)); sys.stdout.flush()",
    r"os.ftruncate(2, 1 << 33); os._exit(1)",
    r"[print(end='\n', flush=True) for _ in range(10**9)]",
    r"time.sleep(60)",
    r"os.close(1)",
    r"os.fork()",
)
_ENGINE = r"""
import os, sys, time
points = iter([column + row for row in "54321" for column in "ABCDE"])
for count, line in enumerate(sys.stdin):
    number = line.split()[0]
    if count < 3:
        print("=" + number, end="\n\n", flush=True)
        continue
"""


def engines(rng: Random, folder: Path) -> str:
    """Play a game against a misbehaving engine: it has a result in a few words, and the run continues."""
    lines = rng.choices(_ANSWERS, k=rng.randint(1, 3))
    (folder / "engine.py").write_text(_ENGINE + "".join(f"    {line}\n" for line in lines))
    agent = "gtp:" + shlex.join([sys.executable, "-I", "-S", str(folder / "engine.py")])
    other = FunctionContestant("other", lambda position, _: rng.choice(position.legal_moves()))
    try:
        with closing(start_engine(agent, Limits(cpu=0.5, wall=1.0), game=COURSE)) as engine:
            game = play_game(engine, other, game=COURSE)
    except EngineFault as fault:
        one_line(fault)
        return "refused"
    assert len(game.result.detail) < 400
    assert "\n" not in game.result.detail
    return game.result.reason


_REACHES = (
    "open('/proc/sys/fs/lease-break-time', 'r+')",
    "open('/proc/sys/kernel/core_pattern', 'r+')",
    "open('/proc/sysrq-trigger', 'w')",
    "os.chmod('/dev/null', 0o666)",
    "os.fchmod(0, 0o666)",
    "os.fchmod(1, 0o666)",
    "open('/usr/x', 'w')",
    "open('/etc/x', 'w')",
    "os.listdir('/home')",
    "os.mknod('/agent/device', 0o20666, os.makedev(1, 3))",
    "1 / (libc.unshare(0x10000000) == 0)",
    "1 / (libc.shmget(0, 4096, 0o1600) >= 0)",
    "1 / (libc.mount(b'none', b'/tmp', b'tmpfs', 0, None) == 0)",
    "__import__('socket').create_connection(('192.0.2.1', 80), 1)",
)


def probes(rng: Random, folder: Path) -> str:
    """Attack the machine from a sandbox, as the present user: each attack fails."""
    try:
        check_sandbox()
    except SandboxError:
        return "no sandbox here"
    source = "import ctypes, os\nlibc = ctypes.CDLL(None)\nsaid = open('said', 'w')\n"
    for reach in rng.sample(_REACHES, rng.randint(1, 6)):
        source += f"try: {reach}\nexcept Exception: pass\nelse: print({reach!r}, file=said, flush=True)\n"
    source += "print('end', file=said)\n"
    with open_runner(sandboxed=True) as runner:
        runner.run([sys.executable, "-I", "-c", source], runner.home, Limits())
        said = (runner.home / "said").read_text()
    assert said == "end\n", said
    return "nothing reached"


def copies(rng: Random, folder: Path) -> str:
    """Replace an agent's files by links while they are copied: no link's target is copied."""
    agent, hidden = folder / "agent", folder / "hidden"
    (agent / "folder").mkdir(parents=True)
    hidden.mkdir()
    for place in (hidden / "secret", agent / "mine.py", agent / "data", agent / "folder" / "secret"):
        place.write_text("secret" if hidden in place.parents else "own" * rng.randrange(1, 9999))
    (agent / "other").symlink_to(hidden / "secret")
    (agent / "beside").symlink_to(hidden)
    libc, ended, outcome = ctypes.CDLL(None), threading.Event(), "copied"

    def exchange() -> None:
        while not ended.is_set():
            for one, other in (("data", "other"), ("folder", "beside")):
                libc.renameat2(-100, bytes(agent / one), -100, bytes(agent / other), 2)

    changing = threading.Thread(target=exchange)
    changing.start()
    try:
        with open_runner() as runner:
            for number in range(20):
                copy = folder / str(number)
                copy.mkdir()
                try:
                    lay_out(agent / "mine.py", agent, copy, [sys.executable], runner, 0)
                except ProgramError as error:
                    one_line(error)
                    outcome = "some copies refused"
                found = [path.read_text() for path in copy.rglob("*") if path.is_file() and not path.is_symlink()]
                assert "secret" not in found
                shutil.rmtree(copy)
    finally:
        ended.set()
        changing.join()
    return outcome
