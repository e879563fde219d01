"""Check whether reasons are true and explain a mistake: play both lines on a separate board, and check each sentence.

This module shares no code with the module that writes the sentences. It has its own implementation of the rules, with
points by name, and parses the English sentences.
"""

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from typing import NamedTuple

#: A capture after more than NEAR plies is too late to explain a move, and a whole reason is over within WHOLE plies.
NEAR, WHOLE = 8, 4

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
_MANY = rf"(?:{_POINTS}|\d+ (?:stones|points) {_PLACE})"
_KO = rf"(?P<ko>, and {_WHO} may not take back at once)?"
_ALSO = (
    rf"(?: \((?:also (?P<both>{_MANY}), which falls? after (?P<too>{_MOVE}) too)?"
    rf"(?:(?:; )?also (?P<kept>{_MANY}), which stands? after (?P<where>{_MOVE}))?"
    rf"(?:(?:; )?also (?P<itself>\d,\d), the stone just played)?"
    rf"(?:(?:; )?also (?P<added>{_MANY}), played later)?\))?"
)
_EYE = r"(?:; (?P<eye>\d,\d) fills an own eye)?"
_ELSEWHERE = rf"(?:; elsewhere (?P<gainer>{_WHO}) has (?P<back>\d+) points? more after (?P<after_which>{_MOVE}))?"
_TAKES = (
    rf"takes (?P<what>it|them|the new stone \d,\d|{_MANY})"
    rf"(?: at ply (?P<ply>\d+) with (?P<by>{_MOVE}))?{_ALSO}{_KO}"
)
_UNTIL = r"stands? (?:(?P<end>to the end)|(?:after|until) ply (?P<until>\d+)(?: at least)?)"
_RESULT = _EYE + _ELSEWHERE + r"(?:: (?P<result>[BW]\+[\d.]+))?\."
_COUNT = r"with (?P<black>\d+) black and (?P<white>\d+) white stones"
_EFFECT = (
    rf"(?:takes {_MANY}|saves {_MANY}|leaves {_MANY} one liberty|"
    rf"joins {_POINTS}|keeps {_POINTS} apart|takes the centre)"
)
_OWNS = rf"{_WHO} has {_MANY}(?: from ply \d+ on)?|nothing stands on {_MANY}"
_MIDDLE = r"Black (?P<blacks>\d) and White (?P<whites>\d)"
_PASSES = rf"{_WHO} (?:never passes|passes at ply [\d and]+)"

_FORMS = {
    "lost": rf"(?P<who>{_WHO}) answers (?P<answer>{_MOVE})(?P<cut> to cut (?:it|them) off)? and {_TAKES}{_RESULT}",
    "stand": rf"After (?P<first>{_MOVE}) (?P<stand>it|they) {_UNTIL}{_RESULT}",
    "stay": rf"After (?P<first>{_MOVE}) (?P<whose>{_WHO})'s (?P<stand>{_MANY}) {_UNTIL}{_RESULT}",
    "taken": rf"(?:(?P<first>{_MOVE})|After (?P<after>{_MOVE}) (?P<who>{_WHO})) {_TAKES}{_RESULT}",
    "ends": rf"After (?P<first>{_MOVE}) the game ends {_COUNT}{_RESULT}",
    "passed": rf"After (?P<first>{_MOVE}) (?P<passes>{_WHO})'s PASS ends the game {_COUNT}{_RESULT}",
    "pass": rf"(?P<first>PASS) ends the game {_COUNT}{_RESULT}",
    "answer": rf"After (?P<first>{_MOVE}) (?P<who>{_WHO}) answers (?P<answer>{_MOVE})\.",
    "wanted": rf"(?P<who>{_WHO}) plays (?P<answer>{_MOVE}), the point that both sides want"
    rf"(?P<does>(?:, and {_EFFECT})*){_RESULT}",
    "had": rf"After (?P<first>{_MOVE}) (?:(?P<who>{_WHO}) (?P<does>{_EFFECT}(?: and {_EFFECT})*)|"
    rf"the point is (?P<whose>{_WHO})'s){_RESULT}",
    "no stone": rf"After (?P<first>{_MOVE}) no stone is lost there{_RESULT}",
    "later": rf"After (?P<first>{_MOVE}) {_WHO} plays (?P<later>\d,\d) at ply (?P<at>\d+) and keeps it{_RESULT}",
    "middle": rf"After (?P<first>{_MOVE}) the nine points in the middle are {_MIDDLE} at the end{_RESULT}",
    "centre": rf"After (?P<first>2,2) (?P<who>{_WHO}) has the centre, and they are {_MIDDLE}{_RESULT}",
    "owns": rf"After (?P<first>{_MOVE}) (?P<owns>(?:{_OWNS})(?:, and (?:{_OWNS}))*)(?: at the end|(?<= on))"
    rf"(?P<alike>, and all other points end alike)?{_RESULT}",
    "tempo": rf"After (?P<first>{_MOVE}) (?P<tempo>{_PASSES} and {_PASSES}){_RESULT}",
}


