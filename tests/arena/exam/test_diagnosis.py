"""A diagnosis finds the fault that was planted into a sound agent, and finds none in an agent without a fault."""

from random import Random
from types import SimpleNamespace
from typing import cast

import pytest

from little_go.arena.exam.diagnosis import _AVOIDS, EVIDENCE, Diagnosis, _Marked, diagnose
from little_go.arena.exam.marking import MarkedAnswer
from little_go.arena.exam.paper import ExamQuestion
from little_go.solver.position import move_name, parse_move
from tests.arena.exam.faulty import (
    BASES,
    CONDITIONS,
    FAULTS,
    MISREADINGS,
    RULES,
    SEEDS,
    Base,
    Plays,
    mark,
    perfect,
    reply,
    sound,
    under,
    weak_programs,
)
from tests.shipped import exam_games, exam_questions

PARTS = {"single": exam_questions(), "along": exam_games()}


def diagnosed(plays: Plays, part: str = "single") -> Diagnosis:
    return diagnose([mark(plays, question) for question in PARTS[part]])


def first_lines(found: Diagnosis) -> list[str]:
    """Return the line on the cause, after any lines on a colour that loses every game."""
    return [line for line in found.lines() if not line.startswith(" ")]


def careless(base: Base, share: float, seed: int) -> Plays:
    """Play a random legal move in a share of the questions."""

    def plays(question: ExamQuestion):  # type: ignore[no-untyped-def]
        chance = Random(f"{seed} {question.number}")
        if chance.random() < share:
            return reply(move_name(chance.choice(question.position.legal_moves())))
        return sound(base)(question)

    return plays


