"""The rules of Little-Go, and the rule for lines of certificates. This module imports no other module of the project.

This module and search.py are the checker's trusted core, which docs/reference/CERTIFICATE.md describes in words. A set
of points is a number, in which bit ``5 * i + j`` is the point in row i, column j. A move or a ko is a set of one point.
The empty set means PASS or no ko.
"""

from __future__ import annotations

from collections.abc import Container
from operator import itemgetter
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    # mypyc's integer of 64 bits. The interpreter skips this import, and never evaluates the annotations.
    from mypy_extensions import i64

FULL: Final = (1 << 25) - 1
PLIES: Final = 24
PASS: Final = 0

_NOT_WEST: Final = 0b11110_11110_11110_11110_11110
_NOT_EAST: Final = _NOT_WEST >> 1

#: The number of bits of each number below 2 ** 13. mypyc calls int.bit_count() as slowly as the interpreter does.
_BITS: Final = bytes([number.bit_count() for number in range(1 << 13)])


class Place(NamedTuple):
    """A position: the plies left, Black's and White's stones, the ko point, and whether the last ply was a PASS.

    Black moves if the number of plies left is even, and White moves if it is odd, so White makes the last ply. If no
    plies are left, the game is over.
    """

    left: int
    black: int
    white: int
    ko: int
    passed: bool

    @property
    def margin(self) -> int:
        """The number of Black's stones minus the number of White's stones."""
        return self.black.bit_count() - self.white.bit_count()


START = Place(PLIES, 0, 0, 0, False)


class Claim(NamedTuple):
    """A bound on the final margin that one side can keep against every play of the other side.

    black: whether Black keeps the bound, so that the margin is ``bound`` or more. If ``black`` is False, White keeps
    the bound, so that the margin is ``bound`` or less.
    """

    black: bool
    bound: int

    def holds(self, margin: int) -> bool:
        """Return whether a finished game keeps the bound."""
        return margin >= self.bound if self.black else margin <= self.bound

    def keeper_moves(self, left: int) -> bool:
        """Return whether the side that keeps the bound moves if this number of plies is left."""
        return self.black == (left % 2 == 0)


class Group:
    """A connected group: its stones, the points next to it, and the number of its stones.

    rest: the next group of the same colour, or None at the end of the chain. every: the stones of this group and of all
    later groups in the chain.
    """

    def __init__(self, stones: i64, around: i64, rest: Group | None) -> None:
        self.stones = stones
        self.around = around
        self.size = count(stones)
        self.rest = rest
        self.every: i64 = stones if rest is None else stones | rest.every


def count(points: i64) -> i64:
    """Return the number of points."""
    return _BITS[points & 8191] + _BITS[points >> 13]


def beside(points: i64) -> i64:
    """Return the points next to any of ``points``."""
    return ((points << 5) & FULL) | (points >> 5) | ((points << 1) & _NOT_WEST) | ((points >> 1) & _NOT_EAST)


#: The chain of a side without stones: a group without stones, so that a chain always has a first group.
NONE: Final = Group(0, 0, None)


def groups_of(stones: i64) -> Group:
    """Return the connected groups of a set of stones of one colour, as a chain."""
    groups = None
    while stones:
        group: i64 = 0
        grown = stones & -stones
        while grown != group:
            group = grown
            grown |= beside(group) & stones
        groups = Group(group, beside(group) & ~group, groups)
        stones &= ~group
    return groups or NONE


def breathless(stones: i64, empty: i64) -> i64:
    """Return the stones in groups that have no liberty among the points ``empty``."""
    found: i64 = 0
    group: Group | None = groups_of(stones)
    while group is not None:
        if not group.around & empty:
            found |= group.stones
        group = group.rest
    return found


def ko_after(mine: i64, empty: i64, point: i64, taken: i64) -> i64:
    """Return the ko point after the mover's stone on ``point`` captured the stones ``taken``.

    mine, empty: the mover's stones and the empty points after the capture. A recapture restores the board before the
    capture only if a single stone has captured a single stone and has no other liberty, because then the recapture
    removes just this stone. A capturing stone that joins other stones would be recaptured together with them.
    """
    around = beside(point)
    return taken if not around & mine and around & empty == taken and not taken & (taken - 1) else 0