class FalseReason(AssertionError):
    """A sentence that is false for its line, or that cannot be parsed; the message is the sentence."""


class Turn(NamedTuple):
    """A played ply: the side, the move, the boards before and after it, and the captured stones."""

    mover: str
    move: str
    before: Board
    after: Board
    taken: frozenset[str]


class Line:
    """A line of play, by the rules of this module.

    board: "X" or "O" by the name of the point. ply: the number of plies before the line. passed: whether the last of
    them
        was a PASS. moves: the names of the moves.
    """

    def __init__(self, board: Board, ply: int, moves: Sequence[str], *, passed: bool = False) -> None:
        self.start, self.ply, self.steps = board, ply, list[Turn]()
        self.old = {"X": {point for point in board if board[point] == "X"}}
        self.old["O"] = set(board) - self.old["X"]
        for number, move in enumerate(moves):
            after = _played(board, "XO"[(ply + number) % 2], move)
            taken = frozenset(board.keys() - after.keys())
            self.steps.append(Turn("XO"[(ply + number) % 2], move, board, after, taken))
            board = after
        self.end = board
        ends = (["PASS"] if passed or ply == 0 else []) + [step.move for step in self.steps]
        self.is_whole = ply + len(moves) >= _PLIES or ends[-2:] == ["PASS", "PASS"]

    def falls(self, point: str, colour: str) -> int | None:
        """Return the number of plies after which a stone on the first board is captured, or None if it is not."""
        if point not in self.old[colour]:
            return None
        return next((number for number, step in enumerate(self.steps, 1) if point in step.taken), None)

    def takes(self, point: str, colour: str) -> bool:
        """Return whether the line captures a stone of a colour on a point."""
        return any(point in step.taken and step.before[point] == colour for step in self.steps)

    @property
    def margin(self) -> int:
        """Black's stones less White's at the end."""
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
    """A judgement of a true reason.

    explains: whether it describes a difference between the lines within NEAR plies, or a difference of the final
    boards. whole: whether all of this difference is within WHOLE plies in both sentences. far: whether the difference
    comes later
        than NEAR plies. counts: whether the reason only counts stones or gives the answer. unnamed: whether further
        stones fall in the described capture. both: whether stones of the difference fall in both lines. absent: whether
        such stones were not on the first board. unsigned: whether the stones are worth nothing to the mover, or more
        than the mistake costs.
    """

    explains: bool = False
    whole: bool = False
    far: bool = False
    counts: bool = False
    unnamed: int = 0
    both: int = 0
    absent: int = 0
    unsigned: bool = False


def judged(worse: Line, better: Line, sentences: tuple[str, str]) -> Judgement:
    """Check both sentences on the board, and return a judgement; raises FalseReason if a sentence is false."""
    said: list[str] = []
    read: list[tuple[str, dict[str, str]]] = []
    for sentence, line, other in zip(sentences, (worse, better), (better, worse), strict=True):
        form, told = _read(sentence, is_after_wanted=bool(read) and read[0][0] == "wanted")
        said = _check(form, told, line, other, said, sentence)
        read.append((form, told))
    (form, _), (_, also) = read
    unsigned = not _is_signed(worse, better, form, said, also)
    return _content(worse, better, read, said)._replace(unsigned=unsigned)


#: The forms of sentences without points whose worth can be counted.
_UNNAMED = ("wanted", "tempo", "passed", "pass", "ends", "answer")


def _is_signed(worse: Line, better: Line, form: str, said: Sequence[str], told: dict[str, str]) -> bool:
    """Return whether the described points are worth more than nothing to the mover, and at most the mistake's cost."""
    if not (worse.is_whole and better.is_whole) or form in _UNNAMED:
        return "back" not in told
    value, cost = worth(worse, better, said), worth(worse, better, worse.end.keys() | better.end.keys())
    if "back" not in told:
        return 0 < value <= cost
    names = _NAMES[told["gainer"]], told["after_which"]
    return value > cost > 0 and value - int(told["back"]) == cost and names == worse.steps[0][:2]


