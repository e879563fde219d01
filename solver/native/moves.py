"""The exact value of every move of a position, by several threads on one table."""

import os
import threading
import time
from collections.abc import Callable, Mapping
from concurrent.futures import FIRST_EXCEPTION, ThreadPoolExecutor, wait

from typing_extensions import Buffer

from solver.answer import LEAST, MOST, Answer
from solver.native.kernel import BUSY_BYTES, Kernel, MoveBounds
from solver.position import Position

#: Seconds between two looks at what the threads have found.
LOOK_SECONDS = 0.02

#: An Answer for each legal move, from Black's side.
Answers = dict[int, Answer]


class MoveSolver:
    """Finds the values of all moves of one position after another, on a table that stays warm.

    table: as for Kernel. threads: how many share each search; as many as there are cores when None.
    Public attribute ``nodes``: positions searched so far by what has ended.
    """

    def __init__(self, table: Buffer, threads: int | None = None) -> None:
        self._table = table
        self._busy = bytearray(BUSY_BYTES)
        self._threads = threads or os.cpu_count() or 1
        self.nodes = 0

    def solve(
        self,
        position: Position,
        *,
        known: Mapping[int, Answer] | None = None,
        bounds: Answer | None = None,
        progress: Callable[[Answers], None] | None = None,
        stop: threading.Event | None = None,
        seconds: float | None = None,
    ) -> Answers:
        """Return what is proved of every legal move: all exact, unless it was stopped.

        known: bounds on moves, proved elsewhere. bounds: on the position itself; no move is worth more to the mover.
        progress: called in this thread, with what is proved so far, whenever that is more than before.
        stop: set it, in any thread or in ``progress``, to end the search. seconds: end it after so many by the clock.
        Raises ValueError when ``known`` has an illegal move, or bounds contradict each other.
        """
        found = MoveBounds(position)
        for move, answer in (known or {}).items():
            found.narrow(move, answer.lo, answer.hi)
        if bounds is not None:
            for move in found.answers():
                found.narrow(move, *((LEAST, bounds.hi) if position.black_to_move else (bounds.lo, MOST)))
        busy = self._busy if self._threads > 1 else None
        kernels = [Kernel(self._table, busy=busy) for _ in range(self._threads)]
        try:
            self._watch(kernels, found, progress, stop or threading.Event(), seconds)
        finally:
            self.nodes += sum(kernel.nodes for kernel in kernels)
        return found.answers()

    def _watch(
        self,
        kernels: list[Kernel],
        found: MoveBounds,
        progress: Callable[[Answers], None] | None,
        stop: threading.Event,
        seconds: float | None,
    ) -> None:
        """Let every kernel work in a thread, and tell of progress, until all moves are exact or it is time to stop."""
        deadline = None if seconds is None else time.monotonic() + seconds
        told: Answers = {}
        with ThreadPoolExecutor(self._threads) as executor:
            try:
                running = {executor.submit(kernel.moves, found) for kernel in kernels}
                while running:
                    done, running = wait(running, LOOK_SECONDS, FIRST_EXCEPTION)
                    for search in done:
                        search.result()
                    told = _tell(progress, told, found.answers())
                    if stop.is_set() or (deadline is not None and time.monotonic() >= deadline):
                        break
            finally:
                for kernel in kernels:
                    kernel.stop()
        _tell(progress, told, found.answers())


def _tell(progress: Callable[[Answers], None] | None, told: Answers, now: Answers) -> Answers:
    """Report the answers if a bound is sharper than in those told before, and return them."""
    if progress and [answer[:2] for answer in now.values()] != [answer[:2] for answer in told.values()]:
        progress(now)
    return now
