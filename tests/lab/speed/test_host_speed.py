import json

import pytest
from click.testing import CliRunner

from lab.__main__ import main
from lab.speed import host_speed as speed
from lab.speed.host_speed import measure_calling, measure_refereeing
from tests.arena.helpers import PYTHON


@pytest.fixture
def short(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(speed, "GAMES", 20)
    monkeypatch.setattr(speed, "CALLS", 3)


def test_refereeing_plays_the_same_games_every_time() -> None:
    first, second = measure_refereeing(20), measure_refereeing(20)
    # Greedy never passes without need, so a game has all its plies.
    assert first[:2] == second[:2] == (20, 20 * 24)
    assert first.seconds > 0


def test_the_host_adds_to_a_bare_start() -> None:
    found = measure_calling(3, PYTHON)
    assert found.calls == 3
    # Starting Python takes milliseconds, and the host's files some CPU time.
    assert found.call > 0.001
    assert found.start > 0.001
    assert found.overhead > 0


@pytest.mark.usefixtures("short")
def test_command_says_the_rates() -> None:
    result = CliRunner().invoke(main, ["bench-host"], catch_exceptions=False)
    assert result.exit_code == 0
    games, calls = result.stdout.splitlines()
    assert games.startswith("20 games, 480 plies: ")
    assert games.endswith(" games/s")
    assert calls.startswith("3 calls of a program: ")


@pytest.mark.usefixtures("short")
def test_json_adds_up() -> None:
    record = json.loads(CliRunner().invoke(main, ["bench-host", "--json"], catch_exceptions=False).stdout)
    refereeing = record["refereeing"]
    assert refereeing["games_per_second"] == round(20 / refereeing["seconds"])
    assert record["calling"].keys() == {"calls", "call", "start", "overhead"}
    assert record["calling"]["calls"] == 3
