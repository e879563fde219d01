"""Positions as JSON lines: the same keys everywhere, as in the oracle file.

``black``, ``white``: bit sets, bit ``5 * i + j``; ``ko``: a point number or null; ``ply``:
plies already played; ``passed``: whether the last ply was a PASS.
"""

import json
from collections.abc import Mapping
from typing import Any

from solver.answer import Answer
from solver.position import Position, move_name


class BadRecord(ValueError):
    """A line that describes no position."""


def to_record(position: Position) -> dict[str, Any]:
    """Return the position's five keys.

    >>> to_record(Position())
    {'black': 0, 'white': 0, 'ko': None, 'ply': 0, 'passed': False}
    """
    return position._asdict()


def answer_record(answer: Answer, source: str) -> dict[str, Any]:
    """Turn an answer into JSON keys: value, lo, hi, best, nodes and source (book, live or none)."""
    return {
        "value": answer.value,
        "lo": answer.lo,
        "hi": answer.hi,
        "best": None if answer.best is None else move_name(answer.best),
        "nodes": answer.nodes,
        "source": source,
    }


def from_record(record: Mapping[str, Any]) -> Position:
    """Return the position that a mapping describes; ``ko`` and ``passed`` may be left out.

    Raises BadRecord saying which key is missing or wrong, or why the position is impossible.
    """
    for key in ("black", "white", "ply"):
        if key not in record:
            raise BadRecord(f"{key!r} is missing: a position has black, white and ply, and may have ko and passed")
        if not _is_int(record.get(key)):
            raise BadRecord(f"{key!r} must be an integer, not {record.get(key)!r}")
    ko, passed = record.get("ko"), record.get("passed", False)
    if ko is not None and not _is_int(ko):
        raise BadRecord(f"'ko' must be a point number or null, not {ko!r}")
    if not isinstance(passed, bool):
        raise BadRecord(f"'passed' must be true or false, not {passed!r}")
    position = Position(record["black"], record["white"], ko, record["ply"], passed)
    try:
        position.check()
    except ValueError as error:
        raise BadRecord(str(error)) from None
    return position


def parse_line(line: str) -> Position:
    """Return the position in one line of JSON; raises BadRecord."""
    return from_record(parse_object(line))


def parse_object(line: str) -> dict[str, Any]:
    """Return the object in one line of JSON; raises BadRecord."""
    try:
        record = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise BadRecord(f"not JSON: {error}") from None
    if not isinstance(record, dict):
        raise BadRecord(f"want a JSON object, got {type(record).__name__}")
    return record


def _is_int(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)
