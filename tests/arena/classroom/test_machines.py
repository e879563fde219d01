"""Whom a class's run believes when two workers send different records of one game."""

import random
from collections.abc import Callable
from concurrent.futures import Future

import pytest

from arena.classroom import machines
from arena.classroom.machines import Rechecked, RemotePlayers
from arena.standings.entrants import Entrant, Terms
from arena.standings.series import GameOrder, GameOutcome, play_order
from arena.standings.tournament import Fixture, TournamentError
from solver.family import COURSE

ORDER = GameOrder(
    Fixture("greedy", "random", 0, 3), {name: Entrant(name, name) for name in ("greedy", "random")}, Terms(game=COURSE)
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


class Client:
    """A scheduler with workers that have played a game."""

    def __init__(self, *workers: str) -> None:
        self.workers = workers

    def nthreads(self) -> dict[str, int]:
        return dict.fromkeys(self.workers, 1)

    def who_has(self, futures: list["Played"]) -> dict[str, list[str]]:
        return {futures[0].key: [FIRST]}


class Played:
    """Dask's future of a game that the first worker has played."""

    key = "game-1"

    def __init__(self, found: object) -> None:
        self.found = found

    def result(self, timeout: float) -> object:
        return self.found


Sent = list[tuple[machines._Game, str | None]]


def crew_of(monkeypatch: pytest.MonkeyPatch, *workers: str, share: int = 1) -> tuple[RemotePlayers, Sent]:
    """Return the players of a run with these workers, and the games that it sends from now on."""
    crew, sent = players(), list[tuple[machines._Game, str | None]]()
    record = played_by(FIRST).record
    assert record is not None
    crew._client, crew._random, crew._share = Client(*workers), random.SystemRandom(), share
    crew._games, crew._again, crew._by_digest = {}, {}, {}
    crew._identities = dict(zip(ORDER.fixture[:2], record["identities"], strict=True))
    monkeypatch.setattr(crew, "_send", lambda future, game, worker=None: sent.append((game, worker)))
    return crew, sent


def take(crew: RemotePlayers, found: object, first: GameOutcome | None = None) -> GameOutcome:
    """Take a game that has arrived; first: what it has come to elsewhere."""
    future: Future[GameOutcome] = Future()
    crew._games[future] = machines._Game(ORDER, Played(found), first)
    return crew.take(future, ORDER)


def test_a_drawn_game_is_sent_to_another_worker_once(monkeypatch: pytest.MonkeyPatch) -> None:
    crew, sent = crew_of(monkeypatch, FIRST, SECOND)
    outcome = take(crew, played_by(FIRST))
    assert outcome.worker == FIRST
    assert [(game.first, worker) for game, worker in sent] == [(outcome, SECOND)]
    assert crew.sample == Rechecked(workers={FIRST})
    # One that was played again is not drawn.
    take(crew, played_by(FIRST), outcome)
    assert len(sent) == 1


def test_without_another_worker_nothing_can_be_compared(monkeypatch: pytest.MonkeyPatch) -> None:
    crew, sent = crew_of(monkeypatch, FIRST)
    take(crew, played_by(FIRST))
    assert (sent, crew.sample.left_out) == ([], 1)
    assert (
        crew.sample.line()
        == "1 workers; of 1 games drawn to be played again elsewhere 0 agreed, 1 could not be compared"
    )


def test_a_spoilt_game_is_not_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    crew, sent = crew_of(monkeypatch, FIRST, SECOND)
    outcome = take(crew, played_by(FIRST)._replace(record=None))
    assert (outcome.record, sent, crew.sample.workers) == (None, [], set())


def test_equal_records_agree_and_others_do_not(monkeypatch: pytest.MonkeyPatch) -> None:
    crew, _ = crew_of(monkeypatch, FIRST, SECOND, share=10**9)
    for seed, agreed in ((3, 1), (3, 2)):
        future: Future[GameOutcome] = Future()
        crew._again[future] = played_by(SECOND)
        crew._games[future] = machines._Game(ORDER, Played(played_by(FIRST, seed)), played_by(SECOND))
        future.set_result(machines._NOT_FETCHED)
        crew._compare(future)
        assert crew.sample.agreed == agreed
    assert crew._again == {}


def forged(**changes: object) -> GameOutcome:
    outcome = played_by(FIRST)
    assert outcome.record is not None
    return outcome._replace(record={**outcome.record, **changes})


@pytest.mark.parametrize(
    ("found", "words"),
    [
        ("nonsense", "sent no record: take the worker away"),
        (played_by(FIRST)._replace(seconds=1), "sent no record"),
        (forged(number=1), "it is the record of another game"),
        (forged(seed=4), "it is the record of another game"),
        (forged(identities=["", ""]), "its agents are others"),
        (forged(winner="nobody"), "sent game 0 of greedy - random: "),
    ],
)
def test_a_worker_is_not_believed_without_a_look(monkeypatch: pytest.MonkeyPatch, found: object, words: str) -> None:
    crew, sent = crew_of(monkeypatch, FIRST, SECOND)
    with pytest.raises(TournamentError, match=words):
        take(crew, found)
    assert (sent, crew.sample.workers) == ([], set())


@pytest.mark.parametrize(
    ("sample", "line"),
    [
        (Rechecked(workers={"a", "b"}), "2 workers; no game was drawn to be played again elsewhere"),
        (
            Rechecked(3, 2, 1, {"a"}),
            "1 workers; of 6 games drawn to be played again elsewhere 3 agreed, 2 had agents with chance of their own,"
            " 1 could not be compared",
        ),
    ],
)
def test_the_line_on_what_was_played_again(sample: Rechecked, line: str) -> None:
    assert sample.line() == line
