"""A check of the reasons for mistakes: whether each sentence is true, and whether the sentence explains the mistake.

This module parses the English sentences of a reason, and plays both lines on its own board, in which points are names.
The module shares no code with the module that writes the sentences, not even the rules of the game.
"""

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from itertools import combinations
from typing import NamedTuple

#: The maximum number of plies between a move and an event that explains the move.
NEAR = 8

#: If a capture removes this number of stones in only one line, it explains a move even after more than NEAR plies.
_LARGE = 3

#: The maximum number of points in a list.
_LISTED = 5

#: A cut is true only if the side of the two groups cannot join the groups with this number of moves.
_LINK_MOVES = 2

_SIZE = 5
_PLIES = 24
_KOMI = 2.5
_NAMES = {"Black": "X", "White": "O"}

Board = dict[str, str]

_MOVE = r"(?:\d,\d|PASS)"
_WHO = "(?:Black|White)"
_POINTS = r"(?:\d,\d(?: and \d,\d)*)"
_SIDE = "(?:upper|lower|left|right)"
_PLACE = rf"(?:in the {_SIDE} {_SIDE}|on the {_SIDE} side|around the middle)"
_MANY = rf"(?:{_POINTS}|\d+ stones {_PLACE})"
_ALSO = (
    rf"(?: \((?:also (?P<both>{_MANY}), captured after (?P<too>{_MOVE}) too)?"
    rf"(?:(?:; )?also (?P<kept>{_MANY}), not captured after (?P<where>{_MOVE}))?"
    rf"(?:(?:; )?also (?P<itself>\d,\d), the stone just played)?"
    rf"(?:(?:; )?also (?P<added>{_MANY}), played later)?\))?"
)
_TAKES = (
    rf"captures (?P<what>it|them|the new stone \d,\d|{_MANY})"
    rf"(?: at ply (?P<ply>\d+) with (?P<by>{_MOVE}))?{_ALSO}(?P<ko>, and {_WHO} may not recapture at once)?"
)
_UNTIL = r"stays? on the board (?:(?P<end>to the end)|until ply (?P<until>\d+) at least)"
_RESCUE = (
    rf"(?:; {_WHO}'s (?P<rescuer>\d,\d)(?: at ply (?P<rescued>\d+))?"
    rf"(?: joins (?P<linked>it|them|{_MANY}) to (?P<link>\d,\d)| captures (?P<freed>{_MANY})))?"
)
_END = (
    rf"(?:; (?P<eye>\d,\d) fills an own eye)?{_RESCUE}"
    rf"(?:; this decides who gets (?P<decides>{_POINTS}|\d+ points {_PLACE}))?"
    r"(?P<even>; the rest of the board comes out even)?"
    rf"(?:; but (?:(?P<gainer>{_MOVE}) gains (?:(?P<back>\d+) points? elsewhere|"
    r"points elsewhere, so the difference is (?P<net>\d+) points?)|"
    r"(?P<other_way>(?P<away>\d+) points? elsewhere go(?:es)? the other way|"
    r"points elsewhere go the other way, so the difference is (?P<left>\d+) points?)))?"
    r"(?:: (?P<result>[BW]\+[\d.]+))?\."
)
_WASTED = rf"(?:(?P<idle>{_MOVE}) is worth no more than a PASS\. |(?P<below>{_MOVE}) is worse than a PASS\. )?"
_COUNT = r"with (?P<black>\d+) black and (?P<white>\d+) white stones"
_EFFECT = (
    rf"(?:captures {_MANY}|saves {_MANY} from capture|puts {_MANY} into atari|joins {_POINTS}|keeps {_POINTS} apart|"
    rf"takes the centre|blocks {_MANY}|extends {_MANY})"
)
_EFFECTS = rf"(?P<does>(?:, (?:and )?{_EFFECT})*)"
_PREPARES = (
    rf"(?:cuts (?P<off>it|them|{_MANY}) off from (?P<rest>\d,\d)|puts (?P<atari>it|them|{_MANY}) into atari|"
    rf"leaves (?P<short>it|them|{_MANY}) only (?P<liberties>\d) liberties)"
)
_FIRST = rf"(?P<first>{_MOVE})"
_AFTER = rf"After {_FIRST}"
_ANSWERS = rf"(?P<who>{_WHO}) answers (?P<answer>{_MOVE})"
_BOTH_NEED = rf"(?P<who>{_WHO}) takes (?P<answer>{_MOVE}), the point that both sides need"
_PLAYS = rf"{_AFTER} (?P<who>{_WHO}) plays (?P<by>{_MOVE}) at ply (?P<ply>\d+)"
_WITH = rf"at ply (?P<ply>\d+) with (?P<by>{_MOVE})"
_TWO = r"(?P<one>\d,\d)(?: off from| and) (?P<two>\d,\d)"
_APART = r"(?:stay apart (?P<end>to the end)|are still apart at ply (?P<until>\d+))"
_EYE_MADE = rf"makes an eye at (?P<made>\d,\d)(?:, where (?P<barred>{_WHO}) may not play)?"

