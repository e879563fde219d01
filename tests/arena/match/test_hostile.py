"""The agents in tests/arena/hostile: each loses or plays on, and the run continues with no process or file left."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from little_go.arena.match.contestant import FunctionContestant, ProgramContestant
from little_go.arena.match.limits import Limits
from little_go.arena.match.play import Game, play_game
from little_go.solver.family import COURSE
from tests.arena.helpers import AMPLE, PYTHON, children, new_runner
from tests.arena.match.test_process import has_ended, wait_for

pytestmark = pytest.mark.usefixtures("kind")

#: The mark of tests of what only the warden does. The plain runner is this process, which no other process watches.
warden_only = pytest.mark.parametrize("kind", ["warden"], indirect=True)

HOSTILE = Path(__file__).parents[1] / "hostile"

SHORT = Limits(cpu=0.2, wall=1.0)

#: A contestant that plays the first legal point.
OTHER = FunctionContestant("other", lambda position, rng: position.legal_moves()[0])


@contextmanager
def hostile(name: str, limits: Limits = AMPLE) -> Iterator[ProgramContestant]:
    """Yield the hostile agent in the subdirectory ``agent`` of a fresh directory; check that nothing of it is left."""
    with new_runner() as runner:
        directory = runner.home / "agent"
        directory.mkdir()
        (directory / "agent.py").write_bytes((HOSTILE / f"{name}.py").read_bytes())
        yield ProgramContestant(name, [*PYTHON, "agent.py"], directory, limits, runner)
    assert not runner.home.exists()
    assert children() == set()


def play(name: str, limits: Limits = AMPLE) -> Game:
    """Play a game in which the hostile agent is Black, and another game after it."""
    with hostile(name, limits) as black:
        game = play_game(black, OTHER, game=COURSE)
        again = play_game(black, OTHER, game=COURSE)
    assert again.result.reason
    return game


def test_no_agent_is_forgotten() -> None:
    tests = Path(__file__).read_text("utf-8")
    assert [
        path.stem for path in HOSTILE.glob("*.py") if path.stem != "conftest" and f'"{path.stem}"' not in tests
    ] == []


def test_a_directory_for_input_txt_is_removed() -> None:
    game = play("directory_for_input")
    # At each call its directory gets one entry more, and it plays no point of the opponent.
    assert len(game.state.moves) > 4
    assert game.result.reason in ("invalid_occupied", "max")


def test_a_directory_for_output_txt_is_no_answer() -> None:
    assert play("directory_for_output").result.reason == "missing"


def test_a_directory_of_any_depth_is_removed() -> None:
    assert play("deep_directory").result.reason == "missing"


def test_an_agent_may_delete_its_directory() -> None:
    with hostile("deletes_its_directory") as black:
        assert play_game(black, OTHER, game=COURSE).result.detail == "no output.txt"
        detail = play_game(black, OTHER, game=COURSE).result.detail
    assert "agent.py" in detail
    assert "No such file" in detail


def test_a_link_for_its_directory_is_not_followed() -> None:
    with hostile("replaces_its_directory") as black:
        assert play_game(black, OTHER, game=COURSE).result.reason == "missing"
        assert play_game(black, OTHER, game=COURSE).result.reason == "missing"
        kept = black._directory.parent / "other" / "input.txt"
        assert kept.read_text() == "not the host's to delete"


def test_a_directory_without_permissions_is_opened_again() -> None:
    with hostile("closes_its_directory") as black:
        game = play_game(black, OTHER, game=COURSE)
    # Its second answer is the same as its first.
    assert (game.result.reason, game.state.moves) == ("invalid_occupied", ("2,2", "0,0", "2,2"))


@pytest.mark.parametrize("name", ["link_for_output", "link_to_itself"])
def test_a_link_is_no_answer(name: str) -> None:
    result = play(name).result
    assert (result.reason, result.detail) == ("missing", "no output.txt")


def test_a_fifo_is_no_answer() -> None:
    assert play("fifo_for_output").result.reason == "missing"


def test_a_fifo_for_input_txt_is_removed() -> None:
    game = play("fifo_for_input")
    assert (game.state.moves, game.result.reason) == (("0,0", "0,1"), "missing")


@pytest.mark.system
@pytest.mark.parametrize("name", ["floods_stdout", "ignores_signals", "stops_itself"])
def test_the_move_of_an_agent_that_does_not_end_counts(name: str) -> None:
    game = play(name, SHORT)
    assert (game.state.moves, game.killed) == (("2,2", "0,0", "2,2"), (1, 3))


@pytest.mark.system
def test_a_flood_of_standard_error_is_cut_and_cleaned() -> None:
    result = play("floods_stderr", SHORT).result
    assert result.reason == "timeout"
    figures = r"\d+\.\d+ s .*\(limit \S+ s\), .*\(limit \S+ s\)"
    assert re.fullmatch(rf"killed (for CPU time|by the clock): {figures}", result.detail)


@pytest.mark.system
def test_a_flood_in_output_txt_does_no_harm() -> None:
    game = play("floods_output")
    assert (game.state.moves, game.result.reason) == (("2,2", "0,0", "2,2"), "invalid_occupied")
    assert game.state.inexact[0][0] == 1


@warden_only
def test_an_agent_that_stops_its_parent_plays_on() -> None:
    assert play("stops_its_parent", SHORT).state.moves == ("2,2", "0,0", "2,2")


@warden_only
def test_an_agent_that_kills_its_parent_loses() -> None:
    assert play("kills_its_parent").result.detail == "the program has ended the process that runs it"


def test_what_an_agent_leaves_behind_is_ended_and_writes_no_more() -> None:
    with hostile("forks_and_leaves") as black:
        game = play_game(black, OTHER, game=COURSE)
        left = int(wait_for(black._directory / "left"))
        assert has_ended(left)
    assert game.state.moves[0] in ("2,2", "4,4")


def test_an_agent_that_forks_many_is_killed() -> None:
    assert play("forks_many").result.detail == "killed for processes"


def test_last_words_are_fit_for_a_terminal() -> None:
    result = play("control_characters").result
    assert (result.reason, result.detail) == ("missing", "no move today")
