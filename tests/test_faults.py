"""Unprintable names do not stop a command, and the message about a file that cannot be written contains this file."""

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

TWO = "(;SZ[5];B[cc];W[bb])(;SZ[5];B[cc];W[bd])"


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("g.txt").write_text("2,2 1,1")
    Path("two.sgf").write_text(TWO)
    return tmp_path


def test_a_file_that_cannot_be_written_in_the_end_is_named_itself(here: Path) -> None:
    """The message contains neither the draft next to the file nor a file descriptor."""
    Path("g.html.tmp").mkdir()
    done = CliRunner().invoke(main, ["review", "g.txt", "--nodes", "10", "--html", "g.html"])
    assert done.exit_code == 2
    assert re.fullmatch(r"Error: cannot write 'g\.html': [A-Z][a-z ]+", done.stderr.splitlines()[-1])


#: No terminal has all of these characters.
NAME = "李世石 ☃ Ł é"


#: Commands about short games that show this.
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
