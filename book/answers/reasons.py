"""Why a move is worse than another: two sentences, by rule, about the two lines of play that follow.

Nothing is judged. A sentence tells what happens on the board in the lines that it is made from, so anybody can play
them through and check it. The page says the same, by explorer/page/reasons.js.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import islice, pairwise
from typing import NamedTuple

from solver.bounds import score_text
from solver.colours import COLOURS
from solver.family import Variant
from solver.position import CENTRE, FULL, GAME_PLIES, PASS, Position, groups_of, move_name, neighbours, points_of

#: What a reason is about: stones fall, stones of the opponent's stay, a PASS ends the game, both sides want a point,
#: the stone just played falls, one side passes more often, points end otherwise; or the lines are too short to tell.
THEMES = CAPTURE, MISSED, ENDS, POINT, ADDED, TEMPO, AREA, ANSWER = (
    *("capture", "missed capture", "pass", "point", "added stone", "tempo", "area", "answer"),
)

#: A capture so many plies after the move comes before everything else, and one after more plies than ``_NEAR`` comes
#: after what can be told otherwise.
_AT_ONCE, _NEAR = 4, 8

#: No more points that end otherwise are listed whole.
_FEW = 3

#: No more is told of what a point does.
_EFFECTS = 2


class Reason(NamedTuple):
    """Why a move is worse: one of THEMES, what comes of the move, and what of the better one."""

    theme: str
    worse: str
    better: str

    @property
    def text(self) -> str:
        """Both sentences."""
        return f"{self.worse} {self.better}"


class _Capture(NamedTuple):
    """A move of a line that takes stones: its index in the line, and the mask of the stones.

    old: those that stood before the line began.
    """

    at: int
    stones: int
    old: int


class _Line:
    """A line of play in a game, and what happens in it."""

    def __init__(self, start: Position, moves: Sequence[int], game: Variant) -> None:
        self.moves, self.game = tuple(moves), game
        self.positions = [start]
        for move in moves:
            self.positions.append(self.positions[-1].play(move))
        self.start, self.end, self.mover = start, self.positions[-1], start.mover
        self.first = move_name(moves[0])
        if len(moves) < 2 and not self.end.is_over:
            raise ValueError("a line has two moves at least, or goes to the end of the game")

    def captures(self, colour: int) -> Iterator[_Capture]:
        """Yield the captures of stones of a colour."""
        old = _stones(self.start, colour)
        for at, (before, after) in enumerate(pairwise(self.positions)):
            fallen = _stones(before, colour) & ~_stones(after, colour)
            if fallen:
                yield _Capture(at, fallen, fallen & old)
            old &= ~fallen

    def kept(self, colour: int) -> int:
        """Return the stones of a colour that stand from the beginning to the end of the line."""
        return _stones(self.start, colour) & ~sum(capture.old for capture in self.captures(colour))

    def ply(self, at: int) -> int:
        """Return the ply of the move with this index."""
        return self.start.ply - self.game.first_ply + at + 1

    def plays(self, colour: int) -> list[tuple[int, int]]:
        """Return the index and the move of each ply of a colour."""
        return [(at, move) for at, move in enumerate(self.moves) if self.positions[at].mover == colour]

    def passes(self, colour: int) -> list[int]:
        """Return the plies at which a colour passes."""
        return [self.ply(at) for at, move in self.plays(colour) if move == PASS]

    @property
    def ends_by_a_pass(self) -> bool:
        """Whether the first move or the answer to it is a PASS that ends the game before the last ply."""
        return self.end.is_over and len(self.moves) <= 2 and self.start.ply + len(self.moves) < GAME_PLIES

    def tell(self, text: str) -> str:
        """Make a sentence of the text, with the game's result where the line goes to the end."""
        return f"{text}: {score_text(self.end.margin, self.game.komi)}." if self.end.is_over else f"{text}."

    def ending(self) -> str:
        """Tell of how many stones there are where a PASS ends the game, or else of the answer."""
        if not self.end.is_over:
            return f"After {self.first} {self.answer}"
        stones = f"{self.end.black.bit_count()} black and {self.end.white.bit_count()} white stones"
        if not self.ends_by_a_pass:
            return f"After {self.first} the game ends with {stones}"
        return (
            f"After {self.first} {COLOURS[3 - self.mover]}'s PASS ends the game with {stones}"
            if len(self.moves) > 1
            else f"PASS ends the game with {stones}"
        )

    @property
    def answer(self) -> str:
        """Tell of the answer to the first move."""
        return f"{COLOURS[3 - self.mover]} answers {move_name(self.moves[1])}"

    def taking(self, capture: _Capture, what: str, told: int, other: "_Line") -> str:
        """Tell of a capture: "takes 0,1 at ply 9 with 1,1 (also 0,0, which falls after 2,2 too)".

        what: the words for the stones that are told of. The move and the ply are left out where the words before show
        them. other: the line that the capture is not in.
        """
        text = f"takes {what}"
        if capture.at > 1:
            text += f" at ply {self.ply(capture.at)} with {move_name(self.moves[capture.at])}"
        also = [
            f"{_names(stones)}, {fall}"
            for stones, fall in (
                (capture.old & ~told, f"which {_them(capture.old & ~told, 'fall', 'falls')} after {other.first} too"),
                (capture.stones & ~capture.old & ~told, "played after this"),
            )
            if stones
        ]
        if also:
            text += f" (also {'; also '.join(also)})"
        if self.positions[capture.at + 1].ko is not None:
            text += f", and {COLOURS[self.positions[capture.at + 1].mover]} may not take back at once"
        return text

    def standing(self, stones: int, what: str) -> str:
        """Tell that stones stand as far as the line goes."""
        until = "to the end" if self.end.is_over else f"until ply {self.ply(len(self.moves) - 1)} at least"
        return f"{what} {_them(stones, 'stand', 'stands')} {until}"