#: The forms of sentences, each with the kind of the sentence. A kind can have several forms.
_FORMS = [
    ("capture", rf"{_ANSWERS} and {_TAKES}"),
    ("capture", rf"{_FIRST} {_TAKES}"),
    ("capture", rf"{_AFTER} (?P<who>{_WHO}) {_TAKES}"),
    ("capture", rf"{_ANSWERS}, which {_PREPARES}, and {_TAKES}"),
    ("capture", rf"{_FIRST} {_PREPARES}, and (?P<who>{_WHO}) {_TAKES}"),
    (
        "capture",
        rf"{_AFTER} (?P<who>{_WHO}) plays (?P<played>{_MOVE}) at ply (?P<at>\d+), which {_PREPARES}, and {_TAKES}",
    ),
    ("stay", rf"{_AFTER} (?:(?P<whose>{_WHO})'s )?(?P<stand>it|they|{_MANY}) {_UNTIL}"),
    ("kept", rf"{_AFTER} (?P<who>{_WHO}) plays (?P<by>\d,\d) at ply (?P<ply>\d+) and keeps it"),
    ("no loss", rf"{_AFTER} (?P<who>{_WHO}) loses no stone there"),
    ("ends", rf"{_AFTER} the game ends {_COUNT}"),
    ("passed", rf"{_AFTER} (?P<passes>{_WHO})'s PASS ends the game {_COUNT}"),
    ("passed", rf"(?P<first>PASS) ends the game {_COUNT}"),
    ("answer", rf"{_AFTER} {_ANSWERS}"),
    ("wanted", rf"{_BOTH_NEED}{_EFFECTS}(?:, and {_TAKES})?"),
    ("answers", rf"{_ANSWERS}(?P<does>, which {_EFFECT}(?: and {_EFFECT})*)?"),
    ("wanted", rf"{_ANSWERS} and takes the centre, the only point equally near to all four sides"),
    ("had", rf"{_FIRST}(?P<does> {_EFFECT}(?: and {_EFFECT})*)(?:, and (?P<who>{_WHO}) {_TAKES})?"),
    ("had", r"(?P<first>2,2) takes the centre first"),
    ("had", rf"{_AFTER} (?:the point is (?P<whose>{_WHO})'s|(?:it has|they have) (?P<safe>\d+) libert(?:y|ies))"),
    ("apart", rf"{_ANSWERS} and cuts {_TWO}"),
    ("apart", rf"{_AFTER} (?P<who>{_WHO}) cuts {_TWO} {_WITH}"),
    ("apart", rf"{_AFTER} (?P<whose>{_WHO})'s {_TWO} {_APART}"),
    ("apart", rf"{_FIRST} cuts them apart"),
    ("apart", rf"{_AFTER} (?P<who>{_WHO}) cuts them apart {_WITH}"),
    ("apart", rf"{_AFTER} they {_APART}"),
    ("joined", rf"{_ANSWERS} and joins {_TWO}"),
    ("joined", rf"{_AFTER} (?P<who>{_WHO}) joins {_TWO} {_WITH}"),
    ("joined", rf"{_FIRST} joins them"),
    ("joined", rf"{_AFTER} (?P<who>{_WHO}) joins them {_WITH}"),
    ("eye", rf"{_ANSWERS} and {_EYE_MADE}"),
    ("eye", rf"{_PLAYS} and {_EYE_MADE}"),
    ("eye", rf"{_FIRST} {_EYE_MADE}"),
    ("no eye", rf"{_AFTER} (?P<whose>{_WHO}) never has an eye (?:at (?P<made>\d,\d)|there)"),
    ("no eye", rf"{_ANSWERS}, so (?P<whose>{_WHO}) gets no eye there"),
    (
        "border",
        rf"The border between (?P<near>{_WHO}'s \d,\d and {_WHO}'s \d,\d) is open at (?P<by>\d,\d): "
        rf"(?P<who>{_WHO}) plays there first(?: at ply (?P<ply>\d+))? and keeps the point to the end",
    ),
    ("gets", rf"{_ANSWERS}{_EFFECTS},? and keeps the point to the end"),
    ("gets", rf"{_BOTH_NEED}{_EFFECTS}, and keeps the point to the end"),
    ("gets", rf"{_PLAYS}{_EFFECTS},? and keeps the point to the end"),
    ("gets", rf"{_FIRST}(?P<does> {_EFFECT}(?:, {_EFFECT})*), and keeps the point to the end"),
    ("gets", rf"{_FIRST} closes it for (?P<who>{_WHO})"),
    ("gets", rf"{_AFTER} (?P<who>{_WHO}) closes it at ply (?P<ply>\d+)"),
    ("gets", rf"{_AFTER} the point is (?P<who>{_WHO})'s to the end"),
    ("has not", rf"{_AFTER} (?P<whose>{_WHO}) has no stone on (?P<made>\d,\d) at the end"),
    (
        "has not",
        rf"{_FIRST}(?P<does> {_EFFECT}(?:, {_EFFECT})*), and (?P<whose>{_WHO}) has no stone on (?P<made>\d,\d) "
        r"at the end",
    ),
    (
        "must pass",
        rf"{_AFTER} (?P<who>{_WHO}) (?:has only (?P<few>{_POINTS}) left to play, and )?can do no better than PASS "
        r"at ply (?P<ply>\d+)",
    ),
    ("may play", rf"{_AFTER} (?P<who>{_WHO}) still has (?P<few>{_POINTS}) to play"),
    ("may play", rf"{_AFTER} (?P<who>{_WHO}) still has (?P<by>{_MOVE}) to play at ply (?P<ply>\d+)"),
    ("no cause", rf"(?:No event within eight plies explains this\. )?{_AFTER} best play is(?P<plays>(?: {_MOVE})+)"),
]


class FalseReason(AssertionError):
    """Raised if a sentence is false for its line or cannot be parsed; the message is the sentence."""


class Turn(NamedTuple):
    """A played ply: mover, move, boards before and after the move, captured stones, and plies left after the move."""

    mover: str
    move: str
    before: Board
    after: Board
    taken: frozenset[str]
    left: int


class Line:
    """A line of play, by this module's implementation of the rules.

    board: X or O for each stone, by the name of its point. ply: the number of plies played before the line. moves: the
    names of the moves. passed: whether the last ply before the line was a PASS.
    """

    def __init__(self, board: Board, ply: int, moves: Sequence[str], *, passed: bool = False) -> None:
        self.start, self.ply, self.steps = board, ply, list[Turn]()
        self.old = {"X": {point for point in board if board[point] == "X"}}
        self.old["O"] = set(board) - self.old["X"]
        for number, move in enumerate(moves):
            after = _played(board, "XO"[(ply + number) % 2], move)
            taken = frozenset(board.keys() - after.keys())
            self.steps.append(Turn("XO"[(ply + number) % 2], move, board, after, taken, _PLIES - ply - number - 1))
            board = after
        self.end = board
        self.pass_ends = passed or ply == 0
        ends = (["PASS"] if self.pass_ends else []) + [step.move for step in self.steps]
        self.is_whole = ply + len(moves) >= _PLIES or ends[-2:] == ["PASS", "PASS"]

    def falls(self, point: str, colour: str) -> int | None:
        """Return the number of the ply that captures a stone of the first board, or None if no ply captures it."""
        if point not in self.old[colour]:
            return None
        return next((number for number, step in enumerate(self.steps, 1) if point in step.taken), None)

    def first_taken(self, colour: str) -> frozenset[str]:
        """Return the stones that the first capture of stones of this colour removes; empty if there is no capture."""
        return next((step.taken for step in self.steps if step.taken and step.mover != colour), frozenset())

    def takes(self, point: str, colour: str) -> bool:
        """Return whether the line captures a stone of a colour on a point, even a stone that was played in the line."""
        return any(point in step.taken and step.before[point] == colour for step in self.steps)

    @property
    def margin(self) -> int:
        """The number of Black's stones minus the number of White's stones at the end of the line."""
        return sum(1 if colour == "X" else -1 for colour in self.end.values())

    def passes(self, colour: str) -> list[int]:
        """Return the plies at which a colour passes."""
        return [self.ply + at for at, step in enumerate(self.steps, 1) if (step.mover, step.move) == (colour, "PASS")]


