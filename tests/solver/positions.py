"""Positions drawn as text, and positions with known exact values."""

import json
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from little_go.notation.record import from_record
from little_go.solver.family import COURSE
from little_go.solver.position import SIZE, Position, move_name, parse_move

DATA = Path(__file__).parents[1] / "data"


class Known(NamedTuple):
    """A position with its exact value and, if known, the exact value after each legal move."""

    position: Position
    value: int
    moves: dict[int, int]


@cache
def known_positions(left: int) -> tuple[Known, ...]:
    """Return the known positions with a number of plies left, 1 to 12. There are over a hundred of each."""
    return tuple(known for known in _all_known() if known.position.left == left)


@cache
def _all_known() -> tuple[Known, ...]:
    with open(DATA / "oracle_positions.jsonl", encoding="utf-8") as file:
        return tuple(_known(json.loads(line)) for line in file)


def _known(record: dict[str, Any]) -> Known:
    moves = {parse_move(name): value for name, value in record.get("moves", {}).items()}
    return Known(from_record(record, COURSE), record["value"], moves)


def drawn(diagram: str, mover: str = "X", *, passed: bool = False, ply: int | None = None) -> Position:
    """Return the position of five lines of ``X``, ``O``, ``.`` and at most one ``+``, the ko point.

    mover: X or O. The ply is 10 for X and 11 for O unless ``ply`` is given.
    """
    marks = diagram.split()
    assert len(marks) == SIZE * SIZE
    masks = {mark: sum(1 << p for p, m in enumerate(marks) if m == mark) for mark in "XO"}
    ko = marks.index("+") if "+" in marks else None
    position = Position(masks["X"], masks["O"], ko, 10 + "XO".index(mover) if ply is None else ply, passed)
    position.check()
    return position


def shown(position: Position) -> str:
    """Return everything about a position, for the message of a failed test."""
    ko = "none" if position.ko is None else move_name(position.ko)
    return f"\n{position.diagram()}\nply {position.ply}, ko {ko}, passed {position.passed}: {position!r}"