def reason(position: Position, worse: Sequence[int], better: Sequence[int], game: Variant) -> Reason:
    """Say why the first move of one line is worse than that of another, by what comes of both.

    worse, better: best play from the two moves on; the further they go, the more can be told. game: theirs.
    Raises IllegalMove; ValueError for a line without an answer.

    >>> from solver import START, parse_moves, play_all
    >>> position = play_all(START, parse_moves("0,1 0,0 2,2 4,4"))
    >>> print(reason(position, parse_moves("3,3 1,0"), parse_moves("1,0 3,4"), Variant(24, 2.5)).text)
    After 3,3 White's 0,0 stands until ply 6 at least. 1,0 takes it.
    """
    bad, good = _Line(position, worse, game), _Line(position, better, game)
    if bad.ends_by_a_pass or good.ends_by_a_pass:
        return Reason(ENDS, bad.tell(bad.ending()), good.tell(good.ending()))
    found = next(filter(None, (rule(bad, good) for rule in _RULES)), None)
    theme, first, second = found or (ANSWER, bad.ending(), good.ending())
    return Reason(theme, bad.tell(first), good.tell(second))


#: What a rule returns: the theme and both sentences, without the results.
_Told = tuple[str, str, str]


# Stones that fall in one of the lines alone


def _falling(bad: _Line, good: _Line, plies: int) -> _Told | None:
    """Tell of the earliest capture within so many plies that is in one of the lines alone."""
    tellers = (
        (_lost(bad, good, bad.mover), _stones_lost),
        (_lost(good, bad, 3 - bad.mover), _stones_left),
        (_played(bad, good), _stone_added),
    )
    earliest = [(*fate, tell) for fates, tell in tellers for fate in islice(fates, 1)]
    capture, stones, tell = min(earliest, key=lambda each: each[0].at, default=(None, 0, None))
    return None if capture is None or tell is None or capture.at >= plies else tell(bad, good, capture, stones)


def _lost(falls: _Line, stays: _Line, colour: int) -> Iterator[tuple[_Capture, int]]:
    """Yield captures of stones that stood before both lines and fall in the first line alone, and these stones."""
    kept = stays.kept(colour)
    return ((capture, capture.old & kept) for capture in falls.captures(colour) if capture.old & kept)


