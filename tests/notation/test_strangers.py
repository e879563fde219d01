"""Texts of strangers (``strangers.jsonl``), each with the right position, or null if it must be refused."""

import json
from collections import Counter
from pathlib import Path
from typing import Any

from little_go.notation.faults import NotationError
from little_go.notation.forms import read
from little_go.solver.family import COURSE, Variant
from little_go.solver.position import Position
from tests.explorer.vectors import PageModules
from tests.notation.test_pasted import described

STRANGERS: list[dict[str, Any]] = [
    json.loads(line) for line in Path(__file__).with_name("strangers.jsonl").read_text("utf-8").split("\n")[:-1]
]
#: This text is ambiguous: a game of four moves, or a game of two moves with seconds.
UNDECIDED = {"time3"}


def outcome(vector: dict[str, Any], position: dict[str, Any] | None) -> str:
    """Return ``right``, ``refused`` or ``wrong``."""
    wanted = vector["position"]
    if position is None:
        return "refused"
    if wanted is None:
        return "wrong"
    found = position | {"mover": "BW"[position["ply"] % 2]}
    return "right" if all(found[key] == value for key, value in wanted.items() if value is not None) else "wrong"


def raw(vector: dict[str, Any]) -> bytes:
    content: bytes = vector["input"].encode(vector["encoding"])
    return content


def read_by_python(vector: dict[str, Any], asked: Variant | None = None) -> dict[str, Any] | None:
    try:
        placed = read(raw(vector), asked)
    except NotationError:
        return None
    game = vector["game"]
    return described(placed.position) if game is None or [placed.game.plies, placed.game.komi] == game else {"ply": 99}


def test_none_is_answered_for_another_position() -> None:
    found = {vector["id"]: outcome(vector, read_by_python(vector)) for vector in STRANGERS}
    assert {name for name, each in found.items() if each == "wrong"} == UNDECIDED
    counts = Counter(found.values())
    assert counts["right"] >= 135
    assert len(STRANGERS) == 239


def test_the_page_has_the_same_outcome_of_each(page_modules: PageModules) -> None:
    # The page is for the course's game.
    vectors = [vector for vector in STRANGERS if vector["game"] is None]
    answers = page_modules.ask("readers", [raw(vector).hex() for vector in vectors])
    for vector, answer in zip(vectors, answers, strict=True):
        found = None if answer["fault"] else described(Position(**answer["position"]))
        assert found == read_by_python(vector, COURSE), vector["id"]
