"""The twin of the player's exact solver in C: it searches the same nodes in the same order, with the same answers.

A closure calls the player's own solver about a hundred thousand times, and so does a walk through the script. The twin
needs seconds for this, and CPython needs minutes. tests/solver/test_twin.py compares the twin with ExactSolver, and
each run compares a sample.
"""

import time
import weakref

from little_go.solver.exact import ExactSolver, _ExactSearch, _SearchStopped
from little_go.solver.native.twin_search import ExactSearch
from little_go.solver.position import POINTS

#: Nodes for each second of CPU that the player can search even on a slow host. CPython searches 290,000 on our machine.
SCRIPT_RATE = 100_000

#: More nodes than any search takes.
_NO_LIMIT = (1 << 64) - 1


class TwinSolver(ExactSolver):
    """An ExactSolver that searches in C.

    It replaces a deadline by a node limit, SCRIPT_RATE for each second of CPU since the solver was made, so its answers
    depend little on the machine.
    """

    def _make_search(self) -> _ExactSearch:
        search, hints, born = ExactSearch(), self._hints, time.process_time()
        # A weak reference makes no cycle, so the memory is freed as soon as the solver is.
        solver = weakref.proxy(self)

        def run(
            me: int,
            opp: int,
            ko: int,
            left: int,
            margin: int,
            goal: int,
            node_limit: int | None,
            cpu_deadline: float | None,
        ) -> tuple[int, int]:
            limit = _NO_LIMIT if node_limit is None else max(0, node_limit)
            if cpu_deadline is not None:
                limit = min(limit, max(0, int((cpu_deadline - born) * SCRIPT_RATE) - solver.nodes))
            bound, bit, nodes, stopped = search.run(me, opp, ko, left, margin, goal, limit)
            solver.nodes += nodes
            if stopped:
                # decide() looks up the most promising move there.
                hints.clear()
                if bit is not None:
                    hints[opp << POINTS | me | ko << 2 * POINTS] = bit
            if stopped or bit is None:
                raise _SearchStopped
            return bound, bit

        return run
