"""Qlearning: play the values that ``little-go train`` learnt, one move ahead, without exploring.

It opens 1,2. Of the moves of the best value, in 256 steps, it plays one of the best shape, ties at random.

Source: the assignment ("uses Q-Learning to learn Q values from practice games"); the logged games for the opening, for
never passing with a legal point left, and for the shape. The table's features are ours (docs/reference/AGENTS.md).
"""

from functools import cache, partial
from pathlib import Path

from little_go.arena.agents import Agent, Choose, one_of, run
from little_go.arena.agents.fixed_depth import Weights, evaluate
from little_go.arena.learning.littlego import LITTLE_GO, ValueTable, open_table
from little_go.solver.family import Variant
from little_go.solver.position import Position

#: The learnt values.
TABLE = Path(__file__).with_name("qlearning.json")

#: Weights of a good shape.
SHAPE = Weights(stones=3, contacts=2, reach=6, euler=-3, edge=-7, corners=-9, in_atari=-2)


def candidates(position: Position) -> list[int]:
    """Return the best moves; PASS only without a legal point.

    Raises ValueTableError for a missing or damaged table.
    """
    ranks = {choice.move: table().rank(choice.key) for choice in LITTLE_GO.choices(position)}
    most = max(ranks.values())
    shapes = {move: -evaluate(position.play(move), SHAPE) for move, rank in ranks.items() if rank == most}
    best = max(shapes.values())
    return [move for move, shape in shapes.items() if shape == best]


@cache
def table() -> ValueTable:
    """Read the learnt values, once. Raises ValueTableError."""
    return open_table(TABLE)


choose = partial(one_of, candidates)


def in_game(_game: Variant) -> Choose:
    """Return the agent; raises ValueTableError now rather than in a game."""
    table()
    return choose


AGENT = Agent(
    "qlearning",
    rule="1,2; then the move with the best value in a table learnt from games; among about equal moves, one of the "
    "best shape, at random",
    limits="one ply",
    source="assignment for the method; the opening is from the games, and the shape is fitted",
    choose=choose,
    needs_ply=True,
    in_game=in_game,
)


if __name__ == "__main__":
    run(choose, AGENT.needs_ply)
