"""The front door: a position in any form that people hand in."""

import codecs
import re

from notation.board import read_board, shows_rows
from notation.faults import NotationError
from notation.link import is_key, is_link, read_key, read_link
from notation.movetext import after_moves
from notation.placed import Placed, read_input
from notation.record import is_object, read_json
from notation.sgf import MOST_SGF_BYTES, is_sgf, read_sgf
from solver.family import COURSE, Variant

#: The beginning of an input.txt: the colour on a line of its own.
_INPUT = re.compile(r"\+?0*[12][ \t]*[\r\n]")


def read(content: bytes | str, ply: int | None = None, game: Variant | None = COURSE) -> Placed:
    """Return the position that a text or a file shows: moves, a board, an ``input.txt``, SGF, JSON, a link or a key.

    ply: plies played, where the text does not contain it; of a line of moves or a game, the ply to stop at.
    game: the one that it is of; None for the one that SGF, JSON or a link names, and for the course's otherwise.
    Raises NotationError.

    >>> read("2,2 1,1").position == read("C3 B4").position == read("...../.O.../..X../...../.....").position
    True
    """
    if len(content) > MOST_SGF_BYTES:
        raise NotationError("damaged", f"longer than {MOST_SGF_BYTES // 1_000_000} MB")
    text = content if isinstance(content, str) else text_of(content)
    word = text.lstrip("\ufeff").strip()
    if is_sgf(word):
        return read_sgf(content, ply, game=game)
    if is_object(word):
        return read_json(word, ply, game)
    if not _INPUT.match(word) and is_link(word):
        return read_link(word, ply, game)
    game = game or COURSE
    if _INPUT.match(word):
        return read_input(text, ply, game)
    if is_key(word):
        return read_key(word, ply, game)
    return read_board(word, ply, game) if shows_rows(word) else after_moves(word, ply=ply, game=game)


def text_of(content: bytes) -> str:
    """Return the text of a file in UTF-8, or in UTF-16 with its mark; what is neither becomes a sign that is wrong."""
    is_wide = content.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
    return content.decode("utf-16" if is_wide else "utf-8", "replace").lstrip("\ufeff")
