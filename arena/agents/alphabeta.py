"""The agent "alphabeta" searches two plies by alpha-beta, with at most ten moves in each position.

The agent is deterministic. The sources are the assignment ("Depth<=2; Branching factor<=10") and the logged games, of
which only seven are different. In these games the course's agent opens with 2,2 and answers with solid shapes away from
the edge. It is unknown how the course's agent selects ten moves and how it evaluates a position. The few weights in
this module are fitted to the logged games (docs/reference/AGENTS.md).
"""

from random import Random

from little_go.arena.agents import Agent, run
from little_go.arena.agents.fixed_depth import Style, Weights, best_moves
from little_go.solver.position import CENTRE, Position

STYLE = Style(depth=2, branching=10, weights=Weights(stones=16, contacts=-2, edge=-8, in_atari=-3))


def choose(position: Position, _rng: Random) -> int:
    """Return the last of the best moves in reading order, or PASS if there is no legal point."""
    return equals(position)[-1]


def equals(position: Position) -> list[int]:
    """Return all moves that have the best score, in reading order."""
    return [CENTRE] if not position.black | position.white else best_moves(position, STYLE)


AGENT = Agent(
    "alphabeta",
    rule="2,2; then two plies of alpha-beta; among equal moves, the last in reading order",
    limits=f"{STYLE.depth} plies, {STYLE.branching} moves per position",
    source="depth and branching are from the assignment, and the evaluation is fitted",
    choose=choose,
)


if __name__ == "__main__":
    run(choose)
