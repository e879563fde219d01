"""The directory in which a game is made, without making one."""

import re
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from maker import chain
from maker.__main__ import main
from maker.folder import NOTE, Folder
from solver.family import Variant
from tests.not_files import NOT_FILES

GAME = Variant(2, 0.5)


def refused(out: Path) -> str:
    done = CliRunner().invoke(main, ["make", "--out", str(out), "--plies", "2", "--komi", "0.5"])
    assert done.exit_code == 1
    assert done.stdout == ""
    assert done.stderr.count("\n") == 1
    return done.stderr


@pytest.mark.parametrize("kind", NOT_FILES)
def test_a_note_that_is_no_file_is_refused(kind: str, tmp_path: Path) -> None:
    NOT_FILES[kind](tmp_path / NOTE)
    assert refused(tmp_path).startswith(f"Error: {tmp_path / NOTE}: ")


@pytest.mark.parametrize("content", ["[" * 100_000, "[]", "{}", '{"format": 1, "plies": 2, "komi": 0.5, "steps": []}'])
def test_a_damaged_note_is_refused(content: str, tmp_path: Path) -> None:
    (tmp_path / NOTE).write_text(content)
    assert refused(tmp_path).startswith(f"Error: {tmp_path / NOTE}: ")


@pytest.mark.parametrize("kind", sorted(NOT_FILES.keys() - {"too large"}))
def test_a_result_that_is_no_file_is_refused(kind: str, tmp_path: Path) -> None:
    folder = Folder(tmp_path, GAME, {})
    (tmp_path / "result").write_text("1")
    folder.note("step", 1.0, {}, ("result",))
    assert folder.done("step")
    (tmp_path / "result").unlink()
    NOT_FILES[kind](tmp_path / "result")
    with pytest.raises(OSError, match=re.escape(str(tmp_path / "result"))):
        folder.done("step")


def test_steps_whose_store_is_gone_are_done_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def solve(bench: chain.Bench) -> dict[str, Any]:
        bench.folder.file(chain.STORE).write_text("solved")
        return {}

    def close(bench: chain.Bench) -> dict[str, Any]:
        bench.folder.file(chain.STORE).write_text("closed")
        bench.folder.file(chain.README).write_text("# A game\n\nAbout it\n")
        return {}

    monkeypatch.setattr(chain, "STEPS", {"solve": (solve, ()), "close black": (close, ()), "readme": (close, ())})
    command = ["make", "--out", str(tmp_path / "out"), "--plies", "2", "--komi", "0.5"]
    assert "done before" not in CliRunner().invoke(main, command).stdout
    assert CliRunner().invoke(main, command).stdout.count("done before") == 3
    (tmp_path / "out" / chain.STORE).unlink()
    done = CliRunner().invoke(main, command)
    assert (done.exit_code, done.stdout.count("done before"), done.stdout.count(" of 3\n")) == (0, 0, 3)
    assert (tmp_path / "out" / chain.STORE).read_text() == "closed"
