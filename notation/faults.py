"""The one error of all readers; part of ``my_player3.py``, Python 3.7."""

from typing import Optional, Tuple


class NotationError(ValueError):
    """A text that cannot be read, or whose position no game can have; its message is one line.

    fault: ``damaged``, ``not-a-move``, ``off-board``, ``wrong-colour``, ``illegal``, ``too-long`` (a move after the
        end), ``unreachable`` (no game has it), ``ambiguous``, ``not-5x5`` or ``other-game``.
    wanted: the fault and the remedy, in a sentence, without the place.
    line, column: the place, both from 1; None where not known.
    part: the property or key; None outside of SGF and JSON.
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
    r"""Return the line and the column of an offset in a text, both from 1; of a text that is one line, no line.

    >>> place_in("2,2\n1,1 x", 8), place_in("2,2 x", 4)
    ((2, 5), (None, 5))
    """
    line = text.count("\n", 0, offset) + 1 if "\n" in text.strip() else None
    return line, offset - text.rfind("\n", 0, offset)


def shown(text: str) -> str:
    """Return the beginning of a text for a message, in quotes and on one line."""
    return repr(text if len(text) <= 20 else text[:20] + "...")
