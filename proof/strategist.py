"""Working out a strategy that keeps a bound: one side's move in every position that can arise, down to a level.

It depends on the claim, the starts and the kernel alone: no store is asked, and each lane below searches on a table of
its own that begins empty, always the same share of the positions in the same order. So anybody's run, on any number of
cores, finds the same moves.

Each level, the positions at one of the side's plies, is worked out at once. Of the moves that keep the bound, those
are chosen that together lead to few positions at its next ply. On the last level, whose lines the checker searches,
the cheapest are chosen: all moves get a short search, then all a longer one, until one is seen to keep the bound.
"""

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_EXCEPTION, ThreadPoolExecutor, wait
from itertools import chain
from typing import TypeVar

from book.answers.strategy import Wins, fewest_replies, replies_after
from proof.writing import Claim, name_of
from solver.native.kernel import Kernel, canonical_key, children, next_ply
from solver.native.table import open_table
from solver.position import GAME_PLIES, Position
from solver.symmetry import key_of, position_of

#: In how many parts a level is worked out, and the size of the tables of each.
LANES, TABLE_MIB, LEAF_TABLE_MIB = 2, 256, 64

#: With so many plies left or more a level is so small that one lane does it, and shares what its table knows.
ONE_LANE_LEFT = 21

#: Nodes that a look at another move may cost, by the least plies left.
PROBE_NODES = {20: 60_000, 18: 20_000, 16: 6_000, 0: 2_000}

#: Nodes of the searches of each move on the last level, in turn; in the end without a limit.
LEAF_NODES = (50, 150, 400, 1_000, 2_500, 6_000, 15_000, 40_000, None)

#: The shortest of the games that a start is decided by first.
SHORTEST = 8


_Result = TypeVar("_Result")


class FalseClaim(Exception):
    """A claim that does not hold; the message says where."""


class Lane:
    """One searcher, of the moves that keep a claim."""

    def __init__(self, claim: Claim, mib: int) -> None:
        """Make a searcher on an empty table of so many MiB."""
        self._claim = claim
        self.kernel = Kernel(open_table(mib))

    def learn_shorter(self, position: Position) -> None:
        """Decide the games on a position with fewer plies left, the shortest first: they show the way."""
        for left in range(SHORTEST + position.left % 2, position.left, 2):
            self.kernel.decide(position._replace(ply=GAME_PLIES - left), self._claim.threshold)

    def keeping(self, position: Position) -> Wins:
        """Return moves that keep it, of those that lead to the same position one; raise FalseClaim if none does."""
        answer = self.kernel.decide(position, self._claim.threshold)
        if (answer.at_least(self._claim.threshold) is True) != self._claim.black or answer.best is None:
            raise FalseClaim(f"{self._claim} does not hold from {name_of(position)}: give a --claim with another bound")
        after = dict(children(key_of(position)))
        distinct = {key: move for move, key in reversed(after.items())}
        limit = next(nodes for left, nodes in PROBE_NODES.items() if position.left >= left)
        first = after[answer.best]
        others = sorted((move, key) for key, move in distinct.items() if key != first)
        moves = [answer.best, *(move for move, key in others if self._keeps(key, limit))]
        return {move: replies_after(position, move) for move in moves}

    def cheapest(self, position: Position) -> int:
        """Return the move that is seen to keep the claim by the shortest search."""
        after = children(key_of(position))
        for limit in LEAF_NODES:
            for move, key in after:
                if self._keeps(key, limit):
                    return move
        raise FalseClaim(f"{self._claim} does not hold from {name_of(position)}: give a --claim with another bound")

    def _keeps(self, key: int, limit: int | None) -> bool:
        """Return whether a search within the limit sees that the claim holds of a position."""
        threshold = self._claim.threshold
        reached = self.kernel.decide(position_of(key), threshold, node_limit=limit).at_least(threshold)
        return reached is self._claim.black


class Strategist:
    """Works out the strategy of one claim; a context manager."""

    def __init__(self, claim: Claim, workers: int, watch: Callable[[int, int, int], None]) -> None:
        """Prepare.

        workers: threads; more than LANES are of no use.
        watch: shown, as it goes on, the ply, positions done there, and how many there are.
        """
        self._claim = claim
        self._watch = watch
        self._pool = ThreadPoolExecutor(min(workers, LANES))
        self._lanes = [Lane(claim, TABLE_MIB) for _ in range(LANES)]

    def __enter__(self) -> "Strategist":
        return self

    def __exit__(self, *_: object) -> None:
        for lane in self._lanes:
            lane.kernel.stop()
        self._pool.shutdown(cancel_futures=True)

    def turns(self, starts: Sequence[Position], leaf: int) -> Iterator[tuple[Position, int]]:
        """Yield the claim's side's move in each position that can arise from the starts, canonical, level by level.

        starts: of any depths. leaf: plies left of the last level. Raises FalseClaim, maybe after some.
        """
        first: set[int] = set()
        for start in starts:
            key = canonical_key(start)
            first |= {key} if start.black_to_move == self._claim.black else set(next_ply([key]))
        levels: defaultdict[int, set[int]] = defaultdict(set)
        for key in sorted(first):
            levels[position_of(key).left].add(key)
            self._pool.submit(self._lanes[0].learn_shorter, position_of(key)).result()
        while levels:
            left = max(levels)
            positions = sorted(map(position_of, levels.pop(left)), key=name_of)
            if left == leaf:
                self._lanes = [Lane(self._claim, LEAF_TABLE_MIB) for _ in range(LANES)]
                yield from zip(positions, self._each(positions, Lane.cheapest), strict=True)
                return
            keeping = dict(zip(positions, self._each(positions, Lane.keeping), strict=True))
            chosen = fewest_replies(keeping)
            yield from chosen.items()
            if following := set().union(*(replies_after(position, move) for position, move in chosen.items())):
                levels[left - 2] |= following

    def _each(self, positions: Sequence[Position], work: "Callable[[Lane, Position], _Result]") -> "list[_Result]":
        """Have each position worked on by its lane, and return the results in order."""
        lanes = 1 if positions[0].left >= ONE_LANE_LEFT else LANES
        share = -(-len(positions) // lanes)
        done = [0] * lanes

        def part(number: int) -> "list[_Result]":
            results = []
            for position in positions[number * share : (number + 1) * share]:
                results.append(work(self._lanes[number], position))
                done[number] += 1
            return results

        parts = [self._pool.submit(part, number) for number in range(lanes)]
        while any(not each.done() for each in parts):
            wait(parts, 0.5, FIRST_EXCEPTION)
            self._watch(positions[0].ply, sum(done), len(positions))
        return list(chain.from_iterable(each.result() for each in parts))
