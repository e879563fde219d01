"""Foreign text that is printed on a terminal."""

import io
import os
import pty
import signal
import subprocess
import sys
from pathlib import Path
from types import FrameType

import click
import pytest
from click.testing import CliRunner

from little_go.runtime.ctrl_c import interruptible
from little_go.runtime.errors import OneLineErrors
from little_go.runtime.terminal import PrintableStream, guarded, printable, unguarded

ROOT = Path(__file__).parents[2]

#: A text that clears a terminal, ends a C string, and reverses the direction of writing; half a character cannot be
#: encoded.
NAME = "\x1b[2J\x1b]0;mine\x07a\0\u202eb\ud800\r\u2028"
SEEN = "\\x1b[2J\\x1b]0;mine\\x07a\\x00\\u202eb\\ud800\\r\\u2028"

PRINTS = f"""
import click
from little_go.runtime.errors import OneLineErrors
@click.group(cls=OneLineErrors, expected=(ValueError,))
def main(): pass
@main.command()
def say(): click.echo({NAME!r} + "5\\u00d75 \\u2013")
@main.command()
def fail(): raise ValueError({NAME!r})
@main.command()
def show():
    from little_go.runtime.display import Display
    with Display() as display:
        display.show({NAME!r} + "[/b]", 1, 2)
        click.echo({NAME!r} + "out")
        click.echo({NAME!r} + "err", err=True)
        display.finished({NAME!r} + "[/b]")
main(prog_name="x")
"""


def test_text_is_made_printable_and_stays_text() -> None:
    assert printable(NAME) == SEEN
    for text in ("", "a\tb\n", "5\u00d75, 中文, é\u00a0\u3000\n", "👍🏽"):
        assert printable(text) == text


@click.group(cls=OneLineErrors, expected=(ValueError,))
def group() -> None:
    pass


@group.command()
@click.option("--err", is_flag=True)
def say(err: bool) -> None:
    click.echo(NAME, err=err)


@group.command()
def fail() -> None:
    raise ValueError(NAME)


@group.command()
@click.argument("n", type=int)
def count(n: int) -> None:
    raise click.UsageError("no\n  more.")


@pytest.mark.parametrize("words", [["say"], ["say", "--err"], ["fail"], [NAME]])
def test_a_command_prints_nothing_that_a_terminal_obeys(words: list[str]) -> None:
    output = CliRunner().invoke(group, words).output
    # If the output is not a terminal, click removes some control sequences itself, and writes unknown characters like
    # Python.
    assert "x1b]0;mine" in output
    assert not set(NAME) & set(output) - set("[2J]0;mineab")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["none"], "No such command 'none': see group --help"),
        (["say", "--err", "more"], "Got unexpected extra argument (more): see group say --help"),
        (["count", "x"], "N: 'x' is not a valid integer: see group count --help"),
        (["count", "1"], "no more: see group count --help"),
    ],
)
def test_a_wrong_command_line_is_one_line(words: list[str], message: str) -> None:
    done = CliRunner().invoke(group, words)
    assert (done.exit_code, done.output) == (2, f"Error: {message}\n")


def test_a_group_without_a_command_prints_its_help() -> None:
    done, asked = (CliRunner().invoke(group, words) for words in ([], ["--help"]))
    assert (done.exit_code, asked.exit_code) == (2, 0)
    assert done.output == asked.output
    assert asked.output.startswith("Usage: group [OPTIONS] COMMAND [ARGS]...\n")


@pytest.mark.parametrize("encoding", ["latin-1", "cp437", "ascii", "utf-8", "cp1252"])
@pytest.mark.parametrize("command", ["say", "fail"])
def test_no_terminal_lacks_a_character(encoding: str, command: str) -> None:
    environment = {**os.environ, "PYTHONIOENCODING": encoding, "PYTHONUTF8": "0"}
    done = subprocess.run([sys.executable, "-c", PRINTS, command], cwd=ROOT, env=environment, capture_output=True)
    assert rb"\x1b]0;mine\x07a\x00\u202eb\ud800" in done.stdout + done.stderr
    assert b"Traceback" not in done.stderr, done.stderr
    assert done.returncode == (2 if command == "fail" else 0)


def test_signs_that_an_encoding_lacks_are_written_in_ascii() -> None:
    # The child decodes its command line by the locale, which may be C.
    program = "from little_go.runtime.terminal import guarded\nwith guarded(): print('\\u2265+3 \\u25cb')"
    environment = {**os.environ, "PYTHONIOENCODING": "cp1252", "PYTHONUTF8": "0"}
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, env=environment, capture_output=True, check=True)
    assert done.stdout == rb">=+3 \u25cb" + b"\n"
    # The handler only replaces characters of a text to be written.
    with pytest.raises(UnicodeDecodeError):
        b"\xff".decode("ascii", errors="little-go")


def test_a_printable_stream_is_like_the_stream_under_it_except_for_what_is_written() -> None:
    under = io.TextIOWrapper(io.BytesIO(), "latin-1")
    stream = PrintableStream(under)
    assert stream.write("a\0é") == 3
    stream.writelines(iter(["\0\n", "b\n"]))
    stream.seek(0)
    assert [*stream] == ["a\\x00é\\x00\n", "b\n"]
    assert (stream.encoding, stream.errors, PrintableStream(io.StringIO()).encoding) == ("latin-1", "strict", "utf-8")
    assert unguarded(stream) is unguarded(under) is under


