"""Whom a class's run believes when two workers send different records of one game."""

from collections.abc import Callable

import pytest

from arena.classroom import machines
from arena.classroom.machines import Rechecked, RemotePlayers
from arena.classroom.playing import GameOrder, GameOutcome, play_order
from arena.standings.entrants import Entrant, Terms
from arena.standings.tournament import Fixture, TournamentError

ORDER = GameOrder(
    Fixture("greedy", "random", 0, 3), {name: Entrant(name, name) for name in ("greedy", "random")}, Terms()
)
FIRST, SECOND = "tcp://192.0.2.1:1", "tcp://192.0.2.2:2"


def played_by(worker: str, seed: int = 3) -> GameOutcome:
    """Return the game's record as a worker sends it; another seed: a record of other moves."""
    outcome = play_order(ORDER._replace(fixture=ORDER.fixture._replace(seed=seed)), worker)
    return outcome._replace(order=ORDER)


def players() -> RemotePlayers:
    """Return those of a run, without a scheduler."""
    found = RemotePlayers.__new__(RemotePlayers)
    found.sample = Rechecked()
    return found


@pytest.mark.parametrize(("seeds", "wrong"), [((3, 4), SECOND), ((4, 3), FIRST)])
def test_the_worker_that_differs_from_this_machine_is_wrong(seeds: tuple[int, int], wrong: str) -> None:
    crew = players()
    with pytest.raises(TournamentError, match="played game 0 of greedy - random otherwise") as caught:
        crew._find_who_is_wrong(played_by(FIRST, seeds[0]), played_by(SECOND, seeds[1]))
    assert str(caught.value).startswith(wrong)
    assert crew.sample == Rechecked()


def each_time(*seeds: int) -> Callable[[GameOrder], GameOutcome]:
    """Return what plays here, each time as by the next seed."""
    left = list(seeds)
    return lambda order: played_by("", left.pop(0))


@pytest.mark.parametrize(
    "here",
    [
        # Chance: two games of this machine differ, whether or not one of them is as a worker's.
        (3, 4),
        (5, 6),
        # Both workers differ from two equal ones: nobody alone is wrong.
        (5, 5),
    ],
)
def test_nobody_is_wrong_where_chance_may_be(monkeypatch: pytest.MonkeyPatch, here: tuple[int, int]) -> None:
    monkeypatch.setattr(machines, "play_order", each_time(*here))
    crew = players()
    crew._find_who_is_wrong(played_by(FIRST, 3), played_by(SECOND, 4))
    assert crew.sample.by_chance == 1


def test_a_game_that_a_busy_machine_spoilt_blames_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    spoilt = played_by("")._replace(record=None)
    monkeypatch.setattr(machines, "play_order", lambda order: spoilt)
    crew = players()
    crew._find_who_is_wrong(played_by(FIRST, 3), played_by(SECOND, 4))
    assert crew.sample.left_out == 1
