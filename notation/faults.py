"""The exception that all readers raise.

The module is part of ``my_player3.py`` and must run with Python 3.7.
"""

from typing import Optional, Tuple


class NotationError(ValueError):
    """Raised if a text cannot be read, or if its position is impossible. The message is one line.

    - ``fault``: ``damaged``, ``not-a-move``, ``off-board``, ``wrong-colour``, ``illegal``, ``too-long`` (a move after
      the end of the game), ``unreachable`` (no game leads to the position), ``ambiguous``, ``not-5x5`` or
      ``other-game``.
    - ``wanted``: a sentence that states the fault and the remedy, but not the place.
    - ``line``, ``column``: the place of the fault in the text, counted from 1, or None if the place is not known.
    - ``part``: the SGF property or the JSON key with the fault, or None in other texts.
    """

    def __init__(
        self,
        fault: str,
        wanted: str,
        line: Optional[int] = None,
        column: Optional[int] = None,
        part: Optional[str] = None,
    ) -> None:
        places = [("line", line), ("column", column)]
        where = ["{} {}".format(name, number) for name, number in places if number is not None]
        if part is not None:
            where.append(part)
        super().__init__("{}: {}".format(", ".join(where), wanted) if where else wanted)
        self.fault = fault
        self.wanted = wanted
        self.line = line
        self.column = column
        self.part = part


def place_in(text: str, offset: int) -> Tuple[Optional[int], int]:
    r"""Return the line and the column of an offset in a text, counted from 1.

    If the text has only one line, the number of the line is None.

    >>> place_in("2,2\n1,1 x", 8), place_in("2,2 x", 4)
    ((2, 5), (None, 5))
    """
    line = text.count("\n", 0, offset) + 1 if "\n" in text.strip() else None
    return line, offset - text.rfind("\n", 0, offset)


def shown(text: str) -> str:
    """Return a short form of a text for a message: its beginning, in quotes and on one line."""
    return repr(text if len(text) <= 20 else text[:20] + "...")
