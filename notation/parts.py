"""The parts of a text that a reader took, and those that it left out, in the text's own words."""

import re
from collections.abc import Iterable
from itertools import groupby
from operator import attrgetter
from typing import NamedTuple

#: A left-out part is quoted up to this many characters, and this many parts are quoted.
_MOST_QUOTED, _MOST_PARTS = 60, 5

_BLANKS = " \t\r\n"
#: Signs without a meaning of their own between parts that were taken.
_SIGNS = re.escape(_BLANKS + "()[]{}<>|/`'\"\u201c\u201d\u201e\u00ab\u00bb,;:*_=~$&+-\ufeff")
_NEUTRAL = re.compile(f"[{_SIGNS}]*[.!?]?[{_SIGNS}]*")


class Part(NamedTuple):
    """A piece of a text. text: as it stands there; is_taken: whether a reader took it."""

    text: str
    is_taken: bool


def parts_of(text: str, taken: Iterable[tuple[int, int]]) -> tuple[Part, ...]:
    """Cut a text into what was taken and what was left out; the parts make up the text.

    taken: where the pieces begin and end that were taken, in their order. Blanks around the others are taken as well,
        and so are brackets, lines and the like, with a full stop at most.

    >>> parts_of("see 2,2!", [(4, 7)])
    (Part(text='see', is_taken=False), Part(text=' 2,2!', is_taken=True))
    """
    pieces: list[Part] = []
    at = 0
    for begin, end in (*taken, (len(text), len(text))):
        pieces += _unread(text[at:begin])
        pieces.append(Part(text[max(at, begin) : end], True))
        at = max(at, end)
    merged = (
        Part("".join(part.text for part in group), is_taken)
        for is_taken, group in groupby((part for part in pieces if part.text), attrgetter("is_taken"))
    )
    return tuple(merged)


def _unread(text: str) -> list[Part]:
    """Return the parts of a piece that no reader has taken."""
    if _NEUTRAL.fullmatch(text):
        return [Part(text, True)]
    begin, end = len(text) - len(text.lstrip(_BLANKS)), len(text.rstrip(_BLANKS))
    return [Part(text[:begin], True), Part(text[begin:end], False), Part(text[end:], True)]


def whole(text: str) -> tuple[Part, ...]:
    """Return a text that was taken as it is."""
    return parts_of(text, [(0, len(text))])


def left_out(parts: Iterable[Part]) -> tuple[str, ...]:
    """Return the parts that were left out, in their order."""
    return tuple(part.text for part in parts if not part.is_taken)


def not_read(left: Iterable[str]) -> list[str]:
    """Return a note on each part that was left out, on one line; the last one counts those that it does not quote.

    >>> not_read(["Bob: hi\\nAnn: hello", "bye"])
    ["not read: 'Bob: hi' and 1 more line", "not read: 'bye'"]
    """
    left = list(left)
    notes = [f"not read: {_quoted(text)}" for text in left[:_MOST_PARTS]]
    more = len(left) - _MOST_PARTS
    return [*notes, f"not read: {more} more part{'s' if more > 1 else ''}"] if more > 0 else notes


def _quoted(text: str) -> str:
    first, *more = text.splitlines() or [""]
    quoted = repr(first if len(first) <= _MOST_QUOTED else first[:_MOST_QUOTED] + "...")
    return quoted + (f" and {len(more)} more line{'s' if len(more) > 1 else ''}" if more else "")
