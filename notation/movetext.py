"""Moves in text: a single move, a list, or the commands to a Go program."""

import re
from collections.abc import Iterable
from typing import Any

from little_go.notation.faults import NotationError, shown
from little_go.notation.parsed import ParsedPosition
from little_go.notation.ports import Ports
from little_go.notation.settling import played, settle
from little_go.notation.texts import lines_of, read_line_of_moves, read_moves_in
from little_go.solver.family import COURSE, Variant
from little_go.solver.position import PASS, SIZE, Position, move_name

#: GTP names columns with letters, without I.
_COLUMNS = "ABCDEFGHJKLMNOPQRSTUVWXYZ"

_PAIR = re.compile(r"\s*([0-9]+)\s+([0-9]+)\s*")
_VERTEX = re.compile(r"([A-HJ-Z])([1-9][0-9]?)", re.IGNORECASE)

_WANTED = f"want i,j from 0,0 to {SIZE - 1},{SIZE - 1}, a vertex such as C3, or PASS"


def read_moves(text: str) -> list[int]:
    """Return the moves in a text, legal or not. The first move is Black's.

    Moves are ``2,2``, ``(2, 2)``, ``C3`` or ``PASS``, with or without marks of the sides, numbers, brackets, commas and
    quotes around them. Raises NotationError, also if other words precede or follow the moves.

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
    """Return the facts in a text of moves."""
    ports = Ports(text)
    if not text.strip():
        return read_line_of_moves(ports, "", 0, lists=False)
    folded = ports.fold(text)
    return read_moves_in(ports, lines_of(ports, folded, 0), folded)


def after_moves(
    text: str, start: Position | None = None, ply: int | None = None, *, game: Variant | None
) -> ParsedPosition:
    """Return the position after moves, and the positions on the way. The moves begin at the game's start by default.

    ply: the ply at which to stop, counted from the game's start; later moves may be illegal. Raises NotationError.
    game: the game; None for the game that a command's options state, or the course's game.

    >>> after_moves("2,2 1,1 Pass", game=COURSE).position.ply
    3
    """
    if start is None:
        return settle(_said(text), text, game, ply)
    known = game or COURSE
    said = read_line_of_moves(Ports(text), text, start.ply - known.first_ply, lists=False)
    return played(said, text, start, known, ply)


def read_move(text: str) -> int:
    """Return the move in a text with a single move; blanks may separate row and column. Raises NotationError.

    >>> [read_move(text) for text in ("2,3", "2 3", "d3", "pass")]
    [13, 13, 13, 25]
    """
    moves = read_moves(_PAIR.sub(r"\1,\2", text) if _PAIR.fullmatch(text) else text)
    if len(moves) != 1:
        raise NotationError(
            "not-a-move", f"{len(moves)} moves in {shown(text)}: {_WANTED.replace('want', 'want one,')}"
        )
    return moves[0]


def moves_text(moves: Iterable[int], ply: int) -> str:
    """Return a line of moves, each with the mark of its side. ply: the number of plies before the first move.

    >>> moves_text([12, 6, 25], 0)
    'X 2,2  O 1,1  X PASS'
    """
    return "  ".join(f"{'XO'[(ply + at) % 2]} {move_name(move)}" for at, move in enumerate(moves))


def vertex_name(move: int) -> str:
    """Return the move in GTP's form; rows count from the bottom.

    >>> [vertex_name(move) for move in (0, 4, 12, 20, PASS)]
    ['A5', 'E5', 'C3', 'A1', 'PASS']
    """
    if move == PASS:
        return "PASS"
    row, column = divmod(move, SIZE)
    return f"{_COLUMNS[column]}{SIZE - row}"


def host_move(vertex: str) -> str:
    """Return a GTP vertex in the host's form, even one off the board; raises NotationError for other text.

    >>> host_move("c3"), host_move("pass"), host_move("A9")
    ('2,2', 'PASS', '-4,0')
    """
    if vertex.lower() == "pass":
        return move_name(PASS)
    match = _VERTEX.fullmatch(vertex)
    if match is None:
        raise NotationError("not-a-move", f"not a vertex: {vertex[:40]!r}")
    return f"{SIZE - int(match[2])},{_COLUMNS.index(match[1].upper())}"
