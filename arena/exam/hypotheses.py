"""The table of causes that a diagnosis compares, each with the answers that a program with this fault would give.

For each question, a hypothesis predicts answers, which are all equally likely, or excludes answers. An answer is the
move as the program wrote it, or one of SYMPTOMS.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache, partial
from typing import NamedTuple, TypeAlias

from little_go.arena.agents.greedy import captures
from little_go.arena.exam.marking import MarkedAnswer
from little_go.arena.exam.paper import BOARD_BEFORE, LEGAL, NO_KOMI, OTHER_COLOUR, ExamQuestion, needs_the_capture
from little_go.solver.family import Variant
from little_go.solver.native.kernel import Kernel
from little_go.solver.native.table import open_table
from little_go.solver.position import (
    CENTRE,
    FROM_CENTRE,
    FULL,
    PASS,
    POINTS,
    SIZE,
    Position,
    groups_of,
    move_name,
    neighbours,
    play_all,
    points_of,
)

#: The names of predicted or excluded answers; None if the fault has no effect on the question.
Answers: TypeAlias = "frozenset[str] | None"
Predict: TypeAlias = Callable[[ExamQuestion], Answers]

#: Answers that a program without a fault never gives.
MISSING, SLOW, MALFORMED, INEXACT = SYMPTOMS = "missing", "slow", "malformed", "inexact"

_PASS = move_name(PASS)


class Kind(NamedTuple):
    """The conditions under which a cause is reported.

    tested: among the wrong answers to questions that the cause affects, the minimum share that the cause must explain.
    wrong: the minimum share of all wrong answers that the cause must explain. follows: the minimum share of all answers
    that must agree with the prediction. excludes: whether the hypothesis returns answers that the program never gives,
    instead of answers that the program gives.
    """

    tested: float = 0.0
    wrong: float = 0.0
    follows: float = 0.0
    excludes: bool = False


#: A behaviour that a program without a fault never shows, so a single answer is enough to report the cause.
SYMPTOM = Kind()

#: A misreading of the position. The minimum shares are small because the program may also be weak.
MISREADING = Kind(tested=1 / 3, wrong=1 / 6)

#: A wrong score or a wrong number of plies. The share ``tested`` is larger than for a misreading, because a weak
#: program's wrong moves often agree with such a cause.
COUNTING = Kind(tested=2 / 3, wrong=1 / 6)

#: A rule without a search. The share ``follows`` is large because some answers of every weak program agree with some
#: rule.
RULE = Kind(wrong=1 / 2, follows=0.97)

#: Moves that the program never considers.
BLIND = Kind(wrong=1 / 3, excludes=True)


@dataclass(frozen=True)
class Hypothesis:
    """A possible cause of wrong answers.

    behaviour: a clause that follows "your program behaves as if". predict: a function that returns the answers to a
    question. cost: the natural logarithm of the number of variants of the cause, if the program's answers select a
    variant.
    """

    behaviour: str
    predict: Predict
    kind: Kind = MISREADING
    cost: float = 0.0


def answer_name(answer: MarkedAnswer) -> str:
    """Return the name by which hypotheses predict an answer: a symptom, or the move as the program wrote it."""
    if answer.reply.killed:
        return SLOW
    result = answer.state.result
    if result is not None and result.reason in (MISSING, MALFORMED):
        return result.reason
    return INEXACT if inexact_text(answer) else answer.name


def inexact_text(answer: MarkedAnswer) -> str:
    """Return the text of an answer that was accepted but did not have the exact format; "" for any other answer."""
    ply = len(answer.question.way) + 1
    return next((text for at, text in answer.state.inexact if at == ply), "")


@lru_cache(maxsize=1 << 12)
def names(moves: tuple[int, ...]) -> frozenset[str]:
    """Return the names of moves."""
    return frozenset(map(move_name, moves))


def legal_names(position: Position) -> frozenset[str]:
    """Return the names of the legal moves."""
    return names(tuple(position.legal_moves()))


@lru_cache(maxsize=1 << 10)
def losses(question: ExamQuestion) -> dict[str, int]:
    """Return the number of stones that each wrong move loses, by the move's name."""
    return {
        move_name(move): abs(play_all(question.position, better).margin - play_all(question.position, worse).margin)
        for move, (worse, better) in question.lines.items()
    }


