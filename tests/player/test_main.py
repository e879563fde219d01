"""The built script, run without the project in an empty directory, by this Python and by the graders' 3.7.

Tests about the start of Python start it. The rows of a table and the moves of games run in forks of a process that has
compiled the script.
"""

import contextlib
import json
import os
import random
import resource
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from little_go.arena.match.host import OPENING, State, input_text, judge
from little_go.book.files.reader import read_book
from little_go.player.__main__ import ROOT
from little_go.player.build import SCRIPT
from little_go.player.memory import MEMORY_FILE
from little_go.solver.family import COURSE
from little_go.solver.position import PASS, move_name, parse_move
from tests.player.forked import ForkedScript
from tools.programs import script_pythons

OPENING_INPUT = input_text(OPENING)


@pytest.fixture
def directory(tmp_path: Path) -> Path:
    shutil.copy(ROOT / SCRIPT, tmp_path)
    return tmp_path


@pytest.fixture(scope="module")
def forked() -> Iterator[dict[str, ForkedScript]]:
    """The script, compiled once by each interpreter for all tests of this file."""
    with ExitStack() as stack:
        yield {str(path): stack.enter_context(ForkedScript(str(path))) for path in script_pythons().values()}


@pytest.fixture
def script(forked: dict[str, ForkedScript], python: str) -> ForkedScript:
    return forked[python]


def ask(directory: Path, text: str | bytes | None) -> None:
    """Prepare a call as the host does: a new input.txt, no output.txt, and all other files unchanged."""
    (directory / "output.txt").unlink(missing_ok=True)
    if text is not None:
        (directory / "input.txt").write_bytes(text.encode() if isinstance(text, str) else text)


def call(
    python: str, directory: Path, text: str | bytes | None = None, cpu: float = 0.2
) -> subprocess.CompletedProcess[str]:
    """Start the script as the host does."""
    ask(directory, text)
    environment = {**os.environ, "LITTLE_GO_CPU": str(cpu), "PYTHONDONTWRITEBYTECODE": "1"}
    return subprocess.run([python, SCRIPT], cwd=directory, env=environment, capture_output=True, text=True, timeout=60)


def answer(directory: Path) -> str:
    return (directory / "output.txt").read_text()


def test_first_move(python: str, directory: Path) -> None:
    done = call(python, directory, OPENING_INPUT)
    assert done.returncode == 0
    assert done.stdout == ""
    assert done.stderr == "little-go: book.json: not found: playing without a book\n"
    assert parse_move(answer(directory)) in OPENING.position.legal_moves()[:-1]
    assert {path.name for path in directory.iterdir()} == {SCRIPT, "input.txt", "output.txt", MEMORY_FILE}


def test_no_module_beside_the_script_is_imported(python: str, directory: Path) -> None:
    shutil.copy(ROOT / "book.json", directory)
    for name in sys.stdlib_module_names:
        (directory / f"{name}.py").write_text("raise SystemExit(3)")
    done = call(python, directory, OPENING_INPUT)
    # The book next to the script is found in this case too.
    assert (done.returncode, done.stdout, done.stderr, answer(directory)) == (0, "", "", "2,2")


