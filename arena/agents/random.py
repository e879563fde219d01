"""The agent "random" plays a legal point at random. The assignment says "moves randomly"."""

from functools import partial

from little_go.arena.agents import Agent, one_of, run
from little_go.solver.position import PASS, Position, points_of


def candidates(position: Position) -> list[int]:
    """Return the legal points, or [PASS] if there is no legal point."""
    return list(points_of(position.legal_points())) or [PASS]


choose = partial(one_of, candidates)

AGENT = Agent(
    "random",
    rule="any legal point; PASS if there is none",
    limits="no search",
    source="assignment",
    choose=choose,
)


if __name__ == "__main__":
    run(choose)
