import json
from itertools import pairwise
from random import Random

from arena.agents import Choose, greedy, random
from arena.contestant import FunctionContestant
from arena.host import State, judge
from arena.play import Game, play_game
from arena.tally import Tally
from solver.position import PASS, Position


def play(black: Choose, white: Choose, seed: int = 0) -> Game:
    return play_game(FunctionContestant("b", black), FunctionContestant("w", white), seed)


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
    game = play_game(FunctionContestant("b", random.choose), FunctionContestant("w", passes), 0, seen.append)
    assert seen[-1] == game.state
    assert len(seen) == 24
    assert all(judge(a, b.moves[-1]) == b for a, b in pairwise(seen))


def test_record_of_a_game_played_out() -> None:
    record = play(random.choose, greedy.choose, 7).record()
    assert list(record) == [
        *("black", "white", "seed", "moves", "winner", "reason", "detail", "margin", "final", "cpu", "killed")
    ]
    assert (record["black"], record["white"], record["seed"]) == ("b", "w", 7)
    assert (record["reason"], record["detail"], record["killed"]) == ("max", "", [])
    assert record["margin"] == record["final"].count("1") - record["final"].count("2")
    assert record["winner"] == (1 if record["margin"] >= 3 else 2)
    assert len(record["moves"]) == 24
    assert len(record["cpu"]["black"]) == len(record["cpu"]["white"]) == 12
    assert json.loads(json.dumps(record)) == record


def test_record_of_a_game_thrown_away() -> None:
    record = play(centre, centre).record()
    assert record["moves"] == ["2,2", "2,2"]
    assert (record["winner"], record["reason"], record["detail"]) == (1, "invalid_occupied", "2,2 is occupied")
    assert record["final"] == "0" * 12 + "1" + "0" * 12


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
        "killed for time: 1 move",
    ]
