"""Small searches and their node counts, which are the same on every machine until the search changes."""

from collections.abc import Callable
from functools import cache
from pathlib import Path

from little_go.solver.alphabeta import AlphaBeta
from little_go.solver.answer import BLACK_WINS
from little_go.solver.family import COURSE
from little_go.solver.native.kernel import Kernel, MoveBounds
from little_go.solver.native.lookahead import Lookahead
from little_go.solver.native.table import open_table
from little_go.solver.native.twin import TwinSolver
from little_go.solver.position import START, Position, parse_moves, play_all, start_of
from tests.solver.positions import known_positions
from tests.stored_numbers import numbers_text

#: The stored counts; ``python -m tools.affected --accept`` writes them.
STORED = Path(__file__).with_name("nodes.toml")

#: The weights of stones, liberties, contacts, reach, euler, edge, corners and groups in atari.
FEATURES = (26, 3, 0, -1, -7, 0, -2, -2)

#: Weights of which each is different and none is 0.
ALL_FEATURES = (30, 2, -3, -1, -5, -4, -7, -6)


@cache
def known(left: int) -> list[Position]:
    """Return the first known positions with a number of plies left."""
    return [each.position for each in known_positions(left)[:8]]


def nodes_of_games() -> int:
    """Search the winners of the games of 8 to 14 plies, with one table."""
    kernel = Kernel(open_table(16))
    return sum(kernel.decide(start_of(plies), BLACK_WINS).nodes for plies in (8, 10, 12, 14))


def nodes_of_values() -> int:
    """Search the values of known positions."""
    kernel = Kernel(open_table(16))
    return sum(kernel.value(position).nodes for position in known(12))


def nodes_of_a_guess() -> int:
    """Search the value of a position, beginning with the value of the same position with fewer plies left."""
    position = play_all(start_of(24), parse_moves("2,2 1,1 3,3 1,3 3,1 1,2 2,1 2,3"))
    return Kernel(open_table(16)).value(position).nodes


def nodes_of_the_player() -> int:
    """Search with the player's solver in Python."""
    search = AlphaBeta(COURSE.komi)
    return sum(search.search(position, depth_limit=4).nodes for position in known(9))


def nodes_of_the_agents() -> int:
    """Search to a fixed depth, as the agents do, with one table."""
    search = Lookahead(FEATURES)
    for position in known(12):
        search.scores(position, 6)
    return search.nodes


def nodes_of_questions() -> int:
    """Search whether values reach goals near and far, with and without a node limit, with one table."""
    kernel = Kernel(open_table(16))
    for left in range(1, 13):
        for each in known_positions(left)[8:20]:
            for threshold in (each.value - 4, each.value + 1, BLACK_WINS, each.value):
                kernel.decide(each.position, threshold, node_limit=200)
            kernel.decide(each.position, BLACK_WINS)
    return kernel.nodes


def nodes_of_moves() -> int:
    """Search the values of all moves, first within a node limit, and count the searches that end within it."""
    kernel, ended = Kernel(open_table(16)), 0
    for left in range(2, 10):
        for position in known(left):
            bounds = MoveBounds(position)
            ended += kernel.moves(bounds, node_limit=100)
            assert kernel.moves(bounds)
    return kernel.nodes + ended


def nodes_of_seeds() -> int:
    """Search with other orders of moves, and keep expensive results until there is no room for more."""
    nodes = 0
    for seed in (1, 2, 3):
        kernel = Kernel(open_table(16), seed=seed, keep_nodes=50)
        for position in known(9):
            kernel.value(position)
        nodes += kernel.nodes + len(kernel.take_kept())
    return nodes


def nodes_of_the_twin() -> int:
    """Search with the twin of the player's exact solver, with one table."""
    solver = TwinSolver()
    for left in range(3, 13):
        for each in known_positions(left)[:40]:
            for threshold in (each.value, each.value + 1):
                solver.decide(each.position, threshold, 2000)
    return solver.nodes


def nodes_of_the_opening() -> int:
    """Search with the player's solver in Python from the first plies, with one table."""
    search, position, nodes = AlphaBeta(COURSE.komi), START, 0
    for move in parse_moves("2,2 1,2 2,1 1,1 2,3 1,3 3,0 0,4 1,0 PASS"):
        nodes += search.search(position, depth_limit=4).nodes
        position = position.play(move)
    return nodes


def nodes_of_all_features() -> int:
    """Search to a fixed depth with all features, and with a margin in which worse moves are scored too."""
    search = Lookahead(ALL_FEATURES)
    for left in range(2, 13):
        for position in known(left):
            search.scores(position, 5, 10)
            search.scores(position, 4, 50)
    search.scores(START.play(12), 8)  # So many cuts that their counts are halved.
    return search.nodes


SEARCHES: dict[str, Callable[[], int]] = {
    "games": nodes_of_games,
    "values": nodes_of_values,
    "guess": nodes_of_a_guess,
    "player": nodes_of_the_player,
    "agents": nodes_of_the_agents,
    "questions": nodes_of_questions,
    "moves": nodes_of_moves,
    "seeds": nodes_of_seeds,
    "twin": nodes_of_the_twin,
    "opening": nodes_of_the_opening,
    "features": nodes_of_all_features,
}


def nodes_text() -> str:
    """Run the searches, and return the counts in the form of the file."""
    return numbers_text("Nodes of the searches in nodes.py", {name: search() for name, search in SEARCHES.items()})
