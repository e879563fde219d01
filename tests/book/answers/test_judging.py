"""Moves are judged, and mistakes are counted by their kind, without a store and without a search."""

from typing import Any

import pytest

from little_go.book.answers.judging import (
    MOST_KINDS,
    judged,
    kinds_to_learn,
    mistake_record,
    of_kinds,
    turning_point,
    worst_of,
)


def mistake(kind: str, cost: int, ply: int, decisive: bool = False) -> dict[str, Any]:
    return {"kind": kind, "cost": cost, "ply": ply, "decisive": decisive}


def kind(name: str, mistakes: int, decisive: int, cost: int, worst: int) -> dict[str, Any]:
    return {"kind": name, "mistakes": mistakes, "decisive": decisive, "cost": cost, "worst": worst}


def test_mistakes_are_counted_by_kind_in_the_order_of_their_first() -> None:
    mistakes = [
        mistake("shape", 2, 4),
        mistake("other", 9, 5, decisive=True),
        mistake("ladder", 3, 6),
        mistake("shape", 5, 8),
        mistake("ladder", 1, 9, decisive=True),
        mistake("shape", 5, 10),
    ]
    assert of_kinds(mistakes) == [kind("shape", 3, 0, 12, 5), kind("ladder", 2, 1, 4, 4)]
    assert of_kinds([]) == []


@pytest.mark.parametrize(
    ("mistakes", "expected"),
    [
        ([mistake("a", 1, 1), mistake("b", 2, 2)], ["b", "a"]),
        ([mistake("a", 2, 1), mistake("b", 1, 2), mistake("b", 1, 3)], ["b", "a"]),
        ([mistake("b", 1, 1), mistake("a", 1, 2)], ["a", "b"]),
        ([mistake(each, 10 - at, at) for at, each in enumerate("edcba")], ["e", "d", "c"]),
        ([mistake("other", 5, 1)], []),
    ],
    ids=["cost", "number", "name", "most", "other"],
)
def test_the_kinds_to_learn_come_in_order(mistakes: list[dict[str, Any]], expected: list[str]) -> None:
    found = kinds_to_learn(mistakes)
    assert [each["kind"] for each in found] == expected
    assert len(found) <= MOST_KINDS


@pytest.mark.parametrize(
    ("before", "after", "black", "white"),
    [
        ([5, 5], [2, 2], (3, True, True), (-3, True, True)),
        ([5, 5], [4, 4], (1, True, False), (-1, True, False)),
        ([1, 3], [1, 2], (-1, False, False), (-2, False, False)),
        ([0, 2], [3, 25], (-25, False, True), (1, False, True)),
        ([0, 3], [3, 25], (-25, False, False), (0, False, False)),
        ([4, 4], [1, 2], (2, False, True), (-3, False, True)),
        ([4, 5], [2, 2], (2, False, True), (-3, False, True)),
    ],
)
def test_a_move_costs_what_its_bounds_prove(
    before: list[int], after: list[int], black: tuple[object, ...], white: tuple[object, ...]
) -> None:
    for is_black, expected in ((True, black), (False, white)):
        assert tuple(judged(is_black, before, after, 3).values()) == expected


def test_the_worst_is_the_last_lost_win_or_else_the_first_with_the_highest_cost() -> None:
    plain = [mistake("a", 1, 1), mistake("a", 4, 2), mistake("a", 4, 3)]
    assert (turning_point(plain), worst_of(plain)) == (-1, 1)
    lost = [mistake("a", 1, 1, decisive=True), mistake("a", 4, 2), mistake("a", 2, 3, decisive=True), *plain]
    assert (turning_point(lost), worst_of(lost)) == (2, 2)
    assert (turning_point([]), worst_of([])) == (-1, -1)


def test_a_record_has_its_reason_or_says_that_there_is_none() -> None:
    made = {"ply": 3, "mover": "black", "move": "1,1", "cost": 2, "exact": True, "decisive": False}
    why = {
        "theme": "t",
        "kind": "k",
        "worse": "1,1 dies.",
        "better": "2,2 lives.",
        "answer": ["0,0"],
        "instead": ["2,2"],
    }
    found = mistake_record(made, why)
    assert made.items() <= found.items()
    assert found["kind"] == "k"
    assert (found["best_move"], found["pv"], found["answer"], found["theme"]) == ("2,2", ["2,2"], ["0,0"], "t")
    assert (found["why"], found["named"]) == ("1,1 dies. 2,2 lives.", {"worse": ["1,1"], "better": ["2,2"]})
    assert mistake_record({**made, "move": "PASS"}, why)["kind"] == "passes"
    unknown = mistake_record(made, None)
    assert (unknown["kind"], unknown["best_move"], unknown["why"], unknown["named"]) == ("other", None, None, None)
