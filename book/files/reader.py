"""Read ``book.json``, the compressed book. This module is a part of ``my_player3.py``, so it must run in Python 3.7.

The file is one JSON object::

    {
      "format": 1,
      "rules": {"size": 5, "komi": 2.5, "plies": 24, "score": "stones"},
      "positions": N,
      "sha256": hash of the unpacked data,
      "data": base64(zlib(unpacked data))
    }

The unpacked data are 9 N bytes: N canonical keys (see solver.symmetry) in ascending order, 8 bytes each, then one byte
for each position. The keys are transposed: first the lowest bytes of all keys, then the second bytes, and so on.
Neighbouring keys have the same higher bytes, so zlib packs these columns better::

    |  lowest bytes  |  second bytes  |  ...  |  highest bytes  |   verdicts and moves   |
    | k0 k1 ... kN-1 | k0 k1 ... kN-1 |  ...  | k0 k1 ... kN-1  | p0 p1 p2     ...  pN-1 |
    0                N               2N      7N                8N                       9N

    one byte p:   bit 7      6 .. 5      4 .. 0
                      0      verdict     move, canonical orientation (0 to 24, 25 = PASS)

    verdict: 0 = undecided, 1 = proven win for the mover, 2 = proven loss for the mover
"""

import hashlib
import json
import sys
import zlib
from array import array
from binascii import a2b_base64
from bisect import bisect_left
from typing import Any, Dict, Iterator, NamedTuple, Optional, Sequence, Tuple

from little_go.runtime.plain import read_plain
from little_go.solver.answer import Bounds
from little_go.solver.family import Variant
from little_go.solver.position import FULL, PASS, POINTS, SIZE, Position, move_name, neighbours
from little_go.solver.symmetry import Oriented, position_of

BOOK_FORMAT = 1

#: The verdicts, from the mover's point of view.
BOOK_UNDECIDED, BOOK_WIN, BOOK_LOSS = 0, 1, 2

#: By point, the mask of its neighbours.
_BESIDE = [neighbours(1 << point) for point in range(POINTS)]

#: The maximum size of a book. A player could not load a larger book in time.
_MOST_BOOK_BYTES = 1 << 28


class BookError(ValueError):
    """Raised if a book cannot be used. The message is one line with the file's name."""


class BookEntry(NamedTuple):
    """The book's entry for a position, in the orientation of the position that was looked up.

    move: a point from 0 to 24, or PASS. verdict: BOOK_WIN (a proven win for the mover), BOOK_LOSS (a proven loss) or
    BOOK_UNDECIDED. bounds: the bounds on the value that follow from the verdict, from Black's side.
    """

    move: int
    verdict: int
    bounds: Bounds


class MoveBook:
    """A book in memory, which read_book() returns. ``len()`` is the number of positions.

    Public attribute: ``game``, the game to which the verdicts apply.
    """

    def __init__(self, keys: "array[int]", plays: bytes, game: Variant) -> None:
        self._keys = keys
        self._plays = plays
        self.game = game

    def __len__(self) -> int:
        return len(self._plays)

    def get(self, position: Position) -> Optional[BookEntry]:
        """Return the entry for a position, or None if the position is not in the book."""
        oriented = Oriented.of(position)
        index = bisect_left(self._keys, oriented.key)
        if index == len(self._keys) or self._keys[index] != oriented.key:
            return None
        return _book_entry(self._plays[index], position, oriented.back, self.game)

    def find(self, position: Position) -> BookEntry:
        """Return the entry for a position. Raise KeyError if the position is not in the book."""
        entry = self.get(position)
        if entry is None:
            raise KeyError(position)
        return entry

    def items(self) -> Iterator[Tuple[Position, BookEntry]]:
        """Yield every position with its entry, in canonical orientation, sorted by key."""
        for key, play in zip(self._keys, self._plays):
            position = position_of(key)
            yield position, _book_entry(play, position, range(PASS + 1), self.game)


def read_book(path: str, game: Variant) -> MoveBook:
    """Read a game's book from the file at ``path``.

    Raise BookError if the file cannot be read, is damaged, is not a book, has a newer format, is for other rules, or
    contains an illegal move.
    """
    try:
        return _unpack_book(json.loads(read_plain(path, _MOST_BOOK_BYTES).decode("utf-8-sig")), game)
    except OSError as error:
        raise BookError("{}: {}".format(path, error.strerror)) from None
    except BookError as error:
        raise BookError("{}: {}".format(path, error)) from None
    except (ValueError, RecursionError):
        raise BookError("{}: not JSON".format(path)) from None


