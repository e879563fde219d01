import json
from itertools import pairwise
from random import Random

import pytest

from little_go.arena.agents import Choose, UndoMove, greedy, random
from little_go.arena.match import play as playing
from little_go.arena.match.contestant import FunctionContestant
from little_go.arena.match.host import OPENING, State, judge
from little_go.arena.match.limits import Reply
from little_go.arena.match.play import Game, play_game
from little_go.arena.standings.tally import Tally
from little_go.solver.family import COURSE
from little_go.solver.position import OCCUPIED, PASS, Position


def play(black: Choose, white: Choose, seed: int = 0) -> Game:
    return play_game(FunctionContestant("b", black), FunctionContestant("w", white), seed, game=COURSE)


def centre(position: Position, rng: Random) -> int:
    return 12


def passes(position: Position, rng: Random) -> int:
    return PASS


def test_equal_seeds_give_equal_games() -> None:
    games = [play(random.choose, greedy.choose, seed).state for seed in (1, 1, 2)]
    assert games[0] == games[1] != games[2]


def test_colours_have_chance_of_their_own() -> None:
    game = play(random.choose, random.choose)
    assert game.state.moves[0] != game.state.moves[1]


def test_watch_sees_every_ply() -> None:
    seen: list[State] = []
    game = play_game(
        FunctionContestant("b", random.choose), FunctionContestant("w", passes), 0, seen.append, game=COURSE
    )
    assert seen[-1] == game.state
    assert len(seen) == 24
    assert all(judge(a, b.moves[-1]) == b for a, b in pairwise(seen))


class Waverer(FunctionContestant):
    """A contestant that plays the first legal point, and undoes its move once after each of these numbers of plies."""

    def __init__(self, *plies: int) -> None:
        super().__init__("waverer", lambda position, rng: position.legal_moves()[0])
        self.plies = list(plies)
        self.seen: list[State] = []

    def reply(self, state: State) -> Reply:
        self.seen.append(state)
        if self.plies and len(state.moves) == self.plies[0]:
            self.plies.pop(0)
            raise UndoMove
        return super().reply(state)


@pytest.mark.parametrize("colour", [1, 2])
def test_a_move_taken_back_goes_back_two_plies(colour: int) -> None:
    waverer, other = Waverer(*((6, 4, 2) if colour == 1 else (5, 3))), FunctionContestant("r", random.choose)
    game = play_game(waverer, other, 1, game=COURSE) if colour == 1 else play_game(other, waverer, 1, game=COURSE)
    plies = [len(state.moves) for state in waverer.seen]
    back = [0, 2, 4, 6, 4, 2, 0, 2] if colour == 1 else [1, 3, 5, 3, 1, 3]
    assert plies[: len(back)] == back
    assert all(waverer.seen[later] == waverer.seen[back.index(back[later])] for later in range(4, len(back) - 1))
    assert game.result.reason == "max"
    assert [len(side) for side in game.cpu] == [12, 12]
    state = OPENING
    for move in game.state.moves:
        state = judge(state, move)
    assert state == game.state


def test_what_was_taken_back_leaves_no_trace_in_the_record() -> None:
    class Slow(FunctionContestant):
        def reply(self, state: State) -> Reply:
            return super().reply(state)._replace(killed="cpu", cpu=float(len(state.moves)))

    game = play_game(Waverer(4), Slow("slow", random.choose), game=COURSE)
    assert game.killed == tuple(range(2, 25, 2))
    assert game.cpu[1] == tuple(range(1, 24, 2))


