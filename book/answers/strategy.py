"""A choice among winning moves: those after which, all together, few positions follow."""

import random
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import TypeAlias, TypeVar

from solver.native import children
from solver.position import Position

#: How often fewest_replies() revises all choices at most.
REVISIONS = 20


#: Winning moves, each with the canonical keys of the positions that can arise at our next ply.
Wins: TypeAlias = Mapping[int, frozenset[int]]

#: A winning move with these keys.
_Win: TypeAlias = tuple[int, frozenset[int]]

_Item = TypeVar("_Item")


def replies_after(position: Position, move: int) -> frozenset[int]:
    """Return the canonical keys of the positions that can arise at our next ply after a move of ours."""
    after = position.play(move)
    return frozenset() if after.is_over else frozenset(children(after))


def fewest_replies(wins: Mapping[Position, Wins], starts: int = 1) -> dict[Position, int]:
    """Return a winning move for each position, such that all together few positions follow.

    Greedy, and then improved one position at a time until none can be, as the smallest such set is as hard to find as a
    set cover. starts: how often that is done, each time in another order, of which the best counts; the orders are the
    same on every machine.
    """
    best = _improved([(position, list(moves.items())) for position, moves in wins.items()])
    for seed in range(1, starts):
        draw = random.Random(seed).random
        order = [(position, _shuffled(list(moves.items()), draw)) for position, moves in wins.items()]
        best = min(best, _improved(_shuffled(order, draw)), key=lambda found: found[0])
    return {position: best[1][position] for position in wins}


def _shuffled(items: Sequence[_Item], draw: Callable[[], float]) -> list[_Item]:
    """Return the items in another order. Python promises the same numbers in all versions, but not the same shuffle."""
    return sorted(items, key=lambda _: draw())


def _improved(order: Sequence[tuple[Position, list[_Win]]]) -> tuple[int, dict[Position, int]]:
    """Return the number of positions that follow, and the moves, chosen in an order of positions and of their moves."""
    chosen: dict[Position, _Win] = {}
    reached: Counter[int] = Counter()
    for _ in range(1 + REVISIONS):
        changed = False
        for position, moves in order:
            before = chosen.get(position)
            if before is not None:
                reached.subtract(before[1])
            # The one before stays where no other is better.
            tried = moves if before is None else [before, *moves]
            best = min(tried, key=lambda win: sum(not reached[key] for key in win[1]))
            reached.update(best[1])
            changed |= best is not before
            chosen[position] = best
        if not changed:
            break
    return sum(count > 0 for count in reached.values()), {position: move for position, (move, _) in chosen.items()}
