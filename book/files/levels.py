"""The values of all positions after one number of plies, in files that each have some blocks of them.

A block's positions have the same stones of the side to move, the same ko point, and all or none of them follow a PASS.
So it has no key but its number: a reader makes the keys from the rules (BlockKeys), and the values are in their order.
Where White is to move, keys are canonical keys, and where Black is to move, those with the colours of the stones
exchanged (``recoloured`` of solver.native.kernel), so that the stones of the side to move are above the others.

A part is a file with the values of some blocks::

    | magic | ply, plies of the game, number of blocks | a row for each block, sorted | CRC-32 of all this | blocks |

Numbers are little-endian. A row is the block's number (its keys without the 25 lowest bits, 8 bytes), its positions (4
bytes), how many of these only a capture leads to (2 bytes), and the length of what follows of it (4 bytes). Each block
is packed by zlib, in the order of the rows: 8 bytes for each key that only a capture leads to, and a byte for each
position, stones Black - White + 24. A written part never changes; a reader takes all parts in a folder.
"""

import struct
import zlib
from array import array
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from book.files.atlas import AtlasError
from runtime.files import MIB, read_file, write_whole
from solver.answer import LEAST, MOST
from solver.native import kernel_needed
from solver.position import FULL, GAME_PLIES, POINTS
from solver.symmetry import SYMMETRIES, position_of, transform_mask

#: Bits of a key below the number of its block.
BLOCK_SHIFT = POINTS

#: Bits of a key below the ko point, and below the plies left.
_KO_SHIFT, _LEFT_SHIFT = 2 * POINTS, 2 * POINTS + 5

#: The end of a part's name.
SUFFIX = ".part"

#: The beginning of a part, which names the format.
_MAGIC = b"LGP1"

_HEAD, _ROW, _SUM, _KEY = struct.Struct("<4sBBI"), struct.Struct("<QIHI"), struct.Struct("<I"), 8

#: Limit of a part in bytes.
_MOST = 64 * MIB

#: Limit of a block's positions: the other side has a subset of 25 points.
_MOST_POSITIONS = 1 << POINTS

#: The valid bytes of a value.
_VALUES = bytes(range(MOST - LEAST + 1))

#: Groups of keys that are kept for the next question; a group has some thousand keys.
_KEPT = 32


class LevelError(AtlasError):
    """A part that is damaged or about something else; the message is one line that names the file."""


class Block(NamedTuple):
    """A run of the sorted keys of a ply: its number, the index of its first key, and its number of positions."""

    number: int
    start: int
    size: int


class Packed(NamedTuple):
    """What a part has of a block: the keys that only a capture leads to, and the values + 24 of all its positions."""

    captures: tuple[int, ...]
    values: bytes


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
    """Return the same number for stones that are symmetric copies of each other: the least of their masks."""
    return min(transform_mask(symmetry, stones) for symmetry in range(SYMMETRIES))


def one_less(stones: int) -> set[int]:
    """Return the classes of some stones without one of them."""
    return {stones_class(stones & ~(1 << point)) for point in range(POINTS) if stones >> point & 1}


