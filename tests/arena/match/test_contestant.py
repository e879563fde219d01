import json
import shutil
from collections.abc import Sequence
from pathlib import Path
from random import Random

import pytest

from little_go.arena.agents import Resigned
from little_go.arena.match.contestant import FunctionContestant, HumanContestant, ProgramContestant
from little_go.arena.match.host import OPENING, State
from little_go.arena.match.limits import Limits, Reply, Report, useful_words
from little_go.arena.match.play import play_game
from little_go.solver.family import COURSE
from little_go.solver.position import PASS, Position, move_name
from tests.arena.helpers import AMPLE, PYTHON, after, new_runner, open_files, program

pytestmark = pytest.mark.usefixtures("kind")

ROOT = Path(__file__).parents[3]


def passes(position: Position, rng: Random) -> int:
    return PASS


PASSER = FunctionContestant("passer", passes)


# Functions


def test_function_gets_the_position_and_its_chance() -> None:
    contestant = FunctionContestant("any", lambda position, rng: rng.choice(position.legal_moves()))
    contestant.new_game("seed")
    first = [contestant.reply(OPENING).text for _ in range(5)]
    contestant.new_game("seed")
    assert [contestant.reply(OPENING).text for _ in range(5)] == first


def test_function_may_resign() -> None:
    def resigns(position: Position, rng: Random) -> int:
        raise Resigned

    reply = FunctionContestant("quitter", resigns).reply(OPENING)
    assert (reply.text, reply.absence) == (None, "resigned")


def test_names_of_moves_are_the_hosts() -> None:
    assert PASSER.reply(OPENING).text == move_name(PASS) == "PASS"


# Programs


def test_program_is_called_once_per_move(tmp_path: Path) -> None:
    source = """
    with open("calls", "a") as file:
        file.write("x")
    answer(f"0,{len(open('calls').read()) - 1}")
    """
    with program(tmp_path, source) as black:
        game = play_game(black, PASSER, game=COURSE)
    assert game.state.moves[:4] == ("0,0", "PASS", "0,1", "PASS")
    # The sixth call answers with a point off the board.
    assert (tmp_path / "calls").read_text() == "x" * 6
    assert game.result.reason == "invalid_off_board"


def test_program_reads_input_and_answers(tmp_path: Path) -> None:
    with program(tmp_path, "answer(open('input.txt').read()[0] + ',3')") as player:
        assert player.reply(after("0,0")).text == "2,3"


