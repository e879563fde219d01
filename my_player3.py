#!/usr/bin/env python3
"""Little-Go: a player for the course's host. Python 3.7 or newer, standard library only.

Reads input.txt, writes output.txt, keeps little_go_memory.json, and uses book.json if there is one.
Game: 24 plies, komi 2.5

Built by `python -m player build`; change the sources instead:
    runtime/plain.py
    solver/position.py
    solver/answer.py
    solver/family.py
    solver/symmetry.py
    book/files/reader.py
    notation/faults.py
    notation/host_file.py
    player/clock.py
    solver/exact.py
    solver/alphabeta.py
    player/choose.py
    player/memory.py
    player/main.py
"""
import sys

# Python first looks for modules in the script's directory, which may contain any file, such as a json.py. Remove this
# directory from the path. With -I or -P, Python does not add the directory.
if __name__ == "__main__" and not (sys.flags.isolated or getattr(sys.flags, "safe_path", False)):
    sys.path[:] = [place for place in sys.path if place not in ("", sys.path[0])]

import errno
import hashlib
import json
import math
import os
import re
import stat
import struct
import time
import zlib
from array import array
from binascii import a2b_base64
from bisect import bisect_left
from typing import Any, Callable, Dict, Iterable, Iterator, List, Mapping, NamedTuple, Optional, Sequence, Tuple


# --- runtime/plain.py ---

#: Flags that only some systems have. Without O_NONBLOCK, opening a pipe would wait for its other end. The flag O_BINARY
#: exists only on Windows.
AT_ONCE = getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)

#: The number of names to try for a draft. Drafts of calls that were killed may use some of the names.
_MOST_DRAFTS = 100


def read_plain(path: str, most: int) -> bytes:
    """Return the first ``most`` bytes of a file. Raise OSError if the file is not plain or cannot be read."""
    descriptor = os.open(path, os.O_RDONLY | AT_ONCE)
    with open(_checked_plain(descriptor, path), "rb") as file:
        return file.read(most)


def write_plain(path: str, content: bytes) -> None:
    """Write a file completely or not at all. If the directory is read-only, write the file in place."""
    draft = ""
    try:
        draft, descriptor = _open_draft(path)
        with open(descriptor, "wb") as file:
            file.write(content)
        os.replace(draft, path)
    except OSError:
        if draft:
            os.remove(draft)
        _write_in_place(path, content)


def remove_plain(path: str) -> None:
    """Remove a file if it exists. If the directory is read-only, empty the file."""
    try:
        os.remove(path)
    except FileNotFoundError:
        pass
    except OSError:
        _write_in_place(path, b"")


def _write_in_place(path: str, content: bytes) -> None:
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | AT_ONCE, 0o666)
    with open(_checked_plain(descriptor, path), "wb", buffering=0) as file:
        # Write the content before the file is truncated, so that a reader between these steps finds the new first line.
        file.write(content + b"\n")
        file.truncate(len(content))


def _open_draft(path: str) -> Tuple[str, int]:
    """Create a draft next to a file, and return the draft's name, which no other call uses, and its descriptor."""
    for number in range(_MOST_DRAFTS):
        draft = "{}.{}.{}.tmp".format(path, os.getpid(), number)
        try:
            return draft, os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL | AT_ONCE, 0o666)
        except FileExistsError:
            continue
    raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), path)


def _checked_plain(descriptor: int, path: str) -> int:
    """Return the descriptor of a plain file, or close the descriptor of any other file and raise OSError."""
    mode = os.fstat(descriptor).st_mode
    if stat.S_ISREG(mode):
        return descriptor
    os.close(descriptor)
    if stat.S_ISDIR(mode):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), path)
    raise OSError(errno.EINVAL, "Not a plain file", path)


# --- solver/position.py ---

SIZE = 5
POINTS = SIZE * SIZE
PASS = POINTS
GAME_PLIES = POINTS - 1
KOMI = SIZE / 2
FULL = (1 << POINTS) - 1

