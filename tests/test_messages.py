"""Provoked messages of all commands: they state the place, the fault, and the next command if there is one."""

import os
import re
import shlex
import sqlite3
import sys
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

import pytest
from click.testing import CliRunner

from little_go.__main__ import PACKAGES, group_of, main
from little_go.arena.gtp.engine import gtp
from little_go.arena.standings.entrants import BUILT_IN
from little_go.book.store.connection import NOT_OURS, missing_store
from little_go.book.store.store import open_store
from little_go.player.clock import MOST_BUDGET
from little_go.runtime import release
from little_go.runtime.errors import BadUsage, Finding
from little_go.runtime.hints import SHORT
from little_go.solver.family import Variant
from little_go.solver.position import OCCUPIED
from tests.options import LIVE, live_option, unknown_words
from tests.refusals import off_board

#: A game whose last plies any search solves immediately.
GAME = "2,2 1,1 1,2 2,1 3,1 3,2 1,3 0,2 2,3 3,3"
AFTER_8 = " ".join(GAME.split()[:8])

USAGE, FOUND = BadUsage.exit_code, Finding.exit_code


class Row(NamedTuple):
    """The fields are: a command line, its exit code, and parts of its last line, in order."""

    line: str
    code: int
    parts: tuple[str, ...]


def usage(line: str, *parts: str) -> Row:
    return Row(line, USAGE, parts)


def found(line: str, *parts: str) -> Row:
    return Row(line, FOUND, parts)


_NO_FILE = "No such file or directory"
_FOLDER = "folder: Is a directory"
_PIPE = "pipe: a pipe without a writer"
_GAMES = "does not exist: name a file of games, or moves such as 2,2 1,1 PASS"
# Many commands print these two messages, so only one row contains the text of each.
_STORE = str(missing_store(Path("none.db")))
_FOREIGN = f"text.db: {NOT_OURS}"
_OFF = off_board("9,9")
_AGENT = f"give {', '.join(BUILT_IN)}, gtp:COMMAND, cmd:COMMAND, or the path"
_COLUMNS = "the columns are not ply,board,ko,passed,value,lo,hi,best,moves_known,origin,nodes"
_KOMI = "komi 2: give a half such as 2.5, from -24.5 to 24.5"
_GTP_LIVE = live_option(gtp)
_SECONDS = "give a time such as 5, 60s, 5m or 2h"
_ROWS_OR_ALL = "give a number of rows, or all"
_EVEN = "7 plies: games have an even number of plies, 2 to 24"

