"""Points by theme: how many each agent gets, and the texts on wrong answers."""

from dataclasses import replace
from functools import cache

import pytest

from lab.games.exam_maker import BUILT_IN, share_of
from little_go.arena.agents import aggressive, alphabeta, greedy, qlearning, random
from little_go.arena.exam.outcome import PERFECT, TOTAL, ExamOutcome, answer_text, heading, played, right_text
from little_go.arena.exam.paper import CAPTURES, ENDGAMES, LEGAL, TOPICS
from little_go.solver.family import Variant
from little_go.solver.position import move_name
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


def test_the_numbers_of_a_theme() -> None:
    questions = [next(each for each in QUESTIONS if each.theme == theme) for theme in (ENDGAMES, ENDGAMES, CAPTURES)]
    answers = [mark(perfect, question) for question in questions]
    answers[1] = mark(lambda question: move_name(next(iter(question.lines))), questions[1])
    answers = [
        replace(answer, reply=answer.reply._replace(cpu=cpu))
        for answer, cpu in zip(answers, (1 / 3, 2 / 3, 0.01), strict=True)
    ]
    found = ExamOutcome("agent", answers, with_calls=True)
    record = found.record()
    assert (record["agent"], record["calls_before"], record["points"], record["full_points"]) == ("agent", True, 2, 3)
    assert record["cpu"] == {"mean": 0.336667, "max": 0.666667}
    # The themes have the order of the exam.
    captures, endgames = record["themes"]
    assert (captures["theme"], captures["points"], captures["full_points"]) == (CAPTURES, 1, 1)
    assert (endgames["points"], endgames["full_points"], endgames["cpu"]) == (1, 2, {"mean": 0.5, "max": 0.666667})
    for name, share in endgames["built_in"].items():
        assert share == round(2 * questions[0].built_in[name], 2)
    head, first, second, total = found.rows()
    assert (head[:3], head[-3:]) == (["theme", "points", "share"], [PERFECT, "CPU mean", "max"])
    assert (first[:3], first[-3:]) == ([CAPTURES, "1 of 1", "100%"], ["100%", "10.00 ms", "10.00 ms"])
    assert (second[:3], second[-3:]) == ([ENDGAMES, "1 of 2", "50%"], ["100%", "0.50 s", "0.67 s"])
    assert second[3] == f"{questions[0].built_in[head[3]]:.0%}"
    assert (total[:3], total[-3:]) == ([TOTAL, "2 of 3", "67%"], ["100%", "0.34 s", "0.67 s"])
    assert answers[0].record()["seconds"] == 0.333333


def test_how_many_wrong_answers_are_shown() -> None:
    found = outcome("when PASS wins")
    count = len(found.wrong)
    for most, more in (
        (count, ""),
        (count - 1, "1 more wrong answer: --full shows all"),
        (0, f"{count} more wrong answers"),
    ):
        lines = list(found.text(most))
        assert sum(line.startswith("Question ") for line in lines) == most
        assert [line.startswith(more) for line in lines if "--full" in line] == [True] * bool(more)
    first = answer_text(found.wrong[0])[0]
    position = found.wrong[0].question.position
    assert f"{'Black' if position.mover == 1 else 'White'} at ply {position.ply + 1}" in " ".join(
        answer_text(found.wrong[0])
    )
    assert first in list(found.text(1))


def test_the_right_moves_are_named() -> None:
    several = next(each for each in QUESTIONS if each.asks != LEGAL and len(each.accepted) > 2)
    answer = mark(lambda question: move_name(next(iter(question.lines))), several)
    first = several.better(answer.move)
    rest = " ".join(move_name(move) for move in several.accepted if move != first)
    assert right_text(answer) == f"Right is {move_name(first)}, or {rest}"
    single = next(each for each in QUESTIONS if each.asks != LEGAL and len(each.accepted) == 1)
    answer = mark(lambda question: move_name(next(iter(question.lines))), single)
    assert right_text(answer) == f"Right is {move_name(single.accepted[0])}"
    assert played(answer) == f"Played {answer.name}"
