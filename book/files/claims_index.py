"""The file ``claims.index``, which contains the claims of the shipped certificates by position.

The unpacked certificates have 16 MB, but a question about a position needs only a few of their lines. The index is
packed by zlib. Numbers are little-endian, and the keys are stored in 8 columns of one byte each::

    | format | number of certificates | a head for each | rows | 8 columns of the keys | certificate | move |

A head consists of a certificate's SHA-256, its bounds + 24, the length of its name, and the name. Rows are sorted by
canonical key, and a position has a row for each of its lines. Moves are in canonical orientation. A start position
without a line has NO_MOVE. The index lists the positions before the leaves, which book.exchange.claims reads.
"""

import struct
import sys
import zlib
from array import array
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from little_go.book.files.atlas import AtlasError
from little_go.runtime.files import MIB, read_file
from little_go.solver.answer import LEAST, Bounds
from little_go.solver.position import PASS

NO_MOVE = 31

_FORMAT = 1
_HEAD, _COUNT, _KEY = struct.Struct("<32sBBB"), struct.Struct("<I"), 8

#: The maximum size of the file in bytes, packed and unpacked.
_MOST = 64 * MIB

_MOVES = bytes([*range(PASS + 1), NO_MOVE])


class Listed(NamedTuple):
    """A certificate: its name, its SHA-256, and the bounds that it claims for each of its positions."""

    name: str
    digest: str
    bounds: Bounds


class Row(NamedTuple):
    """A line of a certificate: the canonical key, the certificate's number, and the move or NO_MOVE."""

    key: int
    number: int
    move: int


class ClaimsIndex:
    """The index in memory. Public attribute: ``files``, the certificates in the order of their numbers in the rows."""

    def __init__(self, files: Sequence[Listed], keys: "array[int]", numbers: bytes, moves: bytes) -> None:
        """keys, numbers, moves: the columns of the sorted rows."""
        self.files = files
        self._keys, self._numbers, self._moves = keys, numbers, moves

    @classmethod
    def of(cls, files: Sequence[Listed], rows: Iterable[Row]) -> "ClaimsIndex":
        """Return a claims index of rows, which may be in any order."""
        rows = sorted(set(rows))
        return cls(files, array("Q", [row.key for row in rows]), *(bytes(row[at] for row in rows) for at in (1, 2)))

    @classmethod
    def unpacked(cls, content: bytes) -> "ClaimsIndex":
        """Return the index in a file's unpacked bytes.

        Raise ValueError, IndexError or struct.error if the bytes are not valid.
        """
        if content[0] != _FORMAT:
            raise ValueError(f"format {content[0]}, not {_FORMAT}")
        files, at = [], 2
        for _ in range(content[1]):
            digest, lo, hi, length = _HEAD.unpack_from(content, at)
            at += _HEAD.size + length
            files.append(
                Listed(content[at - length : at].decode("ascii"), digest.hex(), Bounds(lo + LEAST, hi + LEAST))
            )
        (count,) = _COUNT.unpack_from(content, at)
        at += _COUNT.size
        if len(content) != at + (_KEY + 2) * count:
            raise ValueError("its length does not fit its number of rows")
        columns = [content[begin : begin + count] for begin in range(at, len(content), count)] if count else []
        packed = bytearray(_KEY * count)
        for place, column in enumerate(columns[:_KEY]):
            packed[place::_KEY] = column
        numbers, moves = columns[_KEY:] or (b"", b"")
        if moves.translate(None, _MOVES) or numbers.translate(None, bytes(range(len(files)))):
            raise ValueError("a certificate or a move out of range")
        return cls(files, _little_endian(array("Q", bytes(packed))), numbers, moves)

    def packed(self) -> bytes:
        """Return the bytes of the file. The same rows give the same bytes."""
        parts = [bytes([_FORMAT, len(self.files)])]
        for name, digest, (lo, hi) in self.files:
            parts += [_HEAD.pack(bytes.fromhex(digest), lo - LEAST, hi - LEAST, len(name)), name.encode("ascii")]
        keys = _little_endian(self._keys[:])
        columns = (keys.tobytes()[column::_KEY] for column in range(_KEY))
        return zlib.compress(b"".join([*parts, _COUNT.pack(len(keys)), *columns, self._numbers, self._moves]), 9)

    def __len__(self) -> int:
        return len(self._keys)

    def about(self, key: int) -> Iterator[tuple[int, int | None]]:
        """Yield the claims about the position with the canonical key ``key``: a certificate's number, and a move or
        None.
        """
        at = bisect_left(self._keys, key)
        while at < len(self._keys) and self._keys[at] == key:
            yield self._numbers[at], None if self._moves[at] == NO_MOVE else self._moves[at]
            at += 1


def _little_endian(numbers: "array[int]") -> "array[int]":
    """Swap the bytes of numbers, before writing or after reading them, if the machine is big-endian."""
    if sys.byteorder == "big":
        numbers.byteswap()
    return numbers


def read_claims_index(path: Path) -> ClaimsIndex:
    """Read an index. Raise AtlasError if the file is damaged."""
    stream = zlib.decompressobj()
    try:
        content = stream.decompress(read_file(path, _MOST), _MOST)
        if not stream.eof or stream.unused_data:
            raise ValueError("not packed by zlib, or longer")
        return ClaimsIndex.unpacked(content)
    except (zlib.error, ValueError, IndexError, struct.error) as error:
        raise AtlasError(f"{path}: not the index of the certificates, or damaged: {error}") from None
