"""What each move of a position is worth: from the rules, the book, or the native kernel within a time limit.

Three answers are kept apart: ``proven``, the bounds tell the winner; ``undecided``, the book or the search has
looked and could not tell; ``not-in-book``, the book has nothing and the time was up before the search came to it.
"""

import time
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, NamedTuple

from arena.gtp.protocol import vertex_name
from book.files.reader import BOOK_UNDECIDED, Book
from solver.answer import BLACK_WINS, LEAST, MOST, Answer
from solver.colours import COLOURS
from solver.native import kernel_needed
from solver.position import Position
from solver.table import open_table

if TYPE_CHECKING:
    from solver.kernel import Kernel

TABLE_MIB = 64

#: The nodes for each move in the first round; each further round has twice as many, so that cheap questions come first.
_FIRST_ROUND = 50_000

#: Less than the kernel searches in a second, so that the last search ends not much after the time.
_NODES_PER_SECOND = 1_000_000

#: The most nodes between two looks whether somebody wants the search to end: some hundredths of a second.
_SLICE = 100_000


class MoveValue(NamedTuple):
    """What is known of a move.

    lo, hi: proven bounds on the value, stones Black - White at the end under best play, -24 to 24.
    source: ``end`` (the move ends the game), ``book``, ``live`` (the search) or ``none``.
    """

    move: int
    lo: int
    hi: int
    source: str

    @property
    def winner(self) -> int | None:
        """The colour proven to win after the move, or None."""
        return Answer(self.lo, self.hi, None, 0).winner

    @property
    def state(self) -> str:
        """``proven``, ``undecided`` or ``not-in-book``."""
        if self.winner is not None:
            return "proven"
        return "not-in-book" if self.source == "none" else "undecided"


def value_line(value: MoveValue) -> str:
    """Return a move's value as ``littlego-analyze`` writes it.

    >>> value_line(MoveValue(12, 3, 24, "book"))
    'C3 proven winner black lo 3 hi 24 source book'
    """
    move, winner = vertex_name(value.move), COLOURS.get(value.winner or 0, "unknown").lower()
    return f"{move} {value.state} winner {winner} lo {value.lo} hi {value.hi} source {value.source}"


class Analyst:
    """Analyses positions; what its search has found helps with the next position."""

    def __init__(self, book: Book | None) -> None:
        self._book = book
        self._kernel: Kernel | None = None

    def analyse(self, position: Position, seconds: float) -> list[MoveValue]:
        """Return the value of each legal move, the best for the mover first, after ``seconds`` on the clock at most.

        First all winners are sought, then exact values. Raises NoKernel.
        """
        deadline = time.monotonic() + seconds

        def allowed() -> int:
            left = deadline - time.monotonic()
            return max(1, int(left * _NODES_PER_SECOND)) if left > 0 else 0

        values = self._values(position)
        for _ in self._steps(position, values, allowed):
            pass
        return _sorted(values, position)

    def updates(self, position: Position, seconds: float, stopped: Callable[[], bool]) -> Iterator[list[MoveValue]]:
        """Return what is known of each legal move, again and again: at once, every ``seconds``, and when all is exact.

        stopped: asked between searches of some hundredths of a second; nothing more comes after it says yes.
        Raises NoKernel, before anything is yielded.
        """
        self._open_kernel()
        return self._updates(position, seconds, stopped)

    def _updates(self, position: Position, seconds: float, stopped: Callable[[], bool]) -> Iterator[list[MoveValue]]:
        values = self._values(position)
        yield _sorted(values, position)
        shown = time.monotonic()
        for _ in self._steps(position, values, lambda: 0 if stopped() else _SLICE):
            if time.monotonic() - shown >= seconds:
                yield _sorted(values, position)
                shown = time.monotonic()
        if not stopped():
            yield _sorted(values, position)

    def _values(self, position: Position) -> dict[int, MoveValue]:
        return {move: self._told(position, move) for move in position.legal_moves()}

    def _steps(self, position: Position, values: dict[int, MoveValue], allowed: Callable[[], int]) -> Iterator[None]:
        """Search for all winners, then for exact values; yield after each search, with its answer in ``values``.

        allowed: the nodes that the next search may take at most; none ends it all.
        """
        kernel = self._open_kernel()

        def decide(child: Position, nodes: int) -> Answer:
            return kernel.decide(child, BLACK_WINS, node_limit=nodes)

        def find_value(child: Position, nodes: int) -> Answer:
            return kernel.value(child, node_limit=nodes)

        yield from _search(position, values, lambda value: value.winner is None, decide, allowed)
        yield from _search(position, values, lambda value: value.lo < value.hi, find_value, allowed)

    def _told(self, position: Position, move: int) -> MoveValue:
        """Return what rules and book tell of a move."""
        child = position.play(move)
        if child.is_over:
            return MoveValue(move, child.margin, child.margin, "end")
        value = MoveValue(move, LEAST, MOST, "none")
        if self._book is None:
            return value
        after, here = self._book.get(child), self._book.get(position)
        if after is not None:
            value = _narrowed(value, after.lo, after.hi, "book")
        if here is not None and here.verdict != BOOK_UNDECIDED:
            # The book's move is worth what the position is, and no move is worth more to the mover.
            lo = here.lo if not position.black_to_move or move == here.move else LEAST
            hi = here.hi if position.black_to_move or move == here.move else MOST
            if (lo, hi) != (LEAST, MOST):
                value = _narrowed(value, lo, hi, "book")
        return value

    def _open_kernel(self) -> "Kernel":
        if self._kernel is None:
            with kernel_needed():
                # Here, for playing needs no kernel.
                from solver.kernel import Kernel
            self._kernel = Kernel(open_table(TABLE_MIB))
        return self._kernel


def _search(
    position: Position,
    values: dict[int, MoveValue],
    is_open: Callable[[MoveValue], bool],
    ask: Callable[[Position, int], Answer],
    allowed: Callable[[], int],
) -> Iterator[None]:
    """Ask about the moves that are open, with more nodes each round; yield after noting each answer in ``values``."""
    nodes = _FIRST_ROUND
    while left := [move for move, value in values.items() if is_open(value)]:
        for move in left:
            limit = min(nodes, allowed())
            if not limit:
                return
            answer = ask(position.play(move), limit)
            values[move] = _narrowed(values[move], answer.lo, answer.hi, "live")
            yield
        nodes *= 2


def _sorted(values: Mapping[int, MoveValue], position: Position) -> list[MoveValue]:
    return sorted(values.values(), key=lambda value: _rank(value, position.mover))


def _narrowed(value: MoveValue, lo: int, hi: int, source: str) -> MoveValue:
    """Return the value with both bounds; its source is the one that added something, or the first to look."""
    narrowed = value._replace(lo=max(value.lo, lo), hi=min(value.hi, hi))
    return narrowed._replace(source=source) if narrowed != value or value.source == "none" else value


def _rank(value: MoveValue, mover: int) -> tuple[int, int]:
    """Return a key that sorts the moves best for the mover first: wins, open ones, losses, each by their bounds."""
    outcome = 1 if value.winner is None else 0 if value.winner == mover else 2
    bounds = value.lo + value.hi
    return outcome, -bounds if mover == 1 else bounds
