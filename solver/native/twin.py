"""The player's exact solver at the machine's speed: the same nodes in the same order, the same answers.

The closure asks what the player's own solver finds by itself, and the walk asks the script, some hundred thousand times
each. CPython takes minutes where this takes seconds. tests/solver/test_twin.py compares it with ExactSolver, and each
run compares a sample.
"""

import time
import weakref

from solver.exact import ExactSolver, _ExactSearch, _SearchStopped
from solver.native.twin_search import ExactSearch
from solver.position import POINTS

#: Nodes a second of CPU that the script may be counted on to search; CPython takes 290,000 on the makers' machine.
SCRIPT_RATE = 100_000

#: More nodes than any search takes.
_NO_LIMIT = (1 << 64) - 1


class TwinSolver(ExactSolver):
    """An ExactSolver that searches in C.

    A deadline becomes the number of nodes that a slow host's Python searches until then, SCRIPT_RATE a second from
    when the solver was made. So what is found depends little on the machine.
    """

    def _make_search(self) -> _ExactSearch:
        search, hints, born = ExactSearch(), self._hints, time.process_time()
        # Without a circle of references the memory is there for the next solver at once.
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
                # Where decide() looks for the most promising move.
                hints.clear()
                if bit is not None:
                    hints[opp << POINTS | me | ko << 2 * POINTS] = bit
            if stopped or bit is None:
                raise _SearchStopped
            return bound, bit

        return run