def _points(mask: int) -> Answers:
    return names(tuple(points_of(mask))) or None


# Illegal moves


def _occupied(question: ExamQuestion) -> Answers:
    return _points(question.position.black | question.position.white)


def _suicides(question: ExamQuestion) -> Answers:
    position = question.position._replace(ko=None)
    return _points(FULL & ~(position.black | position.white | position.legal_points()))


def _ko_point(question: ExamQuestion) -> Answers:
    ko = question.position.ko
    return None if ko is None else names((ko,))


_BESIDE_THE_BOARD = frozenset(f"{i},{j}" for i in range(-1, 6) for j in range(-1, 6) if not {i, j} <= set(range(SIZE)))


# Misreadings


def _moved(change: Callable[[int, int], tuple[int, int]]) -> Predict:
    """Predict the right moves with changed coordinates. change: maps a point's coordinates to the written ones."""

    def predict(question: ExamQuestion) -> Answers:
        return frozenset(
            _PASS if move == PASS else ",".join(map(str, change(*divmod(move, SIZE)))) for move in question.accepted
        )

    return predict


def _by_view(name: str, mover: int = 0) -> Predict:
    """Predict the winning moves of a program that misreads the position. mover: 1 or 2, or 0 for both colours.

    name: the misreading, one of VIEWS. If a question accepts any legal move, predict the legal moves and the moves that
    only the misreading makes legal.
    """

    def predict(question: ExamQuestion) -> Answers:
        if mover not in (0, question.position.mover):
            return None
        if question.asks != LEGAL:
            return names(question.views[name]) if name in question.views else None
        return names(question.accepted) | _legal_in_view(name, question)

    return predict


def _legal_in_view(name: str, question: ExamQuestion) -> frozenset[str]:
    position = question.position
    if name == OTHER_COLOUR and position.left > 1:
        other = position._replace(ko=None, ply=position.ply + 1)
    elif name == BOARD_BEFORE:
        other = Position(*question.states[-1].previous, None, position.ply)
    else:
        return frozenset()
    return names(tuple(points_of(other.legal_points() & ~position.legal_points())))


#: Maximum number of plies left at which a misread position is searched, which takes a few milliseconds.
_SEARCHED = 14

_TABLE_MIB = 64


def _searched(change: Callable[[Position, Variant], tuple[Position, Variant]]) -> Predict:
    """Predict the moves that win in a changed position or game. If no move wins, there is no prediction.

    change: returns the position and the game that the program searches instead of the question's position and game.
    """

    def predict(question: ExamQuestion) -> Answers:
        position, game = change(question.position, question.game)
        if question.asks == LEGAL or not 0 < position.left <= _SEARCHED:
            return None
        return names(tuple(winning_moves(position, game))) or None

    return predict


def winning_moves(position: Position, game: Variant) -> list[int]:
    """Return the moves after which the mover wins, which the kernel searches."""

    def winner(after: Position) -> int | None:
        return game.leader(after) if after.is_over else game.winner(_kernel().decide(after, game.least))

    return [move for move in position.legal_moves() if winner(position.play(move)) == position.mover]


@cache
def _kernel() -> Kernel:
    return Kernel(open_table(_TABLE_MIB))


def _with_plies(more: int, position: Position, game: Variant) -> tuple[Position, Variant]:
    """Return the position and the game with ``more`` plies left (fewer if negative) and the same mover.

    The parity of the ply determines the mover. So if ``more`` is odd, the colours are exchanged and the komi is
    negated.
    """
    ply = max(0, position.ply - more)
    if more % 2 == 0:
        return position._replace(ply=ply), game
    return Position(position.white, position.black, position.ko, ply, position.passed), _for_white(game)


