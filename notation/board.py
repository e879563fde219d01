"""Drawn boards: rows of signs, as we and others print them."""

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

from notation.context import Context, read_head, read_line, sensei_mover
from notation.faults import NotationError, shown
from notation.parts import parts_of
from notation.placed import Placed, place
from solver.family import Variant
from solver.position import SIZE, Position, move_name, parse_rows

#: The signs of an empty point, of a stone of each side, and of the ko point; those of a board without a dot.
_SIGNS = (".·", "Xx#●Bb", "Oo○Ww")
_KO = "+"
_STONES = re.escape("".join(_SIGNS[1:]))
_DOTS, _DASHES = (re.escape(signs) for signs in (_SIGNS[0], "_-"))

#: A point: KataGo writes a digit behind the last stones. A row: five of them, blanks between them or none, the row's
#: number before them or none; behind a second number is what GNU Go and GoGui print there.
_POINT = rf"(?:[{{}}{_STONES}{re.escape(_KO)}]|[{_STONES}][1-3](?![0-9]))"
_ROW_OF = rf" *(?:([0-9]) +)?({_POINT}(?: *{_POINT}){{{{{SIZE - 1}}}}}) *(?:(?<= )([0-9])(?: +[^ ].*| *))?"
_ROW, _DASHED = (re.compile(_ROW_OF.format(empty, empty), re.DOTALL) for empty in (_DOTS, _DASHES))
_DIGITS = re.compile(r" *(?:([0-9]) +)?([012](?: *[012]){4}) *(?:(?<= )([0-9]) *)?")
#: A row as Python and numpy print a list.
_SIGN = rf"(?:[012]\.?|'[{_DOTS}_{_STONES} -]'|\"[{_DOTS}_{_STONES} -]\")"
_LISTED = re.compile(rf"\[ *({_SIGN}(?:(?: *, *| +){_SIGN}){{{SIZE - 1}}}) *\]")
#: A row of a smaller or larger board.
_PART = re.compile(rf" *(?:[0-9] +)?(?:[{_DOTS}{_STONES}{re.escape(_KO)}] *){{3,}}(?:(?<= )[0-9](?: .*)?)?", re.DOTALL)

_LINE_END = re.compile("\r\n|\r|\n")
#: Blanks of any width, brackets around the last stone, and lines of a table.
_BLANKS = str.maketrans(dict.fromkeys("\t\v\f\u00a0\u2002\u2003\u2007\u2009\u202f\u3000\ufeff", " "))
_AROUND = str.maketrans("()|", "   ")
#: The mark of a quotation, and that of a diagram of Sensei's Library.
_QUOTED = re.compile(r"[ >]*(?:\$\$(?= ))?")


class _Row(NamedTuple):
    """A row of a board. signs: one for each point; number: its own; begin, end: where it is in the text."""

    signs: str
    number: str | None
    begin: int
    end: int


class _Line(NamedTuple):
    """A line of a text behind the marks of a quotation, with plain blanks, and where it begins."""

    text: str
    begin: int


def read_board(text: str, game: Variant | None, ply: int | None = None) -> Placed:
    """Return the position that five rows show: ``.`` empty, ``X`` or ``#`` Black, ``O`` White, ``+`` the ko point.

    Rows may be lines or separated by slashes, with or without blanks and the row's number; ``-`` and ``_`` for empty
    points, rows of the host's digits and lists of Python are taken as well. Lines around the rows that have a known
    form (notation.context) contain the mover, the plies played, a PASS, the game. A ``+`` that cannot be a ko point is
    an empty point, as boards of Go programs mark some.
    ply: plies played; None for those of the text, or else for the least that fits.
    game: None for the one that the text names, and for the course's where it names none.
    Raises NotationError: ``ambiguous`` where two lines contradict each other, or where more than one board is there.
    """
    lines = list(_lines(text))
    rows = _rows(lines)
    if len(rows) != SIZE:
        wanted = f"{len(rows)} rows of a board, want {SIZE} of {SIZE} points: . empty, X Black, O White, + ko"
        raise NotationError("ambiguous" if len(rows) > SIZE else "damaged", wanted)
    context, taken = _context(lines, rows)
    game = context.game(game)
    signs = "".join(row.signs for row in rows)
    _check_rows(rows, signs)
    board = parse_rows(["".join(str(_digit(sign)) for sign in row.signs) for row in rows])
    _check_stones(board, context)
    told = context.plies_played(game)
    if ply is not None and told not in (None, ply):
        raise NotationError("ambiguous", f"it is after ply {told}, and not after {ply}")
    ko = signs.index(_KO) if signs.count(_KO) == 1 else context.ko
    captured = (context.captured_black or 0, context.captured_white or 0)
    position = Position(*board, ko, 0, bool(context.passed))
    placed = place(position, None if context.over else context.mover, told if ply is None else ply, game, captured)
    if context.ko not in (None, placed.position.ko):
        raise NotationError("ambiguous", f"no ko is possible at {move_name(context.ko)}, which a line names")
    return placed._replace(parts=parts_of(text, sorted([*taken, *((row.begin, row.end) for row in rows)])))


