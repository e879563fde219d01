"""The records of a worker that a class's run accepts or refuses."""

import os
from collections.abc import Iterator
from concurrent.futures import Future
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from little_go.arena.classroom import machines
from little_go.arena.classroom.machines import GamesPlace, MissingPrograms, RemotePlayers
from little_go.arena.classroom.submissions import AgentProgram, pack
from little_go.arena.match.limits import RunnerError, SandboxError
from little_go.arena.standings.entrants import Entrant, Terms, UnknownAgent
from little_go.arena.standings.series import GameOrder, GameOutcome, play_order
from little_go.arena.standings.tournament import Fixture, TournamentError
from little_go.crew.jobs import JobLost, NotYet
from little_go.crew.scheduler import LOST
from little_go.runtime.release import version
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


# The worker's side

WORKER: Any = SimpleNamespace(address=FIRST)


@pytest.fixture
def place() -> Iterator[GamesPlace]:
    """The place of a worker that can be used."""
    found = GamesPlace(False, version())
    assert found.prepare(WORKER) == ""
    yield found
    found.teardown(WORKER)


def test_a_worker_says_why_it_cannot_be_used(monkeypatch: pytest.MonkeyPatch) -> None:
    def lacks() -> None:
        raise SandboxError("no user namespaces", "set the sysctl")

    monkeypatch.setattr(machines, "require_sandbox", lacks)
    places = [GamesPlace(True, version()), GamesPlace(False, version()), GamesPlace(False, "0.0.1")]
    assert [each.prepare(WORKER) for each in places] == [
        f"{FIRST}: no user namespaces: set the sysctl",
        "",
        f"{FIRST} has another version of Little-Go, {version()}",
    ]
    folders = [Path(each._folder.name) for each in places]
    assert [folder.stat().st_mode & 0o777 for folder in folders] == [0o755] * 3
    for each in places:
        each.teardown(WORKER)
    assert not any(folder.exists() for folder in folders)


def test_a_worker_keeps_programs_by_digest(place: GamesPlace) -> None:
    archive = pack({"my_player3.py": b"first"})
    place.put({"d1": archive})
    place.put({"d1": pack({"my_player3.py": b"second"}), "d2": archive})
    assert [(place._place(digest) / "my_player3.py").read_bytes() for digest in ("d1", "d2")] == [b"first", b"first"]
    assert place.do((ORDER, {"greedy": "d1", "random": "d3"})) == MissingPrograms(("d3",))


def test_a_worker_plays_with_its_own_copies(place: GamesPlace, monkeypatch: pytest.MonkeyPatch) -> None:
    place.put({"d1": pack({"my_player3.py": b""})})
    asked: list[tuple[GameOrder, str]] = []

    def play(order: GameOrder, worker: str) -> GameOutcome:
        asked.append((order, worker))
        return GameOutcome(order, None, 1.0, worker)

    monkeypatch.setattr(machines, "play_order", play)
    assert place.do((ORDER, {"random": "d1"})) == GameOutcome(ORDER, None, 1.0, FIRST)
    ((order, worker),) = asked
    assert (worker, order.roster["greedy"]) == (FIRST, ORDER.roster["greedy"])
    assert order.roster["random"] == Entrant("random", str(place._place("d1")))


