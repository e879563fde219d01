"""Games made without earlier results: the contents of their directories agree with plain minimax."""

import json
import os
import random
import re
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from click.testing import CliRunner, Result

from little_go.__main__ import main as little_go
from little_go.book.files.reader import BookError, read_book
from little_go.book.store.facts import StoreError
from little_go.book.store.store import open_store
from little_go.generator.__main__ import main as generator
from little_go.generator.questions.closure import Closure
from little_go.maker import chain
from little_go.maker.__main__ import main
from little_go.maker.folder import JOURNAL, Folder, open_folder
from little_go.proof.checker.certificate import read_certificate
from little_go.proof.checker.rules import Claim
from little_go.proof.verify import Script
from little_go.runtime.display import Display
from little_go.solver.exact import ExactSolver
from little_go.solver.family import COURSE, Variant
from little_go.solver.native.kernel import Kernel
from little_go.solver.native.table import open_table
from little_go.solver.position import PASS, Position, parse_move
from tests.solver import minimax

#: The options of the smallest game.
SMALL = ["--plies", "2", "--komi", "0.5"]

#: The options of a game that Black wins by a PASS on the first ply.
PASSED = ["--plies", "2", "--komi", "-1.5"]


def steps_in(out: Path) -> dict[str, dict[str, Any]]:
    """Return, by name of a finished step, its record, in the order of the steps."""
    events = [json.loads(line) for line in (out / JOURNAL).read_text().splitlines()[1:]]
    return {step: noted[0] for kind, step, *noted in events if kind == "done"}


def run(out: Path, *options: str) -> Result:
    done = CliRunner().invoke(main, ["make", "--out", str(out), "--workers", "1", "--table", "16MiB", *options])
    assert done.exit_code == 0, done.output
    return done


def make(out: Path, *options: str) -> str:
    return run(out, *options).output