def _played(bad: _Line, good: _Line) -> Iterator[tuple[_Capture, int]]:
    """Yield the capture of the stone just played, where it comes in the worse line alone."""
    stone = _point(bad.moves[0])
    if not any(capture.stones & stone for capture in good.captures(bad.mover)):
        yield from ((capture, stone) for capture in bad.captures(bad.mover) if capture.stones & stone)


def _stones_lost(bad: _Line, good: _Line, capture: _Capture, stones: int) -> _Told:
    worse = f"{bad.answer} and {bad.taking(capture, _names(stones), stones, good)}"
    return CAPTURE, worse, f"After {good.first} {good.standing(stones, _them(stones, 'they', 'it'))}"


def _stones_left(bad: _Line, good: _Line, capture: _Capture, stones: int) -> _Told:
    named = f"{COLOURS[3 - bad.mover]}'s {_names(stones)}"
    by = f"After {good.first} {COLOURS[bad.mover]}" if capture.at else good.first
    better = f"{by} {good.taking(capture, _them(stones, 'them', 'it'), stones, bad)}"
    return MISSED, f"After {bad.first} {bad.standing(stones, named)}", better


def _stone_added(bad: _Line, good: _Line, capture: _Capture, stone: int) -> _Told:
    worse = f"{bad.answer} and {bad.taking(capture, f'the new stone {bad.first}', stone, good)}"
    later = next((good.ply(at) for at, move in good.plays(bad.mover) if move == bad.moves[0]), None)
    better = "no stone is lost there" if later is None else f"{bad.first} is played at ply {later} and is not taken"
    return ADDED, worse, f"After {good.first} {better}"


# A point that both sides want


def _wanted(bad: _Line, good: _Line, *, bare: bool) -> _Told | None:
    """Tell of a point that is the best move, and the best answer to the move that was played instead.

    bare: where nothing can be told of what it does, and of when the move that was played is needed; else where it can.
    """
    point = good.moves[0]
    if point == PASS or bad.moves[1:2] != (point,):
        return None
    name, mover, other = good.first, COLOURS[bad.mover], COLOURS[3 - bad.mover]
    effects = [effects_of(position, point) for position in (bad.positions[1], good.start)]
    later = next((good.ply(at) for at, move in good.plays(bad.mover) if move == bad.moves[0] != PASS), None)
    if bare is bool(any(effects) or later is not None):
        return None
    worse = f"{other} plays {name}, the point that both sides want{''.join(f', and {each}' for each in effects[0])}"
    does = f"{mover} {' and '.join(effects[1])}" if effects[1] else f"the point is {mover}'s"
    better = f"After {name} {does}"
    return POINT, worse, better + ("" if later is None else f"; {bad.first} can wait until ply {later}")


def effects_of(position: Position, point: int) -> list[str]:
    """Tell what a stone does at once, the most urgent first: "takes 0,1", "joins 1,1 and 1,3"; often nothing.

    >>> from solver import START
    >>> effects_of(START, 12)
    ['takes the centre']
    """
    after, mover = position.play(point), position.mover
    mine, theirs = _stones(position, mover), _stones(after, 3 - mover)
    near = neighbours(_point(point))
    own = [group for group in groups_of(mine) if group & near]
    others = [group for group in groups_of(theirs) if group & near]
    taken = _stones(position, 3 - mover) & ~theirs
    saved = sum(group for group in own if _liberties(position, group) == 1 < _liberties(after, group | _point(point)))
    atari, short = (sum(group for group in others if _liberties(after, group) == count) for count in (1, 2))
    found = [
        ("takes {}", taken),
        ("saves {}", saved),
        ("leaves {} one liberty", atari),
        ("joins {}", _of_each(own, near) if len(own) > 1 else 0),
        ("keeps {} apart", _of_each(others, near) if len(others) > 1 else 0),
        ("takes the centre", _point(point) if point == CENTRE else 0),
        ("leaves {} two liberties", short),
        ("extends {}", _of_each(own, near) if len(own) == 1 else 0),
    ]
    return [text.format(_names(stones)) for text, stones in found if stones][:_EFFECTS]


def _of_each(groups: Sequence[int], near: int) -> int:
    """Return the first stone beside a point of each of some groups."""
    return sum((group & near) & -(group & near) for group in groups)


