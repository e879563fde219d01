"""A diagnosis of a program from its exam answers: the one cause that explains its wrong answers best.

A cause is a hypothesis such as "it always takes itself for Black". It explains the wrong answers that such a program
gives; right answers that such a program does not give contradict it. A cause is reported only if it explains too many
wrong answers for chance, and outweighs all others.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from math import log
from typing import Any, TypeAlias

from arena.exam.marking import MarkedAnswer
from arena.exam.paper import BOARD_BEFORE, LEGAL, NO_KOMI, OTHER_COLOUR, ExamQuestion, needs_the_capture
from arena.match.host import ILLEGAL, input_text
from solver.bounds import COLOURS
from solver.position import FULL, PASS, SIZE, Position, move_name, points_of

#: The minimum log-likelihood ratio of the answers under a cause and by chance: 1 in 160,000.
EVIDENCE = 12.0

#: The weight of a right answer against a cause, on the same scale: a factor of two.
_AGAINST = log(2)

#: The share of a secondary cause's answers that its primary cause must explain.
_FOLLOWS = 0.75

#: Examples shown for a cause, and the minimum probability of a chance answer.
EXAMPLES, _FLOOR = 3, 0.005

#: The moves that a program with some fault gives to a question; None: the fault has no effect there.
View: TypeAlias = Callable[[ExamQuestion], "frozenset[str] | None"]

_EVERY_POINT = frozenset(move_name(point) for point in points_of(FULL))


@dataclass(frozen=True)
class Cause:
    """A cause and its evidence.

    behaviour: follows "your program behaves as if". explained: answers that it explains. tested: number of relevant
    answers that are wrong or show the symptom. contradicted: number of right answers against it. evidence:
    log-likelihood ratio to chance. least_share: minimum of explained to tested. is_secondary: whether it may be a
    consequence of another cause.
    """

    behaviour: str
    explained: Sequence[MarkedAnswer]
    tested: int
    contradicted: int
    evidence: float
    least_share: float = 0.5
    is_secondary: bool = False

    @property
    def weight(self) -> float:
        """The order of causes: evidence minus that of contradicting answers."""
        return self.evidence - self.contradicted * _AGAINST

    @property
    def holds(self) -> bool:
        """Whether this is more than chance."""
        enough = len(self.explained) >= self.least_share * self.tested
        return enough and self.weight >= EVIDENCE and self.contradicted <= len(self.explained)

    def follows_from(self, other: "Cause") -> bool:
        """Return whether this follows from another cause, which explains most of it or is beyond doubt."""
        if other.weight >= 2 * EVIDENCE and self.is_secondary and not other.is_secondary:
            return True
        theirs = {answer.question.number for answer in other.explained}
        shared = sum(answer.question.number in theirs for answer in self.explained)
        return self.is_secondary and not other.is_secondary and shared >= _FOLLOWS * len(self.explained)

    def record(self) -> dict[str, Any]:
        """Return the cause as JSON keys."""
        return {
            "behaviour": self.behaviour,
            "explained": len(self.explained),
            "tested": self.tested,
            "contradicted": self.contradicted,
            "evidence": round(self.evidence, 2),
            "questions": [answer.question.number for answer in self.explained],
        }


@dataclass(frozen=True)
class Diagnosis:
    """The diagnosis of an exam.

    lost: lines on games lost whatever the opponent plays. cause: None where none holds. wrong, asked: numbers of wrong
    and of all answers.
    """

    lost: Sequence[str]
    cause: Cause | None
    wrong: int
    asked: int

    def lines(self) -> Iterator[str]:
        """Yield the diagnosis, lost games first, with the input and answer of examples."""
        yield from self.lost
        if self.cause is None:
            if not self.lost:
                yield "No fault found." if not self.wrong else _NO_CAUSE
            return
        cause = self.cause
        all_wrong = all(not answer.is_right for answer in cause.explained)
        of = f"{self.wrong} wrong answers" if all_wrong else f"{self.asked} answers"
        explains = f"it explains {len(cause.explained)} of {of}"
        against = f"; {cause.contradicted} right answers speak against it" if cause.contradicted else ""
        yield f"Your program behaves as if {cause.behaviour}: {explains}{against}."
        yield from map(_example, cause.explained[:EXAMPLES])

    def record(self) -> dict[str, Any]:
        """Return the diagnosis as JSON keys."""
        return {"lost": list(self.lost), "cause": None if self.cause is None else self.cause.record()}


_NO_CAUSE = "No fault found: no single cause explains more of the wrong answers than chance."


def diagnose(answers: Sequence[MarkedAnswer]) -> Diagnosis:
    """Return the diagnosis of a program from its answers."""
    wrong = sum(not answer.is_right for answer in answers)
    causes = [cause for cause in _causes(answers) if cause is not None and cause.holds]
    apart = [cause for cause in causes if not any(cause.follows_from(other) for other in causes)]
    best = max(apart, key=lambda cause: cause.weight, default=None)
    return Diagnosis(list(_lost_games(answers)), best, wrong, len(answers))


def _causes(answers: Sequence[MarkedAnswer]) -> Iterator[Cause | None]:
    yield from (_best_condition(symptom, answers) for symptom in _SYMPTOMS)
    yield from (_misreading(behaviour, view, answers) for behaviour, view in _MISREADINGS.items())
    yield from (_always_passes(answers), _never_passes(answers), _suicide_first(answers), _ignores_the_board(answers))


def _example(answer: MarkedAnswer) -> str:
    question = answer.question
    colour, *rows = input_text(question.states[-1]).split("\n")
    given = repr(answer.reply.text) if answer.reply.text is not None else "no move"
    right = "any other legal move" if question.asks == LEGAL else " ".join(map(move_name, question.accepted[:3]))
    board = f"{'/'.join(rows[:SIZE])} {'/'.join(rows[SIZE:])}"
    return f"  input.txt {colour} {board}: {given}, right: {right} (question {question.number})"


# Symptoms


@dataclass(frozen=True)
class _Symptom:
    """Behaviour that no sound program shows.

    behaviour: follows "as if". is_seen: whether an answer shows it. chance: its probability without a cause.
    is_illegal: whether it is an illegal move: the rule is its condition, and other causes lead to it as well.
    is_possible: whether an answer could show it.
    """

    behaviour: str
    is_seen: Callable[[MarkedAnswer], bool]
    chance: float
    is_illegal: bool = False
    is_possible: Callable[[MarkedAnswer], bool] = lambda answer: True


def _reason(answer: MarkedAnswer) -> str:
    return "" if answer.state.result is None or answer.fault is None else answer.state.result.reason


def _is_illegal(what: str) -> Callable[[MarkedAnswer], bool]:
    return lambda answer: _reason(answer) == f"{ILLEGAL}{what}"


#: Chances of a crash in a sound program, and of an illegal move in a program with another fault.
_CRASH, _ILLEGAL = 1e-9, 0.1

_SYMPTOMS = (
    _Symptom("it crashed or wrote no move", lambda answer: _reason(answer) == "missing", _CRASH),
    _Symptom("it were too slow", lambda answer: bool(answer.reply.killed), _CRASH),
    _Symptom("it wrote what is no move", lambda answer: _reason(answer) == "malformed", _CRASH),
    _Symptom(
        "it wrote moves in another format",
        lambda answer: bool(_inexact(answer)),
        _CRASH,
        is_possible=lambda answer: bool(_inexact(answer)) or answer.move != PASS,
    ),
    _Symptom("ko were never judged, or with the wrong board", _is_illegal("ko"), 0.04, is_illegal=True),
    _Symptom("suicide were allowed", _is_illegal("suicide"), _ILLEGAL, is_illegal=True),
    _Symptom("occupied points were empty", _is_illegal("occupied"), _ILLEGAL, is_illegal=True),
    _Symptom("the board were larger", _is_illegal("off_board"), _ILLEGAL, is_illegal=True),
)


def _inexact(answer: MarkedAnswer) -> str:
    """Return the text of an answer accepted though not in the exact format; "" for others."""
    ply = len(answer.question.way) + 1
    return next((text for at, text in answer.state.inexact if at == ply), "")


#: A condition: its words after a symptom, the required advantage of its fit, and where it holds.
_Condition: TypeAlias = tuple[str, float, Callable[[ExamQuestion], bool]]


def _conditions() -> Iterator[_Condition]:
    yield "", 0.0, lambda question: True
    for colour, name in COLOURS.items():
        yield f" as {name}", _SPECIAL, partial(_is_colour, colour)
    yield " on the empty board", _SPECIAL, lambda question: not question.position.black | question.position.white
    yield " after the other side's PASS", _SPECIAL, lambda question: question.position.passed
    yield " where no point is legal", _SPECIAL, lambda question: question.position.legal_moves() == [PASS]
    yield " where ko forbids a point", _SPECIAL, lambda question: question.position.ko is not None
    for ply in range(1, 25):
        yield f" at ply {ply}", _BY_PLY, partial(_is_within, ply, ply)
        yield f" from ply {ply} on", _BY_PLY, partial(_is_within, ply, 24)
        yield f" up to ply {ply}", _BY_PLY, partial(_is_within, 1, ply)


#: Required advantages of a fit, as natural logarithms: special conditions are few, plies are many.
_SPECIAL, _BY_PLY = 3.0, 5.0


def _is_colour(colour: int, question: ExamQuestion) -> bool:
    return question.position.mover == colour


def _is_within(first: int, last: int, question: ExamQuestion) -> bool:
    return first <= len(question.way) + 1 <= last


_CONDITIONS = list(_conditions())


def _best_condition(symptom: _Symptom, answers: Sequence[MarkedAnswer]) -> Cause | None:
    """Return the symptom under the condition that fits best; None where it is not seen."""
    answers = [answer for answer in answers if symptom.is_possible(answer)]
    seen = [symptom.is_seen(answer) for answer in answers]
    if not any(seen):
        return None
    fits = []
    for words, penalty, holds in _CONDITIONS[:1] if symptom.is_illegal else _CONDITIONS:
        inside = [holds(answer.question) for answer in answers]
        shown = [answer for answer, *both in zip(answers, seen, inside, strict=True) if all(both)]
        if 2 * len(shown) >= sum(seen):
            fits.append((_fit(seen, inside) - penalty, words, shown))
    _, words, explained = max(fits, key=lambda each: each[0])
    first = explained[0]
    detail = f", such as {_inexact(first)!r} for i,j or PASS" if _inexact(first) else ""
    if first.reply.complaint:
        detail = f" ({first.reply.complaint})"
    evidence = len(explained) * log(1 / symptom.chance)
    secondary = symptom.is_illegal and symptom.chance == _ILLEGAL
    return Cause(f"{symptom.behaviour}{words}{detail}", explained, sum(seen), 0, evidence, is_secondary=secondary)


def _fit(seen: Sequence[bool], inside: Sequence[bool]) -> float:
    """Return the log-probability of the observations, with one rate inside and one outside a condition."""
    fit = 0.0
    for part in (True, False):
        of_part = [is_seen for is_seen, is_in in zip(seen, inside, strict=True) if is_in is part]
        rate = (sum(of_part) + 0.01) / (len(of_part) + 0.02)
        fit += sum(log(rate if is_seen else 1 - rate) for is_seen in of_part)
    return fit


def _lost_games(answers: Sequence[MarkedAnswer]) -> Iterator[str]:
    """Yield a line for each colour that loses every game by a fault at its first move."""
    for colour in COLOURS:
        first = [answer for answer in answers if len(answer.question.way) == colour - 1]
        if first and all(answer.fault is not None for answer in first) and (colour == 1 or len(first) > 1):
            fault = first[0].fault
            where = "on the empty board" if colour == 1 else f"at its first move, {len(first)} times of {len(first)}"
            yield f"Loses every game as {COLOURS[colour]}: your program {fault.kind if fault else ''} {where}."
            complaint = next((answer.reply.complaint for answer in first if answer.reply.complaint), "")
            yield from [f"  {complaint}"] if complaint else []


# Misreadings


def _moved(change: Callable[[int, int], tuple[int, int]]) -> View:
    """Return the right moves with changed coordinates."""

    def seen(question: ExamQuestion) -> frozenset[str]:
        return frozenset(
            "PASS" if move == PASS else ",".join(map(str, change(*divmod(move, SIZE)))) for move in question.accepted
        )

    return seen


def _by_view(name: str, mover: int = 0) -> View:
    """Return the winning moves in one of the paper's views, for one mover or both (0).

    Where any legal move is right, these are the legal ones and those legal only in the view.
    """

    def seen(question: ExamQuestion) -> frozenset[str] | None:
        if mover not in (0, question.position.mover):
            return None
        if question.asks != LEGAL:
            return _names(question.views[name]) if name in question.views else None
        return _names(question.accepted) | _legal_in_view(name, question)

    return seen


def _legal_in_view(name: str, question: ExamQuestion) -> frozenset[str]:
    """Return the points that are legal only in a view."""
    position = question.position
    if name == OTHER_COLOUR and position.left > 1:
        other = position._replace(ko=None, passed=False, ply=position.ply + 1)
    elif name == BOARD_BEFORE:
        other = Position(*question.states[-1].previous, None, position.ply)
    else:
        return frozenset()
    return frozenset(map(move_name, points_of(other.legal_points() & ~position.legal_points())))


_LAST = SIZE - 1

_MISREADINGS: dict[str, View] = {
    "row and column were swapped": _moved(lambda i, j: (j, i)),
    "rows were counted from the bottom (mirrored)": _moved(lambda i, j: (_LAST - i, j)),
    "columns were counted from the right (mirrored)": _moved(lambda i, j: (i, _LAST - j)),
    "the board were turned by half": _moved(lambda i, j: (_LAST - i, _LAST - j)),
    "the board were turned to the left": _moved(lambda i, j: (_LAST - j, i)),
    "the board were turned to the right": _moved(lambda i, j: (j, _LAST - i)),
    "row and column were swapped and mirrored": _moved(lambda i, j: (_LAST - j, _LAST - i)),
    "rows and columns were counted from 1": _moved(lambda i, j: (i + 1, j + 1)),
    "it always took itself for Black (the colour is ignored)": _by_view(OTHER_COLOUR, 2),
    "it always took itself for White (the colour is ignored)": _by_view(OTHER_COLOUR, 1),
    "it took Black for White and White for Black": _by_view(OTHER_COLOUR),
    "it read the previous board in place of the current one": _by_view(BOARD_BEFORE),
    "there were no komi": _by_view(NO_KOMI),
}


def _misreading(behaviour: str, view: View, answers: Sequence[MarkedAnswer]) -> Cause | None:
    tested: list[tuple[MarkedAnswer, bool, float]] = []
    contradicted = 0
    for answer in answers:
        seen, right = view(answer.question), _names(answer.question.accepted)
        if seen is None or seen == right:
            continue
        if answer.is_right:
            contradicted += answer.name not in seen
        else:
            tested.append((answer, answer.name in seen, min(max(_FLOOR, _chance(answer, seen - right)), 1 - _FLOOR)))
    explained = [answer for answer, is_in, _ in tested if is_in]
    if not explained:
        return None
    rate = min(len(explained) / len(tested), 1 - _FLOOR)
    evidence = sum(log(rate / chance) if is_in else log((1 - rate) / (1 - chance)) for _, is_in, chance in tested)
    return Cause(behaviour, explained, len(tested), contradicted, evidence, least_share=_MISREAD)


#: The minimum share of wrong answers that a misreading explains: the program may be weak as well.
_MISREAD = 1 / 3


def _chance(answer: MarkedAnswer, seen: frozenset[str]) -> float:
    """Return the probability that a wrong answer of its kind, legal or not, is one of the moves."""
    others = (_EVERY_POINT | {"PASS"}) - _names(answer.question.accepted)
    legal = frozenset(map(move_name, answer.question.position.legal_moves()))
    options = others & legal if answer.fault is None else (_EVERY_POINT | seen) - legal
    return len(options & seen) / len(options) if options else 1.0


@lru_cache(maxsize=1 << 12)
def _names(moves: tuple[int, ...]) -> frozenset[str]:
    return frozenset(map(move_name, moves))


# PASS, suicide, and programs that ignore the board


def _always_passes(answers: Sequence[MarkedAnswer]) -> Cause | None:
    passed = [answer for answer in answers if answer.move == PASS]
    wrong = [answer for answer in passed if not answer.is_right]
    others = sum(answer.move != PASS for answer in answers)
    all_wrong = sum(not answer.is_right for answer in answers)
    if 2 * len(wrong) < all_wrong or 10 * others > len(answers):
        return None
    return Cause("it always passed", wrong, all_wrong, others, len(wrong) * log(len(_EVERY_POINT)))


def _never_passes(answers: Sequence[MarkedAnswer]) -> Cause | None:
    """Return the cause of a program that does not pass where only that is right, but is right elsewhere."""
    asked = [answer for answer in answers if answer.question.accepted == (PASS,)]
    given = [answer for answer in answers if answer.move == PASS]
    forced = all(answer.question.position.legal_moves() == [PASS] for answer in given)
    wrong = [answer for answer in asked if not answer.is_right]
    if not wrong or not forced:
        return None
    behaviour = "it never passed while a point is legal" if given else "it never passed"
    return _against_others(behaviour, wrong, answers, lambda answer: answer.question.accepted != (PASS,))


def _suicide_first(answers: Sequence[MarkedAnswer]) -> Cause | None:
    """Return the cause of a program that counts its own liberties before captures."""
    if any(answer.move is not None and _needs(answer.question, answer.move) for answer in answers):
        return None
    wrong = [answer for answer in answers if not answer.is_right and _only_by_capture(answer.question)]
    if not wrong:
        return None
    behaviour = "its own liberties were counted before the capture (suicide is judged too early)"
    return _against_others(behaviour, wrong, answers, lambda answer: _by_free_capture(answer.question))


def _needs(question: ExamQuestion, move: int) -> bool:
    return move != PASS and needs_the_capture(question.position, move)


def _only_by_capture(question: ExamQuestion) -> bool:
    return question.asks != LEGAL and all(_needs(question, move) for move in question.accepted)


def _by_free_capture(question: ExamQuestion) -> bool:
    """Return whether every right move captures, and has a liberty before the capture."""
    position = question.position
    stones = (position.black | position.white).bit_count()
    return not any(_needs(question, move) for move in question.accepted) and all(
        sum(map(int.bit_count, position.play(move)[:2])) <= stones for move in question.accepted if move != PASS
    )


def _against_others(
    behaviour: str,
    wrong: Sequence[MarkedAnswer],
    answers: Sequence[MarkedAnswer],
    is_other: Callable[[MarkedAnswer], bool],
) -> Cause:
    """Weigh wrong answers by the program's error rate in other questions that ask for a win."""
    others = [answer for answer in answers if is_other(answer) and answer.question.asks != LEGAL]
    rate = (sum(not answer.is_right for answer in others) + 1) / (len(others) + 2)
    return Cause(behaviour, wrong, len(wrong), 0, len(wrong) * log(1 / rate))


def _ignores_the_board(answers: Sequence[MarkedAnswer]) -> Cause | None:
    """Return the cause of a program whose answer depends on the number of the call alone."""
    groups: dict[int, list[MarkedAnswer]] = {}
    for answer in answers:
        groups.setdefault(len(answer.question.way), []).append(answer)
    wrong, alike, all_answers, evidence = list[MarkedAnswer](), 0, 0, 0.0
    for group in groups.values():
        if len(group) < 3:
            continue
        mode, count = Counter(answer.reply.text or "" for answer in group).most_common(1)[0]
        all_answers += len(group)
        alike += count
        evidence += (count - 1) * log(3)
        wrong += [answer for answer in group if not answer.is_right and answer.reply.text == mode]
    if 10 * alike < 9 * all_answers or not wrong:
        return None
    every = sum(not answer.is_right for answer in answers)
    return Cause("it answered by a counter of its calls, whatever the board", wrong, every, 0, evidence)
