"""The choice of a winning move for each position, so that the chosen moves together lead to few positions."""

import random
from collections.abc import Callable, Iterable, Mapping, Sequence
from operator import itemgetter, mul
from typing import TypeAlias, TypeVar

from little_go.solver.native import children
from little_go.solver.position import Position
from little_go.solver.symmetry import key_of

#: The discount for shared positions in each revision of all choices. A position to which n other choices lead has a
#: cost of 16 / (16 + discount * n) of its full cost. After these revisions, a shared position has no cost, and the
#: revisions continue until no choice changes.
DISCOUNTS = (8, 4, 4, 4, 4, 8, 8, 16, 16, 64)

#: The maximum number of revisions after the revisions with DISCOUNTS, in which a shared position has no cost.
REVISIONS = 20

#: The number of rounds of fewest_later(). Each round makes all choices again with costs from the previous round.
ROUNDS = 4

#: The cost of a position to which no other choice leads, and the weight of one choice. Before a choice is made, each of
#: its moves has a part of this weight. Both numbers are integers, so that every machine makes the same choices.
_COST, _WHOLE = 1 << 20, 1 << 16

#: The cost, in _Choices.costs(), of a reply to which only one choice leads.
_OWN = 1 << 10

#: By winning move, the canonical keys of the positions that can arise at our next ply.
Wins: TypeAlias = Mapping[int, frozenset[int]]

#: A winning move, and the positions that can arise at our next ply, by their numbers in _Choices.
_Win: TypeAlias = tuple[int, Sequence[int]]

_Item = TypeVar("_Item")


def replies_after(position: Position, move: int) -> frozenset[int]:
    """Return the canonical keys of the positions that can arise at our next ply after our move."""
    after = position.play(move)
    return frozenset() if after.is_over else frozenset(children(after))


def fewest_replies(
    wins: Mapping[Position, Wins], orders: int = 1, costs: Mapping[int, int] | None = None
) -> dict[Position, int]:
    """Return a winning move for each position, so that the positions that follow have a small total cost.

    This function is a heuristic, because the minimum is as hard to find as a minimum set cover. Each choice is revised
    several times, given all other choices. A position to which other choices lead has a lower cost, and this discount
    grows from revision to revision (DISCOUNTS).

    orders: the number of random orders of positions and moves that are tried. The best result is returned. The orders
    are the same on every machine. costs: the cost of each position, 0 or more, by key; None if all positions have the
    same cost.
    """
    best = _Choices(list(wins.items()), costs)
    for seed in range(1, orders):
        draw = random.Random(seed).random
        order = [(position, dict(_shuffled(list(moves.items()), draw))) for position, moves in wins.items()]
        best = min(best, _Choices(_shuffled(order, draw), costs), key=_Choices.cost)
    chosen = best.moves()
    return {position: chosen[position] for position in wins}


def fewest_later(wins: Mapping[Position, Wins], later: Mapping[Position, Wins], orders: int) -> dict[Position, int]:
    """Return a winning move for each position, so that few positions follow two of our plies later.

    In each round, a position that may follow gets a cost. The cost is the position's share of the positions that follow
    it, given the last choices in all such positions, averaged with the cost in the previous round. The choices are made
    for these costs. The best choices of all rounds are returned. later: the winning moves of each position that may
    follow, in canonical orientation. orders: the same as in fewest_replies().
    """
    costs = _Choices(list(later.items()), None).costs(later)
    found = []
    for _ in range(ROUNDS):
        chosen = fewest_replies(wins, orders, costs)
        following = {key for position, move in chosen.items() for key in wins[position][move]}
        below = _Choices([item for item in later.items() if key_of(item[0]) in following], None)
        found.append((below.cost(), chosen))
        added = below.costs(later)
        costs = {key: (cost + added[key]) // 2 for key, cost in costs.items()}
    return min(found, key=itemgetter(0))[1]


def _shuffled(items: Sequence[_Item], draw: Callable[[], float]) -> list[_Item]:
    """Return the items in a random order.

    random.shuffle() is not used, because its result may differ between versions of Python.
    """
    return sorted(items, key=lambda _: draw())


class _Choices:
    """A winning move for each position. The order of the positions and of their moves influences the choices."""

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
        #: By the number of a position that may follow, the number of choices that lead to it.
        self._leading = [0] * len(numbers)
        self._chosen = self._first(DISCOUNTS[0])
        for discount in DISCOUNTS[1:]:
            self._revise([_COST * 16 // (16 + discount * count) for count in range(len(wins) + 1)])
        for _ in range(REVISIONS):
            if not self._revise([1] + [0] * len(wins)):
                break

    def _first(self, discount: int) -> list[_Win]:
        """Make all choices one after another.

        In a position without a choice, each winning move counts as a part of a choice.
        """
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
        """Make the choice in each position again, and return whether a choice has changed.

        A choice changes only if another move is better. shared: the cost of a position, by the number of other choices
        that lead to it.
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
        """Return the sum of the costs of the positions ``replies``, each multiplied by its element of ``parts``."""
        return sum(parts if self._costs is None else map(mul, map(self._costs.__getitem__, replies), parts))

    def cost(self) -> int:
        """Return the total cost of the positions that follow."""
        costs = [1] * len(self._leading) if self._costs is None else self._costs
        return sum(cost for cost, leading in zip(costs, self._leading, strict=True) if leading)

    def moves(self) -> dict[Position, int]:
        """Return the chosen moves."""
        return {position: move for (position, _), (move, _) in zip(self._wins, self._chosen, strict=True)}

    def costs(self, positions: Mapping[Position, Wins]) -> dict[int, int]:
        """Return, by key, the share of each position in all replies, in units of 1 / _OWN.

        A reply to which n choices lead adds 1 / n to the share of each position with such a choice. If a position has
        no choice, its cheapest move counts as its choice.
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
