"""Random: any legal point, each as likely as the other; the assignment's "moves randomly"."""

from random import Random

from arena.agents.program import run
from solver.position import PASS, Position, points_of


def choose(position: Position, rng: Random) -> int:
    """Return a legal point, uniformly at random, or PASS without one."""
    return rng.choice(candidates(position))


def candidates(position: Position) -> list[int]:
    """Return the moves that ``choose`` draws from, each as likely as the other."""
    return list(points_of(position.legal_points())) or [PASS]


if __name__ == "__main__":
    run(choose)
