"""If another object is in place of a file, a command prints one line and exits with 2.

A row of SLOTS is a command with a placeholder for a file, and KINDS create the objects in its place. A finding is about
something that a command examined, so no row here exits with 1. tests/test_messages.py has the wording.
"""

import ctypes
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path

import pytest
from click.testing import CliRunner

from little_go.__main__ import main
from little_go.runtime.terminal import CANNOT
from tests.not_files import NOT_FILES
from tests.options import NO_SEARCH, unknown_words

ROOT = Path(__file__).parents[1]

#: By kind of an object in place of a file, the function that creates it.
KINDS: dict[str, Callable[[Path], object]] = {
    "missing": lambda path: None,
    "empty": lambda path: path.write_bytes(b""),
    "text": lambda path: path.write_text("hello world\n" * 5),
    "Greek": lambda path: path.write_text("Ωμέγα, 囲碁\n" * 3, "utf-8"),
    "Latin-1": lambda path: path.write_bytes("größe é\n".encode("latin-1")),
    "binary": lambda path: path.write_bytes(bytes(range(256)) * 8),
    "damaged gzip": lambda path: path.write_bytes(b"\x1f\x8b\x08\x00garbage"),
    "locked": lambda path: os.close(os.open(path, os.O_CREAT, 0)),
    **NOT_FILES,
}

#: Commands with a placeholder for a file, and the kinds that they accept, such as a store that a command creates.
NEW_STORE = {"missing", "empty"}
SLOTS: dict[str, set[str]] = {
    "query {}": set(),
    "query --game {}": set(),
    "query --board {}": set(),
    "query --input {}": set(),
    "query --lines {}": set(),
    "query --db {} --moves 2,2": set(),
    "query --book {} --moves 2,2": set(),
    "value --lines {}": set(),
    "review {}": set(),
    "review g.txt --book {}": set(),
    "doctor {}": set(),
    "doctor g.txt --course {}": {"empty"},
    "exam {}": set(),
    "exam greedy --paper {}": set(),
    # An empty course file has the terms of the newest year.
    "exam greedy --positions 1 --course {}": {"empty"},
    "grade {} --scheme 2025": set(),
    # A class is read in folders of another user, which only root can remove.
    "class {} --scheme 2025 --out x": {"locked"},
    "class class --scheme 2025 --late {} --out x": {"locked"},
    "class class --scheme 2025 --regrade {} --out x": {"locked"},
    "class class --scheme 2025 --canvas {} --out x": {"locked"},
    "gtp --book {}": set(),
    "play --black {} --white greedy": set(),
    "tournament {} greedy": set(),
    "import {} --db own.db": set(),
    "import --db {}": NEW_STORE,
    "book atlas {}": set(),
    "book compress --db {}": set(),
    "book moves --db {}": set(),
    "book drop --worker x --db {}": set(),
    "book tree --db {}": set(),
    "book sgf --db {}": set(),
    "open --page {}": set(),
    "solve --plies 8 --db {}": NEW_STORE,
    "generator run --plies 8 --db {}": NEW_STORE,
    "generator closure --db {}": set(),
    "status --db {}": set(),
    # This command expects a directory.
    "make --plies 6 --out {}": {"missing", "directory"},
    "generator pack --plies 8 --depth 2 --out {} --parts own": {"missing", "directory"},
    "check {}": set(),
    "proof fsck --db {}": set(),
    "proof verify --player {}": set(),
    "proof verify --book {}": set(),
}

WRONG = [slot for slot in SLOTS if unknown_words(slot)]
ROWS = [(slot, kind) for slot, accepted in SLOTS.items() if slot not in WRONG for kind in KINDS if kind not in accepted]

#: Linux's capabilities by which root reads and writes everything, as a mask, and the version of its structures.
_OVERRIDES, _VERSION = 0b110, 0x20080522


@contextmanager
def obeying_modes() -> Iterator[None]:
    """Make the modes of files apply to this thread, even if root runs it."""
    if os.geteuid() != 0:
        yield
        return
    system = ctypes.CDLL(None)
    head, sets = (ctypes.c_uint32 * 2)(_VERSION, 0), (ctypes.c_uint32 * 6)()
    assert system.capget(head, sets) == 0
    before = sets[0]
    sets[0] &= ~_OVERRIDES
    assert system.capset(head, sets) == 0
    try:
        yield
    finally:
        sets[0] = before
        assert system.capset(head, sets) == 0


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Change to a folder with a class of one student and a game."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "g.txt").write_text("2,2 1,1")
    (tmp_path / "class/ann").mkdir(parents=True)
    (tmp_path / "class/ann/my_player3.py").write_text("open('output.txt', 'w').write('PASS')\n")
    return tmp_path


def test_the_commands_have_the_options_of_the_table() -> None:
    assert WRONG == []


@pytest.mark.skipif(sys.platform != "linux", reason="capabilities and /dev/zero are Linux's")
@pytest.mark.parametrize(("slot", "kind"), ROWS, ids=lambda word: word)
def test_what_is_not_the_file_expected_is_one_line_and_bad_usage(slot: str, kind: str, here: Path) -> None:
    KINDS[kind](here / "it")
    with obeying_modes() if kind == "locked" else nullcontext():
        done = CliRunner().invoke(main, shlex.split(slot.format("it")), input="")
    assert isinstance(done.exception, SystemExit), done.exception
    last = done.stderr.splitlines()[-1]
    assert done.exit_code == CANNOT, last
    assert last.startswith("Error: ")
    assert re.search(r"\bit\b", last)
    assert "codec" not in last
    assert len(last) < 300
    assert not done.stdout or slot.startswith("review")


#: Commands that need no file in the working directory, and a command that needs one.
@pytest.mark.parametrize(
    ("line", "code"),
    [
        (f"query 2,2 {' '.join(NO_SEARCH)}", 0),
        ("review 2,2 --nodes 1", 0),
        ("puzzle 1", 0),
        ("query g.sgf", 2),
        ("check none", 2),
        ("doctor", 2),
    ],
)
def test_a_working_directory_that_was_deleted_is_no_traceback(line: str, code: int, tmp_path: Path) -> None:
    gone = tmp_path / "gone"
    gone.mkdir()
    shell = f"rmdir {shlex.quote(str(gone))} && exec {shlex.quote(sys.executable)} -m little_go {line}"
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        ["sh", "-c", shell], cwd=gone, capture_output=True, text=True, env=environment, stdin=subprocess.DEVNULL
    )
    assert "Traceback" not in done.stderr
    assert done.returncode == code, done.stderr
    assert code == 0 or len(done.stderr.splitlines()) == 1


@pytest.mark.parametrize(
    "line", [f"query --csv {' '.join(NO_SEARCH)}", "--help", "play --black random --white random --jsonl -"]
)
def test_a_reader_that_is_gone_is_no_error(line: str) -> None:
    """If head ends, the command before it in a pipe must not print an error."""
    read, write = os.pipe()
    os.close(read)
    words = [sys.executable, "-m", "little_go", *shlex.split(line)]
    done = subprocess.run(words, stdout=write, stderr=subprocess.PIPE, text=True, cwd=ROOT)
    os.close(write)
    assert "Error" not in done.stderr
    assert "Traceback" not in done.stderr
