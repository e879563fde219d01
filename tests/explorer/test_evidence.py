"""Python and the page draw the same conclusions: both are compared with ``tests/data/evidence.jsonl``."""

import json

import pytest

from tests.explorer.evidence_vectors import COMBINATIONS, FILE, LAWS, QUESTIONS, text
from tests.explorer.vectors import PageModules


def test_the_vectors_are_what_python_says() -> None:
    assert FILE.read_text("utf-8") == text(), "if the change is meant: python -m tests.explorer.evidence_vectors"


def test_the_vectors_have_every_law_and_every_outcome() -> None:
    vectors = [json.loads(line) for line in FILE.read_text("utf-8").splitlines()]
    assert len(vectors) == COMBINATIONS + QUESTIONS
    assert {vector["law"] for vector in vectors} == {*LAWS, "question"}
    outcomes = [vector["is"] for vector in vectors if vector["law"] == "question"]
    assert 5 < sum("contradiction" in outcome for outcome in outcomes) < QUESTIONS / 2
    whole = [outcome for outcome in outcomes if "best" in outcome]
    assert sum(not outcome["best"] for outcome in whole) > 5
    assert sum(len(outcome["best"]) > 1 for outcome in whole) > 5


def test_the_page_says_the_same(page_modules: PageModules) -> None:
    vectors = [json.loads(line) for line in FILE.read_text("utf-8").splitlines()]
    for kind in ("laws", "questions"):
        chosen = [vector for vector in vectors if (vector["law"] == "question") == (kind == "questions")]
        assert page_modules.differences(kind, chosen) == []


@pytest.mark.parametrize(
    ("claims", "source"),
    [
        ([("kernel", 3, 3), ("atlas", 3, 25), ("certificate", -25, 3)], "atlas"),
        ([("book", -25, 2), ("kernel", 0, 0), ("certificate", 0, 25)], "book"),
        ([("kernel", 0, 5)], None),
    ],
)
def test_a_badge_names_the_most_trusted_source_of_the_winner(
    page_modules: PageModules, claims: list[tuple[str, int, int]], source: str | None
) -> None:
    fact = {
        "lo": max(lo for _, lo, _ in claims),
        "hi": min(hi for _, _, hi in claims),
        "claims": [{"source": name, "lo": lo, "hi": hi} for name, lo, hi in claims],
    }
    assert page_modules.ask("tables", [{"name": "verdictSource", "given": [fact]}]) == [source]