def test_no_module_in_the_working_directory_is_imported(python: str, directory: Path, tmp_path: Path) -> None:
    here = tmp_path / "here"
    here.mkdir()
    (here / "input.txt").write_text(OPENING_INPUT)
    for name in sys.stdlib_module_names:
        (here / f"{name}.py").write_text("raise SystemExit(3)")
    command = [python, str(directory / SCRIPT)]
    environment = {**os.environ, "LITTLE_GO_CPU": "0.1"}
    done = subprocess.run(command, cwd=here, env=environment, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    assert (here / "output.txt").exists()


@pytest.mark.parametrize(
    "text",
    [None, b"", b"1\r\n00000\r\n", b"\x00\xff", "7" + OPENING_INPUT[1:], OPENING_INPUT[:-1]],
    ids=["missing", "empty", "short", "binary", "colour", "short row"],
)
def test_bad_input_is_one_line_and_exit_code_2(script: ForkedScript, tmp_path: Path, text: str | bytes | None) -> None:
    ask(tmp_path, text)
    done = script.run(tmp_path)
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr.startswith("little-go: input.txt: ")
    assert done.stderr.count("\n") == 1
    assert not (tmp_path / "output.txt").exists()
    assert not (tmp_path / MEMORY_FILE).exists()


@pytest.mark.parametrize(
    "book",
    [b"", b"{", b'{"format": 99}', b"[]", b'{"format": 1}', b"\x00\xff", b"[" * 50000],
    ids=["empty", "cut off", "newer", "list", "bare", "binary", "deep"],
)
def test_a_broken_book_costs_one_line(script: ForkedScript, tmp_path: Path, book: bytes) -> None:
    (tmp_path / "book.json").write_bytes(book)
    ask(tmp_path, OPENING_INPUT)
    done = script.run(tmp_path, 0.01)
    assert done.returncode == 0
    assert parse_move(answer(tmp_path)) in OPENING.position.legal_moves()[:-1]
    assert done.stderr.endswith("playing without a book\n")
    assert done.stderr.count("\n") == 1


def test_the_shipped_book_answers_the_first_move(python: str, directory: Path) -> None:
    shutil.copy(ROOT / "book.json", directory)
    done = call(python, directory, OPENING_INPUT)
    assert (done.returncode, done.stderr) == (0, "")
    entry = read_book(str(directory / "book.json"), game=COURSE).find(OPENING.position)
    assert answer(directory) == move_name(entry.move)


def test_the_book_beside_the_script_comes_before_the_one_in_the_working_directory(python: str, directory: Path) -> None:
    elsewhere = directory / "elsewhere"
    elsewhere.mkdir()
    (directory / "book.json").write_text('{"format": 77}')
    (elsewhere / "book.json").write_text('{"format": 88}')
    (elsewhere / "input.txt").write_text(OPENING_INPUT)
    command = [python, f"../{SCRIPT}"]
    environment = {**os.environ, "LITTLE_GO_CPU": "0.1"}
    done = subprocess.run(command, cwd=elsewhere, env=environment, capture_output=True, text=True)
    assert "format 77" in done.stderr
    (directory / "book.json").unlink()
    done = subprocess.run(command, cwd=elsewhere, env=environment, capture_output=True, text=True)
    assert "format 88" in done.stderr


def late_state() -> State:
    rng = random.Random(5)
    state = OPENING
    while state.position.ply < 20:
        state = judge(state, move_name(rng.choice(state.position.legal_moves()[:-1])))
    return state


def test_a_senseless_budget_costs_one_line(script: ForkedScript, tmp_path: Path) -> None:
    state = late_state()
    ask(tmp_path, input_text(state))
    done = script.run(tmp_path, -1)
    assert done.returncode == 0
    assert parse_move(answer(tmp_path)) in state.position.legal_moves()
    assert "LITTLE_GO_CPU is '-1'" in done.stderr


def test_an_internal_error_leaves_the_early_move(python: str, directory: Path) -> None:
    script = directory / SCRIPT
    source = script.read_text()
    assert source.count("def choose_move(") == 1
    script.write_text(
        source.replace("def choose_move(", "def choose_move(*_, **__):\n    return 1 / 0\n\n\ndef unused(")
    )
    done = call(python, directory, OPENING_INPUT)
    assert done.returncode == 0
    assert answer(directory) == "2,2"
    assert done.stderr.splitlines()[-1].startswith("little-go: played at once after an internal error: ZeroDivision")
    assert "Traceback" not in done.stderr


def test_a_player_killed_in_mid_search_has_moved_legally(python: str, directory: Path) -> None:
    script = directory / SCRIPT
    script.write_text(
        script.read_text().replace(
            "def choose_move(", "def choose_move(*_, **__):\n    os.kill(os.getpid(), 9)\n\n\ndef x("
        )
    )
    assert call(python, directory, OPENING_INPUT).returncode == -9
    assert answer(directory) == "2,2"


#: Each call is killed at a different instant, and plays a different colour.
INSTANTS = [0, 1, *(pytest.param(seed, marks=pytest.mark.long) for seed in range(2, 20))]


@pytest.mark.parametrize("seed", INSTANTS)
def test_killed_at_any_instant_the_next_call_is_not_confused(
    python: str, script: ForkedScript, directory: Path, seed: int
) -> None:
    rng = random.Random(seed)
    state = OPENING
    while state.position.ply < 10 + seed % 2:
        # Our side is called at each of its plies with very little time, so that it knows the ply.
        if state.position.mover == 1 + seed % 2:
            ask(directory, input_text(state))
            assert script.run(directory, 0.001).returncode == 0
            state = judge(state, answer(directory))
        else:
            state = judge(state, move_name(rng.choice(state.position.legal_moves()[:-1])))
        if state.result is not None:
            return
    (directory / "input.txt").write_text(input_text(state))
    (directory / "output.txt").unlink(missing_ok=True)
    process = subprocess.Popen([python, SCRIPT], cwd=directory, stderr=subprocess.DEVNULL)
    with contextlib.suppress(subprocess.TimeoutExpired):
        process.wait(rng.random() * 0.6)
    process.kill()
    process.wait()
    if not (directory / "output.txt").exists():
        return  # too early for any move
    assert parse_move(answer(directory)) in state.position.legal_moves()
    state = judge(state, answer(directory))
    state = judge(state, move_name(rng.choice(state.position.legal_moves()[:-1])))
    before = json.loads((directory / MEMORY_FILE).read_text())["games"][str(state.position.mover)]
    ask(directory, input_text(state))
    assert script.run(directory, 0.001).returncode == 0
    after = json.loads((directory / MEMORY_FILE).read_text())["games"][str(state.position.mover)]
    if before[-1][1] == state.position.ply - 1:
        assert after[-1][1:] == [state.position.ply + 1, True]
    else:
        # If the script is killed between the early move and its note, it does not know the ply at the next call, and
        # notices this.
        assert not after[-1][2]


def start(python: str, directory: Path, **options: Any) -> subprocess.CompletedProcess[str]:
    """Run the script with the files in the directory; fail the test if it waits for ever."""
    environment = {**os.environ, "LITTLE_GO_CPU": "0.2", "PYTHONDONTWRITEBYTECODE": "1"}
    command = options.pop("command", [python, SCRIPT])
    return subprocess.run(
        command, cwd=directory, env=environment, stdout=subprocess.PIPE, text=True, timeout=60, check=False, **options
    )


def test_an_output_that_cannot_be_written_is_one_line(script: ForkedScript, tmp_path: Path) -> None:
    (tmp_path / "input.txt").write_text(OPENING_INPUT)
    (tmp_path / "output.txt").mkdir()
    done = script.run(tmp_path)
    assert done.returncode == 1
    first, second = done.stderr.splitlines()
    assert first == "little-go: output.txt: Is a directory"
    assert second.startswith("little-go: output.txt: the old file cannot be removed")


@pytest.mark.parametrize("name", [MEMORY_FILE, MEMORY_FILE + ".tmp", "output.txt.tmp", "output.txt", "book.json"])
@pytest.mark.parametrize("kind", ["fifo", "device", "link", "directory"])
def test_nothing_in_the_directory_makes_it_wait_or_write_elsewhere(
    script: ForkedScript, tmp_path: Path, name: str, kind: str
) -> None:
    (tmp_path / "kept").write_text("kept")
    (tmp_path / "input.txt").write_text(OPENING_INPUT)
    path = tmp_path / name
    if kind == "fifo":
        os.mkfifo(path)
    elif kind == "directory":
        path.mkdir()
    else:
        path.symlink_to("/dev/zero" if kind == "device" else "kept")
    done = script.run(tmp_path, 0.01)
    assert (tmp_path / "kept").read_text() == "kept"
    if (name, kind) == ("output.txt", "directory"):
        assert done.returncode == 1
        return
    assert done.returncode == 0
    assert parse_move(answer(tmp_path)) in OPENING.position.legal_moves()[:-1]
    lines = done.stderr.splitlines()
    assert len(lines) == 1
    assert lines[0].endswith("playing without a book")


def test_a_fifo_for_the_input_is_one_line(script: ForkedScript, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "input.txt")
    done = script.run(tmp_path)
    assert (done.returncode, done.stderr) == (2, "little-go: input.txt: cannot be read: Not a plain file\n")


def test_bad_input_leaves_no_old_move_standing(script: ForkedScript, tmp_path: Path) -> None:
    (tmp_path / "input.txt").write_text("nonsense")
    (tmp_path / "output.txt").write_text("2,2")
    assert script.run(tmp_path).returncode == 2
    assert not (tmp_path / "output.txt").exists()


@pytest.mark.parametrize("shell", ["2>&-", "2>/dev/full", "2>&- >&- <&-"])
def test_without_standard_error_it_moves_all_the_same(python: str, directory: Path, shell: str) -> None:
    shutil.copy(ROOT / "book.json", directory)
    (directory / "input.txt").write_text(OPENING_INPUT)
    # This makes the script write to standard error.
    (directory / "little_go_memory.json").write_text("nonsense")
    done = start(python, directory, command=["sh", "-c", f"LITTLE_GO_CPU=nonsense exec {python} {SCRIPT} {shell}"])
    assert (done.returncode, done.stdout) == (0, "")
    assert answer(directory) == "2,2"


def test_calls_at_once_in_one_directory_all_move(python: str, directory: Path) -> None:
    shutil.copy(ROOT / "book.json", directory)
    (directory / "input.txt").write_text(OPENING_INPUT)
    calls = [subprocess.Popen([python, SCRIPT], cwd=directory, stderr=subprocess.PIPE, text=True) for _ in range(3)]
    assert [call.communicate()[1] for call in calls] == [""] * 3
    assert [call.returncode for call in calls] == [0] * 3
    assert answer(directory) == "2,2"
    assert not list(directory.glob("*.tmp"))


def test_starting_up_is_cheap(python: str, directory: Path) -> None:
    def cpu() -> float:
        usage = resource.getrusage(resource.RUSAGE_CHILDREN)
        return usage.ru_utime + usage.ru_stime

    compilation = f"compile(open({SCRIPT!r}, encoding='ascii').read(), {SCRIPT!r}, 'exec')"
    started, compiled = [], []
    # The minimum of several times does not depend on the other work of the machine; under load more runs are needed.
    for _ in range(12):
        before = cpu()
        call(python, directory, OPENING_INPUT, cpu=0.001)
        started.append(cpu() - before)
        before = cpu()
        subprocess.run([python, "-c", compilation], cwd=directory, check=True)
        compiled.append(cpu() - before)
        # Python must compile the script at every start. The rest, including a first move, takes half of this time more.
        if len(started) >= 3 and min(started) < 2.4 * min(compiled):
            break
    else:
        pytest.fail(f"a start takes {min(started):.2f} s of CPU, its compilation {min(compiled):.2f}")


def finish(script: ForkedScript, directory: Path, colour: int, rng: random.Random) -> State:
    """Play a game against random moves, and return its end."""
    state = OPENING
    while state.result is None:
        position = state.position
        if position.mover == colour:
            ask(directory, input_text(state))
            done = script.run(directory, 0.03)
            assert done.returncode == 0
            assert done.stderr == "little-go: book.json: not found: playing without a book\n"
            move = answer(directory)
            assert parse_move(move) in position.legal_moves()
            last = json.loads((directory / MEMORY_FILE).read_text())["games"][str(colour)][-1]
            assert last[1:] == [position.ply + 1, True]
        else:
            moves = position.legal_moves()
            move = move_name(rng.choice(moves[:-1]) if moves[:-1] and rng.random() < 0.95 else PASS)
        state = judge(state, move)
    return state


@pytest.mark.parametrize("colour", [1, 2])
def test_a_whole_game_against_random_moves_is_won(script: ForkedScript, tmp_path: Path, colour: int) -> None:
    end = finish(script, tmp_path, colour, random.Random(colour))
    assert end.result is not None
    assert end.result.winner == colour
