"""A colour's strategy, from the book and the kernel; nothing of it need be right for the theorem to hold."""

from collections.abc import Callable
from pathlib import Path

from book.files.reader import read_book
from solver.answer import BLACK_WINS
from solver.native.kernel import Kernel
from solver.native.table import open_table
from solver.position import CENTRE, PASS, START, Position
from solver.symmetry import canonical_key, position_of
from theorem.lines import Line, Lines

#: Plies left at the leaves: more make fewer lines and longer searches.
LEAVES = {"black": 10, "white": 11}

#: MiB of the kernel's table.
TABLE = 256

#: Black's first stone that White does not answer: it wins.


class Lost(ValueError):
    """A position on the way that the winner has not won."""


def starts(winner: str) -> list[Position]:
    """Return the strategy's first positions: the empty board, or White's turn after each other first stone."""
    if winner == "black":
        return [START]
    after = (START.play(move) for move in START.legal_moves() if move not in (CENTRE, PASS))
    return [position_of(key) for key in sorted({canonical_key(position) for position in after})]


def make_lines(winner: str, book: Path, show: Callable[[int, int], None]) -> Lines:
    """Return the winner's lines down to the leaves.

    show: called with the plies left and the number of lines at them. Raises BookError, and Lost.
    """
    known = read_book(str(book))
    kernel = Kernel(open_table(TABLE))
    leaf = LEAVES[winner]

    def move_in(position: Position) -> int:
        entry = known.get(position)
        if entry is not None:
            return entry.move
        answer = kernel.decide(position, BLACK_WINS)
        if answer.winner != position.mover or answer.best is None:
            raise Lost(f"{winner} has not won with {position.left} plies left:\n{position.diagram()}")
        return answer.best

    lines: list[Line] = []
    level = starts(winner)
    while level:
        show(level[0].left, len(level))
        here = [Line(position, move_in(position)) for position in level]
        lines += here
        level = [] if level[0].left == leaf else _answers(here)
    return Lines(winner, leaf, lines)


def _answers(lines: list[Line]) -> list[Position]:
    found: set[int] = set()
    for position, move in lines:
        after = position.play(move)
        if not after.is_over:
            children = (after.play(answer) for answer in after.legal_moves())
            found.update(canonical_key(child) for child in children if not child.is_over)
    return [position_of(key) for key in sorted(found)]