def test_after_a_command_the_streams_are_those_of_before_or_those_that_were_set_meanwhile() -> None:
    before, other = (sys.stdout, sys.stderr), io.StringIO()
    try:
        with guarded():
            ours = (sys.stdout, sys.stderr)
            assert not set(ours) & set(before)
            with guarded():
                assert (sys.stdout, sys.stderr) == ours
            assert (sys.stdout, sys.stderr) == ours
        assert (sys.stdout, sys.stderr) == before
        with guarded():
            sys.stdout = other
        assert (sys.stdout, sys.stderr) == (other, before[1])
        vars(sys)["stdout"] = None
        with guarded():
            assert sys.stdout is None
    finally:
        sys.stdout, sys.stderr = before


def test_what_is_printed_beside_a_bar_is_printable_too() -> None:
    parent, child = pty.openpty()
    with subprocess.Popen([sys.executable, "-c", PRINTS, "show"], cwd=ROOT, stdout=child, stderr=child) as process:
        os.close(child)
        seen = b""
        while True:
            try:
                seen += os.read(parent, 1 << 16)
            except OSError:
                break
        assert process.wait() == 0, seen
    os.close(parent)
    assert seen.count(rb"\x1b]0;mine\x07a\x00\u202eb") >= 3, seen
    for part in (b"\x1b[2J", b"\x1b]0", b"\0", "\u202e".encode()):
        assert part not in seen, part


def test_a_command_leaves_ctrl_c_as_it_was_or_as_it_was_set_meanwhile() -> None:
    def own(number: int, frame: FrameType | None) -> None:
        """Do nothing."""

    signal.signal(signal.SIGINT, signal.default_int_handler)
    with interruptible():
        assert signal.getsignal(signal.SIGINT) is not signal.default_int_handler
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    with interruptible():
        signal.signal(signal.SIGINT, own)
    assert signal.getsignal(signal.SIGINT) is own
    with interruptible():
        assert signal.getsignal(signal.SIGINT) is own


#: A program that raises Ctrl-C in a callback like those of the import locks, where an exception is lost.
IMPORTS = """
import signal, time, weakref
import click
from little_go.runtime.errors import OneLineErrors
signal.signal(signal.SIGINT, signal.default_int_handler)
names = {}
exec(compile("def cb(_):\\n raised(2)\\n for _ in range(9): pass", "<frozen importlib._bootstrap>", "exec"), names)
names["raised"] = signal.raise_signal
class Lock: pass
@click.group(cls=OneLineErrors)
def main(): pass
@main.command()
def work():
    lock = Lock()
    reference = weakref.ref(lock, names["cb"])
    del lock
    time.sleep(5)
    print("went on")
main(["work"])
"""


#: The test imitates a busy machine, on which the second signal arrives before the thread has started.
AT_ONCE = """
import threading
class Timer(threading.Timer):
    early = [2]
    def start(self):
        if self.early:
            signal.raise_signal(self.early.pop())
        super().start()
threading.Timer = Timer
"""


@pytest.mark.parametrize("before", ["", AT_ONCE])
def test_a_ctrl_c_that_comes_while_a_module_is_imported_is_not_lost(before: str) -> None:
    program = IMPORTS.replace("names = {}", before + "names = {}")
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, timeout=60, check=False
    )
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "interrupted\n")


#: A program that raises Ctrl-C in code that exec() runs, such as the methods of a dataclass.
TEXT = """
import signal, time
import click
from little_go.runtime.errors import OneLineErrors
@click.group(cls=OneLineErrors)
def main(): pass
@main.command()
def work():
    exec("import signal; signal.raise_signal(2)\\nfor _ in range(9): pass")
    time.sleep(5)
    print("went on")
main(["work"])
"""


def test_a_ctrl_c_in_text_that_is_run_does_not_change_the_exit_code(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(TEXT)
    environment = {**os.environ, "PYTHONPATH": f"{tmp_path}{os.pathsep}{ROOT}"}
    done = subprocess.run(
        [sys.executable, "-m", "mine"], cwd=tmp_path, env=environment, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "interrupted\n")


#: A program that raises Ctrl-C in a frame of contextlib, which would leave a context manager open.
CONTEXT = """
import contextlib, signal, time
import click
from little_go.runtime.errors import OneLineErrors
@click.group(cls=OneLineErrors)
def main(): pass
@main.command()
def work():
    text = "import signal; signal.raise_signal(2)\\nfor _ in range(9): pass\\nprint('closed')"
    exec(compile(text, contextlib.__file__, "exec"))
    time.sleep(5)
    print("went on")
main(["work"])
"""


def test_a_ctrl_c_in_contextlib_waits_until_it_has_closed() -> None:
    done = subprocess.run(
        [sys.executable, "-c", CONTEXT], cwd=ROOT, capture_output=True, text=True, timeout=60, check=False
    )
    assert (done.returncode, done.stdout, done.stderr) == (130, "closed\n", "interrupted\n")
