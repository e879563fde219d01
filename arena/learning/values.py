"""Learnt values, packed small for play: ``qlearning.json``.

The file is one JSON object::

    {
      "format": 1,
      "game": "little-go",
      "low": the value that byte 0 stands for,
      "high": the value that byte 255 stands for, others in between evenly,
      "entries": N,
      "sha256": hash of the unpacked data,
      "data": base64(zlib(unpacked data))
    }

The unpacked data are 5 N bytes: N keys (see arena.learning.littlego) in ascending order, 4 bytes each, then a byte
for each key's value. The keys are stored transposed, all their lowest bytes first::

    |  lowest bytes  |  second bytes  |  third bytes   |  highest bytes |      values       |
    | k0 k1 ... kN-1 | k0 k1 ... kN-1 | k0 k1 ... kN-1 | k0 k1 ... kN-1 | v0 v1 v2 ... vN-1 |
    0                N               2N               3N               4N                  5N
"""

import hashlib
import json
import zlib
from base64 import b64encode
from binascii import a2b_base64
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from runtime.files import read_json, write_whole

_FORMAT, _GAME = 1, "little-go"

_KEY_BYTES, _MOST_VALUE = 4, 255
_ENTRY_BYTES = _KEY_BYTES + 1


class ValueTableError(ValueError):
    """A table that cannot be used; the message is one line that names the file."""


class ValueTable:
    """Values by key, each a byte; make one with pack() or open_table(). ``len()`` is the number of keys.

    Public attributes: ``low`` and ``high``, what the bytes 0 and 255 stand for; ``values``, the bytes by key.
    """

    def __init__(self, values: Mapping[int, int], low: float, high: float) -> None:
        self.values = values
        self.low = low
        self.high = high

    def __len__(self) -> int:
        return len(self.values)

    def rank(self, key: int) -> int:
        """Return a key's value as its byte, 0 to 255; -1 for one that is not there, below all that are.

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
    """Write a table; the same table gives the same bytes. Raises OSError."""
    keys = sorted(table.values)
    packed = b"".join(key.to_bytes(_KEY_BYTES, "little") for key in keys)
    unpacked = b"".join(packed[column::_KEY_BYTES] for column in range(_KEY_BYTES))
    unpacked += bytes(table.values[key] for key in keys)
    content = {
        "format": _FORMAT,
        "game": _GAME,
        "low": table.low,
        "high": table.high,
        "entries": len(keys),
        "sha256": hashlib.sha256(unpacked).hexdigest(),
        "data": b64encode(zlib.compress(unpacked, 9)).decode("ascii"),
    }
    write_whole(path, json.dumps(content, indent=1) + "\n")


def open_table(path: Path) -> ValueTable:
    """Return the table in a file.

    Raises ValueTableError when it cannot be read, is damaged, is no table or is of another format.
    """
    return read_json(path, _unpack, ValueTableError)


def _unpack(content: Any) -> ValueTable:
    """Return the table that parsed JSON holds; raises ValueTableError without the file's name."""
    _check_header(content)
    unpacked = _unpack_data(content["data"])
    if hashlib.sha256(unpacked).hexdigest() != content.get("sha256"):
        raise ValueTableError("damaged: its data do not match its sha256")
    count = content["entries"]
    if len(unpacked) != _ENTRY_BYTES * count:
        raise ValueTableError(f"damaged: {len(unpacked)} bytes of data for {count} entries")
    columns = [unpacked[column * count : (column + 1) * count] for column in range(_KEY_BYTES)]
    keys = (int.from_bytes(bytes(key), "little") for key in zip(*columns, strict=True))
    values = dict(zip(keys, unpacked[_KEY_BYTES * count :], strict=True))
    return ValueTable(values, float(content["low"]), float(content["high"]))


def _check_header(content: Any) -> None:
    if not isinstance(content, dict) or content.get("game") != _GAME:
        raise ValueTableError("not a table of values of Little-Go")
    if content.get("format") != _FORMAT:
        raise ValueTableError(f"table format {content.get('format')}, but this program reads format {_FORMAT}")
    kinds: dict[str, type | tuple[type, ...]] = {"low": (int, float), "high": (int, float), "entries": int, "data": str}
    wrong = [name for name, kind in kinds.items() if not isinstance(content.get(name), kind)]
    if wrong:
        raise ValueTableError(f"damaged: {wrong[0]} is missing")


def _unpack_data(text: str) -> bytes:
    try:
        return zlib.decompress(a2b_base64(text))
    except ValueError:
        raise ValueTableError("damaged: its data are not base64") from None
    except zlib.error:
        raise ValueTableError("damaged: its data do not decompress") from None
