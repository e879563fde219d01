"""The diagnosis of a program from its exam answers: the cause that explains the wrong answers best.

A cause is a hypothesis from the table, such as "it always took itself for Black", under a condition such as "up to ply
10". One scorer compares all causes by the probability of the program's answers. A cause is reported only if the answers
are much more probable under this cause than by chance, and more probable than under any other cause.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from math import log
from typing import Any, NamedTuple

from little_go.arena.exam.hypotheses import (
    SYMPTOM,
    SYMPTOMS,
    TABLE,
    Hypothesis,
    answer_name,
    inexact_text,
    legal_names,
    losses,
    names,
    supplied,
)
from little_go.arena.exam.marking import MarkedAnswer
from little_go.arena.exam.paper import LEGAL, ExamQuestion
from little_go.arena.match.host import input_text
from little_go.solver.bounds import COLOURS
from little_go.solver.position import PASS, SIZE, move_name

#: The evidence for a cause is the logarithm of a ratio: the probability of the answers under the cause, divided by
#: their probability by chance. EVIDENCE is the minimum for a reported cause (odds of 60,000 to 1). A cause with _DOUBT
#: or more prevents the report of any cause that fits the answers less well.
EVIDENCE, _DOUBT = 11.0, 8.0

#: Number of example answers that are shown for a cause.
EXAMPLES = 3


@dataclass(frozen=True)
class Cause:
    """A cause and its evidence.

    behaviour: a clause that follows "your program behaves as if". explained: the answers that the cause explains.
    tested: the number of wrong answers to questions that the cause affects. contradicted: the number of right answers
    that would be wrong under the cause. evidence: the logarithm that is compared with EVIDENCE.
    """

    behaviour: str
    explained: Sequence[MarkedAnswer]
    tested: int
    contradicted: int
    evidence: float

    def record(self) -> dict[str, Any]:
        """Return the cause as a dictionary for JSON."""
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

    lost: lines on games that the program loses against every opponent. cause: the reported cause; None if no cause has
    enough evidence. wrong, asked: the number of wrong answers and the number of all answers.
    """

    lost: Sequence[str]
    cause: Cause | None
    wrong: int
    asked: int

    def lines(self) -> Iterator[str]:
        """Yield the lines of the diagnosis: lost games, the cause, and examples with the input and the answer."""
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
        yield from map(_example, sorted(cause.explained, key=lambda answer: answer.is_right)[:EXAMPLES])

    def record(self) -> dict[str, Any]:
        """Return the diagnosis as a dictionary for JSON."""
        return {"lost": list(self.lost), "cause": None if self.cause is None else self.cause.record()}


_NO_CAUSE = "No fault found: no single cause explains more of the wrong answers than chance."


def diagnose(answers: Sequence[MarkedAnswer]) -> Diagnosis:
    """Return the diagnosis of a program from its answers."""
    wrong = sum(not answer.is_right for answer in answers)
    return Diagnosis(list(_lost_games(answers)), _Scorer(answers).best(), wrong, len(answers))


def _example(answer: MarkedAnswer) -> str:
    question = answer.question
    colour, *rows = input_text(question.states[-1]).split("\n")
    given = repr(answer.reply.text) if answer.reply.text is not None else "no move"
    right = "any other legal move" if question.asks == LEGAL else " ".join(map(move_name, question.accepted[:3]))
    board = f"{'/'.join(rows[:SIZE])} {'/'.join(rows[SIZE:])}"
    return f"  input.txt {colour} {board}: {given}, right: {right} (question {question.number})"


def _lost_games(answers: Sequence[MarkedAnswer]) -> Iterator[str]:
    """Yield a line for each colour with which the program loses every game by a fault at its first move."""
    for colour in COLOURS:
        first = [answer for answer in answers if len(answer.question.way) == colour - 1]
        if first and all(answer.fault is not None for answer in first) and (colour == 1 or len(first) > 1):
            fault = first[0].fault
            where = "on the empty board" if colour == 1 else f"at its first move, {len(first)} times of {len(first)}"
            yield f"Loses every game as {COLOURS[colour]}: your program {fault.kind if fault else ''} {where}."
            complaint = next((answer.reply.complaint for answer in first if answer.reply.complaint), "")
            yield from [f"  {complaint}"] if complaint else []


# Conditions


class _Condition(NamedTuple):
    """The questions that a fault affects.

    words: the text after the cause's behaviour, in which "{}" stands for the ply. cost: the natural logarithm of the
    number of conditions of this kind. ply: the first or last ply of the condition, or 0 if it has none. holds: a
    function that returns whether a question meets the condition.
    """

    words: str
    cost: float
    ply: int
    holds: Callable[[ExamQuestion], bool]


def _ply(question: ExamQuestion) -> int:
    return len(question.way) + 1


