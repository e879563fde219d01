"""The games of a series: each is played once, even if a worker is lost, the machine is busy, or a run is stopped."""

import multiprocessing
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from little_go.arena.match.contestant import Contestant, FunctionContestant
from little_go.arena.match.host import State
from little_go.arena.match.limits import Limits, Reply, Report, RunnerError
from little_go.arena.match.play import MOST_WAITING
from little_go.arena.standings.entrants import Entrant, Terms, open_contestant
from little_go.arena.standings.series import (
    STARVED,
    GameOrder,
    GameOutcome,
    GameSeries,
    LocalPlayers,
    cannot_play,
    play_order,
)
from little_go.arena.standings.tournament import (
    Fixture,
    GamesFolder,
    Record,
    TournamentError,
    draw_fixture,
    play_fixture,
)
from little_go.crew.jobs import Crew, JobLost, NotYet, Pool
from little_go.solver.family import COURSE

ROSTER = {name: Entrant(name, name) for name in ("greedy", "random")}
with (
    open_contestant(ROSTER["greedy"], Terms(game=COURSE)) as opened,
    open_contestant(ROSTER["random"], Terms(game=COURSE)) as other,
):
    IDENTITIES = {"greedy": opened.identity, "random": other.identity}

FIXTURES = [draw_fixture("greedy", "random", number, 3) for number in range(4)]


def order_of(fixture: Fixture) -> GameOrder:
    return GameOrder(fixture, ROSTER, Terms(game=COURSE))


class Fated(Pool[GameOrder, GameOutcome]):
    """Players that fail as a test requires.

    fails: by the number of a game, the exceptions that fetching it raises, one after the other.
    """

    slots = 0

    def __init__(self, slots: int, fails: dict[int, list[BaseException | None]]) -> None:
        self.slots, self._fails = slots, fails
        self.out: list[int] = []
        self.handed_out: list[int] = []
        self.most_out = 0
        self.stopped = False

    def submit(self, job: GameOrder) -> "Future[GameOutcome]":
        assert job.roster == ROSTER
        self.handed_out.append(job.fixture.number)
        self.out.append(job.fixture.number)
        self.most_out = max(self.most_out, len(self.out))
        future: Future[GameOutcome] = Future()
        future.set_result(play_order(job))
        return future

    def result_of(self, future: "Future[GameOutcome]", job: GameOrder) -> GameOutcome:
        self.out.remove(job.fixture.number)
        fails = self._fails.get(job.fixture.number, [])
        if fails and (error := fails.pop(0)) is not None:
            raise error
        outcome = future.result()
        return outcome._replace(record=None) if job.fixture.number == 99 else outcome

    def end(self) -> None:
        self.stopped = True

    def close(self, wait: bool) -> None:
        pass


class Quiet:
    """A display that shows nothing. shown: the games that it should have shown."""

    def __init__(self) -> None:
        self.shown: list[GameOutcome] = []

    def hide(self) -> None:
        pass

    def tick(self) -> None:
        pass

    def game(self, outcome: GameOutcome) -> None:
        self.shown.append(outcome)


def series_of(say: Callable[[str], None], folder: GamesFolder | None = None) -> GameSeries:
    return GameSeries(ROSTER, IDENTITIES, Terms(game=COURSE), folder, say)


class Run:
    """A stage that a crew has played: its series, its printed lines and its kept games."""

    def __init__(self, folder: Path, crew: Fated, fixtures: list[Fixture]) -> None:
        self.lines: list[str] = []
        with GamesFolder(folder) as games:
            self.series = series_of(self.lines.append, games)
            display = Quiet()
            try:
                self.series.play(fixtures, Crew(lambda: crew, cannot_play), display)
            finally:
                self.kept = (folder / "games.jsonl").read_text("utf-8").splitlines()
        self.records = self.series.records
        assert [outcome.order.fixture.number for outcome in display.shown] == self.numbers

    @property
    def result(self) -> tuple[int, bool]:
        return self.series.spoilt, self.series.interrupted

    @property
    def numbers(self) -> list[int]:
        return [record["number"] for record in self.records]


