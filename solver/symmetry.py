"""The eight symmetries of the board, and the 61-bit key of a position.

A key contains a complete position. The canonical key is the smallest of the keys of the eight symmetric positions, so
positions that differ only by a rotation or a reflection have the same canonical key. The bits of a key are::

    bit  60      59 .. 55      54 .. 50      49 .. 25      24 .. 0
         passed  plies left    ko point + 1  white stones  black stones
                               (0: no ko)

Black is the mover if the number of plies left is even. The module is part of ``my_player3.py`` and must run with Python
3.7.
"""

import struct
from typing import Iterable, List, NamedTuple, Tuple

from little_go.solver.position import FULL, GAME_PLIES, PASS, POINTS, SIZE, Position

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