# What differs at the end


def _few_points(bad: _Line, good: _Line) -> _Told | None:
    """Tell of the points that end otherwise, where they are few."""
    differing = _differing(bad, good)
    if not 0 < differing.bit_count() <= _FEW:
        return None
    worse, better = (f"After {line.first} {_owners(line.end, differing)} at the end" for line in (bad, good))
    return AREA, worse, f"{better}, and all other points end alike"


def _tempo(bad: _Line, good: _Line) -> _Told | None:
    """Tell of who passes when, where the whole difference is that."""
    if not (bad.end.is_over and good.end.is_over):
        return None
    sign = 1 if bad.mover == 1 else -1
    own, other = (len(bad.passes(colour)) - len(good.passes(colour)) for colour in (bad.mover, 3 - bad.mover))
    if len(bad.moves) != len(good.moves) or own - other != sign * (good.end.margin - bad.end.margin):
        return None
    worse, better = (f"After {line.first} {_passing(line)}" for line in (bad, good))
    return TEMPO, worse, better


def _passing(line: _Line) -> str:
    parts = []
    for colour in (line.mover, 3 - line.mover):
        plies = line.passes(colour)
        parts.append(
            f"{COLOURS[colour]} {'never passes' if not plies else f'passes at ply {_listed(map(str, plies))}'}"
        )
    return " and ".join(parts)


def _changing(bad: _Line, good: _Line) -> _Told | None:
    """Tell of the largest group of points that end otherwise."""
    differing = _differing(bad, good)
    if not differing:
        return None
    black, white = bad.end.black & good.end.white, bad.end.white & good.end.black
    hands = [group for side in (black, white) for group in groups_of(side)] or list(groups_of(differing))
    largest = max(hands, key=lambda group: (group.bit_count(), -group))
    worse, better = (f"After {line.first} {_owners(line.end, largest)} at the end" for line in (bad, good))
    rest = differing.bit_count() - largest.bit_count()
    return (
        AREA,
        worse,
        better + (f"; {rest} other point{'s end' if rest > 1 else ' ends'} otherwise too" if rest else ""),
    )


def _differing(bad: _Line, good: _Line) -> int:
    """Return the points that end otherwise; none where a line does not go to the end."""
    if not (bad.end.is_over and good.end.is_over):
        return 0
    return (bad.end.black ^ good.end.black) | (bad.end.white ^ good.end.white)


def _owners(end: Position, points: int) -> str:
    """Tell whose points are: "Black has 0,1, and 0,2 and 0,3 are empty"."""
    empty = points & ~(end.black | end.white)
    parts = [f"{COLOURS[colour]} has {_names(held)}" for colour in COLOURS if (held := points & _stones(end, colour))]
    return ", and ".join(parts + ([f"{_names(empty)} {_them(empty, 'are', 'is')} empty"] if empty else []))


#: The rules, the first that finds something counts.
_RULES: tuple[Callable[[_Line, _Line], _Told | None], ...] = (
    partial(_falling, plies=_AT_ONCE),
    partial(_wanted, bare=False),
    partial(_falling, plies=_NEAR),
    _few_points,
    _tempo,
    partial(_falling, plies=GAME_PLIES),
    partial(_wanted, bare=True),
    _changing,
)


def _stones(position: Position, colour: int) -> int:
    return position.black if colour == 1 else position.white


def _point(move: int) -> int:
    """Return the mask of a move's point; 0 for PASS."""
    return 0 if move == PASS else 1 << move


def _liberties(position: Position, group: int) -> int:
    return (neighbours(group) & FULL & ~(position.black | position.white)).bit_count()


def _them(stones: int, many: str, one: str) -> str:
    return many if stones & (stones - 1) else one


def _names(stones: int) -> str:
    """Name stones, all of them.

    >>> _names(0b1), _names(0b111)
    ('0,0', '0,0, 0,1 and 0,2')
    """
    return _listed(map(move_name, points_of(stones)))


def _listed(names: Iterable[str]) -> str:
    *most, last = names
    return f"{', '.join(most)} and {last}" if most else last
