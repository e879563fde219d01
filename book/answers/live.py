"""Searching now what nobody has stored: the native kernel, by all cores, within a budget."""

import time
from collections.abc import Callable, Iterator, Mapping
from typing import TypeAlias

from book.answers.sources import KERNEL, Origin, Said, Source
from runtime.options import cores
from solver.answer import LEAST, MOST, Answer
from solver.bounds import UNKNOWN, Bounded, Bounds, for_mover, meet, of_moves
from solver.native import kernel_needed
from solver.position import Position
from solver.symmetry import INVERSE, POINT_IMAGE, canonical

#: Seconds that a search may take where nobody says otherwise: far more than almost any position needs.
LIVE_SECONDS = 60.0

#: Seconds between two pictures of what is settled, where somebody watches.
LOOK_SECONDS = 0.25

#: What a search may cost: tells, many times a second, the nodes that it may still take; 0 or less ends it.
Budget: TypeAlias = Callable[[], int]

#: More nodes than any search here takes.
_ENDLESS = 1 << 40

#: The cost that the table notes for a fact from elsewhere: so high that no search of ours drives it out.
_TAUGHT_NODES = 1 << 20


def for_seconds(seconds: float) -> Budget:
    """Return a budget of seconds on the clock, which runs from now."""
    end = time.monotonic() + seconds
    return until_stopped(lambda: time.monotonic() >= end)


def until_stopped(stopped: Callable[[], bool]) -> Budget:
    """Return a budget that ends when ``stopped`` says so, which is asked every few hundredths of a second."""
    return lambda: 0 if stopped() else _ENDLESS


class Live(Source):
    """The native kernel's search; what it found helps with what is asked next, and it says so as a source does."""

    def __init__(self, table_mib: int | None = None) -> None:
        """table_mib: the memory of its table; as much as fits the machine when None.

        Raises NoKernel where there is no kernel, and ValueError for a table that does not fit.
        """
        with kernel_needed():
            # Imported here, because reading a store needs no kernel.
            from solver.native.moves import MoveSolver
            from solver.native.table import fitting_mib, open_table
        self._solver = MoveSolver(open_table(table_mib or fitting_mib()), cores())
        self._found: dict[int, tuple[Bounds, int | None]] = {}

    def nodes(self, limit: int) -> Budget:
        """Return a budget of so many nodes from now on."""
        end = self.searched + limit
        return lambda: end - self.searched

    @property
    def searched(self) -> int:
        """The nodes of all searches up to now."""
        return self._solver.nodes

    def teach(self, position: Position, known: Bounded) -> None:
        """Tell the search what is known of a position, to go on from."""
        if not position.is_over:
            self._solver.teach(position, Answer(known.lo, known.hi, None, _TAUGHT_NODES))

    def moves(
        self, position: Position, known: Mapping[int, Answer], bounds: Answer, budget: Budget
    ) -> Iterator[Mapping[int, Answer]]:
        """Yield what is proved of all moves, many times a second, until all are exact or the budget is spent.

        known: what is known of the moves. bounds: of the position itself.
        """
        limit, found = budget(), known
        if limit <= 0:
            return
        try:
            for found in self._solver.updates(position, known=known, bounds=bounds, node_limit=limit):
                yield found
                if budget() <= 0:
                    return
        finally:
            self._note(position, of_moves(position, found))
            for move, answer in found.items():
                self._note(position.play(move), answer)

    def value(self, position: Position, budget: Budget, guess: int | None = None) -> Answer:
        """Return what is proved of a position's value when it is exact, or the budget is spent.

        guess: what it may be.
        """
        limit = budget() // cores()
        if limit <= 0:
            return UNKNOWN
        answer = self._solver.ask(
            lambda kernel: kernel.value(position, guess=guess, node_limit=limit), lambda: budget() <= 0
        )
        self._note(position, answer)
        return answer

    def best(self, position: Position, value: int, budget: Budget) -> int | None:
        """Return a move that keeps a position's value, or None when the budget does not suffice to find one."""
        goal = value if position.black_to_move else value + 1
        answer = self.decide(position, goal, budget)
        return answer.best if answer.at_least(goal) is position.black_to_move else None

    def decide(self, position: Position, goal: int, budget: Budget) -> Answer:
        """Return what is proved when it is known whether a position is worth so much, or the budget is spent."""
        limit = budget() // cores()
        if limit <= 0:
            return UNKNOWN
        answer = self._solver.ask(lambda kernel: kernel.decide(position, goal, node_limit=limit), lambda: budget() <= 0)
        self._note(position, answer)
        return answer

    def _note(self, position: Position, answer: Answer) -> None:
        key, symmetry = canonical(position)
        old, best = self._found.get(key, (Bounds(), None))
        reach = for_mover(position, answer).lo
        if answer.best is not None and reach > LEAST and (best is None or reach > for_mover(position, old).lo):
            best = POINT_IMAGE[symmetry][answer.best]
        self._found[key] = meet(old, answer), best

    def said_of(self, position: Position) -> list[Said]:
        """Return what has been found of a position; nothing where the search could not tell."""
        key, symmetry = canonical(position)
        found, best = self._found.get(key, (Bounds(), None))
        if found == (LEAST, MOST):
            return []
        moves = () if best is None else (POINT_IMAGE[INVERSE[symmetry]][best],)
        return [Said(found.lo, found.hi, moves, Origin(KERNEL))]
