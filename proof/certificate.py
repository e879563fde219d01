"""Writing certificates, the format of docs/CERTIFICATE.md; proof.checker.check reads and checks them."""

import gzip
import hashlib
from collections.abc import Iterable, Sequence
from pathlib import Path

from runtime.files import write_whole
from solver.position import GAME_PLIES, PASS, Position, move_name, parse_move
from solver.symmetry import POINT_IMAGE, SYMMETRIES, transform

_START = f"{GAME_PLIES} {'.' * 25} - -"

#: A position with the winner to move: board (25 characters of ``.XO``, row by row), ko point as ``i,j`` or ``-``,
#: whether the last ply was a PASS, plies left, and the winner's move as ``i,j`` or ``PASS``; in any orientation.
Turn = tuple[str, str, bool, int, str]


def turn_of(position: Position, move: int) -> Turn:
    """Return a position and the winner's move as write_certificate() takes them."""
    ko = "-" if position.ko is None else move_name(position.ko)
    return _board(position), ko, position.passed, position.left, move_name(move)


def write_certificate(turns: Iterable[Turn], path: str | Path, leaf: int) -> int:
    """Write a certificate, and return the number of its lines; the same turns give the same bytes.

    It is about the positions with the most plies left: there, the mover wins.

    leaf: plies left of the lines that the checker is to search; even when Black is the winner, odd when White is.
    The file is made as ``path`` + ``.tmp`` and then renamed, gzip-compressed when ``path`` ends in ``.gz``.
    Raises ValueError without turns, on two moves for one position, on a turn that is not the winner's and on what is
    no position or move; and OSError.
    """
    moves: dict[tuple[int, str], str] = {}
    for turn in turns:
        left, text, move = _canonical_line(turn)
        if moves.setdefault((-left, text), move) != move:
            raise ValueError(f"two moves for one position: {text} {moves[-left, text]} and {move}")
    keys = sorted(moves)
    if {left % 2 for left, _ in keys} != {leaf % 2}:
        raise ValueError(f"want lines, all with plies left as even or odd as the leaf level, {leaf}")
    body = "".join(f"{text} {moves[key, text]}\n" for key, text in keys).encode("ascii")
    head = ["little-go certificate 1", "rules 5x5 stones-only komi 2.5 plies 24", *_claim(keys)]
    head += [f"leaf {leaf}", f"lines {len(moves)}", f"sha256 {hashlib.sha256(body).hexdigest()}"]
    data = "".join(f"{row}\n" for row in head).encode("ascii") + body
    # Without a time and a name, the same data give the same bytes.
    write_whole(path, gzip.compress(data, mtime=0) if Path(path).suffix == ".gz" else data)
    return len(moves)


def _claim(keys: Sequence[tuple[int, str]]) -> list[str]:
    """Return the header lines that say who wins where, from the sorted keys: plies left, negative, and position."""
    starts = [text for left, text in keys if left == keys[0][0]]
    winner = "winner white" if keys[0][0] % 2 else "winner black"
    return [winner] if starts == [_START] else [*(f"start {text}" for text in starts), winner]


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