#: For each planted fault the wrong answers, and the cause's explained and tested answers and evidence.
FIGURES = {
    "always Black": (65, 36, 36, 121.07),
    "always White": (102, 88, 88, 110.77),
    "colours swapped": (167, 124, 124, 211.42),
    "row and column swapped": (152, 152, 152, 837.06),
    "mirrored": (152, 152, 152, 892.31),
    "ko never judged": (10, 10, 10, 75.1),
    "suicide judged before the capture": (25, 25, 25, 76.62),
    "never PASS": (21, 21, 21, 77.63),
    "always PASS": (195, 252, 195, 182.73),
    "crash at a ply": (1, 1, 1, 16.72),
    "crash from a ply on": (95, 95, 95, 1964.23),
    "crash as White": (114, 114, 114, 2359.88),
    "crash on the empty board": (1, 1, 1, 16.72),
    "the previous board": (143, 90, 90, 165.0),
    "a counter": (196, 245, 195, 1075.61),
    "slow at a ply": (22, 22, 22, 451.8),
    "format": (21, 226, 226, 4594.73),
    "counted from 1": (209, 209, 209, 1255.19),
    "no komi": (69, 69, 69, 30.06),
    "suicide allowed": (19, 19, 19, 90.09),
    "crash after a PASS": (16, 16, 16, 327.49),
    "turned": (188, 188, 188, 1038.6),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_planted_fault_is_named_in_the_first_line(fault: str) -> None:
    plant, words = FAULTS[fault]
    found = diagnosed(plant(perfect))
    assert any(words in line for line in first_lines(found))
    # The model is compared with its own earlier figures, so a change of the model changes this table.
    record = found.record()["cause"]
    figures = found.wrong, record["explained"], record["tested"], record["evidence"]
    assert figures == pytest.approx(FIGURES[fault], abs=0.02)
    assert (found.asked, record["contradicted"], len(record["questions"])) == (252, 0, record["explained"])


@pytest.mark.long
@pytest.mark.parametrize("fault", FAULTS)
def test_a_planted_fault_is_named_along_whole_games(fault: str) -> None:
    plant, words = FAULTS[fault]
    assert any(words in line for line in first_lines(diagnosed(plant(perfect), "along")))


@pytest.mark.parametrize("part", PARTS)
def test_a_perfect_agent_has_no_fault(part: str) -> None:
    found = diagnosed(sound(perfect), part)
    assert list(found.lines()) == ["No fault found."]
    assert found.record() == {"lost": [], "cause": None}


@pytest.mark.parametrize("share", [0.05, 0.2, 0.5, 1.0])
def test_chance_is_no_cause(share: float) -> None:
    for seed in range(4):
        first = next(diagnosed(careless(perfect, share, seed)).lines())
        assert first.startswith("No fault found: no single cause")


@pytest.mark.long
@pytest.mark.parametrize("base", BASES)
def test_an_agent_that_is_only_weak_has_no_fault(base: str) -> None:
    for part in PARTS:
        assert next(diagnosed(sound(BASES[base]), part).lines()).startswith("No fault found")


def named(fault: str, condition: str, seed: int, part: str = "single") -> tuple[bool, str]:
    """Return whether the diagnosis has the misreading and its condition, and the reported cause."""
    plays = under(condition, MISREADINGS[fault])(SEEDS[seed])
    cause = diagnosed(plays, part).cause
    behaviour = "" if cause is None else cause.behaviour
    # If no question lies between two plies, the condition contains one of them, and the other in brackets.
    return behaviour.partition(" (at least")[0] == f"{fault}{condition}", behaviour


@pytest.mark.parametrize("condition", CONDITIONS)
def test_a_misreading_is_named_with_its_condition(condition: str) -> None:
    for seed, fault in enumerate(Random(condition).sample(list(MISREADINGS), 3)):
        assert named(fault, condition, seed) == (True, f"{fault}{condition}")


@pytest.mark.long
@pytest.mark.parametrize("part", PARTS)
def test_misreadings_are_named_with_their_conditions(part: str) -> None:
    """At most one in 24 has another diagnosis, and none is diagnosed as another misreading."""
    cases = [(fault, condition, seed) for fault in MISREADINGS for condition in CONDITIONS for seed in SEEDS]
    found = {case: named(*case, part) for case in cases}
    assert sum(right for right, _ in found.values()) >= 23 * len(cases) / 24
    assert [(case, said) for case, (_, said) in found.items() if not said.startswith(case[0])] == []


#: The rules of the fast tests: one of each kind.
FEW_RULES = (
    "first",
    "centre first",
    "greedy, first",
    "ahead, with komi",
    "a ply too many",
    "territory",
    "first as White",
)


@pytest.mark.parametrize(
    "rule", [*FEW_RULES, *(pytest.param(each, marks=pytest.mark.long) for each in RULES if each not in FEW_RULES)]
)
def test_a_simple_rule_is_named(rule: str) -> None:
    plant, words = RULES[rule]
    assert words in first_lines(diagnosed(plant(SEEDS[0])))[0]


def test_a_rule_that_holds_everywhere_has_no_condition() -> None:
    cause = diagnosed(RULES["edge first"][0](SEEDS[0])).cause
    assert cause is not None
    assert cause.behaviour == "it always played the legal point farthest from the centre"


def test_some_weak_programs_are_not_accused() -> None:
    for name, plays in list(weak_programs())[::17]:
        assert (name, diagnosed(plays).cause) == (name, None)


@pytest.mark.long
@pytest.mark.parametrize("part", PARTS)
def test_weak_programs_are_not_accused(part: str) -> None:
    programs = dict(weak_programs())
    assert len(programs) == 200
    assert [name for name, plays in programs.items() if diagnosed(plays, part).cause is not None] == []


def test_the_lines_have_evidence_and_input() -> None:
    found = diagnosed(FAULTS["row and column swapped"][0](perfect))
    first, *examples = found.lines()
    assert found.cause is not None
    assert found.cause.evidence > EVIDENCE
    assert f"explains {len(found.cause.explained)} of {found.wrong} wrong answers" in first
    assert len(examples) == 3
    answer = found.cause.explained[0]
    assert f"input.txt {answer.question.position.mover} " in examples[0]
    assert f"(question {answer.question.number})" in examples[0]
    record = found.record()["cause"]
    assert record["explained"] == len(record["questions"])


def test_an_answer_that_is_explained_is_wrong_or_shows_the_fault() -> None:
    for fault in ("always Black", "ko never judged", "never PASS"):
        cause = diagnosed(FAULTS[fault][0](perfect)).cause
        assert cause is not None
        assert all(not answer.is_right for answer in cause.explained)


def test_a_lost_colour_stands_above_all_and_says_why() -> None:
    lines = list(diagnosed(FAULTS["crash on the empty board"][0](perfect)).lines())
    assert lines[0].startswith("Loses every game as Black")
    assert "IndexError" in lines[1]
    assert any("on the empty board" in line for line in lines[2:])
    assert not diagnosed(FAULTS["crash at a ply"][0](perfect)).lost


@pytest.mark.parametrize("excluded", [set(), {"0,0"}, {"0,0", "0,1"}, {"2,2"}, {"2,2", "0,0"}])
def test_the_answers_of_a_program_that_avoids_moves_have_the_rest_of_the_probability(excluded: set[str]) -> None:
    """All right moves count as one answer."""
    right = {"2,2", "1,1"}
    answered = SimpleNamespace(question=SimpleNamespace(accepted=tuple(map(parse_move, sorted(right)))))
    answers = [
        _Marked(cast(MarkedAnswer, answered), name, name in right, True, 0.3, {"0,0": 0.5, "0,1": 0.25, "0,2": 0.25})
        for name in ("1,1", "0,0", "0,1", "0,2")
    ]
    found = [answer.if_excluded(frozenset(excluded), 0.6) for answer in answers if answer.name not in excluded]
    assert sum(found) == pytest.approx(_AVOIDS)