def state_of(game: Variant) -> minimax.State:
    return minimax.START._replace(left=game.plies)


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The game of 4 plies with komi 0.5."""
    out = tmp_path_factory.mktemp("maker") / "four"
    make(out, "--plies", "4", "--komi", "0.5")
    return out


class Run(NamedTuple):
    """A run that made a game. lines: its standard output. parts: the line, count and total of each shown progress."""

    out: Path
    lines: list[str]
    parts: list[tuple[str, int, int]]
    seconds: float


def recorded(out: Path, *options: str) -> Run:
    """Make a game, and return the run."""
    parts: list[tuple[str, int, int]] = []
    began = time.monotonic()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Display, "part", lambda _, *part: parts.append(part))
        lines = run(out, *options).stdout.splitlines()
    return Run(out, lines, parts, time.monotonic() - began)


@pytest.fixture(scope="module")
def small_run(tmp_path_factory: pytest.TempPathFactory) -> Run:
    """The run that made the game of 2 plies with komi 0.5, for which every step is done too."""
    return recorded(tmp_path_factory.mktemp("maker") / "two", *SMALL)


@pytest.fixture(scope="module")
def passed_run(tmp_path_factory: pytest.TempPathFactory) -> Run:
    """The run that made the game of 2 plies with komi -1.5, which Black wins by a PASS."""
    return recorded(tmp_path_factory.mktemp("maker") / "passed", *PASSED)


@pytest.fixture(scope="module")
def small(small_run: Run) -> Path:
    return small_run.out


def size(file: Path) -> int:
    return file.stat().st_size


def steps_printed(results: dict[str, str]) -> list[str]:
    """Return the lines of all steps. results: the lines with the results of steps, by step."""
    lines = ((f"{name}: step {number} of 12", results.get(name)) for number, name in enumerate(chain.STEPS, start=1))
    return [line for both in lines for line in both if line]


def test_a_run_prints_each_step_and_its_result(small_run: Run) -> None:
    out = small_run.out
    results = {
        "store": f"{out / 'proof.db'}: 7 positions, 0 choices of ours: no faults",
        "book": f"{out / 'book.json'}: 0 positions",
        "player": f"{out / 'player.zip'}: {size(out / 'player.zip'):,} bytes",
        "walk black": "ply  0:        1 positions, 1 lost; moves: exact 1",
        "walk white": "ply  1:        6 positions, 6 won; moves: exact 6; worst exact search 1 nodes, TIME",
        "certificate": f"{out / 'winner.cert.gz'}: black <= 0, 6 lines",
        "check": f"{out / 'winner.cert.gz'}: proved, 6 lines by the interpreter",
        "page": f"{out / 'explorer.html'}: {size(out / 'explorer.html'):,} bytes",
    }
    first, *steps, last = (re.sub(r"\d\.\d\d s$", "TIME", line) for line in small_run.lines)
    assert first == f"{out}: the game of 2 plies, komi 0.5"
    assert steps == steps_printed(results)
    assert last == "White wins: in best play Black - White is +0, and the komi is 0.5."


def test_a_run_without_a_search_prints_why(passed_run: Run) -> None:
    out = passed_run.out
    results = {
        "solve": "Black wins at once: a PASS on the first ply ends the game, and White's komi is below zero",
        "store": f"{out / 'proof.db'}: 0 positions, 0 choices of ours: no faults",
        "book": f"{out / 'book.json'}: 0 positions",
        "player": f"{out / 'player.zip'}: {size(out / 'player.zip'):,} bytes",
        "walk black": "ply  0:        1 positions, 1 won; moves: pass 1",
        "walk white": "ply  1:        6 positions, 6 lost; moves: exact 6",
        "certificate": "no certificate: the rules alone decide this game",
        "page": f"{out / 'explorer.html'}: {size(out / 'explorer.html'):,} bytes",
    }
    first, *steps, last = passed_run.lines
    assert first == f"{out}: the game of 2 plies, komi -1.5"
    assert steps == steps_printed(results)
    assert last == "Black wins at once: his PASS on the first ply ends the game, and White's komi is below zero."


def test_the_progress_of_each_step_ends_at_its_total(small_run: Run) -> None:
    ends = [("positions and choices", 7), ("ply 0", 1), ("ply 1", 6), ("ply 1", 6), ("lines checked", 6)]
    assert [(line, total) for line, done, total in small_run.parts if done == total] == ends


def figures_in(out: Path) -> dict[str, dict[str, Any]]:
    """Return the figures of each step that every run finds again, by step."""
    kept = {
        name: {key: step[key] for key in step if key not in ("seconds", "most_seconds", "files", "resumed")}
        for name, step in steps_in(out).items()
    }
    return {name: figures for name, figures in kept.items() if figures}


def test_the_journal_has_the_figures_of_each_step(small_run: Run, passed_run: Run) -> None:
    out, passed = small_run.out, passed_run.out
    assert figures_in(out) == {
        "solve": {"winner": "White", "value": 0, "nodes": 14},
        "close black": {"positions": 0, "nodes": 0},
        "close white": {"positions": 0, "nodes": 0},
        "store": {"positions": 7, "choices": 0},
        "book": {"positions": 0, "bytes": size(out / "book.json")},
        "player": {"bytes": size(out / "player.zip")},
        "walk black": {"positions": 1, "most_nodes": 0},
        "walk white": {"positions": 6, "most_nodes": 1},
        "certificate": {"claim": "black <= 0", "lines": 6},
        "check": {"lines": 6, "again": 0},
        "page": {"bytes": size(out / "explorer.html")},
    }
    assert figures_in(passed) == {
        **figures_in(out),
        "solve": {"winner": "Black", "value": None, "nodes": 0},
        "store": {"positions": 0, "choices": 0},
        "book": {"positions": 0, "bytes": size(passed / "book.json")},
        "player": {"bytes": size(passed / "player.zip")},
        "walk white": {"positions": 6, "most_nodes": 0},
        "certificate": {"claim": None, "lines": 0},
        "check": {"lines": 0},
        "page": {"bytes": size(passed / "explorer.html")},
    }
    for each in (small_run, passed_run):
        assert 0 < sum(step["seconds"] for step in steps_in(each.out).values()) < each.seconds + 1


def test_the_store_has_the_settings_of_its_searches(small: Path) -> None:
    with open_store(small / "proof.db", game=Variant(2, 0.5)) as store:
        settings = [run["parameters"] for run in store.runs()]
    expected = {
        "made": "2 plies, komi 0.5",
        "workers": 1,
        "budget": None,
        "table_mib": 16,
        "keep_nodes": 100_000,
        "seed": 0,
        "scheduler": None,
        "recheck": 0.0,
    }
    assert settings == [expected] * 3


def test_the_certificate_claims_that_the_winner_wins(small: Path) -> None:
    game = Variant(2, komi=0.5)
    assert minimax.value(state_of(game)) < game.komi
    assert read_certificate(str(small / "winner.cert.gz")).claim == Claim(False, game.least - 1)


@pytest.mark.parametrize("plies", [2, pytest.param(4, marks=pytest.mark.long)])
def test_the_start_is_worth_what_plain_minimax_says(plies: int) -> None:
    kernel = Kernel(open_table(16))
    game = Variant(plies, komi=COURSE.komi)
    expected = minimax.value(state_of(game))
    assert kernel.value(game.start).value == expected
    # The PASS on the first ply ends the game, at any length.
    assert game.start.play(PASS).is_over
    for move in game.start.legal_moves()[:-1:3]:
        after = minimax.after(state_of(game), move)
        assert after is not None
        assert kernel.value(game.start.play(move)).value == minimax.value(after)


def test_a_made_directory(made: Path) -> None:
    assert {
        "README.md",
        "book.json",
        "my_player3.py",
        "explorer.html",
        "player.zip",
        "proof.db",
        "winner.cert.gz",
        JOURNAL,
    } <= {each.name for each in made.iterdir()}
    assert json.loads((made / JOURNAL).read_text().splitlines()[0]) == {"format": 2, "plies": 4, "komi": 0.5}
    steps = steps_in(made)
    # Both sides have the same number of stones, and no stone can be captured.
    assert steps["solve"]["value"] == 0
    assert steps["solve"]["winner"] == "White"
    assert not any(step.get("resumed") for step in steps.values())
    assert "# Little-Go, 4 plies, komi 0.5" in (made / "README.md").read_text()


def test_the_readme_lists_the_files_that_are_there(made: Path, small: Path, passed_run: Run) -> None:
    """The README does not list the lock of a step, and it does not list a missing file."""
    for out in (made, small, passed_run.out):
        table = (out / "README.md").read_text().partition("| step |")[0]
        named = {
            name for row in re.findall(r"^\| (`.*?) \|", table, re.MULTILINE) for name in re.findall("`(.+?)`", row)
        }
        assert named | {"player.zip", "README.md"} == {each.name for each in out.iterdir()}


def test_a_check_that_was_stopped_with_another_certificate_begins_again(small: Path, tmp_path: Path) -> None:
    out = shutil.copytree(small, tmp_path / "out")
    head = {"certificate": "another", "checker": "another", "chunks": 7}
    (out / chain.CHECKED).write_text(json.dumps(head) + "\n")
    with open_folder(out, Variant(2, 0.5)) as folder:
        folder.invalidate(("check", "page", "readme"))
        folder.begin("check")
    make(out, *SMALL)
    assert steps_in(out)["check"]["lines"] == steps_in(small)["check"]["lines"] > 0
    assert {each.name for each in out.iterdir()} == {each.name for each in small.iterdir()}


def test_the_status_of_a_store_is_that_of_its_game(made: Path) -> None:
    asked = ["status", "--db", str(made / "proof.db")]
    record = json.loads(CliRunner().invoke(generator, [*asked, "--json"]).output)
    assert record["game"] == {"plies": 4, "komi": 0.5}
    assert (record["games"][-1]["plies"], record["games"][-1]["winner"]) == (4, "White")
    assert record["plies"]["0"] == {"exact": 1, "decided": 0, "undecided": 0}
    command = f"little-go make --plies 4 --komi 0.5 --out {made}"
    assert record["next"] == [command]
    text = CliRunner().invoke(generator, asked).output
    assert "Games from the empty board, komi 0.5 (value: stones Black - White)" in text
    assert "   4 plies: White wins, value +0\n" in text
    assert "Atlas" not in text
    assert text.endswith(f"Next\n  {command}\n")


def test_made_again_nothing_changes(made: Path) -> None:
    before = {each.name: each.read_bytes() for each in made.iterdir() if each.is_file()}
    output = make(made, "--plies", "4", "--komi", "0.5")
    assert output.count("done before") == 12
    assert {each.name: each.read_bytes() for each in made.iterdir()} == before


@pytest.mark.system
def test_two_workers_make_the_bytes_that_one_makes(made: Path, tmp_path: Path) -> None:
    done = CliRunner().invoke(
        main, ["make", "--plies", "4", "--komi", "0.5", "--out", str(tmp_path / "out"), "--workers", "2"]
    )
    assert done.exit_code == 0, done.output
    for name in ("winner.cert.gz", "book.json", "my_player3.py", "player.zip", "explorer.html"):
        assert (tmp_path / "out" / name).read_bytes() == (made / name).read_bytes(), name


def test_a_step_that_was_stopped_is_marked_as_resumed(made: Path, tmp_path: Path) -> None:
    out = shutil.copytree(made, tmp_path / "out")
    with open_folder(out, Variant(4, 0.5)) as folder:
        folder.invalidate(("check", "page", "readme"))
        folder.begin("check")
    make(out, "--plies", "4", "--komi", "0.5")
    steps = steps_in(out)
    assert [name for name, step in steps.items() if step.get("resumed")] == ["check"]
    assert f"| check | {steps['check']['seconds']} since it resumed |" in (out / "README.md").read_text()


def test_the_book_has_the_won_positions_that_take_the_script_too_long(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With a smaller node limit, the same game has a larger book, and no search of a won position exceeds the limit."""
    limit, game, books, began = 150, Variant(8, 0.5), [], time.monotonic()
    for nodes in (chain.SLOW_NODES, limit):
        monkeypatch.setattr(chain, "SLOW_NODES", nodes)
        output = make(tmp_path / str(nodes), "--plies", "8", "--komi", "0.5")
        books.append(read_book(str(tmp_path / str(nodes) / "book.json"), game))
    assert "the book gets the moves of" in output
    fast, slow = (len(list(book.items())) for book in books)
    assert fast < slow
    steps = steps_in(tmp_path / str(limit))
    assert steps["book"]["positions"] == slow
    assert all(0 < steps[walk]["most_nodes"] <= limit for walk in ("walk black", "walk white"))
    assert all(0 <= step["seconds"] < time.monotonic() - began for step in steps.values())
    for position, entry in books[1].items():
        solver = ExactSolver()
        answer = solver.decide(position, game.least)
        assert game.winner(answer) == position.mover
        assert answer.nodes > limit
        after = position.play(entry.move)
        assert (
            game.leader(after) if after.is_over else game.winner(solver.decide(after, game.least))
        ) == position.mover
    assert make(tmp_path / str(limit), "--plies", "8", "--komi", "0.5").count("done before") == 12