def _book_entry(play: int, position: Position, back: Sequence[int], game: Variant) -> BookEntry:
    """Return the entry in a position's byte.

    back: by move in canonical orientation, the move in the position's orientation.
    """
    verdict = play >> 5
    bounds = Bounds()
    if verdict != BOOK_UNDECIDED:
        bounds = game.won_by(1 if (verdict == BOOK_WIN) == position.black_to_move else 2)
    return BookEntry(back[play & 31], verdict, bounds)


def _unpack_book(content: Any, game: Variant) -> MoveBook:
    """Return the book in parsed JSON. Raise BookError if the JSON is not valid."""
    _check_book_header(content, game)
    packed, plays = unpack_columns(content, 8, content["positions"])
    keys = array("Q")
    keys.frombytes(packed)
    if sys.byteorder == "big":
        keys.byteswap()
    _check_book_plays(keys, plays)
    return MoveBook(keys, plays, game)


def _check_book_plays(keys: "array[int]", plays: bytes) -> None:
    """Raise BookError unless the keys ascend and every position's byte has a verdict and a legal move."""
    last = -1
    for key, play in zip(keys, plays):
        move = play & 31
        if key <= last or play >> 5 > BOOK_LOSS or move > PASS:
            raise BookError("damaged: position {} is out of order, or has no move".format(key))
        last = key
        # A point with an empty neighbour is legal without a check, unless it is the ko point.
        empty = FULL & ~(key | key >> POINTS)
        if move == PASS or (empty >> move & 1 and empty & _BESIDE[move] and key >> 2 * POINTS & 31 != move + 1):
            continue
        if move not in _book_position(key).legal_moves():
            raise BookError("damaged: in position {} it plays {}, which is illegal".format(key, move_name(move)))


def _book_position(key: int) -> Position:
    try:
        return position_of(key)
    except ValueError as error:
        raise BookError("damaged: {}".format(error)) from None


def book_rules(game: Variant) -> Dict[str, Any]:
    """Return the field ``rules`` of a game's book."""
    return {"size": SIZE, "komi": game.komi, "plies": game.plies, "score": "stones"}


def _check_book_header(content: Any, game: Variant) -> None:
    version = content.get("format") if isinstance(content, dict) else None
    if not isinstance(version, int):
        raise BookError("not a Little-Go book")
    if version != BOOK_FORMAT:
        raise BookError("book format {}, but this program reads format {}".format(version, BOOK_FORMAT))
    rules = content.get("rules")
    if rules != book_rules(game):
        raise BookError("made for {}, but the game here is {}".format(_game_text(rules), game))
    if not (isinstance(content.get("data"), str) and isinstance(content.get("positions"), int)):
        raise BookError("damaged: data or the number of positions is missing")


def _game_text(rules: Any) -> str:
    if isinstance(rules, dict) and type(rules.get("plies")) is int and type(rules.get("komi")) is float:
        game = Variant(rules["plies"], rules["komi"])
        if rules == book_rules(game):
            return str(game)
    return "other rules: {}".format(json.dumps(rules))


def unpack_columns(content: Dict[str, Any], width: int, count: int) -> Tuple[bytes, bytes]:
    """Return ``count`` joined keys of ``width`` bytes each, and a byte for each key.

    Raise BookError if the data are damaged. content: a record with the keys ``data`` and ``sha256`` that
    book.files.writer.pack_columns() returns.
    """
    try:
        unpacked = zlib.decompress(a2b_base64(content["data"]))
    except ValueError:
        raise BookError("damaged: its data are not base64") from None
    except zlib.error:
        raise BookError("damaged: its data do not decompress") from None
    if hashlib.sha256(unpacked).hexdigest() != content.get("sha256"):
        raise BookError("damaged: its data do not have the sha256 it states")
    if len(unpacked) != (width + 1) * count:
        raise BookError("damaged: {} bytes of data for {} keys".format(len(unpacked), count))
    keys = bytearray(width * count)
    for column in range(width):
        keys[column::width] = unpacked[column * count : (column + 1) * count]
    return bytes(keys), unpacked[width * count :]