def _as_other_colour(position: Position, game: Variant) -> tuple[Position, Variant]:
    """Return the position and the game as seen by a program that takes the other colour but counts plies correctly."""
    return Position(position.white, position.black, None, position.ply, position.passed), _for_white(game)


def _for_white(game: Variant) -> Variant:
    return game._replace(komi=-game.komi)


def _with_komi(komi: float, position: Position, game: Variant) -> tuple[Position, Variant]:
    return position, game._replace(komi=komi)


# Other scores, by a search of the last plies

#: Maximum number of plies left at which another score is searched, and the two other scores: stones plus captured
#: stones, and stones plus territory.
_SCORED, _CAPTURES, _TERRITORY = 3, "captures", "territory"


def _scored(what: str, *, most: bool) -> Predict:
    """Predict the moves that win according to another score or, if ``most`` is set, have the highest score."""

    def predict(question: ExamQuestion) -> Answers:
        position, game = question.position, question.game
        if question.asks == LEGAL or position.left > _SCORED:
            return None
        margins = {move: _margin_after(position, move, what) for move in position.legal_moves()}
        least = game.least if position.mover == 1 else 1 - game.least
        least = max(margins.values()) if most else least
        return names(tuple(move for move, margin in margins.items() if margin >= least)) or None

    return predict


def _margin_after(position: Position, move: int, what: str) -> int:
    """Return the mover's final margin after a move according to another score, including the move's captures."""
    after = position.play(move)
    stones = after.black.bit_count() + after.white.bit_count()
    taken = (position.black.bit_count() + position.white.bit_count()) + (move != PASS) - stones
    return -_final_margin(after, what) + (taken if what == _CAPTURES else 0)


@lru_cache(maxsize=1 << 16)
def _final_margin(position: Position, what: str) -> int:
    """Return the mover's final margin after best play according to another score, without komi."""
    if not position.is_over:
        return max(_margin_after(position, move, what) for move in position.legal_moves())
    margin = position.margin + (_territory(position) if what == _TERRITORY else 0)
    return margin if position.mover == 1 else -margin


def _territory(position: Position) -> int:
    """Return Black's territory minus White's territory: empty regions that touch stones of only one colour."""
    lead = 0
    for region in groups_of(FULL & ~(position.black | position.white)):
        beside = neighbours(region)
        lead += ((not beside & position.white) - (not beside & position.black)) * region.bit_count()
    return lead


# Rules without a search


def _passing_ahead(komi: bool) -> Predict:
    """Predict a PASS if the mover leads. komi: whether the program includes komi in the score."""

    def predict(question: ExamQuestion) -> Answers:
        position, game = question.position, question.game
        lead = position.margin if position.mover == 1 else -position.margin
        ahead = game.leader(position) == position.mover if komi else lead > 0
        return names((PASS,)) if ahead else None

    return predict


#: A function that ranks the legal points of a question; the program plays a point of the lowest rank.
_Rank: TypeAlias = Callable[[ExamQuestion, int], "float | tuple[float, ...]"]


def _least(rank: _Rank) -> Predict:
    """Predict the legal points of the lowest rank, or PASS if there is no legal point."""

    def predict(question: ExamQuestion) -> Answers:
        ranks = {point: rank(question, point) for point in points_of(question.position.legal_points())}
        least = min(ranks.values(), default=None)
        return names(tuple(point for point in ranks if ranks[point] == least) or (PASS,))

    return predict


def _after_captures(rank: _Rank) -> _Rank:
    return lambda question, point: (-captures(question.position).get(point, 0), rank(question, point))  # type: ignore[return-value]


def _only_captures(question: ExamQuestion) -> Answers:
    """Predict the points that capture the most stones. If no point captures a stone, there is no prediction."""
    taken = captures(question.position)
    legal = question.position.legal_points()
    most = max((stones for point, stones in taken.items() if legal >> point & 1), default=0)
    return names(tuple(p for p, stones in taken.items() if stones == most and legal >> p & 1)) if most else None


def _beside_the_last(question: ExamQuestion) -> Answers:
    last = question.way[-1] if question.way else PASS
    return None if last == PASS else _points(neighbours(1 << last) & question.position.legal_points())