def play(place: Place, move: int) -> Place | None:
    """Return the position after a move, which is a point or PASS. Return None if the move is illegal."""
    left, black, white, ko, passed = place
    if move == PASS:
        # A PASS ends the game after a PASS, and on the first ply.
        return Place(0 if passed or left == PLIES else left - 1, black, white, 0, True)
    mine, theirs = (black, white) if left % 2 == 0 else (white, black)
    if (mine | theirs | ko) & move:
        return None
    mine |= move
    taken = breathless(theirs, FULL & ~(mine | theirs))
    theirs &= ~taken
    empty = FULL & ~(mine | theirs)
    if breathless(mine, empty):
        return None
    black, white = (mine, theirs) if left % 2 == 0 else (theirs, mine)
    return Place(left - 1, black, white, ko_after(mine, empty, move, taken), False)


def _image(symmetry: int, point: int) -> int:
    i, j = divmod(point, 5)
    if symmetry & 1:
        i, j = j, i
    return 5 * (4 - i if symmetry & 2 else i) + (4 - j if symmetry & 4 else j)


def point_name(point: int) -> str:
    """Return a move as ``i,j`` or ``PASS``."""
    return f"{(point.bit_length() - 1) // 5},{(point.bit_length() - 1) % 5}" if point else "PASS"


_NAMES = [point_name(1 << p) for p in range(25)]

#: By symmetry, a function that picks the old points of the new board, and the new name of each old ko point.
_SYMMETRIES = [
    (
        itemgetter(*(sorted(range(25), key=lambda p, s=s: _image(s, p)))),  # type: ignore[misc]
        {"-": "-"} | {_NAMES[p]: _NAMES[_image(s, p)] for p in range(25)},
    )
    for s in range(8)
]


def name_of(place: Place) -> str:
    """Return the position in the format of a certificate's lines, which is the same for its eight symmetric copies.

    >>> name_of(play(START, 1 << 24))
    '23 ........................X - -'
    """
    board = "".join("X" if place.black >> p & 1 else "O" if place.white >> p & 1 else "." for p in range(25))
    ko = point_name(place.ko) if place.ko else "-"
    least = min(f"{''.join(pick(board))} {names[ko]}" for pick, names in _SYMMETRIES)
    return f"{place.left:02} {least} {'P' if place.passed else '-'}"


def line_fault(claim: Claim, place: Place, move: int, known: Container[str]) -> str | None:
    """Return the reason why a line above the leaf level is wrong, or None if the line is right.

    A line is a position in which the keeper moves, and the keeper's move. A line is right if the move is legal, if
    every game that ends with this move or with the other side's next ply keeps the bound, and if every other position
    after that ply has a line. known: the names of the positions that have a line.
    """
    after = play(place, move)
    if after is None:
        return f"{point_name(move)} is not legal"
    if after.left == 0:
        return None if claim.holds(after.margin) else f"{point_name(move)} ends the game at {after.margin:+d}"
    fault = start_fault(claim, after, known)
    return fault and f"after {point_name(move)}, {fault}"


def start_fault(claim: Claim, place: Place, known: Container[str]) -> str | None:
    """Return the reason why right lines do not prove an unfinished position, or None if they prove it.

    If the keeper moves, the position must have a line. Otherwise each legal ply must end the game within the bound, or
    lead to a position that has a line.
    """
    if claim.keeper_moves(place.left):
        return None if (name := name_of(place)) in known else f"there is no line for {name}"
    for number in range(26):
        move = 1 << number & FULL
        reached = play(place, move)
        if reached is not None and reached.left == 0:
            if not claim.holds(reached.margin):
                return f"the reply {point_name(move)} ends the game at {reached.margin:+d}"
        elif reached is not None and (name := name_of(reached)) not in known:
            return f"the reply {point_name(move)} leads to {name}, which has no line"
    return None
