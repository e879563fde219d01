"""The records of a worker that a class's run accepts or refuses."""

from concurrent.futures import Future

import pytest

from little_go.arena.classroom.machines import RemotePlayers
from little_go.arena.standings.entrants import Entrant, Terms
from little_go.arena.standings.series import GameOrder, GameOutcome, play_order
from little_go.arena.standings.tournament import Fixture, TournamentError
from little_go.solver.family import COURSE

ORDER = GameOrder(
    Fixture("greedy", "random", 0, 3), {name: Entrant(name, name) for name in ("greedy", "random")}, Terms(game=COURSE)
)
FIRST = "tcp://192.0.2.1:1"


def played_by(worker: str, seed: int = 3) -> GameOutcome:
    """Return the record of a game as a worker sends it. With another seed, the record has other moves."""
    outcome = play_order(ORDER._replace(fixture=ORDER.fixture._replace(seed=seed)), worker)
    assert outcome.record is not None
    return outcome._replace(order=ORDER, record={**outcome.record, "seed": ORDER.fixture.seed})


class Client:
    """A client of a scheduler whose workers have played a game."""

    def who_has(self, futures: list["Played"]) -> dict[str, list[str]]:
        return {futures[0].key: [FIRST]}


class Played:
    """Dask's future of a game that a worker has played."""

    key = "game-1"

    def __init__(self, found: object) -> None:
        self.found = found

    def result(self, timeout: float) -> object:
        return self.found


def take(found: object) -> GameOutcome:
    """Pass an outcome to a run that has no scheduler."""
    crew = RemotePlayers.__new__(RemotePlayers)
    record = played_by(FIRST).record
    assert record is not None
    crew._client, crew._identities = Client(), dict(zip(ORDER.fixture[:2], record["identities"], strict=True))
    future: Future[GameOutcome] = Future()
    crew._remote = {future: Played(found)}
    return crew.result_of(future, ORDER)


def test_a_record_that_the_rules_confirm_is_accepted_with_its_worker() -> None:
    outcome = played_by(FIRST)
    assert take(outcome) == outcome


def test_a_game_that_a_busy_machine_spoilt_has_no_record() -> None:
    assert take(played_by(FIRST)._replace(record=None)).record is None


def forged(**changes: object) -> GameOutcome:
    outcome = played_by(FIRST)
    assert outcome.record is not None
    return outcome._replace(record={**outcome.record, **changes})


@pytest.mark.parametrize(
    ("found", "words"),
    [
        ("nonsense", "sent something that is not a record: remove the worker"),
        (played_by(FIRST)._replace(seconds=1), "sent something that is not a record"),
        (forged(number=1), "it is the record of another game"),
        (forged(seed=4), "it is the record of another game"),
        (forged(identities=["", ""]), "its agents differ"),
        (forged(winner="nobody"), "sent game 0 of greedy - random: "),
    ],
)
def test_each_record_is_checked(found: object, words: str) -> None:
    with pytest.raises(TournamentError, match=words):
        take(found)
