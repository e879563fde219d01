"""A solver whose threads share a table, and find the exact value of a position or of each of its moves."""

from collections.abc import Callable, Generator, Mapping
from concurrent.futures import FIRST_COMPLETED, ThreadPoolExecutor, wait
from contextlib import closing
from typing import TYPE_CHECKING

from little_go.solver.answer import Answer
from little_go.solver.native.kernel import BUSY_BYTES, Kernel, MoveBounds
from little_go.solver.position import Position

if TYPE_CHECKING:
    from typing_extensions import Buffer

#: The number of seconds between two reports of the results of all threads.
REPORT_SECONDS = 0.02

#: The Answer for each legal move, from Black's point of view.
Answers = dict[int, Answer]


class MoveSolver:
    """A solver that searches all moves of a position at the same time, and keeps its table from search to search.

    The parameter ``table`` is the same as for Kernel, and ``threads`` threads share each search.
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
        """The number of positions that all threads have searched so far."""
        return self._ended + sum(kernel.nodes for kernel in self._kernels)

    @property
    def kernel(self) -> Kernel:
        """A kernel that uses the same table, for a search in one thread."""
        return self._teacher

    def teach(self, position: Position, answer: Answer) -> None:
        """Write a proven answer into the table, as if a search had found it with ``answer.nodes`` nodes."""
        self._teacher.teach(position, answer)

    def solve(
        self, position: Position, *, known: Mapping[int, Answer] | None = None, bounds: Answer | None = None
    ) -> Answers:
        """Return the exact value of every legal move. The parameters and exceptions are the same as for updates()."""
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
        """Yield the proven bounds of every legal move 50 times a second, until all bounds are exact.

        If the caller closes the generator, the search ends. The parameter ``known`` contains bounds on moves that are
        already proven, or is None. The parameter ``bounds`` is the proven bounds on the position, or None. The
        opponent's bound of the position also limits the value of every move. After about ``node_limit`` nodes the
        search ends early. Raise ValueError if ``known`` contains an illegal move, or if bounds contradict each other.
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
        """Search the same question with the kernels of all threads, and return the first answer.

        The function ``stopped`` is called 50 times a second. If ``stopped`` returns True, the search ends with the
        bounds that are proven at this time.
        """
        answers: list[Answer] = []
        before = self.nodes
        with closing(self._reports(lambda kernel: answers.append(question(kernel)))) as reports:
            for _ in reports:
                if stopped():
                    break
        return max(answers, key=lambda answer: answer.lo - answer.hi)._replace(nodes=self.nodes - before)

    def _reports(self, search: Callable[[Kernel], object]) -> Generator[None]:
        """Call ``search`` in each thread with a kernel.

        The generator yields 50 times a second, and once after the first thread has ended. If the caller closes the
        generator, all searches end.
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
            # Remove each future from the list. Otherwise an exception would stay in memory, because the traceback of
            # the exception refers to the list.
            while running:
                running.pop().result()
        finally:
            self._ended, self._kernels = self.nodes, []
        yield
