"""A choice among winning moves: those after which, all together, few positions follow."""

import random
from collections.abc import Callable, Iterable, Mapping, Sequence
from operator import itemgetter, mul
from typing import TypeAlias, TypeVar

from little_go.solver.native import children
from little_go.solver.position import Position
from little_go.solver.symmetry import key_of

#: How much of its cost a position loses for each choice that leads to it as well, in sixteenths, from one revision of
#: all choices to the next; at last it costs nothing if another leads to it, until no choice changes.
DISCOUNTS = (8, 4, 4, 4, 4, 8, 8, 16, 16, 64)

#: How often all choices are revised at most in the end.
REVISIONS = 20

#: How often choices are made in the light of what follows later.
LOOKS = 4

#: Costs are integers, so that every machine chooses alike: of a position to which one choice leads, and a choice that
#: is not made yet, which counts in parts.
_COST, _WHOLE = 1 << 20, 1 << 16

#: What follows on one position alone, in _Choices.costs().
_OWN = 1 << 10

#: Winning moves, each with the canonical keys of the positions that can arise at our next ply.
Wins: TypeAlias = Mapping[int, frozenset[int]]

#: A winning move, and the numbers of these positions in _Choices.
_Win: TypeAlias = tuple[int, Sequence[int]]

_Item = TypeVar("_Item")


def replies_after(position: Position, move: int) -> frozenset[int]:
    """Return the canonical keys of the positions that can arise at our next ply after a move of ours."""
    after = position.play(move)
    return frozenset() if after.is_over else frozenset(children(after))


def fewest_replies(
    wins: Mapping[Position, Wins], orders: int = 1, costs: Mapping[int, int] | None = None
) -> dict[Position, int]:
    """Return a winning move for each position, such that few positions follow all together, or those that cost little.

    The smallest such set is as hard to find as a set cover. So each choice is revised in the light of all others, and a
    position that others lead to costs less, first gently, then more and more (DISCOUNTS).

    orders: of positions and moves, of which the best result counts; the same on every machine. costs: by key, 0 or
    more each; None: all cost the same.
    """
    best = _Choices(list(wins.items()), costs)
    for seed in range(1, orders):
        draw = random.Random(seed).random
        order = [(position, dict(_shuffled(list(moves.items()), draw))) for position, moves in wins.items()]
        best = min(best, _Choices(_shuffled(order, draw), costs), key=_Choices.cost)
    chosen = best.moves()
    return {position: chosen[position] for position in wins}


def fewest_later(wins: Mapping[Position, Wins], later: Mapping[Position, Wins], orders: int) -> dict[Position, int]:
    """Return a winning move for each position, such that few positions follow on those that follow.

    later: the winning moves in each position that may follow, in canonical orientation. At first a position costs what
    is its own if all of them are there; then, LOOKS times, what it adds to what follows on the last choices, and the
    best choices count. orders: as for fewest_replies().
    """
    costs = _Choices(list(later.items()), None).costs(later)
    found = []
    for _ in range(LOOKS):
        chosen = fewest_replies(wins, orders, costs)
        following = {key for position, move in chosen.items() for key in wins[position][move]}
        below = _Choices([item for item in later.items() if key_of(item[0]) in following], None)
        found.append((below.cost(), chosen))
        added = below.costs(later)
        costs = {key: (cost + added[key]) // 2 for key, cost in costs.items()}
    return min(found, key=itemgetter(0))[1]


def _shuffled(items: Sequence[_Item], draw: Callable[[], float]) -> list[_Item]:
    """Return the items in another order. Python promises the same numbers in all versions, but not the same shuffle."""
    return sorted(items, key=lambda _: draw())


class _Choices:
    """A winning move for each position, chosen in an order of positions and of their moves."""

    def __init__(self, wins: Sequence[tuple[Position, Wins]], costs: Mapping[int, int] | None) -> None:
        self._numbers = numbers = dict[int, int]()
        self._wins: list[tuple[Position, list[_Win]]] = [
            (
                position,
                [(move, [numbers.setdefault(key, len(numbers)) for key in keys]) for move, keys in moves.items()],
            )
            for position, moves in wins
        ]
        self._costs = None if costs is None else [costs[key] for key in numbers]
        #: How many choices lead to each position that may follow.
        self._leading = [0] * len(numbers)
        self._chosen = self._first(DISCOUNTS[0])
        for discount in DISCOUNTS[1:]:
            self._revise([_COST * 16 // (16 + discount * count) for count in range(len(wins) + 1)])
        for _ in range(REVISIONS):
            if not self._revise([1] + [0] * len(wins)):
                break

    def _first(self, discount: int) -> list[_Win]:
        """Choose one after another; where no choice is made yet, each move counts as a part of one."""
        leading = [0] * len(self._leading)
        for _, moves in self._wins:
            for _, replies in moves:
                for reply in replies:
                    leading[reply] += _WHOLE // len(moves)

        def cost(win: _Win) -> int:
            parts = (_COST * 16 * _WHOLE // (16 * _WHOLE + discount * leading[reply]) for reply in win[1])
            return self._sum(win[1], parts)

        chosen = []
        for _, moves in self._wins:
            for _, replies in moves:
                for reply in replies:
                    leading[reply] -= _WHOLE // len(moves)
            best = min(moves, key=cost)
            for reply in best[1]:
                leading[reply] += _WHOLE
                self._leading[reply] += 1
            chosen.append(best)
        return chosen

    def _revise(self, shared: Sequence[int]) -> bool:
        """Choose again for each position in turn, and return whether a choice has changed.

        shared: the cost of a position by how many other choices lead to it. A choice stays where no other is better.
        """
        part, count = shared.__getitem__, self._leading.__getitem__

        def cost(win: _Win) -> int:
            return self._sum(win[1], map(part, map(count, win[1])))

        changed = False
        for number, (_, moves) in enumerate(self._wins):
            if len(moves) == 1:
                continue
            before = self._chosen[number]
            for reply in before[1]:
                self._leading[reply] -= 1
            best = min([before, *moves], key=cost)
            for reply in best[1]:
                self._leading[reply] += 1
            changed |= best is not before
            self._chosen[number] = best
        return changed

    def _sum(self, replies: Sequence[int], parts: Iterable[int]) -> int:
        """Return the sum of positions' costs, of each so large a part."""
        return sum(parts if self._costs is None else map(mul, map(self._costs.__getitem__, replies), parts))

    def cost(self) -> int:
        """Return what the positions that follow cost all together."""
        costs = [1] * len(self._leading) if self._costs is None else self._costs
        return sum(cost for cost, leading in zip(costs, self._leading, strict=True) if leading)

    def moves(self) -> dict[Position, int]:
        """Return the choices."""
        return {position: move for (position, _), (move, _) in zip(self._wins, self._chosen, strict=True)}

    def costs(self, positions: Mapping[Position, Wins]) -> dict[int, int]:
        """Return, by key, how much of all that follows is, or would be, a position's own, in parts of _OWN.

        What several choices lead to counts for each of them in parts.
        """
        chosen = {position: replies for (position, _), (_, replies) in zip(self._wins, self._chosen, strict=True)}
        costs = {}
        for position, moves in positions.items():
            if position in chosen:
                cost = sum(_OWN // self._leading[reply] for reply in chosen[position])
            else:
                cost = min(sum(_OWN // (1 + self._choices_to(key)) for key in keys) for keys in moves.values())
            costs[key_of(position)] = cost
        return costs

    def _choices_to(self, key: int) -> int:
        return self._leading[self._numbers[key]] if key in self._numbers else 0
