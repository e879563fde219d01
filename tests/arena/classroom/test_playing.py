"""The games of a class, each played once, whatever becomes of workers, of the machine and of the run."""

import multiprocessing
from collections.abc import Callable
from concurrent.futures import Future
from pathlib import Path

import pytest

from arena.classroom import playing
from arena.classroom.playing import (
    GameOrder,
    GameOutcome,
    LocalPlayers,
    StagePlayed,
    cannot_play,
    play_games,
    play_order,
)
from arena.match.limits import RunnerError
from arena.standings.entrants import Entrant, Terms
from arena.standings.tournament import Fixture, GamesFolder, Record, TournamentError, draw_fixture, play_fixture
from crew.jobs import Crew, JobLost, NotYet, Pool
from solver.family import COURSE

ROSTER = {name: Entrant(name, name) for name in ("greedy", "random")}
FIXTURES = [draw_fixture("greedy", "random", number, 3) for number in range(4)]


def order_of(fixture: Fixture) -> GameOrder:
    return GameOrder(fixture, ROSTER, Terms(game=COURSE))


class Fated(Pool[GameOrder, GameOutcome]):
    """Players that fail as a test has it. fails: by a game's number, what taking it raises, one after another."""

    slots = 0

    def __init__(self, slots: int, fails: dict[int, list[BaseException | None]]) -> None:
        self.slots, self._fails = slots, fails
        self.out: list[int] = []
        self.handed_out: list[int] = []
        self.most_out = 0
        self.settled = self.stopped = False

    def submit(self, job: GameOrder) -> "Future[GameOutcome]":
        assert job.roster == ROSTER
        self.handed_out.append(job.fixture.number)
        self.out.append(job.fixture.number)
        self.most_out = max(self.most_out, len(self.out))
        future: Future[GameOutcome] = Future()
        future.set_result(play_order(job))
        return future

    def take(self, future: "Future[GameOutcome]", job: GameOrder) -> GameOutcome:
        self.out.remove(job.fixture.number)
        fails = self._fails.get(job.fixture.number, [])
        if fails and (error := fails.pop(0)) is not None:
            raise error
        outcome = future.result()
        return outcome._replace(record=None) if job.fixture.number == 99 else outcome

    def settle(self, hurried: bool = False) -> None:
        self.settled = True

    def end(self) -> None:
        self.stopped = True

    def close(self, wait: bool) -> None:
        pass


class Run:
    """A stage that a crew has played: its records, its lines and how it ended."""

    def __init__(self, folder: Path, crew: Fated, fixtures: list[Fixture]) -> None:
        self.records: list[Record] = []
        self.lines: list[str] = []
        games = GamesFolder(folder)
        try:
            self.result = play_games(
                *(fixtures, [], games, ROSTER, Terms(game=COURSE), Crew(lambda: crew, cannot_play), "games"),
                self.records.append,
                self.lines.append,
            )
        finally:
            games.close()
            self.kept = (folder / "games.jsonl").read_text("utf-8").splitlines()

    @property
    def numbers(self) -> list[int]:
        return [record["number"] for record in self.records]


def test_each_game_is_played_once_and_no_more_are_out_than_there_are_slots(tmp_path: Path) -> None:
    crew = Fated(2, {})
    run = Run(tmp_path, crew, FIXTURES)
    assert sorted(run.numbers) == crew.handed_out == [0, 1, 2, 3]
    assert (crew.most_out, crew.settled, crew.stopped) == (2, True, False)
    assert run.result == StagePlayed(0, False)
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
    assert (crew.handed_out, crew.stopped, crew.settled) == ([0] * 6, True, False)


def test_ctrl_c_keeps_what_was_played(tmp_path: Path) -> None:
    crew = Fated(1, {2: [KeyboardInterrupt()]})
    run = Run(tmp_path, crew, FIXTURES)
    assert (run.numbers, run.result, crew.stopped) == ([0, 1], StagePlayed(0, True), True)
    assert len(run.kept) == 2


SPOILT = draw_fixture("greedy", "random", 99, 3)


@pytest.mark.parametrize("free", [True, False])
def test_a_game_that_a_busy_machine_ended_is_played_again_at_the_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, free: bool
) -> None:
    def when_free(play: Callable[[], object], deadline: float) -> object:
        return play() if free else None

    monkeypatch.setattr(playing, "play_when_free", when_free)
    run = Run(tmp_path, Fated(1, {}), [SPOILT, *FIXTURES[:1]])
    assert run.lines == [
        "1 game to be played again when the machine is free: the clock ended them while the agents waited for a core"
    ]
    assert run.numbers == ([0, 99] if free else [0])
    assert [record.get("again") for record in run.records] == ([None, True] if free else [None])
    assert run.result == StagePlayed(0 if free else 1, False)


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
        crew.take(future, order_of(FIXTURES[0]))
