"""The format of a pack for the page, and the pack of the values of one ply. This module needs no kernel."""

import zlib
from base64 import b64encode
from collections.abc import Sequence
from pathlib import Path

from little_go.book.files.levels import parts_in, read_part


def pack_level(folder: Path) -> str:
    """Return the values of a ply as a pack, with a row for each block. Raise LevelError if a file is damaged.

    The pack begins with the number of rows in 4 bytes. Next come the numbers of all blocks, with 8 bytes each, and then
    the bytes of each block, one for each place.
    """
    blocks = {number: part.block(number) for part in map(read_part, parts_in(folder)) for number in part.sizes}
    rows = [(number, placed) for number, placed in sorted(blocks.items()) if placed is not None]
    numbers = columns([number for number, _ in rows], 8)
    parts = (len(rows).to_bytes(4, "little"), numbers, *(placed for _, placed in rows))
    return pack(*parts, strategy=zlib.Z_FILTERED)


def columns(numbers: Sequence[int], width: int) -> bytes:
    """Return the bytes of numbers, ``width`` for each number: first all lowest bytes, then all next bytes."""
    return b"".join(bytes(number >> 8 * column & 255 for number in numbers) for column in range(width))


def pack(*parts: bytes, strategy: int = zlib.Z_DEFAULT_STRATEGY) -> str:
    """Return bytes, compressed by zlib, in base64."""
    stream = zlib.compressobj(9, strategy=strategy)
    return b64encode(stream.compress(b"".join(parts)) + stream.flush()).decode("ascii")
