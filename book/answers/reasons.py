"""Why a move is worse than another: two sentences, by rule, about the two lines of play that follow.

Nothing is judged. A sentence tells what happens on the board in the lines that it is made from, so anybody can play
them through and check it. The page says the same, by explorer/page/reasons.js.
"""

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import pairwise
from typing import NamedTuple

from solver.bounds import COLOURS, score_text
from solver.family import Variant
from solver.position import CENTRE, FULL, GAME_PLIES, PASS, Position, groups_of, move_name, neighbours, points_of

#: What a reason is about: stones fall, stones of the opponent's stay, a PASS ends the game, both sides want a point,
#: the stone just played falls, one side passes more often, points end otherwise; or the lines are too short to tell.
THEMES = CAPTURE, MISSED, ENDS, POINT, ADDED, TEMPO, AREA, CENTRAL, ANSWER = (
    *("capture", "missed capture", "pass", "point", "added stone", "tempo", "area", "centre", "answer"),
)

#: What a player can learn to look for: the event that a reason tells of, as a verb without its subject.
KINDS = (
    PASSES := "passes",
    *("misses a capture", "leaves stones in atari", "puts itself into atari", "fills its own eye"),
    *("misses a PASS", "loses stones later", "lets stones live", "leaves the centre", "lets points change sides"),
    *("leaves groups apart", "misses a cut", "misses an atari", "runs out of moves", "leaves the other side moves"),
    OTHER := "other",
)

#: A capture within ``_NEAR`` plies comes before everything else, and one within ``_LATER`` before a large area.
_NEAR, _LATER = 8, 12

#: No more points that end otherwise are a small area, and no more stones or points are listed.
_FEW, _LISTED = 4, 5

#: The points around the centre, and it.
_MIDDLE = sum(1 << (5 * row + column) for row in (1, 2, 3) for column in (1, 2, 3))

#: No more is told of what a point does.
_EFFECTS = 2


class Reason(NamedTuple):
    """Why a move is worse: one of THEMES, what comes of the move, what of the better one, and one of KINDS."""

    theme: str
    worse: str
    better: str
    kind: str = OTHER

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
        new = capture.stones & ~capture.old & ~told
        itself = new & _point(self.moves[0])
        both, kept = capture.old & ~told, capture.old & ~told & other.kept(self.positions[capture.at].mover ^ 3)
        also = [
            f"{_names(stones)}, {fall}"
            for stones, fall in (
                (both & ~kept, f"which {_them(both & ~kept, 'fall', 'falls')} after {other.first} too"),
                (kept, f"which {_them(kept, 'stand', 'stands')} after {other.first}"),
                (itself, "the stone just played"),
                (new & ~itself, "played later"),
            )
            if stones
        ]
        if also:
            text += f" (also {'; also '.join(also)})"
        if self.positions[capture.at + 1].ko is not None and not self.positions[capture.at + 1].is_over:
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
        kind = PASSES if worse[0] == PASS else "misses a PASS" if good.ends_by_a_pass else OTHER
        return Reason(ENDS, bad.tell(bad.ending()), good.tell(good.ending()), kind)
    found = next(filter(None, (rule(bad, good) for rule in _RULES)), None)
    theme, first, second, kind = found or (ANSWER, bad.ending(), good.ending(), OTHER)
    return Reason(theme, bad.tell(first), good.tell(second), PASSES if worse[0] == PASS else kind)


#: What a rule returns: the theme, both sentences without the results, and the kind.
_Told = tuple[str, str, str, str]


def _worth(bad: _Line, good: _Line, points: int) -> int:
    """Return what points are worth to the mover: its own less the other side's at the end, better line less worse."""
    sides = [
        (_stones(line.end, line.mover) & points).bit_count() - (_stones(line.end, 3 - line.mover) & points).bit_count()
        for line in (good, bad)
    ]
    return sides[0] - sides[1]


def _are_whole(bad: _Line, good: _Line) -> bool:
    return bad.end.is_over and good.end.is_over


def _elsewhere(bad: _Line, good: _Line, points: int) -> str:
    """Tell what the mistake brings elsewhere, where the points told of are worth more than it costs; often nothing."""
    more = _worth(bad, good, points & FULL) - _worth(bad, good, FULL) if _are_whole(bad, good) else 0
    if more <= 0:
        return ""
    return f"; elsewhere {COLOURS[bad.mover]} has {more} point{'s' if more > 1 else ''} more after {bad.first}"


