"""One sound agent with planted faults, each a change of what it sees, chooses or writes: a function of a question."""

from collections.abc import Callable
from functools import cache
from typing import TypeAlias

from arena.agents import aggressive, alphabeta, greedy
from arena.exam.marking import MarkedAnswer
from arena.exam.paper import ExamQuestion, needs_the_capture
from arena.match.limits import Reply
from arena.match.play import state_after
from book.answers.reasons import open_oracle
from solver.answer import BLACK_WINS
from solver.native.kernel import Kernel
from solver.native.table import open_table
from solver.position import FULL, PASS, SIZE, Position, move_name, points_of

_JUDGE = open_oracle()

#: More plies left are not searched: there the agent plays what the paper accepts, or as greedy does.
_SEARCHED = 15

#: From a question and the moves that are open to it, by a position as it sees it, the agent's answer.
Plays: TypeAlias = Callable[[ExamQuestion], Reply]
Base: TypeAlias = Callable[[ExamQuestion, Position], int]


@cache
def _kernel() -> Kernel:
    return Kernel(open_table(64))


def _wins(position: Position, mover: int, least: int) -> bool:
    if position.is_over:
        return (1 if position.margin >= least else 2) == mover
    at_least = _kernel().decide(position, least).at_least(least)
    return at_least is (mover == 1)


@cache
def _winning(position: Position, least: int = BLACK_WINS) -> tuple[int, ...]:
    moves = position.legal_moves()
    return tuple(move for move in moves if _wins(position.play(move), position.mover, least))


def perfect(question: ExamQuestion, seen: Position) -> int:
    """Return a move that wins the position as it is seen, or as greedy plays."""
    right = question.accepted if seen == question.position else _winning(seen) if 0 < seen.left <= _SEARCHED else ()
    return right[question.number % len(right)] if right else greedy.candidates(seen)[0]


def by_captures(question: ExamQuestion, seen: Position) -> int:
    """Return the move of an agent that takes stones and looks no further."""
    moves = aggressive.candidates(seen)
    return moves[question.number % len(moves)]


def by_search(question: ExamQuestion, seen: Position) -> int:
    """Return the move of an agent that searches a few plies."""
    return alphabeta.equals(seen)[-1:][0]


BASES: dict[str, Base] = {"perfect": perfect, "by captures": by_captures, "by search": by_search}


def reply(text: str | None, complaint: str = "") -> Reply:
    return Reply(text, 0.001, complaint=complaint)


def sound(base: Base) -> Plays:
    return lambda question: reply(move_name(base(question, question.position)))


def _seeing(change: Callable[[ExamQuestion], Position]) -> Callable[[Base], Plays]:
    return lambda base: lambda question: reply(move_name(base(question, change(question))))


def _other_colour(question: ExamQuestion, mover: int = 0) -> Position:
    position = question.position
    if mover == position.mover or position.left < 2:
        return position
    return position._replace(ko=None, passed=False, ply=position.ply + 1)


def _before(question: ExamQuestion) -> Position:
    return Position(*question.states[-1].previous, None, question.position.ply)


def _writing(change: Callable[[int, int], str]) -> Callable[[Base], Plays]:
    def planted(base: Base) -> Plays:
        def plays(question: ExamQuestion) -> Reply:
            move = base(question, question.position)
            return reply("PASS" if move == PASS else change(*divmod(move, SIZE)))

        return plays

    return planted


def _moved(change: Callable[[int, int], tuple[int, int]]) -> Callable[[Base], Plays]:
    return _writing(lambda i, j: ",".join(map(str, change(i, j))))


def _crashing(where: Callable[[ExamQuestion], bool]) -> Callable[[Base], Plays]:
    def planted(base: Base) -> Plays:
        return lambda question: (
            reply(None, "IndexError: list index out of range (agent.py, line 7)")
            if where(question)
            else sound(base)(question)
        )

    return planted


def _slow(base: Base) -> Plays:
    return lambda question: (
        Reply(None, 10.2, "cpu", "timeout", "killed for cpu") if len(question.way) + 1 == 13 else sound(base)(question)
    )


