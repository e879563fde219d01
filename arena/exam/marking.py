"""Ask an agent the exam's questions, and mark its answers.

Each question is a game of its own, in a fresh directory, at the position that is asked. A program gets one call for it,
with the two boards that ``input.txt`` has. One that leaves a file behind after its first call may count its calls, as
``input.txt`` does not carry the ply: it gets the calls of the game before each position too.
"""

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from arena.exam.paper import FORMAT, ExamQuestion
from arena.match.contestant import ProgramContestant
from arena.match.host import PLAYED_OUT, State
from arena.match.play import answered, wait_until_free
from arena.match.reply import Reply
from arena.review.fault import Fault, fault_in
from arena.standings.entrants import Entrant, Terms, open_contestant
from arena.standings.tally import seconds_text
from arena.standings.tournament import MOST_WAITING
from crew.jobs import each, in_order
from notation.record import to_record
from solver.colours import COLOURS
from solver.position import move_name, parse_move


@dataclass(frozen=True)
class MarkedAnswer:
    """An answer to a question.

    state: the host's after the answer. reply: the agent's, to the last call.
    """

    question: ExamQuestion
    state: State
    reply: Reply

    @property
    def fault(self) -> Fault | None:
        """The fault that would have lost the game at once."""
        return fault_in(self.state)

    @property
    def move(self) -> int | None:
        """The legal move that was answered; None for a fault, and for an engine that resigns."""
        result = self.state.result
        return parse_move(self.state.moves[-1]) if result is None or result.reason in PLAYED_OUT else None

    @property
    def name(self) -> str:
        """The move as it was answered; "" where there was none."""
        return self.fault.move if self.fault else "" if self.move is None else move_name(self.move)

    @property
    def is_right(self) -> bool:
        """Whether it gets the point."""
        return self.move in self.question.accepted and not self.breach

    @property
    def breach(self) -> str:
        """What is wrong with format or time though the host takes the move; "" where that is not asked, or is right."""
        if self.question.theme != FORMAT or self.fault:
            return ""
        if self.reply.killed:
            taken = f"It took {seconds_text(self.reply.cpu)} of CPU and was killed for time."
            return f"{taken} The host takes the move that it had written."
        if self.state.inexact:
            return f"It wrote {self.state.inexact[-1][1]!r}. The assignment wants i,j or PASS; the host takes it."
        return ""

    @property
    def why(self) -> str:
        """Why it is wrong; "" where it is right."""
        if self.is_right:
            return ""
        if self.fault:
            return f"{self.fault.deed}. {self.fault.rule}"
        if self.move is None:
            return "It resigned."
        found = self.question.why(self.move)
        return self.breach or ("This PASS ends a lost game." if found is None else found.text)

    def record(self) -> dict[str, Any]:
        """Return the answer as JSON keys."""
        question, position = self.question, self.question.position
        return {
            "number": question.number,
            "theme": question.theme,
            "topic": question.topic,
            "difficulty": question.difficulty,
            "source": question.source,
            "asks": question.asks,
            "position": to_record(position, question.game),
            "mover": COLOURS[position.mover],
            "accepted": list(map(move_name, question.accepted)),
            "right": self.is_right,
            "move": self.name or None,
            "reason": None if self.state.result is None else self.state.result.reason,
            "better": None if self.is_right else move_name(question.better(self.move)),
            "why": self.why or None,
            "seconds": round(self.reply.cpu, 6),
        }


@dataclass(frozen=True)
class Examinee:
    """What an agent needs to be asked.

    seed: what its chance starts from. with_calls: whether it gets the calls of the game before each position.
    """

    entrant: Entrant
    terms: Terms
    seed: int
    with_calls: bool = False


def keeps_files(examinee: Examinee, question: ExamQuestion) -> bool:
    """Tell whether an agent leaves a file behind after its first call, or changes one. Raises UnknownAgent."""
    with open_contestant(examinee.entrant, examinee.terms) as contestant:
        if not isinstance(contestant, ProgramContestant):
            return False
        before = contestant.files
        contestant.reply(question.states[-1])
        return contestant.files != before


def calls_of(questions: Sequence[ExamQuestion]) -> int:
    """Count the calls that an agent gets for the questions with those of the games before them."""
    return sum(len(question.way) // 2 + 1 for question in questions)


def marked(examinee: Examinee, questions: Sequence[ExamQuestion], workers: int) -> Iterator[MarkedAnswer]:
    """Yield the marked answers in the questions' order. Raises UnknownAgent."""
    yield from in_order(questions, each(partial(ask, examinee), questions, workers))


def ask(examinee: Examinee, question: ExamQuestion) -> MarkedAnswer:
    """Ask an agent a question, once more where only a busy machine ended it, and mark the answer. UnknownAgent."""
    reply = _reply(examinee, question)
    if reply.starved and wait_until_free(time.monotonic() + MOST_WAITING):
        reply = _reply(examinee, question)
    return MarkedAnswer(question, answered(question.states[-1], reply, examinee.terms.strict), reply)


def _reply(examinee: Examinee, question: ExamQuestion) -> Reply:
    *before, asked = question.states
    with open_contestant(examinee.entrant, examinee.terms) as contestant:
        contestant.new_game(f"{examinee.seed} {question.number}")
        for state in before if examinee.with_calls else []:
            if state.position.mover == asked.position.mover:
                contestant.reply(state)
        return contestant.reply(asked)
