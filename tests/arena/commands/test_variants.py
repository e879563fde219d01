"""Games of another length and komi: the winner is counted from the boards, and found by plain minimax."""

import json
import random
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from little_go.arena.__main__ import main
from little_go.arena.agents.championship import candidates
from little_go.book.files.writer import write_book
from little_go.player.__main__ import ROOT
from little_go.player.build import build_script
from little_go.solver.family import Variant
from tests.solver import minimax

GAME = ("--plies", "8", "--komi", "0.5")


def run(*arguments: str, entry: str | None = None) -> Result:
    return CliRunner().invoke(main, arguments, entry, catch_exceptions=False)


@pytest.mark.parametrize(("plies", "komi"), [(8, 0.5), (6, -3.5), (12, 4.5), (2, 24.5)])
def test_a_game_ends_after_its_plies_and_its_komi_decides(plies: int, komi: float) -> None:
    sides = ("--black", "random", "--white", "greedy", "--jsonl", "-", "--games", "4")
    done = run("play", *sides, "--plies", str(plies), "--komi", str(komi))
    for record in map(json.loads, done.stdout.splitlines()):
        margin = record["final"].count("1") - record["final"].count("2")
        assert (record["plies"], record["komi"]) == (plies, komi)
        assert len(record["moves"]) == plies
        assert record["reason"] == "max"
        assert record["winner"] == ("Black" if margin > komi else "White")


def test_the_course_s_games_name_neither() -> None:
    (line,) = run("play", "--black", "random", "--white", "greedy", "--jsonl", "-").stdout.splitlines()
    assert not {"plies", "komi"} & json.loads(line).keys()


def test_sgf_has_length_and_komi(tmp_path: Path) -> None:
    path = tmp_path / "game.sgf"
    run("play", "--black", "greedy", "--white", "random", "--sgf", str(path), *GAME)
    text = path.read_text()
    assert "KM[0.5]" in text
    assert "8 plies" in text


@pytest.fixture(scope="module")
def script(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build a player for the shortest game, without a book."""
    path = tmp_path_factory.mktemp("made") / "my_player3.py"
    path.write_text(build_script(ROOT, Variant(2, 0.5)), "utf-8")
    return path


@pytest.mark.parametrize(
    "command",
    [("play", "--black", "greedy", "--white"), ("tournament", "greedy"), ("grade", "--games", "1")],
)
def test_a_script_of_another_game_is_refused_in_one_line(script: Path, command: tuple[str, ...]) -> None:
    refused = run(*command, str(script), *GAME)
    assert refused.exit_code == 2
    assert refused.stderr.splitlines()[-1] == (
        f"Error: {script} plays the game of 2 plies, komi 0.5, and this one is of 8 plies, komi 0.5"
    )
    assert not refused.stdout


def test_the_course_s_script_is_refused_in_another_game() -> None:
    refused = run("play", "--black", "my_player3.py", "--white", "greedy", *GAME)
    assert "plays the game of 24 plies, komi 2.5, and this one is of 8 plies" in refused.stderr.splitlines()[-1]


def test_a_script_is_examined_in_the_game_that_it_is_built_for(script: Path) -> None:
    write_book([], script.parent / "book.json", Variant(2, 0.5))
    told = run("doctor", str(script), entry=None).stdout
    assert f"note   {script}: it plays the game of 2 plies, komi 0.5, which is not the course's" in told
    assert "as Black against greedy" in told
    assert "1 move, the first" in told
    assert "exam: " not in told
    assert "wrong" not in told


def test_kept_games_of_another_game_are_refused(tmp_path: Path) -> None:
    sides = ("tournament", "greedy", "random", "--games", "1", "--out", str(tmp_path))
    assert run(*sides, *GAME).exit_code == 0
    assert run(*sides, *GAME).exit_code == 0
    refused = run(*sides)
    assert refused.exit_code == 2
    assert refused.stderr.splitlines()[-1] == (
        f"Error: {tmp_path / 'games.jsonl'} has games of 8 plies, komi 0.5, and these are of 24 plies, komi 2.5: give "
        "another --out"
    )


def test_a_person_reads_length_and_komi() -> None:
    shown = run("play", "--black", "human", "--white", "greedy", *GAME, entry="?\n2,2\nhint\nresign\n").stdout
    assert "After 8 plies the stones on\nthe board count, and White gets 0.5 in addition." in shown
    assert "ply 1 of 8; X 0 : O 0 + 0.5" in shown
    assert "W+0.5" in shown


@pytest.mark.parametrize("seed", range(6))
def test_championship_keeps_a_win_that_there_is(seed: int) -> None:
    rng = random.Random(seed)
    game = Variant(8, rng.randrange(-3, 3) + 0.5)
    position, state = game.start, minimax.START._replace(left=game.plies)
    while position.left > 3:
        move = rng.choice(position.legal_moves()[:-1])
        after = minimax.after(state, move)
        assert after is not None
        position, state = position.play(move), after
    chosen = candidates(position, game)
    assert chosen
    for move in chosen:
        after = minimax.after(state, None if move == 25 else move)
        assert after is not None
        assert (minimax.value(after) > game.komi) == (minimax.value(state) > game.komi)


#: An agent that plays the first legal point.
FIRST_POINT = """
lines = open("input.txt").read().split()
board = lines[6:]
empty = [(i, j) for i in range(5) for j in range(5) if board[i][j] == "0"]
free = [(i, j) for i, j in empty if any(abs(i - x) + abs(j - y) == 1 for x, y in empty)]
open("output.txt", "w").write("%d,%d" % free[0] if free else "PASS")
"""


def by_the_board(record: dict[str, Any], komi: float) -> str:
    return "Black" if record["final"].count("1") - record["final"].count("2") > komi else "White"


def test_a_grade_is_of_the_game_that_is_asked_for(tmp_path: Path) -> None:
    place = tmp_path / "one"
    place.mkdir()
    (place / "my_player3.py").write_text(f"# 1234567890:one\n{FIRST_POINT}")
    quick = ("--scheme", "2020", "--games", "1", "--plies", "6", "--komi", "-3.5")
    graded = run("grade", f"one={place}", *quick, "--out", str(tmp_path / "grade"))
    assert graded.exit_code == 0, graded.stderr
    records = [json.loads(line) for line in (tmp_path / "grade" / "games.jsonl").read_text().splitlines()]
    assert len(records) == 8
    for record in records:
        assert (record["plies"], record["komi"]) == (6, -3.5)
        assert len(record["moves"]) <= 6
        assert record["reason"] != "max" or record["winner"] == by_the_board(record, -3.5)
    # By the course's komi White would win each game without a capture.
    assert any(record["winner"] == "Black" and by_the_board(record, 2.5) == "White" for record in records)
