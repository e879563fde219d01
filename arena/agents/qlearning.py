"""The agent "qlearning" plays the move with the best value in a table that ``little-go train`` has learnt.

The agent's first move is 1,2. Values are rounded to 256 steps. Among the moves with the best value, the agent plays the
move with the best shape, and draws at random among equal shapes.

The source is the assignment ("uses Q-Learning to learn Q values from practice games"). The opening, the shape, and the
rule that the agent passes only if no point is legal are from the logged games. We chose the features of the table
(docs/reference/AGENTS.md).
"""

from functools import cache, partial
from pathlib import Path

from little_go.arena.agents import Agent, Choose, one_of, run
from little_go.arena.agents.fixed_depth import Weights, evaluate
from little_go.arena.learning.littlego import LITTLE_GO, ValueTable, open_table
from little_go.solver.family import Variant
from little_go.solver.position import Position

#: The file that contains the learnt values.
TABLE = Path(__file__).with_name("qlearning.json")

#: The weights with which a shape is evaluated.
SHAPE = Weights(stones=3, contacts=2, reach=6, euler=-3, edge=-7, corners=-9, in_atari=-2)


def candidates(position: Position) -> list[int]:
    """Return the best moves, or [PASS] if there is no legal point.

    Raise ValueTableError if the table is missing or damaged.
    """
    ranks = {choice.move: table().rank(choice.key) for choice in LITTLE_GO.choices(position)}
    most = max(ranks.values())
    shapes = {move: -evaluate(position.play(move), SHAPE) for move, rank in ranks.items() if rank == most}
    best = max(shapes.values())
    return [move for move, shape in shapes.items() if shape == best]


@cache
def table() -> ValueTable:
    """Return the learnt values, which are read from the file only once."""
    return open_table(TABLE)


choose = partial(one_of, candidates)


def in_game(_game: Variant) -> Choose:
    """Return the function that chooses a move.

    Raise ValueTableError before the game begins if the table is missing or damaged.
    """
    table()
    return choose


AGENT = Agent(
    "qlearning",
    rule="1,2; then the move with the best value in a table learnt from games; among moves of about the same "
    "value, a random move with the best shape",
    limits="one ply",
    source="the method is from the assignment, the opening is from the logged games, and the shape is fitted",
    choose=choose,
    needs_ply=True,
    in_game=in_game,
)


if __name__ == "__main__":
    run(choose, AGENT.needs_ply)
