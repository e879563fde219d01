"""Perfect players with one planted fault, one player for each theme. A player is a function of a question."""

from collections.abc import Callable

from little_go.arena.agents import greedy
from little_go.arena.exam.marking import MarkedAnswer
from little_go.arena.exam.paper import (
    CAPTURES,
    CHANCES,
    ENDGAMES,
    FORMAT,
    ONLY_MOVES,
    OPENINGS,
    PASS_WINS,
    RULES,
    ExamQuestion,
)
from little_go.arena.match.limits import Reply
from little_go.arena.match.play import state_after
from little_go.book.answers.reasons import open_oracle
from little_go.book.files.puzzles import themes_of
from little_go.generator.opponents.features import side_groups
from little_go.solver.answer import BLACK_WINS
from little_go.solver.position import FULL, PASS, START, Position, move_name, play_all, points_of

_JUDGE = open_oracle()


def perfect(question: ExamQuestion) -> str:
    return move_name(question.accepted[0])


def _first_other(position: Position, move: int) -> str:
    """Return the first legal move that is not a certain move."""
    return move_name(next((each for each in position.legal_moves() if each != move), move))


def knows_neither_ko_nor_suicide(question: ExamQuestion) -> str:
    position = question.position
    if position.ko is not None:
        return move_name(position.ko)
    empty = FULL & ~(position.black | position.white)
    forbidden = list(points_of(empty & ~position.legal_points()))
    if question.accepted[0] == PASS and position.legal_points():
        return perfect(question)
    return move_name(forbidden[0]) if 2 * len(forbidden) >= empty.bit_count() > 0 else perfect(question)


def writes_a_blank(question: ExamQuestion) -> str:
    return f" {perfect(question)}"


def opens_anywhere_as_black(question: ExamQuestion) -> str:
    position = question.position
    return _first_other(position, question.accepted[0]) if position.ply in (0, 2, 4) else perfect(question)


def _is_urgent(position: Position) -> bool:
    """Return whether stones of either side are in atari."""
    mine, theirs = position.black, position.white
    groups = [*side_groups(mine, theirs), *side_groups(theirs, mine)]
    return bool(greedy.captures(position)) or any(group.in_atari for group in groups)


def _in_the_middle(question: ExamQuestion) -> bool:
    return question.position.mover == 1 and 9 <= question.position.left <= 14


def sees_only_what_is_urgent(question: ExamQuestion) -> str:
    quiet = _in_the_middle(question) and not _is_urgent(question.position)
    return _first_other(question.position, question.accepted[0]) if quiet else perfect(question)


def is_blind_to_atari(question: ExamQuestion) -> str:
    position, right = question.position, question.accepted[0]
    urgent = {"capture", "rescue"} & set(themes_of(position, right, right))
    return _first_other(position, right) if urgent and _in_the_middle(question) else perfect(question)


def does_not_count_as_black(question: ExamQuestion) -> str:
    position = question.position
    late = position.mover == 1 and position.left <= 8 and question.accepted[0] != PASS
    late = late and not greedy.captures(position)
    return _first_other(question.position, question.accepted[0]) if late else perfect(question)


def never_passes(question: ExamQuestion) -> str:
    points = list(points_of(question.position.legal_points()))
    return move_name(points[0]) if question.accepted[0] == PASS and points else perfect(question)


def trusts_black(question: ExamQuestion) -> str:
    """As White it plays any move if Black would be winning without the last stone, until the last ply."""
    position, way = question.position, question.way
    if (
        position.mover == 2
        and position.left > 1
        and way[-1] != PASS
        and _JUDGE.reaches(play_all(START, way[:-1]), BLACK_WINS)
    ):
        return _first_other(position, question.accepted[0])
    return perfect(question)


#: For each theme an agent with a fault in this theme.
PLANTED: dict[str, Callable[[ExamQuestion], str]] = {
    RULES: knows_neither_ko_nor_suicide,
    FORMAT: writes_a_blank,
    OPENINGS: opens_anywhere_as_black,
    ONLY_MOVES: sees_only_what_is_urgent,
    CAPTURES: is_blind_to_atari,
    ENDGAMES: does_not_count_as_black,
    PASS_WINS: never_passes,
    CHANCES: trusts_black,
}


def mark(plays: Callable[[ExamQuestion], str], question: ExamQuestion) -> MarkedAnswer:
    """Return the marked answer of an agent to a question."""
    reply = Reply(plays(question), 0.001)
    return MarkedAnswer(question, state_after(question.states[-1], reply, strict=False), reply)
