"""The answers that each hypothesis predicts for hand-made questions."""

from dataclasses import replace
from pathlib import Path

import pytest

from little_go.arena.exam.hypotheses import TABLE, supplied
from little_go.arena.exam.marking import MarkedAnswer
from little_go.arena.exam.paper import BOARD_BEFORE, LEGAL, NO_KOMI, OTHER_COLOUR, RULES, WIN, ExamQuestion
from little_go.arena.match.limits import Reply
from little_go.arena.match.play import state_after
from little_go.solver.family import COURSE
from little_go.solver.position import parse_moves

#: White has just captured at 1,1, and 1,2 is forbidden by ko. 16 plies are left.
KO = "0,1 0,2 1,0 1,3 2,1 2,2 1,2 1,1"

#: Two plies are left, and Black can capture one stone by a move at 0,0, and another stone by a move at 4,2.
LATE = "2,2 1,2 1,1 2,1 3,1 3,2 1,3 0,2 2,3 3,3 0,1 0,3 2,0 0,4 4,2 4,3 3,4 1,4 2,4 4,1 4,0 1,0"


def question(way: str, accepted: str, *, asks: str = WIN, views: dict[str, str] | None = None) -> ExamQuestion:
    return ExamQuestion(
        *(1, RULES, "suicide", "", tuple(parse_moves(way)), asks, tuple(parse_moves(accepted)), 50.0, {}, {}),
        COURSE,
        {name: tuple(parse_moves(moves)) for name, moves in (views or {}).items()},
    )


def shortened(way: str, plies: int) -> str:
    return " ".join(way.split()[:-plies])


VIEWS = {OTHER_COLOUR: "4,4", BOARD_BEFORE: "3,3", NO_KOMI: "4,0"}
QUESTIONS = {
    "early": question(KO, "2,3", views=VIEWS),
    "any legal move": question(KO, "2,3 3,3", asks=LEGAL),
    "late": question(LATE, "4,4"),
    "White, three plies left": question(shortened(LATE, 1), "4,4"),
    "White, any legal move": question(shortened(LATE, 1), "4,4", asks=LEGAL),
    "four plies left": question(shortened(LATE, 2), "4,4"),
}

#: For each question the predictions, which were checked by hand for the last two plies.
PREDICTED = Path(__file__).with_name("predictions.txt").read_text("utf-8")

#: The beginnings of the causes whose predictions depend on no question.
CONSTANT = (
    "it crashed",
    "it were too slow",
    "it wrote",
    "it always passed",
    "it never passed:",
    "the board were larger",
)


def predicted(name: str) -> list[str]:
    """Return a line for each hypothesis that predicts an answer to a question."""
    lines = []
    for each in TABLE:
        # Call the function without its cache.
        answers = each.predict.__wrapped__(QUESTIONS[name])  # type: ignore[attr-defined]
        if answers is not None and not each.behaviour.startswith(CONSTANT):
            lines.append(f"{each.behaviour}: {' '.join(sorted(answers)) or '-'}")
    return lines


@pytest.mark.parametrize("name", QUESTIONS)
def test_what_each_hypothesis_predicts(name: str) -> None:
    blocks = PREDICTED.rstrip().split("\n\n")
    assert predicted(name) == dict(zip(blocks[::2], blocks[1::2], strict=True))[name].splitlines()


def test_a_larger_board_has_24_more_points() -> None:
    (predict,) = (each.predict for each in TABLE if each.behaviour == "the board were larger")
    found = predict(QUESTIONS["late"])
    assert found is not None
    assert len(found) == 24
    assert {"-1,-1", "-1,5", "5,-1", "5,5", "2,5", "-1,0"} <= found
    assert not {"0,0", "4,4", "6,0"} & found


@pytest.mark.parametrize(("given", "found"), [(["0,0"] * 3, "0,0"), (["0,0"] * 2, ""), (["0,0", "1,0", "1,0"], "1,0")])
def test_a_counter_needs_equal_answers_elsewhere(given: list[str], found: str) -> None:
    """The answer to a question itself is no evidence of a counter."""
    questions = [replace(question("", "2,2"), number=number) for number in range(len(given))]
    answers = [
        MarkedAnswer(each, state_after(each.states[-1], reply, strict=False), reply)
        for each, reply in zip(questions, (Reply(text, 0.1) for text in given), strict=True)
    ]
    (hypothesis,) = supplied(answers)
    predicted = hypothesis.predict(questions[0])
    assert predicted == (frozenset([found]) if found else None)
