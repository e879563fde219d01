"""An exam as an HTML page: points by theme beside those of others, and each wrong answer on its board.

The page has no script and makes no requests.
"""

from html import escape
from pathlib import Path

from arena.exam.marking import MarkedAnswer
from arena.exam.outcome import PERFECT, TOTAL, ExamOutcome, heading, played, right_text
from arena.exam.paper import LEGAL
from arena.review.page import NAMING, bar_html, cards_html, name_html, table_html, whole_page
from arena.standings.tally import counted, seconds_text
from book.drawing.picture import mistake_svg

_HEAD = """<h1>Exam of {agent}</h1>
<p>Each question is a position, and the agent is called once. <b>Right</b> is a move that keeps the win that the mover
has under best play; in most questions about rules, format and time any legal move. On the boards <span class="sign
bad">?</span> is the move played, <span class="sign good">!</span> a right one. The reason follows from best play
after both.</p>
{diagnosis}{naming}{note}<h2>Points</h2>
{points}
"""

_CALLS = "<p>The agent leaves files behind, so it was asked along whole games, from the first move on.</p>\n"


def exam_page(outcome: ExamOutcome) -> str:
    """Return the page on an agent's exam; the agent's name may be any text."""
    head = _HEAD.format(
        agent=name_html(outcome.agent),
        diagnosis=_diagnosis(outcome),
        naming=NAMING,
        note=_CALLS if outcome.with_calls else "",
        points=_points(outcome),
    )
    sections = [
        section for theme in outcome.by_theme() if theme.theme != TOTAL for section in _theme(theme.theme, outcome)
    ]
    return whole_page("Little-Go: an exam", [head, *sections], Path(__file__).with_suffix(".css"))


def _diagnosis(outcome: ExamOutcome) -> str:
    """Return the diagnosis: a line in bold, and example inputs."""
    first, *rest = outcome.diagnosis.lines()
    return f"<h2>Diagnosis</h2>\n<p><b>{escape(first)}</b></p>\n" + "".join(
        f"<p>{escape(line.strip())}</p>\n" for line in rest
    )


def _points(outcome: ExamOutcome) -> str:
    """Return the table of points: the agent's with a bar, and the others' shares."""
    points = outcome.by_theme()
    head = ["theme", "points", "of", *points[0].others, PERFECT, "CPU mean", "max"]
    rows = [
        [
            escape(each.theme),
            bar_html(each.points, each.full_points) or "0",
            f"{each.full_points}",
            *each.shares()[2:],
            "100%",
            seconds_text(each.mean),
            seconds_text(max(each.seconds)),
        ]
        for each in points
    ]
    return table_html(head, rows)


def _theme(theme: str, outcome: ExamOutcome) -> list[str]:
    """Return the section on a theme's wrong answers, the easiest question first, or nothing."""
    wrong = sorted(
        (each for each in outcome.wrong if each.question.theme == theme), key=lambda each: each.question.wrong
    )
    if not wrong:
        return []
    title = f"{theme[0].upper()}{theme[1:]}: {counted(len(wrong), 'wrong answer')}"
    return [f"<section>\n<h2>{escape(title)}</h2>", cards_html("ul", [_card(each) for each in wrong]), "</section>"]


def _card(answer: MarkedAnswer) -> str:
    question, position = answer.question, answer.question.position
    move = answer.move if answer.fault is None else answer.fault.point
    better = None if question.asks == LEGAL and len(question.accepted) > 1 else question.better(answer.move)
    told = f"{played(answer)}. {right_text(answer)}."
    return (
        f"<article>\n<h4>{escape(heading(question))}</h4>\n{mistake_svg(position, move, better, told)}\n"
        f"<p><b>{escape(told)}</b></p>\n<p>{escape(answer.why)}</p>\n"
        f'<p class="cost">From: {escape(question.source)}</p>\n</article>'
    )
