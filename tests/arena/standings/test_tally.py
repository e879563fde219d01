"""The counts of games: each number of a record, and each line of a summary and of the standings."""

from collections import Counter
from functools import reduce
from typing import Any

import pytest

from little_go.arena.match.host import forfeit, states_of
from little_go.arena.match.play import Game
from little_go.arena.standings.standings import Standings
from little_go.arena.standings.tally import (
    AgentRow,
    CallTimes,
    Tally,
    align_columns,
    fault_line,
    killed_text,
    seconds_text,
)
from little_go.solver.family import COURSE


def record(black: str, white: str, winner: str, reason: str = "max", **more: Any) -> dict[str, Any]:
    told = {"black": black, "white": white, "winner": winner, "reason": reason}
    return {**told, "cpu": {"black": [0.25, 0.75], "white": [0.0625]}, "killed": [], **more}


RECORDS = [
    record("ann", "bob", "Black"),
    record("bob", "ann", "White", "missing", detail="no output.txt", killed=[1, 3, 4], by_clock=[1, 4]),
    record("ann", "bob", "White", "timeout", killed=[3], by_clock=[], inexact={"1": "2, 2", "2": "pass", "3": "2, 2"}),
    record("ann", "cid", "Black", "two_passes"),
]


def test_the_counts_of_an_agent() -> None:
    rows = Standings(["ann", "bob", "cid"], RECORDS).rows
    ann, bob = (rows[name].record() for name in ("ann", "bob"))
    assert ann == {
        "games": 4,
        "wins": 3,
        "black": {"games": 3, "wins": 2},
        "white": {"games": 1, "wins": 1},
        "cpu": {"calls": 7, "mean": 0.4375, "max": 0.75, "total": 3.0625, "killed": 2, "by_clock": 1},
        "faults": {"timeout": 1},
        "words": {"timeout": {"": 1}},
        "inexact": 2,
    }
    assert (bob["cpu"]["killed"], bob["cpu"]["by_clock"], bob["faults"], bob["inexact"]) == (2, 1, {"missing": 1}, 1)
    assert rows["ann"].faults_text() == (
        "timeout 1 (killed for time: 2 moves, 1 of them by the clock)"
        " (answers not in the exact format: 2, such as '2, 2' instead of i,j or PASS)"
    )
    assert rows["cid"].faults_text() == "-"
    thirds = AgentRow(clock=CallTimes([1 / 3, 2 / 3, 1 / 7])).record()["cpu"]
    assert (thirds["mean"], thirds["max"], thirds["total"]) == (0.380952, 0.666667, 1.142857)
    assert AgentRow().record()["cpu"] == {**dict.fromkeys(("calls", "mean", "max", "total", "killed", "by_clock"), 0)}


STANDINGS = """\
wins (as Black + as White)          1          2  3
1 ann                               -  2/3 (1+1)  1/1 (1+0)
2 bob                       1/3 (0+1)          -  -
3 cid                       0/1 (0+0)          -  -

agent  wins  as Black  as White   Elo  95 %  CPU mean       max  lost by fault
1 ann   3/4       2/3       1/1  +128  ±263    0.44 s    0.75 s  FAULTS_OF_ANN
2 bob   1/3       0/1       1/2    +5  ±303    0.28 s    0.75 s  FAULTS_OF_BOB
3 cid   0/1       0/0       0/1  -133  ±420  62.50 ms  62.50 ms  -

ann: timeout 1
bob: missing 1: no output.txt
"""


def test_the_standings() -> None:
    standings = Standings(["cid", "bob", "ann"], RECORDS)
    assert standings.games == 4
    told = standings.record()
    assert told["games"] == 4
    assert [each["name"] for each in told["agents"]] == ["cid", "bob", "ann"]
    assert told["pairs"] == [
        {"black": "ann", "white": "bob", "games": 2, "black_wins": 1},
        {"black": "ann", "white": "cid", "games": 1, "black_wins": 1},
        {"black": "bob", "white": "ann", "games": 1, "black_wins": 0},
    ]
    for name, rating in standings.ratings().items():
        elo = next(each["elo"] for each in told["agents"] if each["name"] == name)
        assert elo == [round(value, 1) for value in (rating.elo, rating.elo - rating.error, rating.elo + rating.error)]
    faults = {f"FAULTS_OF_{name.upper()}": standings.rows[name].faults_text() for name in ("ann", "bob")}
    assert standings.text() == [
        reduce(lambda text, pair: text.replace(*pair), faults.items(), line) for line in STANDINGS.splitlines()
    ]
    assert Standings(["ann"], []).text()[0] == "wins (as Black + as White)  1"


def a_game(reason: str, winner: int, **more: Any) -> Game:
    state = states_of(["2,2"], game=COURSE)[-1]
    result = forfeit(state, reason, "why").result
    assert result is not None
    state = state._replace(result=result._replace(winner=winner))
    return Game("a", "b", 0, state, ((0.5,), (0.25, 0.125)), **{"killed": (), **more})


def test_the_summary_of_a_series() -> None:
    tally = Tally()
    assert tally.lines() == ["0 games: Black wins 0, White wins 0"]
    tally.add(a_game("timeout", 1, killed=(2,), by_clock=(2,)))
    assert tally.lines() == [
        "1 game: Black wins 1, White wins 0",
        "ended by: timeout 1",
        "CPU per move: Black mean 0.50 s, max 0.50 s; White mean 0.19 s, max 0.25 s",
        "White lost by timeout 1: why",
        "killed for time: 1 move, by the clock",
    ]
    tally.add(a_game("missing", 2))
    tally.add(a_game("missing", 2, killed=(1,)))
    tally.rows["White"].inexact.update(["pass"])
    assert tally.lines() == [
        "3 games: Black wins 1, White wins 2",
        "ended by: missing 2, timeout 1",
        "CPU per move: Black mean 0.50 s, max 0.50 s; White mean 0.19 s, max 0.25 s",
        "Black lost by missing 2: why",
        "White lost by timeout 1: why",
        "killed for time: 2 moves, 1 of them by the clock",
        "answers not in the exact format: White 1, such as 'pass' instead of i,j or PASS",
    ]


@pytest.mark.parametrize(
    ("words", "line"),
    [
        ({"": 2}, "missing 2"),
        ({"x": 2}, "missing 2: x"),
        ({"x": 1, "y": 2}, "missing 3: y (2 of 3)"),
    ],
)
def test_a_line_on_a_fault(words: dict[str, int], line: str) -> None:
    assert fault_line("missing", Counter(words)) == line


def test_texts_of_numbers() -> None:
    assert [seconds_text(seconds) for seconds in (0.1, 0.0999, 0.0)] == ["0.10 s", "99.90 ms", "0.00 ms"]
    assert [killed_text(*each) for each in ((1, 0), (1, 1), (2, 1))] == [
        "1 move, for CPU",
        "1 move, by the clock",
        "2 moves, 1 of them by the clock",
    ]
    assert align_columns([["a", "b", "c", "d"], ["aa", "bb", "cc", "dd"]]) == ["a    b   c  d", "aa  bb  cc  dd"]
