"""Drawn boards: rows of signs, as we and others print them."""

import re
from collections.abc import Iterator

from notation.faults import NotationError, shown
from notation.placed import Placed, place
from solver.family import COURSE, Variant
from solver.position import SIZE, Position, parse_rows

#: The signs of an empty point, of a stone of each side, and of the ko point.
_SIGNS = (".·", "Xx#●Bb", "Oo○Ww")
_KO = "+"
_ANY = re.escape("".join(_SIGNS) + _KO)

#: A row: five signs, blanks between them or none, the row's number before them or none. Behind a second number all is
#: ignored, as GNU Go puts the captures there.
_ROW = re.compile(rf"\s*(?:\d\s+)?((?:[{_ANY}]\s*){{{SIZE}}})(?:(?<=\s)\d\b.*)?")
#: The same of a smaller or larger board.
_PART = re.compile(rf"\s*(?:\d\s+)?(?:[{_ANY}]\s*){{3,}}(?:(?<=\s)\d\b.*)?")
_DIGITS = re.compile(r"\s*([012](?:\s*[012]){4})\s*")
#: Brackets around the last stone, and lines of a table.
_AROUND = str.maketrans("()|", "   ")

_PLAYED = (
    (re.compile(r"\b(\d{1,3}) of (\d{1,3}) plies played"), 0),
    (re.compile(r"\bply (\d{1,3}) of (\d{1,3}),"), 0),
    # The ply that is to be played, and the one that was a mistake.
    (re.compile(r"\bply (\d{1,3}) of (\d{1,3});"), 1),
    (re.compile(r"\bPly (\d{1,3}): (?:Black|White) plays\b"), 1),
)
_OVER = re.compile(r"^[ \t]*(?:The game is over[.;]|the game has ended: )", re.MULTILINE)
_TO_MOVE = re.compile(r"\b(?:(black|white)|([xo]))\b[^\n]{0,40}\bto (?:move|play)\b", re.IGNORECASE)
_AFTER_PASS = re.compile(r"\bafter a PASS\b", re.IGNORECASE)


def read_board(text: str, ply: int | None = None, game: Variant = COURSE) -> Placed:
    """Return the position that five rows show: ``.`` empty, ``X`` or ``#`` Black, ``O`` White, ``+`` the ko point.

    Rows may be lines or separated by slashes, with or without blanks and the row's number; rows of the host's digits
    are taken as well. What stands around the rows may tell the mover, the plies played and a PASS, as our own boards
    do. A ``+`` that cannot be a ko point is an empty point, as boards of Go programs mark some.
    ply: plies played; None for what the text says, or else for the least that fits.
    Raises NotationError, also where the text tells that its game has another number of plies.
    """
    rows = list(_rows(text))
    if len(rows) != SIZE:
        wanted = f"{len(rows)} rows of a board, want {SIZE} of {SIZE} points: . empty, X Black, O White, + ko"
        raise NotationError("damaged", wanted)
    signs = "".join(rows)
    for colour in _SIGNS[1:]:
        if len(used := sorted(set(signs) & set(colour))) > 1:
            wanted = f"{shown(used[0])} and {shown(used[1])} on one board: want one sign for each side"
            raise NotationError("ambiguous", wanted)
    board = parse_rows(["".join(str(_digit(sign)) for sign in row) for row in rows])
    ko = signs.index(_KO) if signs.count(_KO) == 1 else None
    position = Position(*board, ko, 0, _AFTER_PASS.search(text) is not None)
    return place(position, _mover(text), _ply(text, game) if ply is None else ply, game)


def shows_rows(text: str) -> bool:
    """Whether a text has a row of a board in it, even of another size."""
    lines = text.replace("/", "\n").splitlines()
    parts = (line for line in lines if "." in line and _PART.fullmatch(line.translate(_AROUND)))
    return any(True for _ in parts) or any(True for _ in _rows(text))


def _digit(sign: str) -> int:
    return next((digit for digit, signs in enumerate(_SIGNS) if sign in signs), 0)


def _rows(text: str) -> Iterator[str]:
    """Yield the rows of a board in a text, in signs, whatever else is there."""
    for line in text.lstrip("\ufeff").replace("/", "\n").splitlines():
        if match := _ROW.fullmatch(line.translate(_AROUND)):
            yield "".join(match[1].split())
        elif digits := _DIGITS.fullmatch(line):
            yield "".join(".XO"[int(digit)] for digit in digits[1] if digit in "012")


def _ply(text: str, game: Variant) -> int | None:
    """Return the plies played, if a text tells them; raises NotationError for another number of all plies."""
    if _OVER.search(text):
        return game.plies
    match, less = next(((match, less) for told, less in _PLAYED if (match := told.search(text))), (None, 0))
    if match is None:
        return None
    if match.re.groups > 1 and int(match[2]) != game.plies:
        raise NotationError("other-game", f"it is of a game of {match[2]} plies, and this one has {game.plies}")
    return int(match[1]) - less


def _mover(text: str) -> int | None:
    match = _TO_MOVE.search(text)
    return None if match is None else 1 if (match[1] or match[2]).lower() in ("black", "x") else 2