def _without_ko(base: Base) -> Plays:
    """Take back at once where it can."""

    def plays(question: ExamQuestion) -> Reply:
        position = question.position
        free = position._replace(ko=None)
        move = base(question, free) if position.ko is None else greedy.candidates(free)[0]
        return reply(move_name(move))

    return plays


def _suicide_first(base: Base) -> Plays:
    """Leave out moves whose stones have no liberty before those that they take are gone."""

    def plays(question: ExamQuestion) -> Reply:
        position = question.position
        move = base(question, position)
        if move != PASS and needs_the_capture(position, move):
            rest = [each for each in position.legal_moves() if each == PASS or not needs_the_capture(position, each)]
            right = [each for each in rest if each in question.accepted]
            move = next(iter(right or rest))
        return reply(move_name(move))

    return plays


def _without_suicide(base: Base) -> Plays:
    """Take every empty point for legal where most of them are suicide."""

    def plays(question: ExamQuestion) -> Reply:
        position = question.position
        empty = FULL & ~(position.black | position.white)
        forbidden = [each for each in points_of(empty & ~position.legal_points()) if each != position.ko]
        if forbidden and 2 * len(forbidden) >= empty.bit_count():
            return reply(move_name(forbidden[0]))
        return sound(base)(question)

    return plays


def _never_passing(base: Base) -> Plays:
    def plays(question: ExamQuestion) -> Reply:
        move, points = base(question, question.position), list(points_of(question.position.legal_points()))
        if move != PASS:
            return reply(move_name(move))
        return reply(move_name(points[0]) if points else "0,0")

    return plays


def _without_komi(base: Base) -> Plays:
    def plays(question: ExamQuestion) -> Reply:
        position = question.position
        right = _winning(position, 1) if position.left <= _SEARCHED else ()
        return reply(move_name(right[question.number % len(right)] if right else base(question, position)))

    return plays


def _by_counter(_: Base) -> Plays:
    order = (12, 6, 8, 16, 18, 2, 10, 14, 22, 0, 4, 24)
    return lambda question: reply(move_name(order[len(question.way) // 2]))


#: By name: what is planted into a base, and words that the first line of the result has.
FAULTS: dict[str, tuple[Callable[[Base], Plays], str]] = {
    "always Black": (_seeing(lambda question: _other_colour(question, 1)), "always took itself for Black"),
    "always White": (_seeing(lambda question: _other_colour(question, 2)), "always took itself for White"),
    "colours swapped": (_seeing(_other_colour), "took Black for White"),
    "row and column swapped": (_moved(lambda i, j: (j, i)), "row and column were swapped"),
    "mirrored": (_moved(lambda i, j: (4 - i, j)), "rows were counted from the bottom"),
    "ko never judged": (_without_ko, "ko were never judged"),
    "suicide judged before the capture": (_suicide_first, "before the capture"),
    "never PASS": (_never_passing, "never passed"),
    "always PASS": (lambda _: lambda question: reply("PASS"), "always passed"),
    "crash at a ply": (_crashing(lambda question: len(question.way) == 9), "crashed or wrote no move at ply 10"),
    "crash from a ply on": (_crashing(lambda question: len(question.way) > 17), "wrote no move from ply 19 on"),
    "crash as White": (_crashing(lambda question: question.position.mover == 2), "Loses every game as White"),
    "crash on the empty board": (_crashing(lambda question: not question.way), "Loses every game as Black"),
    "the previous board": (_seeing(_before), "read the previous board"),
    "a counter": (_by_counter, "by a counter of its calls"),
    "slow at a ply": (_slow, "too slow at ply 13"),
    "format": (_writing(lambda i, j: f"{i}, {j}"), "in another format"),
    # Not from the list that the exam was written for.
    "counted from 1": (_moved(lambda i, j: (i + 1, j + 1)), "counted from 1"),
    "no komi": (_without_komi, "no komi"),
    "suicide allowed": (_without_suicide, "suicide were allowed"),
    "crash after a PASS": (_crashing(lambda question: question.position.passed), "after the other side's PASS"),
    "turned": (_moved(lambda i, j: (4 - j, i)), "turned to the left"),
}


def mark(plays: Plays, question: ExamQuestion) -> MarkedAnswer:
    """Return the marked answer of such an agent."""
    given = plays(question)
    return MarkedAnswer(question, state_after(question.states[-1], given, strict=False), given)