def _eye(bad: _Line, good: _Line) -> str:
    """Tell that the mistake fills an eye of its own side, and the better move none; often nothing."""
    filled = [
        line.moves[0] != PASS and not neighbours(_point(line.moves[0])) & FULL & ~_stones(line.start, line.mover)
        for line in (bad, good)
    ]
    return f"; {bad.first} fills an own eye" if filled == [True, False] else ""


# Stones that fall in one of the lines alone


def _falling(bad: _Line, good: _Line, plies: int) -> _Told | None:
    """Tell of stones that fall within so many plies in one line alone, and are worth something to the mover.

    Of several those that are worth the most, up to the cost; of these the earliest.
    """
    tellers = (
        (_lost(bad, good, bad.mover), _stones_lost),
        (_lost(good, bad, 3 - bad.mover), _stones_left),
        (_played(bad, good), _stone_added),
    )
    whole, cost = _are_whole(bad, good), _worth(bad, good, FULL)
    best = None
    for fates, tell in tellers:
        for capture, stones in fates:
            worth = _worth(bad, good, stones) if whole else stones.bit_count()
            if capture.at < plies and worth > 0:
                rank = (capture.at > 1, -min(worth, cost) if whole else 0, capture.at)
                if best is None or rank < best[0]:
                    best = rank, capture, stones, tell
    if best is None:
        return None
    _, capture, stones, tell = best
    return tell(bad, good, capture, stones)


def _lost(falls: _Line, stays: _Line, colour: int) -> Iterator[tuple[_Capture, int]]:
    """Yield captures of stones that stood before both lines and fall in the first line alone, and these stones."""
    kept = stays.kept(colour)
    return ((capture, capture.old & kept) for capture in falls.captures(colour) if capture.old & kept)


def _played(bad: _Line, good: _Line) -> Iterator[tuple[_Capture, int]]:
    """Yield the capture of the stone just played, where it comes in one line alone, with what falls so too."""
    stone = _point(bad.moves[0])
    if not any(capture.stones & stone for capture in good.captures(bad.mover)):
        yield from [
            (capture, stone | (capture.old & good.kept(bad.mover)))
            for capture in bad.captures(bad.mover)
            if capture.stones & stone
        ][:1]


def _stones_lost(bad: _Line, good: _Line, capture: _Capture, stones: int) -> _Told:
    eye = _eye(bad, good)
    cut = f" to cut {_them(stones, 'them', 'it')} off" if _cuts(bad, stones) and capture.at > 1 else ""
    worse = f"{bad.answer}{cut} and {bad.taking(capture, _names(stones), stones, good)}{eye}"
    if eye:
        kind = "fills its own eye"
    elif capture.at > 1:
        kind = "loses stones later"
    else:
        new = _point(bad.moves[0])
        group = next((each for each in groups_of(_stones(bad.positions[1], bad.mover)) if each & new), 0)
        kind = "puts itself into atari" if group & stones else "leaves stones in atari"
    better = f"After {good.first} {good.standing(stones, _them(stones, 'they', 'it'))}{_elsewhere(bad, good, stones)}"
    return CAPTURE, worse, better, kind


def _cuts(bad: _Line, stones: int) -> bool:
    """Tell whether the answer keeps stones apart from other stones of theirs."""
    near = neighbours(_point(bad.moves[1]))
    groups = [group for group in groups_of(_stones(bad.positions[2], bad.mover)) if group & near]
    return any(group & stones for group in groups) and any(not group & stones for group in groups)


def _stones_left(bad: _Line, good: _Line, capture: _Capture, stones: int) -> _Told:
    eye = _eye(bad, good)
    named = f"{COLOURS[3 - bad.mover]}'s {_names(stones)}"
    by = f"After {good.first} {COLOURS[bad.mover]}" if capture.at else good.first
    better = f"{by} {good.taking(capture, _them(stones, 'them', 'it'), stones, bad)}{_elsewhere(bad, good, stones)}"
    kind = "fills its own eye" if eye else "lets stones live" if capture.at else "misses a capture"
    return MISSED, f"After {bad.first} {bad.standing(stones, named)}{eye}", better, kind


