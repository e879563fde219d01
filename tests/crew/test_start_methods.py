"""Commands that start processes print the same output if the processes are forked or spawned."""

import ast
import re
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from sqlite3 import connect

import pytest

from little_go.crew.workers import START_VARIABLE, start_method
from little_go.runtime.errors import BadUsage
from tests.test_layout import MAKERS, ROOMS

ROOT = Path(__file__).parents[2]

#: The two workers of the closure share a table.
CLOSURE = """
solve --plies 14 --workers 1 --table 16MiB --db solved.db
generator closure --plies 14 --colour white --left 13 --workers 2 --db solved.db --table 16MiB --table-file table
"""

#: Each step has a pool of two workers.
CHAIN = """
make --plies 8 --komi 0.5 --workers 2 --table 16MiB --out made
check made/winner.cert.gz --workers 2 --sample 5
"""

#: A program that runs the commands in one process. A chunk of two lines makes several jobs, which the workers share.
RUN = """
import multiprocessing, os, shlex, sys
import little_go.proof.check
from little_go.__main__ import main
multiprocessing.set_start_method(os.environ["LITTLE_GO_START"])
little_go.proof.check.CHUNK = 2
for line in sys.stdin.read().strip().splitlines():
    main(shlex.split(line), prog_name="little-go", standalone_mode=False)
"""


def outputs(commands: str, method: str, place: Path) -> str:
    """Run the commands in a new folder; return their output without times."""
    place.mkdir()
    done = subprocess.run(
        [sys.executable, "-c", RUN],
        input=commands,
        cwd=place,
        env={"PYTHONPATH": str(ROOT), START_VARIABLE: method},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert "Traceback" not in done.stderr
    return untimed(done.stdout)


def untimed(text: str) -> str:
    return re.sub(r"CPU.*|[0-9.]+ m?s\b.*", "", text)


def stored(method: str, place: Path) -> list[list[tuple[object, ...]]]:
    """Return the bounds and choices that a run stores whose workers are started by a method."""
    assert f" {method.title()}Process-" in (place / "solved.log").read_text("utf-8")
    with closing(connect(place / "solved.db")) as store:
        return [
            store.execute("SELECT key, lo, hi FROM positions ORDER BY key").fetchall(),
            store.execute("SELECT position, move FROM choices ORDER BY position").fetchall(),
        ]


@pytest.mark.system
def test_a_store_is_the_same(tmp_path: Path) -> None:
    forked, spawned = tmp_path / "forked", tmp_path / "spawned"
    assert outputs(CLOSURE, "fork", forked) == outputs(CLOSURE, "spawn", spawned)
    assert all(stored("fork", forked))
    assert stored("fork", forked) == stored("spawn", spawned)


@pytest.mark.system
def test_what_is_made_is_the_same(tmp_path: Path) -> None:
    forked, spawned = tmp_path / "forked", tmp_path / "spawned"
    assert outputs(CHAIN, "fork", forked) == outputs(CHAIN, "spawn", spawned)
    names = {path.name for path in (forked / "made").glob("*") if path.suffix in {".json", ".zip"}}
    assert "book.json" in names
    for name in {*names, "winner.cert.gz"}:
        assert (forked / "made" / name).read_bytes() == (spawned / "made" / name).read_bytes(), name


def test_another_way_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(START_VARIABLE, "forkserver")
    with pytest.raises(
        BadUsage, match=r"^LITTLE_GO_START is 'forkserver': set it to spawn, or on Linux and macOS to fork$"
    ):
        start_method()


@pytest.mark.parametrize(("system", "expected"), [("linux", "fork"), ("darwin", "spawn"), ("win32", "spawn")])
def test_the_system_decides_where_the_variable_does_not(
    system: str, expected: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv(START_VARIABLE, raising=False)
    monkeypatch.setattr(sys, "platform", system)
    assert start_method() == expected


#: Parts of multiprocessing that modules other than crew.workers may use, because they neither start a process nor
#: change the start method.
HARMLESS = {"active_children", "RawArray", "cpu_count", "parent_process"}


def test_processes_are_started_in_one_place() -> None:
    for room in ROOMS - MAKERS:
        for path in (ROOT / room).rglob("*.py"):
            if path == ROOT / "crew" / "workers.py":
                continue
            for node in ast.walk(ast.parse(path.read_text("utf-8"))):
                if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
                    assert node.value.id != "multiprocessing" or node.attr in HARMLESS, f"{path}: {node.attr}"
                if isinstance(node, ast.ImportFrom):
                    names = {name.name for name in node.names}
                    assert "ProcessPoolExecutor" not in names, path
                    assert (node.module or "").split(".")[0] != "multiprocessing" or names <= HARMLESS, path