def test_what_is_noted_of_a_closing_is_the_sum_of_its_plies(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """In the game of 4 plies these are the positions before the last two plies: the empty board, the six first moves,
    and the positions after two plies.
    """
    parts: list[tuple[str, int, int]] = []
    monkeypatch.setattr(chain, "LAST_LEFT", 2)
    monkeypatch.setattr(Display, "part", lambda _, *part: parts.append(part))
    context = chain.StepContext(Folder(tmp_path, Variant(4, 0.5)), 1, 16)
    chain.STEPS["solve"][0](context)
    for colour, plies in (("black", ["0", "2"]), ("white", ["1"])):
        capsys.readouterr()
        figures = chain.STEPS[f"close {colour}"][0](context)
        printed = re.findall(rf"{colour}, ply +(\d+): +(\d+) positions", "".join(capsys.readouterr()))
        assert [ply for ply, _ in printed] == plies
        assert figures is not None
        assert figures["positions"] == sum(int(count) for _, count in printed)
    assert printed == [("1", "6")]
    parts.clear()
    figures = chain.STEPS["store"][0](context)
    assert figures == {"positions": 27, "choices": 22}
    # The check of the store shows each position and each choice.
    assert parts == [("positions and choices", done, 49) for done in range(1, 50)]


def test_what_is_gone_is_made_again(made: Path) -> None:
    script = made / "my_player3.py"
    before = script.read_bytes()
    script.write_bytes(b"")
    output = make(made, "--plies", "4", "--komi", "0.5")
    assert output.count("done before") == 5
    assert script.read_bytes() == before


def test_a_store_that_contradicts_itself_ends_the_run(made: Path, tmp_path: Path) -> None:
    out = shutil.copytree(made, tmp_path / "out")
    with closing(sqlite3.connect(out / "proof.db")) as db, db:
        db.execute("UPDATE positions SET best_move = 25, lo = 9, hi = 9 WHERE ply = 20")
    with open_folder(out, Variant(4, 0.5)) as folder:
        folder.invalidate(("store",))
    done = CliRunner().invoke(main, ["make", "--plies", "4", "--komi", "0.5", "--out", str(out)])
    assert done.exit_code == 1
    last = done.output.splitlines()[-1]
    assert last.startswith(f"Error: {out / 'proof.db'}: the best move, PASS, cannot keep +9")


def rows(position: Position) -> str:
    return "".join(f"{row}\n" for row in position.rows())


def answer(script: Path, folder: Path, before: Position, now: Position) -> int:
    """Call the player as the host does."""
    (folder / "input.txt").write_text(f"{now.mover}\n{rows(before)}{rows(now)}")
    subprocess.run([sys.executable, script], cwd=folder, check=True, capture_output=True)
    return parse_move((folder / "output.txt").read_text())


def test_the_player_wins_its_own_game(made: Path, tmp_path: Path) -> None:
    game, rng = Variant(4, 0.5), random.Random(4)
    assert Script(made / "my_player3.py", made / "book.json").game == game
    for number in range(3):
        folder = tmp_path / str(number)
        folder.mkdir()
        before = now = game.start
        while not now.is_over:
            mine = now.mover == 2
            # Black does not PASS, because this would end the game with a win of White.
            move = answer(made / "my_player3.py", folder, before, now) if mine else rng.choice(now.legal_moves()[:-1])
            before, now = now, now.play(move)
        assert game.leader(now) == 2
        # The player makes two moves, and knows that the second is its last move of the game.
        assert json.loads((folder / "little_go_memory.json").read_text())["games"]["2"][-1][1] == 24


@pytest.mark.system
def test_commands_take_the_files_of_a_made_game(made: Path, tmp_path: Path) -> None:
    store = ("--db", str(made / "proof.db"))
    for words in (["book", "moves"], ["status"], ["proof", "fsck"]):
        done = CliRunner().invoke(little_go, [*words, *store])
        assert done.exit_code == 0, done.output
    done = CliRunner().invoke(little_go, ["book", "compress", "--all", *store, "--out", str(tmp_path / "book.json")])
    assert done.exit_code == 0, done.output
    assert list(read_book(str(tmp_path / "book.json"), Variant(4, 0.5)).items())
    # This test starts the player in separate processes.
    command = [sys.executable, "-m", "little_go", "doctor", str(made / "my_player3.py")]
    examined = subprocess.run(command, capture_output=True, text=True)
    assert examined.returncode == 0, examined.stdout
    assert "it plays the game of 4 plies, komi 0.5" in examined.stdout
    for words, file in ((["book", "tree"], "tree.svg"), (["book", "sgf", "--depth", "1"], "tree.sgf")):
        done = CliRunner().invoke(little_go, [*words, *store, "--out", str(tmp_path / file)])
        assert done.exit_code == 0, done.output
    assert "4 plies, komi 0.5" in (tmp_path / "tree.svg").read_text()
    assert "RU[Little-Go: stones alone count, 4 plies]" in (tmp_path / "tree.sgf").read_text()


def test_files_of_another_game_are_refused_by_both_names(made: Path) -> None:
    both = "4 plies, komi 0.5.* 24 plies, komi 2.5"
    with pytest.raises(BookError, match=both):
        read_book(str(made / "book.json"), game=COURSE)
    with pytest.raises(StoreError, match=both):
        open_store(made / "proof.db", game=COURSE)
    done = CliRunner().invoke(main, ["make", "--plies", "8", "--out", str(made)])
    assert done.exit_code == 2
    assert done.output == (
        f"Error: {made / JOURNAL} belongs to a run with plies 4 instead of 8, komi 0.5 instead of 2.5: remove the"
        " directory, or give another --out\n"
    )


def test_a_directory_with_other_files_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "thesis.txt").write_text("mine")
    done = CliRunner().invoke(main, ["make", "--out", str(tmp_path)])
    assert done.exit_code == 2
    assert done.output.count("\n") == 1
    assert [each.name for each in tmp_path.iterdir()] == ["thesis.txt"]


