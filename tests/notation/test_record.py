"""Positions as JSON."""

import json

import pytest
from hypothesis import given

from little_go.notation.faults import NotationError
from little_go.notation.record import answer_record, from_record, read_json, to_record
from little_go.solver.answer import Answer
from little_go.solver.family import COURSE, Variant
from little_go.solver.position import OCCUPIED, PASS, Position
from tests.book.positions import open_positions

KO = {"black": 34, "white": 68, "ko": 0, "ply": 11, "passed": False}


@given(open_positions())
def test_position_round_trips_through_json(position: Position) -> None:
    record = to_record(position, COURSE)
    assert list(record) == ["black", "white", "ko", "ply", "passed"]
    assert read_json(json.dumps(record), COURSE).position == position


def test_position_of_another_game_is_read_back_as_one_of_it() -> None:
    game = Variant(12, 0.5)
    position = game.start.play(12).play(PASS)
    record = json.dumps(to_record(position, game))
    placed = read_json(record, game=None)
    assert (placed.position, placed.game) == (position, game)
    with pytest.raises(NotationError, match=r"it is of a game of 12 plies, komi 0\.5"):
        read_json(record, COURSE)


def test_ko_and_passed_may_be_left_out() -> None:
    assert from_record({"black": 1, "white": 2, "ply": 3}, COURSE) == Position(1, 2, None, 3, False)


def test_other_keys_are_ignored() -> None:
    assert from_record({**KO, "value": 7}, COURSE) == Position(34, 68, 0, 11)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"black": None}, "'black' must be an integer, not None"),
        ({"white": True}, "'white' must be an integer, not True"),
        ({"ply": 1.0}, "'ply' must be an integer, not 1.0"),
        ({"ko": "0,0"}, "'ko' must be a point number or null, not '0,0'"),
        ({"ko": False}, "'ko' must be a point number or null, not False"),
        ({"passed": 0}, "'passed' must be true or false, not 0"),
        ({"black": 35}, f"the ko point 0,0 is {OCCUPIED}"),
        ({"ply": 99}, "ply 99 is not within 0 to 24"),
    ],
)
def test_wrong_key_is_named(change: dict[str, object], message: str) -> None:
    with pytest.raises(NotationError) as caught:
        from_record({**KO, **change}, COURSE)
    assert str(caught.value) == message


def test_missing_key_is_named() -> None:
    with pytest.raises(NotationError, match=r"^'ply' is missing: a position has black, white and ply"):
        from_record({"black": 0, "white": 0}, COURSE)


@pytest.mark.parametrize(
    ("line", "message"),
    [("{", "column 2: not JSON: "), ("", "column 1: not JSON: "), ("[1]", "give a JSON object instead of list")],
)
def test_line_that_is_no_object_is_refused(line: str, message: str) -> None:
    with pytest.raises(NotationError, match=f"^{message}"):
        read_json(line, COURSE)


def test_answer_tells_its_bounds_and_source() -> None:
    assert answer_record(Answer(3, 3, 12, 99), ["kernel"]) == {
        "value": 3,
        "lo": 3,
        "hi": 3,
        "best_move": "2,2",
        "nodes": 99,
        "sources": ["kernel"],
    }
    undecided = answer_record(Answer(-24, 2, PASS, 1), ["book book.json"])
    assert (undecided["value"], undecided["lo"], undecided["hi"], undecided["best_move"]) == (None, -24, 2, "PASS")
    assert answer_record(Answer(0, 0, None, 0), [])["best_move"] is None
