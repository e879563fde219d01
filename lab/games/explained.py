"""Are reasons true, and do they explain? A reader with a board of its own plays both lines and checks each sentence.

It shares nothing with what writes the sentences: it has the rules once more, on points by name, and reads the English.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

#: A capture that comes after more plies is too far away to explain a move; a whole reason comes sooner.
NEAR, WHOLE = 8, 4

#: More points that end otherwise are no reason.
FEW_POINTS = 3

_SIZE = 5
_PLIES = 24
_KOMI = 2.5
_NAMES = {"Black": "X", "White": "O"}

Board = dict[str, str]

_MOVE = r"(?:\d,\d|PASS)"
_WHO = "(?:Black|White)"
_POINTS = r"(?:\d,\d(?:, \d,\d)*(?: and \d,\d)?)"
_MANY = rf"(?:{_POINTS}|\d+ stones \([\d, ]+ …\))"
_KO = rf"(?P<ko>, and {_WHO} may not take back at once)?"
_ALSO = (
    rf"(?: \(also (?:(?P<both>{_POINTS}), which falls? after (?P<too>{_MOVE}) too)?"
    rf"(?:; also )?(?:(?P<added>{_POINTS}), played after this)?\))?"
)
_TAKES = (
    rf"takes (?P<what>it|them|the new stone \d,\d|{_MANY})"
    rf"(?: at ply (?P<ply>\d+) with (?P<by>{_MOVE}))?{_ALSO}{_KO}"
)
_UNTIL = r"stands? (?:(?P<end>to the end)|(?:after|until) ply (?P<until>\d+)(?: at least)?)"
_RESULT = r"(?:: (?P<result>[BW]\+[\d.]+))?\."
_COUNT = r"with (?P<black>\d+) black and (?P<white>\d+) white stones"
_EFFECT = (
    rf"(?:takes {_POINTS}|saves {_POINTS}|leaves {_POINTS} (?:one liberty|two liberties)|joins {_POINTS}|"
    rf"keeps {_POINTS} apart|takes the centre|extends \d,\d)"
)
_WAITS = r"(?:; (?P<waits>\d,\d) can wait until ply (?P<waiting>\d+))?"
_OWNS = rf"{_WHO} has {_POINTS}|{_POINTS} (?:is|are) empty"
_PASSES = rf"{_WHO} (?:never passes|passes at ply [\d, and]+)"

_FORMS = {
    "lost": rf"(?P<who>{_WHO}) answers (?P<answer>{_MOVE}) and {_TAKES}{_RESULT}",
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
    rf"the point is (?P<whose>{_WHO})'s){_WAITS}{_RESULT}",
    "no stone": rf"After (?P<first>{_MOVE}) no stone is lost there{_RESULT}",
    "later": rf"After (?P<first>{_MOVE}) (?P<later>\d,\d) is played at ply (?P<at>\d+) and is not taken{_RESULT}",
    "owns": rf"After (?P<first>{_MOVE}) (?P<owns>(?:{_OWNS})(?:, and (?:{_OWNS}))*) at the end"
    rf"(?P<alike>, and all other points end alike)?(?:; (?P<rest>\d+) other points? ends? otherwise too)?{_RESULT}",
    "tempo": rf"After (?P<first>{_MOVE}) (?P<tempo>{_PASSES} and {_PASSES}){_RESULT}",
}


class FalseReason(AssertionError):
    """A sentence that is not true of its line, or that cannot be read; the message is the sentence."""


class Turn(NamedTuple):
    """A ply that was played: who, what, the board before and after it, and the stones that it took."""

    mover: str
    move: str
    before: Board
    after: Board
    taken: frozenset[str]


class Line:
    """A line of play by rules of our own.

    board: X and O by the name of their point. ply: plies played before it, the last one a PASS where ``passed`` says
    so. moves: their names.
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
        """Return after how many plies a stone that stood before the line falls; None where it never does."""
        if point not in self.old[colour]:
            return None
        return next((number for number, step in enumerate(self.steps, 1) if point in step.taken), None)

    def takes(self, point: str, colour: str) -> bool:
        """Tell whether a stone of a colour is taken on a point, whenever it was played."""
        return any(point in step.taken and step.before[point] == colour for step in self.steps)

    @property
    def margin(self) -> int:
        """Black's stones less White's in the end."""
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
    """What a reader finds in a true reason.

    explains: it names a difference that comes within NEAR plies, or that is seen whole at the end; whole: and all of it
    within WHOLE plies in both sentences. far: a true difference, but later. counts: only counts, or names the answer.
    unnamed: stones that fall in the capture that is told, and are not named. both: stones told of as the difference
    that fall in both lines. absent: stones told of as the difference that were not on the board.
    """

    explains: bool = False
    whole: bool = False
    far: bool = False
    counts: bool = False
    unnamed: int = 0
    both: int = 0
    absent: int = 0


