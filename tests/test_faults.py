"""What a user gets wrong costs one line, in one style, before any work; names that a terminal lacks cost nothing."""

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from little_go.__main__ import main

ROOT = Path(__file__).parents[1]

GAME = "2,2 1,1 1,2 2,1 3,1 3,2 1,3 0,2 2,3 3,3"
TWO = "(;SZ[5];B[cc];W[bb])(;SZ[5];B[cc];W[bd])"

#: Command lines, and what they print on standard error after "Error: ", with nothing on standard output.
FAULTS = {
    "review nosuch": "nosuch does not exist: name a file of games, or moves such as 2,2 1,1 PASS",
    "review 'no such.sgf'": "no such.sgf does not exist: name a file of games, or moves such as 2,2 1,1 PASS",
    "review two.sgf --svg g.txt": "cannot write 'g.txt': Not a directory",
    "review two.sgf --sgf g.txt": "cannot write 'g.txt': Not a directory",
    "review g.txt --svg nowhere/g.svg": "cannot write 'nowhere/g.svg': No such file or directory",
    "review g.txt --html nowhere/g.html": "cannot write 'nowhere/g.html': No such file or directory",
    "review g.txt --html folder": "cannot write 'folder': Is a directory",
    "review folder": "folder: this directory has no game, neither SGF nor JSON lines",
    "play --black nosuch.py --white greedy": (
        "cannot use agent 'nosuch.py': it does not exist; name a Python, Java or C++ file, or a directory"
    ),
    "play --black bots/nosuch --white greedy": (
        "cannot use agent 'bots/nosuch': it does not exist; name a Python, Java or C++ file, or a directory"
    ),
    "play --black greedy --white random --sgf nowhere/g.sgf": "cannot write 'nowhere/g.sgf': No such file or directory",
    f"query --moves '{GAME}' --why 9,9": (
        "--why: column 1: '9,9' is off the board: want i,j from 0,0 to 4,4, a vertex such as C3, or PASS"
    ),
    f"query --moves '{GAME}' --why 2,2": "--why: 2,2 is not legal here",
    f"query --moves '{GAME}' --svg nowhere/q.svg": "cannot write 'nowhere/q.svg': No such file or directory",
    "query --board folder": "folder: Is a directory",
    "query --lines folder": "folder: Is a directory",
    "query --input line.txt": "line.txt: 1 line, want 11: the colour, and two boards of 5 rows",
    "value --lines folder": "folder: Is a directory",
    "import folder --db own.db": "folder: Is a directory",
    "import garbage.csv.gz --db own.db": (
        "garbage.csv.gz, line 1: the columns are not ply,board,ko,passed,value,lo,hi,best,moves_known,origin,nodes"
    ),
    "book atlas folder": "folder: Is a directory",
    "book tree --out nowhere/x.svg": "cannot write 'nowhere/x.svg': No such file or directory",
    "book sgf --out folder": "cannot write 'folder': Is a directory",
    "open --page x": "x does not exist: make it with little-go explorer build --out x",
    "open --page 'my page.html'": (
        "my page.html does not exist: make it with little-go explorer build --out 'my page.html'"
    ),
    "status --db 'my store.db'": "my store.db does not exist: build it with little-go import --db 'my store.db'",
    "check folder": "folder: Is a directory",
}


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("folder").mkdir()
    Path("g.txt").write_text("2,2 1,1")
    Path("two.sgf").write_text(TWO)
    Path("line.txt").write_text("X\n")
    Path("garbage.csv.gz").write_text("garbage")
    return tmp_path


@pytest.mark.parametrize("line", FAULTS)
def test_a_fault_is_one_line_before_any_work(line: str, here: Path) -> None:
    before = sorted(here.iterdir())
    done = CliRunner().invoke(main, shlex.split(line))
    assert done.exit_code in (1, 2)
    assert (done.stdout, done.stderr) == ("", f"Error: {FAULTS[line]}\n")
    assert [path for path in sorted(here.iterdir()) if not path.name.startswith("own.db")] == before


def test_a_file_that_cannot_be_written_in_the_end_is_named_itself(here: Path) -> None:
    """Not the draft beside it, and no number of an open file."""
    Path("g.html.tmp").mkdir()
    done = CliRunner().invoke(main, ["review", "g.txt", "--nodes", "10", "--html", "g.html"])
    assert done.exit_code == 2
    assert re.fullmatch(r"Error: cannot write 'g\.html': [A-Z][a-z ]+", done.stderr.splitlines()[-1])


#: Nobody's terminal has all of these.
NAME = "李世石 ☃ Ł é"


#: Commands that show it, of short games.
NAMING = [
    "review named.sgf --nodes 10",
    "review named.sgf two.sgf --nodes 10",
    f"play --black '{NAME}=greedy' --white random --plies 4",
    f"tournament '{NAME}=greedy' random --games 1 --plies 4 --out kept --html page.html",
]


def check_name_is_shown(output: bytes, encoding: str) -> None:
    shown = output.decode(encoding)
    assert "\\u2603" in shown
    assert ("é" in shown) == ("é".encode(encoding) in output)


@pytest.fixture
def named(here: Path) -> None:
    Path("named.sgf").write_text(f"(;SZ[5]PB[{NAME}]PW[b];B[cc];W[bb])", "utf-8")


@pytest.mark.parametrize("encoding", ["latin-1", "cp1252", "cp437"])
@pytest.mark.parametrize("line", NAMING)
@pytest.mark.usefixtures("named")
def test_a_name_that_the_terminal_lacks_ends_nothing(encoding: str, line: str) -> None:
    done = CliRunner(charset=encoding).invoke(main, shlex.split(line), catch_exceptions=False)
    assert done.exit_code == 0, done.stderr_bytes
    check_name_is_shown(done.stdout_bytes, encoding)


@pytest.mark.usefixtures("named")
def test_a_process_finds_out_what_its_terminal_lacks() -> None:
    settings = {**os.environ, "PYTHONIOENCODING": "cp437", "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-m", "little_go", *shlex.split(NAMING[0])]
    done = subprocess.run(command, capture_output=True, env=settings, timeout=300)
    assert done.returncode == 0, done.stderr
    check_name_is_shown(done.stdout, "cp437")