ROWS = [
    # Missing files.
    usage("query none.sgf", "none.sgf does not exist: name a file, a link, a key, or moves"),
    usage("query https://example.org/", "https://example.org/ does not exist: name a file, a link, a key, or moves"),
    usage("query --game none.sgf", f"none.sgf: {_NO_FILE}"),
    usage("query --lines none", f"none: {_NO_FILE}"),
    usage("query --book none.json --moves 2,2", f"none.json: {_NO_FILE}"),
    usage("value --lines none", f"none: {_NO_FILE}"),
    usage("import none", f"none: {_NO_FILE}"),
    usage("check none", f"none: {_NO_FILE}"),
    usage("review none", f"none {_GAMES}"),
    usage("review 'no such.sgf'", f"no such.sgf {_GAMES}"),
    usage("review g.txt --book none", f"none: {_NO_FILE}"),
    usage("open --page none.html", "none.html does not exist: make it with little-go explorer build --out none.html"),
    usage("open --page 'my page.html'", "make it with little-go explorer build --out 'my page.html'"),
    usage("exam greedy --paper none", f"none: cannot be read: {_NO_FILE}"),
    usage("gtp --book none", f"none: {_NO_FILE}"),
    usage("proof verify --book none", f"none: {_NO_FILE}"),
    usage("book atlas none", f"none: {_NO_FILE}"),
    usage("class none --scheme 2025 --out x", "'none' does not exist: name a folder or a zip"),
    usage("class --course none.toml folder --out x", f"none.toml: cannot be read: {_NO_FILE}"),
    # A folder, a pipe.
    usage("review folder", "folder: this directory contains no games, neither SGF nor JSON lines"),
    usage("query --board folder", _FOLDER),
    usage("query --lines folder", _FOLDER),
    usage("value --lines folder", _FOLDER),
    usage("import folder --db own.db", _FOLDER),
    usage("book atlas folder", _FOLDER),
    usage("check folder", _FOLDER),
    usage("status --db folder", "--db: File 'folder' is a directory: see"),
    usage("query --board pipe", _PIPE),
    usage("value --lines pipe", _PIPE),
    usage("import pipe --db own.db", _PIPE),
    usage("check pipe", "pipe: not a plain file"),
    # Damaged files.
    usage("query bad.sgf", "bad.sgf: node 2, B: 'zz' is not a point of this board: write two letters from a to e"),
    usage("query bad.sgf:3", "bad.sgf: it has 1 game, and no game 3"),
    usage("query --game g.txt", "g.txt: no SGF: it has no game, which begins with (;"),
    usage("query --input line.txt", "line.txt: 1 line instead of 11: write the colour, and two boards of 5 rows"),
    usage("query --lines bad.json", "bad.json, line 1: column 2: not JSON"),
    usage("query --book bad.json --moves 2,2", "bad.json: not JSON"),
    usage("value --lines bad.json", "bad.json, line 1", "not JSON"),
    usage("review bad.json", "bad.json, game 1: not a game of the arena"),
    usage("review bad.sgf", "bad.sgf: node 2, B: 'zz' is not a point"),
    usage("gtp --book bad.json", "bad.json: not JSON"),
    usage("exam greedy --paper bad.json", "bad.json, line 1: not JSON: Expecting property name"),
    usage("import bad.csv --db own.db", f"bad.csv, line 1: {_COLUMNS}"),
    usage("import bad.csv.gz --db own.db", f"bad.csv.gz, line 1: {_COLUMNS}"),
    usage("import bad.cert.gz --db own.db", "not one of the shipped certificates", "little-go check bad.cert.gz"),
    usage("book atlas bad.csv", f"bad.csv, line 1: {_COLUMNS}"),
    usage("class --course bad.toml folder --out x", "bad.toml: not TOML", "(at line 1, column 5)"),
    usage("check bad.cert", "bad.cert: not a certificate: want the header line"),
    usage("check bad.cert.gz", "bad.cert.gz: not a certificate: the file cannot be unpacked from here on"),
    # Missing stores, foreign files, and stores of another game.
    usage("query --db none.db --moves 2,2", _STORE),
    usage("query --db empty.db --moves 2,2", "empty.db is empty: fill it with little-go import --db empty.db"),
    usage("query --db text.db --moves 2,2", _FOREIGN),
    usage("status --db none.db", _STORE),
    usage("status --db 'my store.db'", "my store.db does not exist: build it with little-go import --db 'my store.db'"),
    usage("status --db text.db", _FOREIGN),
    usage("status --db other.db", "other.db: not a Little-Go store: name another file"),
    usage("solve --db text.db", _FOREIGN),
    usage("solve --db eight.db", "eight.db: a store of the game of 8 plies, komi 0.5", "name another file"),
    usage("import --db eight.db", "eight.db: a store of the game of 8 plies, komi 0.5", "name another file"),
    usage("book sgf --db none.db", _STORE),
    usage("book compress --db none.db", _STORE),
    usage("book moves --db none.db", _STORE),
    usage("book drop --worker x --db none.db", _STORE),
    usage("book tree --db text.db", _FOREIGN),
    usage("proof fsck --db text.db", _FOREIGN),
    usage("generator closure --db none.db", "none.db: does not prove who wins", "first run little-go generator run"),
    usage(
        "generator pack --plies 8 --depth 2 --out none --parts own",
        "none/ply2/values does not exist: first run",
        "generator level --plies 8 --depth 2 --out none",
    ),
    usage("generator level --plies 8 --depth 8", "--depth is 8, but a game has 8 plies: give a smaller --depth"),
    # Output files that cannot be written, which is found before any work.
    usage("review two.sgf --svg g.txt", "cannot write 'g.txt': Not a directory"),
    usage("review two.sgf --sgf g.txt", "cannot write 'g.txt': Not a directory"),
    usage("review g.txt --svg nowhere/g.svg", f"cannot write 'nowhere/g.svg': {_NO_FILE}"),
    usage("review g.txt --html folder", "cannot write 'folder': Is a directory"),
    usage("review g.txt --html locked/g.html", "cannot write 'locked/g.html': Permission denied"),
    usage("query --moves 2,2 --svg locked/g.svg", "cannot write 'locked/g.svg': Permission denied"),
    usage(f"query --moves '{GAME}' --svg nowhere/q.svg", f"cannot write 'nowhere/q.svg': {_NO_FILE}"),
    usage("play --black greedy --white random --sgf nowhere/g.sgf", f"cannot write 'nowhere/g.sgf': {_NO_FILE}"),
    usage("book tree --out nowhere/x.svg", f"cannot write 'nowhere/x.svg': {_NO_FILE}"),
    usage("book sgf --out folder", "cannot write 'folder': Is a directory"),
    usage("train --out nowhere/x.json", f"cannot write 'nowhere/x.json': {_NO_FILE}"),
    usage("solve --db nowhere/x.db", f"nowhere/x.db: cannot write there: {_NO_FILE}"),
    usage("solve --db locked/x.db", "locked/x.db: cannot write there: Permission denied"),
    usage("proof certificate --claim 'black >= 3' --out nowhere/c", f"cannot write 'nowhere/c': {_NO_FILE}"),
    usage("generator atlas --depth 1 --out nowhere/a.csv --db own.db", f"cannot write 'nowhere/a.csv': {_NO_FILE}"),
    usage("make --out thesis", "thesis: contains other files", "give --out a new or empty directory"),
    usage("class --new g.txt", "g.txt exists already: give another name, or remove it"),
    # Positions and moves.
    usage("query 9,9", f"POSITION: column 1: {_OFF}"),
    usage("query --moves '2,2 2,2'", f"--moves: column 5: move 2: 2,2 is {OCCUPIED}"),
    usage("query --key x", "--key: 'x' is not a key: give a number of at most 61 bits"),
    usage("query big.sgf", "big.sgf: node 1, SZ: a board of size '19', but only 5 is possible here"),
    usage("query --board full.txt", "full.txt: ", "24 plies or more"),
    usage(f"query --moves '{GAME}' --why 9,9", f"--why: column 1: {_OFF}"),
    usage(f"query --moves '{GAME}' --why 2,2", "--why: 2,2 is not legal here"),
    usage("value 9,9", f"POSITION: column 1: {_OFF}"),
    usage("solver perft 3 9,9", f"POSITION: column 1: {_OFF}"),
    usage("proof certificate --claim 'black >= 3' --moves 9,9 --out c", f"--moves: column 1: {_OFF}"),
    usage("review 2,2 2,2 9,9", f"moves: column 9: {off_board('9,9')}"),
    # Agents.
    usage("play --black none --white greedy", "cannot use agent 'none'", _AGENT),
    usage("play --black none.py --white greedy", "cannot use agent 'none.py': it does not exist", "or a directory"),
    usage("play --black bots/none --white greedy", "cannot use agent 'bots/none': it does not exist"),
    usage("play --black greedy --white human --jsonl -", "human needs standard output: give --jsonl a file"),
    usage("play --black gtp:none --white greedy", "cannot use agent 'gtp:none': no program 'none'"),
    usage("tournament greedy none", "cannot use agent 'none'", _AGENT),
    usage("tournament greedy", "give two or more different agents"),
    usage("tournament greedy random --again", "so it needs --out"),
    usage("exam none", "cannot use agent 'none'", _AGENT),
    usage("exam human", "human cannot take an exam: use little-go puzzle"),
    usage("grade none --scheme 2025", "cannot use agent 'none'", _AGENT),
    usage("doctor none", "'none' is neither a file nor a directory"),
    usage(
        "doctor folder", "folder: no .py, .java or .cpp file: give the folder with your program, such as my_player3.py"
    ),
    usage("doctor g.txt", "'g.txt' is not a .py, .java or .cpp file: start other programs with cmd:COMMAND"),
    usage("class folder --scheme 2025 --out x", "'folder' contains no submission: neither a folder nor a zip"),
    *(
        usage(line, "no Python interpreter 'no-python'")
        for line in (
            "play --black agent.py --white random --python no-python",
            "tournament greedy agent.py --python no-python",
            "grade agent.py --python no-python",
        )
    ),
    usage("tournament greedy human", "human cannot play here"),
    usage("grade human", "human cannot play here"),
    usage("tournament greedy random greedy", "give two or more different agents"),
    usage("tournament greedy random --out g.txt/x", "cannot use"),
    usage("grade greedy --stage 1 --out g.txt/x", "cannot use"),
    usage("proof verify --player none.py", "none.py: No such file"),
    usage("proof verify --player agent.py", "agent.py: not a player of Little-Go, because it has no choose_move"),
    usage("proof verify --player broken.py", "broken.py: "),
    usage("proof verify --book agent.py", "agent.py: not JSON"),
    # Values of options.
    *(
        usage(f"{command} {given}", f"{given.split()[0]}{message}")
        for command, messages in {
            "play --black random --white random": {
                "--games 0": ": 0 is not in the range x>=1",
                "--cpu 0": ": 0.0 is not in the range x>0",
                "--wall -1": ": -1.0 is not in the range x>0",
                "--seed x": ": 'x' is not a valid integer",
            },
            "gtp": {
                "--cpu 0": f": 0.0 is not in the range 0<x<={MOST_BUDGET}",
                "--cpu 10": f": 10.0 is not in the range 0<x<={MOST_BUDGET}",
                f"{_GTP_LIVE} 0": ": 0.0 is not in the range x>0",
                f"{_GTP_LIVE} x": f" is 'x': {_SECONDS}",
            },
            "tictactoe": {
                "--episodes -1": ": -1 is not in the range x>=0",
                "--alpha 0": ": 0.0 is not in the range 0<x<=1",
                "--gamma 1.1": ": 1.1 is not in the range 0<=x<=1",
                "--epsilon x": ": 'x' is not a valid float",
            },
            "train --out q": {
                "--against human": ": 'human' is not one of 'self', ",
                "--episodes 0": ": 0 is not in the range x>=1",
                "--epsilon 2": ": 2.0 is not in the range 0<=x<=1",
            },
            "review 2,2": {"--nodes 0": ": 0 is not in the range x>=1"},
            "exam greedy": {
                "--theme chess": ": 'chess' is not one of 'rules', ",
                "--positions 0": ": 0 is not in the range x>=1",
            },
            "proof fsck": {
                f"--prove {value}": f" is '{value}': {_ROWS_OR_ALL}" for value in ("some", "0", "-3", "1.5")
            },
        }.items()
        for given, message in messages.items()
    ),
    *(
        usage(f"{command} {option} {value}", f"{value} plies: games have" if option == "--plies" else f"komi {value}: ")
        for command in ("play --black random --white random", "tournament random greedy", "make --out x", "query")
        for option, value in (("--plies", 26), ("--komi", 3), ("--komi", "nan"), ("--komi", 99), ("--komi", 99.5))
    ),
    usage("exam greedy --html nowhere/page.html", "cannot write 'nowhere/page.html'"),
    usage("query --only kernel --table 1048576GiB", "does not fit"),
    usage("value '' --lines -", "give POSITION or --lines, not both"),
    usage("value PASS --table 24MiB", "--table is '24MiB': give a power of two, such as 256MiB or 2GiB"),
    usage("solver perft 1 'PASS PASS'", "POSITION: column 6: move 2: the game is over"),
    usage("proof certificate --claim 'black = 3' --out c", "--claim is 'black = 3'", "with N from -24 to 24"),
    usage("proof certificate --claim 'black >= 25' --out c", "N from -24 to 24"),
    usage("proof certificate --claim 'black >= 3' --left 13 --out c", "--left is 13", "an even number of plies"),
    usage("proof certificate --claim 'black <= 3' --moves '2,2 2,2' --out c", f"2,2 is {OCCUPIED}"),
    usage("proof certificate --claim 'black <= 3' --moves PASS --out c", "after which the game is over"),
    # Files of another game.
    usage("query --plies 8 --key 864691128455135232", "24 plies are left, and the game has 8"),
    usage("query --plies 8 --ply 9 2,2", "the line has plies 0 to 1, and not 9"),
    usage("query --plies 8 --ply 9 ...../..X../...../...../.....", "ply 9 is not within 0 to 8"),
    usage('query --plies 8 \'{"black": 1, "white": 0, "ply": 0}\'', "the game starts from the empty board"),
    usage("query --plies 8 --moves '0,0 0,1 0,2 0,3 0,4 1,0 1,1 1,2 1,3'", "move 9: the game is over"),
    usage("query '(;RU[Little-Go: stones alone count, 7 plies];B[cc])'", "7 plies: games have an even number"),
    usage('query \'{"moves": "2,2", "komi": 3}\'', "komi 3: give a half"),
    usage("query 'explorer.html#moves=2,2&komi=3'", "komi 3: give a half"),
    usage("query 'explorer.html#moves=2,2&plies=x'", "its plies and komi are not numbers"),
    usage("query --plies 8 explorer.html#moves=2,2", "it is of a game of 24 plies", "this one is of 8 plies"),
    usage("query --komi 2", _KOMI),
    usage("make --komi 2 --out x", _KOMI),
    usage("play --black greedy --white random --komi 2", _KOMI),
    usage("make --plies 7 --out x", _EVEN),
    usage("query --plies 7", _EVEN),
    usage("solve --plies 7", "--plies is 7, which is odd: give an even number"),
    usage("family --plies 50", "--plies is 50: give an even number of plies, 2 to 30"),
    usage(f"query {LIVE} soon", f"{LIVE} is 'soon': {_SECONDS}"),
    usage("query --table 3MiB", "--table is '3MiB': give 16MiB or more, in whole MiB"),
    usage("solve --table 5MB", "--table is '5MB': give a size such as 256MiB or 2GiB"),
    usage("query --ply 3", "--ply needs exactly one position: give POSITION"),
    usage("query --json --csv", "give --json or --csv, not both"),
    usage("query --moves 2,2 --board g.txt", "give one of --moves, --board, not 2"),
    usage("query --only none", "--only: 'none' is not one of", "'store', 'certificate', 'atlas', 'book', 'kernel'"),
    usage("puzzle 9999", "there is no puzzle 9999 or later: give a number up to 360"),
    usage("puzzle --theme none", "--theme: 'none' is not one of", "'last-plies'"),
    usage("value", "give POSITION or --lines"),
    usage("check game-at-least-3 --notes x --sample 2", "--notes needs exactly one certificate and no --sample"),
    usage("proof certificate --claim no --out c", '--claim is \'no\': give "black >= N" or "black <= N"'),
    usage("book schema none", "no table or view is named 'none': give one of positions, "),
    usage("open --port 99999", "--port: 99999 is not in the range"),
    usage("play --black greedy", "give --white AGENT, the agent that plays White"),
    usage("none", "no command 'none': see little-go --help"),
    # Findings.
    found(
        f"proof certificate --claim 'black >= 24' --moves '{AFTER_8}' --left 16 --out c", "black >= 24 does not hold"
    ),
]

