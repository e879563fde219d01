"""Why a move is worse than another: two sentences, by rule, about the two lines of play that follow.

Nothing is judged. A sentence tells what happens on the board in the lines that it is made from, so anybody can play
them through and count. The page says the same, by explorer/page/reasons.js.
"""

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from solver.bounds import score_text
from solver.colours import COLOURS
from solver.position import GAME_PLIES, Position, move_name, points_of

#: What a reason is about: stones fall, stones that fell stay, a PASS ends the game, or the count differs.
CAPTURE, MISSED, ENDS, COUNT = THEMES = "capture", "missed capture", "pass", "count"

#: No more stones are named one by one.
_NAMED = 3


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
    """A move of a line that takes stones: its index in the line, and the mask of the stones."""

    at: int
    stones: int


class _Line:
    """A line of play, and what happens in it."""

    def __init__(self, start: Position, moves: Sequence[int]) -> None:
        self.moves = moves
        self.positions = [start]
        for move in moves:
            self.positions.append(self.positions[-1].play(move))
        self.end = self.positions[-1]
        if len(moves) < 2 and not self.end.is_over:
            raise ValueError("a line has two moves at least, or goes to the end of the game")

    def captures(self, colour: int) -> list[_Capture]:
        """Return the moves by which a colour takes stones."""
        held = [_stones(position, 3 - colour) for position in self.positions]
        taken = [before & ~after for before, after in pairwise(held)]
        return [_Capture(at, stones) for at, stones in enumerate(taken) if stones]

    def taken(self, colour: int) -> int:
        """Return the points on which a colour takes stones."""
        points = 0
        for capture in self.captures(colour):
            points |= capture.stones
        return points

    @property
    def ends_by_a_pass(self) -> bool:
        """Whether the first move or the answer to it is a PASS that ends the game before the last ply."""
        return self.end.is_over and len(self.moves) <= 2 and self.positions[0].ply + len(self.moves) < GAME_PLIES

    def tell(self, text: str) -> str:
        """Make a sentence of the text, with the game's result where the line goes to the end."""
        return f"{text}: {score_text(self.end.margin)}." if self.end.is_over else f"{text}."

    def count(self) -> str:
        """Tell of how many stones there are in the end, or else of the answer."""
        first, answer, opponent = move_name(self.moves[0]), self.moves[1:2], COLOURS[3 - self.positions[0].mover]
        if not self.end.is_over:
            return f"After {first} {opponent} answers {move_name(answer[0])}"
        stones = f"{self.end.black.bit_count()} black and {self.end.white.bit_count()} white stones"
        if not self.ends_by_a_pass:
            return f"After {first} the game ends with {stones}"
        return (
            f"After {first} {opponent}'s PASS ends the game with {stones}"
            if answer
            else f"PASS ends the game with {stones}"
        )

    def taking(self, capture: _Capture, what: str) -> str:
        """Tell of a capture: "takes 0,1 at ply 9 with 1,1"; the move and the ply only where they are not seen."""
        told = f"takes {what}"
        if capture.at > 1:
            told += f" at ply {self.positions[capture.at].ply + 1} with {move_name(self.moves[capture.at])}"
        if self.positions[capture.at + 1].ko is not None:
            told += f", and {COLOURS[self.positions[capture.at + 1].mover]} may not take back at once"
        return told

    def standing(self, stones: int, what: str) -> str:
        """Tell that stones stand as far as the line goes."""
        until = "to the end" if self.end.is_over else f"after ply {self.end.ply}"
        return f"{what} {'stand' if stones & (stones - 1) else 'stands'} {until}"


def reason(position: Position, worse: Sequence[int], better: Sequence[int]) -> Reason:
    """Say why the first move of one line is worse than that of another, by what comes of both.

    worse, better: best play from the two moves on; the further they go, the more can be told.
    Raises IllegalMove; ValueError for a line without an answer.

    >>> from solver import START, parse_moves, play_all
    >>> position = play_all(START, parse_moves("0,1 0,0 2,2 4,4"))
    >>> print(reason(position, parse_moves("3,3 1,0"), parse_moves("1,0 3,4")).text)
    After 3,3 White's 0,0 stands after ply 6. 1,0 takes it.
    """
    bad, good = _Line(position, worse), _Line(position, better)
    if bad.ends_by_a_pass or good.ends_by_a_pass:
        return Reason(ENDS, bad.tell(bad.count()), good.tell(good.count()))
    told = _stones_lost(bad, good, position.mover) or _stones_left(bad, good, position.mover)
    return told or Reason(COUNT, bad.tell(bad.count()), good.tell(good.count()))


def _stones_lost(bad: _Line, good: _Line, mover: int) -> Reason | None:
    """Tell of stones of the mover's that fall, and where they stand all along in the better line, of that."""
    fallen, falling = bad.taken(3 - mover), good.taken(3 - mover)
    kept = fallen & _stones(good.positions[0], mover) & ~falling
    if not kept and fallen.bit_count() <= falling.bit_count():
        return None
    first, stones = _most(bad.captures(3 - mover), kept or fallen)
    worse = f"{COLOURS[3 - mover]} answers {move_name(bad.moves[1])} and {bad.taking(first, _names(stones))}"
    after = f"After {move_name(good.moves[0])} {good.standing(stones, _them(stones, 'they'))}"
    return Reason(CAPTURE, bad.tell(worse), good.tell(after if kept else good.count()))


def _stones_left(bad: _Line, good: _Line, mover: int) -> Reason | None:
    """Tell of stones of the opponent's that fall in the better line alone."""
    missed = _stones(bad.positions[0], 3 - mover) & good.taken(mover) & ~bad.taken(mover)
    if not missed:
        return None
    first, stones = _most(good.captures(mover), missed)
    left = f"After {move_name(bad.moves[0])} " + bad.standing(stones, f"{COLOURS[3 - mover]}'s {_names(stones)}")
    by = move_name(good.moves[0]) if not first.at else f"After {move_name(good.moves[0])} {COLOURS[mover]}"
    return Reason(MISSED, bad.tell(left), good.tell(f"{by} {good.taking(first, _them(stones, 'them'))}"))


def _most(captures: Sequence[_Capture], of: int) -> tuple[_Capture, int]:
    """Return the first capture with the most of the stones, and these."""
    first = max(captures, key=lambda each: ((each.stones & of).bit_count(), -each.at))
    return first, first.stones & of


def _stones(position: Position, colour: int) -> int:
    return position.black if colour == 1 else position.white


def _them(stones: int, many: str) -> str:
    return many if stones & (stones - 1) else "it"


def _names(stones: int) -> str:
    """Name stones; of many, how many and the first ones.

    >>> _names(0b1), _names(0b111), _names(0b11111)
    ('0,0', '0,0, 0,1 and 0,2', '5 stones (0,0 0,1 0,2 …)')
    """
    names = [move_name(point) for point in points_of(stones)]
    if len(names) > _NAMED:
        return f"{len(names)} stones ({' '.join(names[:_NAMED])} …)"
    return " and ".join(part for part in (", ".join(names[:-1]), names[-1]) if part)
