"""The values of all positions after one number of plies, in files that each have some blocks of them.

The positions of a ply are sorted by canonical key. A block is a run of them whose keys agree above Black's stones: the
same White stones, ko point, plies left, and last move PASS or not. So a block's values need no keys: they are in the
order of the keys, which a reader can make from the rules. A part is a file with the values of some blocks::

    | magic | ply, plies of the game, number of blocks | a row for each block, sorted | CRC-32 of all this | values |

Numbers are little-endian. A row is the block's number (its keys without Black's stones, 8 bytes), its positions (4
bytes) and the length of its values (4 bytes). Each block's values are packed by zlib, one after another, in the order
of the rows. A value takes a byte: stones Black - White + 24. A written part never changes; a reader takes all parts in
a folder.
"""

import struct
import zlib
from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from runtime.files import MIB, read_file, write_whole
from solver.answer import LEAST, MOST
from solver.position import FULL, POINTS

#: Bits of a key below the number of its block: Black's stones.
BLOCK_SHIFT = POINTS

#: The end of a part's name.
SUFFIX = ".part"

#: The beginning of a part, which names the format.
_MAGIC = b"LGP1"

_HEAD, _ROW, _SUM = struct.Struct("<4sBBI"), struct.Struct("<QII"), struct.Struct("<I")

#: Limit of a part in bytes.
_MOST = 64 * MIB

#: Limit of a block's positions: Black has a subset of 25 points.
_MOST_POSITIONS = 1 << POINTS

#: The valid bytes of a value.
_VALUES = bytes(range(MOST - LEAST + 1))


class LevelError(Exception):
    """A part that is damaged or about something else; the message is one line that names the file."""


class Block(NamedTuple):
    """A run of the sorted keys of a ply: its number, the index of its first key, and its number of positions."""

    number: int
    start: int
    size: int


def block_of(key: int) -> int:
    """Return the number of a key's block."""
    return key >> BLOCK_SHIFT


def white_of(block: int) -> int:
    """Return the White stones of a block's positions."""
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


class Part:
    """A part in memory, whose blocks are unpacked when they are asked for. Public attributes: ``plies``, ``ply``."""

    def __init__(self, path: Path, content: bytes) -> None:
        """Read the list of blocks. Raises LevelError for a damaged part."""
        self._path, self._content = path, content
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
        #: By block, its positions, and where its values are.
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
        return {number: size for number, (size, _, _) in self._rows.items()}

    def values(self, block: int) -> bytes | None:
        """Return the values of a block + 24, a byte each, or None if the part does not have it; raises LevelError."""
        if block not in self._rows:
            return None
        size, start, end = self._rows[block]
        stream = zlib.decompressobj()
        try:
            values = stream.decompress(self._content[start:end], min(size, _MOST_POSITIONS) + 1)
        except zlib.error:
            values = b""
        if len(values) != size or not stream.eof or stream.unused_data or values.translate(None, _VALUES):
            raise LevelError(f"{self._path}: damaged: the values of block {block}")
        return values


def read_part(path: Path) -> Part:
    """Read a part; raises LevelError and OSError."""
    return Part(path, read_file(path, _MOST))


def write_part(path: Path, plies: int, ply: int, blocks: Mapping[int, bytes]) -> None:
    """Write a part, whole or not at all: the same blocks give the same bytes.

    plies: the game's length. ply: plies played. blocks: values + 24 by block. Raises OSError.
    """
    packed = {number: zlib.compress(blocks[number], 9) for number in sorted(blocks)}
    rows = b"".join(_ROW.pack(number, len(blocks[number]), len(values)) for number, values in packed.items())
    head = _HEAD.pack(_MAGIC, ply, plies, len(packed)) + rows
    write_whole(path, head + _SUM.pack(zlib.crc32(head)) + b"".join(packed.values()))


def parts_in(folder: Path) -> list[Path]:
    """Return the parts in a folder, by name; none if there is no folder."""
    return sorted(folder.glob(f"*{SUFFIX}")) if folder.is_dir() else []


def sizes_of(parts: Iterable[Part]) -> dict[int, int]:
    """Return the number of positions of each block that some part has."""
    return {number: size for part in parts for number, size in part.sizes.items()}
