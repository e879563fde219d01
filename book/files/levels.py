"""Files with the values of all positions after a number of plies. A file is called a part, and consists of blocks.

The positions of a block have the same stones of the side to move and the same ko point. Either all positions of a block
or none of them follow a PASS. So the positions of a block differ only in the stones of the other side, and a block can
store its values without keys. The sets of stones that the other side can have are numbered from the smallest mask on,
and this number is the position's place in the block (place_of). All keys are canonical keys. If Black is to move, the
colours of the stones are exchanged before a key is computed, so the stones of the side to move are always in the upper
bits.

The layout of a part::

    | magic | ply, plies of the game, number of blocks | a row for each block, sorted | CRC-32 of the above | blocks |

Numbers are little-endian. A row contains the block's number (its keys without the 25 lowest bits, 8 bytes), the number
of its positions (4 bytes) and its packed length in bytes (4 bytes). The blocks are in the order of the rows. A block
has a byte for each place, and is packed by zlib. The byte of a place is the value + 24, or NONE if no game leads to the
position. If a symmetry keeps the shared stones, only the smallest of the symmetric sets has a value. Each of the other
sets repeats the previous byte, which takes the least space. A written part never changes. All parts in a folder
together contain the values of a ply.
"""

import struct
import zlib
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import accumulate
from math import comb
from pathlib import Path
from typing import NamedTuple

from little_go.book.files.atlas import AtlasError
from little_go.runtime.files import MIB, read_file, write_whole
from little_go.solver.answer import LEAST, MOST
from little_go.solver.position import FULL, GAME_PLIES, POINTS, Position
from little_go.solver.symmetry import POINT_IMAGE, SYMMETRIES, canonical_key, position_of, transform_mask

#: The number of bits of a key below the number of its block.
BLOCK_SHIFT = POINTS

#: The suffix of a part's file name.
SUFFIX = ".part"

#: The first bytes of a part, which identify the format.
_MAGIC = b"LGP2"

_HEAD, _ROW, _SUM = struct.Struct("<4sBBI"), struct.Struct("<QII"), struct.Struct("<I")

#: The maximum size of a part in bytes.
_MAX_BYTES = 64 * MIB

#: The byte of a place to whose position no game leads, and all valid bytes.
NONE = MOST - LEAST + 1
_VALUES = bytes(range(NONE + 1))

#: The number of unpacked blocks in the cache. A block has some thousand positions.
_CACHED_BLOCKS = 64

#: _UP_TO[points][stones]: the number of sets of at most ``stones`` stones on ``points`` points.
_UP_TO = [list(accumulate(comb(points, stones) for stones in range(POINTS + 1))) for points in range(POINTS + 1)]


class LevelError(AtlasError):
    """Raised if a part is damaged, or of another ply or game. The message is one line with the file's name."""


class Block(NamedTuple):
    """A block of the sorted keys of a ply: its number, the index of its first key, and the number of its positions."""

    number: int
    start: int
    size: int


def block_of(key: int) -> int:
    """Return the number of a key's block."""
    return key >> BLOCK_SHIFT


def stones_of(block: int) -> int:
    """Return the stones that a block's positions share."""
    return block & FULL


def blocks_of(keys: Sequence[int]) -> list[Block]:
    """Split sorted keys into blocks.

    >>> blocks_of([1, 5, 1 << 25, 3 << 25])
    [Block(number=0, start=0, size=2), Block(number=1, start=2, size=1), Block(number=3, start=3, size=1)]
    """
    found = []
    start = 0
    while start < len(keys):
        number = block_of(keys[start])
        end = bisect_left(keys, (number + 1) << BLOCK_SHIFT, start)
        found.append(Block(number, start, end - start))
        start = end
    return found


def stones_class(stones: int) -> int:
    """Return the least mask among the symmetric copies of a set of stones. All copies have the same least mask."""
    return min(transform_mask(symmetry, stones) for symmetry in range(SYMMETRIES))


def classes_with_one_less(stones: int) -> set[int]:
    """Return stones_class() of each set of stones that remains if one stone is removed."""
    return {stones_class(stones & ~(1 << point)) for point in range(POINTS) if stones >> point & 1}


def colours_exchanged(position: Position) -> Position:
    """Return a position with the colours of all stones exchanged. The side to move stays the same."""
    return position._replace(black=position.white, white=position.black)


def block_key(position: Position) -> int:
    """Return the key that a position has in a block, with the stones of the side to move in the upper bits."""
    return canonical_key(colours_exchanged(position) if position.black_to_move else position)


