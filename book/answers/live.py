"""The search of positions that no file contains. The native kernel searches on all cores, within a budget."""

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

#: The default time limit of a search, in seconds; almost every position needs far less.
LIVE_SECONDS = 60.0

#: Seconds between two updates of a search that is shown on the screen.
LOOK_SECONDS = 0.25

#: The limit of a search: a function that returns how many nodes the search may still visit. The function is called many
#: times a second. The search ends when the function returns 0 or less.
Budget: TypeAlias = Callable[[], int]

#: A node limit that no search here reaches.
_ENDLESS = 1 << 40

#: The number of nodes that is stored in the table with a fact from another source. This number is so large that no
#: result of this search replaces the fact.
_TAUGHT_NODES = 1 << 20


def for_seconds(seconds: float) -> Budget:
    """Return a budget that ends after a number of seconds."""
    end = time.monotonic() + seconds
    return until_stopped(lambda: time.monotonic() >= end)


def until_stopped(stopped: Callable[[], bool]) -> Budget:
    """Return a budget that ends when ``stopped`` returns true.

    The function ``stopped`` is called every few hundredths of a second.
    """
    return lambda: 0 if stopped() else _ENDLESS


class LiveSearch:
    """The native kernel's search. The table keeps its results for later questions."""

    def __init__(self, table_mib: int | None = None) -> None:
        """table_mib: the size of the table in MiB, or None if the machine's memory determines it.

        Raise NoKernel if there is no kernel, and ValueError if the table does not fit into the memory.
        """
        with kernel_needed():
            # The import is not at the top, because a program that only reads a store needs no kernel.
            from little_go.solver.native.moves import MoveSolver
            from little_go.solver.native.table import fitting_mib, open_table
        self._solver = MoveSolver(open_table(table_mib or fitting_mib()), cores())

    def nodes(self, limit: int) -> Budget:
        """Return a budget of ``limit`` nodes, counted from this call on."""
        end = self.searched + limit
        return lambda: end - self.searched

    @property
    def searched(self) -> int:
        """The number of nodes of all searches so far."""
        return self._solver.nodes

    @cached_property
    def judge(self) -> ExactOracle:
        """The oracle for comparing lines of play, which uses the same table."""
        return ExactOracle(self._solver.kernel)

    def teach(self, position: Position, known: BoundsBase) -> None:
        """Write the known bounds of a position into the table."""
        if not position.is_over:
            self._solver.teach(position, Answer(known.lo, known.hi, None, _TAUGHT_NODES))

    def moves(
        self, position: Position, known: Mapping[int, Answer], bounds: Answer, budget: Budget
    ) -> Iterator[Mapping[int, Answer]]:
        """Yield the proven bounds of all moves many times a second, until all bounds are exact or the budget is spent.

        known: by move, the known bounds of the position after the move. bounds: the known bounds of the position.
        """
        limit = budget()
        if limit <= 0:
            return
        for answers in self._solver.updates(position, known=known, bounds=bounds, node_limit=limit):
            yield answers
            if budget() <= 0:
                return

    def value(self, position: Position, budget: Budget, guess: int | None = None) -> Answer:
        """Return a position's exact value, or only bounds if the budget is spent. guess: a likely value."""
        limit = budget() // cores()
        if limit <= 0:
            return UNKNOWN
        return self._solver.ask(
            lambda kernel: kernel.value(position, guess=guess, node_limit=limit), lambda: budget() <= 0
        )

    def decide(self, position: Position, goal: int, budget: Budget) -> Answer:
        """Search until it is known whether a position's value is ``goal`` or more, or the budget is spent."""
        limit = budget() // cores()
        if limit <= 0:
            return UNKNOWN
        return self._solver.ask(lambda kernel: kernel.decide(position, goal, node_limit=limit), lambda: budget() <= 0)
