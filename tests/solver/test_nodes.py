"""The nodes that small searches take: the same everywhere, and those of the last commit that changed the search.

A change of these figures is a change of the search. ``python -m lab bench`` has a larger workload; its node count is
in the commit's message.
"""

from collections.abc import Callable

import pytest

from solver.alphabeta import AlphaBeta
from solver.answer import BLACK_WINS
from solver.family import COURSE
from solver.native.kernel import Kernel
from solver.native.table import open_table
from solver.position import parse_moves, play_all, start_of
from tests.solver.positions import known_positions

KNOWN = {left: [known.position for known in known_positions(left)[:8]] for left in (9, 12)}


def nodes_of_games() -> int:
    kernel = Kernel(open_table(16))
    return sum(kernel.decide(start_of(plies), BLACK_WINS).nodes for plies in (8, 10, 12, 14))


def nodes_of_values() -> int:
    kernel = Kernel(open_table(16))
    return sum(kernel.value(position).nodes for position in KNOWN[12])


def nodes_of_a_guess() -> int:
    """The value of a position that is guessed by that with fewer plies left."""
    position = play_all(start_of(24), parse_moves("2,2 1,1 3,3 1,3 3,1 1,2 2,1 2,3"))
    return Kernel(open_table(16)).value(position).nodes


def nodes_of_the_player() -> int:
    search = AlphaBeta(COURSE.komi)
    return sum(search.search(position, depth_limit=4).nodes for position in KNOWN[9])


@pytest.mark.parametrize(
    ("search", "nodes"),
    [(nodes_of_games, 2_519), (nodes_of_values, 144_029), (nodes_of_a_guess, 252_160), (nodes_of_the_player, 3_944)],
)
def test_a_search_takes_the_nodes_of_the_last_commit_that_changed_it(search: Callable[[], int], nodes: int) -> None:
    assert search() == nodes
