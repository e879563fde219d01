"""The format of a pack for the page, and the pack of the values of a later ply. This module needs no kernel."""

import zlib
from base64 import b64encode
from collections.abc import Sequence
from pathlib import Path

from little_go.book.files.levels import parts_in, read_part


def pack_level(folder: Path) -> str:
    """Return the values of a ply as a pack, a row for each block; raise LevelError and OSError.

    The pack begins with the number of rows, 4 bytes. Then it has the numbers of all blocks, 8 bytes each, and the bytes
    of all blocks, in the order of their places.
    """
    blocks = {number: part.block(number) for part in map(read_part, parts_in(folder)) for number in part.sizes}
    rows = [(number, placed) for number, placed in sorted(blocks.items()) if placed is not None]
    numbers = columns([number for number, _ in rows], 8)
    parts = (len(rows).to_bytes(4, "little"), numbers, *(placed for _, placed in rows))
    return pack(*parts, strategy=zlib.Z_FILTERED)


def columns(numbers: Sequence[int], width: int) -> bytes:
    """Return the bytes of numbers of ``width`` bytes: first the lowest byte of each number, then the next bytes."""
    return b"".join(bytes(number >> 8 * column & 255 for number in numbers) for column in range(width))


def pack(*parts: bytes, strategy: int = zlib.Z_DEFAULT_STRATEGY) -> str:
    """Compress bytes by zlib, and return them in base64."""
    stream = zlib.compressobj(9, strategy=strategy)
    return b64encode(stream.compress(b"".join(parts)) + stream.flush()).decode("ascii")