@pytest.mark.parametrize("error", [RunnerError("why"), UnknownAgent("why"), SandboxError("why")])
def test_a_worker_that_cannot_play_ends_the_run(
    place: GamesPlace, monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    def fails(order: GameOrder, worker: str) -> GameOutcome:
        raise error

    monkeypatch.setattr(machines, "play_order", fails)
    with pytest.raises(TournamentError, match=f"^{FIRST} cannot play: why$"):
        place.do((ORDER, {}))


# The scheduler's side


class DaskFuture(Played):
    """Dask's future of a game, which ends when a test says so."""

    def add_done_callback(self, call: Any) -> None:
        self.ended = lambda: call(self)

    def result(self, timeout: float) -> object:
        if isinstance(self.found, Exception):
            raise self.found
        return self.found


class Scheduler(Client):
    """A scheduler's client, and its cluster, that record what a run asks of them."""

    slots = 7

    def __init__(self, found: object = None) -> None:
        self.client, self.found = self, found
        self.submitted: list[tuple[Any, str]] = []
        self.sent: list[Any] = []
        self.cancelled: list[Any] = []
        self.is_left = False

    def submit(self, job: Any, key: str) -> DaskFuture:
        if isinstance(self.found, OSError):
            raise self.found
        self.submitted.append((job, key))
        return DaskFuture(self.found)

    def run(self, function: Any, *arguments: Any, **options: Any) -> None:
        self.sent.append((*arguments, options))

    def cancel(self, futures: list[Any]) -> None:
        self.cancelled += futures

    def leave(self) -> None:
        self.is_left = True


def connected(monkeypatch: pytest.MonkeyPatch, scheduler: Scheduler) -> RemotePlayers:
    monkeypatch.setattr(machines, "Cluster", lambda address, place: scheduler)
    program = AgentProgram("my_player3.py", "d1", Path("d"))
    monkeypatch.setattr(AgentProgram, "archive", property(lambda self: b"archive"))
    return RemotePlayers("tcp://x:1", {"random": program, "other": program}, {}, False)


def test_games_are_submitted_with_digests_and_keys(monkeypatch: pytest.MonkeyPatch) -> None:
    scheduler = Scheduler()
    players = connected(monkeypatch, scheduler)
    futures = [players.submit(ORDER) for _ in range(2)]
    assert [job for job, _ in scheduler.submitted] == [(ORDER, {"random": "d1"})] * 2
    assert [key for _, key in scheduler.submitted] == [f"game-{os.getpid()}-{number}" for number in (1, 2)]
    assert (players.slots, [future.done() for future in futures]) == (7, [False, False])
    players._remote[futures[0]].ended()
    players._remote[futures[0]].ended()
    assert [future.done() for future in futures] == [True, False]
    players.end()
    assert len(scheduler.cancelled) == 2
    players.close(wait=False)
    assert scheduler.is_left


def test_a_lost_scheduler_ends_the_run(monkeypatch: pytest.MonkeyPatch) -> None:
    players = connected(monkeypatch, Scheduler(OSError("closed")))
    with pytest.raises(TournamentError, match=r"^the scheduler is lost: closed; start the same command again$"):
        players.submit(ORDER)


@pytest.mark.parametrize(
    ("found", "error", "words"),
    [
        (TournamentError("a worker's own words"), TournamentError, "^a worker's own words$"),
        (OSError("x"), JobLost, "^its worker was lost$"),
        (KeyError("x"), JobLost, "^its worker was lost$"),
        (TimeoutError("x"), JobLost, "^its worker was lost$"),
        (LOST[0]("x"), JobLost, "^its worker was lost$"),
        (
            ZeroDivisionError("x"),
            TournamentError,
            r"^a worker sends a record that cannot be read: ZeroDivisionError\('x'\)$",
        ),
    ],
)
def test_what_a_game_that_fails_means(
    monkeypatch: pytest.MonkeyPatch, found: Exception, error: type[Exception], words: str
) -> None:
    players = connected(monkeypatch, Scheduler(found) if not isinstance(found, OSError) else Scheduler())
    future = players.submit(ORDER)
    players._remote[future].found = found
    with pytest.raises(error, match=words):
        players.result_of(future, ORDER)
    assert not players._remote


def test_a_worker_gets_the_programs_that_it_lacks(monkeypatch: pytest.MonkeyPatch) -> None:
    scheduler = Scheduler(MissingPrograms(("d1", "unknown")))
    players = connected(monkeypatch, scheduler)
    with pytest.raises(NotYet):
        players.result_of(players.submit(ORDER), ORDER)
    assert scheduler.sent == [({"d1": b"archive"}, {"workers": [FIRST], "on_error": "ignore"})]
