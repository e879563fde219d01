import gc
import json

import pytest
from click.testing import CliRunner

from arena.course.grading import Opponent, Round, Scheme, Stage
from arena.match.limits import SandboxError
from arena.match.play import Game
from arena.match.programs import Runner, open_runner
from arena.standings.tournament import Fixture, Record, record_of
from lab.__main__ import main
from lab.speed import host_speed as speed
from lab.speed.host_speed import measure_calling, measure_refereeing
from tests.arena.helpers import PYTHON

#: Games that take no time.
SHORT = Scheme(
    {1: Stage((Opponent("greedy", 25, 15, 0), Opponent("random", 25, 15, 0)), Round(2, None), Round(2, None))}
)


@pytest.fixture
def short(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(speed, "GAMES", 20)
    monkeypatch.setattr(speed, "CALLS", 3)
    monkeypatch.setattr(speed, "CLASS_GAMES", 1)
    monkeypatch.setattr(speed, "STUDENTS", ("greedy", "random"))
    monkeypatch.setattr(speed, "SCHEME", SHORT)
    monkeypatch.setattr(speed, "CLASS_PROGRAM", speed.CLASS_PROGRAM.replace("0.1", "0.01"))


def test_refereeing_plays_the_same_games_every_time() -> None:
    first, second = measure_refereeing(20), measure_refereeing(20)
    # Greedy never passes without need, so a game has all its plies.
    assert first[:2] == second[:2] == (20, 20 * 24)
    assert first.seconds > 0


def test_calls_are_measured_beside_bare_starts() -> None:
    found = measure_calling(3, PYTHON)
    assert found.calls == 3
    assert min(found.call, found.start) > 0
    # The host's files take some CPU time.
    assert found.overhead > 0


@pytest.mark.system
@pytest.mark.usefixtures("short")
def test_command_says_the_rates() -> None:
    result = CliRunner().invoke(main, ["bench-host"], catch_exceptions=False)
    assert result.exit_code == 0
    games, calls, opponents, outside, *inside = result.stdout.splitlines()
    assert games.startswith("20 games, 480 plies: ")
    assert games.endswith(" games/s")
    assert calls.startswith("3 calls of a program: ")
    assert opponents.startswith("2 students, 8 games of 2025: opponents take ")
    assert outside.startswith("1 games, 24 calls of programs of 0.1 s outside a sandbox: ")
    # Where there is no sandbox, a line says why.
    assert inside or result.stderr.startswith("no sandbox")


@pytest.mark.system
@pytest.mark.usefixtures("short")
def test_where_there_is_no_sandbox_a_line_says_why(monkeypatch: pytest.MonkeyPatch) -> None:
    """And what was measured before is not lost; the folder of the games is closed."""
    monkeypatch.setattr("arena.standings.entrants.open_runner", _no_sandbox)
    result = CliRunner().invoke(main, ["bench-host", "--json"], catch_exceptions=False)
    assert result.exit_code == 0
    assert [each["sandboxed"] for each in json.loads(result.stdout)["class"]] == [False]
    assert result.stderr == "no sandbox: none here\n"
    gc.collect()


def _no_sandbox(sandboxed: bool) -> Runner:
    if sandboxed:
        raise SandboxError("no sandbox: none here")
    return open_runner()


@pytest.mark.system
@pytest.mark.usefixtures("short")
def test_json_adds_up() -> None:
    record = json.loads(CliRunner().invoke(main, ["bench-host", "--json"], catch_exceptions=False).stdout)
    refereeing = record["refereeing"]
    assert refereeing["games_per_second"] == round(20 / refereeing["seconds"])
    assert record["calling"].keys() == {"calls", "call", "start", "overhead"}
    assert record["calling"]["calls"] == 3
    opponents = record["opponents"]
    assert (opponents["students"], opponents["games"], opponents["championship"]) == (2, 8, 0)
    assert opponents["seconds"] > 0
    outside = record["class"][0]
    assert (outside["sandboxed"], outside["games"], outside["calls"]) == (False, 1, 24)
    assert outside["own"] >= 0.01
    assert outside["share"] == pytest.approx(outside["host"] / outside["own"])


@pytest.mark.system
def test_a_more_expensive_host_shows_in_its_share(monkeypatch: pytest.MonkeyPatch) -> None:
    """By the clock of the processes, which the test sets: the host takes a second for each record, the program none."""
    monkeypatch.setattr(speed, "CLASS_PROGRAM", speed.CLASS_PROGRAM.replace("0.1", "0.01"))
    spent = [0.0]
    monkeypatch.setattr(speed, "_all_seconds", lambda: spent[0])

    def slow(fixture: Fixture, game: Game) -> Record:
        spent[0] += 24.0 + sum(game.cpu[0]) + sum(game.cpu[1])
        return record_of(fixture, game)

    monkeypatch.setattr(speed, "record_of", slow)
    found = speed.measure_class(1, sandboxed=False)
    assert (found.games, found.calls) == (1, 24)
    assert found.host == pytest.approx(1.0)
