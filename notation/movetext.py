"""Read and write moves in text: a single move, a list of moves, or commands to a Go program."""

import re
from collections.abc import Iterable
from typing import Any

from little_go.notation.faults import NotationError, shown
from little_go.notation.parsed import ParsedPosition
from little_go.notation.ports import Ports, refusal
from little_go.notation.settling import played, settle
from little_go.notation.texts import lines_of, read_line_of_moves, read_moves_in
from little_go.solver.family import COURSE, Variant
from little_go.solver.position import PASS, SIZE, Position, move_name

#: The letters of the columns in GTP, which do not include I.
_COLUMNS = "ABCDEFGHJKLMNOPQRSTUVWXYZ"

_PAIR = re.compile(r"\s*([0-9]+)\s+([0-9]+)\s*")
_VERTEX = re.compile(r"([A-HJ-Z])([1-9][0-9]?)", re.IGNORECASE)


def read_moves(text: str) -> list[int]:
    """Return the moves in a text, whether or not the moves are legal. The first move is Black's.

    A move is written ``2,2``, ``(2, 2)``, ``C3`` or ``PASS``. There may be marks of the sides, numbers, brackets,
    commas and quotes around the moves. Raise NotationError if the text is not a list of moves, or if it contains other
    words.

    >>> read_moves("2,2 pass") == read_moves("1. C3 2. pass") == read_moves("Better: X 2,2  O PASS")
    True
    """
    said = _said(text)
    if said["form"] != "moves":
        raise NotationError("not-a-move", f"{shown(text)} lists stones by colour, and here moves are wanted")
    moves: list[int] = said["moves"]
    settle({**said, "moves": []}, text, None).all_read()
    return moves


def _said(text: str) -> dict[str, Any]:
    ports = Ports(text)
    if not text.strip():
        return read_line_of_moves(ports, "", 0, lists=False)
    folded = ports.fold(text)
    return read_moves_in(ports, lines_of(ports, folded, 0), folded)


def after_moves(
    text: str, start: Position | None = None, ply: int | None = None, *, game: Variant | None
) -> ParsedPosition:
    """Return the position after the moves of a text, together with all earlier positions.

    - ``start``: the position before the first move; None for the start of the game.
    - ``ply``: the ply at which to stop, counted from the game's start. Later moves may be illegal.
    - ``game``: the game; None for the game that options of a command in the text state, or for the course's game.

    Raise NotationError if the text cannot be read or a move is illegal.

    >>> after_moves("2,2 1,1 Pass", game=COURSE).position.ply
    3
    """
    if start is None:
        return settle(_said(text), text, game, ply)
    known = game or COURSE
    said = read_line_of_moves(Ports(text), text, start.ply - known.first_ply, lists=False)
    return played(said, text, start, known, ply)


def read_move(text: str) -> int:
    """Return the move in a text with a single move. Row and column may be separated by blanks.

    Raise NotationError if the text is not a single move.

    >>> [read_move(text) for text in ("2,3", "2 3", "d3", "pass")]
    [13, 13, 13, 25]
    """
    moves = read_moves(_PAIR.sub(r"\1,\2", text) if _PAIR.fullmatch(text) else text)
    if len(moves) != 1:
        raise refusal("one-move", len(moves), text)
    return moves[0]


def moves_text(moves: Iterable[int], ply: int) -> str:
    """Return a line of moves, each with the mark of its side. The first move is played after ``ply`` plies.

    >>> moves_text([12, 6, 25], 0)
    'X 2,2  O 1,1  X PASS'
    """
    return "  ".join(f"{'XO'[(ply + at) % 2]} {move_name(move)}" for at, move in enumerate(moves))


def vertex_name(move: int) -> str:
    """Return a move as a vertex of GTP, in which rows are counted from the bottom.

    >>> [vertex_name(move) for move in (0, 4, 12, 20, PASS)]
    ['A5', 'E5', 'C3', 'A1', 'PASS']
    """
    if move == PASS:
        return "PASS"
    row, column = divmod(move, SIZE)
    return f"{_COLUMNS[column]}{SIZE - row}"


def host_move(vertex: str) -> str:
    """Return a vertex of GTP in the notation of the host. The vertex may be off the board.

    Raise NotationError if the text is not a vertex.

    >>> host_move("c3"), host_move("pass"), host_move("A9")
    ('2,2', 'PASS', '-4,0')
    """
    if vertex.lower() == "pass":
        return move_name(PASS)
    match = _VERTEX.fullmatch(vertex)
    if match is None:
        raise NotationError("not-a-move", f"not a vertex: {vertex[:40]!r}")
    return f"{SIZE - int(match[2])},{_COLUMNS.index(match[1].upper())}"