#: The point in the middle of the board, and for each point the number of steps to the middle.
CENTRE = POINTS // 2
FROM_CENTRE = [abs(p // SIZE - SIZE // 2) + abs(p % SIZE - SIZE // 2) for p in range(POINTS)]

_WEST_EDGE = sum(1 << (SIZE * i) for i in range(SIZE))
_NOT_WEST = FULL & ~_WEST_EDGE
_NOT_EAST = FULL & ~(_WEST_EDGE << (SIZE - 1))


#: The reasons in all messages about illegal moves: "0,0 is suicide".
OFF_BOARD, OCCUPIED, BY_KO, SUICIDE = "off the board", "occupied", "forbidden by ko", "suicide"


class IllegalMove(ValueError):
    """Raised for a move that loses the game at once.

    The point is occupied, off the board or forbidden by ko, the move is suicide, or the game is over.
    """


def neighbours(mask: int) -> int:
    """Return all points that are next to a point of ``mask``, including points of the mask itself.

    >>> sorted(points_of(neighbours(1 << 0)))
    [1, 5]
    """
    return ((mask << SIZE) & FULL) | (mask >> SIZE) | ((mask << 1) & _NOT_WEST) | ((mask >> 1) & _NOT_EAST)


def points_of(mask: int) -> Iterator[int]:
    """Yield the numbers of the points in ``mask`` in ascending order."""
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low


def group_of(seed: int, stones: int) -> int:
    """Return all stones that are connected with ``seed``, which is a subset of ``stones``."""
    group = seed
    while True:
        grown = (group | neighbours(group)) & stones
        if grown == group:
            return group
        group = grown


def groups_of(stones: int) -> Iterator[int]:
    """Yield the mask of each connected group of ``stones``."""
    while stones:
        group = group_of(stones & -stones, stones)
        yield group
        stones ^= group


def move_name(move: int) -> str:
    """Return a move in the notation of the host: ``i,j`` or ``PASS``.

    >>> move_name(12), move_name(PASS)
    ('2,2', 'PASS')
    """
    return "PASS" if move == PASS else f"{move // SIZE},{move % SIZE}"


def parse_move(text: str) -> int:
    """Return the move with this name, which must be ``i,j`` or ``PASS``. Raise ValueError for any other text.

    >>> parse_move("2,2"), parse_move("PASS")
    (12, 25)
    """
    if text == "PASS":
        return PASS
    if len(text) == 3 and text[1] == "," and text[0] in "01234" and text[2] in "01234":
        return SIZE * int(text[0]) + int(text[2])
    raise ValueError(f"not a move: {text!r}: write i,j with 0 <= i,j <= 4, or PASS")


class Position(NamedTuple):
    """An immutable position of the game of 24 plies.

    A game with an even number n of plies starts from the empty board at ply 24 - n.

    - ``black``, ``white``: the stones of each side, as bit sets that have no point in common.
    - ``ko``: the point that the ko rule forbids for the mover, or None.
    - ``ply``: the number of plies that were played, 0 to 24; Black moves if the number is even.
    - ``passed``: whether the last ply was a PASS.
    """

    black: int = 0
    white: int = 0
    ko: Optional[int] = None
    ply: int = 0
    passed: bool = False

    @property
    def left(self) -> int:
        """The number of plies left, 0 to 24; 0 means that the game is over."""
        return GAME_PLIES - self.ply

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return self.ply >= GAME_PLIES

    @property
    def black_to_move(self) -> bool:
        """Whether Black is the mover."""
        return self.ply % 2 == 0

    @property
    def mover(self) -> int:
        """The number of the mover's colour: 1 is Black, and 2 is White."""
        return 1 if self.black_to_move else 2

    @property
    def pass_ends(self) -> bool:
        """Whether a PASS of the mover ends the game.

        The host ends the game after a PASS if the board is equal to the previous board. The boards are equal if the
        last ply was also a PASS, and on the first ply.
        """
        return self.passed or self.ply == 0

    @property
    def margin(self) -> int:
        """The number of Black's stones minus the number of White's stones, without komi."""
        return bin(self.black).count("1") - bin(self.white).count("1")

    def legal_points(self) -> int:
        """Return a mask of the mover's legal points. PASS is always legal, but it is not part of the mask."""
        mine, theirs = (self.black, self.white) if self.black_to_move else (self.white, self.black)
        empty = FULL & ~(mine | theirs)
        legal = empty & neighbours(empty)
        for group in groups_of(mine):
            liberties = neighbours(group) & empty
            if liberties & (liberties - 1):
                legal |= liberties
        for group in groups_of(theirs):
            liberties = neighbours(group) & empty
            if liberties & (liberties - 1) == 0:
                legal |= liberties
        if self.ko is not None:
            legal &= ~(1 << self.ko)
        return legal

    def legal_moves(self) -> List[int]:
        """Return the legal moves: points in ascending order, then PASS. If the game is over, return an empty list."""
        if self.is_over:
            return []
        return [*points_of(self.legal_points()), PASS]

    def allows(self, move: int) -> bool:
        """Return whether ``move`` is legal. The number may be any integer."""
        if self.is_over or move == self.ko or not 0 <= move <= PASS:
            return False
        if move == PASS:
            return True
        stone, empty = 1 << move, FULL & ~(self.black | self.white)
        # Most moves are legal because they have an empty neighbour. All legal points are computed only for other moves.
        return bool(stone & empty and (neighbours(stone) & empty or stone & self.legal_points()))

    def play(self, move: int) -> "Position":
        """Return the position after ``move``. Raise IllegalMove if the move is illegal.

        After a PASS that ends the game no plies are left, so the result has ``ply == 24``.
        """
        if self.is_over:
            raise IllegalMove("the game is over")
        if move == PASS:
            ply = GAME_PLIES if self.pass_ends else self.ply + 1
            return Position(self.black, self.white, None, ply, True)
        if not 0 <= move < POINTS:
            raise IllegalMove(f"{move!r} is {OFF_BOARD}")
        stone = 1 << move
        if (self.black | self.white) & stone:
            raise IllegalMove(f"{move_name(move)} is {OCCUPIED}")
        if move == self.ko:
            raise IllegalMove(f"{move_name(move)} is {BY_KO}")
        mine, theirs = (self.black, self.white) if self.black_to_move else (self.white, self.black)
        mine |= stone
        empty = FULL & ~(mine | theirs)
        captured = 0
        for group in groups_of(theirs):
            if not neighbours(group) & empty:
                captured |= group
        theirs ^= captured
        group = group_of(stone, mine)
        liberties = neighbours(group) & (empty | captured)
        if not liberties:
            raise IllegalMove(f"{move_name(move)} is {SUICIDE}")
        # The opponent can restore the board before this move only if this move captures a single stone, and if the new
        # stone is a single stone whose only liberty is the captured point.
        is_ko = group == stone and liberties == captured and captured & (captured - 1) == 0
        ko = captured.bit_length() - 1 if is_ko else None
        black, white = (mine, theirs) if self.black_to_move else (theirs, mine)
        return Position(black, white, ko, self.ply + 1, False)

    def check(self) -> None:
        """Raise ValueError if this position is impossible. The message states the fault.

        The numbers must be in range, no point may have two stones, and each group must have a liberty. If there is a ko
        point, this point must be empty, the last ply must not be a PASS, and the opponent must have a stone that can
        have captured there. The method does not check whether a game can reach the position.
        """
        if not (0 <= self.black <= FULL and 0 <= self.white <= FULL):
            raise ValueError(f"a stone is {OFF_BOARD}")
        if self.black & self.white:
            point = next(points_of(self.black & self.white))
            raise ValueError(f"{move_name(point)} holds both a black and a white stone")
        if not 0 <= self.ply <= GAME_PLIES:
            raise ValueError(f"ply {self.ply!r} is not within 0 to {GAME_PLIES}")
        if self.ply == 0 and (self.black or self.white or self.passed):
            raise ValueError("the game starts from the empty board")
        empty = FULL & ~(self.black | self.white)
        for stones in (self.black, self.white):
            # The stones ``dead``, which can belong to several groups, are not connected with an empty point.
            dead = stones & ~group_of(neighbours(empty) & stones, stones)
            if dead:
                raise ValueError(f"the group at {move_name(next(points_of(dead)))} has no liberty")
        if self.ko is not None:
            self._check_ko(empty)

    def _check_ko(self, empty: int) -> None:
        if self.ko is None or not 0 <= self.ko < POINTS:
            raise ValueError(f"the ko point {self.ko!r} is {OFF_BOARD}")
        name = move_name(self.ko)
        if self.passed:
            raise ValueError(f"ko at {name} after a PASS: a PASS lifts every ko")
        point = 1 << self.ko
        if not point & empty:
            raise ValueError(f"the ko point {name} is {OCCUPIED}")
        taker = self.white if self.black_to_move else self.black
        around = neighbours(point)
        if around & ~taker:
            raise ValueError(f"the ko point {name} is not surrounded by the opponent")
        lone = [g for g in groups_of(taker) if g & around and neighbours(g) & empty == point and g & (g - 1) == 0]
        if not lone:
            raise ValueError(f"no single stone next to {name} can have captured there")

    def rows(self) -> List[str]:
        """Return the five rows of the board in the digits of the host: 0 is empty, 1 is Black, and 2 is White."""
        return [
            "".join(
                "1" if self.black >> p & 1 else "2" if self.white >> p & 1 else "0"
                for p in range(SIZE * i, SIZE * i + SIZE)
            )
            for i in range(SIZE)
        ]

    def diagram(self) -> str:
        """Return a text picture of the board with coordinates: X is Black, O is White, and ``+`` is the ko point."""
        lines = ["  0 1 2 3 4"]
        for i, row in enumerate(self.rows()):
            marks = [".XO"[int(c)] for c in row]
            if self.ko is not None and self.ko // SIZE == i:
                marks[self.ko % SIZE] = "+"
            lines.append(f"{i} " + " ".join(marks))
        return "\n".join(lines)


START = Position()


def start_of(plies: int) -> Position:
    """Return the first position of a game that has this number of plies.

    >>> start_of(8).left
    8
    """
    return Position(ply=GAME_PLIES - plies)


def parse_rows(rows: Sequence[str]) -> Tuple[int, int]:
    """Return the masks of Black's and White's stones from five rows in the digits of the host.

    Raise ValueError if a row is invalid. The message contains the first invalid row.
    """
    if len(rows) != SIZE:
        raise ValueError(f"{len(rows)} rows instead of {SIZE}")
    black = white = 0
    for i, row in enumerate(rows):
        if len(row) != SIZE or row.strip("012"):
            raise ValueError(f"row {i} is {row!r}: write five digits, each 0, 1 or 2")
        for j, digit in enumerate(row):
            bit = 1 << (SIZE * i + j)
            if digit == "1":
                black |= bit
            elif digit == "2":
                white |= bit
    return black, white


def play_all(position: Position, moves: Iterable[int]) -> Position:
    """Return the position after all ``moves``. If a move is illegal, raise IllegalMove with the number of the move."""
    for number, move in enumerate(moves, 1):
        try:
            position = position.play(move)
        except IllegalMove as error:
            raise IllegalMove(f"move {number}: {error}") from None
    return position


def parse_moves(text: str) -> List[int]:
    """Return the moves in ``text``, which are separated by blanks. Raise ValueError if a word is not a move."""
    return [parse_move(word) for word in text.split()]


# --- solver/answer.py ---

#: The lowest value with which Black wins.
BLACK_WINS = int(KOMI) + 1

#: Bounds that are correct for every position, because a side has at most 24 stones.
LEAST, MOST = -24, 24


class BoundsBase:
    """The base class of types that contain proven bounds on a value."""

    __slots__ = ()

    @property
    def lo(self) -> int:
        """The lower bound, which is the lowest possible value."""
        raise NotImplementedError

    @property
    def hi(self) -> int:
        """The upper bound, which is the highest possible value."""
        raise NotImplementedError

    @property
    def value(self) -> Optional[int]:
        """The exact value, or None if the bounds differ."""
        return self.lo if self.lo == self.hi else None

    def at_least(self, threshold: int) -> Optional[bool]:
        """Return whether the value is at least ``threshold``, or None if the bounds do not decide this."""
        if self.lo >= threshold:
            return True
        if self.hi < threshold:
            return False
        return None

    def mover_bound(self, black: bool) -> int:
        """Return the lower bound from the mover's point of view, which is the result that the mover can enforce."""
        return self.lo if black else -self.hi

    def opponent_bound(self, black: bool) -> int:
        """Return the upper bound from the mover's point of view, which is the best result that the mover can reach."""
        return self.hi if black else -self.lo

    def mover_end(self, black: bool) -> "Bounds":
        """Return bounds that contain only the mover's bound, which is lo for Black and hi for White.

        After a move that keeps the mover's bound, this bound is still proven.
        """
        return Bounds(lo=self.lo) if black else Bounds(hi=self.hi)

    def opponent_end(self, black: bool) -> "Bounds":
        """Return bounds that contain only the opponent's bound, which is hi if Black moves and lo if White moves.

        This bound is also proven after every move, because no move improves the position of the mover.
        """
        return Bounds(hi=self.hi) if black else Bounds(lo=self.lo)


class _Bounds(NamedTuple):
    lo: int = LEAST
    hi: int = MOST


class Bounds(_Bounds, BoundsBase):
    """Proven bounds on a value: -24 <= lo <= value <= hi <= 24. The default bounds are correct for every position."""

    __slots__ = ()


class _Answer(NamedTuple):
    lo: int
    hi: int
    best: Optional[int]
    nodes: int


class Answer(_Answer, BoundsBase):
    """Proven bounds on a position's value, and the cost of the search.

    - ``lo``, ``hi``: the bounds on the value; they are equal if the value is exact.
    - ``best``: a move that keeps the mover's bound, which is lo for Black and hi for White. If this bound is the worst
      possible bound, every move keeps it, and ``best`` is the most promising move. If no move is known, or if the game
      is over, ``best`` is None.
    - ``nodes``: the number of positions that were searched.
    """

    __slots__ = ()


def goal_of(value: int, black: bool) -> int:
    """Return the threshold that decides whether the mover keeps a value.

    Black keeps the value if later values reach the threshold. White keeps the value if later values stay below the
    threshold.
    """
    return value if black else value + 1


# --- solver/family.py ---

#: The minimum length of a game in plies: one ply for each side.
LEAST_PLIES = 2


class Variant(NamedTuple):
    """A game, described by its length in plies and White's komi.

    The length is an even number from 2 to 24. The komi is an integer plus a half, from -24.5 to 24.5.

    >>> print(Variant(20, 4.5), Variant(20, 4.5).least)
    20 plies, komi 4.5 5
    """

    plies: int
    komi: float

    def check(self) -> None:
        """Raise ValueError with a one-line message if the length or the komi is invalid."""
        if not LEAST_PLIES <= self.plies <= GAME_PLIES or self.plies % 2:
            wanted = "games have an even number of plies, {} to {}".format(LEAST_PLIES, GAME_PLIES)
            raise ValueError(f"{self.plies} plies: {wanted}")
        if not (abs(self.komi) <= MOST + 0.5 and self.komi % 1 == 0.5):
            raise ValueError(f"komi {self.komi:g}: give a half such as 2.5, from {LEAST - 0.5} to {MOST + 0.5}")

    def __str__(self) -> str:
        return f"{self.plies} plies, komi {self.komi:g}"

    @property
    def least(self) -> int:
        """The lowest value with which Black wins."""
        return math.floor(self.komi) + 1

    @property
    def first_ply(self) -> int:
        """The field ``ply`` of the game's first position, 0 to 22."""
        return GAME_PLIES - self.plies

    @property
    def start(self) -> Position:
        """The first position of the game."""
        return Position(ply=self.first_ply, passed=self.first_ply > 0)

    def winner(self, ends: BoundsBase) -> Optional[int]:
        """Return the colour that wins (1 = Black, 2 = White), or None if the bounds do not decide the winner."""
        wins = ends.at_least(self.least)
        return None if wins is None else 1 if wins else 2

    def leader(self, position: Position) -> int:
        """Return the colour that would win if the game ended in this position."""
        return 1 if position.margin > self.komi else 2

    def won_by(self, colour: int) -> Bounds:
        """Return the bounds that contain exactly the values with which ``colour`` wins."""
        return Bounds(lo=self.least) if colour == 1 else Bounds(hi=self.least - 1)


#: The game of the course.
COURSE = Variant(GAME_PLIES, KOMI)


# --- solver/symmetry.py ---

IDENTITY = 0
SYMMETRIES = 8

_WHITE_SHIFT = POINTS
_KO_SHIFT = 2 * POINTS
_LEFT_SHIFT = _KO_SHIFT + 5
_PASSED_SHIFT = _LEFT_SHIFT + 5
KEY_BITS = _PASSED_SHIFT + 1

# The number of bits of a lane. One integer contains eight symmetric masks or keys, each in its own lane.
_LANE = 64


def _image(symmetry: int, point: int) -> int:
    """Return the point to which a symmetry maps a point.

    If bit 0 is set, the symmetry transposes the board. After that, bit 1 reverses the order of the rows, and bit 2
    reverses the order of the columns.
    """
    i, j = divmod(point, SIZE)
    if symmetry & 1:
        i, j = j, i
    if symmetry & 2:
        i = SIZE - 1 - i
    if symmetry & 4:
        j = SIZE - 1 - j
    return SIZE * i + j


#: Each symmetry s maps the point p to the point POINT_IMAGE[s][p], and PASS to PASS.
POINT_IMAGE: List[List[int]] = [[_image(s, p) for p in range(POINTS)] + [PASS] for s in range(SYMMETRIES)]

#: The symmetry INVERSE[s] undoes the symmetry s.
INVERSE: List[int] = [
    next(t for t in range(SYMMETRIES) if all(POINT_IMAGE[t][POINT_IMAGE[s][p]] == p for p in range(POINTS)))
    for s in range(SYMMETRIES)
]


def _lanes(points: Iterable[int]) -> int:
    """Return the eight symmetric masks of a set of points. The mask for the symmetry s begins at bit 64 * s."""
    return sum(1 << _LANE * s + POINT_IMAGE[s][point] for point in points for s in range(SYMMETRIES))


#: The element _ROW_LANES[i][stones] contains the eight symmetric masks of the stones of row i, where bit j of
#: ``stones`` is column j. One look-up for each row is several times as fast as one look-up for each row and symmetry.
#: This is important because canonical() takes most of the time when a store is built.
_ROW_LANES: List[List[int]] = [
    [_lanes(SIZE * i + j for j in range(SIZE) if stones >> j & 1) for stones in range(1 << SIZE)] for i in range(SIZE)
]

#: For each ko point, the ko fields of the keys of the eight symmetric positions. A ko field is a point's number + 1.
_KO_LANES: List[int] = [
    sum(POINT_IMAGE[s][point] + 1 << _LANE * s + _KO_SHIFT for s in range(SYMMETRIES)) for point in range(POINTS)
]

_split = struct.Struct("<%dQ" % SYMMETRIES).unpack


def _images(mask: int) -> int:
    a, b, c, d, e = _ROW_LANES
    return a[mask & 31] | b[mask >> 5 & 31] | c[mask >> 10 & 31] | d[mask >> 15 & 31] | e[mask >> 20]


def transform_mask(symmetry: int, mask: int) -> int:
    """Return the image of a 25-bit mask under a symmetry (0 to 7)."""
    return _images(mask) >> _LANE * symmetry & FULL


def transform(symmetry: int, position: Position) -> Position:
    """Return the image of a position under a symmetry (0 to 7)."""
    ko = None if position.ko is None else POINT_IMAGE[symmetry][position.ko]
    return position._replace(
        black=transform_mask(symmetry, position.black), white=transform_mask(symmetry, position.white), ko=ko
    )


def key_of(position: Position) -> int:
    """Return the key of a position in its own orientation, which may differ from the canonical orientation."""
    ko = 0 if position.ko is None else position.ko + 1
    return (
        position.black
        | position.white << _WHITE_SHIFT
        | ko << _KO_SHIFT
        | position.left << _LEFT_SHIFT
        | int(position.passed) << _PASSED_SHIFT
    )


def canonical(position: Position) -> Tuple[int, int]:
    """Return the canonical key, and the first symmetry that maps the position to the canonical orientation.

    >>> key, symmetry = canonical(Position(black=1 << 24, ply=1))
    >>> position_of(key).black, key == canonical(Position(black=1, ply=1))[0]
    (1, True)
    """
    black, white, ko, _, _ = position
    lanes = _images(black) | _images(white) << _WHITE_SHIFT | (0 if ko is None else _KO_LANES[ko])
    images = _split(lanes.to_bytes(SYMMETRIES * _LANE // 8, "little"))
    least = min(images)
    # The eight keys are equal in the higher bits, so these bits are added at the end.
    return least | key_of(position) >> _LEFT_SHIFT << _LEFT_SHIFT, images.index(least)


class Oriented(NamedTuple):
    """A position's canonical key, and a symmetry that maps the position to the canonical orientation.

    >>> oriented = Oriented.of(Position(black=1 << 24, ply=1))
    >>> oriented.to[24], oriented.back[0], oriented.position.black
    (0, 24, 1)
    """

    key: int
    symmetry: int

    @classmethod
    def of(cls, position: Position) -> "Oriented":
        """Return the canonical key of a position, together with the symmetry."""
        return cls(*canonical(position))

    @property
    def position(self) -> Position:
        """The position in its canonical orientation."""
        return position_of(self.key)

    @property
    def to(self) -> List[int]:
        """A list that maps each move of the position, 0 to 25, to the same move in the canonical orientation."""
        return POINT_IMAGE[self.symmetry]

    @property
    def back(self) -> List[int]:
        """A list that maps each move in the canonical orientation, 0 to 25, to the same move of the position."""
        return POINT_IMAGE[INVERSE[self.symmetry]]


def canonical_key(position: Position) -> int:
    """Return the canonical key of a position."""
    return canonical(position)[0]


def position_of(key: int) -> Position:
    """Return the position of a key. Raise ValueError if the key or one of its fields is out of range."""
    if not 0 <= key < 1 << KEY_BITS:
        raise ValueError(f"key {key!r} is not within 61 bits")
    ko = key >> _KO_SHIFT & 31
    left = key >> _LEFT_SHIFT & 31
    if ko > POINTS or left > GAME_PLIES:
        raise ValueError(f"key {key} is not the key of a position")
    return Position(
        key & FULL,
        key >> _WHITE_SHIFT & FULL,
        ko - 1 if ko else None,
        GAME_PLIES - left,
        bool(key >> _PASSED_SHIFT),
    )


# --- book/files/reader.py ---

BOOK_FORMAT = 1

#: The verdicts, from the mover's point of view.
BOOK_UNDECIDED, BOOK_WIN, BOOK_LOSS = 0, 1, 2

#: By point, the mask of its neighbours.
_BESIDE = [neighbours(1 << point) for point in range(POINTS)]

#: The maximum size of a book. A player could not load a larger book in time.
_MOST_BOOK_BYTES = 1 << 28


class BookError(ValueError):
    """Raised if a book cannot be used. The message is one line with the file's name."""


class BookEntry(NamedTuple):
    """The book's entry for a position, in the orientation of the position that was looked up.

    move: a point from 0 to 24, or PASS. verdict: BOOK_WIN (a proven win for the mover), BOOK_LOSS (a proven loss) or
    BOOK_UNDECIDED. bounds: the bounds on the value that follow from the verdict, from Black's side.
    """

    move: int
    verdict: int
    bounds: Bounds


class MoveBook:
    """A book in memory, which read_book() returns. ``len()`` is the number of positions.

    Public attribute: ``game``, the game to which the verdicts apply.
    """

    def __init__(self, keys: "array[int]", plays: bytes, game: Variant) -> None:
        self._keys = keys
        self._plays = plays
        self.game = game

    def __len__(self) -> int:
        return len(self._plays)

    def get(self, position: Position) -> Optional[BookEntry]:
        """Return the entry for a position, or None if the position is not in the book."""
        oriented = Oriented.of(position)
        index = bisect_left(self._keys, oriented.key)
        if index == len(self._keys) or self._keys[index] != oriented.key:
            return None
        return _book_entry(self._plays[index], position, oriented.back, self.game)

    def find(self, position: Position) -> BookEntry:
        """Return the entry for a position. Raise KeyError if the position is not in the book."""
        entry = self.get(position)
        if entry is None:
            raise KeyError(position)
        return entry

    def items(self) -> Iterator[Tuple[Position, BookEntry]]:
        """Yield every position with its entry, in canonical orientation, sorted by key."""
        for key, play in zip(self._keys, self._plays):
            position = position_of(key)
            yield position, _book_entry(play, position, range(PASS + 1), self.game)


def read_book(path: str, game: Variant) -> MoveBook:
    """Read a game's book from the file at ``path``.

    Raise BookError if the file cannot be read, is damaged, is not a book, has a newer format, is for other rules, or
    contains an illegal move.
    """
    try:
        return _unpack_book(json.loads(read_plain(path, _MOST_BOOK_BYTES).decode("utf-8-sig")), game)
    except OSError as error:
        raise BookError("{}: {}".format(path, error.strerror)) from None
    except BookError as error:
        raise BookError("{}: {}".format(path, error)) from None
    except (ValueError, RecursionError):
        raise BookError("{}: not JSON".format(path)) from None


def _book_entry(play: int, position: Position, back: Sequence[int], game: Variant) -> BookEntry:
    """Return the entry in a position's byte.

    back: by move in canonical orientation, the move in the position's orientation.
    """
    verdict = play >> 5
    bounds = Bounds()
    if verdict != BOOK_UNDECIDED:
        bounds = game.won_by(1 if (verdict == BOOK_WIN) == position.black_to_move else 2)
    return BookEntry(back[play & 31], verdict, bounds)


def _unpack_book(content: Any, game: Variant) -> MoveBook:
    """Return the book in parsed JSON. Raise BookError if the JSON is not valid."""
    _check_book_header(content, game)
    packed, plays = unpack_columns(content, 8, content["positions"])
    keys = array("Q")
    keys.frombytes(packed)
    if sys.byteorder == "big":
        keys.byteswap()
    _check_book_plays(keys, plays)
    return MoveBook(keys, plays, game)


def _check_book_plays(keys: "array[int]", plays: bytes) -> None:
    """Raise BookError unless the keys ascend and every position's byte has a verdict and a legal move."""
    last = -1
    for key, play in zip(keys, plays):
        move = play & 31
        if key <= last or play >> 5 > BOOK_LOSS or move > PASS:
            raise BookError("damaged: position {} is out of order, or has no move".format(key))
        last = key
        # A point with an empty neighbour is legal without a check, unless it is the ko point.
        empty = FULL & ~(key | key >> POINTS)
        if move == PASS or (empty >> move & 1 and empty & _BESIDE[move] and key >> 2 * POINTS & 31 != move + 1):
            continue
        if move not in _book_position(key).legal_moves():
            raise BookError("damaged: in position {} it plays {}, which is illegal".format(key, move_name(move)))


def _book_position(key: int) -> Position:
    try:
        return position_of(key)
    except ValueError as error:
        raise BookError("damaged: {}".format(error)) from None


def book_rules(game: Variant) -> Dict[str, Any]:
    """Return the field ``rules`` of a game's book."""
    return {"size": SIZE, "komi": game.komi, "plies": game.plies, "score": "stones"}


def _check_book_header(content: Any, game: Variant) -> None:
    version = content.get("format") if isinstance(content, dict) else None
    if not isinstance(version, int):
        raise BookError("not a Little-Go book")
    if version != BOOK_FORMAT:
        raise BookError("book format {}, but this program reads format {}".format(version, BOOK_FORMAT))
    rules = content.get("rules")
    if rules != book_rules(game):
        raise BookError("made for {}, but the game here is {}".format(_game_text(rules), game))
    if not (isinstance(content.get("data"), str) and isinstance(content.get("positions"), int)):
        raise BookError("damaged: data or the number of positions is missing")


def _game_text(rules: Any) -> str:
    if isinstance(rules, dict) and type(rules.get("plies")) is int and type(rules.get("komi")) is float:
        game = Variant(rules["plies"], rules["komi"])
        if rules == book_rules(game):
            return str(game)
    return "other rules: {}".format(json.dumps(rules))


def unpack_columns(content: Dict[str, Any], width: int, count: int) -> Tuple[bytes, bytes]:
    """Return ``count`` joined keys of ``width`` bytes each, and a byte for each key.

    Raise BookError if the data are damaged. content: a record with the keys ``data`` and ``sha256`` that
    book.files.writer.pack_columns() returns.
    """
    try:
        unpacked = zlib.decompress(a2b_base64(content["data"]))
    except ValueError:
        raise BookError("damaged: its data are not base64") from None
    except zlib.error:
        raise BookError("damaged: its data do not decompress") from None
    if hashlib.sha256(unpacked).hexdigest() != content.get("sha256"):
        raise BookError("damaged: its data do not have the sha256 it states")
    if len(unpacked) != (width + 1) * count:
        raise BookError("damaged: {} bytes of data for {} keys".format(len(unpacked), count))
    keys = bytearray(width * count)
    for column in range(width):
        keys[column::width] = unpacked[column * count : (column + 1) * count]
    return bytes(keys), unpacked[width * count :]


# --- notation/faults.py ---

class NotationError(ValueError):
    """Raised if a text cannot be read, or if its position is impossible. The message is one line.

    - ``fault``: ``damaged``, ``not-a-move``, ``off-board``, ``wrong-colour``, ``illegal``, ``too-long`` (a move after
      the end of the game), ``unreachable`` (no game leads to the position), ``ambiguous``, ``not-5x5`` or
      ``other-game``.
    - ``wanted``: a sentence that states the fault and the remedy, but not the place.
    - ``line``, ``column``: the place of the fault in the text, counted from 1, or None if the place is not known.
    - ``part``: the SGF property or the JSON key with the fault, or None in other texts.
    """

    def __init__(
        self,
        fault: str,
        wanted: str,
        line: Optional[int] = None,
        column: Optional[int] = None,
        part: Optional[str] = None,
    ) -> None:
        places = [("line", line), ("column", column)]
        where = ["{} {}".format(name, number) for name, number in places if number is not None]
        if part is not None:
            where.append(part)
        super().__init__("{}: {}".format(", ".join(where), wanted) if where else wanted)
        self.fault = fault
        self.wanted = wanted
        self.line = line
        self.column = column
        self.part = part


def place_in(text: str, offset: int) -> Tuple[Optional[int], int]:
    r"""Return the line and the column of an offset in a text, counted from 1.

    If the text has only one line, the number of the line is None.

    >>> place_in("2,2\n1,1 x", 8), place_in("2,2 x", 4)
    ((2, 5), (None, 5))
    """
    line = text.count("\n", 0, offset) + 1 if "\n" in text.strip() else None
    return line, offset - text.rfind("\n", 0, offset)


def shown(text: str) -> str:
    """Return a short form of a text for a message: its beginning, in quotes and on one line."""
    return repr(text if len(text) <= 20 else text[:20] + "...")


# --- notation/host_file.py ---

#: The files of a call. The host writes ``input.txt``, and reads ``output.txt``.
INPUT_FILE, OUTPUT_FILE = "input.txt", "output.txt"

#: The number of bytes of a file that are read. The 11 lines must be within these bytes.
MOST_INPUT_BYTES = 1 << 16

EMPTY_FOR_WHITE = "White moves on an empty board, but a PASS on the first ply ends the game"
TOO_MANY = "so many stones take {} plies or more, and then the game is over"

_INPUT_LINES = 1 + 2 * SIZE
_LINE_END = re.compile("\r\n|\r|\n")
#: The colour as hosts write it. The function int() of the course's code accepts other spellings, but no host uses them.
_COLOUR = re.compile("[+]?0*([12])")


class Question(NamedTuple):
    """The position in which the host asks for a move.

    - ``colour``: the number of the mover's colour, 1 for Black and 2 for White.
    - ``before``: the masks of Black's and White's stones before the opponent's last move.
    - ``black``, ``white``: the masks of Black's and White's stones now.
    - ``ko``: the point that the ko rule forbids for the mover, or None.
    - ``passed``: whether the opponent's last move was a PASS.
    - ``game``: the game that the host plays.
    - ``fault``: the reason why no game can lead to these boards, or None. If there is a fault, ``ko`` is the point on
      which a stone would restore the previous board.
    """

    colour: int
    before: Tuple[int, int]
    black: int
    white: int
    ko: Optional[int]
    passed: bool
    game: Variant
    fault: Optional[NotationError] = None

    def position(self, ply: int) -> Position:
        """Return the position with this ply, which is counted as in Position: the game starts at ``game.first_ply``."""
        return Position(self.black, self.white, self.ko, ply, self.passed and ply > 0)

    @property
    def least_ply(self) -> int:
        """The smallest ply of a Position with these stones, or the mover's last ply if they need too many plies."""
        passed = self.passed and not (self.colour == 1 and self.is_opening)
        least = least_ply(self.black, self.white, self.colour, passed)
        return self.game.first_ply + min(least, self.game.plies - 3 + self.colour)

    @property
    def is_opening(self) -> bool:
        """Whether this is the mover's first move, so that the ply is certain."""
        return self.before == (0, 0)


def least_ply(black: int, white: int, colour: int, passed: bool) -> int:
    """Return the smallest number of plies after which these stones can be on the board.

    The parameter ``colour`` is the number of the mover's colour, and ``passed`` states whether the last ply was a PASS.
    The result may be larger than the length of a game.
    """
    blacks, whites = bin(black).count("1"), bin(white).count("1")
    if passed:
        blacks, whites = (blacks, whites + 1) if colour == 1 else (blacks + 1, whites)
    return 2 * max(blacks, whites) if colour == 1 else 2 * max(blacks - 1, whites) + 1


def last_move(colour: int, before: Tuple[int, int], now: Tuple[int, int]) -> Optional[Position]:
    """Return the position after the stone of this colour that leads from one board to the other.

    If no such stone exists, return None.
    """
    added = now[colour - 1] & ~before[colour - 1]
    if added and not added & (added - 1):
        # The ply only determines the mover: White moves at ply 1, and Black moves at ply 2.
        try:
            after = Position(before[0], before[1], None, 3 - colour).play(added.bit_length() - 1)
        except IllegalMove:
            return None
        if (after.black, after.white) == now:
            return after
    return None


def parse_question(content: bytes, game: Variant) -> Question:
    """Parse the bytes of an ``input.txt``. Raise NotationError if the colour or the boards cannot be read."""
    lines = _input_lines(content)
    number, first = lines[0]
    colour_sign = _COLOUR.fullmatch(first)
    if colour_sign is None:
        raise NotationError(
            "damaged", "{} is not a colour: write 1 for Black or 2 for White".format(shown(first)), number, 1
        )
    colour = int(colour_sign.group(1))
    before, now = _read_rows(lines[1 : 1 + SIZE]), _read_rows(lines[1 + SIZE :])
    question = Question(colour, before, now[0], now[1], None, before == now, game)
    try:
        _check_boards(question)
        return question if question.passed else question._replace(ko=_ko_after(colour, before, now))
    except NotationError as fault:
        return question._replace(ko=_repeating(colour, before, now), fault=fault)


def _input_lines(content: bytes) -> List[Tuple[int, str]]:
    """Return the first 11 lines that are not blank, each with its line number from 1."""
    text = content[:MOST_INPUT_BYTES].decode("utf-8", "replace").lstrip("\ufeff")
    numbered = [(number, line.strip()) for number, line in enumerate(_LINE_END.split(text), 1)]
    lines = [(number, line) for number, line in numbered if line][:_INPUT_LINES]
    if len(lines) < _INPUT_LINES:
        count = "1 line" if len(lines) == 1 else "{} lines".format(len(lines))
        wanted = "{} instead of {}: write the colour, and two boards of {} rows".format(count, _INPUT_LINES, SIZE)
        raise NotationError("damaged", wanted)
    return lines


def _read_rows(lines: List[Tuple[int, str]]) -> Tuple[int, int]:
    for number, row in lines:
        signs = len(row) - len(row.lstrip("012"))
        if signs != len(row) or signs != SIZE:
            fault = "not-5x5" if signs == len(row) else "damaged"
            wanted = "{} is not a row of the board: write five digits, each 0, 1 or 2".format(shown(row))
            raise NotationError(fault, wanted, number, min(signs, SIZE) + 1)
    return parse_rows([row for _, row in lines])


def _check_boards(question: Question) -> None:
    for name, board in (("previous", question.before), ("current", (question.black, question.white))):
        empty = FULL & ~(board[0] | board[1])
        for stones in board:
            for group in groups_of(stones):
                if not neighbours(group) & empty:
                    group_name = "the group at {} on the {} board".format(move_name(next(points_of(group))), name)
                    raise NotationError("unreachable", group_name + " has no liberty")
    passed = question.passed and not (question.colour == 1 and question.is_opening)
    if question.colour == 2 and passed and question.is_opening:
        raise NotationError("unreachable", EMPTY_FOR_WHITE)
    if least_ply(question.black, question.white, question.colour, passed) >= question.game.plies:
        raise NotationError("unreachable", TOO_MANY.format(question.game.plies))


def _ko_after(colour: int, before: Tuple[int, int], now: Tuple[int, int]) -> Optional[int]:
    """Return the ko point after the opponent's move. Raise NotationError if no such move connects the boards."""
    after = last_move(3 - colour, before, now)
    if after is not None:
        return after.ko
    if last_move(colour, before, now) is not None:
        raise NotationError("wrong-colour", "the last move was the mover's own, so it is the other side's turn")
    raise NotationError("unreachable", "no move of the opponent leads from the previous board to the current one")


def _repeating(colour: int, before: Tuple[int, int], now: Tuple[int, int]) -> Optional[int]:
    """Return the point on which a stone of the mover would restore the previous board. The host forbids this move."""
    position = Position(now[0], now[1], None, 3 - colour)
    for point in points_of(before[colour - 1] & ~now[colour - 1]):
        try:
            after = position.play(point)
        except IllegalMove:
            continue
        if (after.black, after.white) == before:
            return point
    return None


# --- player/clock.py ---

#: The environment variable that sets the budget in seconds, and the default budget in seconds.
BUDGET_VARIABLE = "LITTLE_GO_CPU"
DEFAULT_BUDGET = 3.0

#: The maximum budget in seconds. It is below the CPU limit of a move in each grading scheme of the course.
MOST_BUDGET = 9.5


class Clock:
    """A budget of CPU seconds for one move. The budget begins when time.process_time() is ``start``."""

    def __init__(self, budget: float = DEFAULT_BUDGET, start: float = 0.0) -> None:
        self.budget = budget
        self._start = start

    def deadline(self, share: float = 1.0) -> float:
        """Return the value of time.process_time() at which this share of the budget is used up."""
        return self._start + share * self.budget

    def left(self) -> float:
        """Return the number of seconds left of the budget, which is negative if the budget is exceeded."""
        return self.deadline() - time.process_time()


def clock_from(environment: Mapping[str, str] = os.environ) -> Clock:
    """Return a clock whose budget is set by the environment and begins at the start of the process.

    Raise ValueError with a one-line message if the variable in the environment is invalid.
    """
    text = environment.get(BUDGET_VARIABLE)
    if text is None:
        return Clock()
    try:
        budget = float(text)
    except ValueError:
        budget = 0.0
    if not 0.0 < budget <= MOST_BUDGET:
        raise ValueError("{} is {!r}: set it to seconds above 0, at most {}".format(BUDGET_VARIABLE, text, MOST_BUDGET))
    return Clock(budget)


# --- solver/exact.py ---

#: The maximum numbers of entries in the transposition table, the hints and the caches. At these limits all
#: tables together need less than 200 MB.
_TABLE_LIMIT = 1000000
_HINT_LIMIT = 400000
_CACHE_LIMIT = 150000

#: The largest number of plies left at which a best move is stored as a hint only for the root of the search. Other
#: positions with so few plies left rarely occur again.
_HINT_LEFT = 6

#: The number of nodes between two checks of the limits.
_POLL_NODES = 1000

# The moves are searched in descending order of rank. A rank is the sum of a weight for each neighbouring point, a
# weight for each captured stone, a weight for each group that depends on its liberties after the move, and the move's
# history. There is a history for each number of plies left, in which old results soon lose their weight. The weights
# were found by a random search for the smallest number of nodes.
_RANK_NEIGHBOUR = 1.68
_RANK_CAPTURED = 1.4
_RANK_PASS = -4.2
_RANK_HISTORY = 10.0
_HISTORY_GAIN = 0.28
_HISTORY_LOSS = 0.6
_RANK_HINT = 1000.0

#: A group: the mask of its neighbours, the number of its stones, and the mask of its stones.
_ExactGroup = Tuple[int, int, int]

#: A move as the bit of its point (0 for PASS), and the part of its rank that depends only on the point.
_RankedBit = Tuple[int, float]

#: The move PASS with its rank, in a tuple.
_PASSING: Tuple[_RankedBit, ...] = ((0, _RANK_PASS),)


def _half_neighbours(first: int, count: int) -> List[int]:
    """Return a table with the neighbours of every subset of the ``count`` points from ``first`` on.

    The index of a subset is its mask, shifted to the right by ``first`` bits.
    """
    table = [0]
    for point in range(first, first + count):
        near = neighbours(1 << point)
        table += [mask | near for mask in table]
    return table


_NEAR_LOW = _half_neighbours(0, 13)
_NEAR_HIGH = _half_neighbours(13, 12)
_NEAR_BIT = {1 << point: neighbours(1 << point) for point in range(POINTS)}

#: The points in the order in which moves are judged: points with four neighbours come first, and the corners last.
_RANKED_BITS: List[_RankedBit] = sorted(
    ((bit, _RANK_NEIGHBOUR * bin(near).count("1")) for bit, near in _NEAR_BIT.items()), key=lambda pair: -pair[1]
)

#: The element _BOUNDS[lo][hi] is the tuple (lo, hi). Entries of the table share these tuples, which saves memory.
_BOUNDS = [[(lo, hi) for hi in (*range(MOST + 1), *range(LEAST, 0))] for lo in (*range(MOST + 1), *range(LEAST, 0))]


class CountCache(Dict[int, int]):
    """A cache that maps a mask to the number of its points."""

    def __missing__(self, mask: int) -> int:
        count = self[mask] = bin(mask).count("1")
        return count


class _MoveCache(Dict[int, Tuple[_RankedBit, ...]]):
    """A cache that maps a mask to its points. The points are ranked bits, in the order in which moves are judged."""

    def __missing__(self, mask: int) -> Tuple[_RankedBit, ...]:
        moves = self[mask] = tuple([pair for pair in _RANKED_BITS if pair[0] & mask])
        return moves


class GroupCache(Dict[int, Tuple[_ExactGroup, ...]]):
    """A cache that maps a mask of one colour's stones to its groups. Equal groups of several masks are one object."""

    def __init__(self) -> None:
        self._by_stones: Dict[int, _ExactGroup] = {}

    def __missing__(self, stones: int) -> Tuple[_ExactGroup, ...]:
        groups = []
        rest = stones
        while rest:
            group = rest & -rest
            while True:
                grown = (group | _NEAR_LOW[group & 8191] | _NEAR_HIGH[group >> 13]) & rest
                if grown == group:
                    break
                group = grown
            rest ^= group
            groups.append(self._by_stones.get(group) or self._describe(group))
        result = self[stones] = tuple(groups)
        return result

    def extend(self, groups: Tuple[_ExactGroup, ...], stone: int, stones: int) -> Tuple[_ExactGroup, ...]:
        """Store and return the groups of ``stones``, the mask that results from ``groups`` if ``stone`` is added."""
        merged, apart = stone, []
        for group in groups:
            if group[0] & stone:
                merged |= group[2]
            else:
                apart.append(group)
        apart.append(self._by_stones.get(merged) or self._describe(merged))
        result = self[stones] = tuple(apart)
        return result

    def trim(self, limit: int) -> None:
        """Remove all entries if the cache has more than ``limit`` entries."""
        if len(self) > limit:
            self.clear()
            self._by_stones.clear()

    def _describe(self, group: int) -> _ExactGroup:
        near = (_NEAR_LOW[group & 8191] | _NEAR_HIGH[group >> 13]) & ~group
        entry = self._by_stones[group] = (near, bin(group).count("1"), group)
        return entry


def _own_rank(size: int, liberties: int) -> float:
    """Return the weight, in the rank of a move, of a group of the mover with these stones and liberties afterwards."""
    danger = 2.4 + 1.7 * size if liberties < 2 else 0.3 + 0.4 * size if liberties == 2 else 0.0
    return 0.5 * min(liberties, 8) - 1.4 - danger


def _opp_rank(size: int, liberties: int) -> float:
    """Return the weight, in the rank of a move, of an opponent's group with these stones and liberties afterwards."""
    return (0.6 + 1.2 * size if liberties < 2 else 0.0) - 0.5 * min(liberties, 8)


#: Tables with the weights of groups, indexed by the number of stones and the number of liberties.
_OWN_RANKS = [[_own_rank(size, liberties) for liberties in range(POINTS)] for size in range(POINTS)]
_OPP_RANKS = [[_opp_rank(size, liberties) for liberties in range(POINTS)] for size in range(POINTS)]


class _SearchStopped(Exception):
    """Raised by a search that has reached its node limit or its CPU deadline."""


def _trim(tables: List[Dict[int, Tuple[int, int]]]) -> None:
    """Empty as many tables as necessary, beginning with the first, so that the total size is within the limit."""
    size = sum([len(table) for table in tables])
    for table in tables:
        # The first tables are for the fewest plies left, so the search can restore their entries in the shortest time.
        if size <= _TABLE_LIMIT:
            break
        size -= len(table)
        table.clear()


def _make_quiet_points() -> Callable[[Tuple[_ExactGroup, ...], int, int], int]:
    """Return quiet_points() as a closure, because variables of a closure are faster than variables of a module."""
    near_low, near_high = _NEAR_LOW, _NEAR_HIGH

    def quiet_points(own_groups: Tuple[_ExactGroup, ...], empty: int, captures: int) -> int:
        """Return the points outside ``captures`` on which a new stone of the mover has a liberty."""
        points = (near_low[empty & 8191] | near_high[empty >> 13]) & empty
        if points | captures != empty:
            for near, _, _ in own_groups:
                liberties = near & empty
                if liberties & (liberties - 1):
                    points |= liberties
        return points & ~captures

    return quiet_points


def _make_last_two(groups_of: GroupCache, moves_of: _MoveCache) -> Callable[[int, int, int, int, int], int]:
    near_low, near_high, near_bit = _NEAR_LOW, _NEAR_HIGH, _NEAR_BIT
    passing, full = _PASSING, FULL

    def last_two(me: int, opp: int, ko: int, margin: int, goal: int) -> int:
        """Search a position with two plies left. From the result of each move, subtract the gain of the best reply."""
        # Find the points on which a stone captures.
        empty = full ^ (me | opp)
        captures = 0
        for near, _, _ in groups_of[opp]:
            liberties = near & empty
            if not liberties & (liberties - 1):
                captures |= liberties
        if not captures and margin + 1 < goal:
            return margin + 1
        # Find the legal points, and list the captures first.
        legal = (near_low[empty & 8191] | near_high[empty >> 13]) & empty | captures
        if legal != empty:
            for near, _, _ in groups_of[me]:
                liberties = near & empty
                if liberties & (liberties - 1):
                    legal |= liberties
        legal &= ~ko
        moves = moves_of[captures & legal] + moves_of[legal & ~captures] if captures else moves_of[legal]
        best = margin
        if margin >= goal:
            best = LEAST
            moves += passing
        for bit, _ in moves:
            result = margin
            opp_after, ko_after = opp, 0
            if bit:
                result += 1
                if bit & captures:
                    for near, size, group in groups_of[opp]:
                        if near & empty == bit:
                            opp_after ^= group
                            result += size
                    captured = opp ^ opp_after
                    if not captured & (captured - 1) and not near_bit[bit] & ~opp:
                        ko_after = captured
            if result >= goal:
                # The best reply is the stone that captures the most stones. If no stone captures, all legal stones are
                # equally good. If no stone is legal, the best reply is PASS.
                after = full ^ (me | bit | opp_after)
                in_atari: Dict[int, int] = {}
                for near, size, _ in groups_of[me | bit]:
                    liberties = near & after
                    if not liberties & (liberties - 1) and liberties != ko_after:
                        in_atari[liberties] = in_atari.get(liberties, 0) + size
                if in_atari:
                    result -= 1 + max(in_atari.values())
                elif (near_low[after & 8191] | near_high[after >> 13]) & after & ~ko_after:
                    result -= 1
                else:
                    for near, _, _ in groups_of[opp_after]:
                        liberties = near & after
                        if liberties & (liberties - 1):
                            result -= 1
                            break
                if result >= goal:
                    return result
            if result > best:
                best = result
        return best

    return last_two


#: The type of a function that receives me, opp, the ko bit, the plies left, the margin, the goal, the node limit and
#: the CPU deadline, and returns a bound and the bit of a move.
_ExactSearch = Callable[[int, int, int, int, int, int, Optional[int], Optional[float]], Tuple[int, int]]


class ExactSolver:
    """A solver that keeps its table of proven bounds from search to search.

    The table and the caches together need less than 200 MB. The public attribute ``nodes`` is the number of positions
    that all searches of this solver have reached, not counting positions after the last ply.
    """

    def __init__(self) -> None:
        self.nodes = 0
        self._hints: Dict[int, int] = {}
        self._search = self._make_search()

    def decide(
        self, position: Position, threshold: int, node_limit: Optional[int] = None, cpu_deadline: Optional[float] = None
    ) -> Answer:
        """Decide whether the position's value, from Black's point of view, is at least ``threshold``.

        The search stops after ``node_limit`` nodes, or when time.process_time() reaches ``cpu_deadline``. A limit that
        is None does not apply. If a limit stopped the search, the bounds of the Answer do not decide the question.
        """
        if position.is_over:
            return Answer(position.margin, position.margin, None, 0)
        black = position.black_to_move
        me, opp = (position.black, position.white) if black else (position.white, position.black)
        ko = 0 if position.ko is None else 1 << position.ko
        margin = position.margin if black else -position.margin
        goal = threshold if black else 1 - threshold
        before = self.nodes
        if position.left <= 2:
            value, move = self._play_out(position)
            return Answer(value, value, move, self.nodes - before)
        if position.pass_ends and margin >= goal:
            bound, bit = margin, 0
        else:
            try:
                bound, bit = self._search(me, opp, ko, position.left, margin, goal, node_limit, cpu_deadline)
            except _SearchStopped:
                bit = self._hints.get(opp << POINTS | me | ko << 2 * POINTS, -1)
                best = position.legal_moves()[0] if bit < 0 else _move_of_bit(bit)
                return Answer(LEAST, MOST, best, self.nodes - before)
        lo, hi = (bound, MOST) if bound >= goal else (LEAST, bound)
        if not black:
            lo, hi = -hi, -lo
        return Answer(lo, hi, _move_of_bit(bit), self.nodes - before)

    def value(
        self, position: Position, node_limit: Optional[int] = None, cpu_deadline: Optional[float] = None
    ) -> Answer:
        """Return the position's exact value, or the bounds that were proven within the same limits as for decide()."""
        before = self.nodes
        lo, hi = LEAST, MOST
        best: Optional[int] = None
        guess = min(max(position.margin, LEAST + 1), MOST)
        while lo < hi:
            rest = None if node_limit is None else node_limit - (self.nodes - before)
            answer = self.decide(position, guess, rest, cpu_deadline)
            reached = answer.at_least(guess)
            if best is None or reached == position.black_to_move:
                best = answer.best
            if reached is None:
                break
            lo, hi = max(lo, answer.lo), min(hi, answer.hi)
            guess = lo + 1 if reached else hi
        return Answer(lo, hi, best, self.nodes - before)

    def _play_out(self, position: Position) -> Tuple[int, int]:
        """Try all moves, and return the exact value from Black's point of view and a move that keeps this value."""
        self.nodes += 1
        best, best_move = None, PASS
        sign = 1 if position.black_to_move else -1
        for move in position.legal_moves():
            child = position.play(move)
            value = sign * (child.margin if child.is_over else self._play_out(child)[0])
            if best is None or value > best:
                best, best_move = value, move
        return sign * (best or 0), best_move

    def _make_search(self) -> _ExactSearch:
        counts = CountCache()
        moves_of = _MoveCache()
        groups_of = GroupCache()
        near_bit, bounds, full = _NEAR_BIT, _BOUNDS, FULL
        own_ranks, opp_ranks = _OWN_RANKS, _OPP_RANKS
        cached_groups = groups_of.get
        hints = self._hints
        # For positions with ``left`` plies left, tables[left] maps me | opp << 25 | ko bit << 50 to bounds (lo, hi).
        tables: List[Dict[int, Tuple[int, int]]] = [{} for _ in range(POINTS)]
        histories: List[Dict[int, float]] = [dict.fromkeys((0, *near_bit), 0.0) for _ in range(POINTS)]
        passing = _PASSING
        quiet_points, last_two = _make_quiet_points(), _make_last_two(groups_of, moves_of)
        no_bounds = (LEAST, MOST)
        rank_captured, rank_hint, history_most = _RANK_CAPTURED, _RANK_HINT, _RANK_HISTORY
        history_gain, history_loss = _HISTORY_GAIN, _HISTORY_LOSS
        nodes = next_poll = failed_bit = question_left = 0
        node_stop: Optional[int] = None
        cpu_stop: Optional[float] = None

        def poll() -> None:
            nonlocal next_poll
            next_poll = nodes + _POLL_NODES
            if node_stop is not None:
                if nodes >= node_stop:
                    raise _SearchStopped
                next_poll = min(next_poll, node_stop)
            if cpu_stop is not None and time.process_time() >= cpu_stop:
                raise _SearchStopped
            groups_of.trim(_CACHE_LIMIT)
            if len(counts) + len(moves_of) > _CACHE_LIMIT:
                counts.clear()
                moves_of.clear()
            if len(hints) > _HINT_LIMIT:
                hints.clear()
            _trim(tables)

        def last_three(me: int, opp: int, ko: int, key: int, left: int, margin: int, goal: int) -> int:
            """Search a position with three plies left by last_two(), which is faster than computing the siege."""
            nonlocal nodes, failed_bit
            if nodes >= next_poll:
                poll()
            empty = full ^ (me | opp)
            own_groups = groups_of[me]
            captures = 0
            captured_at: Dict[int, int] = {}
            for near, _, group in groups_of[opp]:
                liberties = near & empty
                if not liberties & (liberties - 1):
                    captures |= liberties
                    captured_at[liberties] = captured_at.get(liberties, 0) | group
            moves = moves_of[captures & ~ko] + moves_of[quiet_points(own_groups, empty, captures) & ~ko]
            best, best_bit = margin, 0
            if margin >= goal:
                best = LEAST
                moves += passing
            for bit, _ in moves:
                nodes += 1
                me_after, opp_after, ko_after, margin_after = me | bit, opp, 0, margin
                if bit:
                    margin_after += 1
                    if bit & captures:
                        captured = captured_at[bit]
                        opp_after ^= captured
                        margin_after += counts[captured]
                        if not captured & (captured - 1) and not near_bit[bit] & ~opp:
                            ko_after = captured
                    if me_after not in groups_of:
                        groups_of.extend(own_groups, bit, me_after)
                bound = -last_two(opp_after, me_after, ko_after, -margin_after, 1 - goal)
                if bound >= goal:
                    # With three plies left, a hint is needed only at the root, where run() returns it as the best move.
                    if left == question_left:
                        hints[key] = bit
                    return bound
                if bound > best:
                    best, best_bit = bound, bit
            failed_bit = best_bit
            return best

        def search(me: int, opp: int, ko: int, key: int, left: int, margin: int, goal: int) -> int:
            """Search a position with four or more plies left, which has the key ``key`` in ``tables``."""
            nonlocal nodes, failed_bit
            if nodes >= next_poll:
                poll()
            uses_hints = left > _HINT_LEFT or left == question_left
            hint = hints.get(key, -1) if uses_hints else -1
            history = histories[left]
            table = tables[left - 1]
            # After the move, the opponent has ``their_plies`` plies and moves first; the mover has ``my_plies`` plies.
            my_plies, their_plies = (left - 1) >> 1, left >> 1
            their_extra_ply = their_plies - my_plies
            keeper_margin = goal + their_extra_ply
            empty = full ^ (me | opp)
            own_groups, opp_groups = groups_of[me], groups_of[opp]
            captures = 0
            captured_at: Dict[int, int] = {}
            for near, _, group in opp_groups:
                liberties = near & empty
                if not liberties & (liberties - 1):
                    captures |= liberties
                    captured_at[liberties] = captured_at.get(liberties, 0) | group
            best, best_bit = (margin, 0) if margin < goal else (LEAST, 0)
            to_search = []

            # Step 1. Judge the captures before the other moves, because most searches end with a capture.
            for quiet in (False, True):
                if quiet:
                    moves = moves_of[quiet_points(own_groups, empty, captures) & ~ko]
                    if margin >= goal:
                        moves += passing
                else:
                    moves = moves_of[captures & ~ko]
                for bit, rank in moves:
                    # Step 2. Make the move.
                    nodes += 1
                    me_after, opp_after, ko_after, margin_after = me | bit, opp, 0, margin
                    opp_groups_after = opp_groups
                    if bit:
                        margin_after += 1
                        if bit & captures:
                            captured = captured_at[bit]
                            opp_after ^= captured
                            opp_groups_after = groups_of[opp_after]
                            margin_after += counts[captured]
                            rank += rank_captured * counts[captured]
                            if not captured & (captured - 1) and not near_bit[bit] & ~opp:
                                ko_after = captured
                    after = full ^ (me_after | opp_after)

                    # Step 3. Look up the bounds after the move, which may answer the question or exclude the move.
                    key_after = opp_after | me_after << 25
                    if ko_after:
                        key_after |= ko_after << 50
                    entry = table.get(key_after)
                    if entry is not None:
                        low, high = entry
                        if -high >= goal:
                            if uses_hints:
                                hints[key] = bit
                            return -high
                        if -low < goal:
                            if -low > best:
                                best, best_bit = -low, bit
                            continue

                    # Step 4. Choose the keeper. If each further ply only adds a stone, the mover either reaches the
                    # goal or fails. Only the side that succeeds in this way can be a keeper whose bound decides the
                    # move. The groups of the other side influence only the rank.
                    mover_keeps = margin_after >= keeper_margin
                    if mover_keeps:
                        groups = cached_groups(me_after)
                        if groups is None:
                            groups = groups_of.extend(own_groups, bit, me_after)
                        ranks = own_ranks
                        keeper_plies, attacker_plies, attacker_extra_ply = my_plies, their_plies, their_extra_ply
                    else:
                        groups = opp_groups_after
                        ranks = opp_ranks
                        keeper_plies, attacker_plies, attacker_extra_ply = their_plies, my_plies, 1 - their_extra_ply

                    # Step 5. Count the keeper's standing groups and targets. The number ``standing_apart`` counts a
                    # standing group only if the group shares no liberty with an earlier standing group.
                    most_liberties = standing_apart = standing_liberties = target_stones = target_liberties = (
                        targets
                    ) = 0
                    smallest_target = POINTS
                    for near, size, _ in groups:
                        liberties = near & after
                        count = counts[liberties]
                        rank += ranks[size][count]
                        if count > attacker_plies:
                            if count > most_liberties:
                                most_liberties = count
                            if not standing_liberties & liberties:
                                standing_apart += 1
                            standing_liberties |= liberties
                        else:
                            target_liberties |= liberties
                            targets += 1
                            target_stones += size
                            if size < smallest_target:
                                smallest_target = size

                    # Step 6. Find the keeper's growth, and the number of stones that the keeper loses.
                    if standing_apart > 1:
                        growth = keeper_plies
                        # The opponent is the keeper and moves first, so its first fill needs a spare liberty already.
                        if not mover_keeps and most_liberties == attacker_plies + 1:
                            growth -= 1
                    elif standing_apart:
                        growth = most_liberties - attacker_plies - 1
                        if growth > keeper_plies:
                            growth = keeper_plies
                    else:
                        growth = 0
                    if target_stones:
                        if targets > 1:
                            if counts[target_liberties] > attacker_plies:
                                target_stones -= smallest_target
                        elif standing_apart == 1 and growth < keeper_plies:
                            spare = counts[target_liberties & ~standing_liberties] - attacker_extra_ply
                            if spare > keeper_plies - growth:
                                spare = keeper_plies - growth
                            if spare > 0:
                                target_stones = target_stones - spare if target_stones > spare else 0

                    # Step 7. Compute the bound of the siege, which may answer the question or exclude the move.
                    if mover_keeps:
                        bound = margin_after - their_plies + growth - target_stones
                        if bound >= goal:
                            if uses_hints:
                                hints[key] = bit
                            return bound
                        groups, ranks = opp_groups_after, opp_ranks
                    else:
                        bound = margin_after + my_plies - growth + target_stones
                        if bound < goal:
                            if bound > best:
                                best, best_bit = bound, bit
                            continue
                        groups = cached_groups(me_after)
                        if groups is None:
                            groups = groups_of.extend(own_groups, bit, me_after)
                        ranks = own_ranks

                    # Step 8. Complete the rank of the move, which is still open.
                    for near, size, _ in groups:
                        rank += ranks[size][counts[near & after]]
                    if bit == hint:
                        rank += rank_hint
                    to_search.append((rank + history[bit], bit, opp_after, me_after, ko_after, key_after, margin_after))

            # Step 9. Search the open moves in descending order of rank.
            to_search.sort(reverse=True)
            search_deeper = search if left > 4 else last_three
            other_goal = 1 - goal
            for _, bit, opp_after, me_after, ko_after, key_after, margin_after in to_search:
                # Step 10. Search the move, and store the answer. The bounds in the table are still the same as in step
                # 3, because only this loop writes entries with this number of plies left, and writes each entry once.
                low, high = table.get(key_after, no_bounds)
                bound = search_deeper(opp_after, me_after, ko_after, key_after, left - 1, -margin_after, other_goal)
                if bound < other_goal:
                    table[key_after] = bounds[low][bound]
                    if uses_hints:
                        hints[key] = bit
                    history[bit] += (history_most - history[bit]) * history_gain
                    return -bound
                table[key_after] = bounds[bound][high]
                history[bit] -= history[bit] * history_loss
                if -bound > best:
                    best, best_bit = -bound, bit
            failed_bit = best_bit
            return best

        def run(
            me: int,
            opp: int,
            ko: int,
            left: int,
            margin: int,
            goal: int,
            node_limit: Optional[int],
            cpu_deadline: Optional[float],
        ) -> Tuple[int, int]:
            nonlocal next_poll, node_stop, cpu_stop, question_left
            question_left = left
            cpu_stop = cpu_deadline
            node_stop = None if node_limit is None else nodes + node_limit
            before = nodes
            poll()
            key = opp << POINTS | me | ko << 2 * POINTS
            try:
                bound = (search if left > 3 else last_three)(me, opp, ko, key, left, margin, goal)
            finally:
                self.nodes += nodes - before
            return bound, hints[key] if bound >= goal else failed_bit

        return run


def _move_of_bit(bit: int) -> int:
    return bit.bit_length() - 1 if bit else PASS


# --- solver/alphabeta.py ---

#: The number that is added to the winner's score when a game is finished.
WON_SCORE = 10000

_SCORE_LIMIT = 100000
_SCORE_TABLE_LIMIT = 300000
_TIME_CHECK_NODES = 200

# The weights of the evaluation, in hundredths of a stone. Among many variations, these weights won the most games
# against the others; the ends of the games were judged exactly.
_STONE = 100
_LIBERTY_VALUE = 14
_CENTRE_VALUE = 30
#: The score of each stone of a group in atari, for four kinds of groups: the mover's largest group in atari, the
#: mover's other groups in atari, the opponent's largest group in atari, and the opponent's other groups in atari.
_ATARI_VALUES = (-50, -90, 95, 60)
#: The penalty for each stone of a group with two liberties, and the score of each stone of a group that is safe.
_SHORT_VALUE, _SAFE_VALUE = 28, 20

_BIT_NEAR = {1 << p: neighbours(1 << p) for p in range(POINTS)}
_RINGS = [sum(1 << p for p in range(POINTS) if FROM_CENTRE[p] <= most) for most in (3, 2, 1, 0)]

#: An entry of the table of scores: the depth, the score, the kind of the score (1 = lower bound, -1 = upper bound, 0 =
#: exact), and the bit of the best move.
_ScoreEntry = Tuple[int, int, int, int]

#: A move and the position after the move: the bit of the move (0 for PASS), the stones of the next mover, the stones of
#: the other side, and the bit of the ko point.
_Child = Tuple[int, int, int, int]


class Advice(NamedTuple):
    """The result of the search with an evaluation.

    - ``move``: the best move that the search found; this move is always legal.
    - ``score``: the score of this move, as defined in the docstring of this module.
    - ``depth``: the depth of the last complete search in plies, 0 or more.
    - ``nodes``: the number of positions that were searched.
    """

    move: int
    score: int
    depth: int
    nodes: int


class _OutOfTime(Exception):
    """Raised by a search if its CPU deadline has passed."""


class AlphaBeta:
    """A search that keeps its table of scores from call to call."""

    def __init__(self, komi: float) -> None:
        self._komi_score = int(_STONE * komi)
        self._counts = CountCache()
        self._groups = GroupCache()
        self._table: Dict[Tuple[int, int, int, int, bool], _ScoreEntry] = {}
        self._history: Dict[int, int] = {}
        self._nodes = 0
        self._next_check = 0
        self._deadline: Optional[float] = None

    def search(
        self, position: Position, cpu_deadline: Optional[float] = None, depth_limit: Optional[int] = None
    ) -> Advice:
        """Return the best move that the search finds. Raise ValueError if the game is over.

        The search stops when time.process_time() reaches ``cpu_deadline``, unless this is None. The parameter
        ``depth_limit`` is the largest depth in plies, at least 1, or None for all plies that are left.
        """
        if position.is_over:
            raise ValueError("the game is over")
        black = position.black_to_move
        me, opp = (position.black, position.white) if black else (position.white, position.black)
        ko = 0 if position.ko is None else 1 << position.ko
        self._history.clear()
        self._deadline = cpu_deadline
        self._nodes, self._next_check = 0, _TIME_CHECK_NODES
        self._trim()
        children = self._children(me, opp, ko, position.left, 0)
        advice = Advice(_point_of(children[0][0]), 0, 0, 0)
        for depth in range(1, min(depth_limit or position.left, position.left) + 1):
            try:
                advice, children = self._root(position, children, depth)
            except _OutOfTime:
                break
        return advice._replace(nodes=self._nodes)

    def _root(self, position: Position, children: List[_Child], depth: int) -> Tuple[Advice, List[_Child]]:
        """Search every move to a depth. Return the advice, and the moves sorted with the best move first."""
        best, ranked = -_SCORE_LIMIT, []
        left = position.left
        margin = position.margin if position.black_to_move else -position.margin
        for number, child in enumerate(children):
            bit, me, opp, ko = child
            if not bit and position.pass_ends:
                score = self._final(margin, left)
            else:
                score = -self._negamax(me, opp, ko, left - 1, not bit, depth - 1, -_SCORE_LIMIT, -best)
            # Moves that are not better than an earlier move keep their order, because their search returns only a
            # bound.
            ranked.append((-score if score > best else _SCORE_LIMIT, number, child))
            best = max(best, score)
        ranked.sort(key=lambda item: item[:2])
        children = [child for _, _, child in ranked]
        return Advice(_point_of(children[0][0]), best, depth, 0), children

    def _negamax(self, me: int, opp: int, ko: int, left: int, passed: bool, depth: int, alpha: int, beta: int) -> int:
        """Return the mover's score. The score is exact if it is between alpha and beta, and otherwise a bound."""
        self._nodes += 1
        if self._nodes >= self._next_check:
            self._check_time()
        margin = self._counts[me] - self._counts[opp]
        if left == 0:
            return self._final(margin, left)
        if depth <= 0:
            return self._evaluate(me, opp, left)
        key = (me, opp, ko, left, passed)
        entry = self._table.get(key)
        hint = -1
        if entry is not None:
            known, score, side, hint = entry
            if known >= depth and (side == 0 or (score >= beta if side > 0 else score <= alpha)):
                return score
        best, best_bit, floor = -_SCORE_LIMIT, 0, alpha
        for bit, next_me, next_opp, next_ko in self._children(me, opp, ko, left, hint):
            if not bit and passed:
                score = self._final(margin, left)
            else:
                score = -self._negamax(next_me, next_opp, next_ko, left - 1, not bit, depth - 1, -beta, -alpha)
            if score > best:
                best, best_bit = score, bit
                alpha = max(alpha, score)
                if score >= beta:
                    self._history[bit] = self._history.get(bit, 0) + depth * depth
                    break
        self._table[key] = (depth, best, 1 if best >= beta else 0 if best > floor else -1, best_bit)
        return best

    def _children(self, me: int, opp: int, ko: int, left: int, hint: int) -> List[_Child]:
        """Return the moves, sorted by captures and history. The hint comes first. PASS comes last, unless it is the
        hint.
        """
        ranked = []
        for child, taken in self._stones(me, opp, ko):
            bit = child[0]
            rank = _SCORE_LIMIT if bit == hint else 1000 * taken + self._history.get(bit, 0)
            ranked.append((rank + 4 - FROM_CENTRE[bit.bit_length() - 1], child))
        ranked.append((2 * _SCORE_LIMIT if hint == 0 else -1, (0, opp, me, 0)))
        ranked.sort(key=lambda item: -item[0])
        return [child for _, child in ranked]

    def _stones(self, me: int, opp: int, ko: int) -> Iterator[Tuple[_Child, int]]:
        """Yield each legal move except PASS, with the number of stones that it captures."""
        empty = FULL ^ (me | opp)
        legal = empty & neighbours(empty)
        for near, _, _ in self._groups[me]:
            if near & empty & ((near & empty) - 1):
                legal |= near & empty
        taken_at: Dict[int, int] = {}
        for near, _, group in self._groups[opp]:
            liberties = near & empty
            if not liberties & (liberties - 1):
                taken_at[liberties] = taken_at.get(liberties, 0) | group
                legal |= liberties
        legal &= ~ko
        while legal:
            bit = legal & -legal
            legal ^= bit
            taken = taken_at.get(bit, 0)
            lone = taken and not taken & (taken - 1) and not _BIT_NEAR[bit] & ~opp
            yield (bit, opp ^ taken, me | bit, taken if lone else 0), self._counts[taken]

    def _evaluate(self, me: int, opp: int, left: int) -> int:
        counts = self._counts
        empty = FULL ^ (me | opp)
        mine, theirs = (left + 1) >> 1, left >> 1
        score = _STONE * (counts[me] - counts[opp] + mine - theirs)
        score += _LIBERTY_VALUE * (counts[neighbours(me) & empty] - counts[neighbours(opp) & empty])
        if left > GAME_PLIES // 2:
            score += _CENTRE_VALUE * sum([counts[me & ring] - counts[opp & ring] for ring in _RINGS])
        score += self._group_score(me, empty, theirs, _ATARI_VALUES[0], _ATARI_VALUES[1])
        score -= self._group_score(opp, empty, mine, -_ATARI_VALUES[2], -_ATARI_VALUES[3])
        return score + (self._komi_score if left & 1 else -self._komi_score)

    def _group_score(self, stones: int, empty: int, attackers: int, worst_value: int, other_value: int) -> int:
        """Return the total score of one side's groups, which depends on the liberties of each group.

        The other side has ``attackers`` plies left. Each stone of the largest group in atari scores ``worst_value``,
        and each stone of the other groups in atari scores ``other_value``.
        """
        score = worst = in_atari = 0
        for near, size, _ in self._groups[stones]:
            liberties = self._counts[near & empty]
            if liberties > attackers:
                score += _SAFE_VALUE * size
            elif liberties == 1:
                in_atari += size
                worst = max(worst, size)
            elif liberties == 2:
                score -= _SHORT_VALUE * size
        return score + worst_value * worst + other_value * (in_atari - worst)

    def _final(self, margin: int, left: int) -> int:
        """Return the mover's score at the end of the game. White gets the komi, and moves if ``left`` is odd."""
        score = _STONE * margin + (self._komi_score if left & 1 else -self._komi_score)
        return score + WON_SCORE if score > 0 else score - WON_SCORE

    def _check_time(self) -> None:
        self._next_check = self._nodes + _TIME_CHECK_NODES
        self._trim()
        if self._deadline is not None and time.process_time() >= self._deadline:
            raise _OutOfTime

    def _trim(self) -> None:
        if len(self._table) > _SCORE_TABLE_LIMIT:
            self._table.clear()
        self._groups.trim(_SCORE_TABLE_LIMIT)


def _point_of(bit: int) -> int:
    return bit.bit_length() - 1 if bit else PASS


# --- player/choose.py ---

#: The type of a function that searches an unfinished position and returns the answer.
Answerer = Callable[[Position], Answer]


def hardest_move(
    position: Position, moves: Iterable[int], decide: Answerer, value: Answerer, game: Variant
) -> Optional[int]:
    """Return the move after which the smallest number of replies keeps the other side's win.

    If several moves have the same number of replies, return the first move with the best value. The list ``moves``
    begins with the most promising move. The function ``decide`` finds the winner and, if the mover wins, a winning
    move. The function ``value`` finds the exact value. If ``decide`` cannot find a winner, return the best of the moves
    that were tried before, or None if there are no such moves.
    """
    best: List[int] = []
    # No position has more replies.
    fewest = POINTS + 1
    for move in moves:
        child = position.play(move)
        holding = None if child.is_over else _holding_replies(child, fewest, decide, game)
        if holding is None:
            if child.is_over:
                continue
            break
        if holding < fewest:
            best, fewest = [], holding
        if holding == fewest:
            best.append(move)
    return _best_value(position, best, value) if best else None


def _holding_replies(child: Position, enough: int, decide: Answerer, game: Variant) -> Optional[int]:
    """Return the number of replies that keep the mover's win, or None if ``decide`` cannot find a winner.

    A result of ``enough`` + 1 means that there are at least this number of such replies.
    """
    replies = child.legal_moves()
    known = decide(child).best
    if known in replies:
        # Begin with a reply that keeps the win, so that the count for a bad move reaches ``enough`` early.
        replies.remove(known)
        replies.insert(0, known)
    holding = 0
    for reply in replies:
        after = child.play(reply)
        winner = game.winner(decide(after)) if not after.is_over else game.leader(after)
        if winner is None:
            return None
        holding += winner == child.mover
        if holding > enough:
            break
    return holding


def _best_value(position: Position, moves: List[int], value: Answerer) -> int:
    """Return the first move with the best value.

    If ``value`` cannot determine the value of a move, return the best of the moves before it, or else the first move.
    """
    if len(moves) == 1:
        return moves[0]
    sign = 1 if position.black_to_move else -1
    best, best_value = moves[0], None
    for move in moves:
        reached = value(position.play(move)).value
        if reached is None:
            break
        if best_value is None or sign * reached > sign * best_value:
            best, best_value = move, reached
    return best


#: The largest number of plies left at which the exact search is tried. With more plies left, the exact search would not
#: finish within its share of the time.
EXACT_LEFT = 16

#: The largest number of plies left at which all replies to a move of a lost game can be decided in time.
LOST_LEFT = 13

#: The share of the budget that alpha-beta gets if too many plies are left for the exact search. With more time
#: alpha-beta would rarely find a better move.
SEARCH_SHARE = 0.4

#: The share of the budget after which the exact search stops, and the share after which alpha-beta stops. The rest is
#: reserved for the time between two checks of the clock and for the end of the process.
EXACT_SHARE, LAST_SHARE = 0.6, 0.9

#: The largest share of the budget that is spent on a move in a lost game.
LOST_SHARE = 0.3


class MoveChoice(NamedTuple):
    """The chosen move, and the way in which it was chosen.

    - ``source``: ``pass`` (a PASS ends the game as a win), ``book``, ``exact`` or ``search``.
    - ``winner``: the number of the colour that is proven to win, 1 or 2, or None if no winner is proven.
    - ``nodes``: the number of nodes of the exact search that proved the winner.
    """

    move: int
    source: str
    winner: Optional[int] = None
    nodes: int = 0


def choose_move(position: Position, clock: Clock, book: Optional[MoveBook] = None, *, game: Variant) -> MoveChoice:
    """Choose the move in an unfinished position, within the budget of the clock."""
    mover, share = position.mover, SEARCH_SHARE
    if position.pass_ends and game.leader(position) == mover:
        return MoveChoice(PASS, "pass", mover)
    entry = book.get(position) if book is not None else None
    if entry is not None and entry.verdict != BOOK_UNDECIDED and entry.move in position.legal_moves():
        return MoveChoice(entry.move, "book", game.winner(entry.bounds))
    if position.left <= EXACT_LEFT:
        solver, share = ExactSolver(), LAST_SHARE
        answer = decide_turned(solver, position, clock.deadline(EXACT_SHARE), game=game)
        winner = game.winner(answer)
        if winner == mover and answer.best is not None:
            return MoveChoice(answer.best, "exact", mover, answer.nodes)
        if winner is not None:
            move = _play_on(position, _lost_move(position, clock, solver, game))
            return MoveChoice(move, "exact", winner, answer.nodes)
    if entry is not None and entry.move in position.legal_moves():
        return MoveChoice(entry.move, "book")
    return MoveChoice(AlphaBeta(game.komi).search(position, clock.deadline(share)).move, "search")


def decide_turned(
    solver: ExactSolver, position: Position, cpu_deadline: Optional[float] = None, *, game: Variant
) -> Answer:
    """Turn a position to its canonical orientation, and find the winner.

    In this way the search and the move are the same for all eight symmetric positions. So when the book is made, it is
    enough to measure the search for one of these positions.
    """
    oriented = Oriented.of(position)
    answer = solver.decide(oriented.position, game.least, cpu_deadline=cpu_deadline)
    return answer._replace(best=None if answer.best is None else oriented.back[answer.best])


def quick_move(position: Position, game: Variant) -> int:
    """Return a reasonable move without a search: a PASS if it wins, otherwise the first move with the highest
    quick_rank().
    """
    if position.pass_ends and game.leader(position) == position.mover:
        return PASS
    return max(position.legal_moves(), key=lambda move: quick_rank(position, move))


def _lost_move(position: Position, clock: Clock, solver: ExactSolver, game: Variant) -> int:
    """Return a move for a lost game: the move that is hardest to answer or, if time is too short, alpha-beta's move."""
    deadline = min(clock.deadline(LAST_SHARE), clock.deadline() - clock.left() + clock.budget * LOST_SHARE)
    if position.left <= LOST_LEFT:
        moves = sorted(position.legal_moves(), key=lambda move: -quick_rank(position, move))
        move = hardest_move(
            position,
            moves,
            lambda child: solver.decide(child, game.least, cpu_deadline=deadline),
            lambda child: solver.value(child, cpu_deadline=deadline),
            game,
        )
        if move is not None:
            return move
    return AlphaBeta(game.komi).search(position, deadline).move


def _play_on(position: Position, move: int) -> int:
    """Return the move, but replace a PASS that would end a lost game with a stone if there is a legal stone."""
    stones = position.legal_moves()[:-1]
    if move != PASS or not position.pass_ends or not stones:
        return move
    return max(stones, key=lambda stone: quick_rank(position, stone))


def quick_rank(position: Position, move: int) -> int:
    """Return the rank of a move, which depends on captures, then on liberties, then on the distance from the middle."""
    if move == PASS:
        return 0
    after = position.play(move)
    mine, theirs = (after.black, after.white) if position.black_to_move else (after.white, after.black)
    empty = FULL & ~(mine | theirs)
    liberties = len(list(points_of(neighbours(group_of(1 << move, mine)) & empty)))
    if liberties < 2:
        return -1
    before = position.white if position.black_to_move else position.black
    taken = len(list(points_of(before & ~theirs)))
    return 5 + 100 * taken + 10 * min(liberties, 4) - FROM_CENTRE[move]


#: The maximum number of possible plies that are tried. The weight of each ply is half the weight of the ply before it.
MOST_PLIES = 5


def possible_positions(position: Position, least_ply: int) -> List[Position]:
    """Return the position with each possible ply: its own ply first, then the other plies in ascending order."""
    plies = [ply for ply in range(least_ply, GAME_PLIES, 2) if ply != position.ply]
    return [position] + [position._replace(ply=ply) for ply in plies]


def choose_unsure(
    positions: Sequence[Position], clock: Clock, book: Optional[MoveBook] = None, *, game: Variant
) -> MoveChoice:
    """Choose a move that is proven to win at every possible ply, or at the most likely plies.

    The positions have the same board and different plies, beginning with the most likely ply. The field ``winner`` of
    the result is the winner at the most likely ply.
    """
    likely = choose_move(positions[0], clock, book, game=game)
    doubtful = [position for position in positions[1:MOST_PLIES] if position.left <= EXACT_LEFT]
    if likely.winner is None or not doubtful:
        return likely
    solver, deadline = ExactSolver(), clock.deadline(LAST_SHARE)
    moves = sorted(positions[0].legal_moves(), key=lambda move: -quick_rank(positions[0], move))
    moves.remove(likely.move)
    wins_likely = likely.winner == positions[0].mover
    best, best_weight = likely, _win_weight(doubtful, likely.move, wins_likely, solver, deadline, game)
    for move in moves:
        if best_weight >= _greatest_weight(doubtful, wins_likely) or time.process_time() >= deadline:
            break
        # If a move is known that wins at the most likely ply, ignore all moves that do not win at this ply.
        if not wins_likely or _wins(positions[0], move, solver, deadline, game):
            weight = _win_weight(doubtful, move, wins_likely, solver, deadline, game)
            if weight > best_weight:
                best, best_weight = MoveChoice(move, "exact", likely.winner), weight
    return best


def _win_weight(
    positions: Sequence[Position], move: int, wins_likely: bool, solver: ExactSolver, deadline: float, game: Variant
) -> float:
    """Return the total weight of the plies at which a move is proven to win.

    The most likely ply has the weight 1, which is greater than the sum of all other weights. The list ``positions``
    contains a position for each of the other plies.
    """
    wins = [_wins(position, move, solver, deadline, game) for position in positions]
    return wins_likely + sum([0.5 ** (place + 1) for place, won in enumerate(wins) if won])


def _greatest_weight(positions: Sequence[Position], wins_likely: bool) -> float:
    return wins_likely + sum([0.5 ** (place + 1) for place in range(len(positions))])


def _wins(position: Position, move: int, solver: ExactSolver, deadline: float, game: Variant) -> bool:
    """Return whether a search proves before the deadline that the mover wins with this move."""
    child = position.play(move)
    if child.is_over:
        return game.leader(child) == position.mover
    return game.winner(solver.decide(child, game.least, cpu_deadline=deadline)) == position.mover


# --- player/memory.py ---

MEMORY_FILE = "little_go_memory.json"
MEMORY_FORMAT = 2

#: The maximum size of the file in bytes, which is far more than two games need.
_MOST_MEMORY_BYTES = 1 << 20

#: The records of a game. A record contains the board as 25 digits, the number of plies played, and whether this number
#: is certain.
_Notes = List[Tuple[str, int, bool]]


class PlyMemory:
    """The records of the current games, which are in a file in the first writable directory.

    A file that is missing or invalid counts as empty, and a failed write is ignored. Without records the ply is a
    guess.
    """

    def __init__(self, directories: Sequence[str]) -> None:
        self._paths = [os.path.join(directory, MEMORY_FILE) for directory in directories]

    def recall(self, question: Question) -> Tuple[int, bool]:
        """Return the number of plies played, and whether it is certain. An uncertain number may be too small."""
        ply, self._certain = question.least_ply, question.is_opening
        self._notes: _Notes = []
        if question.is_opening:
            return ply, True
        for path in self._paths:
            notes = _load_games(path).get(str(question.colour), [])
            for index in range(len(notes) - 1, -1, -1):
                noted_board, noted_ply, certain = notes[index]
                was_left = noted_ply % 2 == question.colour % 2
                now = noted_ply + (1 if was_left else 2)
                if ply <= now < GAME_PLIES and _fits(question, noted_board, was_left):
                    self._notes = notes[: index + 1]
                    self._certain = certain
                    return now, certain
        return ply, False

    def note(self, position: Position, move: int) -> None:
        """Record the position of the last recalled question, and the board after ``move``.

        A second call for the same position keeps the record of the first call, because the host may use either move.
        """
        after = position.play(move)
        asked = (_digits(position.black, position.white), position.ply, self._certain)
        if asked not in self._notes:
            self._notes.append(asked)
        self._notes.append((_digits(after.black, after.white), position.ply + 1, self._certain))
        for path in self._paths:
            games = _load_games(path)
            games[str(position.mover)] = self._notes
            if _save_games(path, games):
                return


def _fits(question: Question, noted: str, was_left: bool) -> bool:
    """Return whether the host's previous board fits a recorded board.

    If the recorded board is the board after our move (``was_left``), the two boards must be equal. Otherwise the
    previous board must result from the recorded board by one move.
    """
    if was_left:
        return noted == _digits(*question.before)
    board = parse_rows([noted[start : start + SIZE] for start in range(0, POINTS, SIZE)])
    if board == question.before:
        # Our move was a PASS, so the other side has not passed: two PASSes in a row would have ended the game.
        return not question.passed
    return last_move(question.colour, board, question.before) is not None


def _digits(black: int, white: int) -> str:
    return "".join(Position(black, white).rows())


def _load_games(path: str) -> Dict[str, _Notes]:
    """Return the records in a file, indexed by colour, or an empty dict if the file is not a valid memory."""
    try:
        content = json.loads(read_plain(path, _MOST_MEMORY_BYTES).decode("ascii"))
        if content["format"] != MEMORY_FORMAT:
            return {}
        return {colour: _checked(content["games"].get(colour, [])) for colour in ("1", "2")}
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return {}


def _checked(notes: Any) -> _Notes:
    """Check records from a file, and return the records. Raise ValueError or TypeError if a record is invalid."""
    checked = []
    for board, ply, certain in notes:
        fits = isinstance(board, str) and len(board) == POINTS and not board.strip("012")
        counts = type(ply) is int and 0 <= ply <= GAME_PLIES
        if not (fits and counts and isinstance(certain, bool)):
            raise ValueError("not a note")
        checked.append((board, ply, certain))
    return checked


def _save_games(path: str, games: Dict[str, _Notes]) -> bool:
    try:
        write_plain(path, json.dumps({"format": MEMORY_FORMAT, "games": games}).encode("ascii"))
    except OSError:
        return False
    return True


# --- player/main.py ---

BOOK_FILE = "book.json"

#: The game of the player. The module player.build can replace it by another game.
GAME = COURSE


def main() -> int:
    """Answer ``input.txt`` in the working directory with ``output.txt``, and return the exit code.

    The exit code is 0 if a legal move was written, 1 if the move could not be written, and 2 if ``input.txt`` could not
    be read. If the exit code is 1 or 2, an old ``output.txt`` is removed. After any other fault the player prints one
    line on standard error, and still writes a move. If the board cannot occur in a game, the player answers without a
    search.
    """
    try:
        question = read_question(INPUT_FILE, GAME)
    except NotationError as error:
        _warn("{}: {}".format(INPUT_FILE, error))
        _remove_old_move()
        return 2
    early = quick_move(question.position(question.least_ply), GAME)
    try:
        # Write an early move, which the host accepts even if it later stops the player.
        write_move(OUTPUT_FILE, early)
    except OSError as error:
        _warn("{}: {}".format(OUTPUT_FILE, error.strerror))
        _remove_old_move()
        return 1
    if question.fault is not None:
        _warn("{}: played at once: {}".format(INPUT_FILE, question.fault))
        return 0
    try:
        _improve(question, early)
    except Exception as error:
        _warn("played at once after an internal error: {!r}".format(error))
    return 0


def read_question(path: str, game: Variant) -> Question:
    """Return the content of ``input.txt``. Raise NotationError if the file cannot be read or is invalid."""
    try:
        content = read_plain(path, MOST_INPUT_BYTES)
    except OSError as error:
        raise NotationError("damaged", "cannot be read: {}".format(error.strerror)) from None
    return parse_question(content, game)


def write_move(path: str, move: int) -> None:
    """Write ``output.txt``, in a single step if the file system allows this. Raise OSError if the file cannot be
    written.
    """
    write_plain(path, move_name(move).encode("ascii"))


def find_book(directories: List[str]) -> Optional[MoveBook]:
    """Return the book in the first directory that contains a book. If there is no valid book, print a line."""
    paths = [os.path.join(directory, BOOK_FILE) for directory in directories]
    path = next((path for path in paths if os.path.exists(path)), None)
    if path is None:
        _warn("{}: not found: playing without a book".format(BOOK_FILE))
        return None
    try:
        return read_book(path, GAME)
    except BookError as error:
        _warn("{}: playing without a book".format(error))
        return None


def _improve(question: Question, early: int) -> None:
    here = os.getcwd()
    beside = os.path.dirname(os.path.abspath(sys.argv[0]))
    memory = PlyMemory([here, beside])
    ply, certain = memory.recall(question)
    position = question.position(ply)
    positions = [position] if certain else possible_positions(position, question.least_ply)
    # Record the early move before the search, so that the records contain the played move even if the host stops the
    # player.
    memory.note(position, early)
    move = choose_unsure(positions, _clock(), find_book([beside, here]), game=GAME).move
    if move != early:
        memory.note(position, move)
        write_move(OUTPUT_FILE, move)


def _clock() -> Clock:
    try:
        return clock_from()
    except ValueError as error:
        _warn(str(error))
        return Clock()


def _remove_old_move() -> None:
    """Remove an old ``output.txt``, because the host would accept it as the answer."""
    try:
        remove_plain(OUTPUT_FILE)
    except OSError as error:
        _warn("{}: the old file cannot be removed: {}".format(OUTPUT_FILE, error.strerror))


def _warn(line: str) -> None:
    try:
        if sys.stderr is not None:
            print("little-go: " + line, file=sys.stderr, flush=True)
    except (OSError, ValueError):
        # If sys.stderr is not None, Python flushes it again when the process exits, and changes the exit code.
        sys.stderr = None


if __name__ == "__main__":
    sys.exit(main())