def _is_within(colours: Sequence[int], first: int, last: int, question: ExamQuestion) -> bool:
    return question.position.mover in colours and first <= _ply(question) <= last


def _conditions(plies: Sequence[int]) -> Iterator[_Condition]:
    """Yield the conditions for questions at these plies, the simplest first."""
    yield _Condition("", 0.0, 0, lambda question: True)
    for words, holds in _SPECIAL.items():
        yield _Condition(words, 4.0, 0, holds)
    for colours in (tuple(COLOURS), *((colour,) for colour in COLOURS)):
        name, cost = (f" as {COLOURS[colours[0]]}", 2.0) if len(colours) == 1 else ("", 0.0)
        if name:
            yield _Condition(name, cost, 0, partial(_is_within, colours, 1, 24))
        mine = [ply for ply in plies if 2 - ply % 2 in colours]
        for ply in mine:
            yield _Condition(f"{name} at ply {{}}", cost + 4.0, ply, partial(_is_within, colours, ply, ply))
        for ply in mine[1:-1]:
            yield _Condition(f"{name} up to ply {{}}", cost + 4.0, ply, partial(_is_within, colours, 1, ply))
            yield _Condition(f"{name} from ply {{}} on", cost + 4.0, ply, partial(_is_within, colours, ply, 24))


_SPECIAL: dict[str, Callable[[ExamQuestion], bool]] = {
    " on the empty board": lambda question: not question.position.black | question.position.white,
    " after the other side's PASS": lambda question: question.position.passed,
    " where no point is legal": lambda question: question.position.legal_moves() == [PASS],
    " where ko forbids a point": lambda question: question.position.ko is not None,
}


# The scorer

#: The parameters of a program with a cause: the share of answers that the cause predicts, and the share of right
#: answers among the other answers. The scorer uses the pair under which the answers are most probable.
_FOLLOWS, _STRENGTHS = (0.02, 0.1, 0.3, 0.5, 0.7, 0.85, 0.95, 0.995), (0.2, 0.8)

#: The parameter of a program without a cause: the share of right answers.
_RATES = (0.0, 0.1, 0.2, 0.35, 0.5, 0.65, 0.8, 0.9, 0.97, 0.995)

#: The share of answers that avoid the excluded moves, for a cause that excludes moves.
_AVOIDS = 0.995

#: The probability that a sound program shows a symptom, and the probability that it plays a certain illegal move. A
#: sound program plays by the rules, but may be weak.
_SYMPTOM, _ILLEGAL = 1e-9, 0.01 / 26


class _Marked(NamedTuple):
    """An answer with the data that the scorer needs.

    name: the name by which hypotheses predict the answer. is_sound: whether a sound program, which may be weak, can
    give the answer. guessed: the probability that a guess is right. chances: the probability of each wrong move, if the
    program plays a wrong move.
    """

    answer: MarkedAnswer
    name: str
    is_right: bool
    is_sound: bool
    guessed: float
    chances: dict[str, float]

    @property
    def accepted(self) -> frozenset[str]:
        """The names of the right moves."""
        return names(self.answer.question.accepted)

    def by_chance(self, rate: float) -> float:
        """Return the answer's probability for a sound program. rate: the share of right moves that are not guesses."""
        if not self.is_sound:
            return _SYMPTOM if self.name in SYMPTOMS else _ILLEGAL
        right = rate + (1 - rate) * self.guessed
        return right if self.is_right else (1 - right) * self.chances.get(self.name, _ILLEGAL)

    def if_predicted(self, predicted: frozenset[str], follows: float, strength: float) -> float:
        """Return the answer's probability for a program that often gives a predicted answer.

        follows: the share of predicted answers. strength: the rate of right moves among the other answers, as in
        by_chance(). All right moves count as one answer, because a preference for some right moves is not a fault.
        """
        hits = len(predicted & self.accepted) if self.is_right else self.name in predicted
        return follows * hits / len(predicted) + (1 - follows) * self.by_chance(strength)

    def if_excluded(self, excluded: frozenset[str], rate: float) -> float:
        """Return the answer's probability for a sound program that avoids the excluded moves.

        rate: see by_chance().
        """
        by_chance = self.by_chance(rate)
        if self.name in excluded:
            return (1 - _AVOIDS) * by_chance
        allowed = len(self.accepted - excluded) / len(self.accepted)
        right = rate + (1 - rate) * self.guessed
        rest = right * allowed + (1 - right) * (1 - sum(self.chances.get(name, 0.0) for name in excluded))
        return _AVOIDS * by_chance * (allowed if self.is_right else 1.0) / max(rest, 1e-3)


