"""Points by theme: how many each agent gets, and the texts on wrong answers."""

from dataclasses import replace
from functools import cache

import pytest

from lab.games.exam_maker import BUILT_IN, share_of
from little_go.arena.agents import aggressive, alphabeta, greedy, qlearning, random
from little_go.arena.exam.outcome import PERFECT, TOTAL, ExamOutcome, answer_text, heading, right_text
from little_go.arena.exam.paper import LEGAL, TOPICS
from little_go.solver.family import Variant
from tests.arena.exam.planted import PLANTED, mark, perfect
from tests.shipped import exam_questions

QUESTIONS = exam_questions()


@cache
def outcome(theme: str | None) -> ExamOutcome:
    """Return the outcome of the agent with a fault in a theme, or of the perfect agent."""
    plays = perfect if theme is None else PLANTED[theme]
    return ExamOutcome("planted", [mark(plays, question) for question in QUESTIONS], with_calls=False)


def test_a_perfect_player_gets_all_points() -> None:
    assert outcome(None).wrong == []
    assert all(each.points == each.full_points for each in outcome(None).by_theme())


@pytest.mark.parametrize("theme", TOPICS)
def test_a_planted_fault_costs_points_in_its_theme_and_hardly_elsewhere(theme: str) -> None:
    *themes, _ = outcome(theme).by_theme()
    lost = {each.theme: each.full_points - each.points for each in themes}
    full = {each.theme: each.full_points for each in themes}
    elsewhere = sum(lost.values()) - lost[theme]
    assert lost[theme] >= 0.3 * full[theme]
    assert elsewhere <= 0.05 * (sum(full.values()) - full[theme])


def test_the_stronger_agent_gets_more_points() -> None:
    *_, total = outcome(None).by_theme()
    ranked = [total.built_in[name] for name in ("championship", "alphabeta", "greedy", "random")]
    assert ranked == sorted(ranked, reverse=True)
    assert len(set(ranked)) == 4
    assert ranked[0] < total.full_points


@pytest.mark.parametrize(
    "name",
    [
        *("qlearning", "alphabeta", "aggressive", "greedy", "random"),
        pytest.param("championship", marks=pytest.mark.long),
    ],
)
def test_the_built_in_agents_shares_are_what_they_play(name: str) -> None:
    assert {module.__name__.rpartition(".")[2] for module in (aggressive, alphabeta, greedy, qlearning, random)} < set(
        BUILT_IN
    )
    for question in QUESTIONS[::3]:
        assert share_of(BUILT_IN[name], question) == pytest.approx(question.built_in[name], abs=1e-4)


def test_the_text_ends_with_the_table() -> None:
    found = outcome("when PASS wins")
    lines = list(found.text(1))
    assert lines[0].startswith("Your program behaves as if it never passed")
    assert lines[lines.index("") + 1].startswith("Question ")
    assert any(line.endswith("more wrong answers: --full shows all") for line in lines)
    *_, last = lines
    assert last.split()[0] == TOTAL
    head = next(line for line in lines if line.startswith("theme"))
    assert PERFECT in head
    assert sum(line.startswith("Question ") for line in found.text()) == len(found.wrong)


def test_a_wrong_answer_is_told_with_its_board_and_its_reason() -> None:
    answer = outcome("when PASS wins").wrong[0]
    text = answer_text(answer)
    assert text[0].startswith(heading(answer.question)[:20])
    board = [f"  {line}" for line in answer.question.position.diagram().splitlines()]
    first = text.index(board[0])
    assert text[first : first + len(board)] == board
    assert any("Right is PASS" in line for line in text)
    assert any(line.startswith("Why: ") for line in text)
    other = replace(answer, question=replace(answer.question, game=Variant(24, 1.5)))
    board = answer.question.position.diagram().splitlines()
    below = answer_text(other).index(f"  {board[-1]}") + 1
    assert answer_text(other)[below] == "  Game: 24 plies, komi 1.5"
    assert not any("Game: " in line for line in text)


def test_the_easiest_questions_come_first() -> None:
    wrong = [answer.question.wrong for answer in outcome("endgames").wrong]
    assert wrong == sorted(wrong)


def test_where_any_legal_move_is_right_it_says_so() -> None:
    for answer in outcome("rules").wrong:
        if answer.question.asks == LEGAL:
            single = len(answer.question.accepted) == 1
            assert right_text(answer).endswith("the only legal move" if single else "is right")


def test_the_record_counts_what_it_lists() -> None:
    record = outcome("endgames").record()
    assert record["points"] == sum(answer["right"] for answer in record["answers"])
    assert record["full_points"] == len(record["answers"]) == sum(each["full_points"] for each in record["themes"])