def _stone_added(bad: _Line, good: _Line, capture: _Capture, stones: int) -> _Told:
    worse = f"{bad.answer} and {bad.taking(capture, f'the new stone {bad.first}', _point(bad.moves[0]), good)}"
    later = next((good.ply(at) for at, move in good.plays(bad.mover) if move == bad.moves[0]), None)
    keeps = f"{COLOURS[bad.mover]} plays {bad.first} at ply {later} and keeps it"
    better = "no stone is lost there" if later is None else keeps
    kind = "loses stones later" if capture.at > 1 else "puts itself into atari"
    return ADDED, worse, f"After {good.first} {better}{_elsewhere(bad, good, stones)}", kind


# A point that both sides want


def _wanted(bad: _Line, good: _Line) -> _Told | None:
    """Tell of a point that is the best move, and the best answer to the move that was played instead.

    Only where it does something at once.
    """
    point = good.moves[0]
    if point == PASS or bad.moves[1:2] != (point,):
        return None
    name, mover, other = good.first, COLOURS[bad.mover], COLOURS[3 - bad.mover]
    effects = [effects_of(position, point) for position in (bad.positions[1], good.start)]
    same = [] if bad.moves[0] == PASS else effects_of(good.start, bad.moves[0])
    effects[1] = [each for each in effects[1] if each not in same]
    if not any(effects):
        return None
    worse = f"{other} plays {name}, the point that both sides want{''.join(f', and {each}' for each in effects[0])}"
    does = f"{mover} {' and '.join(effects[1])}" if effects[1] else f"the point is {mover}'s"
    kind = next((_BY_EFFECT.get(each.split()[0], OTHER) for each in effects[1]), OTHER)
    return POINT, worse, f"After {name} {does}", "leaves the centre" if point == CENTRE else kind


#: The kind of a mistake by the first word of what the better move does at once.
_BY_EFFECT = {
    "takes": "misses a capture",
    "leaves": "misses an atari",
    "joins": "leaves groups apart",
    "keeps": "misses a cut",
}


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
    atari = sum(group for group in others if _liberties(after, group) == 1 < _liberties(position, group))
    found = [
        ("takes {}", taken),
        ("saves {}", saved),
        ("leaves {} one liberty", atari),
        ("joins {}", _of_each(own, near) if len(own) > 1 else 0),
        ("keeps {} apart", _of_each(others, near) if len(others) > 1 else 0),
        ("takes the centre", _point(point) if point == CENTRE else 0),
    ]
    return [text.format(_names(stones)) for text, stones in found if stones][:_EFFECTS]


def _of_each(groups: Sequence[int], near: int) -> int:
    """Return the first stone beside a point of each of some groups."""
    return sum((group & near) & -(group & near) for group in groups)


# What differs at the end


def _few_points(bad: _Line, good: _Line) -> _Told | None:
    """Tell of all points that end otherwise, where they are few."""
    differing = _differing(bad, good)
    if not 0 < differing.bit_count() <= _FEW:
        return None
    worse, better = (f"After {line.first} {_owners(line.end, differing)} at the end" for line in (bad, good))
    return AREA, worse, f"{better}, and all other points end alike", "lets points change sides"


def _tempo(bad: _Line, good: _Line) -> _Told | None:
    """Tell of who passes when, where the whole difference is that, and begins soon."""
    if not _are_whole(bad, good) or len(bad.moves) != len(good.moves):
        return None
    own, other = (len(bad.passes(colour)) - len(good.passes(colour)) for colour in (bad.mover, 3 - bad.mover))
    passes = [ply for line in (bad, good) for colour in COLOURS for ply in line.passes(colour)]
    if own - other != _worth(bad, good, FULL) or min(passes, default=GAME_PLIES) > bad.ply(_NEAR - 1):
        return None
    worse, better = (f"After {line.first} {_passing(line)}" for line in (bad, good))
    return TEMPO, worse, better, "runs out of moves" if own > 0 else "leaves the other side moves"


def _passing(line: _Line) -> str:
    parts = []
    for colour in (line.mover, 3 - line.mover):
        plies = line.passes(colour)
        told = "never passes" if not plies else f"passes at ply {' and '.join(map(str, plies))}"
        parts.append(f"{COLOURS[colour]} {told}")
    return " and ".join(parts)