def test_what_a_program_leaves_in_place_of_input_txt_is_removed_on_its_clock(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A separate program removes it, and exceeds the limits before the input is written."""
    runs: list[tuple[Limits, Report, bool]] = []
    (tmp_path / "input.txt" / "deep").mkdir(parents=True)
    with program(tmp_path, "answer('2,2')") as player:
        run = player._runner.run

        def recorded(command: Sequence[str], directory: Path, limits: Limits) -> Report:
            report = run(command, directory, limits)
            runs.append((limits, report, (tmp_path / "input.txt").exists()))
            return report

        monkeypatch.setattr(player._runner, "run", recorded)
        reply = player.reply(OPENING)
    (first, cleared, was_there), (second, called, is_there) = runs
    assert (was_there, is_there, reply.text) == (False, True, "2,2")
    assert (first, second) == (AMPLE, AMPLE._replace(cpu=AMPLE.cpu - cleared.cpu))
    assert reply.cpu == cleared.cpu + called.cpu


@pytest.mark.parametrize("exceeded", ["cpu", "wall", ""], ids=["killed", "slow", "no time left"])
def test_a_program_may_leave_more_than_it_has_time_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, exceeded: str
) -> None:
    (tmp_path / "input.txt").mkdir()
    spent = AMPLE.cpu if exceeded != "wall" else 0.0
    with program(tmp_path, "pass") as player:
        monkeypatch.setattr(player._runner, "run", lambda *_: Report(AMPLE, exceeded, spent, AMPLE.wall))
        reply = player.reply(OPENING)
    assert (reply.text, reply.killed, reply.absence) == (None, exceeded or "cpu", "timeout")
    assert "out of time before the call" in reply.complaint


@pytest.mark.parametrize("source", ["answer('2,2')", "os.mkdir('output.txt')", "os.mkfifo('output.txt')", "1 / 0"])
def test_a_move_leaves_no_open_file(tmp_path: Path, source: str) -> None:
    with program(tmp_path, f"import os\n{source}") as player:
        player.reply(OPENING)
        before = open_files()
        for _ in range(2):
            player.reply(OPENING)
        assert open_files() == before


def test_stale_output_is_no_answer(tmp_path: Path) -> None:
    (tmp_path / "output.txt").write_text("2,2")
    with program(tmp_path, "pass") as player:
        assert player.reply(OPENING).text is None


def test_move_of_a_program_killed_for_cpu_is_accepted(tmp_path: Path) -> None:
    with program(tmp_path, "answer('2,2')\nwhile True: pass", Limits(cpu=0.2, wall=50)) as black:
        game = play_game(black, FunctionContestant("none", lambda position, rng: 12), game=COURSE)
    assert game.state.moves[0] == "2,2"
    assert game.killed == (1,)
    assert game.result.winner == 1


def test_move_of_a_program_killed_for_wall_time_is_accepted(tmp_path: Path) -> None:
    source = "import time\nanswer('2,2')\ntime.sleep(60)"
    with program(tmp_path, source, Limits(cpu=10, wall=1)) as player:
        reply = player.reply(OPENING)
    assert (reply.text, reply.killed) == ("2,2", "wall")


def test_program_killed_without_a_move_loses_by_timeout(tmp_path: Path) -> None:
    with program(tmp_path, "while True: pass", Limits(cpu=0.2, wall=50)) as black:
        game = play_game(black, PASSER, game=COURSE)
    assert (game.result.winner, game.result.reason, game.killed) == (2, "timeout", (1,))


def test_program_without_output_loses(tmp_path: Path) -> None:
    with program(tmp_path, "pass") as white:
        game = play_game(FunctionContestant("centre", lambda position, rng: 12), white, game=COURSE)
    assert (game.result.winner, game.result.reason, game.result.detail) == (1, "missing", "no output.txt")


@pytest.mark.parametrize("warning", ["", "a warning of no consequence"])
def test_an_answer_in_another_folder_is_reported(tmp_path: Path, warning: str) -> None:
    source = f"""
    import os
    import sys
    sys.stderr.write({warning!r})
    os.makedirs("init", exist_ok=True)
    open("init/output.txt", "w").write("2,2")
    """
    with program(tmp_path, source) as black:
        game = play_game(black, PASSER, game=COURSE)
    assert game.result.reason == "missing"
    assert game.result.detail == f"{warning}{warning and '; '}it wrote init/output.txt instead of output.txt"


def test_crash_is_reported_by_its_exception(tmp_path: Path) -> None:
    with program(tmp_path, "1 / 0") as black:
        game = play_game(black, PASSER, game=COURSE)
    assert (game.result.reason, game.result.detail) == (
        "missing",
        "ZeroDivisionError: division by zero (player.py, line 5)",
    )


CHAINED = """Traceback (most recent call last):
  File "/agent/player.py", line 3, in look
    return table[key]
KeyError: 'x'

During handling of the above exception, another exception occurred:

Traceback (most recent call last):
  File "/agent/player.py", line 9, in <module>
    raise ValueError("no such position")
ValueError: no such position
See the manual.
"""


@pytest.mark.parametrize(
    ("errors", "told"),
    [
        ("", ""),
        ("a warning of no consequence", "a warning of no consequence"),
        ("no move\nbye", "no move"),
        ("depth 3\ndepth 4\nError: no time left\nbye", "Error: no time left"),
        ("player.py:3: DeprecationWarning: invalid escape\n  x = 1\nno move", "no move"),
        (CHAINED, "ValueError: no such position (player.py, line 9)"),
        (
            f"{CHAINED}Exception ignored in: <stdout>\nBrokenPipeError: [Errno 32] Broken pipe\n",
            "ValueError: no such position (player.py, line 9)",
        ),
        (
            '  File "/agent/player.py", line 1\n    def (:\n        ^\nSyntaxError: invalid syntax\n',
            "SyntaxError: invalid syntax (player.py, line 1)",
        ),
        (
            "pyenv: python3.7: command not found\n\nThe command exists in these Python versions:\n  3.7.16\n\n"
            "Note: See the help for tips on allowing both\n      python2 and python3 to be found at the same time.\n",
            "pyenv: python3.7: command not found",
        ),
    ],
)
def test_of_a_programs_errors_the_first_useful_line_is_shown(errors: str, told: str) -> None:
    assert useful_words(errors) == told


def test_crash_after_half_an_answer_is_reported(tmp_path: Path) -> None:
    with program(tmp_path, "answer('2,')\n1 / 0") as black:
        result = play_game(black, PASSER, game=COURSE).result
    assert result.reason == "malformed"
    read = "output.txt reads '2,' instead of i,j or PASS"
    assert result.detail == f"{read}; ZeroDivisionError: division by zero (player.py, line 6)"


def test_crash_after_a_whole_answer_does_not_matter(tmp_path: Path) -> None:
    with program(tmp_path, "answer('2,2')\n1 / 0") as player:
        assert player.reply(OPENING).text == "2,2"


def test_words_of_the_last_call_are_forgotten(tmp_path: Path) -> None:
    source = """
    import os, sys
    if os.path.exists("called"):
        sys.exit()
    open("called", "w").close()
    sys.exit("a long complaint")
    """
    with program(tmp_path, source) as player:
        assert player.reply(OPENING).complaint == "a long complaint"
        assert player.reply(OPENING).complaint == ""


def test_nothing_is_added_to_the_directory_but_the_two_files(tmp_path: Path) -> None:
    with program(tmp_path, "import sys; print('out'); print('err', file=sys.stderr); answer('2,2')") as player:
        player.reply(OPENING)
    assert {path.name for path in tmp_path.iterdir()} == {"player.py", "input.txt", "output.txt"}


def test_directory_survives_from_game_to_game(tmp_path: Path) -> None:
    source = """
    import os
    new = not os.path.exists("been here")
    open("been here", "w").close()
    answer("2,2" if new else "PASS")
    """
    with program(tmp_path, source) as black:
        assert play_game(black, PASSER, game=COURSE).state.moves == ("2,2", "PASS", "PASS")
        assert play_game(black, PASSER, game=COURSE).state.moves == ("PASS",)


@pytest.mark.system
def test_two_programs_may_share_a_directory(tmp_path: Path) -> None:
    source = """
    with open("calls", "a") as file:
        file.write(open("input.txt").read()[0])
    answer("%d,%d" % divmod(len(open("calls").read()), 5))
    """
    with program(tmp_path, source) as black, program(tmp_path, source) as white:
        game = play_game(black, white, game=COURSE)
    assert game.state.moves[:3] == ("0,1", "0,2", "0,3")
    assert (tmp_path / "calls").read_text().startswith("121212")


# The person at the terminal


@pytest.mark.system
def test_person_takes_moves_back_from_a_program_that_keeps_the_ply(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Our own player finds the ply in its memory after the host has gone back."""
    asked: list[State] = []
    entries = iter(["move", "undo", "move", "move", "undo", "undo", "move", "move", "move"])

    class Person(HumanContestant):
        def reply(self, state: State) -> Reply:
            asked.append(state)
            return super().reply(state)

    def enter(_prompt: str) -> str:
        entry = next(entries, None)
        if entry is None:
            raise EOFError
        return entry if entry == "undo" else move_name(asked[-1].position.legal_moves()[0])

    monkeypatch.setattr("builtins.input", enter)
    monkeypatch.setenv("LITTLE_GO_CPU", "0.2")
    shutil.copy(ROOT / "my_player3.py", tmp_path)
    with new_runner() as runner:
        game = play_game(
            Person(), ProgramContestant("player", [*PYTHON, "my_player3.py"], tmp_path, AMPLE, runner), game=COURSE
        )
    assert [len(state.moves) for state in asked] == [0, 2, 0, 2, 4, 2, 0, 2, 4, 6]
    assert (game.result.reason, len(game.state.moves)) == ("resigned", 6)
    boards = ["".join(after(" ".join(game.state.moves[:ply])).position.rows()) for ply in (2, 4, 6)]
    notes = json.loads((tmp_path / "little_go_memory.json").read_text())["games"]["2"]
    # A ply may have several entries: for the move that is written first, and for a better move that is found later.
    assert [[board, ply, True] in notes for board, ply in zip(boards, (2, 4, 6), strict=True)] == [True] * 3
    assert [ply for _, ply, _ in notes] == sorted(ply for _, ply, _ in notes)
