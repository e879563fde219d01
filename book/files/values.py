"""The atlas in binary form, without keys: the values of the positions of the first plies.

The file is packed by zlib. The unpacked file has one format byte and three planes, which have one byte for each
position of plies 0 to 5. The positions are in the order of ply and key. Readers compute the keys with ``next_ply``
(solver.native.kernel)::

    | format | lo of all positions | hi - lo of all | a move that keeps the mover's bound |

``lo``: the lower bound of the value + 24, or 255 if the atlas does not contain the position. ``hi - lo`` is 0 if the
value is exact, and zlib packs these zeros into almost nothing. Moves are in canonical orientation, 0 to 25, or 31 if no
move is known. The explorer contains the same bytes.

The values of later plies are in folders next to the file, ``ply6`` and so on (book.files.levels). These files contain
no moves, because the moves of ply 6 would need as many bytes as everything else, and a search can find a best move if
the value is known.
"""

import itertools
import zlib
from array import array
from bisect import bisect_left
from collections.abc import Iterable, Iterator
from pathlib import Path

from little_go.book.files.atlas import AtlasError, Row
from little_go.book.files.levels import LevelValues, parts_in, read_part
from little_go.runtime.files import MIB, read_file
from little_go.solver.answer import LEAST, MOST, Answer
from little_go.solver.native import kernel_needed
from little_go.solver.position import PASS, START, Position
from little_go.solver.symmetry import Oriented, key_of, position_of

VALUES_FORMAT = 3

#: The maximum size of a file of values in bytes, packed and unpacked.
_MOST = 256 * MIB

#: The number of canonical positions after 0, 1, … plies, for the plies whose values are all known.
PLY_SIZES = (1, 6, 91, 1_037, 12_397, 94_315, 676_896)

#: The first ply of which only some blocks are known, and the number of all its positions.
LAST_PLY, LAST_SIZE = 7, 3_592_153

#: The last ply that the file can contain. The file may end earlier, and the folders contain the later plies.
_PLANES = 5
_BEGINS = tuple(itertools.accumulate(PLY_SIZES[: _PLANES + 1], initial=0))

#: The byte of a lower bound if the atlas does not contain the position, and the byte of a move if no move is known.
_ABSENT = 255
_NO_MOVE = 31

#: The valid bytes of the planes: of ``hi - lo``, of ``lo``, and of the move.
_ENDS = bytes(range(MOST - LEAST + 1))
_LOS = _ENDS + bytes([_ABSENT])
_MOVES_OR_NONE = bytes([*range(PASS + 1), _NO_MOVE])

#: The later plies in the folders whose values are all known.
_WHOLE = tuple(range(_PLANES + 1, len(PLY_SIZES)))


class Values:
    """The atlas in memory, which read_values() returns. ``len()`` is the number of its positions of plies 0 to 6.

    The keys of a ply are computed when one of its positions is looked up for the first time. Plies 6 and 7 need no
    keys. Public attribute: ``folder``, the folder that contains the folders of the later plies.
    """

    def __init__(self, planes: bytes, folder: Path) -> None:
        """planes: the three planes, one after another. Raise ValueError if a ply is incomplete."""
        count = _count(len(planes))
        self._lo, self._width, self._best = planes[:count], planes[count : 2 * count], planes[2 * count :]
        self._packed = _BEGINS.index(count)
        self._levels = _plies()
        self._keys = [next(self._levels)]
        self._later: dict[int, LevelValues] = {}
        self.folder = folder

    def __len__(self) -> int:
        return len(self._lo) - self._lo.count(_ABSENT) + sum(len(self.later(ply)) for ply in _WHOLE)

    def get(self, position: Position) -> Answer | None:
        """Return a position's answer in the position's orientation, or None.

        Raise LevelError if a part of a later ply is damaged.
        """
        if position.ply > LAST_PLY:
            return None
        if position.ply > _PLANES:
            value = self.later(position.ply).get(position)
            return None if value is None else Answer(value, value, None, 0)
        if position.ply >= self._packed:
            return None
        oriented = Oriented.of(position)
        keys = self._keys_of(position.ply)
        index = bisect_left(keys, oriented.key)
        if index == len(keys) or keys[index] != oriented.key:
            return None
        answer = self._at(_BEGINS[position.ply] + index)
        if answer is None or answer.best is None:
            return answer
        return answer._replace(best=oriented.back[answer.best])

    def later(self, ply: int) -> LevelValues:
        """Return the known values of ply 6 or 7. Raise LevelError if a part is damaged."""
        if ply not in self._later:
            self._later[ply] = LevelValues(ply, parts_in(self.folder / f"ply{ply}"))
        return self._later[ply]

    def plane(self, ply: int) -> tuple[bytes, bytes] | None:
        """Return a ply's values + 24 and its best moves, in the order of the keys, or None if the file does not have
        the ply.

        If a value is not exact, its byte is 255. If no best move is known, its byte is 31.
        """
        if ply >= self._packed:
            return None
        here = slice(_BEGINS[ply], _BEGINS[ply + 1])
        values = bytes(_ABSENT if width else lo for lo, width in zip(self._lo[here], self._width[here], strict=True))
        return values, self._best[here]

    def bounds(self) -> Iterator[tuple[int, int, int]]:
        """Yield ply, lo and hi of every position of plies 0 to 6."""
        for ply in range(self._packed):
            for index in range(_BEGINS[ply], _BEGINS[ply + 1]):
                if answer := self._at(index):
                    yield ply, answer.lo, answer.hi
        for ply in _WHOLE:
            yield from ((ply, value, value) for value in self.later(ply).values())

    def items(self) -> Iterator[tuple[Position, Answer]]:
        """Yield every position of plies 0 to 6 with its answer, in canonical orientation, sorted by ply and key."""
        for ply in range(self._packed):
            for index, key in enumerate(self._keys_of(ply), _BEGINS[ply]):
                answer = self._at(index)
                if answer is not None:
                    yield position_of(key), answer
        for ply in _WHOLE:
            for key, value in self.later(ply).items():
                yield position_of(key), Answer(value, value, None, 0)

    def _keys_of(self, ply: int) -> "array[int]":
        while len(self._keys) <= ply:
            self._keys.append(next(self._levels))
        return self._keys[ply]

    def _at(self, index: int) -> Answer | None:
        if self._lo[index] == _ABSENT:
            return None
        best = self._best[index]
        lo = self._lo[index] + LEAST
        return Answer(lo, lo + self._width[index], None if best == _NO_MOVE else best, 0)


