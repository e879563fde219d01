"""The course's modules: they follow the rules, run under Python 3.7, and are copied next to programs that need them."""

import subprocess
import sys
from pathlib import Path
from random import Random

import pytest
from click.testing import CliRunner

from little_go.__main__ import main
from little_go.arena.match.host import OPENING, State, input_text, judge
from little_go.arena.match.provided import (
    COURSE_MODULES,
    ProvidedFile,
    course_modules,
    lacking_text,
    provide,
    write_beside,
)
from little_go.arena.standings.entrants import Entrant, LacksModules, Terms, open_contestant
from little_go.solver.family import COURSE
from little_go.solver.position import PASS, move_name, points_of

#: A program that compares the modules with the solver's results for each position, which are lines of standard input.
CHECK = """
import sys
from host import GO
from read import readInput, readOutput
from write import writeNextInput, writeOutput, writePass

for line in sys.stdin:
    text, legal, move, after, captured = line.split("|")
    with open("input.txt", "w") as file:
        file.write(text.replace("_", chr(10)))
    piece_type, previous, board = readInput(5)
    writeNextInput(piece_type, previous, board, "again.txt")
    assert open("again.txt").read() == open("input.txt").read()
    go = GO(5)
    go.set_board(piece_type, previous, board)
    points = [(i, j) for i in range(5) for j in range(5)]
    found = ["%d,%d" % point for point in points if go.valid_place_check(*point, piece_type, test_check=True)]
    assert found == legal.split(), (line, found)
    assert not go.valid_place_check(5, 0, piece_type) and not go.valid_place_check(0, -1, piece_type)
    if move == "PASS":
        writePass()
        assert readOutput() == ("PASS", -1, -1)
        continue
    writeOutput(tuple(int(digit) for digit in move.split(",")))
    kind, i, j = readOutput()
    assert (kind, "%d,%d" % (i, j)) == ("MOVE", move)
    copy = go.copy_board()
    assert copy.place_chess(i, j, piece_type) and not copy.place_chess(i, j, piece_type)
    assert len(copy.find_died_pieces(3 - piece_type)) == int(captured)
    copy.died_pieces = copy.remove_died_pieces(3 - piece_type)
    assert len(copy.died_pieces) == int(captured)
    assert "".join(str(stone) for row in copy.board for stone in row) == after
    assert go.compare_board(go.board, board) and copy.compare_board(copy.previous_board, board)
    assert copy.score(1) == after.count("1") and copy.score(2) == after.count("2")
    margin = after.count("1") - after.count("2")
    assert copy.judge_winner() == (1 if margin > 2 else 2)
    assert all(copy.find_liberty(x, y) for x, y in points if copy.board[x][y])
    assert sorted(copy.ally_dfs(i, j)) == sorted(set(copy.ally_dfs(i, j)) | set(copy.detect_neighbor_ally(i, j)))
"""


def positions(games: int) -> list[str]:
    """Return lines of random games: input.txt, legal points, the move, the board after it, and the captured stones."""
    found, rng = [], Random(7)
    for _ in range(games):
        state: State = OPENING
        while state.result is None:
            position = state.position
            legal = [move_name(point) for point in points_of(position.legal_points())]
            move = rng.choice([*position.legal_moves(), *([] if rng.random() < 0.1 else position.legal_moves()[:-1])])
            after = position.play(move)
            captured = (position.black | position.white).bit_count() + 1 - (after.black | after.white).bit_count()
            text = input_text(state).replace("\n", "_")
            found.append(f"{text}|{' '.join(legal)}|{move_name(move)}|{''.join(after.rows())}|{captured}")
            state = judge(state, move_name(move))
    return found