def test_record_of_a_game_played_out() -> None:
    record = play(random.choose, greedy.choose, 7).record()
    assert list(record) == [
        *("black", "white", "seed", "moves", "winner", "reason", "detail", "margin", "final", "cpu", "killed"),
        *("by_clock", "identities", "inexact"),
    ]
    assert (record["black"], record["white"], record["seed"]) == ("b", "w", 7)
    assert (record["reason"], record["detail"], record["killed"]) == ("max", "", [])
    assert record["margin"] == record["final"].count("1") - record["final"].count("2")
    assert record["winner"] == ("Black" if record["margin"] >= 3 else "White")
    assert len(record["moves"]) == 24
    assert len(record["cpu"]["black"]) == len(record["cpu"]["white"]) == 12
    assert json.loads(json.dumps(record)) == record


def test_record_of_a_game_thrown_away() -> None:
    record = play(centre, centre).record()
    assert record["moves"] == ["2,2", "2,2"]
    assert (record["winner"], record["reason"], record["detail"]) == ("Black", "invalid_occupied", f"2,2 is {OCCUPIED}")
    assert record["final"] == "0" * 12 + "1" + "0" * 12


class Sloppy(FunctionContestant):
    """A contestant that writes blanks and zeros, which the course's host accepts."""

    def reply(self, state: State) -> Reply:
        return Reply(f" 0{super().reply(state).text}", 0.0)


def test_answers_not_to_the_letter_are_in_the_record() -> None:
    record = play_game(Sloppy("b", centre), FunctionContestant("w", centre), game=COURSE).record()
    assert (record["moves"][0], record["inexact"]) == ("2,2", {"1": " 02,2"})


def test_strict_games_are_lost_by_them() -> None:
    game = play_game(Sloppy("b", centre), FunctionContestant("w", centre), strict=True, game=COURSE)
    assert game.result == (2, "malformed", "output.txt reads ' 02,2' instead of i,j or PASS")


def test_the_answer_that_lost_has_its_cpu_time_recorded() -> None:
    assert [len(side) for side in play(centre, centre).cpu] == [1, 1]


def test_tally_counts_games() -> None:
    tally = Tally()
    for game in (play(passes, passes), play(centre, centre), play(centre, centre)):
        tally.add(game)
    lines = tally.lines()
    assert lines[:2] == ["3 games: Black wins 2, White wins 1", "ended by: invalid_occupied 2, two_passes 1"]
    assert lines[2].startswith("CPU per move: Black mean 0.")


def test_tally_of_no_games() -> None:
    assert Tally().lines() == ["0 games: Black wins 0, White wins 0"]


def test_tally_knows_mean_and_maximum() -> None:
    state = play(centre, centre).state
    tally = Tally()
    tally.add(Game("b", "w", 0, state, ((1.0, 2.0), (0.003,)), (1,)))
    tally.add(Game("b", "w", 0, state, ((6.0,), ()), ()))
    assert tally.lines()[2:] == [
        "CPU per move: Black mean 3.00 s, max 6.00 s; White mean 3.00 ms, max 3.00 ms",
        f"White lost by invalid_occupied 2: 2,2 is {OCCUPIED}",
        "killed for time: 1 move, for CPU",
    ]


# A busy machine


class Clock:
    """A clock that sleeping and working advance; the machine is busy until a time."""

    def __init__(self, busy_until: float) -> None:
        self.now, self.used, self._busy_until = 100.0, 0.0, busy_until
        self.slept: list[float] = []

    def monotonic(self) -> float:
        return self.now

    def thread_time(self) -> float:
        # Each look takes a hundredth of a second of CPU time, for which a busy machine takes twice the time.
        self.used += 0.01
        self.now += 0.02 if self.now < self._busy_until else 0.01
        return self.used

    def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.now += seconds


def at_a_clock(monkeypatch: pytest.MonkeyPatch, busy_until: float) -> Clock:
    clock = Clock(busy_until)
    monkeypatch.setattr(playing, "time", clock)
    return clock