def _played(board: Board, mover: str, move: str) -> Board:
    if move == "PASS":
        return board
    if move in board:
        raise FalseReason(f"{move} is occupied")
    after = board | {move: mover}
    for near in _beside(move):
        if after.get(near, mover) != mover and not _liberties(after, _group(after, near)):
            for stone in _group(after, near):
                del after[stone]
    if not _liberties(after, _group(after, move)):
        raise FalseReason(f"{move} is suicide")
    return after


def _beside(point: str) -> list[str]:
    row, column = int(point[0]), int(point[2])
    steps = ((row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1))
    return [f"{r},{c}" for r, c in steps if 0 <= r < _SIZE and 0 <= c < _SIZE]


def _group(board: Board, point: str) -> set[str]:
    group, edge = {point}, [point]
    while edge:
        for near in _beside(edge.pop()):
            if near not in group and board.get(near) == board[point]:
                group.add(near)
                edge.append(near)
    return group


def _liberties(board: Board, group: Iterable[str]) -> set[str]:
    return {near for stone in group for near in _beside(stone) if near not in board}


class Judgement(NamedTuple):
    """The judgement of a reason whose sentences are true.

    explains: whether the reason describes an event within NEAR plies that occurs in only one line. far: whether the
    event is later, or there is no event. unnamed: the number of captured stones that the description of a capture
    omits. both: the number of described stones that are captured in both lines. absent: the number of described stones
    that the capture does not remove. unsigned: whether the event is not a loss for the mover, or the described stones
    are worth nothing or more than the mistake costs.
    """

    explains: bool = False
    far: bool = False
    unnamed: int = 0
    both: int = 0
    absent: int = 0
    unsigned: bool = False


class _Sentence(NamedTuple):
    """A parsed sentence: the kind, the parts, the line of the sentence, the other line, and the described points."""

    kind: str
    parts: dict[str, str]
    line: Line
    other: Line
    points: list[str]

    @property
    def at(self) -> int:
        """The number of the described ply within the line: 1 for the first move, 2 for the answer."""
        if "at" in self.parts or "ply" in self.parts:
            return int(self.parts.get("at", self.parts.get("ply", ""))) - self.line.ply
        return 2 if "answer" in self.parts or self.kind == "border" else 1

    @property
    def step(self) -> Turn:
        """The played ply that the sentence describes."""
        return self.line.steps[self.at - 1]


def judged(worse: Line, better: Line, sentences: tuple[str, str], pass_worth: int | None = None) -> Judgement:
    """Check both sentences on the board, and return a judgement.

    pass_worth: the value of a PASS instead of the mistake, in Black's points minus White's points; None if the mistake
    is not compared with a PASS. Raise FalseReason if a sentence is false.
    """
    first = _checked(sentences[0], worse, better, None)
    second = _checked(sentences[1], better, worse, first)
    if (first.kind, second.kind) not in _PAIRS:
        raise FalseReason(" ".join(sentences))
    if not _is_compared(first, second, pass_worth):
        raise FalseReason(sentences[0])
    judge = next((judges for kinds, judges in _JUDGES.items() if {first.kind, second.kind} & set(kinds)), None)
    found = Judgement(far=True) if judge is None else judge(first, second)
    if found.far and {"idle", "below"} & first.parts.keys():
        found = Judgement(explains=True)
    return found._replace(unsigned=found.unsigned or not _is_balanced(first, second))


def _is_compared(first: _Sentence, second: _Sentence, pass_worth: int | None) -> bool:
    """Return whether the first sentence compares the move with a PASS if it should, and does so correctly."""
    stated = first.parts.keys() & {"idle", "below"}
    moves = [each.line.steps[0].move for each in (first, second)]
    if pass_worth is None or "PASS" in moves or first.line.pass_ends:
        return not stated
    if not first.line.is_whole:
        return len(stated) < 2
    more = (pass_worth - first.line.margin) * (1 if first.line.steps[0].mover == "X" else -1)
    return stated == ({"below"} if more > 0 else {"idle"} if more == 0 else set())


#: The pairs of kinds that the two sentences of a reason may have: first the worse line's kind, then the better line's.
_PAIRS = {
    *(("capture", "stay"), ("stay", "capture"), ("capture", "kept"), ("capture", "no loss"), ("no loss", "capture")),
    *((one, two) for one in ("ends", "passed", "answer") for two in ("ends", "passed", "answer")),
    *(("answers", "had"), ("wanted", "had"), ("eye", "no eye"), ("no eye", "eye")),
    *(("apart", "joined"), ("joined", "apart")),
    *((one, two) for one in ("border", "gets") for two in ("gets", "has not")),
    *(("must pass", "may play"), ("may play", "must pass"), ("no cause", "no cause")),
}


def _is_balanced(first: _Sentence, second: _Sentence) -> bool:
    """Return whether the counted points minus the points that the mistake gains elsewhere are the mistake's cost."""
    worse, better, parts = first.line, second.line, second.parts
    counted = first.kind in ("capture", "border", "gets") or second.kind in ("capture", "gets")
    if not (worse.is_whole and better.is_whole and counted):
        return not {"gainer", "other_way", "decides", "even"} & parts.keys()
    cost, points = worth(worse, better, worse.end.keys() | better.end.keys()), set(second.points or first.points)
    if second.kind in ("gets", "has not"):
        gained = {p: "?" for p in _differing(worse, better) if worth(worse, better, [p]) > 0}
        points = _group(gained, second.points[0]) if second.points[0] in gained else set()
        if len(points) > _LISTED and worth(worse, better, points) > cost:
            points = set(second.points)
        if set(_named(parts.get("decides", ""), points)) != (points if len(points) > 1 else set()):
            return False
        if ("even" in parts) != (worth(worse, better, points) == cost):
            return False
    value = worth(worse, better, points)
    if not {"gainer", "other_way"} & parts.keys():
        return 0 < value <= cost
    mistake = worse.steps[0]
    again = any(step[:2] == mistake[:2] for step in better.steps)
    if ("other_way" in parts) != (again or bool({"idle", "below"} & first.parts.keys())):
        return False
    rest, net = (parts.get(one, parts.get(two)) for one, two in (("back", "away"), ("net", "left")))
    is_right = rest is None or int(rest) == value - cost, net is None or int(net) == cost
    return parts.get("gainer", worse.steps[0].move) == worse.steps[0].move and all(is_right) and value > cost > 0