class BlockKeys:
    """Makes the keys of blocks from those of an early ply, without those of all plies between.

    A move leaves the stones of the other side as they are, unless it captures. So the positions in which a side has
    some stones come from those in which it has the same, or, after its own move, one less. This holds for the two plies
    after the early one: of these, the side to move in a block makes the first move, so only the last one can capture.
    """

    def __init__(self, ply: int, keys: Callable[[], "array[int]"]) -> None:
        """ply, keys: an early ply, as positions count it, and its sorted canonical keys, asked for when needed."""
        self._ply, self._all = ply, keys
        self._early: dict[bool, array[int]] = {}
        self._group = lru_cache(_KEPT)(self._make_group)

    def group(self, ply: int, block: int) -> "array[int]":
        """Return the sorted keys to which no capture at the last ply leads, of all blocks with a block's stones."""
        return self._group(ply, ply % 2 == 1, stones_class(stones_of(block)))

    def of(self, ply: int, block: int, captures: Sequence[int]) -> "array[int]":
        """Return the sorted keys of a block. captures: those to which only a capture at the last ply leads."""
        group = self.group(ply, block)
        first, end = block << BLOCK_SHIFT, (block + 1) << BLOCK_SHIFT
        keys = group[bisect_left(group, first) : bisect_left(group, end)]
        return array("Q", sorted([*keys, *captures])) if captures else keys

    def _make_group(self, ply: int, white: bool, stones: int) -> "array[int]":
        """Return the sorted keys of a ply in which a side has some stones. white: the side, whose stones are above."""
        with kernel_needed():
            from solver.native.kernel import next_ply, recoloured
        if ply == self._ply:
            if white not in self._early:
                self._early[white] = self._all() if white else recoloured(self._all(), ordered=True)
            return _with_stones(self._early[white], stones)
        moved = (ply % 2 == 0) == white
        before = array("Q")
        for its in sorted({stones} | one_less(stones) if moved else {stones}):
            before.extend(self._group(ply - 1, white, its))
        after = next_ply(before if white else recoloured(before))
        return _with_stones(after if white else recoloured(after, ordered=True), stones)


def _with_stones(keys: "array[int]", stones: int) -> "array[int]":
    """Return the sorted keys of one ply whose upper stones are of a class, given by its least mask."""
    found = array("Q")
    for passed in (0, 1) if keys else ():
        top = (passed << 5 | keys[0] >> _LEFT_SHIFT & 31) << _LEFT_SHIFT
        first = top | stones << BLOCK_SHIFT
        found.extend(keys[bisect_left(keys, first) : bisect_left(keys, first + (1 << BLOCK_SHIFT))])
        # With a ko point, a mask need not be the least of its class. There are few such positions.
        with_ko = keys[bisect_left(keys, top | 1 << _KO_SHIFT) : bisect_left(keys, top + (1 << _LEFT_SHIFT))]
        found.extend(key for key in with_ko if stones_class(stones_of(block_of(key))) == stones)
    return found


class Part:
    """A part in memory, whose blocks are unpacked when they are asked for. Public attributes: ``plies``, ``ply``."""

    def __init__(self, path: Path, content: bytes) -> None:
        """Read the list of blocks. Raises LevelError for a damaged part."""
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
        #: By block: positions, captures, and where it begins and ends.
        self._rows: dict[int, tuple[int, int, int, int]] = {}
        at = end + _SUM.size
        for number, size, captures, length in _ROW.iter_unpack(content[_HEAD.size : end]):
            self._rows[number] = size, captures, at, at + length
            at += length
        if at != len(content):
            raise LevelError(f"{path}: damaged: its length is not that of its blocks")

    @property
    def sizes(self) -> dict[int, int]:
        """The number of positions of each block."""
        return {number: size for number, (size, *_) in self._rows.items()}

    def block(self, number: int) -> Packed | None:
        """Return what the part has of a block, or None; raises LevelError."""
        if number not in self._rows:
            return None
        size, captures, start, end = self._rows[number]
        head = captures * _KEY
        stream = zlib.decompressobj()
        try:
            both = stream.decompress(self._content[start:end], min(size, _MOST_POSITIONS) + head + 1)
        except zlib.error:
            both = b""
        values = both[head:]
        if len(both) != head + size or not stream.eof or stream.unused_data or values.translate(None, _VALUES):
            raise LevelError(f"{self.path}: damaged: block {number}")
        return Packed(struct.unpack(f"<{captures}Q", both[:head]), values)


def read_part(path: Path) -> Part:
    """Read a part; raises LevelError and OSError."""
    return Part(path, read_file(path, _MOST))


