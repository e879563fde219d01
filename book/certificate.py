"""Writing certificates, the format of docs/CERTIFICATE.md; book.check reads and checks them."""

import gzip
import hashlib
from collections.abc import Iterable
from pathlib import Path

from book.writer import write_whole
from solver.position import GAME_PLIES, PASS, Position, move_name, parse_move
from solver.symmetry import POINT_IMAGE, SYMMETRIES, transform

_START = f"{GAME_PLIES} {'.' * 25} - -"

#: A position with Black to move: board (25 characters of ``.XO``, row by row), ko point as ``i,j`` or ``-``, whether
#: the last ply was a PASS, plies left, and Black's move as ``i,j`` or ``PASS``; in any orientation.
Turn = tuple[str, str, bool, int, str]


def turn_of(position: Position, move: int) -> Turn:
    """Return a position and Black's move as write_certificate() takes them."""
    ko = "-" if position.ko is None else move_name(position.ko)
    return _board(position), ko, position.passed, position.left, move_name(move)


def write_certificate(turns: Iterable[Turn], path: str | Path, leaf: int, start: str = _START) -> int:
    """Write a certificate that Black wins, and return the number of its lines; the same turns give the same bytes.

    leaf: plies left of the lines that the checker is to search.
    start: the canonical position it is about, as a line begins.
    The file is made as ``path`` + ``.tmp`` and then renamed, gzip-compressed when ``path`` ends in ``.gz``.
    Raises ValueError on two moves for one position and on what is no position or move, and OSError.
    """
    moves: dict[tuple[int, str], str] = {}
    for turn in turns:
        left, text, move = _canonical_line(turn)
        if moves.setdefault((-left, text), move) != move:
            raise ValueError(f"two moves for one position: {text} {moves[-left, text]} and {move}")
    body = "".join(f"{text} {moves[key, text]}\n" for key, text in sorted(moves)).encode("ascii")
    head = ["little-go certificate 1", "rules 5x5 stones-only komi 2.5 plies 24"]
    if start != _START:
        head.append(f"start {start}")
    head += ["winner black", f"leaf {leaf}", f"lines {len(moves)}", f"sha256 {hashlib.sha256(body).hexdigest()}"]
    data = "".join(f"{row}\n" for row in head).encode("ascii") + body
    # Without a time and a name, the same data give the same bytes.
    write_whole(path, gzip.compress(data, mtime=0) if Path(path).suffix == ".gz" else data)
    return len(moves)


def _canonical_line(turn: Turn) -> tuple[int, str, str]:
    """Return plies left, position and move; of the moves that a symmetry makes one, the least."""
    board, ko, passed, left, move_text = turn
    if len(board) != 25 or board.strip(".XO"):
        raise ValueError(f"not a board: {board!r}")
    masks = [sum(1 << p for p in range(25) if board[p] == mark) for mark in "XO"]
    position = Position(masks[0], masks[1], None if ko == "-" else parse_move(ko), GAME_PLIES - left, passed)
    position.check()
    move = parse_move(move_text)
    text, move_text = min(_line(transform(s, position), POINT_IMAGE[s][move]) for s in range(SYMMETRIES))
    return left, text, move_text


def _line(position: Position, move: int) -> tuple[str, str]:
    ko = "-" if position.ko is None else move_name(position.ko)
    text = f"{position.left:02} {_board(position)} {ko} {'P' if position.passed else '-'}"
    return text, "PASS" if move == PASS else move_name(move)


def _board(position: Position) -> str:
    return "".join(".XO"[int(digit)] for row in position.rows() for digit in row)