def shows_rows(text: str) -> bool:
    """Whether a text has a row of a board in it, even of another size."""
    lines = list(_lines(text))
    pieces = (piece for line in lines if "." in line.text for piece in line.text.split("/") if "." in piece)
    return any(_PART.fullmatch(piece.translate(_AROUND)) for piece in pieces) or bool(_rows(lines))


def _lines(text: str) -> Iterator[_Line]:
    """Yield the lines of a text."""
    at = 0
    for end in (*_LINE_END.finditer(text), None):
        line = text[at : len(text) if end is None else end.start()].translate(_BLANKS)
        marks = _QUOTED.match(line)
        assert marks is not None, "it matches no character as well"
        yield _Line(line[marks.end() :].rstrip(" "), at + marks.end())
        at = len(text) if end is None else end.end()


def _rows(lines: list[_Line]) -> list[_Row]:
    """Return the rows of the board in a text; with dashes for empty points only where no row has a dot or a zero."""
    rows = [row for line in lines for row in (*_listed(line), *_drawn(line, _ROW), *_drawn(line, _DIGITS))]
    if any("." in row.signs for row in rows):
        return rows
    dashed = [row for line in lines for row in _drawn(line, _DASHED)]
    # A line of dashes alone separates texts.
    is_board = len(dashed) == SIZE or any(row.signs.strip(".+") for row in dashed)
    return dashed if is_board and len(dashed) > len(rows) else rows


def _listed(line: _Line) -> Iterator[_Row]:
    for match in _LISTED.finditer(line.text):
        signs = re.findall(r"([012])\.?|['\"](.)['\"]", match[1])
        row = "".join(".XO"[int(digit)] if digit else "." if sign in " -_" else sign for digit, sign in signs)
        yield _Row(row, None, line.begin + match.start(), line.begin + match.end())


def _drawn(line: _Line, form: "re.Pattern[str]") -> Iterator[_Row]:
    """Yield the rows of a line: one, or five that slashes separate."""
    pieces = line.text.split("/")
    at = line.begin
    rows = []
    for piece in pieces:
        match = form.fullmatch(piece.translate(_AROUND))
        if match:
            row = re.sub("[ 1-3]", "", match[2]) if form is not _DIGITS else _host_row(match[2])
            end = at + (match.end(3) if match[3] else match.end(2))
            rows.append(_Row(row.translate(_EMPTY), match[1], at, end))
        elif piece:
            return
        at += len(piece) + 1
    yield from rows


_EMPTY = str.maketrans("-_", "..")


def _host_row(digits: str) -> str:
    return "".join(".XO"[int(digit)] for digit in digits if digit != " ")


def _context(lines: list[_Line], rows: list[_Row]) -> tuple[Context, list[tuple[int, int]]]:
    """Return what stands around the rows, and where; raises NotationError where two lines contradict each other."""
    context, taken = Context(), []
    ends = {row.begin: row.end for row in rows}
    for line in lines:
        text, begin = line
        last = max((end for at, end in ends.items() if begin <= at <= begin + len(text)), default=None)
        if last is not None:
            text, begin = text[last - begin :], last
        elif head := read_head(text):
            taken.append((begin, begin + head))
            if (mover := sensei_mover(text)) is not None:
                context = context.merged_with({"mover": mover}, text)
            text, begin = text[head:], begin + head
        stripped = text.strip(" ")
        found = read_line(stripped)
        if found is not None:
            begin += text.index(stripped)
            taken.append((begin, begin + len(stripped)))
            context = context.merged_with(found, stripped)
    return context, taken


def _digit(sign: str) -> int:
    return next((digit for digit, signs in enumerate(_SIGNS) if sign in signs), 0)


def _check_rows(rows: list[_Row], signs: str) -> None:
    """Raise NotationError for two signs of one side, and for rows whose numbers are no sequence."""
    for colour in _SIGNS[1:]:
        if len(used := sorted(set(signs) & set(colour))) > 1:
            wanted = f"{shown(used[0])} and {shown(used[1])} on one board: want one sign for each side"
            raise NotationError("ambiguous", wanted)
    numbers = [int(row.number) for row in rows if row.number is not None]
    steps = {after - before for before, after in pairwise(numbers)}
    if numbers and (len(numbers) != SIZE or steps not in ({1}, {-1})):
        raise NotationError("damaged", f"its rows have the numbers {', '.join(map(str, numbers))}")


def _check_stones(board: tuple[int, int], context: Context) -> None:
    """Raise NotationError for a board that has not the stones that a line counts, or not the last one."""
    for name, count, stones in zip(("Black", "White"), (context.on_black, context.on_white), board, strict=True):
        if count not in (None, stones.bit_count()):
            wanted = f"{name} has {stones.bit_count()} stones on the board, and {count} by a line around it"
            raise NotationError("ambiguous", wanted)
    if context.last is not None and not board[context.last[0] - 1] >> context.last[1] & 1:
        raise NotationError("ambiguous", "the last move that it names is no stone of that side on the board")