def _opposite_the_last(question: ExamQuestion) -> Answers:
    last = question.way[-1] if question.way else PASS
    point = POINTS - 1 - last
    return names((point,)) if last != PASS and question.position.allows(point) else None


def _liberties(mine: int, theirs: int) -> int:
    return (neighbours(mine) & ~(mine | theirs) & FULL).bit_count()


def _after(question: ExamQuestion, point: int) -> tuple[int, int]:
    after = question.position.play(point)
    return after[:2] if question.position.mover == 1 else (after.white, after.black)


_LAST = SIZE - 1

_ORDERS: dict[str, _Rank] = {
    "the first legal point": lambda question, point: point,
    "the last legal point": lambda question, point: -point,
    "the first legal point, column by column": lambda question, point: (point % SIZE, point),
    "the last legal point, column by column": lambda question, point: (-(point % SIZE), -point),
    "the legal point nearest to the centre": lambda question, point: FROM_CENTRE[point],
    "a legal point around the centre": lambda question, point: max(abs(each - 2) for each in divmod(point, SIZE)),
    "the centre, and else the first legal point": lambda question, point: (point != CENTRE, point),
    "the legal point farthest from the centre": lambda question, point: -FROM_CENTRE[point],
}

_SHAPES: dict[str, _Rank] = {
    "the point that leaves its own stones the most liberties": lambda q, p: -_liberties(*_after(q, p)),
    "the point that leaves the other side the fewest liberties": lambda q, p: _liberties(*_after(q, p)[::-1]),
}


def _table() -> Iterator[Hypothesis]:
    yield Hypothesis("it crashed or wrote no move", lambda _: frozenset([MISSING]), SYMPTOM)
    yield Hypothesis("it were too slow", lambda _: frozenset([SLOW]), SYMPTOM)
    yield Hypothesis("it wrote something that is not a move", lambda _: frozenset([MALFORMED]), SYMPTOM)
    yield Hypothesis("it wrote moves in another format", lambda _: frozenset([INEXACT]), SYMPTOM)
    yield Hypothesis("ko were never judged, or with the wrong board", _ko_point, SYMPTOM)
    yield Hypothesis("suicide were allowed", _suicides, SYMPTOM)
    yield Hypothesis("occupied points were empty", _occupied, SYMPTOM)
    yield Hypothesis("the board were larger", lambda _: _BESIDE_THE_BOARD, SYMPTOM)
    for behaviour, change in _COORDINATES.items():
        yield Hypothesis(behaviour, _moved(change))
    for behaviour, views in _VIEWS.items():
        yield from (Hypothesis(behaviour, view) for view in views)
    for behaviour, counts in _COUNTS.items():
        yield from (Hypothesis(behaviour, count, COUNTING) for count in counts)
    yield from _rules()
    behaviour = "its own liberties were counted before the capture (suicide is judged too early)"
    yield Hypothesis(behaviour, _by_a_capture, BLIND)
    yield Hypothesis("it never passed", lambda _: names((PASS,)), BLIND)
    yield Hypothesis("it never passed while a point is legal", _pass_with_a_point, BLIND)


_COORDINATES: dict[str, Callable[[int, int], tuple[int, int]]] = {
    "row and column were swapped": lambda i, j: (j, i),
    "rows were counted from the bottom (mirrored)": lambda i, j: (_LAST - i, j),
    "columns were counted from the right (mirrored)": lambda i, j: (i, _LAST - j),
    "the board were turned by half": lambda i, j: (_LAST - i, _LAST - j),
    "the board were turned to the left": lambda i, j: (_LAST - j, i),
    "the board were turned to the right": lambda i, j: (j, _LAST - i),
    "row and column were swapped and mirrored": lambda i, j: (_LAST - j, _LAST - i),
    "rows and columns were counted from 1": lambda i, j: (i + 1, j + 1),
    "rows and columns were counted from -1": lambda i, j: (i - 1, j - 1),
}