def _content(worse: Line, better: Line, read: list[tuple[str, dict[str, str]]], said: list[str]) -> Judgement:
    (form, told), (second, also) = read
    if form == "wanted":
        if worse.steps[1].move != better.steps[0].move:
            raise FalseReason(told["answer"])
        holds = bool(told["does"] or also.get("does"))
        return Judgement(explains=holds, whole=holds, counts=not holds)
    if form in ("owns", "middle", "tempo", "passed", "pass") or second in ("passed", "pass"):
        return Judgement(explains=True)
    taking = next(((which, part) for which, part in enumerate(read) if "what" in part[1]), None)
    if taking is None:
        return Judgement(counts=True)
    which, (_, capture) = taking
    line, other = (worse, better) if which == 0 else (better, worse)
    return _of_capture(line, other, capture, said, is_counted=second == "ends")


def _of_capture(line: Line, other: Line, told: dict[str, str], said: list[str], is_counted: bool) -> Judgement:
    step, at = _capture(line, told)
    colour = "XO"[step.mover == "X"]
    named = {*said, *_points(told.get("itself", ""))}
    if "both" in told:
        named |= {p for p in step.taken & line.old[colour] if other.falls(p, colour)}
    if "added" in told:
        named |= step.taken - line.old[colour]
    just = {line.steps[0].move} if "new stone" in told["what"] else set()
    both = sum(line.falls(point, colour) is not None and other.falls(point, colour) is not None for point in said)
    both += sum(other.takes(point, colour) for point in just)
    absent = len(set(said) - line.old[colour] - just)
    differs = bool(set(said) & (line.old[colour] | just)) and not both and not absent
    unnamed = len(step.taken - named)
    explains = differs and at <= NEAR and not is_counted
    whole = explains and at <= WHOLE and not unnamed
    return Judgement(explains, whole, differs and at > NEAR, not differs, unnamed, both, absent)


def _read(sentence: str, *, is_after_wanted: bool) -> tuple[str, dict[str, str]]:
    """Return a sentence's form and parts.

    is_after_wanted: whether the sentence before is about a point that both sides want; then "takes" means to play
    there.
    """
    forms = {name: form for name, form in _FORMS.items() if is_after_wanted is (name == "had")}
    found = [(name, match) for name, form in forms.items() if (match := re.fullmatch(form, sentence))]
    if len(found) != 1:
        raise FalseReason(sentence)
    name, match = found[0]
    return name, {key: value for key, value in match.groupdict().items() if value is not None}


def _capture(line: Line, told: dict[str, str]) -> tuple[Turn, int]:
    """Return the step that captures stones, and its number in the line, from 1."""
    mover = line.steps[0].mover
    taker = _NAMES[told["who"]] if "who" in told else mover
    at = int(told["ply"]) - line.ply if "ply" in told else 1 if taker == mover else 2
    step = line.steps[at - 1]
    if step.mover != taker or told.get("by", step.move) != step.move:
        raise FalseReason("another move takes stones")
    return step, at


def _points(text: str) -> list[str]:
    return re.findall(r"\d,\d", text)


