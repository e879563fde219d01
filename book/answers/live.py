"""Searching now what nobody has stored: the native kernel, for so many seconds."""

import time
from collections.abc import Callable, Sequence

from solver.answer import BLACK_WINS, Answer
from solver.native import kernel_needed
from solver.position import Position

#: MiB of the table, and what is taken where memory is short.
_TABLE_MIB, _LEAST_MIB = 256, 16

#: The nodes for each question in the first round; each further round has four times as many, so that what is cheap to
#: find is found first.
_FIRST_ROUND, _GROWTH = 20_000, 4

#: Less than the kernel searches in a second, so that the last search ends not long after the time.
_NODES_PER_SECOND = 2_000_000

#: How dear the table is to take a fact from elsewhere for: no search of ours should drive it out.
_TAUGHT_NODES = 1 << 20

#: A position, and whether its exact value is asked for; else who wins.
Question = tuple[Position, bool]


class Live:
    """A search with a time limit for each position that is asked about; what it found helps with the next one."""

    def __init__(self, seconds: float) -> None:
        """seconds: on the clock, for each position. Raises NoKernel."""
        with kernel_needed():
            # Here, for reading a store needs no kernel.
            from solver.kernel import Kernel
            from solver.table import open_table
        try:
            table = open_table(_TABLE_MIB)
        except ValueError:
            table = open_table(_LEAST_MIB)
        self._kernel = Kernel(table)
        self._seconds = seconds
        self._began = time.monotonic()

    def begin(self) -> None:
        """Let the time for a position begin."""
        self._began = time.monotonic()

    def teach(self, position: Position, lo: int, hi: int) -> None:
        """Tell the search what is known of a position, to go on from."""
        if not position.is_over:
            self._kernel.teach(position, Answer(lo, hi, None, _TAUGHT_NODES))

    def settle(
        self,
        open_questions: Callable[[], Sequence[Question]],
        take: Callable[[Position, Answer], None],
        share: float = 1.0,
    ) -> None:
        """Search until nothing is open, or this share of the time is over.

        open_questions: what is open at the moment, the most important first; asked before each round.
        take: told of each answer; it may leave its question open.
        """
        nodes = _FIRST_ROUND
        while questions := open_questions():
            for position, exact in questions:
                limit = min(nodes, int(self._left(share) * _NODES_PER_SECOND))
                if limit <= 0:
                    return
                take(position, self._answer(position, exact, limit))
            nodes *= _GROWTH

    def best(self, position: Position, nodes: int) -> int | None:
        """Return a move that is worth as much as the position, or None when so many nodes do not tell."""
        answer = self._kernel.value(position, node_limit=nodes)
        return answer.best if answer.value is not None else None

    def _answer(self, position: Position, exact: bool, nodes: int) -> Answer:
        if exact:
            return self._kernel.value(position, node_limit=nodes)
        return self._kernel.decide(position, BLACK_WINS, node_limit=nodes)

    def _left(self, share: float) -> float:
        return self._began + share * self._seconds - time.monotonic()
