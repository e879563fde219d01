"""Write ``book.json``, and read a book of any game. book.files.reader describes the format.

The player's reader gets the game as a parameter, but commands read the game from the file.
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
    """A position of the book.

    key: the canonical key. move: the move in canonical orientation, 0 to 24 or PASS. verdict: BOOK_WIN, BOOK_LOSS or
    BOOK_UNDECIDED, for the mover.
    """

    key: int
    move: int
    verdict: int


def verdict_of(position: Position, lo: int, hi: int, game: Variant) -> int:
    """Return BOOK_WIN, BOOK_LOSS or BOOK_UNDECIDED for the mover, from bounds on the value."""
    if lo < game.least <= hi:
        return BOOK_UNDECIDED
    return BOOK_WIN if (lo >= game.least) == position.black_to_move else BOOK_LOSS


def write_book(lines: Iterable[BookLine], path: str | Path, game: Variant) -> int:
    """Write a game's book and return the number of its positions. The same lines give the same bytes.

    Raise BookError if a position has two lines, or if a move or verdict is out of range.
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
    """Return the JSON fields ``data`` and ``sha256`` for keys of ``width`` bytes and a byte for each key."""
    keys = sorted(found)
    packed = b"".join(key.to_bytes(width, "little") for key in keys)
    unpacked = b"".join(packed[column::width] for column in range(width)) + bytes(found[key] for key in keys)
    data = base64.b64encode(zlib.compress(unpacked, 9)).decode("ascii")
    return {"sha256": hashlib.sha256(unpacked).hexdigest(), "data": data}


def read_named_book(path: Path) -> tuple[MoveBook, Variant]:
    """Read a book and its game. Raise BookError in the same cases as read_book()."""
    game = COURSE
    # If the file does not contain a valid game, read_book() raises an exception that explains the fault.
    with suppress(OSError, ValueError, TypeError, LookupError, RecursionError):
        rules = json.loads(read_file(path, 256 * MIB))["rules"]
        named = Variant(rules["plies"], rules["komi"])
        named.check()
        if rules == book_rules(named):
            game = named
    return read_book(str(path), game), game
