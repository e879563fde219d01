"""How packs for the page are made, and the pack of a ply's values, which needs no kernel."""

import zlib
from base64 import b64encode
from collections.abc import Sequence
from pathlib import Path

from book.files.levels import parts_in, read_part


def pack_level(folder: Path) -> str:
    """Return all parts of a ply as one table, a row for each block; raises LevelError and OSError.

    It begins with the number of rows, 4 bytes. Columns: 8 bytes the block's number, 4 bytes its positions, 2 bytes how
    many of these only a capture leads to. Then come the keys of those, as a column of 8 bytes, and the values + 24.
    """
    blocks = {number: part.block(number) for part in map(read_part, parts_in(folder)) for number in part.sizes}
    rows = [(number, its) for number, its in sorted(blocks.items()) if its is not None]
    return pack(
        len(rows).to_bytes(4, "little"),
        columns([number for number, _ in rows], 8),
        columns([len(its.values) for _, its in rows], 4),
        columns([len(its.captures) for _, its in rows], 2),
        columns([key for _, its in rows for key in its.captures], 8),
        *(its.values for _, its in rows),
    )


def columns(numbers: Sequence[int], width: int) -> bytes:
    """Return numbers of ``width`` bytes, transposed: all lowest bytes first."""
    return b"".join(bytes(number >> 8 * column & 255 for number in numbers) for column in range(width))


def pack(*parts: bytes) -> str:
    """Return bytes packed by zlib, in base64."""
    return b64encode(zlib.compress(b"".join(parts), 9)).decode("ascii")
