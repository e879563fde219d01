"""Alphabeta: two plies of alpha-beta with at most ten moves a position; no chance.

Source: the assignment ("Depth<=2; Branching factor<=10"), and the games, in which it repeats itself: there are seven
different ones. It opens 2,2 and answers with solid shapes away from the edge. Which ten moves it tries and how it
judges is not known; the evaluation here has few weights, fitted to these same games (docs/reference/AGENTS.md).
"""

from random import Random

from arena.agents.fixed_depth import Style, Weights, best_moves
from arena.agents.program import run
from solver.position import CENTRE, Position

STYLE = Style(depth=2, branching=10, weights=Weights(stones=16, contacts=-2, edge=-8, in_atari=-3))


def choose(position: Position, _rng: Random) -> int:
    """Return the last of the equals; PASS only without a legal point."""
    return equals(position)[-1]


def equals(position: Position) -> list[int]:
    """Return the moves of the best score, in reading order."""
    return [CENTRE] if not position.black | position.white else best_moves(position, STYLE)


if __name__ == "__main__":
    run(choose)
