"""The exact value of a position, or of each of its moves, by several threads on one table."""

from collections.abc import Callable, Generator, Mapping
from concurrent.futures import FIRST_COMPLETED, ThreadPoolExecutor, wait
from contextlib import closing
from typing import TYPE_CHECKING

from little_go.solver.answer import Answer
from little_go.solver.native.kernel import BUSY_BYTES, Kernel, MoveBounds
from little_go.solver.position import Position

if TYPE_CHECKING:
    from typing_extensions import Buffer

#: Seconds between two reports of the threads' results.
REPORT_SECONDS = 0.02

#: The Answer for each legal move, from Black's side.
Answers = dict[int, Answer]


class MoveSolver:
    """A solver that searches all moves of a position at once, and keeps its table from search to search.

    table: the same as for Kernel. threads: the number of threads that share each search.
    """

    def __init__(self, table: "Buffer", threads: int) -> None:
        self._table = table
        self._busy = bytearray(BUSY_BYTES)
        self._threads = threads
        self._teacher = Kernel(table)
        self._kernels: list[Kernel] = []
        self._ended = 0

    @property
    def nodes(self) -> int:
        """Positions searched so far."""
        return self._ended + sum(kernel.nodes for kernel in self._kernels)

    @property
    def kernel(self) -> Kernel:
        """A kernel on the table, for one thread."""
        return self._teacher

    def teach(self, position: Position, answer: Answer) -> None:
        """Write a proven answer into the table, as if a search of ``answer.nodes`` nodes had found it."""
        self._teacher.teach(position, answer)

    def solve(
        self, position: Position, *, known: Mapping[int, Answer] | None = None, bounds: Answer | None = None
    ) -> Answers:
        """Return the exact value of every legal move. Parameters and errors are the same as in updates()."""
        *_, found = self.updates(position, known=known, bounds=bounds)
        return found

    def updates(
        self,
        position: Position,
        *,
        known: Mapping[int, Answer] | None = None,
        bounds: Answer | None = None,
        node_limit: int | None = None,
    ) -> Generator[Answers]:
        """Yield the proven bounds of every legal move, 50 times a second, until all are exact.

        Closing the generator ends the search. known: the proven bounds on moves, or None. bounds: the proven bounds on
        the position, or None. They limit the moves too, because no move is worth more to the mover than the position.
        node_limit: the approximate number of nodes after which the search ends early. Raises ValueError if ``known``
        has an illegal move, or if bounds contradict each other.
        """
        found = MoveBounds(position)
        for move, answer in (known or {}).items():
            found.narrow(move, answer.lo, answer.hi)
        if bounds is not None:
            for move in found.answers():
                found.narrow(move, *bounds.opponent_end(position.black_to_move))
        share = None if node_limit is None else max(1, node_limit // self._threads)
        for _ in self._reports(lambda kernel: kernel.moves(found, node_limit=share)):
            yield found.answers()

    def ask(self, question: Callable[[Kernel], Answer], stopped: Callable[[], bool] = lambda: False) -> Answer:
        """Let the kernels of all threads search the same question, and return the first answer.

        stopped: called 50 times a second; if it returns True, the search ends with the bounds proven so far.
        """
        answers: list[Answer] = []
        before = self.nodes
        with closing(self._reports(lambda kernel: answers.append(question(kernel)))) as reports:
            for _ in reports:
                if stopped():
                    break
        return max(answers, key=lambda answer: answer.lo - answer.hi)._replace(nodes=self.nodes - before)

    def _reports(self, search: Callable[[Kernel], object]) -> Generator[None]:
        """Start ``search`` with a kernel in each thread.

        Yield 50 times a second, and once after the first thread has ended. Closing the generator ends all searches.
        """
        busy = self._busy if self._threads > 1 else None
        self._kernels = [Kernel(self._table, busy=busy) for _ in range(self._threads)]
        try:
            with ThreadPoolExecutor(self._threads) as executor:
                running = [executor.submit(search, kernel) for kernel in self._kernels]
                try:
                    while not wait(running, REPORT_SECONDS, FIRST_COMPLETED).done:
                        yield
                finally:
                    for kernel in self._kernels:
                        kernel.stop()
            # A future that stays in the list would keep its error alive, because the error's traceback refers to the
            # list.
            while running:
                running.pop().result()
        finally:
            self._ended, self._kernels = self.nodes, []
        yield
