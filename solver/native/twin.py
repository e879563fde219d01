"""The twin, which is a copy in C of the player's exact solver. The twin searches the same nodes in the same order.

A closure and a walk through the script call the player's solver about a hundred thousand times. The twin needs seconds
for these calls, but CPython needs minutes. The test tests/solver/test_twin.py compares the twin with ExactSolver, and
each run compares a sample of the answers.
"""

import time
import weakref

from little_go.solver.exact import ExactSolver, _ExactSearch, _SearchStopped
from little_go.solver.native.twin_search import ExactSearch
from little_go.solver.position import POINTS

#: The number of nodes that the player can search in a second of CPU even on a slow host. CPython searches 290,000 nodes
#: in a second on our machine.
SCRIPT_RATE = 100_000

#: A number of nodes that no search can reach.
_NO_LIMIT = (1 << 64) - 1


class TwinSolver(ExactSolver):
    """An ExactSolver that searches in C.

    The solver replaces a deadline by a node limit of SCRIPT_RATE nodes for each second of CPU since the solver was
    created. So the answers of the solver hardly depend on the speed of the machine.
    """

    def _make_search(self) -> _ExactSearch:
        search, hints, born = ExactSearch(), self._hints, time.process_time()
        # A weak reference avoids a cycle, so the memory is freed together with the solver.
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
                # The method decide() looks up the most promising move in the hints.
                hints.clear()
                if bit is not None:
                    hints[opp << POINTS | me | ko << 2 * POINTS] = bit
            if stopped or bit is None:
                raise _SearchStopped
            return bound, bit

        return run
