"""Learnt values, packed for play: ``qlearning.json``.

The file is one JSON object::

    {
      "format": 1,
      "game": "little-go",
      "low": the value of byte 0,
      "high": the value of byte 255; the others lie evenly between,
      "entries": N,
      "sha256": hash of the unpacked data,
      "data": base64(zlib(unpacked data))
    }

The unpacked data are 5 N bytes: N keys (see arena.learning.littlego) in ascending order, 4 bytes each, then a byte for
each key's value. The keys are stored transposed, like those of ``book.json`` (book.files.reader).
"""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from book.files.reader import BookError, unpack_columns
from book.files.writer import pack_columns
from runtime.files import MIB, read_json, write_whole

_FORMAT, _GAME = 1, "little-go"

_KEY_BYTES, _MOST_VALUE = 4, 255


class ValueTableError(ValueError):
    """An unusable table; the message is one line that names the file."""


class ValueTable:
    """Values by key, one byte each; built by pack() or open_table(). ``len()`` is the number of keys.

    low, high: the values of bytes 0 and 255. values: the bytes by key.
    """

    def __init__(self, values: Mapping[int, int], low: float, high: float) -> None:
        self.values = values
        self.low = low
        self.high = high

    def __len__(self) -> int:
        return len(self.values)

    def rank(self, key: int) -> int:
        """Return a key's value as its byte, 0 to 255; -1 for a missing key, below all others.

        >>> [pack({7: 0.0, 8: 0.5}).rank(key) for key in (7, 8, 9)]
        [0, 255, -1]
        """
        return self.values.get(key, -1)


def pack(values: Mapping[int, float]) -> ValueTable:
    """Return a table of values, each rounded to one of 256 steps from the least to the greatest."""
    low, high = min(values.values(), default=0.0), max(values.values(), default=0.0)
    step = (high - low) / _MOST_VALUE or 1.0
    return ValueTable({key: round((value - low) / step) for key, value in values.items()}, low, high)


def write_table(table: ValueTable, path: Path) -> None:
    """Write a table; equal tables give equal bytes. Raises OSError."""
    content = {
        "format": _FORMAT,
        "game": _GAME,
        "low": table.low,
        "high": table.high,
        "entries": len(table),
        **pack_columns(table.values, _KEY_BYTES),
    }
    write_whole(path, json.dumps(content, indent=1) + "\n")


def open_table(path: Path) -> ValueTable:
    """Return the table in a file.

    Raises ValueTableError for one that cannot be read, is damaged, or has another format.
    """
    return read_json(path, 256 * MIB, _unpack, ValueTableError)


def _unpack(content: Any) -> ValueTable:
    """Return the table in parsed JSON; raises ValueTableError without the file's name."""
    _check_header(content)
    try:
        keys, values = unpack_columns(content, _KEY_BYTES, content["entries"])
    except BookError as error:
        raise ValueTableError(str(error)) from None
    numbers = (int.from_bytes(keys[at : at + _KEY_BYTES], "little") for at in range(0, len(keys), _KEY_BYTES))
    return ValueTable(dict(zip(numbers, values, strict=True)), float(content["low"]), float(content["high"]))


def _check_header(content: Any) -> None:
    if not isinstance(content, dict) or content.get("game") != _GAME:
        raise ValueTableError("not a table of values of Little-Go")
    if content.get("format") != _FORMAT:
        raise ValueTableError(f"table format {content.get('format')}, but this program reads format {_FORMAT}")
    kinds: dict[str, type | tuple[type, ...]] = {"low": (int, float), "high": (int, float), "entries": int, "data": str}
    wrong = [name for name, kind in kinds.items() if not isinstance(content.get(name), kind)]
    if wrong:
        raise ValueTableError(f"damaged: {wrong[0]} is missing")
