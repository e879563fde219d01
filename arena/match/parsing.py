"""Read ``output.txt`` as the course's host code does, and note whether it has the exact format.

The host opens the file as text, takes its first line, strips it and splits it at the commas. It is a PASS if the first
field is just that, else the point of ``int()`` of the first two fields; what raises an exception on the way loses. The
assignment wants ``i,j`` "without whitespace", or ``PASS``, with LF for the end of a line. docs/reference/HOST.md has a
table of spellings.
"""

import io
import re
from typing import NamedTuple

from solver.position import PASS, move_name

#: The first part of a file, which Python decodes as a whole when a line is asked for. We read no further.
MOST_BYTES = 8192

_PASS = move_name(PASS)

#: The whole file in the exact format: integers as one writes them, at most one LF at the end.
_LETTER = re.compile(rf"(?:(?:0|-?[1-9][0-9]*),(?:0|-?[1-9][0-9]*)|{_PASS})\n?")

#: Coordinates farther off the board are shown as this: a longer number is no easier to read.
_FARTHEST = 999_999_999

#: As much of an answer as people are shown, and a game's record keeps.
_MOST_PRINTED = 40


class BadAnswer(ValueError):
    """A text that the host can make nothing of."""


class ParsedAnswer(NamedTuple):
    """A move as the host has read it.

    move: the point as ``i,j``, on the board or off it, or ``PASS``.
    is_exact: whether the text has the exact format.
    """

    move: str
    is_exact: bool


def read_answer(text: str) -> ParsedAnswer:
    """Read the text of an ``output.txt``; raises BadAnswer.

    text: decoded from UTF-8, with bytes that are none escaped (``surrogateescape``).

    >>> read_answer("2, 01,x")
    ParsedAnswer(move='2,1', is_exact=False)
    """
    try:
        fields = _first_line(text).strip().split(",")
        move = _PASS if fields[0] == _PASS else _point(fields[0], fields[1])
    except (ValueError, IndexError):
        raise BadAnswer(text) from None
    return ParsedAnswer(move, bool(_LETTER.fullmatch(text)))


def beginning_of(text: str) -> str:
    """Return the beginning of an answer as any terminal and any file takes it."""
    return text[:_MOST_PRINTED].encode("utf-8", "surrogateescape").decode("utf-8", "replace")


def _first_line(text: str) -> str:
    """Return the first line, which LF, CR or CR LF ends, as a text file gives it; raises ValueError for bad bytes."""
    content = text.encode("utf-8", "surrogateescape")[:MOST_BYTES]
    return io.TextIOWrapper(io.BytesIO(content), encoding="utf-8").readline()


def _point(row: str, column: str) -> str:
    """Return the point's name; raises ValueError."""
    numbers = (max(-_FARTHEST, min(int(field), _FARTHEST)) for field in (row, column))
    return ",".join(map(str, numbers))
