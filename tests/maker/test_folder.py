"""The directory in which a game is made, tested without making a game."""

import json
import re
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from little_go.maker import chain
from little_go.maker.__main__ import main
from little_go.maker.folder import JOURNAL, LOCK, OLD_JOURNAL, Folder, FolderError, open_folder, readme_of
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


REMEDY = "remove the directory, or give another --out"


@pytest.mark.parametrize(
    ("content", "fault"),
    [
        ("[" * 100_000, "not JSON"),
        ("[]", f"damaged: {REMEDY}"),
        ("{}", f"damaged: {REMEDY}"),
        ('{"format": 1, "plies": 2, "komi": 0.5, "steps": []}', f"damaged: {REMEDY}"),
        ('{"format": 1, "plies": 2, "komi": 0.5, "steps": {"solve": {"files": 1}}}', f"damaged: {REMEDY}"),
        ('{"format": 2, "plies": 2, "komi": 0.5, "steps": {}}', f"damaged: {REMEDY}"),
        ('{"format": 1, "plies": 3, "komi": 0.5, "steps": {}}', f"damaged: {REMEDY}"),
        ('{"format": 1, "plies": 2, "komi": "0.5", "steps": {}}', f"damaged: {REMEDY}"),
        (
            '{"format": 1, "plies": 4, "komi": 1.5, "steps": {}}',
            f"of the game of 4 plies, komi 1.5, not of 2 plies, komi 0.5: {REMEDY}",
        ),
    ],
)
def test_a_note_that_is_damaged_or_of_another_game_is_refused(content: str, fault: str, tmp_path: Path) -> None:
    old = tmp_path / OLD_JOURNAL
    old.write_text(content)
    assert refused(tmp_path) == f"Error: {old}: {fault}\n"
    assert old.read_text() == content


def test_a_directory_is_made_with_its_parents(tmp_path: Path) -> None:
    path = tmp_path / "games" / "small"
    for _ in range(2):
        with open_folder(path, GAME) as folder:
            assert folder.file("result") == path / "result"
    assert path.is_dir()


HEAD = '{"format": 2, "plies": 2, "komi": 0.5}\n'


@pytest.mark.parametrize("line", ["[]", "{}", "1", '["done", "x"]', '["done", "x", {"files": 1}]', '["gone", "x"]'])
def test_a_damaged_journal_is_refused(line: str, tmp_path: Path) -> None:
    (tmp_path / JOURNAL).write_text(f"{HEAD}{line}\n")
    assert refused(tmp_path).startswith(f"Error: {tmp_path / JOURNAL}: line 2 is broken or forged: ")
    with pytest.raises(FolderError, match="line 2 is broken or forged: "):
        Folder(tmp_path, GAME)


