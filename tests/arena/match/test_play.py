import json
from itertools import pairwise
from random import Random

import pytest

from little_go.arena.agents import Choose, UndoMove, greedy, random
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
