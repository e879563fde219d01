"""Campaigns with interruptions: killed runs, failing disks, a loss of power, and a worker that sends false results."""

import atexit
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from random import Random

from little_go.book.store.facts import Fact, StoreError
from little_go.book.store.store import open_store
from little_go.solver.family import COURSE
from little_go.solver.native.kernel import Kernel
from little_go.solver.native.table import open_table
from little_go.solver.position import Position
from little_go.solver.symmetry import canonical_key, key_of
from tools.fuzz import one_line
from tools.loopback import Loopback

_ROOT = Path(__file__).parents[2]

#: The time limit of a command in seconds. A busy machine can need a minute for a command that usually takes a second.
_PATIENCE = 600

_RUN = ("generator", "run", "--plies", "12", "--table", "16MiB", "--workers", "2", "--keep-nodes", "100")


def _command(folder: Path, *words: str, env: Mapping[str, str] | None = None) -> "subprocess.Popen[str]":
    python = [sys.executable, "-m", *words]
    environment = {**os.environ, "PYTHONPATH": str(_ROOT), **(env or {})}
    pipe = subprocess.PIPE
    return subprocess.Popen(python, cwd=folder, env=environment, stdout=pipe, stderr=pipe, text=True)


def _verdicts(path: Path) -> dict[Position, tuple[bool, bool]]:
    with open_store(path, game=COURSE) as store:
        assert store.damage() == []
        return {entry.position: (entry.lo >= 3, entry.hi <= 2) for entry in store}


@cache
def _undisturbed() -> dict[Position, tuple[bool, bool]]:
    with tempfile.TemporaryDirectory() as name:
        _command(Path(name), *_RUN, "--db", "book.db").communicate()
        return _verdicts(Path(name) / "book.db")


def killed(rng: Random, folder: Path) -> str:
    """Kill a run and restart it. Check that the store has the same facts as after an undisturbed run."""
    rows = _undisturbed()
    number = rng.choice([signal.SIGKILL, signal.SIGKILL, signal.SIGTERM, signal.SIGHUP, signal.SIGINT])
    run = _command(folder, *_RUN, "--db", "book.db")
    time.sleep(rng.uniform(0.1, 1.5))
    ended = run.poll() is not None
    run.send_signal(number)
    _, errors = run.communicate(timeout=_PATIENCE)
    assert number == signal.SIGKILL or run.returncode < 0 or "Traceback" not in errors, errors
    again = _command(folder, *_RUN, "--db", "book.db")
    _, errors = again.communicate(timeout=_PATIENCE)
    assert again.returncode == 0, errors
    found = _verdicts(folder / "book.db")
    assert all(found[position] == said for position, said in rows.items() if position in found)
    assert [position for position in rows if position.black == position.white == 0 and position not in found] == []
    return "too late" if ended else signal.Signals(number).name


def interrupted(rng: Random, folder: Path) -> str:
    """Press Ctrl-C, once or twice, while a check of a certificate starts its workers.

    The check must print its progress and end.
    """
    certificate = str(_ROOT / "proof" / "certificates" / "game-at-least-3.cert.gz")
    check = _command(folder, "proof", "check", certificate, "--workers", "2")
    begun = Path(f"/proc/{check.pid}/task/{check.pid}/children")
    while not begun.read_text():
        time.sleep(0.005)
    time.sleep(rng.choice((0, rng.uniform(0, 0.1), rng.uniform(0, 1.5))))
    check.send_signal(signal.SIGINT)
    if rng.random() < 0.5:
        time.sleep(rng.uniform(0, 0.1))
        check.send_signal(signal.SIGINT)
    _, errors = check.communicate(timeout=_PATIENCE)
    first, *rest = errors.splitlines()
    assert first.startswith("interrupted: "), errors
    assert check.returncode == 130, errors
    assert not rest, errors
    return "says how far it was"


@cache
def _failing() -> Path:
    library = Path(tempfile.mkdtemp()) / "failing.so"
    source = str(Path(__file__).with_name("failing.c"))
    subprocess.run(["gcc", "-shared", "-fPIC", "-O1", "-o", str(library), source, "-ldl"], check=True)
    return library


_GAME = ("arena", "play", "--black", "random", "--white", "random")

#: Commands, each with the file that it writes and a function that raises an exception if the file is not whole.
_WRITERS: tuple[tuple[tuple[str, ...], str, Callable[[Path], object]], ...] = (
    (
        ("arena", "play", "--black", "random", "--white", "random", "--sgf", "out"),
        "out",
        lambda path: path.read_text()[-2],
    ),
    ((*_GAME, "--sgf", "out"), "out", lambda path: path.read_text().rindex(")")),
    ((*_GAME, "--jsonl", "out"), "", Path.exists),
    (("book", "query", "--moves", "2,2", "--svg", "out"), "out", lambda path: path.read_text().index("</svg>")),
    (("generator", "run", "--plies", "8", "--table", "16MiB", "--workers", "1", "--db", "out"), "out", _verdicts),
)