def test_a_directory_in_which_another_process_makes_a_game_is_refused(tmp_path: Path) -> None:
    program = (
        "import fcntl, sys; file = open(sys.argv[1], 'ab'); fcntl.lockf(file, fcntl.LOCK_EX); "
        "print(flush=True); sys.stdin.read()"
    )
    command = [sys.executable, "-c", program, str(tmp_path / LOCK)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == b"\n"
        assert refused(tmp_path) == f"Error: {tmp_path}: another process is making a game there\n"
        assert [each.name for each in tmp_path.iterdir()] == [LOCK]
        assert other.stdin is not None
        other.stdin.close()
    with open_folder(tmp_path, GAME) as folder:
        assert folder.done("solve") is None


def test_a_journal_of_another_game_is_refused(tmp_path: Path) -> None:
    (tmp_path / JOURNAL).write_text(HEAD.replace('"plies": 2', '"plies": 4'))
    assert f"{tmp_path / JOURNAL} belongs to a run with plies 4 instead of 2: " in refused(tmp_path)


def test_the_note_of_an_older_version_is_taken_over(tmp_path: Path) -> None:
    (tmp_path / "result").write_text("1")
    folder = Folder(tmp_path, GAME)
    folder.finish("solve", 1.0, {"winner": "Black", "value": 3}, ("result",))
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
        folder.finish("store", 1.26, {}, ())
        folder.finish("close", 1.0, {}, ())
        assert not folder.begin("player")
        folder.invalidate(("close", "player"))
    with open_folder(tmp_path, GAME) as folder:
        assert folder.done("store") == {"seconds": 1.3, "files": {}}
        assert folder.done("close") is None
        assert folder.begin("player")
        folder.finish("player", 1.0, {}, ())
        assert not folder.begin("player")


def test_a_step_whose_file_is_changed_or_gone_is_done_again(tmp_path: Path) -> None:
    with open_folder(tmp_path, GAME) as folder:
        folder.file("result").write_text("1")
        folder.finish("step", 1.0, {}, ("result",))
        assert folder.done("step")
        folder.file("result").write_text("2")
        assert folder.done("step") is None
        folder.file("result").unlink()
        assert folder.done("step") is None


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
        return {"winner": "Black", "value": 3}

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


def test_a_step_that_is_stopped_is_told_in_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(chain, "STEPS", {"solve": (lambda context: None, ())})
    before = signal.getsignal(signal.SIGINT)
    try:
        done = CliRunner().invoke(main, ["make", "--out", str(tmp_path), "--plies", "2", "--komi", "0.5"])
    finally:
        signal.signal(signal.SIGINT, before)
    assert (done.exit_code, done.stderr) == (130, "Not finished; the same command resumes\n")


def test_a_search_that_proves_no_winner_is_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def search_nothing(context: chain.StepContext, work: object, *, processes: bool) -> int:
        make_store(context.folder.file(chain.STORE), game=context.folder.game)
        return 0

    monkeypatch.setattr(chain, "_run_search", search_nothing)
    done = CliRunner().invoke(main, ["make", "--out", str(tmp_path), "--plies", "2", "--komi", "0.5"])
    assert done.exit_code != 0
    assert f"{tmp_path / chain.STORE}: does not prove who wins the game of 2 plies" in done.stderr


def recorded(**changed: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """Return the figures of the steps of a game that White wins, except for some steps."""
    steps: dict[str, dict[str, Any]] = {
        "solve": {"winner": "White", "value": -2, "seconds": 1234.5, "resumed": True},
        "book": {"positions": 5000, "seconds": 0.2, "resumed": False},
        "walk black": {"positions": 1000, "most_nodes": 70, "most_seconds": 0.5},
        "walk white": {"positions": 2345, "most_nodes": 6000, "most_seconds": 0.25},
        "check": {"lines": 1200},
        "page": {"bytes": 1},
    }
    return {**steps, **changed}


@pytest.mark.parametrize(
    ("game", "changed", "says"),
    [
        (GAME, {}, "\n\nWhite wins: in best play Black - White is -2, and the komi is 0.5.\n\n"),
        (GAME, {"solve": {"winner": "Black", "value": None}}, "\n\nBlack wins.\n\n"),
        (Variant(2, -0.5), {}, "\n\nBlack wins at once: his PASS on the first ply ends the game, and"),
        (GAME, {}, " walked through 3,345 positions, "),
        (GAME, {}, " book of 5,000 positions "),
        (
            GAME,
            {},
            "took 6,000 nodes and 0.50 s of CPU. A certificate of 1,200 lines was checked from the rules alone.\n",
        ),
        (GAME, {"check": {"lines": 0}}, "took 6,000 nodes and 0.50 s of CPU.\n"),
        (GAME, {}, "`winner.cert.gz`"),
        (GAME, {}, "`explorer.html`"),
        (GAME, {}, "\n|---|---|\n| solve | 1,234.5 since it resumed |\n| book | 0.2 |\n\n"),
    ],
)
def test_the_readme_has_the_figures_of_the_steps(game: Variant, changed: dict[str, Any], says: str) -> None:
    assert says in readme_of(game, recorded(**changed))


@pytest.mark.parametrize(
    ("step", "file"), [({"check": {"lines": 0}}, "`winner.cert.gz`"), ({"page": {"bytes": 0}}, "`explorer.html`")]
)
def test_the_readme_has_no_row_of_a_file_that_was_not_made(step: dict[str, Any], file: str) -> None:
    assert file not in readme_of(GAME, recorded(**step))


@pytest.mark.parametrize(
    ("step", "figure"), [(step, name) for step, row in recorded().items() for name in row if name != "resumed"]
)
def test_a_step_without_one_of_its_figures_is_done_again(step: str, figure: str, tmp_path: Path) -> None:
    whole = {"seconds": 1.5, "files": {}, **recorded()[step]}
    without = {name: whole[name] for name in whole if name != figure}
    for recorded_figures, is_done in ((whole, True), (without, False), ({**whole, figure: [1]}, False)):
        (tmp_path / JOURNAL).write_text(f"{HEAD}{json.dumps(['done', step, recorded_figures])}\n")
        with open_folder(tmp_path, GAME) as folder:
            assert (folder.done(step) is not None) == is_done