def _middle(bad: _Line, good: _Line) -> _Told | None:
    """Tell of the centre that the better move takes, and of what stands around it at the end."""
    if good.moves[0] != CENTRE or not _are_whole(bad, good) or _worth(bad, good, _MIDDLE) <= 0:
        return None
    has = [
        " and ".join(f"{COLOURS[each]} {(_stones(line.end, each) & _MIDDLE).bit_count()}" for each in COLOURS)
        for line in (bad, good)
    ]
    worse = f"After {bad.first} the nine points in the middle are {has[0]} at the end"
    better = f"After {good.first} {COLOURS[good.mover]} has the centre, and they are {has[1]}"
    return CENTRAL, worse, better + _elsewhere(bad, good, _MIDDLE), "leaves the centre"


def _changing(bad: _Line, good: _Line, most: int, *, within: bool) -> _Told | None:
    """Tell of points beside each other, so many at most, that the mover has or denies in the better line alone.

    within: whether they must be worth no more than the mistake costs. Of several areas the one that is worth the most,
    up to the cost; of these the smallest, and that with the lowest point.
    """
    if not _are_whole(bad, good):
        return None
    gained = sum(1 << point for point in points_of(_differing(bad, good)) if _worth(bad, good, 1 << point) > 0)
    cost = _worth(bad, good, FULL)
    areas = [area for area in groups_of(gained) if area.bit_count() <= most]
    areas = [area for area in areas if not within or _worth(bad, good, area) <= cost]
    if not areas:
        return None
    area = min(
        areas, key=lambda each: (-min(_worth(bad, good, each), cost), each.bit_count(), (each & -each).bit_length())
    )
    worse, better = (f"After {line.first} {_owners(line.end, area)} at the end" for line in (bad, good))
    return AREA, worse, better + _elsewhere(bad, good, area), "lets points change sides"


def _differing(bad: _Line, good: _Line) -> int:
    """Return the points that end otherwise; none where a line does not go to the end."""
    if not _are_whole(bad, good):
        return 0
    return (bad.end.black ^ good.end.black) | (bad.end.white ^ good.end.white)


def _owners(end: Position, points: int) -> str:
    """Tell whose points are: "Black has 0,1, and nothing stands on 0,2"; of many how many."""
    empty = points & ~(end.black | end.white)
    held = {colour: points & _stones(end, colour) for colour in COLOURS}
    parts = [f"{COLOURS[colour]} has {_names(mask, 'points')}" for colour, mask in held.items() if mask]
    return ", and ".join(parts + ([f"nothing stands on {_names(empty, 'points')}"] if empty else []))


#: The rules, the first that finds something counts. The last one finds an area for every mistake whose lines are whole:
#: a mistake costs something, so some point ends otherwise, and better for the mover, in the better line.
_RULES: tuple[Callable[[_Line, _Line], _Told | None], ...] = (
    partial(_falling, plies=_NEAR),
    _few_points,
    partial(_falling, plies=_LATER),
    _middle,
    partial(_changing, most=_FEW, within=True),
    partial(_changing, most=GAME_PLIES, within=True),
    _tempo,
    _wanted,
    partial(_changing, most=GAME_PLIES, within=False),
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


def _names(stones: int, noun: str = "stones") -> str:
    """Name a few stones, or else tell how many there are, and where.

    >>> _names(0b1), _names(0b111), _names(0b1000110001100011)
    ('0,0', '0,0 and 0,1 and 0,2', '7 stones in the upper left')
    """
    count = stones.bit_count()
    return " and ".join(map(move_name, points_of(stones))) if count <= _LISTED else f"{count} {noun} {_place(stones)}"


def _place(points: int) -> str:
    """Tell where the mean of some points is: half a line or more from the middle is a side."""
    count = points.bit_count()
    rows = 2 * sum(point // 5 - 2 for point in points_of(points))
    columns = 2 * sum(point % 5 - 2 for point in points_of(points))
    row = "upper" if rows <= -count else "lower" if rows >= count else ""
    column = "left" if columns <= -count else "right" if columns >= count else ""
    if row and column:
        return f"in the {row} {column}"
    return f"on the {row or column} side" if row or column else "around the middle"