class _Scored(NamedTuple):
    """A hypothesis under a condition, with its scores.

    fit: the logarithm of the probability of all answers. evidence: the logarithm that is compared with EVIDENCE,
    computed from the answers that meet the condition. cells: the groups of answers that meet the condition.
    """

    fit: float
    evidence: float
    hypothesis: Hypothesis
    condition: _Condition
    cells: frozenset[int]


class _Scorer:
    """A scorer that compares all causes with the answers of one program."""

    def __init__(self, answers: Sequence[MarkedAnswer]) -> None:
        self._answers = answers
        self._marked = _mark(answers)
        keys = [(_ply(each.question), *(holds(each.question) for holds in _SPECIAL.values())) for each in answers]
        cells = {key: cell for cell, key in enumerate(dict.fromkeys(keys))}
        # Answers that meet the same conditions share a cell, so a condition is a set of cells.
        self._cells = [cells[key] for key in keys]
        self._by_chance = self._sums([[each.by_chance(rate) for rate in _RATES] for each in self._marked])
        self._conditions: dict[frozenset[int], _Condition] = {}
        for condition in _conditions(sorted({_ply(answer.question) for answer in answers})):
            inside = zip(self._cells, answers, strict=True)
            self._conditions.setdefault(
                frozenset(cell for cell, answer in inside if condition.holds(answer.question)), condition
            )

    def best(self) -> Cause | None:
        """Return the cause that fits the answers best, or None if no cause has enough evidence."""
        scored = [each for hypothesis in (*TABLE, *supplied(self._answers)) for each in self._scored(hypothesis)]
        scored.sort(key=lambda each: -each.fit)
        for each in scored:
            if cause := self._cause(each, scored):
                # If a rule explains the answers to all questions, report the rule without a condition, even if a
                # condition fits better.
                rules = (of for of in scored if of.hypothesis is each.hypothesis and not of.condition.words)
                whole = next(rules, None) if each.hypothesis.kind.follows else None
                cause = (whole and self._cause(whole, scored)) or cause
                return cause if cause.evidence >= EVIDENCE else None
        return None

    def _scored(self, hypothesis: Hypothesis) -> Iterator[_Scored]:
        """Yield the hypothesis with each condition for which the evidence is _DOUBT or more."""
        predicted = [hypothesis.predict(answer.question) for answer in self._answers]
        pairs = list(zip(self._marked, predicted, strict=True))
        if hypothesis.kind.excludes:
            rows = [[each.if_excluded(of or frozenset(), rate) for rate in _RATES] for each, of in pairs]
            chance = self._by_chance
        else:
            if not any(of and each.name in of for each, of in pairs):
                return
            pieces = [(share, strength) for share in _FOLLOWS for strength in _STRENGTHS]
            rows = [[each.if_predicted(of, *piece) for piece in pieces] if of else [] for each, of in pairs]
            chance = self._sums([[each.by_chance(rate) for rate in _RATES] if of else [] for each, of in pairs])
        fits = self._sums(rows)
        all_chance = _total(self._by_chance.values())
        for cells, condition in self._conditions.items():
            inside = [fits[cell] for cell in cells if cell in fits]
            if not inside:
                continue
            fit, by_chance = max(_total(inside)), _total(chance[cell] for cell in cells if cell in chance)
            cost = condition.cost + hypothesis.cost
            evidence = fit - max(by_chance) - cost
            if evidence >= _DOUBT:
                outside = max(whole - part for whole, part in zip(all_chance, by_chance, strict=True))
                yield _Scored(fit + outside - cost, evidence, hypothesis, condition, cells)

    def _sums(self, rows: Sequence[Sequence[float]]) -> dict[int, list[float]]:
        """Return the sums of the logarithms of probabilities, by cell and column.

        rows: for each answer, the probability under each parameter; an empty row is ignored.
        """
        by_cell: dict[int, list[Sequence[float]]] = defaultdict(list)
        for cell, row in zip(self._cells, rows, strict=True):
            if row:
                by_cell[cell].append(row)
        return {cell: [sum(map(log, column)) for column in zip(*of, strict=True)] for cell, of in by_cell.items()}

    def _cause(self, scored: _Scored, every: Sequence[_Scored]) -> Cause | None:
        """Return a scored hypothesis as a cause, or None if the hypothesis explains too few answers.

        every: all scored hypotheses.
        """
        kind, predict = scored.hypothesis.kind, scored.hypothesis.predict
        inside = [each for each, cell in zip(self._marked, self._cells, strict=True) if cell in scored.cells]
        pairs = [(each, of) for each in inside if (of := predict(each.answer.question))]
        if kind.excludes:
            contradicted = [each for each, of in pairs if each.is_right and each.name in of]
            pairs = [(each, of) for each, of in pairs if each.accepted <= of]
            follows = [each for each, of in pairs if each.name not in of]
        else:
            follows = [each for each, of in pairs if each.name in of]
            contradicted = [each for each, of in pairs if each.is_right and each.name not in of]
        wrong = [each for each, _ in pairs if not each.is_right]
        explained = follows if kind.follows or kind is SYMPTOM else [each for each in follows if not each.is_right]
        wrong_explained = sum(not each.is_right for each in follows)
        if (
            not explained
            or wrong_explained < kind.tested * len(wrong)
            or wrong_explained < kind.wrong * sum(not each.is_right for each in self._marked)
            or len(follows) < kind.follows * len(pairs)
            or (kind is not SYMPTOM and len(contradicted) > len(explained))
        ):
            return None
        answers = [each.answer for each in explained]
        behaviour = f"{scored.hypothesis.behaviour}{_where(scored, every)}{_detail(answers[0])}"
        against = 0 if kind is SYMPTOM else len(contradicted)
        return Cause(behaviour, answers, len(wrong), against, scored.evidence)


