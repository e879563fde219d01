"""Search positions that no file has: the native kernel, on all cores, within a budget."""

import time
from collections.abc import Callable, Iterator, Mapping
from functools import cached_property
from typing import TypeAlias

from little_go.book.answers.reasons import ExactOracle
from little_go.runtime.options import cores
from little_go.solver.answer import Answer, BoundsBase
from little_go.solver.bounds import UNKNOWN
from little_go.solver.native import kernel_needed
from little_go.solver.position import Position

#: Default limit of a search in seconds: far more than almost any position needs.
LIVE_SECONDS = 60.0

#: Seconds between two states of a search that is shown.
LOOK_SECONDS = 0.25

#: The limit of a search: returns the nodes that it may still take, many times a second; 0 or less ends it.
Budget: TypeAlias = Callable[[], int]

#: More nodes than any search here takes.
_ENDLESS = 1 << 40

#: The cost noted in the table for a fact from elsewhere: so high that no search of ours replaces it.
_TAUGHT_NODES = 1 << 20


def for_seconds(seconds: float) -> Budget:
    """Return a budget of seconds from now."""
    end = time.monotonic() + seconds
    return until_stopped(lambda: time.monotonic() >= end)


def until_stopped(stopped: Callable[[], bool]) -> Budget:
    """Return a budget that ends when ``stopped``, polled every few hundredths of a second, is true."""
    return lambda: 0 if stopped() else _ENDLESS


class LiveSearch:
    """The native kernel's search; its table serves later questions too."""

    def __init__(self, table_mib: int | None = None) -> None:
        """table_mib: the memory of its table; None: as much as fits the machine.

        Raises NoKernel where there is no kernel, and ValueError for a table that does not fit.
        """
        with kernel_needed():
            # Imported here, because reading a store needs no kernel.
            from little_go.solver.native.moves import MoveSolver
            from little_go.solver.native.table import fitting_mib, open_table
        self._solver = MoveSolver(open_table(table_mib or fitting_mib()), cores())

    def nodes(self, limit: int) -> Budget:
        """Return a budget of ``limit`` nodes from now on."""
        end = self.searched + limit
        return lambda: end - self.searched

    @property
    def searched(self) -> int:
        """The nodes of all searches so far."""
        return self._solver.nodes

    @cached_property
    def judge(self) -> ExactOracle:
        """The oracle that compares lines, on the same table."""
        return ExactOracle(self._solver.kernel)

    def teach(self, position: Position, known: BoundsBase) -> None:
        """Seed the table with known bounds of a position."""
        if not position.is_over:
            self._solver.teach(position, Answer(known.lo, known.hi, None, _TAUGHT_NODES))

    def moves(
        self, position: Position, known: Mapping[int, Answer], bounds: Answer, budget: Budget
    ) -> Iterator[Mapping[int, Answer]]:
        """Yield proved bounds of all moves, many times a second, until all are exact or the budget is spent.

        known: the bounds of the moves. bounds: those of the position.
        """
        limit = budget()
        if limit <= 0:
            return
        for answers in self._solver.updates(position, known=known, bounds=bounds, node_limit=limit):
            yield answers
            if budget() <= 0:
                return

    def value(self, position: Position, budget: Budget, guess: int | None = None) -> Answer:
        """Return a position's value when exact, or its bounds when the budget is spent. guess: the likely value."""
        limit = budget() // cores()
        if limit <= 0:
            return UNKNOWN
        return self._solver.ask(
            lambda kernel: kernel.value(position, guess=guess, node_limit=limit), lambda: budget() <= 0
        )

    def decide(self, position: Position, goal: int, budget: Budget) -> Answer:
        """Return bounds once they decide whether a position's value reaches the goal, or the budget is spent."""
        limit = budget() // cores()
        if limit <= 0:
            return UNKNOWN
        return self._solver.ask(lambda kernel: kernel.decide(position, goal, node_limit=limit), lambda: budget() <= 0)