WRONG = [row for row in ROWS if unknown_words(row.line)]


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Create the files that the rows use."""
    here = tmp_path_factory.mktemp("messages")
    texts = {
        "g.txt": "2,2 1,1",
        "agent.py": "x = 1\n",
        "broken.py": "1 / 0\n",
        "two.sgf": "(;SZ[5];B[cc];W[bb])(;SZ[5];B[cc];W[bd])",
        "bad.sgf": "(;SZ[5];B[zz])",
        "big.sgf": "(;SZ[19];B[cc])",
        "bad.json": "{\n",
        "bad.csv": "a,b\n",
        "bad.csv.gz": "garbage",
        "bad.toml": "x = \n",
        "bad.cert": "garbage\n",
        "bad.cert.gz": "garbage\n",
        "line.txt": "X\n",
        "full.txt": "XXXXX\n" * 5,
        "text.db": "garbage\n" * 100,
        "empty.db": "",
        "thesis/chapter.tex": "",
    }
    for folder in ("folder", "thesis", "locked"):
        (here / folder).mkdir()
    for name, text in texts.items():
        (here / name).write_text(text)
    os.mkfifo(here / "pipe")
    with closing(sqlite3.connect(here / "other.db")) as db:
        db.execute("CREATE TABLE positions (key INTEGER PRIMARY KEY)")
    open_store(here / "eight.db", write=True, game=Variant(8, 0.5)).close()
    return here


@pytest.fixture
def here(files: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Change to the folder of the files, as a user who may not write into ``locked``. Modes do not stop root."""
    monkeypatch.chdir(files)
    allowed = os.access

    def access(path: str | Path, mode: int) -> bool:
        return not (mode & os.W_OK and Path(path).name == "locked") and allowed(path, mode)

    monkeypatch.setattr(os, "access", access)
    return files


