"""Read a position from a text in any format."""

import codecs
import re
from collections.abc import Iterator

from little_go.notation.faults import NotationError
from little_go.notation.movetext import after_moves
from little_go.notation.parsed import MOST_SGF_BYTES, ParsedPosition, Part, is_sgf, parts_of, read_input
from little_go.notation.ports import Ports, refusal, table
from little_go.notation.record import is_link, is_object, read_json, read_key, read_link
from little_go.notation.settling import check_around, is_key, settle
from little_go.notation.texts import read_text
from little_go.solver.family import COURSE, Variant

#: The beginning of an input.txt, which is a line that contains only the colour.
_INPUT = re.compile(r"\+?0*[12][ \t]*[\r\n]")

#: The smallest number of characters of a key. A shorter number may have a different meaning.
_LEAST_KEY = 6

#: The number of characters after an input.txt that are checked for a second position.
_MOST_BEHIND = 1000


def read(content: bytes | str, game: Variant | None, ply: int | None = None) -> ParsedPosition:
    """Read a position from a text or file with moves, a board, an ``input.txt``, SGF, JSON, a link or a key.

    - ``ply``: the number of plies played, if the text does not state this number. For a line of moves or a game,
      reading stops at this ply.
    - ``game``: the game; None for the game that the text states, or for the course's game if the text states no game.

    Raise NotationError if the text cannot be read, or if the position is impossible.

    >>> moves, board = read("2,2 1,1", COURSE), read("...../.O.../..X../...../.....", COURSE)
    >>> moves.position == read("C3 B4", COURSE).position == board.position
    True
    """
    if len(content) > MOST_SGF_BYTES:
        raise NotationError("damaged", f"longer than {MOST_SGF_BYTES // 1_000_000} MB")
    text = content if isinstance(content, str) else text_of(content)
    word = text.lstrip("\ufeff").strip()
    if not word and isinstance(content, bytes):
        raise NotationError("damaged", "the text is empty")
    placed = _read(content, text, word, game, ply)
    return placed._replace(parts=_around(text, placed.parts))


def _read(content: bytes | str, text: str, word: str, game: Variant | None, ply: int | None) -> ParsedPosition:
    """Read a text with the reader for its format. The parameter ``word`` is the text without blanks at both ends."""
    if is_sgf(word):
        # The import is here, because importing sgfmill and our SGF reader takes longer than reading most texts.
        from little_go.notation.sgf import beside_games, read_sgf

        if word.count("(") > (most := table()["most"]["brackets"]):
            raise refusal("many-brackets", most)
        placed = read_sgf(content, game, ply)
        return placed if ply is not None else check_around("\n".join(beside_games(content)), placed)
    if not word:
        return after_moves("", game=game)
    if is_object(word):
        return read_json(word, game, ply)
    if len(word) > (most := table()["most"]["text"]):
        raise refusal("too-long", most)
    if _INPUT.match(word):
        placed = read_input(text, game or COURSE, ply)
        return check_around("\n".join(placed.left_out)[:_MOST_BEHIND], placed)
    if is_link(word):
        return read_link(word, game, ply)
    if len(word) >= _LEAST_KEY and is_key(word):
        return read_key(word, game or COURSE, ply)
    return settle(read_text(Ports(text), text), text, game, ply)


def _around(text: str, parts: tuple[Part, ...]) -> tuple[Part, ...]:
    """Add the blanks at both ends of a text to the parts that a reader returned."""
    word = "".join(part.text for part in parts)
    at = text.find(word)
    return parts_of(text, _spans(parts, at)) if word != text and at >= 0 else parts


def _spans(parts: tuple[Part, ...], at: int) -> Iterator[tuple[int, int]]:
    for part in parts:
        if part.is_taken:
            yield at, at + len(part.text)
        at += len(part.text)


def text_of(content: bytes) -> str:
    """Decode the content of a file in UTF-8, or in UTF-16 with a byte order mark. Invalid bytes become U+FFFD."""
    is_wide = content.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
    return content.decode("utf-16" if is_wide else "utf-8", "replace").lstrip("\ufeff")
