"""Whom a class's run believes when two workers send different records of one game."""

import random
import re
from concurrent.futures import Future

import pytest

from arena.classroom import machines
from arena.classroom.machines import RecheckReport, RemotePlayers
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
    assert outcome.record is not None
    return outcome._replace(order=ORDER, record={**outcome.record, "seed": ORDER.fixture.seed})


def players() -> RemotePlayers:
    """Return those of a run, without a scheduler."""
    found = RemotePlayers.__new__(RemotePlayers)
    found.sample = RecheckReport()
    return found


class Client:
    """A scheduler with workers that have played a game."""

    def __init__(self, *workers: str) -> None:
        self.workers = workers

    def nthreads(self) -> dict[str, int]:
        return dict.fromkeys(self.workers, 1)

    def who_has(self, futures: list["Played"]) -> dict[str, list[str]]:
        return {futures[0].key: [futures[0].worker]}


class Played:
    """Dask's future of a game that a worker has played."""

    key = "game-1"

    def __init__(self, found: object, worker: str = FIRST) -> None:
        self.found, self.worker = found, worker

    def result(self, timeout: float) -> object:
        return self.found


Sent = list[tuple[machines._GameInFlight, str | None]]


def crew_of(monkeypatch: pytest.MonkeyPatch, *workers: str, share: int = 1) -> tuple[RemotePlayers, Sent]:
    """Return the players of a run with these workers, and the games that it sends from now on."""
    crew, sent = players(), list[tuple[machines._GameInFlight, str | None]]()
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
    crew._games[future] = machines._GameInFlight(ORDER, Played(found), first)
    return crew.result_of(future, ORDER)


def test_a_drawn_game_is_sent_to_another_worker_once(monkeypatch: pytest.MonkeyPatch) -> None:
    crew, sent = crew_of(monkeypatch, FIRST, SECOND)
    outcome = take(crew, played_by(FIRST))
    assert outcome.worker == FIRST
    assert [(game.first, worker) for game, worker in sent] == [(outcome, SECOND)]
    assert crew.sample == RecheckReport(workers={FIRST})
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


# Games that two workers play differently


def disputed(
    monkeypatch: pytest.MonkeyPatch, first: list[int], second: list[int], here: list[int], fault: str = ""
) -> RemotePlayers:
    """Return the players after a game that two workers and this machine play as by these seeds, each in turn.

    0: a worker that is lost, or a game that a busy machine has spoilt. fault: of a built-in agent's moves in all.
    """
    crew, sent = crew_of(monkeypatch, FIRST, SECOND, share=10**9)
    left, record = {FIRST: first[1:], SECOND: list(second)}, played_by

    def as_by(seed: int, worker: str) -> GameOutcome:
        return record(worker, seed) if seed else GameOutcome(ORDER, None, 1.0, worker)

    def send(future: "Future[GameOutcome]", game: machines._GameInFlight, worker: str) -> None:
        sent.append((game, worker))
        game.remote = Played(as_by(left[worker].pop(0), worker), worker)
        crew._games[future] = game
        future.set_result(machines._NOT_FETCHED)

    monkeypatch.setattr(crew, "_send", send)
    monkeypatch.setattr(machines, "_built_in_fault", lambda outcome: fault)
    monkeypatch.setattr(machines, "play_order", lambda order: as_by(here.pop(0), ""))
    crew._send_elsewhere(as_by(first[0], FIRST))
    crew.settle()
    assert crew._again == {}
    return crew


def test_equal_records_agree(monkeypatch: pytest.MonkeyPatch) -> None:
    crew = disputed(monkeypatch, [3], [3], [])
    assert crew.sample == RecheckReport(agreed=1, workers={SECOND})


@pytest.mark.parametrize(
    ("first", "second", "here", "apart"),
    [([3, 3], [4, 4], [3, 3], [SECOND]), ([3, 3], [4, 4], [4, 4], [FIRST]), ([3, 3], [4, 4], [5, 5], [FIRST, SECOND])],
)
def test_a_program_that_depends_on_the_machine_names_no_wrong_worker(
    monkeypatch: pytest.MonkeyPatch, first: list[int], second: list[int], here: list[int], apart: list[str]
) -> None:
    sample = disputed(monkeypatch, first, second, here).sample
    assert (sample.by_machine, sample.agreed, sample.by_chance, sample.left_out) == ([tuple(apart)], 0, 0, 0)
    counts = ", ".join(f"{worker} 1" for worker in apart)
    assert sample.line().endswith(f"0 agreed, 1 depended on the machine (other than here: {counts})")


@pytest.mark.parametrize(
    ("first", "second", "here"), [([3, 4], [4, 4], [3, 3]), ([3, 3], [4, 3], [3, 3]), ([3, 3], [4, 4], [3, 4])]
)
def test_what_one_machine_plays_in_two_ways_is_chance(
    monkeypatch: pytest.MonkeyPatch, first: list[int], second: list[int], here: list[int]
) -> None:
    sample = disputed(monkeypatch, first, second, here).sample
    assert sample == RecheckReport(by_chance=1, workers={FIRST, SECOND})


@pytest.mark.parametrize(
    ("first", "second", "here"),
    [([3], [0], []), ([3, 0], [4, 4], [3, 3]), ([3, 3], [4, 0], [3, 3]), ([3, 3], [4, 4], [3, 0])],
)
def test_what_a_busy_machine_has_spoilt_proves_nothing(
    monkeypatch: pytest.MonkeyPatch, first: list[int], second: list[int], here: list[int]
) -> None:
    sample = disputed(monkeypatch, first, second, here).sample
    assert (sample.left_out, sample.agreed, sample.by_chance, sample.by_machine) == (1, 0, 0, [])


def test_a_worker_that_has_left_cannot_play_again(monkeypatch: pytest.MonkeyPatch) -> None:
    crew, sent = crew_of(monkeypatch, FIRST, SECOND)
    check = machines._Recheck(played_by(FIRST))
    monkeypatch.setattr(crew, "_client", Client(FIRST))
    crew._play_on_both(check, SECOND)
    assert (sent, crew.sample.left_out) == ([], 1)


def test_a_built_in_agent_s_move_that_it_does_not_play_names_the_worker(monkeypatch: pytest.MonkeyPatch) -> None:
    """Here the first worker's game is that of another seed: both agents' moves are others."""
    assert machines._built_in_fault(played_by(FIRST)) == ""
    fault = machines._built_in_fault(played_by(FIRST, 4))
    assert re.fullmatch(r"(greedy|random) plays \S+ at ply \d+, where it plays \S+", fault)
    assert machines._built_in_fault(played_by(FIRST)._replace(record=None)) == ""
    named = f"{FIRST} sent game 0 of greedy - random: it; take the worker away, and start again with another --out"
    with pytest.raises(TournamentError, match=re.escape(named)):
        disputed(monkeypatch, [3, 3], [4, 4], [3, 3], fault="it")


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
        (RecheckReport(workers={"a", "b"}), "2 workers; no game was drawn to be played again elsewhere"),
        (
            RecheckReport(3, 2, 1, {"a"}),
            "1 workers; of 6 games drawn to be played again elsewhere 3 agreed, 2 had agents with chance of their own,"
            " 1 could not be compared",
        ),
    ],
)
def test_the_line_on_what_was_played_again(sample: RecheckReport, line: str) -> None:
    assert sample.line() == line