def judged(worse: Line, better: Line, sentences: tuple[str, str]) -> Judgement:
    """Check both sentences on the board, and say what they are worth to a reader.

    Raises FalseReason where one of them is false.
    """
    said: list[str] = []
    read: list[tuple[str, dict[str, str]]] = []
    for sentence, line, other in zip(sentences, (worse, better), (better, worse), strict=True):
        form, told = _read(sentence, is_after_wanted=bool(read) and read[0][0] == "wanted")
        said = _check(form, told, line, other, said, sentence)
        read.append((form, told))
    (form, told), (second, also) = read
    if form == "wanted":
        if worse.steps[1].move != better.steps[0].move:
            raise FalseReason(sentences[0])
        holds = bool(told["does"] or also.get("does") or also.get("waits"))
        return Judgement(explains=holds, whole=holds, counts=not holds)
    if form == "owns":
        listed = len(set(re.findall(r"\d,\d", told["owns"])))
        return Judgement(explains="alike" in also and listed <= FEW_POINTS, far="alike" not in also)
    if form in ("passed", "pass") or second in ("passed", "pass"):
        return Judgement(explains=True)
    if form == "tempo":
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
    named = {*said, *_points(told.get("both", "")), *_points(told.get("added", ""))}
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
    """Return which form a sentence has, and its parts; "takes" is what a point does after one that both sides want."""
    forms = {name: form for name, form in _FORMS.items() if is_after_wanted is (name == "had")}
    found = [(name, match) for name, form in forms.items() if (match := re.fullmatch(form, sentence))]
    if len(found) != 1:
        raise FalseReason(sentence)
    name, match = found[0]
    return name, {key: value for key, value in match.groupdict().items() if value is not None}


def _capture(line: Line, told: dict[str, str]) -> tuple[Turn, int]:
    """Return the step that takes stones, and after how many plies it comes, from 1."""
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
    """Raise FalseReason unless a sentence is true of its line; return the stones that it tells of."""
    first, mover = line.steps[0].move, line.steps[0].mover
    facts = [
        told.get("first", told.get("after", first)) == first,
        "answer" not in told or (line.steps[1].move, _NAMES[told["who"]] != mover) == (told["answer"], True),
        ("result" in told) == line.is_whole and told.get("result", _result(line)) == _result(line),
        "black" not in told or (int(told["black"]), int(told["white"])) == (_count(line, "X"), _count(line, "O")),
    ]
    stones = said
    if "what" in told:
        stones = said if told["what"] in ("it", "them") else _points(told["what"])
        step, _ = _capture(line, told)
        colour = "XO"[step.mover == "X"]
        both, added = _points(told.get("both", "")), _points(told.get("added", ""))
        back = [point for point in step.taken if _retaken(step, point)]
        facts += [
            set(stones) | set(both) | set(added) <= step.taken,
            all(other.falls(point, colour) is not None for point in both),
            "too" not in told or told["too"] == other.steps[0].move,
            not set(added) & line.old[colour] or all(line.falls(p, colour) != _number(line, step) for p in added),
            bool(back) == ("ko" in told),
            told["what"] != "it" or len(said) == 1,
            "new stone" not in told["what"] or stones == [line.steps[0].move],
        ]
    if "stand" in told:
        stones = _points(told["stand"]) or said
        colour = _NAMES[told["whose"]] if "whose" in told else mover
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
        if "waits" in told:
            step = line.steps[int(told["waiting"]) - line.ply - 1]
            facts.append((step.mover, step.move) == (mover, told["waits"]) and told["waits"] == other.steps[0].move)
    if "passes" in told:
        facts.append(line.steps[1].move == "PASS" and _NAMES[told["passes"]] != mover)
    if form == "no stone":
        facts.append(not line.takes(other.steps[0].move, mover))
    if form == "later":
        step = line.steps[int(told["at"]) - line.ply - 1]
        facts += [(step.mover, step.move) == (mover, told["later"]), not line.takes(told["later"], mover)]
    if "owns" in told:
        facts += _ownership(told, line, other)
    if "tempo" in told:
        facts += _tempo(told["tempo"], line, other)
    if not all(facts):
        raise FalseReason(sentence)
    return stones


def _number(line: Line, step: Turn) -> int:
    return line.steps.index(step) + 1


def _retaken(step: Turn, point: str) -> bool:
    """Tell whether playing on a point would make the board again that stood before the step."""
    try:
        return _played(step.after, "XO"[step.mover == "X"], point) == step.before
    except FalseReason:
        return False


def _effects(told: dict[str, str], step: Turn) -> Iterator[bool]:
    """Yield whether a stone does at once what is told of it, for each thing that is told."""
    for text in re.findall(_EFFECT, told.get("does", "")):
        yield _does(text.split()[0], "two" in text, set(_points(text)), step)


