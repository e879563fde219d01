"""How packs for the page are made, and the pack of a ply's values, which needs no kernel."""

import zlib
from base64 import b64encode
from collections.abc import Sequence
from pathlib import Path

from little_go.book.files.levels import parts_in, read_part


def pack_level(folder: Path) -> str:
    """Return all parts of a ply as one table, a row for each block; raises LevelError and OSError.

    It begins with the number of rows, 4 bytes. A column has the number of each block, 8 bytes. Then come the bytes of
    the blocks, by place.
    """
    blocks = {number: part.block(number) for part in map(read_part, parts_in(folder)) for number in part.sizes}
    rows = [(number, placed) for number, placed in sorted(blocks.items()) if placed is not None]
    numbers = columns([number for number, _ in rows], 8)
    parts = (len(rows).to_bytes(4, "little"), numbers, *(placed for _, placed in rows))
    return pack(*parts, strategy=zlib.Z_FILTERED)


def columns(numbers: Sequence[int], width: int) -> bytes:
    """Return numbers of ``width`` bytes, transposed: all lowest bytes first."""
    return b"".join(bytes(number >> 8 * column & 255 for number in numbers) for column in range(width))


def pack(*parts: bytes, strategy: int = zlib.Z_DEFAULT_STRATEGY) -> str:
    """Return bytes packed by zlib, in base64."""
    stream = zlib.compressobj(9, strategy=strategy)
    return b64encode(stream.compress(b"".join(parts)) + stream.flush()).decode("ascii")