def contains(line: str, parts: tuple[str, ...]) -> bool:
    """Return whether a line contains all parts, in order."""
    return re.search(".*".join(map(re.escape, parts)), line) is not None


def test_the_commands_have_the_options_of_the_rows() -> None:
    assert [row.line for row in WRONG] == []


@pytest.mark.parametrize("row", [row for row in ROWS if row not in WRONG], ids=lambda row: row.line)
def test_a_message_names_what_is_wrong_and_what_helps(row: Row, here: Path) -> None:
    before = sorted(here.rglob("*"))
    done = CliRunner().invoke(main, shlex.split(row.line), input="")
    assert isinstance(done.exception, SystemExit), done.exception
    line = (done.stderr or done.stdout).splitlines()[-1]
    assert contains(line, row.parts), line
    assert done.exit_code == row.code
    assert len([each for each in done.output.splitlines() if each.startswith("Error: ")]) == line.startswith("Error: ")
    assert "docs/" not in line
    # The lock file of a store stays next to the store.
    made = {path.name for path in set(here.rglob("*")) - set(before)}
    assert made <= {"own.db-writer", "eight.db-writer", "own.db.new-writer"}


def test_the_rows_are_of_every_command() -> None:
    named = {tuple(shlex.split(row.line)[:2]) for row in ROWS}
    called = {SHORT.get(first, (first, second)) for first, second in (each for each in named if len(each) == 2)}
    commands = {(room, name) for room in PACKAGES for name in group_of(room).commands}
    # The commands that read no file, or that build the project's files in a clone.
    quiet = {("explorer", "build"), ("player", "build"), ("generator", "demo")}
    assert commands - called == quiet | {("generator", "run")}


@pytest.mark.parametrize("room", PACKAGES)
def test_a_help_names_one_document_and_no_target_of_make(room: str) -> None:
    group = group_of(room)
    for name in group.commands:
        shown = CliRunner().invoke(group, [name, "--help"]).output
        assert shown.count("docs/") <= shown.count("Read next: docs/")
        # The page can be built only in a clone.
        assert "`make " not in shown or name == "build"


def test_a_page_that_an_installed_user_lacks_is_not_theirs_to_build(
    here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(release, "_COPIES", here)
    done = CliRunner().invoke(main, ["open", "--page", "none.html"])
    assert (done.exit_code, done.stderr) == (2, "Error: none.html does not exist\n")


@pytest.mark.skipif(sys.platform != "linux", reason="the device is Linux's")
def test_a_full_disk_is_one_line_and_bad_usage() -> None:
    done = CliRunner().invoke(main, shlex.split("play --black random --white random --jsonl /dev/full"))
    assert (done.exit_code, done.stderr.splitlines()[-1]) == (2, "Error: /dev/full: No space left on device")
