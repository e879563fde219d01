"""The result of an exam as text and as a web page: diagnosis, points by theme, and wrong answers with reasons.

The page contains no script and makes no requests.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from statistics import fmean
from typing import Any

import click

from little_go.arena.exam.diagnosis import Diagnosis, diagnose
from little_go.arena.exam.marking import ExamCandidate, MarkedAnswer, calls_of, keeps_files, mark_answers
from little_go.arena.exam.paper import LEGAL, TOPICS, ExamQuestion, Paper, draw_questions, draw_whole_games
from little_go.arena.review.page import BOLD, Card, board, rendered
from little_go.arena.review.text import WIDTH, indent_lines, wrap_lines
from little_go.arena.standings.entrants import Entrant, Terms
from little_go.arena.standings.tally import PATIENCE, align_columns, count_text, seconds_text
from little_go.notation.board import game_line
from little_go.runtime.display import Display
from little_go.solver.bounds import COLOURS
from little_go.solver.position import move_name

#: The heading of the column for a perfect player.
PERFECT = "perfect"

#: The name of the row for all themes together.
TOTAL = "total"


@dataclass(frozen=True)
class ThemePoints:
    """The points in a theme, or in all themes together.

    points, full_points: the agent's points, and the maximum number of points. built_in: the expected points of each
    built-in agent. seconds: the CPU seconds of each call.
    """

    theme: str
    points: int
    full_points: int
    built_in: dict[str, float]
    seconds: tuple[float, ...]

    @property
    def mean(self) -> float:
        """The mean CPU seconds of a call."""
        return fmean(self.seconds)

    def record(self) -> dict[str, Any]:
        """Return the points as a dictionary for JSON, with CPU times in seconds."""
        return {
            "theme": self.theme,
            "points": self.points,
            "full_points": self.full_points,
            "built_in": {name: round(points, 2) for name, points in self.built_in.items()},
            "cpu": {"mean": round(self.mean, 6), "max": round(max(self.seconds), 6)},
        }

    def shares(self) -> list[str]:
        """Return the cells of a table: the agent's points and share, and the shares of the built-in agents."""
        shares = [self.points / self.full_points, *(points / self.full_points for points in self.built_in.values())]
        return [f"{self.points} of {self.full_points}", *(f"{share:.0%}" for share in shares)]


@dataclass(frozen=True)
class ExamOutcome:
    """An agent's marked answers in the order of the questions, at least one.

    with_calls: whether the agent played whole games.
    """

    agent: str
    answers: Sequence[MarkedAnswer]
    with_calls: bool

    @cached_property
    def diagnosis(self) -> Diagnosis:
        """The diagnosis of the agent from its answers."""
        return diagnose(self.answers)

    @property
    def wrong(self) -> list[MarkedAnswer]:
        """The wrong answers, sorted by difficulty, with the easiest question first."""
        return sorted((each for each in self.answers if not each.is_right), key=lambda each: each.question.wrong)

    def by_theme(self) -> list[ThemePoints]:
        """Return the points in each theme that has questions, followed by the points in all themes together."""
        themes = ((theme, [each for each in self.answers if each.question.theme == theme]) for theme in TOPICS)
        return [_points(theme, answers) for theme, answers in (*themes, (TOTAL, self.answers)) if answers]

    def record(self) -> dict[str, Any]:
        """Return the outcome as a dictionary for JSON."""
        *themes, total = (each.record() for each in self.by_theme())
        return {
            "agent": self.agent,
            "calls_before": self.with_calls,
            "diagnosis": self.diagnosis.record(),
            **{name: value for name, value in total.items() if name != "theme"},
            "themes": themes,
            "answers": [answer.record() for answer in self.answers],
        }

    def rows(self) -> list[list[str]]:
        """Return the rows of the table of points, with shares and CPU time, below a row of headings."""
        points = self.by_theme()
        head = ["theme", "points", "share", *points[0].built_in, PERFECT, "CPU mean", "max"]
        return [
            head,
            *(
                [each.theme, *each.shares(), "100%", seconds_text(each.mean), seconds_text(max(each.seconds))]
                for each in points
            ),
        ]

    def text(self, most: int | None = None) -> Iterator[str]:
        """Yield the outcome as text: the diagnosis, at most ``most`` wrong answers, and the points."""
        wrong = self.wrong
        yield from [*self.diagnosis.lines(), ""]
        for answer in wrong[:most]:
            yield from [*answer_text(answer), ""]
        if most is not None and len(wrong) > most:
            yield f"{count_text(len(wrong) - most, 'more wrong answer')}: --full shows all"
            yield ""
        yield from align_columns(self.rows())


