"""The agent "greedy" captures as many stones as possible with its move, or else plays any legal point.

The source is the assignment ("places the stone that captures the maximum number of enemy stones"). All moves of the
course's agent in the logged games follow this rule, and these moves show no preference among equal moves.
"""

from collections import Counter
from functools import partial

from little_go.arena.agents import Agent, one_of, run
from little_go.generator.opponents.features import side_groups
from little_go.solver.position import PASS, Position, points_of


def candidates(position: Position) -> list[int]:
    """Return the legal points that capture most stones, or [PASS] if there is no legal point."""
    legal = position.legal_points()
    if not legal:
        return [PASS]
    taken = captures(position)
    most = max((stones for point, stones in taken.items() if legal >> point & 1), default=0)
    return [point for point in points_of(legal) if taken.get(point, 0) == most]


def captures(position: Position) -> dict[int, int]:
    """Map each point on which a move captures stones to the number of these stones, 1 to 20.

    The result ignores ko.
    """
    mine, theirs = position.black, position.white
    if not position.black_to_move:
        mine, theirs = theirs, mine
    taken: Counter[int] = Counter()
    for group in side_groups(theirs, mine):
        if group.in_atari:
            taken[group.liberties.bit_length() - 1] += group.stones.bit_count()
    return taken


choose = partial(one_of, candidates)

AGENT = Agent(
    "greedy",
    rule="the largest capture, otherwise any legal point",
    limits="one ply",
    source="assignment; fits every logged move",
    choose=choose,
)


if __name__ == "__main__":
    run(choose)
