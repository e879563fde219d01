"""The summary of several games: each number, and the whole text."""

from dataclasses import replace

import pytest

from little_go.arena.review.notebook import NotebookEntry
from little_go.arena.review.summary import AgentSummary, counts_text, puzzles_text, summaries_text, summarise
from tests.arena.review.made import ENDED_BY_A_FAULT, PLAYED_OUT, THROWN_AWAY, made

REVIEWS = [PLAYED_OUT, ENDED_BY_A_FAULT, THROWN_AWAY]

SUMMARIES = """\
ann: 3 games, 2 lost: 1 by a fault, 1 thrown away from a win
  3 mistakes (1 fault among them), 2 points given away

  lost by a fault
  plays on an occupied point: 1 game, first at ply 3 against
    bob: Black played 2,2, where there is a stone already
    Rule: A stone may only be put on an empty point.

  worst moves
  ply 1, once: PASS instead of 2,2, costs 1 and the win
  ply 3, once: 1,2 instead of 1,3, costs 1 or more
    At ply 9 it loses 2,2. 0,1 would take it.

  worst plies  moves  mistakes  lost the win  points
  ply 1 of 8       3         1             1  1
  ply 3 of 8       2         2             1  1

  kind                        mistakes  lost the win  points
  plays on an occupied point         1             1  0
  passes                             1             1  1
  misses a cut                       1             0  1

  notebook: what to learn first
  1. misses a cut: 1 mistake, 1 point
     For example ply 3: 1,2 instead of 1,3, costs 1 or more.
     At ply 9 it loses 2,2. 0,1 would take it.
  2. passes: 1 mistake, 1 point, 1 win given away
     For example ply 1: PASS instead of 2,2, costs 1 and the
     win.

bob: 3 games, 1 lost: 1 otherwise
  3 mistakes, 6 points given away

  worst moves
  ply 2, 2 times: 1,1 instead of 0,0, costs 2
    At ply 9 it loses 2,2. 0,1 would take it.
  ply 6, once: 0,0, costs 1

  worst plies  moves  mistakes  lost the win  points
  ply 2 of 8       2         2             0  5
  ply 6 of 8       1         1             0  1

  kind           mistakes  lost the win  points
  misses an eye         1             0  3
  misses a cut          1             0  2
  other                 1             0  1

  notebook: what to learn first
  1. misses an eye: 1 mistake, 3 points
     For example ply 2: 1,1 instead of 0,0, costs 3.
     It has one eye. 2,4 makes two eyes.
  2. misses a cut: 1 mistake, 2 points
     For example ply 2: 1,1 instead of 0,0, costs 2.
     At ply 9 it loses 2,2. 0,1 would take it.
"""


def test_the_text_of_a_summary() -> None:
    assert summaries_text(summarise(REVIEWS)) == SUMMARIES.splitlines()
    assert AgentSummary(games=1).text("x") == ["x: 1 game, none lost", "  0 mistakes, 0 points given away"]


