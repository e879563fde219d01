"""A choice among winning moves: those after which, all together, few positions follow."""

from collections import Counter
from collections.abc import Mapping
from typing import TypeAlias

from solver.native import children
from solver.position import Position

#: How often fewest_replies() looks at all choices again.
REVISIONS = 4


#: Winning moves, each with the canonical keys of the positions that can arise at our next ply.
Wins: TypeAlias = Mapping[int, frozenset[int]]


def replies_after(position: Position, move: int) -> frozenset[int]:
    """Return the canonical keys of the positions that can arise at our next ply after a move of ours."""
    after = position.play(move)
    return frozenset() if after.is_over else frozenset(children(after))


def fewest_replies(wins: Mapping[Position, Wins]) -> dict[Position, int]:
    """Return a winning move for each position, such that all together few positions follow.

    Greedy, and then improved one position at a time, as the smallest such set is as hard to find as a set cover.
    """
    chosen: dict[Position, int] = {}
    reached: Counter[int] = Counter()
    for _ in range(1 + REVISIONS):
        for position, candidates in wins.items():
            if position in chosen:
                reached.subtract(candidates[chosen[position]])
            best = min(candidates, key=lambda move: sum(reached[key] == 0 for key in candidates[move]))
            reached.update(candidates[best])
            chosen[position] = best
    return chosen
