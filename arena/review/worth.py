"""What positions are worth: from the rules, the atlas, the book, or the native kernel.

Three answers are kept apart: a value that is exact; bounds, which tell the winner or do not; and nothing but the limits
of what can be.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cache

from book.files.atlas import AtlasError, read_atlas
from book.files.reader import BOOK_LOSS, BOOK_UNDECIDED, Book
from runtime.release import shipped
from solver.answer import BLACK_WINS, LEAST, MOST, Answer
from solver.kernel import Kernel
from solver.position import Position
from solver.symmetry import INVERSE, POINT_IMAGE, canonical, key_of, position_of
from solver.table import open_table

#: The atlas that comes with the project.
ATLAS = shipped("data/atlas.csv.gz")

#: The most nodes for the value of a position: some seconds.
NODES = 20_000_000

#: A line of best play may take this part of them for each of its positions.
LINE_SHARE = 20

_TABLE_MIB = 256


@dataclass(frozen=True)
class Worth:
    """What is known of a position.

    lo, hi: proven bounds on its value, stones Black - White at the end under best play.
    best: a move that keeps the mover's bound, in the position's own orientation, or None.
    source: ``end`` (the game is over), ``atlas``, ``book``, ``live`` (the search) or ``none``.
    """

    lo: int
    hi: int
    best: int | None
    source: str

    @property
    def value(self) -> int | None:
        """The exact value, None while the bounds differ."""
        return self.lo if self.lo == self.hi else None

    @property
    def winner(self) -> int | None:
        """The colour proven to win, 1 or 2, or None."""
        return Answer(self.lo, self.hi, None, 0).winner


_NOTHING = Worth(LEAST, MOST, None, "none")


class Valuer:
    """Finds out what positions are worth; what was found for one helps with the next."""

    def __init__(self, book: Book | None, nodes: int = NODES) -> None:
        """nodes: the most for a position's value; where they do not suffice its bounds are told."""
        self._book = book
        self._nodes = nodes
        self._kernel = Kernel(open_table(_TABLE_MIB))
        self._atlas = _atlas()
        self._found: dict[int, Worth] = {}

    def along(self, positions: Sequence[Position], watch: Callable[[int], None] = lambda ply: None) -> list[Worth]:
        """Return what each position of a game is worth.

        The last one is asked first, as its answer helps with those before. A move is worth no more to its mover than
        the position is, so what is proven after a move counts before it, and the reverse. watch: told each ply.
        """
        worth: list[Worth] = []
        for ply in range(len(positions) - 1, -1, -1):
            position = positions[ply]
            watch(ply)
            found = self.worth(position, worth[-1].value if worth else None)
            if worth and not position.is_over:
                lo, hi = (worth[-1].lo, MOST) if position.black_to_move else (LEAST, worth[-1].hi)
                found = Worth(max(found.lo, lo), min(found.hi, hi), found.best, found.source)
            worth.append(found)
        worth.reverse()
        for at in range(1, len(worth)):
            before, after = worth[at - 1], worth[at]
            lo, hi = (LEAST, before.hi) if positions[at - 1].black_to_move else (before.lo, MOST)
            worth[at] = Worth(max(after.lo, lo), min(after.hi, hi), after.best, after.source)
        return worth

    def worth(self, position: Position, guess: int | None = None, nodes: int | None = None) -> Worth:
        """Return what a position is worth. guess: what its value may be. nodes: fewer of them than usual."""
        if position.is_over:
            return Worth(position.margin, position.margin, None, "end")
        key, symmetry = canonical(position)
        found = self._found.get(key)
        if found is None:
            found = self._find(position_of(key), self._atlas.get(key, _NOTHING), guess, nodes or self._nodes)
            if nodes is None or found.value is not None:
                self._found[key] = found
        return found if found.best is None else replace(found, best=POINT_IMAGE[INVERSE[symmetry]][found.best])

    def trap(self, position: Position) -> int | None:
        """Return the book's move in a lost position, after which opponents err most; None if there is none."""
        told = self._book.get(position) if self._book is not None else None
        return told.move if told is not None and told.verdict == BOOK_LOSS else None

    def line(self, position: Position, plies: int) -> list[int]:
        """Return a line of best play, of so many plies at most; it ends where the best move is not proven."""
        moves: list[int] = []
        guess = None
        while len(moves) < plies and not position.is_over:
            # What best play leads to is mostly in the table; where it is not, no time is lost on it.
            worth = self.worth(position, guess, self._nodes // LINE_SHARE)
            if worth.best is None:
                break
            moves.append(worth.best)
            position, guess = position.play(worth.best), worth.value
        return moves

    def _find(self, position: Position, worth: Worth, guess: int | None, nodes: int) -> Worth:
        """Add to what the atlas tells what book and search do: who wins, then the value as far as the nodes go."""
        told = self._book.get(position) if self._book is not None else None
        if told is not None and worth.winner is None and told.verdict != BOOK_UNDECIDED:
            worth = Worth(told.lo, told.hi, told.move, "book")
        before = self._kernel.nodes
        if worth.winner is None:
            worth = _narrowed(position, worth, self._kernel.decide(position, BLACK_WINS, node_limit=nodes))
        left = nodes - (self._kernel.nodes - before)
        if worth.value is None and left > 0:
            worth = _narrowed(position, worth, self._kernel.value(position, guess=guess, node_limit=left))
        return worth


def _narrowed(position: Position, worth: Worth, answer: Answer) -> Worth:
    """Return both bounds; the move that goes with them is that of the better bound for the mover."""
    lo, hi = max(worth.lo, answer.lo), min(worth.hi, answer.hi)
    if (lo, hi) == (worth.lo, worth.hi):
        return worth
    better = answer.lo > worth.lo if position.black_to_move else answer.hi < worth.hi
    best = answer.best if better or (answer.value is not None and worth.best is None) else worth.best
    return Worth(lo, hi, best, "live")


@cache
def _atlas() -> dict[int, Worth]:
    """Return what the project's atlas says, by canonical key; nothing without a sound one."""
    try:
        return {
            key_of(row.position): Worth(row.lo, row.hi, row.best[0] if row.best else None, "atlas")
            for row in read_atlas(ATLAS)
        }
    except (OSError, AtlasError):
        return {}