def _judge_capture(first: _Sentence, second: _Sentence) -> Judgement:
    taking = first if first.kind == "capture" else second
    line, other, parts, points = taking.line, taking.other, taking.parts, taking.points
    step, at = _capture(line, parts)
    colour = "XO"[step.mover == "X"]
    named = {*points, *_points(parts.get("itself", ""))}
    if "both" in parts:
        named |= {p for p in step.taken & line.old[colour] if other.falls(p, colour)}
    if "added" in parts:
        named |= step.taken - line.old[colour]
    new = {*points} - line.old[colour]
    both = sum(line.falls(point, colour) is not None and other.falls(point, colour) is not None for point in points)
    both += sum(other.takes(point, colour) for point in new)
    absent = sum(point not in step.taken for point in points)
    differs = bool(points) and not both and not absent
    near = min(at, taking.at if {"off", "short", "atari"} & parts.keys() and "answer" not in parts else at)
    if {"off", "short", "atari"} & parts.keys():
        near = min(near, _prepared_at(taking))
    if differs and len(points) >= _LARGE:
        near = min(near, NEAR)
    differs = differs and not _is_answered(line, step, at)
    is_loss = (step.mover == first.line.steps[0].mover) is (taking is second)
    return Judgement(
        differs and near <= NEAR, differs and near > NEAR, len(step.taken - named), both, absent, not is_loss
    )


def _is_answered(line: Line, step: Turn, at: int) -> bool:
    """Return whether the side that loses stones later captures more stones next to the lost stones."""
    near = step.taken | {p for stone in step.taken for p in _beside(stone)}
    later = (each for each in line.steps[at:] if each.mover != step.mover)
    return any(each.taken & near and len(each.taken) > len(step.taken) for each in later)


def _judge_point(first: _Sentence, second: _Sentence) -> Judgement:
    """Judge sentences about a point that the other side gets in the worse line, or the mover in the better line."""
    mover, point = first.line.steps[0].mover, second.points[0]
    at = min(each.at for each in (first, second) if each.kind != "has not")
    loss = first.line.end.get(point) not in (mover, None), second.line.end.get(point) == mover
    return Judgement(at <= NEAR, at > NEAR, unsigned=not any(loss))


def _judge_joint(first: _Sentence, second: _Sentence) -> Judgement:
    colour = first.line.start[first.points[0]]
    own = colour == first.line.steps[0].mover
    at = min(each.at for each in (first, second) if "until" not in each.parts and "end" not in each.parts)
    return Judgement(at <= NEAR, at > NEAR, unsigned=own is (first.kind == "joined"))


def _judge_eye(first: _Sentence, second: _Sentence) -> Judgement:
    made = first if first.kind == "eye" else second
    own = made.step.mover == first.line.steps[0].mover
    return Judgement(made.at <= NEAR, made.at > NEAR, unsigned=own is (made is first))


def _judge_tempo(first: _Sentence, second: _Sentence) -> Judgement:
    passing = first if first.kind == "must pass" else second
    more = len(passing.line.passes(passing.step.mover)) - len(passing.other.passes(passing.step.mover))
    own = passing.step.mover == first.line.steps[0].mover
    other = "XO"[passing.step.mover == "X"]
    more -= len(passing.line.passes(other)) - len(passing.other.passes(other))
    return Judgement(passing.at <= NEAR, passing.at > NEAR, unsigned=own is (passing is second) or more <= 0)


def _judge_now(first: _Sentence, second: _Sentence) -> Judgement:
    if first.kind == "wanted":
        if first.line.steps[1].move != second.line.steps[0].move:
            raise FalseReason(first.parts["answer"])
        return Judgement(explains=bool(first.parts.get("does") or second.parts.get("does") or second.points == ["2,2"]))
    return Judgement(explains=True)


_JUDGES: dict[tuple[str, ...], Callable[[_Sentence, _Sentence], Judgement]] = {
    ("capture",): _judge_capture,
    ("answers", "passed", "wanted"): _judge_now,
    ("joined",): _judge_joint,
    ("eye",): _judge_eye,
    ("must pass",): _judge_tempo,
    ("border", "gets"): _judge_point,
}


def _checked(text: str, line: Line, other: Line, before: _Sentence | None) -> _Sentence:
    """Return the parsed sentence, or raise FalseReason if the sentence is false for its line."""
    found: list[_Sentence] = []
    for kind, form in _FORMS:
        match = re.fullmatch((_WASTED if before is None else "") + form + _END, text)
        if match and (kind == "had") is (before is not None and before.kind in ("answers", "wanted")):
            parts = {key: value for key, value in match.groupdict().items() if value is not None}
            found.append(_Sentence(kind, parts, line, other, before.points if before else []))
    if len(found) != 1:
        raise FalseReason(text)
    facts, points = _CHECKS[found[0].kind](found[0])
    if not all([*_of_all_kinds(found[0]), *facts]):
        raise FalseReason(text)
    return found[0]._replace(points=points)


def _of_all_kinds(sentence: _Sentence) -> Iterator[bool]:
    parts, line = sentence.parts, sentence.line
    first, mover = line.steps[0].move, line.steps[0].mover
    yield parts.get("first", first) == first
    if "answer" in parts:
        yield (line.steps[1].move, _NAMES[parts["who"]] != mover) == (parts["answer"], True)
    yield ("result" in parts) == line.is_whole
    yield parts.get("result", _result(line)) == _result(line)
    if "black" in parts:
        yield (int(parts["black"]), int(parts["white"])) == (_count(line, "X"), _count(line, "O"))
    if "eye" in parts:
        yield parts["eye"] == first and {line.start.get(p) for p in _beside(first)} == {mover}
    for each in ("idle", "below"):
        yield parts.get(each, first) == first


_Checked = tuple[list[bool], list[str]]


def _check_capture(sentence: _Sentence) -> _Checked:
    parts, line, other = sentence.parts, sentence.line, sentence.other
    first = line.steps[0].move
    step, number = _capture(line, parts)
    colour = "XO"[step.mover == "X"]
    alone = {p for p in step.taken & line.old[colour] if not other.falls(p, colour)}
    older = {p for p in step.taken & line.old[colour] if other.falls(p, colour)}
    text = next(
        (parts[key] for key in ("off", "short", "atari") if parts.get(key, "it") not in ("it", "them")), parts["what"]
    )
    new = step.taken - line.old[colour]
    stones = sentence.points if text in ("it", "them") else _named(text, alone) or _named(text, new)
    newer = new - {first} - {*stones}
    both, added = _named(parts.get("both", ""), older), _named(parts.get("added", ""), newer)
    facts = [
        bool(stones) and {*stones} <= step.taken,
        {*_named(parts.get("kept", ""), alone)} == alone - {*stones},
        {*both} | {*added} <= step.taken,
        ("both" in parts) == bool(older) and ({*both} == older),
        parts.get("too", other.steps[0].move) == parts.get("where", other.steps[0].move) == other.steps[0].move,
        bool([p for p in step.taken if _retaken(step, p)] and line.ply + number < _PLIES) == ("ko" in parts),
        parts.get("itself", first) == first and ("itself" not in parts or first in step.taken),
        parts["what"] != "it" or len(stones) == 1,
        "new stone" not in parts["what"] or stones == [first],
    ]
    if {"off", "short", "atari"} & parts.keys():
        facts += _prepares(sentence, stones, number)
    return facts, sorted({*stones, *alone})