def max_other_stones(ply: int, block: int) -> int:
    """Return the maximum number of stones, in a block, of the side that is not to move.

    ply: the number of plies played.
    """
    return (ply + 1) // 2 - position_of(block << BLOCK_SHIFT).passed


def place_count(ply: int, block: int) -> int:
    """Return the number of a block's places, one for each set of stones of the side that is not to move."""
    return _UP_TO[POINTS - stones_of(block).bit_count()][max_other_stones(ply, block)]


def place_of(stones: int, other: int, most: int) -> int | None:
    """Return the number of smaller masks of at most ``most`` stones outside ``other``, or None if ``stones`` has more
    stones.

    >>> [place_of(stones, 0b10, 2) for stones in (0, 0b1, 0b100, 0b101, 0b1000)]
    [0, 1, 2, 3, 4]
    """
    place = 0
    while stones:
        if not most:
            return None
        top = stones.bit_length() - 1
        # Count the smaller sets that have the same stones above this point and no stone on it.
        place += _UP_TO[top - (other & ((1 << top) - 1)).bit_count()][most]
        stones ^= 1 << top
        most -= 1
    return place


def sets_of(other: int, most: int) -> list[int]:
    """Return all masks of at most ``most`` stones outside ``other``, in the order of place_of().

    >>> sets_of(FULL & ~0b1101, 2)
    [0, 1, 4, 5, 8, 9, 12]
    """
    found = [0]
    for point in range(POINTS):
        if not other >> point & 1:
            found += [stones | 1 << point for stones in found if stones.bit_count() < most]
    return found


class SmallestCopyTest:
    """A callable that returns whether a set of stones is the smallest of its symmetric copies within a block."""

    def __init__(self, block: int) -> None:
        shared, ko = stones_of(block), position_of(block << BLOCK_SHIFT).ko
        self._keeping = [
            symmetry
            for symmetry in range(1, SYMMETRIES)
            if transform_mask(symmetry, shared) == shared and (ko is None or POINT_IMAGE[symmetry][ko] == ko)
        ]

    def __call__(self, stones: int) -> bool:
        """Return whether no symmetric copy of the mask within the block is smaller."""
        return all(transform_mask(symmetry, stones) >= stones for symmetry in self._keeping)


def placed_values(ply: int, block: int, values: Mapping[int, int]) -> bytes:
    """Return the bytes of a block by place. values: the values + 24, by the stones of the side that is not to move."""
    is_smallest = SmallestCopyTest(block)
    placed = bytearray()
    for stones in sets_of(stones_of(block), max_other_stones(ply, block)):
        value = values.get(stones)
        if value is None:
            value = NONE if not placed or is_smallest(stones) else placed[-1]
        placed.append(value)
    return bytes(placed)


class Part:
    """A part in memory. Public attributes: ``plies``, the game's length; ``ply``, the number of plies played."""

    def __init__(self, path: Path, content: bytes) -> None:
        """Read the rows, but not the blocks. Raise LevelError if the part is damaged."""
        self.path, self._content = path, content
        if content[:4] != _MAGIC:
            raise LevelError(f"{path}: not the values of a ply, or of another format")
        try:
            _, self.ply, self.plies, count = _HEAD.unpack_from(content)
            end = _HEAD.size + count * _ROW.size
            (checksum,) = _SUM.unpack_from(content, end)
        except struct.error:
            raise LevelError(f"{path}: damaged: it ends early") from None
        if zlib.crc32(content[:end]) != checksum:
            raise LevelError(f"{path}: damaged: its list of blocks has another checksum")
        #: For each block, its number of positions, and the offsets of its beginning and end in the file.
        self._rows: dict[int, tuple[int, int, int]] = {}
        at = end + _SUM.size
        for number, size, length in _ROW.iter_unpack(content[_HEAD.size : end]):
            self._rows[number] = size, at, at + length
            at += length
        if at != len(content):
            raise LevelError(f"{path}: damaged: its length is not that of its blocks")

    @property
    def sizes(self) -> dict[int, int]:
        """The number of positions of each block."""
        return {number: size for number, (size, *_) in self._rows.items()}

    def block(self, number: int) -> bytes | None:
        """Return the bytes of a block by place, or None if the part does not contain the block."""
        if number not in self._rows:
            return None
        _, start, end = self._rows[number]
        stream = zlib.decompressobj()
        try:
            count = place_count(self.ply, number)
            placed = stream.decompress(self._content[start:end], count + 1)
        except (zlib.error, ValueError, IndexError):
            count, placed = -1, b""
        if len(placed) != count or not stream.eof or stream.unused_data or placed.translate(None, _VALUES):
            raise LevelError(f"{self.path}: damaged: block {number}")
        return placed


