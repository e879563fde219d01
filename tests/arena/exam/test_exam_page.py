"""The page on an exam: it has its own style and no script, and every name is text."""

from dataclasses import replace

from little_go.arena.exam.outcome import ExamOutcome, exam_page
from little_go.arena.exam.paper import ENDGAMES
from tests.arena.exam.planted import PLANTED, mark
from tests.shipped import exam_questions

QUESTIONS = exam_questions()[::3]
OUTCOME = ExamOutcome(
    "<script>alert(1)</script>", [mark(PLANTED[ENDGAMES], question) for question in QUESTIONS], with_calls=True
)


def test_every_wrong_answer_has_its_board() -> None:
    page = exam_page(OUTCOME)
    assert OUTCOME.wrong
    assert page.count("<article>") == page.count("<svg") == len(OUTCOME.wrong)
    for theme in {answer.question.theme for answer in OUTCOME.wrong}:
        assert f"<h2>{theme[0].upper()}{theme[1:]}: " in page.replace("&#39;", "'")


def test_a_theme_without_a_point_has_a_zero() -> None:
    wrong = OUTCOME.wrong
    page = exam_page(ExamOutcome("agent", wrong, with_calls=False))
    assert wrong
    assert page.count("<td>0</td>") == len({answer.question.theme for answer in wrong}) + 1
    assert "<td></td>" not in page


def test_a_name_is_text_and_the_page_asks_nobody() -> None:
    page = exam_page(OUTCOME)
    assert "<script" not in page
    assert "&lt;script&gt;" in page
    assert "src=" not in page
    assert "http" not in page.replace("http-equiv", "")


def test_calls_of_the_game_are_told() -> None:
    assert "it played whole games" in exam_page(OUTCOME)
    assert "it played whole games" not in exam_page(replace(OUTCOME, with_calls=False))
