"""The directory in which a game is made, tested without making a game."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from little_go.maker import chain
from little_go.maker.__main__ import main
from little_go.maker.folder import JOURNAL, OLD_JOURNAL, Folder, open_folder
from little_go.solver.family import Variant
from tests.book.positions import make_store
from tests.not_files import NOT_FILES

GAME = Variant(2, 0.5)


def refused(out: Path) -> str:
    done = CliRunner().invoke(main, ["make", "--out", str(out), "--plies", "2", "--komi", "0.5"])
    assert done.exit_code == 2
    assert done.stdout == ""
    assert done.stderr.count("\n") == 1
    return done.stderr


@pytest.mark.parametrize("kind", NOT_FILES)
@pytest.mark.parametrize("name", [JOURNAL, OLD_JOURNAL])
def test_a_note_that_is_no_file_is_refused(name: str, kind: str, tmp_path: Path) -> None:
    NOT_FILES[kind](tmp_path / name)
    assert refused(tmp_path).startswith(f"Error: {tmp_path / name}: ")


@pytest.mark.parametrize("content", ["[" * 100_000, "[]", "{}", '{"format": 1, "plies": 2, "komi": 0.5, "steps": []}'])
def test_a_damaged_note_is_refused(content: str, tmp_path: Path) -> None:
    (tmp_path / OLD_JOURNAL).write_text(content)
    assert refused(tmp_path).startswith(f"Error: {tmp_path / OLD_JOURNAL}: ")


HEAD = '{"format": 2, "plies": 2, "komi": 0.5}\n'


@pytest.mark.parametrize("line", ["[]", "{}", "1", '["done", "x"]', '["done", "x", {"files": 1}]', '["gone", "x"]'])
def test_a_damaged_journal_is_refused(line: str, tmp_path: Path) -> None:
    (tmp_path / JOURNAL).write_text(f"{HEAD}{line}\n")
    assert refused(tmp_path).startswith(f"Error: {tmp_path / JOURNAL}: line 2 is broken or forged: ")


def test_a_journal_of_another_game_is_refused(tmp_path: Path) -> None:
    (tmp_path / JOURNAL).write_text(HEAD.replace('"plies": 2', '"plies": 4'))
    assert f"{tmp_path / JOURNAL} belongs to a run with plies 4 instead of 2: " in refused(tmp_path)


def test_the_note_of_an_older_version_is_taken_over(tmp_path: Path) -> None:
    (tmp_path / "result").write_text("1")
    folder = Folder(tmp_path, GAME)
    folder.finish("solve", 1.0, {"nodes": 3}, ("result",))
    done = folder.done("solve")
    folder.close()
    (tmp_path / JOURNAL).unlink()
    old = {"format": 1, "plies": 2, "komi": 0.5, "begun": "close", "steps": {"solve": done}}
    (tmp_path / OLD_JOURNAL).write_text(json.dumps(old, indent=1))
    with open_folder(tmp_path, GAME) as folder:
        assert folder.done("solve") == done
        assert not (tmp_path / OLD_JOURNAL).exists()
    with open_folder(tmp_path, GAME) as folder:
        assert folder.done("solve") == done
        assert folder.begin("close")


def test_a_step_that_is_forgotten_is_done_again(tmp_path: Path) -> None:
    with open_folder(tmp_path, GAME) as folder:
        folder.finish("solve", 1.0, {}, ())
        folder.finish("close", 1.0, {}, ())
        assert not folder.begin("book")
        folder.invalidate(("close", "book"))
    with open_folder(tmp_path, GAME) as folder:
        assert folder.done("solve")
        assert folder.done("close") is None
        assert folder.begin("book")
        folder.finish("book", 1.0, {}, ())
        assert not folder.begin("book")


@pytest.mark.parametrize("kind", NOT_FILES)
def test_a_result_that_is_no_file_is_refused(kind: str, tmp_path: Path) -> None:
    folder = Folder(tmp_path, GAME)
    (tmp_path / "result").write_text("1")
    folder.finish("step", 1.0, {}, ("result",))
    assert folder.done("step")
    (tmp_path / "result").unlink()
    NOT_FILES[kind](tmp_path / "result")
    with pytest.raises(OSError, match=re.escape(str(tmp_path / "result"))):
        folder.done("step")


def test_steps_whose_store_is_gone_are_done_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def solve(context: chain.StepContext) -> dict[str, Any]:
        context.folder.file(chain.STORE).write_text("solved")
        return {}

    def close(context: chain.StepContext) -> dict[str, Any]:
        context.folder.file(chain.STORE).write_text("closed")
        context.folder.file(chain.README).write_text("# A game\n\nAbout it\n")
        return {}

    monkeypatch.setattr(chain, "STEPS", {"solve": (solve, ()), "close black": (close, ()), "readme": (close, ())})
    command = ["make", "--out", str(tmp_path / "out"), "--plies", "2", "--komi", "0.5"]
    assert "done before" not in CliRunner().invoke(main, command).stdout
    assert CliRunner().invoke(main, command).stdout.count("done before") == 3
    (tmp_path / "out" / chain.STORE).unlink()
    done = CliRunner().invoke(main, command)
    assert (done.exit_code, done.stdout.count("done before"), done.stdout.count(" of 3\n")) == (0, 0, 3)
    assert (tmp_path / "out" / chain.STORE).read_text() == "closed"


def test_a_search_that_proves_no_winner_is_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def search_nothing(context: chain.StepContext, work: object, *, processes: bool) -> int:
        make_store(context.folder.file(chain.STORE), game=context.folder.game)
        return 0

    monkeypatch.setattr(chain, "_run_search", search_nothing)
    done = CliRunner().invoke(main, ["make", "--out", str(tmp_path), "--plies", "2", "--komi", "0.5"])
    assert done.exit_code != 0
    assert f"{tmp_path / chain.STORE}: does not prove who wins the game of 2 plies" in done.stderr