def disks(rng: Random, folder: Path) -> str:
    """Let a disk become full, fail or write only parts.

    Check that the command prints one line, and that its file is whole.
    """
    words, name, check = rng.choice(_WRITERS)
    old = rng.random() < 0.5 and name and words[0] != "generator"
    if old:
        (folder / name).write_text("old")
    how = rng.randrange(3)
    failing = {"LD_PRELOAD": str(_failing()), "FAIL_AT": str(rng.randint(1, 60)), "FAIL_HOW": str(how)}
    run = _command(folder, *words, env={**failing, "PYTHONDONTWRITEBYTECODE": "1"})
    out, errors = run.communicate(timeout=_PATIENCE)
    assert "Traceback" not in errors + out, errors
    if how == 2:
        assert run.returncode == 0, errors
    if run.returncode:
        assert errors.splitlines()[-1].startswith("Error: "), errors
    path = folder / name
    if name and path.is_file():
        if old and path.read_text() == "old":
            return "the old one"
        try:
            check(path)
        except StoreError as error:
            # The store has been created, but is still empty.
            one_line(error)
            return "nothing"
        return "the new one"
    return "a line" if run.returncode else "done"


def power(rng: Random, folder: Path) -> str:
    """Cut the log of a store, as a loss of power can do. Check that the store opens and contains the first batches."""
    boards = [Position(black=1 << (number % 20), white=1 << 24, ply=2 + number // 20) for number in range(200)]
    path, copy = folder / "book.db", folder / "copy.db"
    with open_store(path, write=True, game=COURSE) as store:
        for batch in range(20):
            store.record(Fact(position, 0, 0, nodes=1) for position in boards[10 * batch : 10 * batch + 10])
        shutil.copyfile(path, copy)
        log = Path(f"{path}-wal").read_bytes()
    cut = rng.randrange(len(log) + 1)
    tail = rng.randbytes(rng.choice([0, 0, 512, 5000]))
    Path(f"{copy}-wal").write_bytes(log[:cut] + tail)
    try:
        with open_store(copy, write=True, game=COURSE) as store:
            assert store.damage() == []
            found = sum(entry.nodes for entry in store)
            keys = {key_of(entry.position) for entry in store}
    except StoreError as error:
        # The cut log does not contain all tables, which are in the first frames.
        one_line(error)
        return "nothing was in it"
    assert found % 10 == 0
    assert keys == {canonical_key(board) for board in boards[:found]}
    return "the first batches"


_CLUSTER_GAME = ("--plies", "16", "--depth", "2", "--verdict", "--split-nodes", "20000", "--table", "16MiB")


@cache
def _cluster() -> Loopback:
    """Return the cluster for all attempts. The second worker of the cluster sends false results."""
    folder = tempfile.TemporaryDirectory()
    cluster = Loopback(Path(folder.name), 1)
    cluster.add_worker("a falsehood", 0.01)
    cluster.wait_for_workers()
    atexit.register(folder.cleanup)
    atexit.register(cluster.close)
    return cluster


@cache
def _kernel() -> Kernel:
    return Kernel(open_table(64))


def liars(rng: Random, folder: Path) -> str:
    """Run an atlas with a worker that falsifies 1 of 100 results.

    If the worker is caught, remove its rows and resume.
    """
    cluster = _cluster()
    db = folder / "book.db"
    words = [*_CLUSTER_GAME, "--db", str(db), "--scheduler", cluster.address]
    run = subprocess.run([sys.executable, "-m", "little_go.generator", "atlas", *words], capture_output=True, text=True)
    caught = run.returncode != 0
    if caught:
        last = run.stderr.splitlines()[-1]
        assert " sent a false result, " in last, run.stderr
        drop = [sys.executable, "-m", "little_go.book", "drop", "--db", str(db), "--worker", last.split()[-1]]
        subprocess.run(drop, check=True, capture_output=True)
        # A run on threads resumes from the remaining rows.
        again = [
            sys.executable,
            "-m",
            "little_go.generator",
            "atlas",
            *_CLUSTER_GAME,
            "--db",
            str(db),
            "--workers",
            "2",
        ]
        subprocess.run(again, check=True, capture_output=True)
    with open_store(db, game=COURSE) as store:
        for entry in store:
            for goal, answer in ((entry.lo, True), (entry.hi + 1, False)):
                if -24 < goal <= 24:
                    assert _kernel().decide(entry.position, goal).at_least(goal) is answer, entry
        assert len(store) >= 97
    return "caught, and the same rows after drop" if caught else "no lie"
