"""Write ``book.json``, and read one of any game; book.files.reader describes the format.

The player's reader is given its game; the commands read it from the file.
"""

import base64
import hashlib
import json
import zlib
from collections.abc import Iterable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from little_go.book.files.reader import (
    BOOK_FORMAT,
    BOOK_LOSS,
    BOOK_UNDECIDED,
    BOOK_WIN,
    BookError,
    MoveBook,
    book_rules,
    read_book,
)
from little_go.runtime.files import MIB, read_file, write_whole
from little_go.solver.family import COURSE, Variant
from little_go.solver.position import PASS, Position


class BookLine(NamedTuple):
    """One position of the book.

    key: canonical key. move: in canonical orientation, 0 to 24 or PASS.
    verdict: BOOK_WIN, BOOK_LOSS or BOOK_UNDECIDED, for the mover.
    """

    key: int
    move: int
    verdict: int


def verdict_of(position: Position, lo: int, hi: int, game: Variant) -> int:
    """Turn bounds on the value into the mover's BOOK_WIN, BOOK_LOSS or BOOK_UNDECIDED."""
    if lo < game.least <= hi:
        return BOOK_UNDECIDED
    return BOOK_WIN if (lo >= game.least) == position.black_to_move else BOOK_LOSS


def write_book(lines: Iterable[BookLine], path: str | Path, game: Variant) -> int:
    """Write a game's lines to ``path`` and return their number; the same lines give the same bytes.

    Raises BookError for two lines of one position, or a move or verdict out of range, and OSError.
    """
    plays = _plays_by_key(lines)
    write_whole(path, json.dumps(_content(plays, game), indent=1) + "\n")
    return len(plays)


def _plays_by_key(lines: Iterable[BookLine]) -> dict[int, int]:
    plays: dict[int, int] = {}
    for line in lines:
        if not 0 <= line.move <= PASS or line.verdict not in (BOOK_UNDECIDED, BOOK_WIN, BOOK_LOSS):
            raise BookError(f"{line} does not fit the format")
        if line.key in plays:
            raise BookError(f"{line} is the second one for its key")
        plays[line.key] = line.verdict << 5 | line.move
    return plays


def _content(plays: dict[int, int], game: Variant) -> dict[str, object]:
    return {"format": BOOK_FORMAT, "rules": book_rules(game), "positions": len(plays), **pack_columns(plays, 8)}


def pack_columns(found: Mapping[int, int], width: int) -> dict[str, str]:
    """Pack bytes by key, keys of ``width`` bytes, as JSON keys; their order does not matter."""
    keys = sorted(found)
    packed = b"".join(key.to_bytes(width, "little") for key in keys)
    unpacked = b"".join(packed[column::width] for column in range(width)) + bytes(found[key] for key in keys)
    data = base64.b64encode(zlib.compress(unpacked, 9)).decode("ascii")
    return {"sha256": hashlib.sha256(unpacked).hexdigest(), "data": data}


def read_named_book(path: Path) -> tuple[MoveBook, Variant]:
    """Read a book and its game, the course's where it names none; raises BookError as read_book() does."""
    game = COURSE
    # read_book() reports what is wrong with the file.
    with suppress(OSError, ValueError, TypeError, LookupError, RecursionError):
        rules = json.loads(read_file(path, 256 * MIB))["rules"]
        named = Variant(rules["plies"], rules["komi"])
        named.check()
        if rules == book_rules(named):
            game = named
    return read_book(str(path), game), game
