"""Random texts like those of people and programs: each is read completely, or refused.

``python -m tests.notation.ways --seed 7 --count 2000`` prints the outcomes by way of writing, with examples.
"""

import pytest

from little_go.solver.position import START, Position
from tests.explorer.vectors import PageModules
from tests.notation.ways.games import Told, is_possible
from tests.notation.ways.outcomes import (
    RIGHT,
    UNREAD,
    Answer,
    Case,
    asked_of_page,
    asked_of_python,
    cases,
    is_wrong,
    outcome,
)
from tests.notation.ways.registry import WAYS

SEED, COUNT = 7, 2000


@pytest.fixture(scope="module")
def drawn() -> list[Case]:
    return [*cases(SEED, COUNT)]


@pytest.fixture(scope="module")
def answers(drawn: list[Case], page_modules: PageModules) -> dict[str, list[Answer]]:
    texts = [case.told.text for case in drawn]
    return {"python": [asked_of_python(text) for text in texts], "page": asked_of_page(page_modules, texts)}


def test_the_texts_follow_from_the_seed(drawn: list[Case]) -> None:
    assert [*cases(SEED, 300)] == drawn[:300]
    assert [*cases(SEED + 1, 300)] != drawn[:300]


def test_there_are_many_ways_with_both_truths(drawn: list[Case]) -> None:
    assert len(WAYS) >= 200
    assert {case.way for case in drawn} == WAYS.keys()
    assert sum(not case.told.meant for case in drawn) > 300
    assert sum(bool(case.change) for case in drawn) > 200
    assert len({case.told.text for case in drawn}) > 0.95 * COUNT


def test_the_truths_are_positions_of_the_game(drawn: list[Case]) -> None:
    for position in (position for case in drawn for position in case.told.meant if not position.is_over):
        assert position == START or is_possible(position)


def test_the_outcomes_of_answers() -> None:
    right, other = Position(black=1, ply=1), Position(black=2, ply=1)
    told = Told("x", (right,), noted="komi")
    assert outcome(told, Answer(right, "it states komi 7.5")) == RIGHT
    assert [
        outcome(told, answer) for answer in (Answer(right, ""), Answer(other, ""), Answer(other, "not read: 'x'"))
    ] == [
        "WRONG silently",
        "WRONG silently",
        "WRONG though listed",
    ]
    assert outcome(told, Answer(None, "no")) == outcome(Told("x"), Answer(None, "no")) == "refused"
    assert outcome(Told("x", (right,), is_documented=True), Answer(None, "no")) == UNREAD
    assert outcome(Told("x"), Answer(right, "")) == "WRONG silently"


Wrong = tuple[Case, Answer, str]


@pytest.fixture(scope="module")
def wrong(drawn: list[Case], answers: dict[str, list[Answer]]) -> list[Wrong]:
    """Return the texts that a reader reads wrongly, with its answer and the outcome."""
    pairs = [pair for found in answers.values() for pair in zip(drawn, found, strict=True)]
    outcomes = [(case, answer, outcome(case.told, answer)) for case, answer in pairs]
    return [each for each in outcomes if is_wrong(each[2])]


def test_no_text_is_answered_for_another_position(wrong: list[Wrong]) -> None:
    """No text in a form of NOTATION.md is refused."""
    assert wrong == []


def test_many_texts_are_of_documented_forms(drawn: list[Case]) -> None:
    assert sum(case.told.is_documented for case in drawn) > 100


@pytest.mark.parametrize("reader", ["python", "page"])
def test_half_of_the_texts_with_a_position_are_read(
    drawn: list[Case], answers: dict[str, list[Answer]], reader: str
) -> None:
    found = [outcome(case.told, answer) for case, answer in zip(drawn, answers[reader], strict=True) if case.is_counted]
    assert found.count(RIGHT) >= 0.5 * len(found)


def test_both_readers_give_one_answer(drawn: list[Case], answers: dict[str, list[Answer]]) -> None:
    differ = [
        (case.told.text, python, page)
        for case, python, page in zip(drawn, answers["python"], answers["page"], strict=True)
        if python.position != page.position
    ]
    assert differ == []
