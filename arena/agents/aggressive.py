"""Aggressive: take as many stones as possible now; else aim to take them with two stones in a row.

Without a capture it tries all pairs of legal points, the first in reading order played first, as if the
opponent passed in between. Of the pairs that take most stones, often none, it plays the first point that lies
nearest to the centre. So it opens 2,2. It draws among equals at random, a point as likely as it has pairs.

Source: the assignment says "looks at the next two possible moves and tries to capture the maximum number of
enemy stones". How it does that, the order of the two and the centre, is from a decompiled copy of the course's
agent in a public repository, and holds in the games (docs/reference/AGENTS.md).
"""

from collections.abc import Iterator
from functools import partial

from arena.agents import greedy, one_of
from arena.agents.program import run
from solver.position import FROM_CENTRE, Position, points_of


def candidates(position: Position) -> list[int]:
    """Return the moves, or PASS without a legal point; one that is there twice is twice as likely."""
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
    """Yield, for each pair of stones in a row, the first and how many stones the second takes."""
    for first in points_of(legal):
        # The first takes nothing, so it is put down, and the same side moves again.
        stone = 1 << first
        black, white = position.black, position.white
        black, white = (black | stone, white) if position.black_to_move else (black, white | stone)
        following = position._replace(black=black, white=white, ko=None)
        taken = greedy.captures(following)
        for second in points_of(following.legal_points() & legal & -(stone << 1)):
            yield first, taken.get(second, 0)


choose = partial(one_of, candidates)


if __name__ == "__main__":
    run(choose)
