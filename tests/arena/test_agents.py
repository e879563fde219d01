import os
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest
from hypothesis import given

from arena.agents import Choose, Resigned, greedy, human, random
from arena.files import put_question
from arena.host import OPENING, State, input_text
from solver.position import FULL, PASS, Position, points_of
from tests.arena.helpers import after, states
from tests.arena.test_host import KO

ROOT = Path(__file__).parents[2]

#: White to move has no legal point: 0,0 and 4,4 are suicide.
FULL_BOARD = Position(FULL & ~(1 | 1 << 24), 0, None, 23, False)


@pytest.mark.parametrize("choose", [random.choose, greedy.choose])
@given(state=states())
def test_agents_play_legal_moves_and_pass_only_without_one(choose: Choose, state: State) -> None:
    position = state.position
    move = choose(position, Random(1))
    assert (move == PASS) == (position.legal_points() == 0)
    assert move in position.legal_moves()


@pytest.mark.parametrize("choose", [random.choose, greedy.choose])
def test_agents_pass_without_a_legal_point(choose: Choose) -> None:
    assert choose(FULL_BOARD, Random(1)) == PASS


@pytest.mark.parametrize("choose", [random.choose, greedy.choose])
def test_agents_choose_every_point_about_equally_often(choose: Choose) -> None:
    rng = Random(1)
    counts = Counter(choose(OPENING.position, rng) for _ in range(5000))
    assert len(counts) == 25
    assert min(counts.values()) > 150
    assert max(counts.values()) < 250


@given(states())
def test_greedy_takes_as_many_stones_as_can_be_taken(state: State) -> None:
    position = state.position

    def taken(move: int) -> int:
        following = position.play(move)
        both = position.black | position.white, following.black | following.white
        return both[0].bit_count() + (move != PASS) - both[1].bit_count()

    most = max(map(taken, position.legal_moves()))
    assert taken(greedy.choose(position, Random(1))) == most


def test_captures_adds_up_all_groups_taken_by_a_point() -> None:
    # White stones at 0,0 and at 2,0 with 3,0 breathe at 1,0 alone.
    state = after("0,1 0,0 2,1 2,0 3,1 3,0 4,0 4,4")
    assert greedy.captures(state.position) == {5: 3}


def test_greedy_does_not_take_the_ko_back() -> None:
    position = after(KO).position
    assert all(greedy.choose(position, Random(seed)) != 6 for seed in range(50))


def test_greedy_chooses_among_equal_captures() -> None:
    state = after("0,1 0,0 4,3 4,4")
    seen = {greedy.choose(state.position, Random(seed)) for seed in range(20)}
    assert seen == {5, 19}


# The person at the terminal


@pytest.fixture
def enter(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Return a function that sets the lines a person will enter; Ctrl-D follows."""

    def set_lines(*lines: str) -> None:
        left = iter(lines)

        def read(prompt: str) -> str:
            print(prompt)
            try:
                return next(left)
            except StopIteration:
                raise EOFError from None

        monkeypatch.setattr("builtins.input", read)

    return set_lines


def test_human_sees_the_board_and_plays(enter: Callable[..., None], capsys: pytest.CaptureFixture[str]) -> None:
    enter("2,3")
    assert human.choose(after("2,2").position, Random()) == 13
    out = capsys.readouterr().out
    assert "  0 1 2 3 4\n0 . . . . .\n" in out
    assert "2 . . X . .\n" in out
    assert "White (O), your move" in out


@pytest.mark.parametrize("text", ["PASS", "pass", " PASS "])
def test_human_may_pass(enter: Callable[..., None], text: str) -> None:
    enter(text)
    assert human.choose(after("2,2").position, Random()) == PASS


@pytest.mark.parametrize(
    ("entry", "moves", "words"),
    [
        ("2,2", "2,2", "Not allowed: 2,2 is occupied."),
        ("0,0", "0,1 4,4 1,0", "Not allowed: 0,0 is suicide."),
        ("1,1", KO, "Not allowed: 1,1 is forbidden by ko."),
        ("5,5", "", "Enter row,column"),
        ("help", "", "Enter row,column"),
        ("22", "", "Enter row,column"),
    ],
)
def test_human_is_told_what_is_wrong_and_asked_again(
    enter: Callable[..., None], capsys: pytest.CaptureFixture[str], entry: str, moves: str, words: str
) -> None:
    enter(entry, "", "3,4")
    assert human.choose(after(moves).position, Random()) == 19
    assert words in capsys.readouterr().out


def test_human_resigns_by_ending_the_input(enter: Callable[..., None]) -> None:
    enter()
    with pytest.raises(Resigned):
        human.choose(OPENING.position, Random())


# The agents as programs


def call(agent: str, directory: Path, entry: str = "") -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", f"arena.agents.{agent}"],
        cwd=directory,
        env={**os.environ, "PYTHONPATH": str(ROOT), "PYTHONWARNINGS": "error"},
        input=entry,
        capture_output=True,
        text=True,
        timeout=60,
    )


@pytest.mark.parametrize("agent", ["random", "greedy"])
def test_program_answers_the_host(tmp_path: Path, agent: str) -> None:
    # White's one legal point by capture: at 0,0 it takes 0,1.
    state = after("0,1 1,1 4,4 0,2")
    put_question(tmp_path, input_text(state))
    done = call(agent, tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    text = (tmp_path / "output.txt").read_text()
    assert text in [f"{p // 5},{p % 5}" for p in points_of(state.position.legal_points())]


def test_greedy_program_takes_stones(tmp_path: Path) -> None:
    put_question(tmp_path, input_text(after("0,1 0,2 4,4 1,1 4,3")))
    call("greedy", tmp_path)
    assert (tmp_path / "output.txt").read_text() == "0,0"


def test_human_program_asks_and_answers(tmp_path: Path) -> None:
    put_question(tmp_path, input_text(after("2,2")))
    done = call("human", tmp_path, "2,2\n1,1\n")
    assert "2 . . X . ." in done.stdout
    assert (tmp_path / "output.txt").read_text() == "1,1"


def test_human_program_resigns_without_an_output(tmp_path: Path) -> None:
    put_question(tmp_path, input_text(OPENING))
    done = call("human", tmp_path)
    assert (done.returncode, done.stderr) == (1, "resigned\n")
    assert not (tmp_path / "output.txt").exists()


def test_program_without_an_input_says_so(tmp_path: Path) -> None:
    done = call("random", tmp_path)
    assert done.returncode == 1
    assert done.stderr.startswith("input.txt: cannot be read")
    assert "Traceback" not in done.stderr