def read_part(path: Path) -> Part:
    """Read a part. Raise LevelError if the part is damaged."""
    return Part(path, read_file(path, _MAX_BYTES))


def write_part(path: Path, plies: int, ply: int, blocks: Mapping[int, Mapping[int, int]]) -> None:
    """Write a part. The same blocks give the same bytes.

    plies: the game's length. ply: the number of plies played. blocks: the blocks by number. A block has the values + 24
    by the stones of the side that is not to move.
    """
    rows, packed = [], []
    for number, values in sorted(blocks.items()):
        # With Z_FILTERED the blocks are 3 to 6 % shorter, because neighbours have similar values but long sequences
        # rarely repeat.
        stream = zlib.compressobj(9, strategy=zlib.Z_FILTERED)
        packed.append(stream.compress(placed_values(ply, number, values)) + stream.flush())
        rows.append(_ROW.pack(number, len(values), len(packed[-1])))
    head = _HEAD.pack(_MAGIC, ply, plies, len(rows)) + b"".join(rows)
    write_whole(path, head + _SUM.pack(zlib.crc32(head)) + b"".join(packed))


def parts_in(folder: Path) -> list[Path]:
    """Return the parts in a folder, sorted by name, or an empty list if the folder does not exist."""
    return sorted(folder.glob(f"*{SUFFIX}")) if folder.is_dir() else []


def sizes_of(parts: Iterable[Part]) -> dict[int, int]:
    """Return, by block number, the number of positions of each block in ``parts``."""
    return {number: size for part in parts for number, size in part.sizes.items()}


class LevelValues:
    """The values of a ply of the course's game, from parts. ``len()`` is the number of positions.

    A block is unpacked when one of its positions is looked up. LevelError is raised if the block is damaged.
    """

    def __init__(self, ply: int, parts: Iterable[Path]) -> None:
        """Read the rows of all parts. Raise LevelError if a part is damaged, or is of another ply or game."""
        self._ply = ply
        self._parts: dict[int, Part] = {}
        self._count = 0
        for part in map(read_part, parts):
            if (part.ply, part.plies) != (ply, GAME_PLIES):
                raise LevelError(f"{part.path}: ply {part.ply} of {part.plies}, not ply {ply} of {GAME_PLIES}")
            for number, size in part.sizes.items():
                self._count += 0 if number in self._parts else size
                self._parts[number] = part
        self._cached = lru_cache(_CACHED_BLOCKS)(self._unpack)

    def __len__(self) -> int:
        return self._count

    def get(self, position: Position) -> int | None:
        """Return the value of a position, or None if no part contains the position."""
        key = block_key(position)
        block = block_of(key)
        if block not in self._parts:
            return None
        place = place_of(stones_of(key), stones_of(block), max_other_stones(self._ply, block))
        value = NONE if place is None else self._cached(block)[place]
        return None if value == NONE else value + LEAST

    def values(self) -> Iterator[int]:
        """Yield the values of all positions in no particular order."""
        for number in self._parts:
            yield from (value + LEAST for _, value in self._entries(number))

    def items(self) -> Iterator[tuple[int, int]]:
        """Yield the canonical key and the value of every position, sorted by key."""
        found = []
        for number in self._parts:
            for stones, value in self._entries(number):
                key = number << BLOCK_SHIFT | stones
                if self._ply % 2 == 0:
                    key = canonical_key(colours_exchanged(position_of(key)))
                found.append((key, value + LEAST))
        yield from sorted(found)

    def _entries(self, number: int) -> Iterator[tuple[int, int]]:
        """Yield the other side's stones and the value + 24 of each position of a block."""
        is_smallest, part = SmallestCopyTest(number), self._parts[number]
        count = 0
        for stones, value in zip(
            sets_of(stones_of(number), max_other_stones(self._ply, number)), self._unpack(number), strict=True
        ):
            if value != NONE and is_smallest(stones):
                count += 1
                yield stones, value
        if count != part.sizes[number]:
            raise LevelError(f"{part.path}: damaged: {count} positions in block {number}, not {part.sizes[number]}")

    def _unpack(self, number: int) -> bytes:
        placed = self._parts[number].block(number)
        assert placed is not None  # self._parts contains only blocks of the part.
        return placed