def _prepared_at(sentence: _Sentence) -> int:
    return (
        int(sentence.parts["at"]) - sentence.line.ply
        if "at" in sentence.parts
        else 2
        if "answer" in sentence.parts
        else 1
    )


def _prepares(sentence: _Sentence, stones: Sequence[str], number: int) -> Iterator[bool]:
    """Yield whether the move before a capture cuts the stones off, or leaves the stones the stated liberties."""
    parts, line, at = sentence.parts, sentence.line, _prepared_at(sentence)
    step, taker = line.steps[at - 1], line.steps[number - 1].mover
    colour = "XO"[taker == "X"]
    yield at < number and step.mover == taker and parts.get("played", step.move) == step.move
    group = _group(step.after, stones[0])
    yield all(step.after.get(p) == colour for p in stones[:1])
    if "off" in parts:
        rest, near = parts["rest"], {*_beside(step.move)}
        yield step.after.get(rest) == colour and rest in near and bool(near & group) and rest not in group
        boards = [each.after for each in line.steps[at - 1 : number - 1]]
        yield all(rest not in board or rest not in _group(board, stones[0]) for board in boards)
        yield not _may_join(step, (stones[0], rest))
        return
    now, before = len(_liberties(step.after, group)), len(_liberties(step.before, _group(step.before, stones[0])))
    yield now == int(parts.get("liberties", 1)) < before


def _check_stay(sentence: _Sentence) -> _Checked:
    parts, line = sentence.parts, sentence.line
    colour = _NAMES[parts["whose"]] if "whose" in parts else line.steps[0].mover
    lasting = {p for p in line.old[colour] if sentence.other.falls(p, colour) and not line.falls(p, colour)}
    named = parts["stand"] in ("it", "they")
    stones = sentence.points if named else _falling_together(parts["stand"], lasting, sentence.other, colour)
    boards = [line.start, *(step.after for step in line.steps)]
    # The sentence may include the stone that the mistake plays, which is not on the board of this line.
    there = [p for p in stones if p in line.old[colour]]
    return [
        bool(there) and all(board.get(point) == colour for point in there for board in boards),
        ("end" in parts) == line.is_whole,
        parts.get("until", str(line.ply + len(line.steps))) == str(line.ply + len(line.steps)),
        "rescuer" not in parts or _rescues(sentence, set(stones), colour),
    ], stones


def _rescues(sentence: _Sentence, stones: set[str], colour: str) -> bool:
    """Return whether the stated move joins the stones to another group, or captures stones next to these stones."""
    parts, line = sentence.parts, sentence.line
    at = int(parts["rescued"]) - line.ply if "rescued" in parts else 1 if line.steps[0].mover == colour else 2
    step = line.steps[at - 1]
    if (step.mover, step.move) != (colour, parts["rescuer"]) or at > NEAR:
        return False
    groups = set[str]().union(*(_group(step.before, p) for p in stones if p in step.before))
    if "freed" in parts:
        near = {near for p in groups for near in _beside(p)}
        return set(_named(parts["freed"], step.taken & near)) == step.taken & near != set()
    linked = stones if parts["linked"] in ("it", "them") else set(_named(parts["linked"], stones))
    new, link = _group(step.after, step.move), parts["link"]
    return linked <= stones & new and link in new - groups and step.before.get(link) == colour


def _check_kept(sentence: _Sentence) -> _Checked:
    mover = sentence.line.steps[0].mover
    mine = (sentence.step.mover, sentence.step.move, sentence.parts["who"]) == (
        mover,
        sentence.parts["by"],
        _name(mover),
    )
    return [mine, not sentence.line.takes(sentence.parts["by"], mover)], sentence.points


def _check_no_loss(sentence: _Sentence) -> _Checked:
    colour = _NAMES[sentence.parts["who"]]
    points = sentence.points or sorted(sentence.other.first_taken(colour))
    return [not any(sentence.line.takes(point, colour) for point in points)], points


def _check_end(sentence: _Sentence) -> _Checked:
    passes = sentence.parts.get("passes")
    mover = sentence.line.steps[0].mover
    return [passes is None or (sentence.line.steps[1].move == "PASS" and _NAMES[passes] != mover)], sentence.points


def _check_answers(sentence: _Sentence) -> _Checked:
    return [*_effects(sentence.parts, sentence.line.steps[1])], sentence.points


def _check_wanted(sentence: _Sentence) -> _Checked:
    step = sentence.line.steps[1]
    facts = ["does" in sentence.parts or step.move == "2,2", *_effects(sentence.parts, step), *_follows(sentence, step)]
    if "does" in sentence.parts:
        facts += [_lasts(sentence.line, 1), sentence.other.steps[0].move == step.move, _lasts(sentence.other, 0)]
    return facts, [step.move]


def _lasts(line: Line, number: int) -> bool:
    """Return whether the stone that is played in a step stays on the board to the end of the line."""
    step = line.steps[number]
    return all(each.after.get(step.move) == step.mover for each in line.steps[number:])


def _follows(sentence: _Sentence, step: Turn) -> Iterator[bool]:
    """Yield whether the stones that a step puts into atari are captured soon, and not in exchange for a larger group.

    If the other line also captures these stones, no other stone may be captured together with them.
    """
    if "what" not in sentence.parts:
        return
    hit = re.search(rf"puts ({_MANY}) into atari", sentence.parts["does"])
    stones = _named(hit[1], _meant("puts", step)) if hit else []
    taking, at = _capture(sentence.line, sentence.parts)
    yield bool(stones) and at <= NEAR and not _is_answered(sentence.line, taking, at)
    if {*stones} != taking.taken:
        yield from _check_capture(sentence._replace(points=stones))[0]
        return
    yield sentence.parts["what"] in ("it", "them") or {*_named(sentence.parts["what"], taking.taken)} == taking.taken
    yield not {"both", "kept", "itself", "added"} & sentence.parts.keys()
    retaken = any(_retaken(taking, p) for p in taking.taken) and sentence.line.ply + at < _PLIES
    yield retaken == ("ko" in sentence.parts)


