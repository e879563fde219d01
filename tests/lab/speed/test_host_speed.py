import json
import time

import pytest
from click.testing import CliRunner

from arena.match.play import Game
from arena.standings.tournament import Fixture, Record, record_of
from lab.__main__ import main
from lab.speed import host_speed as speed
from lab.speed.host_speed import measure_calling, measure_refereeing
from tests.arena.helpers import PYTHON


@pytest.fixture
def short(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(speed, "GAMES", 20)
    monkeypatch.setattr(speed, "CALLS", 3)
    monkeypatch.setattr(speed, "CLASS_GAMES", 1)
    monkeypatch.setattr(speed, "CLASS_PROGRAM", speed.CLASS_PROGRAM.replace("0.1", "0.01"))


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
    games, calls, outside, *inside = result.stdout.splitlines()
    assert games.startswith("20 games, 480 plies: ")
    assert games.endswith(" games/s")
    assert calls.startswith("3 calls of a program: ")
    assert outside.startswith("1 games, 24 calls of programs of 0.1 s outside a sandbox: ")
    # Where there is no sandbox, a line says why.
    assert inside or result.stderr.startswith("no sandbox")


@pytest.mark.usefixtures("short")
def test_json_adds_up() -> None:
    record = json.loads(CliRunner().invoke(main, ["bench-host", "--json"], catch_exceptions=False).stdout)
    refereeing = record["refereeing"]
    assert refereeing["games_per_second"] == round(20 / refereeing["seconds"])
    assert record["calling"].keys() == {"calls", "call", "start", "overhead"}
    assert record["calling"]["calls"] == 3
    outside = record["class"][0]
    assert (outside["sandboxed"], outside["games"], outside["calls"]) == (False, 1, 24)
    assert outside["own"] >= 0.01
    assert outside["share"] == pytest.approx(outside["host"] / outside["own"])


def test_a_more_expensive_host_shows_in_its_share(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(speed, "CLASS_PROGRAM", speed.CLASS_PROGRAM.replace("0.1", "0.01"))
    cheap = speed.measure_class(1, sandboxed=False)

    def slow(fixture: Fixture, game: Game) -> Record:
        until = time.process_time() + 1.2
        while time.process_time() < until:
            pass
        return record_of(fixture, game)

    monkeypatch.setattr(speed, "record_of", slow)
    # 1.2 s for 24 calls; all else is within as much again.
    assert 0.025 < speed.measure_class(1, sandboxed=False).host - cheap.host < 0.1
