"""Ask an agent the exam's questions, and mark its answers.

Each question is a separate game in a fresh directory: a program is called once, with the two boards of ``input.txt``. A
program that leaves a file behind is an exception, because such a program may count its calls to find the ply, which
``input.txt`` does not contain. Such a program plays whole games from the first move, and each call for which the paper
has a question is marked.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from little_go.arena.exam.paper import FORMAT, ExamQuestion, sittings_of
from little_go.arena.match.contestant import ProgramContestant
from little_go.arena.match.host import PLAYED_OUT, State, states_of
from little_go.arena.match.limits import Reply
from little_go.arena.match.play import play_when_free, state_after
from little_go.arena.review.fault import Fault, fault_in
from little_go.arena.standings.entrants import Entrant, Terms, open_contestant
from little_go.arena.standings.tally import seconds_text
from little_go.crew.jobs import each, in_order
from little_go.notation.record import to_record
from little_go.solver.bounds import COLOURS
from little_go.solver.family import Variant
from little_go.solver.position import CENTRE, move_name, parse_move


@dataclass(frozen=True)
class MarkedAnswer:
    """An answer to a question.

    state: the host's state after the answer. reply: the agent's reply to the call.
    """

    question: ExamQuestion
    state: State
    reply: Reply

    @property
    def fault(self) -> Fault | None:
        """The fault that would lose a game at once, or None."""
        return fault_in(self.state)

    @property
    def move(self) -> int | None:
        """The legal move of the answer; None if the answer is a fault or if the agent resigned."""
        result = self.state.result
        return parse_move(self.state.moves[-1]) if result is None or result.reason in PLAYED_OUT else None

    @property
    def name(self) -> str:
        """The move as the agent wrote it, or ""."""
        return self.fault.move if self.fault else "" if self.move is None else move_name(self.move)

    @property
    def is_right(self) -> bool:
        """Whether the answer is right and gets the point."""
        return self.move in self.question.accepted and not self.breach

    @property
    def breach(self) -> str:
        """A text on the wrong format or the excessive time of a legal move, if the question is about these; else ""."""
        if self.question.theme != FORMAT or self.fault:
            return ""
        if self.reply.killed:
            taken = f"It took {seconds_text(self.reply.cpu)} of CPU and was killed for time."
            return f"{taken} The host accepts the move that it had written."
        if self.state.inexact:
            wrote = f"It wrote {self.state.inexact[-1][1]!r}."
            return f"{wrote} The assignment asks for i,j or PASS; the host accepts this, too."
        return ""

    @property
    def why(self) -> str:
        """The reason why the answer is wrong, or ""."""
        if self.is_right:
            return ""
        if self.fault:
            return f"{self.fault.deed}. {self.fault.rule}"
        if self.move is None:
            return "It resigned."
        found = self.question.why(self.move)
        return self.breach or ("This PASS ends a lost game." if found is None else found.text)

    def record(self) -> dict[str, Any]:
        """Return the answer as a dictionary for JSON."""
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
class ExamCandidate:
    """An agent that takes the exam, and the way in which the agent is called.

    seed: the seed of the agent's random numbers. with_calls: whether the agent also gets the calls of the game before
    each question.
    """

    entrant: Entrant
    terms: Terms
    seed: int
    with_calls: bool = False


def keeps_files(examinee: ExamCandidate, game: Variant) -> bool:
    """Return whether a program creates or changes a file during its first two calls of a game, as either colour.

    The second call is needed, because a file from the first call may change the program's behaviour.
    """
    opened = states_of([move_name(CENTRE), "1,2", "2,1"], game=game)
    return any(_leaves_files(examinee, opened[first::2]) for first in (0, 1))


def _leaves_files(examinee: ExamCandidate, states: Sequence[State]) -> bool:
    with open_contestant(examinee.entrant, examinee.terms) as contestant:
        if not isinstance(contestant, ProgramContestant):
            return False
        before = contestant.files
        for state in states:
            contestant.reply(state)
            if contestant.files != before:
                return True
        return False


def calls_of(questions: Sequence[ExamQuestion]) -> int:
    """Return the number of calls of a program that plays the whole games of the questions."""
    return sum(len(sitting[-1].way) // 2 + 1 for sitting in sittings_of(questions, whole=True))


def mark_answers(examinee: ExamCandidate, questions: Sequence[ExamQuestion], workers: int) -> Iterator[MarkedAnswer]:
    """Ask an agent the questions, and yield the marked answers in the order of the questions."""
    sittings = sittings_of(questions, whole=examinee.with_calls)
    for answers in in_order(sittings, each(partial(ask, examinee), sittings, workers)):
        yield from answers


def ask(examinee: ExamCandidate, sitting: Sequence[ExamQuestion]) -> list[MarkedAnswer]:
    """Ask an agent the questions of one game, and mark the answers.

    The game is repeated if the machine was so busy that a call got too little CPU.
    """
    replies = _replies(examinee, sitting)
    if _are_cpu_starved(replies):
        replies = play_when_free(partial(_replies, examinee, sitting), _are_cpu_starved) or replies
    strict = examinee.terms.strict
    return [
        MarkedAnswer(question, state_after(question.states[-1], reply, strict), reply)
        for question, reply in zip(sitting, replies, strict=True)
    ]


def _are_cpu_starved(replies: Sequence[Reply]) -> bool:
    return any(reply.cpu_starved for reply in replies)


def _replies(examinee: ExamCandidate, sitting: Sequence[ExamQuestion]) -> list[Reply]:
    *before, asked = sitting[-1].states
    plies = {len(question.way) for question in sitting}
    replies = []
    with open_contestant(examinee.entrant, examinee.terms) as contestant:
        contestant.new_game(f"{examinee.seed} {sitting[0].number}")
        for ply, state in enumerate([*before, asked]):
            called = examinee.with_calls and state.position.mover == asked.position.mover
            if called or ply in plies:
                reply = contestant.reply(state)
                replies += [reply] if ply in plies else []
    return replies