def pack_values(rows: Iterable[Row]) -> bytes:
    """Return the packed bytes of the plies 0 to 5 of an atlas. The same rows give the same bytes.

    Raise ValueError if a position does not occur in the first plies of the 24-ply game.
    """
    by_key = {key_of(row.position): row for row in rows if row.position.ply not in _WHOLE}
    had = {row.position.ply for row in by_key.values()}
    # Only keys of plies that have rows are computed, because later plies have billions of keys.
    plies = itertools.takewhile(had.__contains__, itertools.count())
    keys = [key for _, level in zip(plies, _plies(), strict=False) for key in level]
    if strange := set(by_key) - set(keys):
        raise ValueError(f"no game leads to {position_of(min(strange))}")
    in_order = [by_key.get(key) for key in keys]
    lo = bytes(_ABSENT if row is None else row.lo - LEAST for row in in_order)
    width = bytes(0 if row is None else row.hi - row.lo for row in in_order)
    best = bytes(row.best[0] if row and row.best else _NO_MOVE for row in in_order)
    return zlib.compress(bytes([VALUES_FORMAT]) + lo + width + best, 9)


def read_values(path: Path) -> Values:
    """Read a file of values. Raise AtlasError if the file is damaged, and NoKernel if there is no kernel."""
    content = _unpacked(path)
    if content[:1] != bytes([VALUES_FORMAT]):
        raise AtlasError(f"{path}: not the values of an atlas, or of another format than {VALUES_FORMAT}")
    planes = content[1:]
    try:
        count = _count(len(planes))
    except ValueError as error:
        raise AtlasError(f"{path}: damaged: {error}") from None
    lo, width, moves = planes[:count], planes[count : 2 * count], planes[2 * count :]
    if lo.translate(None, _LOS) or width.translate(None, _ENDS) or moves.translate(None, _MOVES_OR_NONE):
        raise AtlasError(f"{path}: damaged: bounds or a move out of range")
    # The check adds each ``lo`` and its ``hi - lo``. The planes are added as two large numbers, because this is fast
    # and no sum exceeds a byte.
    least = lo.replace(bytes([_ABSENT]), b"\0")
    if (int.from_bytes(least, "big") + int.from_bytes(width, "big")).to_bytes(count, "big").translate(None, _ENDS):
        raise AtlasError(f"{path}: damaged: bounds or a move out of range")
    return Values(planes, path.parent)


def read_later(path: Path) -> Iterator[tuple[Position, int]]:
    """Yield the positions in a part of ply 6 or 7 with their values, sorted by key.

    Raise AtlasError if the file is damaged or of another ply.
    """
    ply = read_part(path).ply
    if not _PLANES < ply <= LAST_PLY:
        raise AtlasError(f"{path}: the values of ply {ply}, not of ply {_PLANES + 1} to {LAST_PLY}")
    for key, value in LevelValues(ply, [path]).items():
        yield position_of(key), value


def _count(size: int) -> int:
    """Return the number of positions in planes of ``size`` bytes. Raise ValueError if a ply is incomplete."""
    for count in _BEGINS:
        if size == 3 * count:
            return count
    raise ValueError(f"{size} bytes are not a whole number of plies")


def _unpacked(path: Path) -> bytes:
    stream = zlib.decompressobj()
    try:
        content = stream.decompress(read_file(path, _MOST), _MOST)
    except zlib.error:
        content = b""
    if not stream.eof or stream.unused_data:
        raise AtlasError(f"{path}: damaged, or not packed by zlib")
    return content


def _plies() -> Iterator["array[int]"]:
    """Yield the sorted canonical keys of each ply, beginning with the empty board."""
    with kernel_needed():
        from little_go.solver.native.kernel import next_ply
    keys = array("Q", [key_of(START)])
    while True:
        yield keys
        keys = next_ply(keys)
