"""The exact value of every move of a position, or of the position alone, by several threads on one table."""

from collections.abc import Callable, Generator, Mapping
from concurrent.futures import FIRST_COMPLETED, ThreadPoolExecutor, wait
from contextlib import closing
from typing import TYPE_CHECKING

from solver.answer import Answer
from solver.native.kernel import BUSY_BYTES, Kernel, MoveBounds
from solver.position import Position

if TYPE_CHECKING:
    from typing_extensions import Buffer

#: Seconds between two looks at what the threads have found.
LOOK_SECONDS = 0.02

#: An Answer for each legal move, from Black's side.
Answers = dict[int, Answer]


class MoveSolver:
    """Finds values on a table that stays warm, all moves of a position at once.

    table: as for Kernel. threads: how many share each search.
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
        """Put proven bounds into the table, as if searched with its number of nodes."""
        self._teacher.teach(position, answer)

    def solve(
        self, position: Position, *, known: Mapping[int, Answer] | None = None, bounds: Answer | None = None
    ) -> Answers:
        """Return the exact value of every legal move; known, bounds, ValueError: as for updates()."""
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
        """Yield what is proved of every legal move, 50 times a second, until all are exact; closing it ends the search.

        known: bounds on moves, proved elsewhere. bounds: on the position itself; no move is worth more to the mover.
        node_limit: the number of nodes after which it ends, about, with what is proved by then.
        Raises ValueError when ``known`` has an illegal move, or bounds contradict each other.
        """
        found = MoveBounds(position)
        for move, answer in (known or {}).items():
            found.narrow(move, answer.lo, answer.hi)
        if bounds is not None:
            for move in found.answers():
                found.narrow(move, *bounds.opponent_end(position.black_to_move))
        share = None if node_limit is None else max(1, node_limit // self._threads)
        for _ in self._looks(lambda kernel: kernel.moves(found, node_limit=share)):
            yield found.answers()

    def ask(self, question: Callable[[Kernel], Answer], stopped: Callable[[], bool] = lambda: False) -> Answer:
        """Ask the kernels of all threads the same about a position, and return what the first has found.

        stopped: asked 50 times a second; when it says so, the answer is what is proved by then.
        """
        answers: list[Answer] = []
        before = self.nodes
        with closing(self._looks(lambda kernel: answers.append(question(kernel)))) as looks:
            for _ in looks:
                if stopped():
                    break
        return max(answers, key=lambda answer: answer.lo - answer.hi)._replace(nodes=self.nodes - before)

    def _looks(self, search: Callable[[Kernel], object]) -> Generator[None]:
        """Let a kernel in each thread search; yield at each look, and when the first has ended. Closing it ends all."""
        busy = self._busy if self._threads > 1 else None
        self._kernels = [Kernel(self._table, busy=busy) for _ in range(self._threads)]
        try:
            with ThreadPoolExecutor(self._threads) as executor:
                running = [executor.submit(search, kernel) for kernel in self._kernels]
                try:
                    while not wait(running, LOOK_SECONDS, FIRST_COMPLETED).done:
                        yield
                finally:
                    for kernel in self._kernels:
                        kernel.stop()
            # Popped: an error that is still in the list would be kept alive by its own traceback.
            while running:
                running.pop().result()
        finally:
            self._ended, self._kernels = self.nodes, []
        yield