def _check_had(sentence: _Sentence) -> _Checked:
    parts, step = sentence.parts, sentence.line.steps[0]
    facts = [
        *_effects(parts, step),
        parts.get("whose", _name(step.mover)) == _name(step.mover),
        *_follows(sentence, step),
    ]
    if "safe" in parts:
        answer = sentence.other.steps[1]
        hit = [p for p in _beside(answer.move) if answer.before.get(p) == step.mover]
        groups = [_group(step.after, p) for p in hit if len(_liberties(answer.after, _group(answer.after, p))) == 1]
        facts.append(any(len(_liberties(step.after, group)) == int(parts["safe"]) for group in groups))
    return facts, [step.move]


def _check_apart(sentence: _Sentence) -> _Checked:
    parts, line = sentence.parts, sentence.line
    points = [parts["one"], parts["two"]] if "one" in parts else sentence.points
    colour = line.start.get(points[0], "")
    end = len(line.steps) if "end" in parts else min(NEAR, len(line.steps))
    boards = [line.start, *(step.after for step in line.steps[:end])]
    facts = [
        colour == line.start.get(points[1]) != "",
        not any(points[1] in _group(board, points[0]) for board in boards if points[0] in board and points[1] in board),
        parts.get("until", str(line.ply + end)) == str(line.ply + end),
        "end" not in parts or line.is_whole,
        parts.get("whose", _name(colour)) == _name(colour),
    ]
    if "end" not in parts and "until" not in parts:
        step = sentence.step
        groups = [_group(step.after, p) for p in _beside(step.move) if step.after.get(p) == colour]
        facts += [step.mover != colour, parts.get("by", step.move) == step.move]
        facts += [any(p in group for group in groups) for p in points]
        facts.append(not _may_join(step, points))
    return facts, points


def _check_joined(sentence: _Sentence) -> _Checked:
    parts, step = sentence.parts, sentence.step
    points = [parts["one"], parts["two"]] if "one" in parts else sentence.points
    until = [each.after for each in sentence.line.steps[sentence.at - 1 : NEAR]]
    return [
        parts.get("by", step.move) == step.move and parts.get("who", _name(step.mover)) == _name(step.mover),
        step.before.get(points[0]) == step.before.get(points[1]) == step.mover,
        points[1] not in _group(step.before, points[0]),
        all(p in board for board in until for p in points),
        all(points[1] in _group(board, points[0]) for board in until),
    ], points


def _eyes(board: Board, point: str, colour: str) -> bool:
    return point not in board and {board.get(p) for p in _beside(point)} == {colour}


def _check_eye(sentence: _Sentence) -> _Checked:
    parts, step = sentence.parts, sentence.step
    point, other = parts["made"], "XO"[step.mover == "X"]
    facts = [
        parts.get("by", step.move) == step.move and parts.get("who", _name(step.mover)) == _name(step.mover),
        not _eyes(step.before, point, step.mover),
        all(_eyes(each.after, point, step.mover) for each in sentence.line.steps[sentence.at - 1 : NEAR]),
        not any(
            each.after.get(p) == other
            for each in sentence.line.steps[sentence.at - 1 :]
            for p in (point, *_beside(point))
        ),
        sentence.points in ([], [point]),
    ]
    if "barred" in parts:
        facts.append(_NAMES[parts["barred"]] == other and not _may_play(step.after, point, other))
    return facts, [point]


def _may_play(board: Board, point: str, colour: str) -> bool:
    try:
        _played(board, colour, point)
    except FalseReason:
        return False
    return True


def _check_no_eye(sentence: _Sentence) -> _Checked:
    parts, colour = sentence.parts, _NAMES[sentence.parts["whose"]]
    points = sentence.points or [parts.get("made", parts.get("answer", ""))]
    boards = [sentence.line.start, *(step.after for step in sentence.line.steps)]
    near = {points[0], *_beside(points[0])}
    area = near | {p for each in near for p in _beside(each)}
    return [
        sentence.line.is_whole,
        not any(_eyes(board, points[0], colour) for board in boards),
        not any(
            _eyes(sentence.line.end, p, colour)
            and not any(_eyes(step.after, p, colour) for step in sentence.other.steps)
            for p in area
        ),
        not any(step.mover == colour and step.taken & area for step in sentence.line.steps),
    ], points


def _check_gets(sentence: _Sentence) -> _Checked:
    parts, step = sentence.parts, sentence.step
    point = step.move
    facts = [
        parts.get("who", _name(step.mover)) == _name(step.mover) and parts.get("by", point) == point,
        all(each.after.get(point) == step.mover for each in sentence.line.steps[sentence.at - 1 :]),
        sentence.line.is_whole,
        sentence.points in ([], [point]),
        *_effects(parts, step),
    ]
    if "near" in parts:
        sides = [(_NAMES[who], p) for who, p in re.findall(rf"({_WHO})'s (\d,\d)", parts["near"])]
        facts += [step.before.get(p) == colour and p in _beside(point) for colour, p in sides]
        facts.append({colour for colour, _ in sides} == {"X", "O"})
    return facts, [point]


def _check_has_not(sentence: _Sentence) -> _Checked:
    points, parts, line = sentence.points, sentence.parts, sentence.line
    facts = [*_effects(parts, line.steps[0]), [parts["made"]] == points, line.is_whole]
    return [*facts, line.end.get(points[0]) != _NAMES[parts["whose"]]], points


def _check_pass(sentence: _Sentence) -> _Checked:
    step, parts = sentence.step, sentence.parts
    played = {each.move for each in sentence.line.steps if each.mover == _NAMES[parts["who"]]} - {"PASS"}
    facts = ["few" not in parts or set(_points(parts["few"])) == played]
    if "ply" in parts:
        facts += [step.move == parts.get("by", "PASS"), _NAMES[parts["who"]] == step.mover]
    return facts, sentence.points


def _check_line(sentence: _Sentence) -> _Checked:
    moves = [step.move for step in sentence.line.steps[1:]]
    parts = sentence.parts["plays"].split()
    return [moves[: len(parts)] == parts, len(parts) == min(5, len(moves))], sentence.points


_CHECKS: dict[str, Callable[[_Sentence], _Checked]] = {
    "capture": _check_capture,
    "stay": _check_stay,
    "kept": _check_kept,
    "no loss": _check_no_loss,
    "ends": _check_end,
    "passed": _check_end,
    "answer": _check_end,
    "answers": _check_answers,
    "wanted": _check_wanted,
    "had": _check_had,
    "apart": _check_apart,
    "joined": _check_joined,
    "eye": _check_eye,
    "no eye": _check_no_eye,
    "border": _check_gets,
    "gets": _check_gets,
    "has not": _check_has_not,
    "must pass": _check_pass,
    "may play": _check_pass,
    "no cause": _check_line,
}


