"""The command ``python -m little_go.arena gtp``."""

import signal
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from little_go.arena.__main__ import main
from little_go.arena.gtp.engine import gtp as gtp_command
from tests.background import start
from tests.options import live_option

ROOT = Path(__file__).parents[3]
BOOK = str(ROOT / "book.json")


def gtp(*arguments: str, entry: str = "quit\n") -> Result:
    return CliRunner().invoke(main, ["gtp", *arguments], entry, catch_exceptions=False)


def test_commands_are_answered() -> None:
    result = gtp("--book", BOOK, entry="1 genmove b\n# to White\n2 foo\n\nquit\nname\n")
    assert (result.exit_code, result.stdout, result.stderr) == (0, "=1 C3\n\n?2 unknown command\n\n=\n\n", "")


def test_book_of_this_directory_is_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    result = gtp(entry="littlego-analyze 0.001\n")
    assert result.stdout.startswith("= C3 proven winner Black lo 3 hi 3 sources line+certificate+atlas+book\n")
    assert result.stderr == ""


def test_engine_plays_without_a_book_and_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("book.json").write_text("{}")
    result = gtp("--cpu", "0.1", live_option(gtp_command), "0.001", entry="littlego-analyze\ngenmove b\n")
    assert result.stdout.startswith("= C3 proven winner Black lo 3 hi 3 sources line+certificate+atlas\n")
    assert result.stdout.endswith("\n\n= C3\n\n")
    assert result.stderr.startswith("little-go: ")
    assert result.stderr.endswith(": playing without a book\n")


def test_book_that_ships_is_taken_elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    result = gtp(entry="littlego-analyze 0.001\n")
    assert result.stdout.startswith("= C3 proven winner Black lo 3 hi 3 sources line+certificate+atlas+book\n")


def test_book_that_cannot_be_used_exits_2_with_one_line(tmp_path: Path) -> None:
    (tmp_path / "damaged.json").write_text("{}")
    for name, words in (("missing.json", "No such file"), ("damaged.json", "not a Little-Go book")):
        result = gtp("--book", str(tmp_path / name))
        assert (result.exit_code, result.stdout) == (2, "")
        assert words in result.stderr
        assert result.stderr.count("\n") == 1


def test_interrupt_ends_cleanly_with_130() -> None:
    engine = start("arena", "gtp", "--book", BOOK)
    assert engine.stdin is not None
    assert engine.stdout is not None
    engine.stdin.write("name\n")
    engine.stdin.flush()
    assert engine.stdout.readline() == "= Little-Go\n"
    engine.send_signal(signal.SIGINT)
    _, err = engine.communicate(timeout=30)
    assert (engine.returncode, err) == (130, "interrupted\n")