def sit(
    entrant: Entrant, terms: Terms, paper: Paper, workers: int, seed: int = 0, positions: int | None = None
) -> ExamOutcome:
    """Give an agent an exam, and show the progress on standard error.

    A program that leaves files behind plays whole games. seed: the seed of the agent's random numbers and of the drawn
    questions. positions: the number of questions; None for all questions.
    """
    examinee = ExamCandidate(entrant, terms, seed)
    questions = draw_questions(paper.single, positions, seed)
    if keeps_files(examinee, terms.game):
        examinee = replace(examinee, with_calls=True)
        questions = draw_whole_games(paper.whole_games or paper.single, positions, seed)
        leaves = f"{entrant.name} leaves files behind, so it may count its calls"
        calls = f"it plays whole games, with {calls_of(questions):,} calls for {len(questions):,} questions"
        click.echo(f"{leaves}: {calls}", err=True)
    answers = []
    with Display(patience=PATIENCE) as display:
        for answer in mark_answers(examinee, questions, workers):
            answers.append(answer)
            display.show(f"questions: {len(answers):,} of {len(questions):,}", len(answers), len(questions))
    return ExamOutcome(entrant.name, answers, examinee.with_calls)


def _points(theme: str, answers: Sequence[MarkedAnswer]) -> ThemePoints:
    questions = [answer.question for answer in answers]
    built_in = {name: sum(each.built_in[name] for each in questions) for name in questions[0].built_in}
    seconds = tuple(answer.reply.cpu for answer in answers)
    return ThemePoints(theme, sum(answer.is_right for answer in answers), len(answers), built_in, seconds)


def answer_text(answer: MarkedAnswer, width: int = WIDTH) -> list[str]:
    """Return lines on a wrong answer: the question, the board, the answer, the right moves, and the reason."""
    question = answer.question
    return [
        *wrap_lines(f"{heading(question)}.", width),
        *indent_lines([*question.position.diagram().split("\n"), *game_line(question.game)]),
        *wrap_lines(f"{played(answer)}. {right_text(answer)}.", width),
        *wrap_lines(f"Why: {answer.why}", width),
    ]


def heading(question: ExamQuestion) -> str:
    """Return a line with a question's number, theme, difficulty, mover and ply."""
    position = question.position
    about = question.theme if question.topic in question.theme else f"{question.theme}, {question.topic}"
    mover = f"{COLOURS[position.mover]} at ply {len(question.way) + 1}"
    return f"Question {question.number}, {about} ({question.difficulty}): {mover}"


def played(answer: MarkedAnswer) -> str:
    """Return a clause on the agent's answer."""
    if answer.fault is not None:
        return f"{answer.fault.kind[0].upper()}{answer.fault.kind[1:]}"
    return f"Played {answer.name}" if answer.name else "Resigned"


def right_text(answer: MarkedAnswer) -> str:
    """Return a clause on the right moves."""
    question = answer.question
    if question.asks == LEGAL:
        few = len(question.accepted) == 1
        return f"Right is {_named(question.accepted)}, the only legal move" if few else "Any other legal move is right"
    first = question.better(answer.move)
    rest = [move for move in question.accepted if move != first]
    return f"Right is {move_name(first)}" + (f", or {_named(rest)}" if rest else "")


def _named(moves: Iterable[int]) -> str:
    return " ".join(map(move_name, moves))


def exam_page(outcome: ExamOutcome) -> str:
    """Return the web page on an agent's exam."""
    # outcome.wrong is sorted, so the easiest question of each theme comes first.
    themes: dict[str, list[Card]] = {theme: [] for theme in TOPICS}
    for answer in outcome.wrong:
        themes[answer.question.theme].append(_card(answer))
    found = {theme: cards for theme, cards in themes.items() if cards}
    return rendered("exam.html", outcome=outcome, points=outcome.by_theme(), themes=found, perfect=PERFECT)


def _card(answer: MarkedAnswer) -> Card:
    question, position = answer.question, answer.question.position
    move = answer.move if answer.fault is None else answer.fault.point
    better = None if question.asks == LEGAL and len(question.accepted) > 1 else question.better(answer.move)
    told = f"{played(answer)}. {right_text(answer)}."
    lines = [("", BOLD.format(told)), ("", answer.why), ("cost", f"From: {question.source}")]
    return Card(heading(question), board(position, move, better, told), lines)