def _check(form: str, told: dict[str, str], line: Line, other: Line, said: list[str], sentence: str) -> list[str]:
    """Return the stones of a sentence; raise FalseReason if it is false for its line."""
    first, mover = line.steps[0].move, line.steps[0].mover
    facts = [
        told.get("first", told.get("after", first)) == first,
        "answer" not in told or (line.steps[1].move, _NAMES[told["who"]] != mover) == (told["answer"], True),
        ("result" in told) == line.is_whole and told.get("result", _result(line)) == _result(line),
        "black" not in told or (int(told["black"]), int(told["white"])) == (_count(line, "X"), _count(line, "O")),
    ]
    stones = said
    if "what" in told:
        step, _ = _capture(line, told)
        colour = "XO"[step.mover == "X"]
        alone = {p for p in step.taken & line.old[colour] if not other.falls(p, colour)}
        stones = said if told["what"] in ("it", "them") else _named(told["what"], alone)
        older = {p for p in step.taken & line.old[colour] if other.falls(p, colour)}
        newer = step.taken - line.old[colour] - {first}
        both, added = _named(told.get("both", ""), older), _named(told.get("added", ""), newer)
        back = [point for point in step.taken if _retaken(step, point)]
        facts += [
            {*_named(told.get("kept", ""), alone)} == (alone - {*stones}),
            set(stones) | set(both) | set(added) <= step.taken,
            all(other.falls(point, colour) is not None for point in both),
            "too" not in told or told["too"] == other.steps[0].move,
            not set(added) & line.old[colour] or all(line.falls(p, colour) != _number(line, step) for p in added),
            bool(back and line.ply + _number(line, step) < _PLIES) == ("ko" in told),
            told.get("itself", first) == first,
            told.get("where", other.steps[0].move) == other.steps[0].move,
            "itself" not in told or first in step.taken,
            told["what"] != "it" or len(said) == 1,
            "new stone" not in told["what"] or stones == [line.steps[0].move],
        ]
        stones = sorted({*stones, *alone})
    if "cut" in told:
        facts.append(_cuts(line.steps[1], stones))
    if "stand" in told:
        colour = _NAMES[told["whose"]] if "whose" in told else mover
        lasting = {p for p in line.old[colour] if other.falls(p, colour) and not line.falls(p, colour)}
        stones = said if told["stand"] in ("it", "they") else _falling_together(told["stand"], lasting, other, colour)
        facts += [
            all(
                state.get(point) == colour for point in stones for state in [line.start, *(s.after for s in line.steps)]
            ),
            ("end" in told) == line.is_whole,
            told.get("until", str(line.ply + len(line.steps))) == str(line.ply + len(line.steps)),
        ]
    if form in ("wanted", "had"):
        facts += _effects(told, line.steps[form == "wanted"])
        facts.append(_NAMES[told.get("whose", told.get("who", ""))] == line.steps[form == "wanted"].mover)
    if "passes" in told:
        facts.append(line.steps[1].move == "PASS" and _NAMES[told["passes"]] != mover)
    if form == "no stone":
        facts.append(not line.takes(other.steps[0].move, mover))
    if form == "later":
        step = line.steps[int(told["at"]) - line.ply - 1]
        facts += [(step.mover, step.move) == (mover, told["later"]), not line.takes(told["later"], mover)]
    if "owns" in told:
        stones = said or _area(told["owns"], line, other)
        facts += [_owned(told["owns"], line, stones), "alike" not in told or _differing(line, other) == {*stones}]
    if "blacks" in told:
        stones = sorted(_NINE)
        held = ["".join(line.end.get(p, "") for p in stones).count(each) for each in "XO"]
        facts.append(held == [int(told["blacks"]), int(told["whites"])])
    if "eye" in told:
        facts.append(told["eye"] == first and {line.start.get(p) for p in _beside(first)} == {mover})
    if "tempo" in told:
        facts += _tempo(told["tempo"], line, other)
    if not all(facts):
        raise FalseReason(sentence)
    return stones


def _cuts(step: Turn, stones: Collection[str]) -> bool:
    """Return whether a move is next to a group with some of the stones, and next to another or one free point away."""
    other = "XO"[step.mover == "X"]
    near = set(_beside(step.move))
    reached = near.union(*(_beside(p) for p in near if p not in step.after))
    groups = [_group(step.after, p) for p in reached if step.after.get(p) == other]
    return any(near & group and group & {*stones} for group in groups) and any(
        not group & {*stones} for group in groups
    )


def _number(line: Line, step: Turn) -> int:
    return line.steps.index(step) + 1


def _retaken(step: Turn, point: str) -> bool:
    """Return whether a stone on a point would restore the board before the step."""
    try:
        return _played(step.after, "XO"[step.mover == "X"], point) == step.before
    except FalseReason:
        return False


def _effects(told: dict[str, str], step: Turn) -> Iterator[bool]:
    """Yield for each described effect whether the stone has it immediately."""
    for text in re.findall(_EFFECT, told.get("does", "")):
        verb, points = text.split()[0], set(_points(text))
        if many := re.search(rf"\d+ stones {_PLACE}", text):
            points = set(_named(many[0], _meant(verb, step)))
        yield _does(verb, points, step)