def test_a_free_machine_takes_as_long_as_the_cpu(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = at_a_clock(monkeypatch, 0.0)
    assert playing.is_free()
    assert 0.25 <= clock.used <= 0.3
    at_a_clock(monkeypatch, 1000.0)
    assert not playing.is_free()


def test_the_machine_is_probed_until_the_deadline(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = at_a_clock(monkeypatch, 110.0)
    assert playing.wait_until_free(200.0)
    assert clock.slept == [5.0, 5.0]
    clock = at_a_clock(monkeypatch, 1000.0)
    assert not playing.wait_until_free(111.0)
    assert clock.slept == [5.0]
    assert clock.now < 111.0


@pytest.mark.parametrize(
    ("starved", "free", "played"),
    [
        ([False], [True], 1),
        # If the machine is free after the game, the result counts.
        ([True], [True, True], 1),
        ([True, False], [True, False, True], 2),
        ([True, True], [True, False, True, False, None], None),
        ([], [None], None),
    ],
)
def test_a_game_is_repeated_until_the_machine_is_free(
    monkeypatch: pytest.MonkeyPatch, starved: list[bool], free: list[bool | None], played: int | None
) -> None:
    """None in ``free`` is the deadline."""
    looks, games = iter(free), iter(range(1, 9))
    deadlines: list[float] = []

    def wait(deadline: float) -> bool:
        deadlines.append(deadline)
        return next(looks) is not None

    at_a_clock(monkeypatch, 0.0)
    monkeypatch.setattr(playing, "wait_until_free", wait)
    monkeypatch.setattr(playing, "is_free", lambda: next(looks))
    assert playing.play_when_free(lambda: next(games), lambda number: starved[number - 1]) == played
    assert set(deadlines) == {100.0 + playing.MOST_WAITING}
    assert next(looks, "all used") == "all used"


class Replies(FunctionContestant):
    """A contestant whose replies are given."""

    def __init__(self, name: str, *replies: Reply) -> None:
        super().__init__(name, random.choose)
        self.replies = list(replies)

    def reply(self, state: State) -> Reply:
        return self.replies.pop(0)


def test_the_record_of_replies() -> None:
    black = Replies("b", Reply("2,2", 1 / 3, "cpu"), Reply(None, 0.5, "wall", "timeout", "", True))
    white = Replies("w", Reply(" 1,1", 0.25, "wall"))
    game = play_game(black, white, 5, game=COURSE)
    record = game.record()
    assert (game.killed, game.by_clock, game.cpu_starved, game.is_cpu_starved()) == ((1, 2, 3), (2, 3), (3,), True)
    assert (record["killed"], record["by_clock"], record["cpu"]) == (
        [1, 2, 3],
        [2, 3],
        {"black": [0.333333, 0.5], "white": [0.25]},
    )
    assert (record["winner"], record["reason"], record["detail"]) == ("White", "timeout", "killed for time")
    assert (record["margin"], record["final"].count("1"), record["seed"]) == (0, 1, 5)
    assert record["inexact"] == {"2": " 1,1"}


@pytest.mark.parametrize(
    ("reply", "result"),
    [
        (Reply(None, 0.1), ("missing", "no output.txt")),
        (Reply(None, 0.1, complaint="KeyError"), ("missing", "KeyError")),
        (Reply(None, 0.1, absence="resigned"), ("resigned", "")),
        (Reply("x", 0.1, complaint="KeyError"), ("malformed", "output.txt reads 'x' instead of i,j or PASS; KeyError")),
        (Reply("x", 0.1), ("malformed", "output.txt reads 'x' instead of i,j or PASS")),
        (Reply("2,2", 0.1, complaint="KeyError"), None),
    ],
)
def test_the_state_after_a_reply(reply: Reply, result: tuple[str, str] | None) -> None:
    found = playing.state_after(OPENING, reply, strict=False).result
    assert (found and (found.reason, found.detail)) == result


def test_a_game_without_an_end_has_no_result() -> None:
    with pytest.raises(ValueError, match="the game has not ended"):
        _ = Game("a", "b", 0, OPENING, ((), ()), ()).result
