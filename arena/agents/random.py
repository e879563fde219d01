"""Random: any legal point, each as likely as the other."""

from random import Random

from arena.agents.program import run
from solver.position import PASS, Position, points_of


def choose(position: Position, rng: Random) -> int:
    """Return a legal point, uniformly at random, or PASS without one."""
    points = list(points_of(position.legal_points()))
    return rng.choice(points) if points else PASS


if __name__ == "__main__":
    run(choose)