def test_each_game_is_played_once_and_no_more_are_out_than_there_are_slots(tmp_path: Path) -> None:
    crew = Fated(2, {})
    run = Run(tmp_path, crew, FIXTURES)
    assert sorted(run.numbers) == crew.handed_out == [0, 1, 2, 3]
    assert (crew.most_out, crew.stopped) == (2, False)
    assert run.result == (0, False)
    assert (len(run.kept), run.lines) == (4, [])
    for record in run.records:
        alone = play_fixture(FIXTURES[record["number"]], ROSTER, Terms(game=COURSE))
        assert (record["moves"], record["winner"]) == (list(alone.state.moves), alone.record()["winner"])
        assert record["seconds"] == round(record["seconds"], 3) > 0
        assert "again" not in record


def test_a_lost_game_comes_next_and_programs_sent_are_no_loss(tmp_path: Path) -> None:
    crew = Fated(1, {0: [*[JobLost("gone")] * 5, *[NotYet()] * 9]})
    run = Run(tmp_path, crew, FIXTURES[:2])
    assert crew.handed_out == [0] * 15 + [1]
    assert run.numbers == [0, 1]


def test_a_game_whose_worker_is_lost_each_time_ends_the_run(tmp_path: Path) -> None:
    crew = Fated(1, {0: [JobLost("gone")] * 6})
    with pytest.raises(TournamentError, match=r"game 0 of greedy - random cannot be played: gone; start the same"):
        Run(tmp_path, crew, FIXTURES)
    assert (crew.handed_out, crew.stopped) == ([0] * 6, True)


def test_ctrl_c_keeps_what_was_played(tmp_path: Path) -> None:
    crew = Fated(1, {2: [KeyboardInterrupt()]})
    run = Run(tmp_path, crew, FIXTURES)
    assert (run.numbers, run.result, crew.stopped) == ([0, 1], (0, True), True)
    assert len(run.kept) == 2


SPOILT = draw_fixture("greedy", "random", 99, 3)


@pytest.mark.parametrize("free", [True, False])
def test_a_game_that_a_busy_machine_ended_is_played_again_at_the_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, free: bool
) -> None:
    def when_free(play: Callable[[], object], is_cpu_starved: object, deadline: float) -> object:
        assert deadline > time.monotonic() + MOST_WAITING / 2
        return play() if free else None

    monkeypatch.setattr("little_go.arena.standings.series.play_when_free", when_free)
    run = Run(tmp_path, Fated(1, {}), [SPOILT, *FIXTURES[:1]])
    assert run.lines == [f"1 game {STARVED}"]
    assert run.numbers == ([0, 99] if free else [0])
    assert [record.get("again") for record in run.records] == ([None, True] if free else [None])
    assert run.result == (0 if free else 1, False)
    assert run.series.missing() == (
        ""
        if free
        else "1 game not played: the machine stays busy, so programs get too little time: give the same command when "
        "it is free"
    )


def test_a_process_that_is_killed_costs_its_game_a_repetition() -> None:
    crew = Crew(lambda: LocalPlayers(1), cannot_play)
    rounds = crew.rounds(map(order_of, FIXTURES))
    try:
        found = [outcome for _ in range(1) for _, outcome in next(rounds)]
        (process,) = multiprocessing.active_children()
        process.kill()
        found += [outcome for results in rounds for _, outcome in results]
    finally:
        crew.close()
    assert {outcome.order.fixture: outcome.record and outcome.record["moves"] for outcome in found} == {
        fixture: list(play_fixture(fixture, ROSTER, Terms(game=COURSE)).state.moves) for fixture in FIXTURES
    }
    assert len(found) == len(FIXTURES)