def _may_join(step: Turn, points: Sequence[str]) -> bool:
    """Return whether the side that moves after a step can join two of its stones."""
    moves = min(_LINK_MOVES, (step.left + 1) // 2)
    return moves > 0 and _can_join(step.after, step.before, "XO"[step.mover == "X"], points, moves)


def _can_join(board: Board, before: Board, colour: str, points: Sequence[str], moves: int) -> bool:
    """Return whether the colour to move can join two of its stones against every defence.

    before: the board before the last move, which ko forbids to repeat. moves: the colour's own moves.
    """
    for after in _boards_after(board, before, colour):
        if all(p in after for p in points) and points[1] in _group(after, points[0]):
            return True
        if moves == 1:
            continue
        # The first reply is a PASS, which leaves the board unchanged.
        replies = [after, *_boards_after(after, board, "XO"[colour == "X"])]
        if all(_can_join(reply, after, colour, points, moves - 1) for reply in replies):
            return True
    return False


def _boards_after(board: Board, before: Board, colour: str) -> Iterator[Board]:
    for point in (f"{row},{column}" for row in range(_SIZE) for column in range(_SIZE)):
        if point not in board:
            try:
                after = _played(board, colour, point)
            except FalseReason:
                continue
            if after != before:
                yield after


def _name(colour: str) -> str:
    return {sign: name for name, sign in _NAMES.items()}.get(colour, "")


def _capture(line: Line, parts: dict[str, str]) -> tuple[Turn, int]:
    """Return the ply that captures the stones, and the ply's number in the line, from 1."""
    mover = line.steps[0].mover
    taker = _NAMES[parts["who"]] if "who" in parts else mover
    at = int(parts["ply"]) - line.ply if "ply" in parts else 1 if taker == mover else 2
    step = line.steps[at - 1]
    if step.mover != taker or parts.get("by", step.move) != step.move:
        raise FalseReason("another move captures stones")
    return step, at


def _points(text: str) -> list[str]:
    return re.findall(r"\d,\d", text)


def _retaken(step: Turn, point: str) -> bool:
    """Return whether a stone on a point would restore the board before the ply, which ko forbids."""
    try:
        return _played(step.after, "XO"[step.mover == "X"], point) == step.before
    except FalseReason:
        return False


def _effects(parts: dict[str, str], step: Turn) -> Iterator[bool]:
    """Yield, for each described effect of a move, whether the move immediately has this effect."""
    for text in re.findall(_EFFECT, parts.get("does", "")):
        verb, points = text.split()[0], set(_points(text))
        if many := re.search(rf"\d+ stones {_PLACE}", text):
            points = set(_named(many[0], _meant(verb, step)))
        yield _does(verb, points, step)


def _meant(verb: str, step: Turn) -> set[str]:
    """Return the stones that a text such as "3 stones in the upper left" may describe."""
    near = [p for p in _beside(step.move) if p in step.before]
    if verb == "captures":
        return set(step.taken)
    if verb == "saves":
        return set().union(*(_group(step.before, p) for p in near if step.before[p] == step.mover))
    theirs = (_group(step.after, p) for p in near if step.after.get(p) not in (None, step.mover))
    return set().union(*(group for group in theirs if len(_liberties(step.after, group)) == 1))


def _does(verb: str, points: set[str], step: Turn) -> bool:
    near, after = set(_beside(step.move)), step.after
    groups_before = {frozenset(_group(step.before, point)) for point in points if point in step.before}
    groups = {frozenset(_group(after, point)) for point in points if point in after}
    mine = all(step.before.get(point) == step.mover for point in points)
    theirs = all(after.get(point) not in (None, step.mover) for point in points)
    before, now = ([len(_liberties(board, group)) for group in held] for board, held in (
        (step.before, groups_before), (after, groups),
    ))  # fmt: skip
    holds: dict[str, Callable[[], bool]] = {
        "captures": lambda: points == step.taken,
        "takes": lambda: step.move == "2,2",
        "saves": lambda: mine and set(before) == {1} and min(now) > 1,
        "puts": lambda: theirs and points == set().union(*groups) and {*now} == {1} and min(before) > 1,
        "joins": lambda: mine and points <= near and len(groups_before) == len(points) > len(groups) == 1,
        "keeps": lambda: (
            theirs
            and points <= near
            and len(groups) == len(points) > 1
            and not any(_may_join(step, pair) for pair in combinations(points, 2))
        ),
        "blocks": lambda: points == {p for p in near if step.before.get(p) not in (None, step.mover)} != set(),
        "extends": lambda: points == {p for p in near if step.before.get(p) == step.mover} != set(),
    }
    return holds[verb]()


def _place(points: Collection[str]) -> str:
    """Return the words for the part of the board that contains the points.

    The mean row and the mean column of the points determine the words. A mean is ignored if it is less than half a line
    away from the middle.
    """
    means = [sum(int(p[at]) for p in points) / len(points) - 2 for at in (0, 2)]
    words = [
        low if mean <= -0.5 else high if mean >= 0.5 else ""
        for mean, low, high in zip(means, ("upper", "left"), ("lower", "right"), strict=True)
    ]
    if all(words):
        return f"in the {' '.join(words)}"
    return f"on the {''.join(words)} side" if any(words) else "around the middle"


def _named(text: str, points: Collection[str]) -> list[str]:
    """Return the points that a text lists, or all of ``points`` if the text states their number and place, or []."""
    listed = _points(text)
    if listed or not text:
        return listed
    number, _, place = text.split(" ", 2)
    return sorted(points) if points and (len(points), _place(points)) == (int(number), place) else []


def _falling_together(text: str, lasting: set[str], other: Line, colour: str) -> list[str]:
    """Return the described stones, which survive in one line and are captured at the same ply of the other line."""
    sets = [{p for p in lasting if other.falls(p, colour) == ply} for ply in range(1, len(other.steps) + 1)]
    return next((found for each in sets if (found := _named(text, each))), [])


def _differing(line: Line, other: Line) -> set[str]:
    return {p for p in line.end.keys() | other.end.keys() if line.end.get(p) != other.end.get(p)}


def worth(worse: Line, better: Line, points: Iterable[str]) -> int:
    """Return how many more stones the erring side has on the points after the better line than after the worse line.

    A stone of the other side counts as -1.
    """
    mover = worse.steps[0].mover
    count = {mover: 1, None: 0}
    return sum(count.get(better.end.get(p), -1) - count.get(worse.end.get(p), -1) for p in points)


def _count(line: Line, colour: str) -> int:
    return list(line.end.values()).count(colour)


def _result(line: Line) -> str:
    margin = line.margin - _KOMI
    return f"{'B' if margin > 0 else 'W'}+{abs(margin):.1f}"


# Statistics of many reasons


class ExplainedMistake(NamedTuple):
    """A mistake: the board and ply before the move, the moves of both lines by name, the two sentences, and the kind.

    pass_worth: see judged().
    """

    board: Board
    ply: int
    passed: bool
    worse: Sequence[str]
    better: Sequence[str]
    sentences: tuple[str, str]
    kind: str
    pass_worth: int | None = None

    @property
    def lines(self) -> tuple[Line, Line]:
        """The worse and the better line, played by this module's rules."""
        worse, better = (Line(self.board, self.ply, moves, passed=self.passed) for moves in (self.worse, self.better))
        return worse, better

    @property
    def is_of_its_kind(self) -> bool:
        """Whether the lines satisfy the condition of the mistake's kind."""
        (worse, better), mover = self.lines, "XO"[self.ply % 2]
        other = "XO"[mover == "X"]
        bad, good = worse.steps[0], better.steps[0]
        near = {self.board.get(each) for each in _beside(bad.move)} if bad.move != "PASS" else set()
        more = {colour: len(worse.passes(colour)) - len(better.passes(colour)) for colour in "XO"}
        holds: dict[str, Callable[[], bool]] = {
            "passes": lambda: bad.move == "PASS" != good.move,
            "misses a capture": lambda: bool(good.taken - bad.taken),
            "leaves stones in atari": lambda: (
                any(p in worse.steps[1].taken and not better.falls(p, mover) for p in _in_atari(self.board, mover))
                and not all(
                    p in _in_atari(good.after, mover) for p in worse.steps[1].taken & _in_atari(self.board, mover)
                )
            ),
            "puts itself into atari": lambda: (
                _alone(bad) and _falls_at_once(worse) and (not _falls_at_once(better) or _loses(worse, better, mover))
            ),
            "fills its own eye": lambda: near == {mover},
            "misses a PASS": lambda: "PASS" in (good.move, better.steps[-1].move),
            "loses stones later": lambda: _loses(worse, better, mover),
            "lets stones live": lambda: _loses(better, worse, other),
            "leaves the centre": lambda: good.move == "2,2" != bad.move,
            "gives up a point": lambda: bool(_differing(worse, better)),
            "leaves a border open": lambda: bool(_differing(worse, better)),
            "leaves groups apart": lambda: _joins(good) > 1 or _ever_joined(better, worse, mover),
            "misses a cut": lambda: _cuts(good, other) or _ever_joined(worse, better, other),
            "misses an eye": lambda: _makes_eye(better, mover, worse),
            "lets the other side make an eye": lambda: _makes_eye(worse, other, better),
            "misses an atari": lambda: bool(_in_atari(good.after, other) - _in_atari(bad.after, other)),
            "runs out of moves": lambda: more[mover] > 0,
            "leaves the other side moves": lambda: more[other] < 0,
            "wastes a move": lambda: (
                self.pass_worth is not None
                and bad.move != "PASS" != good.move
                and (self.pass_worth - worse.margin) * (1 if mover == "X" else -1) >= 0
            ),
            "other": lambda: True,
        }
        return holds[self.kind]()


def _in_atari(board: Board, colour: str) -> set[str]:
    return {p for p in board if board[p] == colour and len(_liberties(board, _group(board, p))) == 1}


def _alone(step: Turn) -> bool:
    return step.move != "PASS" and len(_liberties(step.after, _group(step.after, step.move))) == 1


def _falls_at_once(line: Line) -> bool:
    return any(line.steps[0].move in step.taken for step in line.steps[1:2])


def _joins(step: Turn) -> int:
    near = [p for p in _beside(step.move) if step.before.get(p) == step.mover] if step.move != "PASS" else []
    return len({frozenset(_group(step.before, p)) for p in near})


def _cuts(step: Turn, colour: str) -> bool:
    near = [p for p in _beside(step.move) if step.after.get(p) == colour] if step.move != "PASS" else []
    return len({frozenset(_group(step.after, p)) for p in near}) > 1


def _ever_joined(line: Line, other: Line, colour: str) -> bool:
    """Return whether two old stones of a colour are in one group after NEAR plies of ``line``, but not of ``other``."""

    def pairs(each: Line) -> set[tuple[str, str]]:
        board = each.steps[:NEAR][-1].after
        held = [p for p in each.old[colour] if board.get(p) == colour]
        return {(one, two) for one in held for two in held if two in _group(board, one)}

    return bool(pairs(line) - pairs(other))


def _makes_eye(line: Line, colour: str, other: Line) -> bool:
    boards = line.steps[:NEAR][-1].after, other.steps[:NEAR][-1].after
    points = [f"{row},{column}" for row in range(_SIZE) for column in range(_SIZE)]
    return any(_eyes(boards[0], p, colour) and not _eyes(boards[1], p, colour) for p in points)


def _loses(line: Line, other: Line, colour: str) -> bool:
    """Return whether a line captures more stones of a colour than ``other``, or stones that survive in ``other``."""
    counts = [sum(len(s.taken) for s in each.steps if s.mover != colour) for each in (line, other)]
    return (
        counts[0] > counts[1]
        or any(line.falls(p, colour) and not other.falls(p, colour) for p in line.old[colour])
        or any(s.move in later.taken for s in line.steps[:1] for later in line.steps if later.mover != colour)
    )


def table(mistakes: Iterable[ExplainedMistake]) -> list[str]:
    """Return a table by ranges of plies, with the share of reasons that explain the mistake and of each fault."""
    found: dict[str, Counter[str]] = {name: Counter() for name in ("1 to 9", "10 to 15", "16 to 24", "all")}
    for mistake in mistakes:
        band = "1 to 9" if mistake.ply < 9 else "10 to 15" if mistake.ply < 15 else "16 to 24"
        try:
            judgement = judged(*mistake.lines, mistake.sentences, mistake.pass_worth)
            counted = {name: int(bool(value)) for name, value in judgement._asdict().items()}
        except FalseReason:
            counted = {"false": 1}
        counted |= {"mistakes": 1, "kind": int(not mistake.is_of_its_kind)}
        for name in (band, "all"):
            found[name].update(counted)
    rows = [
        ("explain", "explains"), ("too far away, or no cause", "far"),
        ("captured stones are not named", "unnamed"), ("named stones are captured in both lines", "both"),
        ("named stones were not there", "absent"), ("false", "false"), ("unsigned", "unsigned"),
        ("the kind's condition fails", "kind"),
    ]  # fmt: skip
    head = f"{'plies':<32}" + "".join(f"{name:>10}" for name in found)
    lines = [head, f"{'mistakes':<32}" + "".join(f"{each['mistakes']:>10}" for each in found.values())]
    for words, name in rows:
        shares = (f"{100 * each[name] / max(each['mistakes'], 1):.1f} %" for each in found.values())
        lines.append(f"{words:<32}" + "".join(f"{share:>10}" for share in shares))
    return lines
