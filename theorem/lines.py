"""Lines: one winning move for each position of a colour's strategy, and the file that holds them.

The file is text, gzip-compressed::

    winner black
    leaf 10
    24 ......................... - - 2,2
    22 ............X...........O - - 3,3

The lines are those of docs/CERTIFICATE.md, but a position may be any of its images.
"""

import gzip
import re
import zlib
from pathlib import Path
from typing import NamedTuple

from runtime.files import read_named, write_whole
from solver.position import GAME_PLIES, Position, move_name, parse_move

_LINE = re.compile(r"(\d+) ([.XO]{25}) (-|[0-4],[0-4]) (-|P) (PASS|[0-4],[0-4])")


class Line(NamedTuple):
    """A position with the winner to move, and his move."""

    position: Position
    move: int


class Lines(NamedTuple):
    """A strategy: the winner, "black" or "white", the plies left at the leaves, and the lines."""

    winner: str
    leaf: int
    lines: list[Line]


def line_text(line: Line) -> str:
    """Return a line as the file has it."""
    position = line.position
    board = "".join(".XO"[int(digit)] for row in position.rows() for digit in row)
    ko = "-" if position.ko is None else move_name(position.ko)
    return f"{position.left} {board} {ko} {'P' if position.passed else '-'} {move_name(line.move)}"


def parse_line(text: str) -> Line:
    """Return the line that a text states; raises ValueError."""
    found = _LINE.fullmatch(text)
    if found is None:
        raise ValueError(f"not a line: {text!r}")
    left, board, ko, passed, move = found.groups()
    black, white = (sum(1 << p for p in range(25) if board[p] == mark) for mark in "XO")
    ply = GAME_PLIES - int(left)
    position = Position(black, white, None if ko == "-" else parse_move(ko), ply, passed == "P")
    return Line(position, parse_move(move))


def write_lines(path: str | Path, strategy: Lines) -> None:
    """Write a strategy, most plies left first; the same lines give the same bytes. Raises OSError."""
    texts = sorted((-line.position.left, line_text(line)) for line in strategy.lines)
    head = f"winner {strategy.winner}\nleaf {strategy.leaf}\n"
    data = head + "".join(f"{text}\n" for _, text in texts)
    write_whole(path, gzip.compress(data.encode("ascii"), mtime=0))


def read_lines(path: str | Path) -> Lines:
    """Return the strategy in a file; raises OSError, and ValueError when it is damaged."""
    try:
        texts = gzip.decompress(read_named(path)).decode("ascii").splitlines()
    except (EOFError, zlib.error, gzip.BadGzipFile, UnicodeDecodeError) as error:
        raise ValueError(f"{path}: {error}") from None
    head = re.fullmatch(r"winner (black|white) leaf (\d+)", " ".join(texts[:2]))
    if head is None:
        raise ValueError(f"{path}: not a file of lines")
    return Lines(head[1], int(head[2]), [parse_line(text) for text in texts[2:]])


def number_of(line: Line, winner: str) -> int:
    """Return a line as the proof's checker reads it.

    Bits 0 to 24 the winner's stones, 25 to 49 the loser's, 50 to 54 the ko point or 31, 55 whether the
    last ply was a PASS, from 56 on the move.
    """
    position = line.position
    hero, other = (position.black, position.white) if winner == "black" else (position.white, position.black)
    ko = 31 if position.ko is None else position.ko
    return hero | other << 25 | ko << 50 | position.passed << 55 | line.move << 56


def levels(strategy: Lines) -> dict[int, list[int]]:
    """Return the numbers of the lines by plies left, most first, each level in the order of its positions."""
    found: dict[int, list[int]] = {}
    for line in strategy.lines:
        found.setdefault(line.position.left, []).append(number_of(line, strategy.winner))
    return {left: sorted(found[left], key=lambda x: x & (1 << 56) - 1) for left in sorted(found, reverse=True)}