def _only(mover: int, predict: Predict) -> Predict:
    return lambda question: predict(question) if question.position.mover == mover else None


_OTHER = _searched(_as_other_colour)

#: The misreadings of a position, each with predictions of the moves that seem to win under this misreading.
_VIEWS: dict[str, tuple[Predict, ...]] = {
    "it always took itself for Black (the colour is ignored)": (_by_view(OTHER_COLOUR, 2), _only(2, _OTHER)),
    "it always took itself for White (the colour is ignored)": (_by_view(OTHER_COLOUR, 1), _only(1, _OTHER)),
    "it took Black for White and White for Black": (_by_view(OTHER_COLOUR), _OTHER),
    "it read the previous board in place of the current one": (_by_view(BOARD_BEFORE),),
}

#: Wrong counts of plies or points, each with predictions of the moves that seem to win under this wrong count.
_COUNTS: dict[str, tuple[Predict, ...]] = {
    "there were no komi": (_by_view(NO_KOMI), _searched(partial(_with_komi, -0.5))),
    "its count of plies were one too low": (_searched(partial(_with_plies, 1)),),
    "its count of plies were one too high": (_searched(partial(_with_plies, -1)),),
    "its count of plies were two too low": (_searched(partial(_with_plies, 2)),),
    "its count of plies were two too high": (_searched(partial(_with_plies, -2)),),
    "territory counted": (_scored(_TERRITORY, most=False), _scored(_TERRITORY, most=True)),
    "captured stones counted": (_scored(_CAPTURES, most=False), _scored(_CAPTURES, most=True)),
}


def _rules() -> Iterator[Hypothesis]:
    yield Hypothesis("it always passed", lambda _: names((PASS,)), RULE)
    yield Hypothesis("it passed whenever it was ahead (komi included)", _passing_ahead(komi=True), MISREADING)
    yield Hypothesis("it passed whenever it had more stones", _passing_ahead(komi=False), MISREADING)
    for what, rank in (_ORDERS | _SHAPES).items():
        yield Hypothesis(f"it always played {what}", _least(rank), RULE)
        behaviour = f"it took as many stones as it could, and else played {what}"
        yield Hypothesis(behaviour, _least(_after_captures(rank)), RULE)
    yield Hypothesis("it took as many stones as it could", _only_captures, RULE)
    yield Hypothesis("it always played beside the last stone", _beside_the_last, RULE)
    yield Hypothesis("it always played opposite the last stone", _opposite_the_last, RULE)


def _by_a_capture(question: ExamQuestion) -> Answers:
    """Return the names of the legal moves that would be suicide if they captured nothing."""
    position = question.position
    return names(tuple(each for each in points_of(position.legal_points()) if needs_the_capture(position, each)))


def _pass_with_a_point(question: ExamQuestion) -> Answers:
    return names((PASS,)) if question.position.legal_points() else frozenset()


#: All causes that do not depend on a program's answers. Predictions are cached, because many programs use them.
TABLE = tuple(replace(each, predict=lru_cache(maxsize=1 << 10)(each.predict)) for each in _table())

#: The cost of a hypothesis that is derived from a program's answers, and the number of equal answers that it needs.
_SUPPLIED, _ALIKE = 20.0, 3


def supplied(answers: Sequence[MarkedAnswer]) -> Iterator[Hypothesis]:
    """Yield the hypothesis, derived from a program's answers, that an answer depends only on the number of the call."""
    calls: dict[int, Counter[str]] = {}
    given: dict[int, str] = {}
    for answer in answers:
        given[answer.question.number] = answer_name(answer)
        calls.setdefault(len(answer.question.way), Counter())[answer_name(answer)] += 1

    def by_call(question: ExamQuestion) -> Answers:
        answers_elsewhere = calls[len(question.way)] - Counter([given[question.number]])
        if answers_elsewhere.total() < _ALIKE - 1:
            return None
        return frozenset(name for name, _ in answers_elsewhere.most_common(1))

    yield Hypothesis("it answered by a counter of its calls, whatever the board", by_call, RULE, _SUPPLIED)
