"""Searching now what nobody has stored: the native kernel, in rounds, within a budget."""

import time
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple, TypeAlias

from book.answers.sources import KERNEL, Origin, Said, Source
from solver.answer import BLACK_WINS, LEAST, MOST, Answer
from solver.bounds import Bounded, Bounds, for_mover, meet
from solver.native import kernel_needed
from solver.position import Position
from solver.symmetry import INVERSE, POINT_IMAGE, canonical

#: MiB of the table, and what is taken where memory is short.
_TABLE_MIB, _LEAST_MIB = 256, 16

#: The nodes for each question in the first round; each further round has four times as many, so that what is cheap to
#: find is found first.
_FIRST_ROUND, _GROWTH = 20_000, 4

#: Less than the kernel searches in a second, so that the last search ends not long after the time.
_NODES_PER_SECOND = 1_000_000

#: The most nodes between two looks whether somebody wants the search to end: some hundredths of a second.
_SLICE = 100_000

#: The cost that the table notes for a fact from elsewhere: so high that no search of ours drives it out.
_TAUGHT_NODES = 1 << 20


class OpenQuestion(NamedTuple):
    """What is asked of a position: its exact value, or else who wins; ``guess``: what the value may be."""

    position: Position
    exact: bool
    guess: int | None = None


#: What a search may cost: tells the nodes that the next search may take, 0 or less when this share of it is spent.
Budget: TypeAlias = Callable[[float], int]


def for_seconds(seconds: float) -> Budget:
    """Return a budget of seconds on the clock, which runs from now."""
    began = time.monotonic()
    return lambda share: int((began + share * seconds - time.monotonic()) * _NODES_PER_SECOND)


def until_stopped(stopped: Callable[[], bool]) -> Budget:
    """Return a budget that ends when ``stopped`` says so, which is asked every few hundredths of a second."""
    return lambda share: 0 if stopped() else _SLICE


class Live(Source):
    """The native kernel's search; what it found helps with what is asked next, and it says so as a source does."""

    def __init__(self) -> None:
        """Raise NoKernel where there is none."""
        with kernel_needed():
            # Imported here, because reading a store needs no kernel.
            from solver.native.kernel import Kernel
            from solver.native.table import open_table
        try:
            table = open_table(_TABLE_MIB)
        except ValueError:
            table = open_table(_LEAST_MIB)
        self._kernel = Kernel(table)
        self._found: dict[int, tuple[Bounds, int | None]] = {}

    def nodes(self, limit: int) -> Budget:
        """Return a budget of so many nodes from now on."""
        end = self.searched + limit
        return lambda share: end - self.searched

    @property
    def searched(self) -> int:
        """The nodes of all searches up to now."""
        return self._kernel.nodes

    def teach(self, position: Position, known: Bounded) -> None:
        """Tell the search what is known of a position, to go on from."""
        if not position.is_over:
            self._kernel.teach(position, Answer(known.lo, known.hi, None, _TAUGHT_NODES))

    def search(
        self, open_questions: Callable[[], Sequence[OpenQuestion]], budget: Budget, share: float = 1.0
    ) -> Iterator[tuple[Position, Answer]]:
        """Search until nothing is open, or this share of the budget is spent; yield each answer.

        open_questions: what is open at the moment, the most important first; asked before each round. An answer may
        leave its question open.
        """
        nodes = _FIRST_ROUND
        while questions := open_questions():
            for question in questions:
                left = budget(share)
                if left <= 0:
                    return
                # A question that waits for no other is asked at once with all there is.
                answer = self._answer(question, left if len(questions) == 1 else min(nodes, left))
                self._note(question.position, answer)
                yield question.position, answer
            nodes *= _GROWTH

    def best(self, position: Position, nodes: int) -> int | None:
        """Return a move that is worth as much as the position, or None when so many nodes do not tell."""
        answer = self._answer(OpenQuestion(position, exact=True), nodes)
        return answer.best if answer.value is not None else None

    def _answer(self, question: OpenQuestion, nodes: int) -> Answer:
        if question.exact:
            return self._kernel.value(question.position, guess=question.guess, node_limit=nodes)
        return self._kernel.decide(question.position, BLACK_WINS, node_limit=nodes)

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