def test_the_modules_keep_the_rules(python: str, tmp_path: Path) -> None:
    write_beside(course_modules(), tmp_path)
    (tmp_path / "check.py").write_text(CHECK)
    lines = positions(60)
    assert any(line.endswith("|2") for line in lines)
    assert any(f"|{move_name(PASS)}|" in line for line in lines)
    command = [python, "check.py"]
    done = subprocess.run(command, cwd=tmp_path, input="\n".join(lines), capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_the_modules_are_python_37() -> None:
    vermin = Path(sys.executable).with_name("vermin")
    folder = Path(__file__).parents[3] / "arena/match/course_modules"
    done = subprocess.run([vermin, "-t=3.7-", "--no-tips", folder], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout


GAMES = """
import random
from host import GO
from random_player import RandomPlayer

class Passing:
    def get_input(self, go, piece_type):
        assert piece_type == (1 if go.X_move else 2)
        return "PASS"

random.seed(1)
go = GO(5)
winners = [go.play(RandomPlayer(), RandomPlayer()) for _ in range(20)]
assert set(winners) == {1, 2} and go.n_move <= go.max_move == 24 and go.komi == 2.5
assert (go.play(Passing(), RandomPlayer()), go.n_move) == (2, 1)
assert (go.play(RandomPlayer(), Passing()), go.n_move) == (1, 24)
"""


def test_two_players_play_in_one_process(python: str, tmp_path: Path) -> None:
    write_beside(course_modules(), tmp_path)
    done = subprocess.run([python, "-c", GAMES], cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_judge_ends_with_the_winner(python: str, tmp_path: Path) -> None:
    write_beside(course_modules(), tmp_path)
    for move, text, code in ((1, "2,2", 0), (1, "PASS", 2), (24, "4,4", 2), (1, "5,5", 2), (1, "", 2)):
        (tmp_path / "input.txt").write_text("\n".join(["1", *["00000"] * 10]))
        (tmp_path / "output.txt").write_text(text)
        done = subprocess.run(
            [python, "-c", f"from host import judge; judge({move})"], cwd=tmp_path, capture_output=True
        )
        assert done.returncode == code, (text, done.stderr)
    (tmp_path / "output.txt").write_text("2,2")
    subprocess.run([python, "-c", "from host import judge; judge(1)"], cwd=tmp_path, check=True)
    assert (tmp_path / "input.txt").read_text().split()[:1] + (tmp_path / "input.txt").read_text().split()[8:9] == [
        "2",
        "00100",
    ]


def test_the_text_s_first_steps(tmp_path: Path) -> None:
    folder = str(tmp_path / "hw2")
    done = CliRunner().invoke(main, ["play", "--course-files", folder])
    assert done.exit_code == 0, done.output
    (tmp_path / "hw2" / "my_player3.py").write_bytes((tmp_path / "hw2" / "random_player.py").read_bytes())
    words = done.output.splitlines()[-1].partition("little-go ")[2] or done.output.splitlines()[-1].partition("-m ")[2]
    assert "my_player3.py" in words
    sides = ["--black", f"{folder}/my_player3.py", "--white", f"{folder}/random_player.py"]
    played = CliRunner().invoke(main, ["play", *sides, "--no-boards"])
    assert (played.exit_code, "ended by: max 1" in played.output) == (0, True), played.output
    # The same command again changes nothing, and keeps a file that was edited.
    assert CliRunner().invoke(main, ["play", "--course-files", folder]).exit_code == 0
    (tmp_path / "hw2" / "host.py").write_text("mine = 1\n")
    refused = CliRunner().invoke(main, ["play", "--course-files", folder])
    assert (refused.exit_code, "host.py is another file: give another folder" in refused.stderr) == (2, True)
    assert (tmp_path / "hw2" / "host.py").read_text() == "mine = 1\n"


def test_only_named_modules_are_put_beside_a_program(tmp_path: Path) -> None:
    def beside(source: str) -> list[str]:
        folder = tmp_path / str(len(list(tmp_path.iterdir())))
        folder.mkdir()
        (folder / "my_player3.py").write_text(source)
        provide((*course_modules(), ProvidedFile("table.json", b"{}")), folder)
        return sorted(path.name for path in folder.iterdir() if path.name != "my_player3.py")

    assert beside("print(open('x').read())") == ["table.json"]
    assert beside("from read import readInput") == ["read.py", "table.json"]
    assert beside("import host") == ["host.py", "read.py", "table.json", "write.py"]
    assert beside("__import__('random_player')") == ["host.py", "random_player.py", "read.py", "table.json", "write.py"]


def test_a_program_s_own_module_takes_precedence_and_only_its_players_change(tmp_path: Path) -> None:
    def identity(source: str, *provided: ProvidedFile) -> str:
        (tmp_path / "my_player3.py").write_text(source)
        with open_contestant(Entrant("x", str(tmp_path)), Terms(COURSE, provided=provided)) as contestant:
            assert contestant.reply(OPENING).text == "1,1"
            return contestant.identity

    plain, with_read = "open('output.txt', 'w').write('1,1')", "import read; open('output.txt', 'w').write(read.MOVE)"
    mine, other = ProvidedFile("read.py", b"MOVE = '1,1'\n"), ProvidedFile("read.py", b"MOVE = '1,1'  #\n")
    assert identity(plain) == identity(plain, mine)
    assert identity(with_read, mine) != identity(with_read, other)
    (tmp_path / "read.py").write_text("MOVE = '1,1'\n")
    assert identity(with_read, ProvidedFile("read.py", b"MOVE = '9,9'\n")) == identity(with_read)


@pytest.mark.parametrize("module", COURSE_MODULES)
def test_a_program_without_a_module_is_refused_before_a_game(module: str, tmp_path: Path) -> None:
    path = tmp_path / "my_player3.py"
    terms = Terms(COURSE)
    for source in (f"import {module}\n", f"if True:\n    from {module} import *\n", f"import os, {module} as m\n"):
        path.write_text(source)
        with pytest.raises(LacksModules) as caught, open_contestant(Entrant("x", str(path)), terms):
            pass
        assert lacking_text([module], has_list=False) in str(caught.value)
    # A program may play if it catches the failed import, or imports the module only in a function.
    for source in (f"try:\n    import {module}\nexcept ImportError:\n    pass\n", f"def f():\n    import {module}\n"):
        path.write_text(f"{source}open('output.txt', 'w').write('1,1')\n")
        with open_contestant(Entrant("x", str(path)), terms) as contestant:
            assert contestant.reply(OPENING).text == "1,1"