def write_part(path: Path, plies: int, ply: int, blocks: Mapping[int, Packed]) -> None:
    """Write a part, whole or not at all: the same blocks give the same bytes.

    plies: the game's length. ply: plies played of it. blocks: by number. Raises OSError.
    """
    rows, packed = [], []
    for number in sorted(blocks):
        captures, values = blocks[number]
        packed.append(zlib.compress(struct.pack(f"<{len(captures)}Q", *captures) + values, 9))
        rows.append(_ROW.pack(number, len(values), len(captures), len(packed[-1])))
    head = _HEAD.pack(_MAGIC, ply, plies, len(rows)) + b"".join(rows)
    write_whole(path, head + _SUM.pack(zlib.crc32(head)) + b"".join(packed))


def parts_in(folder: Path) -> list[Path]:
    """Return the parts in a folder, by name; none if there is no folder."""
    return sorted(folder.glob(f"*{SUFFIX}")) if folder.is_dir() else []


def sizes_of(parts: Iterable[Part]) -> dict[int, int]:
    """Return the number of positions of each block that some part has."""
    return {number: size for part in parts for number, size in part.sizes.items()}


class LevelValues:
    """The values of a ply of the course's game, from parts. ``len()`` is the number of its positions.

    A block is unpacked, and its keys are made, when one of its positions is looked up.
    """

    def __init__(self, ply: int, parts: Iterable[Path], keys: BlockKeys) -> None:
        """Read the lists of blocks. Raises LevelError, also for the parts of another ply, and OSError."""
        self._ply, self._keys = ply, keys
        self._parts: dict[int, Part] = {}
        self._count = 0
        for part in map(read_part, parts):
            if (part.ply, part.plies) != (ply, GAME_PLIES):
                raise LevelError(f"{part.path}: ply {part.ply} of {part.plies}, not ply {ply} of {GAME_PLIES}")
            for number, size in part.sizes.items():
                self._count += 0 if number in self._parts else size
                self._parts[number] = part
        self._open = lru_cache(_KEPT)(self._opened)

    def __len__(self) -> int:
        return self._count

    def get(self, key: int) -> int | None:
        """Return the value of a position by its canonical key, or None if no part has its block; raises LevelError."""
        turned = self._turned(key)
        if block_of(turned) not in self._parts:
            return None
        keys, values = self._open(block_of(turned))
        index = bisect_left(keys, turned)
        return values[index] + LEAST if index < len(keys) and keys[index] == turned else None

    def values(self) -> Iterator[int]:
        """Yield the value of every position, without an order; raises LevelError."""
        for number, part in self._parts.items():
            packed = part.block(number)
            assert packed is not None  # it is in the part's list
            yield from (value + LEAST for value in packed.values)

    def items(self) -> Iterator[tuple[int, int]]:
        """Yield the canonical key and the value of every position, by key; raises LevelError."""
        with kernel_needed():
            from solver.native.kernel import recoloured
        found = array("Q")
        values = bytearray()
        for number in self._parts:
            keys, its = self._opened(number)
            found.extend(keys)
            values += its
        both = zip(found if self._ply % 2 else recoloured(found), values, strict=True)
        yield from ((key, value + LEAST) for key, value in sorted(both))

    def _turned(self, key: int) -> int:
        """Return the key by which parts sort a position."""
        if self._ply % 2:
            return key
        with kernel_needed():
            from solver.native.kernel import recoloured
        return recoloured([key])[0]

    def _opened(self, number: int) -> "tuple[array[int], bytes]":
        """Return the keys and values of a block; raises LevelError."""
        part = self._parts[number]
        packed = part.block(number)
        assert packed is not None  # it is in the part's list
        keys = self._keys.of(self._ply, number, packed.captures)
        if len(keys) != len(packed.values):
            first = position_of(number << BLOCK_SHIFT)
            raise LevelError(f"{part.path}: damaged: {len(packed.values)} values of {len(keys)} positions, {first}")
        return keys, packed.values