def test_no_room_for_a_game_is_a_loss_of_its_own() -> None:
    crew = LocalPlayers(1)
    future: Future[GameOutcome] = Future()
    future.set_exception(RunnerError("no room"))
    with pytest.raises(JobLost, match="no room"):
        crew.result_of(future, order_of(FIXTURES[0]))


@pytest.mark.parametrize("here", [True, False])
def test_a_series_plays_the_same_games_in_this_process_and_in_others_of_which_one_is_killed(here: bool) -> None:
    class Killing(Quiet):
        def game(self, outcome: GameOutcome) -> None:
            super().game(outcome)
            if not here and len(self.shown) == 1:
                multiprocessing.active_children()[0].kill()

    series, display = series_of(lambda line: None), Killing()
    with closing(Crew(lambda: LocalPlayers(1 if here else 2, here), cannot_play)) as crew:
        series.play(FIXTURES, crew, display)
    found = {record["number"]: record["moves"] for record in series.records}
    assert len(series.records) == len(display.shown) == len(FIXTURES)
    assert found == {
        fixture.number: list(play_fixture(fixture, ROSTER, Terms(game=COURSE)).state.moves) for fixture in FIXTURES
    }


class Busy:
    """A contestant whose first games the clock ends because it gets no core. Later it plays a corner."""

    name, identity = "busy", "same"

    def __init__(self, spoilt: int) -> None:
        self.spoilt = spoilt

    def new_game(self, seed: str) -> None:
        self.spoilt -= 1

    def reply(self, state: State) -> Reply:
        if self.spoilt >= 0:
            over = Report(Limits(), "wall", 8.9, 30.0, 20.7)
            return Reply(None, over.cpu, over.exceeded, "timeout", over.limit_text(), over.cpu_starved)
        return Reply("0,0", 0.1)


def play_busily(monkeypatch: pytest.MonkeyPatch, spoilt: int, free: bool) -> tuple[list[Record], list[str]]:
    """Return the records of two games of Busy, on a machine that becomes free or stays busy, and the printed text."""
    busy, lines = Busy(spoilt), list[str]()

    @contextmanager
    def opened(entrant: Entrant, terms: Terms) -> Iterator[Contestant]:
        yield busy if entrant.name == "busy" else FunctionContestant("other", lambda position, rng: 12, "same")

    monkeypatch.setattr("little_go.arena.standings.tournament.open_contestant", opened)
    monkeypatch.setattr("little_go.arena.match.play.wait_until_free", lambda deadline: free)
    monkeypatch.setattr("little_go.arena.match.play.is_free", lambda: free)
    fixtures = [Fixture("busy", "other", number, 0) for number in range(2)]
    roster = {name: Entrant(name, name) for name in ("busy", "other")}
    series = GameSeries(roster, {"busy": "same", "other": "same"}, Terms(game=COURSE), None, lines.append)
    series.play(fixtures, Crew(lambda: LocalPlayers(1, here=True), cannot_play), Quiet())
    return series.records, lines


def test_a_game_that_a_busy_machine_ended_is_played_again_when_it_is_free(monkeypatch: pytest.MonkeyPatch) -> None:
    records, lines = play_busily(monkeypatch, 1, True)
    assert [(record["number"], record["reason"]) for record in records] == [
        (1, "invalid_occupied"),
        (0, "invalid_occupied"),
    ]
    assert lines == [f"1 game {STARVED}"]


def test_on_a_free_machine_the_clock_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    records, lines = play_busily(monkeypatch, 9, True)
    assert [record["reason"] for record in records] == ["timeout", "timeout"]
    assert lines == [f"2 games {STARVED}"]
    assert records[0]["detail"] == (
        "killed by the clock: 30.0 s by the clock (limit 30 s), 20.7 s of them waiting for a core, "
        "8.90 s of CPU (limit 10 s)"
    )


def test_a_game_that_a_busy_machine_ended_does_not_count(monkeypatch: pytest.MonkeyPatch) -> None:
    records, lines = play_busily(monkeypatch, 9, False)
    assert (records, lines) == ([], [f"2 games {STARVED}"])