def test_the_numbers_of_a_summary() -> None:
    ann, bob = (summary.record() for summary in summarise(REVIEWS).values())
    counts = ("games", "lost", "threw_away", "faults")
    assert [[each[name] for name in counts] for each in (ann, bob)] == [[3, 2, 1, 1], [3, 1, 0, 0]]
    (fault,) = ann["lost_by"]
    assert (fault["games"], fault["against"], fault["ply"], fault["kind"]) == (
        1,
        "bob",
        3,
        "plays on an occupied point",
    )
    assert bob["lost_by"] == []
    assert ann["plies"] == [
        {"ply": 1, "moves": 3, "mistakes": 1, "decisive": 1, "cost": 1},
        {"ply": 3, "moves": 2, "mistakes": 2, "decisive": 1, "cost": 1},
    ]
    assert bob["plies"] == [
        {"ply": 2, "moves": 2, "mistakes": 2, "decisive": 0, "cost": 5},
        {"ply": 6, "moves": 1, "mistakes": 1, "decisive": 0, "cost": 1},
    ]
    moves = [
        [(each["times"], each["decisive"], each["cost"], each["ply"]) for each in one["moves"]] for one in (ann, bob)
    ]
    assert moves == [[(1, 1, 1, 1), (1, 0, 1, 3)], [(2, 0, 5, 2), (1, 0, 1, 6)]]
    found = {each["kind"]: (each["mistakes"], each["decisive"], each["cost"]) for each in ann["kinds"]}
    assert {kind: each for kind, each in found.items() if each != (0, 0, 0)} == {
        "plays on an occupied point": (1, 1, 0),
        "passes": (1, 1, 1),
        "misses a cut": (1, 0, 1),
    }
    assert [(each["kind"], each["puzzles"]) for each in ann["notebook"]] == [("misses a cut", []), ("passes", [])]
    assert ann["against"] == [
        {
            "opponent": "bob",
            "black": {"games": 3, "wins": 1},
            "white": {"games": 0, "wins": 0},
            "faults": 1,
            "threw_away": 1,
            "cost": 2,
        }
    ]
    assert bob["against"][0]["opponent"] == "ann"
    assert (bob["against"][0]["white"], bob["against"][0]["cost"]) == ({"games": 3, "wins": 2}, 6)
    assert ann["cpu"] == [
        {"ply": 1, "mean": 1.0, "max": 1.5},
        *({"ply": ply, "mean": mean, "max": mean} for ply, mean in ((3, 0.25), (5, 1.0), (7, 1.0))),
    ]
    assert [each["ply"] for each in bob["cpu"]] == [2, 4, 6, 8]


def test_what_is_counted_for_each_game() -> None:
    ann, bob = summarise(REVIEWS).values()
    assert (ann.unsettled, bob.unsettled, [variant.plies for variant in ann.variants]) == (1, 1, [8])
    assert (ann.called(), bob.called()) == ([1, 3, 5, 7], [2, 4, 6, 8])
    # A fault is a call, although the illegal move is not a move of the game.
    assert ann.plies == {1: 3, 3: 2, 5: 1, 7: 1}
    # An opponent's mistake, or a mistake before a lost game, throws nothing away.
    lost = made("2,2 1,1", [(1, 1), (1, 1), (3, 3)], winner=1, reason="timeout")
    assert [each.threw_away for each in summarise([lost]).values()] == [0, 0]
    fault = made("2,2 2,2", [(1, 1), (1, 1)])
    assert [opponent for _, opponent in summarise([fault])["bob"].faults] == ["ann"]
    # An unfinished game is neither lost nor won.
    unfinished = summarise([made("PASS 1,1"[:4], [(1, 1), (0, 0)]), made("2,2", [(1, 1), (1, 1)])])["ann"]
    assert (unfinished.games, unfinished.lost, unfinished.against["bob"].won[1]) == (2, 1, 0)


def test_the_lessons_begin_with_the_worst_group_of_each_kind() -> None:
    first, second, third = PLAYED_OUT.mistakes
    cheap = replace(second, cost=1, move=20, position=first.position)
    summary = AgentSummary(mistakes=[third, cheap, second, first])
    assert [alike[0].cost for alike in summary.by_move()] == [2, 1, 1, 1]
    assert [alike[0].kind for alike in summary.lessons(9)] == ["misses a cut", "other", "misses a cut", "misses a cut"]
    assert summary.lessons(2) == summary.lessons(9)[:2]


@pytest.mark.parametrize(
    ("puzzles", "text"),
    [
        ((), ""),
        ((7,), "Puzzles of this kind: little-go puzzle 7"),
        ((7, 9), "Puzzles of this kind: little-go puzzle 7, then 9"),
        ((7, 9, 8), "Puzzles of this kind: little-go puzzle 7, then 9 and 8"),
    ],
)
def test_the_puzzles_of_a_kind(puzzles: tuple[int, ...], text: str) -> None:
    assert puzzles_text(NotebookEntry("passes", 1, 0, 1, PLAYED_OUT.mistakes[0], puzzles)) == text


@pytest.mark.parametrize(
    ("decisive", "text"), [(0, "2 mistakes, 3 points"), (1, "2 mistakes, 3 points, 1 win given away")]
)
def test_the_counts_of_a_kind(decisive: int, text: str) -> None:
    assert counts_text(NotebookEntry("passes", 2, decisive, 3, PLAYED_OUT.mistakes[0], ())) == text