def _where(best: _Scored, every: Sequence[_Scored]) -> str:
    """Return the text of the best condition.

    If other plies fit the answers almost as well, the text contains the widest range of plies, and the narrowest range
    in brackets. every: all scored hypotheses.
    """
    words, ply = best.condition.words, best.condition.ply
    if " up to" not in words and " from" not in words:
        return words.format(ply)
    of_words = [each for each in every if each.hypothesis is best.hypothesis and each.condition.words == words]
    alike = sorted(each.condition.ply for each in of_words if each.fit > best.fit - _ALIKE)
    widest, narrowest = (alike[-1], alike[0]) if " up to" in words else (alike[0], alike[-1])
    least = words[words.index(" up to" if " up to" in words else " from") :].format(narrowest)
    return words.format(widest) + (f" (at least{least})" if widest != narrowest else "")


#: Maximum difference between the fits of two conditions that fit almost equally well.
_ALIKE = 1.0


def _detail(answer: MarkedAnswer) -> str:
    if text := inexact_text(answer):
        return f", such as {text!r} for i,j or PASS"
    return f" ({answer.reply.complaint})" if answer.reply.complaint else ""


def _total(rows: Iterable[Sequence[float]]) -> list[float]:
    return [sum(column) for column in zip(*rows, strict=True)]


def _mark(answers: Sequence[MarkedAnswer]) -> list[_Marked]:
    """Return the answers with the scorer's data, under the assumptions on guesses and wrong moves that fit best."""
    given = [answer_name(answer) for answer in answers]
    sound = [name not in SYMPTOMS and answer.fault is None for name, answer in zip(given, answers, strict=True)]
    right = [
        answer.move in answer.question.accepted and is_sound for answer, is_sound in zip(answers, sound, strict=True)
    ]
    wrong = Counter(name for name, *is_wrong in zip(given, sound, right, strict=True) if is_wrong == [True, False])
    columns = list(zip(answers, given, right, sound, strict=True))
    attempts = [
        [_Marked(*each, _guessed(each[0].question, by), _chances(*each, wrong, nearness)) for each in columns]
        for nearness in _NEARNESS
        for by in (True, False)
    ]
    return max(attempts, key=lambda m: max(sum(log(each.by_chance(rate)) for each in m) for rate in _RATES))


def _guessed(question: ExamQuestion, by_opponents: bool) -> float:
    """Return the probability that a guess is right. by_opponents: whether guesses are like the moves of opponents."""
    if by_opponents:
        return min(0.99, max(0.01, 1 - question.wrong / 100))
    return min(0.99, len(question.accepted) / len(question.position.legal_moves()))


#: Exponents for the stones that a wrong move loses. A larger exponent assumes a stronger preference for small losses.
_NEARNESS = (0.0, 1.0, 2.0, 4.0)


def _chances(
    answer: MarkedAnswer, name: str, is_right: bool, is_sound: bool, wrong: Counter[str], nearness: float
) -> dict[str, float]:
    """Return the probability of each wrong move, if the program plays a wrong move.

    The result is the mean of two probabilities: one depends on the stones that the move loses, the other on how often
    the program gave the move as a wrong answer to other questions. wrong: the number of wrong answers by move,
    including this answer.
    """
    options = legal_names(answer.question.position) - names(answer.question.accepted)
    lost = losses(answer.question)
    near = {each: (1 + lost.get(each, 0)) ** -nearness for each in options}
    seen = {each: wrong[each] - (each == name and is_sound and not is_right) + _PRIOR for each in options}
    all_near, all_seen = sum(near.values()), sum(seen.values())
    return {each: (near[each] / all_near + seen[each] / all_seen) / 2 for each in options}


#: A number that is added to the number of equal wrong answers, so that no probability is 0.
_PRIOR = 0.5
