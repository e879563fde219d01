"""What people do with Little-Go on macOS and Windows, as far as taking those systems' gaps can show it."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.shell_blocks import ROOT

pytestmark = pytest.mark.system

#: A job, the words after ``little-go``, and what stands in its output. DB is a store with the atlas, NEW none yet.
JOBS = [
    ("build a database", "import data/atlas.csv.gz --db NEW", "13,532 of them new"),
    ("ask what is stored", "query --db DB --moves '2,2 1,1'", "Proven: Black wins"),
    ("ask with a search", "query --moves '2,2 1,1 1,2 2,1 3,1 3,2 2,3 1,3 0,2'", "kernel"),
    ("ask why", "query --why 1,1 --moves 2,2", "1,1"),
    ("see what a database has", "status --db DB", "Next"),
    ("solve a short game", "solve --plies 8 --db NEW", "complete"),
    ("check a certificate", "check --sample 5 --workers 2 game-at-least-3", "no error in 5"),
    ("check a database", "proof fsck --db DB", "no faults"),
    ("count leaves", "solver perft 3", "13,800"),
    ("look for the page", "explorer build --check", ""),
]


def run(system: str, words: str) -> "subprocess.CompletedProcess[str]":
    """Run little-go as on a system; words: as for a shell."""
    command = f"{sys.executable} tests/imitation.py {system} {words}"
    return subprocess.run(command, shell=True, cwd=ROOT, capture_output=True, text=True, timeout=240, check=False)


@pytest.fixture(scope="module", params=["darwin", "win32"])
def system(request: pytest.FixtureRequest) -> str:
    """Name a system, as sys.platform does there."""
    return str(request.param)


@pytest.fixture(scope="module")
def store(system: str, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a store that was built as on the system."""
    path = tmp_path_factory.mktemp("store") / "book.db"
    assert run(system, f"import data/atlas.csv.gz --db {path}").returncode == 0
    return path


@pytest.mark.parametrize(("job", "words", "expected"), JOBS, ids=[job for job, _, _ in JOBS])
def test_a_job_is_done(system: str, store: Path, tmp_path: Path, job: str, words: str, expected: str) -> None:
    done = run(system, words.replace("DB", str(store)).replace("NEW", str(tmp_path / "new.db")))
    assert done.returncode == 0, done.stderr
    assert re.search(expected, done.stdout + done.stderr)
    assert "Traceback" not in done.stderr