def _does(verb: str, is_two: bool, points: set[str], step: Turn) -> bool:
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
        return theirs and points == set().union(*groups) and {len(_liberties(after, g)) for g in groups} == {1 + is_two}
    if verb == "joins":
        return mine and points <= near and len(groups_before) == len(points) > len(groups) == 1
    if verb == "keeps":
        return theirs and points <= near and len(groups) == len(points) > 1
    return mine and points <= near and verb == "extends"


def _ownership(told: dict[str, str], line: Line, other: Line) -> Iterator[bool]:
    names = {"X": "Black", "O": "White", None: "empty"}
    for text in re.findall(_OWNS, told["owns"]):
        for point in _points(text):
            yield names[line.end.get(point)] in text
            yield line.end.get(point) != other.end.get(point)
    listed = set(_points(told["owns"]))
    differing = {p for p in line.end.keys() | other.end.keys() if line.end.get(p) != other.end.get(p)}
    yield "alike" not in told or differing == listed
    yield "rest" not in told or len(differing - listed) == int(told["rest"])


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
    """A mistake with its reason and its kind: board and ply before it, both lines by name, both sentences, the kind."""

    board: Board
    ply: int
    passed: bool
    worse: Sequence[str]
    better: Sequence[str]
    sentences: tuple[str, str]
    kind: str

    @property
    def lines(self) -> tuple[Line, Line]:
        """Both lines, played by our rules."""
        worse, better = (Line(self.board, self.ply, moves, passed=self.passed) for moves in (self.worse, self.better))
        return worse, better

    @property
    def is_of_its_kind(self) -> bool:
        """Whether the condition of its kind holds: the mistake is so, and the better move is not."""
        (worse, better), mover = self.lines, "XO"[self.ply % 2]
        other = "XO"[mover == "X"]
        bad, good = worse.steps[0], better.steps[0]
        atari = _in_atari(self.board, mover)
        saved = atari - (_in_atari(good.after, mover) | good.taken)
        near = {self.board.get(each) for each in _beside(bad.move)} if bad.move != "PASS" else set()
        more = {colour: len(worse.passes(colour)) - len(better.passes(colour)) for colour in "XO"}
        holds: dict[str, Callable[[], bool]] = {
            "passes": lambda: bad.move == "PASS" != good.move,
            "misses a capture": lambda: len(good.taken) > len(bad.taken),
            "leaves stones in atari": lambda: bool(saved & _in_atari(bad.after, mover)),
            "puts itself into atari": lambda: _alone(bad) and not _alone(good),
            "fills its own eye": lambda: near == {mover},
            "misses a PASS": lambda: "PASS" in (good.move, better.steps[-1].move),
            "loses stones later": lambda: _loses(worse, better, mover),
            "lets stones live": lambda: _loses(better, worse, other),
            "leaves the centre": lambda: good.move == "2,2" != bad.move,
            "leaves groups apart": lambda: _joins(good) > 1 >= _joins(bad),
            "leaves a point that both want": lambda: worse.steps[1].move == good.move,
            "runs out of moves": lambda: more[mover] > 0,
            "leaves the other side moves": lambda: more[other] < 0,
            "other": lambda: True,
        }
        return holds[self.kind]()


def _in_atari(board: Board, colour: str) -> set[str]:
    return {p for p in board if board[p] == colour and len(_liberties(board, _group(board, p))) == 1}


def _alone(step: Turn) -> bool:
    """Tell whether the stone just played is in atari."""
    return step.move != "PASS" and len(_liberties(step.after, _group(step.after, step.move))) == 1


def _joins(step: Turn) -> int:
    """Count the groups that a stone joins."""
    near = [p for p in _beside(step.move) if step.before.get(p) == step.mover] if step.move != "PASS" else []
    return len({frozenset(_group(step.before, p)) for p in near})


def _loses(line: Line, other: Line, colour: str) -> bool:
    """Tell whether a line takes more stones of a colour than another, or some that live there."""
    counts = [sum(len(s.taken) for s in each.steps if s.mover != colour) for each in (line, other)]
    return (
        counts[0] > counts[1]
        or any(line.falls(p, colour) and not other.falls(p, colour) for p in line.old[colour])
        or any(s.move in later.taken for s in line.steps[:1] for later in line.steps if later.mover != colour)
    )


def table(mistakes: Iterable[Told]) -> list[str]:
    """Return the lines of a table: how many reasons explain, are whole, and have each fault, by ply."""
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
        ("named stones were not there", "absent"), ("false", "false"), ("the kind's condition fails", "kind"),
    ]  # fmt: skip
    head = f"{'plies':<32}" + "".join(f"{name:>10}" for name in found)
    lines = [head, f"{'mistakes':<32}" + "".join(f"{each['mistakes']:>10}" for each in found.values())]
    for words, name in rows:
        shares = (f"{100 * each[name] / max(each['mistakes'], 1):.1f} %" for each in found.values())
        lines.append(f"{words:<32}" + "".join(f"{share:>10}" for share in shares))
    return lines