def test_black_wins_by_a_pass_where_komi_is_below_zero(passed_run: Run) -> None:
    out = passed_run.out
    assert not (out / "winner.cert.gz").exists()
    assert "winner.cert.gz" not in (out / "README.md").read_text()
    assert make(out, *PASSED).count("done before") == 12
    assert Script(out / "my_player3.py", out / "book.json").game.start == Position(ply=22, passed=True)
    status = CliRunner().invoke(generator, ["status", "--db", str(out / "proof.db")]).output
    assert status.startswith("Black wins at once: a PASS on the first ply ends the game")


@pytest.mark.parametrize("kills", [pytest.param(2, marks=pytest.mark.system), pytest.param(20, marks=pytest.mark.long)])
def test_killed_at_random_it_comes_to_the_same(small: Path, tmp_path: Path, kills: int) -> None:
    rng = random.Random(48)
    out = tmp_path / "out"
    command = [sys.executable, "-m", "little_go.maker", "make", "--out", str(out), "--workers", "1", "--table", "16MiB"]
    command += SMALL
    for _ in range(kills):
        process = subprocess.Popen(
            command, start_new_session=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        time.sleep(rng.uniform(0.5, 1.5))
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    for name in ("book.json", "my_player3.py", "player.zip", "winner.cert.gz"):
        assert (out / name).read_bytes() == (small / name).read_bytes()


@pytest.mark.parametrize("stops", [pytest.param(2, marks=pytest.mark.system), pytest.param(20, marks=pytest.mark.long)])
def test_ctrl_c_at_random_ends_in_one_line_of_ours(stops: int, tmp_path: Path) -> None:
    """One or two Ctrl-C at any moment of the run cause neither a traceback nor a message about a closed store."""
    rng = random.Random(62)
    command = [sys.executable, "-m", "little_go", "make", "--out", str(tmp_path / "out"), "--workers", "2", *SMALL]
    # The instants are not fixed seconds, because on a fast machine the run could end before them.
    began = time.monotonic()
    subprocess.run(command, check=True, capture_output=True, timeout=120)
    whole = time.monotonic() - began
    shutil.rmtree(tmp_path / "out")
    ends = set()
    for _ in range(stops):
        with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as process:
            assert process.stdout is not None
            assert "the game of 2 plies" in process.stdout.readline()
            time.sleep(rng.uniform(0, 0.5 * whole))
            for _ in range(rng.choice([1, 2, 3])):
                process.send_signal(signal.SIGINT)
                time.sleep(rng.uniform(0, 0.5))
            said = process.stdout.read()
        assert not re.search("Traceback|closed|ignored in|^Error", said, re.MULTILINE), said
        ends.add((process.returncode, said.splitlines()[-1]))
        if process.returncode == 0:
            shutil.rmtree(tmp_path / "out")
    stopped = {line for code, line in ends if code}
    assert stopped <= {"interrupted", "Not finished; the same command resumes"}
    assert stopped


@pytest.mark.system
def test_a_ctrl_c_that_comes_when_a_step_is_done_begins_no_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def close(closure: Closure, *_: object) -> None:
        signal.raise_signal(signal.SIGINT)

    monkeypatch.setattr(Closure, "close", close)
    out = tmp_path / "out"
    done = CliRunner().invoke(main, ["make", *SMALL, "--out", str(out), "--workers", "1", "--table", "16MiB"])
    assert done.exit_code == 130
    assert "close black: step 2" in done.output
    assert "close white: step 3" not in done.output
    assert "close black: step 2" in make(out, *SMALL[:4])


@pytest.mark.parametrize("stops", [pytest.param(3, marks=pytest.mark.system), pytest.param(60, marks=pytest.mark.long)])
def test_no_step_begins_after_a_ctrl_c(stops: int, tmp_path: Path) -> None:
    """After one Ctrl-C at a random instant of the run, the exit code is 130, and only our last line is printed."""
    rng = random.Random(60)
    command = [sys.executable, "-m", "little_go", "make", "--out", str(tmp_path / "out"), "--workers", "2", *SMALL]
    begun = time.monotonic()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    whole, late = time.monotonic() - begun, 0
    for _ in range(stops):
        shutil.rmtree(tmp_path / "out")
        log = tmp_path / "log"
        with log.open("w") as file, subprocess.Popen(command, stdout=file, stderr=file) as process:
            while "the game of" not in log.read_text():
                time.sleep(0.01)
            time.sleep(rng.uniform(0, 0.5 * whole))
            before = log.read_text()
            process.send_signal(signal.SIGINT)
        after = log.read_text()[len(before) :]
        if process.returncode == 0:
            # The run had ended, or was printing its last lines.
            late += 1
            assert "readme: step 12 of 12" in before + after
            continue
        assert process.returncode == 130, before + after
        # A step may have begun between the reading of the log and the signal.
        assert len(re.findall(r": step \d", after)) <= 1, after
        assert after.splitlines()[-1] in ("interrupted", "Not finished; the same command resumes")
    assert late < stops


@pytest.mark.system
@pytest.mark.parametrize("kilobytes", [40, 400, pytest.param(200, marks=pytest.mark.long)])
def test_a_full_disk_costs_one_line_and_nothing_else(small: Path, tmp_path: Path, kilobytes: int) -> None:
    """The file system is too small for the store or for the page, and then it is enlarged."""
    disk = tmp_path / "disk"
    disk.mkdir()
    mounted = ["mount", "-t", "tmpfs", "-o", f"size={kilobytes}k", "tmpfs", str(disk)]
    if not shutil.which("mount") or subprocess.run(mounted, capture_output=True).returncode:
        pytest.skip("no right to mount a small file system here")
    try:
        options = [*SMALL, "--out", str(disk / "out"), "--workers", "1", "--table", "16MiB"]
        full = CliRunner().invoke(main, ["make", *options])
        assert full.exit_code == 2
        assert re.search(r"^Error: .* (?:disk is full|No space left on device)$", full.output.splitlines()[-1])
        assert not list((disk / "out").glob("*.tmp"))
        subprocess.run(["mount", "-o", "remount,size=50m", str(disk)], check=True)
        make(disk / "out", *options[:4])
        for name in ("book.json", "my_player3.py", "player.zip", "winner.cert.gz", "explorer.html"):
            assert (disk / "out" / name).read_bytes() == (small / name).read_bytes()
    finally:
        subprocess.run(["umount", str(disk)], check=True)


def test_the_course_is_a_member() -> None:
    COURSE.check()
    assert COURSE.start == Position()
    assert COURSE.least == 3
