"""The agent "aggressive" captures as many stones as possible with its next move, or else with its next two moves.

If no move captures a stone, the agent tries all pairs of legal points, in reading order, as if the opponent passed in
between. The agent selects the pairs that capture most stones, even if that number is 0. Of these pairs' first points,
the agent plays a point that is nearest to the centre. So the agent's first move is 2,2. If several points are nearest,
the agent draws one of them at random, and a point that begins more pairs is more likely.

The source is the assignment, which says: "looks at the next two possible moves and tries to capture the maximum number
of enemy stones". The order of the points in a pair and the preference for the centre are from a decompiled copy of the
course's agent in a public repository, and agree with the logged games (docs/reference/AGENTS.md).
"""

from collections.abc import Iterator
from functools import partial

from little_go.arena.agents import Agent, greedy, one_of, run
from little_go.solver.position import FROM_CENTRE, Position, points_of


def candidates(position: Position) -> list[int]:
    """Return the moves from which to draw, each as often as it begins a pair, or [PASS] if there is no legal point."""
    legal = position.legal_points()
    if not legal or any(legal >> point & 1 for point in greedy.captures(position)):
        return greedy.candidates(position)
    most = 0
    firsts: list[int] = []
    for first, taken in _pairs(position, legal):
        if taken > most:
            most, firsts = taken, []
        if taken == most:
            firsts.append(first)
    if not firsts:
        return list(points_of(legal))
    nearest = min(FROM_CENTRE[point] for point in firsts)
    return [point for point in firsts if FROM_CENTRE[point] == nearest]


def _pairs(position: Position, legal: int) -> Iterator[tuple[int, int]]:
    """Yield the first point of each pair of points, and the number of stones that a stone on the second captures."""
    for first in points_of(legal):
        # The first stone captures nothing, so it is only placed, and the same side moves again.
        stone = 1 << first
        black, white = position.black, position.white
        black, white = (black | stone, white) if position.black_to_move else (black, white | stone)
        following = position._replace(black=black, white=white, ko=None)
        taken = greedy.captures(following)
        for second in points_of(following.legal_points() & legal & -(stone << 1)):
            yield first, taken.get(second, 0)


choose = partial(one_of, candidates)

AGENT = Agent(
    "aggressive",
    rule="the largest capture; if no capture is possible, the first point of the pair of points, in reading order, "
    "that would capture the most stones if the opponent passed in between; among equal pairs, the pair whose first "
    "point is nearest to the centre",
    limits="two plies of the agent",
    source="the assignment describes the agent; the details are from a decompiled copy of the course's agent in a "
    "public repository, in our own words and code",
    choose=choose,
)


if __name__ == "__main__":
    run(choose)