def _meant(verb: str, step: Turn) -> set[str]:
    """Return the stones that a text can refer to by their number and place."""
    near = [p for p in _beside(step.move) if p in step.before]
    if verb == "takes":
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
    if verb == "takes":
        return points == step.taken if points else step.move == "2,2"
    if verb == "saves":
        before, now = ([len(_liberties(board, group)) for group in held] for board, held in (
            (step.before, groups_before), (after, groups),
        ))  # fmt: skip
        return mine and set(before) == {1} and min(now) > 1
    if verb == "leaves":
        return theirs and points == set().union(*groups) and {len(_liberties(after, g)) for g in groups} == {1}
    if verb == "joins":
        return mine and points <= near and len(groups_before) == len(points) > len(groups) == 1
    if verb == "keeps":
        return theirs and points <= near and len(groups) == len(points) > 1
    return False


def _place(points: Collection[str]) -> str:
    """Return the place of points in words, by the means of their rows and columns.

    A mean counts as off the middle if it is half a line or more away.
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
    """Return the points that a text lists, or all points if it gives their number and place, otherwise []."""
    listed = _points(text)
    if listed or not text:
        return listed
    number, _, place = text.split(" ", 2)
    return sorted(points) if points and (len(points), _place(points)) == (int(number), place) else []


def _falling_together(text: str, lasting: set[str], other: Line, colour: str) -> list[str]:
    """Return the stones of a text that survive in one line, and are captured at the same ply of the other line."""
    sets = [{p for p in lasting if other.falls(p, colour) == ply} for ply in range(1, len(other.steps) + 1)]
    return next((found for each in sets if (found := _named(text, each))), [])


#: The centre and the points around it.
_NINE = {f"{row},{column}" for row in "123" for column in "123"}


def _differing(line: Line, other: Line) -> set[str]:
    return {p for p in line.end.keys() | other.end.keys() if line.end.get(p) != other.end.get(p)}


def _area(text: str, worse: Line, better: Line) -> list[str]:
    """Return the points of a text about the final boards: the listed points, or a group that changes as described."""
    if not re.search("points", text):
        return _points(text)
    gained = {p: "?" for p in _differing(worse, better) if worth(worse, better, [p]) > 0}
    areas = [_group(gained, p) for p in sorted(gained)]
    return next((sorted(each) for each in areas if _owned(text, worse, sorted(each))), [])


def _owned(text: str, line: Line, points: Collection[str]) -> bool:
    """Return whether points belong to the side of a text at the end, and no further points next to them do."""
    sides = {"Black": "X", "White": "O", "nothing": None}
    dated = [part.partition(" from ply ") for part in re.findall(_OWNS, text)]
    parts = [part for part, _, _ in dated]
    told = {part.split()[0]: part.split(" has ")[-1].split(" stands on ")[-1] for part in parts}
    for name, colour in sides.items():
        held = {p for p in points if line.end.get(p) == colour}
        if bool(held) != (name in told) or (held and {*_named(told[name], held)} != held):
            return False
    dates = [(sides[part.split()[0]], int(date.split()[0])) for part, _, date in dated if date]
    return bool(points) and all(_had_from(line, points, colour, ply) for colour, ply in dates)


def _had_from(line: Line, points: Collection[str], colour: str | None, ply: int) -> bool:
    """Return whether a colour has from a ply on all points that it has at the end, but not all of them before."""
    held = [p for p in points if line.end.get(p) == colour]
    states = [line.start, *(step.after for step in line.steps)]
    has = [all(state.get(p) == colour for p in held) for state in states]
    return not has[ply - line.ply - 1] and all(has[ply - line.ply :])


def worth(worse: Line, better: Line, points: Iterable[str]) -> int:
    """Return the worth of points to the side that errs.

    It is the number of its points less the other side's, at the end of the better line less at the end of the worse
    line.
    """
    mover = worse.steps[0].mover
    count = {mover: 1, None: 0}
    return sum(count.get(better.end.get(p), -1) - count.get(worse.end.get(p), -1) for p in points)


def _tempo(text: str, line: Line, other: Line) -> Iterator[bool]:
    for who, plies in re.findall(rf"({_WHO}) (?:never passes|passes at ply ([\d, and]+\d|\d))", text):
        yield [int(ply) for ply in re.findall(r"\d+", plies)] == line.passes(_NAMES[who])
    black, white = (len(line.passes(colour)) - len(other.passes(colour)) for colour in "XO")
    yield line.margin - other.margin == white - black


def _count(line: Line, colour: str) -> int:
    return list(line.end.values()).count(colour)


def _result(line: Line) -> str:
    margin = line.margin - _KOMI
    return f"{'B' if margin > 0 else 'W'}+{abs(margin):.1f}"


# Reasons by the hundred


class Told(NamedTuple):
    """A mistake with its reason: board and ply before it, both lines by name, both sentences, the reason's kind."""

    board: Board
    ply: int
    passed: bool
    worse: Sequence[str]
    better: Sequence[str]
    sentences: tuple[str, str]
    kind: str

    @property
    def lines(self) -> tuple[Line, Line]:
        """Both lines, played by the rules of this module."""
        worse, better = (Line(self.board, self.ply, moves, passed=self.passed) for moves in (self.worse, self.better))
        return worse, better

    @property
    def is_of_its_kind(self) -> bool:
        """Return whether the condition of its kind is true for the mistake, and false for the better move."""
        (worse, better), mover = self.lines, "XO"[self.ply % 2]
        other = "XO"[mover == "X"]
        bad, good = worse.steps[0], better.steps[0]
        near = {self.board.get(each) for each in _beside(bad.move)} if bad.move != "PASS" else set()
        more = {colour: len(worse.passes(colour)) - len(better.passes(colour)) for colour in "XO"}
        holds: dict[str, Callable[[], bool]] = {
            "passes": lambda: bad.move == "PASS" != good.move,
            "misses a capture": lambda: any(not worse.falls(p, other) for p in good.taken),
            "leaves stones in atari": lambda: any(
                p in worse.steps[1].taken and not better.falls(p, mover) for p in _in_atari(self.board, mover)
            ),
            "puts itself into atari": lambda: (
                _alone(bad) and _falls_at_once(worse) and (not _falls_at_once(better) or _loses(worse, better, mover))
            ),
            "fills its own eye": lambda: near == {mover},
            "misses a PASS": lambda: "PASS" in (good.move, better.steps[-1].move),
            "loses stones later": lambda: _loses(worse, better, mover),
            "lets stones live": lambda: _loses(better, worse, other),
            "leaves the centre": lambda: good.move == "2,2" != bad.move,
            "leaves groups apart": lambda: _joins(good) > 1 >= _joins(bad),
            "lets points change sides": lambda: bool(_differing(worse, better)),
            "misses a cut": lambda: bool(set(_beside(good.move)) & {p for p in good.after if good.after[p] == other}),
            "misses an atari": lambda: bool(_in_atari(good.after, other) - _in_atari(bad.after, other)),
            "runs out of moves": lambda: more[mover] > 0,
            "leaves the other side moves": lambda: more[other] < 0,
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


def _loses(line: Line, other: Line, colour: str) -> bool:
    """Return whether a line captures more stones of a colour than another, or stones that survive there."""
    counts = [sum(len(s.taken) for s in each.steps if s.mover != colour) for each in (line, other)]
    return (
        counts[0] > counts[1]
        or any(line.falls(p, colour) and not other.falls(p, colour) for p in line.old[colour])
        or any(s.move in later.taken for s in line.steps[:1] for later in line.steps if later.mover != colour)
    )


def table(mistakes: Iterable[Told]) -> list[str]:
    """Return the lines of a table with the numbers of reasons that explain, are whole, or have a fault, by ply."""
    found: dict[str, Counter[str]] = {name: Counter() for name in ("1 to 9", "10 to 15", "16 to 24", "all")}
    for told in mistakes:
        band = "1 to 9" if told.ply < 9 else "10 to 15" if told.ply < 15 else "16 to 24"
        try:
            counted = {name: int(bool(value)) for name, value in judged(*told.lines, told.sentences)._asdict().items()}
        except FalseReason:
            counted = {"false": 1}
        counted |= {"mistakes": 1, "kind": int(not told.is_of_its_kind)}
        for name in (band, "all"):
            found[name].update(counted)
    rows = [
        ("explain", "explains"), ("whole", "whole"), ("too far away", "far"), ("only count", "counts"),
        ("stones that fall are not named", "unnamed"), ("named stones fall in both lines", "both"),
        ("named stones were not there", "absent"), ("false", "false"), ("unsigned", "unsigned"),
        ("the kind's condition fails", "kind"),
    ]  # fmt: skip
    head = f"{'plies':<32}" + "".join(f"{name:>10}" for name in found)
    lines = [head, f"{'mistakes':<32}" + "".join(f"{each['mistakes']:>10}" for each in found.values())]
    for words, name in rows:
        shares = (f"{100 * each[name] / max(each['mistakes'], 1):.1f} %" for each in found.values())
        lines.append(f"{words:<32}" + "".join(f"{share:>10}" for share in shares))
    return lines
