"""Find a strategy that keeps a bound, which is a move of one side in every position that can arise, down to a level.

The strategy is written as a certificate (docs/reference/CERTIFICATE.md), which proof.checker reads.

A strategy depends only on the claim, the starts and the kernel, and not on a store. Each Lane has its own table, which
is empty at first, and always searches the same part of the positions in the same order. So every run, on any number of
cores, finds the same moves.

A level contains the positions at one of the side's plies. For each position, moves that keep the bound are searched,
and one move is chosen, so that the chosen moves together lead to few positions at the side's next ply, or for a small
level, at the ply after the next. On a small level the searches are longer and the moves are chosen in more orders,
because each avoided position avoids many later positions. On the last level, whose positions the checker searches, the
cheapest move is chosen: all moves get a short search, then a longer search, until a search shows that a move keeps the
bound.
"""

import hashlib
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_EXCEPTION, ThreadPoolExecutor, wait
from functools import partial
from itertools import chain
from pathlib import Path
from typing import NamedTuple, TypeVar

from little_go.book.answers.strategy import Wins, fewest_later, fewest_replies, replies_after
from little_go.book.exchange.claims import images_of
from little_go.runtime.files import packed, write_whole
from little_go.solver.native.kernel import Kernel, canonical_key, children, next_ply
from little_go.solver.native.table import open_table
from little_go.solver.position import GAME_PLIES, POINTS, Position, move_name
from little_go.solver.symmetry import POINT_IMAGE, SYMMETRIES, key_of, position_of

_NAMES = [move_name(move) for move in range(POINTS + 1)]


class Claim(NamedTuple):
    """A bound that one side can keep on the final margin, which is Black's stones minus White's stones.

    black: if True, Black can reach ``bound`` or more. If False, White can keep the margin at ``bound`` or less.
    """

    black: bool
    bound: int

    def __str__(self) -> str:
        return f"black {'>=' if self.black else '<='} {self.bound}"

    @property
    def threshold(self) -> int:
        """The least value that Black can reach if the claim is Black's, or cannot reach if the claim is White's."""
        return self.bound if self.black else self.bound + 1


def name_of(position: Position) -> str:
    """Return the text of a position in the orientation of a certificate's lines.

    >>> name_of(Position(black=1, ply=1))
    '23 ........................X - -'
    """
    return min(images_of(position))


def line_of(position: Position, move: int) -> str:
    """Return a certificate's line for a position and a move.

    If symmetric moves exist, the line has the first move by name.
    """
    images = images_of(position)
    return min(f"{images[s]} {_NAMES[POINT_IMAGE[s][move]]}" for s in range(SYMMETRIES))


def write_certificate(
    claim: Claim, starts: Sequence[str], strategy: Iterable[tuple[Position, int]], path: str | Path, leaf: int
) -> int:
    """Write a certificate, and return the number of its lines. The same strategy gives the same bytes.

    starts: the header's lines of the starts: ``start MOVES`` from the empty board, or ``position POSITION``. strategy:
    positions of the claim's side, each with its move, in any orientation and order. leaf: the number of plies left of
    the lines that the checker searches. The file is written as ``path`` + ``.tmp`` and renamed at the end. The file is
    gzip-compressed if ``path`` ends in ``.gz``. Raise ValueError if a position has two moves, or is not a position of
    the claim's side.
    """
    lines: dict[str, str] = {}
    for position, move in strategy:
        if position.black_to_move != claim.black or position.left < leaf:
            raise ValueError(f"not a position of the claim's side with {leaf} plies left or more: {position}")
        line = line_of(position, move)
        name, _, text = line.rpartition(" ")
        if lines.setdefault(name, text) != text:
            raise ValueError(f"two moves for one position: {name} {lines[name]} and {text}")
    names = sorted(lines, key=lambda name: (-int(name[:2]), name))
    body = "".join(f"{name} {lines[name]}\n" for name in names).encode("ascii")
    head = ["little-go certificate 2", "rules 5x5 stones-only komi 2.5 plies 24", f"claim {claim}", *starts]
    head += [f"leaf {leaf}", f"lines {len(lines)}", f"sha256 {hashlib.sha256(body).hexdigest()}"]
    data = "".join(f"{row}\n" for row in head).encode("ascii") + body
    write_whole(path, packed(data) if Path(path).suffix == ".gz" else data)
    return len(lines)


#: The number of lanes that search a level, and the sizes of their tables in MiB: in general, and for the last level.
LANES, TABLE_MIB, LEAF_TABLE_MIB = 2, 256, 64

#: If this number of plies or more are left, a level is so small that one lane searches it.
ONE_LANE_LEFT = 21

#: The node limit for searching another move is LEVEL_NODES divided by the positions of the level, but at least
#: PROBE_NODES.
LEVEL_NODES, PROBE_NODES = 25_000_000, 2_000

#: The maximum number of positions after a level's moves that are searched before the moves are chosen.
MOST_AHEAD = 5_000

#: A level's moves are chosen several times, each time in another order, and the best result is used. The number of
#: orders is POSITIONS_TO_ORDER divided by the positions of the level, but at most MOST_ORDERS.
MOST_ORDERS, POSITIONS_TO_ORDER = 64, 10_000

#: The node limits of the successive searches of each move on the last level, where None means no limit.
LEAF_NODES = (50, 150, 400, 1_000, 2_500, 6_000, 15_000, 40_000, None)

#: The number of plies left in the shortest game that is decided before a start.
SHORTEST = 8


_Result = TypeVar("_Result")


class FalseClaim(Exception):
    """Raised if a claim is false. The message contains a position that refutes the claim."""


class Lane:
    """A search for moves that keep a claim, with its own table."""

    def __init__(self, claim: Claim, mib: int) -> None:
        """mib: the size of the table in MiB."""
        self._claim = claim
        self.kernel = Kernel(open_table(mib))

    def learn_shorter(self, position: Position) -> None:
        """Decide the position with fewer plies left, beginning with the fewest, because these results guide the real
        search.
        """
        for left in range(SHORTEST + position.left % 2, position.left, 2):
            self.kernel.decide(position._replace(ply=GAME_PLIES - left), self._claim.threshold)

    def keeping_moves(self, position: Position, limit: int) -> Wins:
        """Return moves that keep the claim, but only one of symmetric moves.

        Raise FalseClaim if no move keeps the claim. limit: the node limit for searching each move after the first.
        """
        answer = self.kernel.decide(position, self._claim.threshold)
        if (answer.at_least(self._claim.threshold) is True) != self._claim.black or answer.best is None:
            raise FalseClaim(f"{self._claim} does not hold from {name_of(position)}: give a --claim with another bound")
        after = dict(children(key_of(position)))
        distinct = {key: move for move, key in reversed(after.items())}
        first = after[answer.best]
        others = sorted((move, key) for key, move in distinct.items() if key != first)
        moves = [answer.best, *(move for move, key in others if self._keeps(key, limit))]
        return {move: replies_after(position, move) for move in moves}

    def cheapest_move(self, position: Position) -> int:
        """Return the move for which the shortest search shows that it keeps the claim.

        Raise FalseClaim if no move keeps the claim.
        """
        after = children(key_of(position))
        for limit in LEAF_NODES:
            for move, key in after:
                if self._keeps(key, limit):
                    return move
        raise FalseClaim(f"{self._claim} does not hold from {name_of(position)}: give a --claim with another bound")

    def _keeps(self, key: int, limit: int | None) -> bool:
        """Return whether a search within the node limit shows that the claim holds in a position."""
        threshold = self._claim.threshold
        reached = self.kernel.decide(position_of(key), threshold, node_limit=limit).at_least(threshold)
        return reached is self._claim.black


class Strategist:
    """The search for the strategy of a claim, as a context manager."""

    def __init__(self, claim: Claim, workers: int, watch: Callable[[int, int, int], None]) -> None:
        """workers: the number of threads, of which at most LANES are used.

        watch: a function that is called with the ply, the number of positions done at this ply, and the total number.
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
        # A stopped kernel ends every later search immediately, so the waiting parts also end.
        self._pool.shutdown()

    def strategy(self, starts: Sequence[Position], leaf: int) -> Iterator[tuple[Position, int]]:
        """Yield each position of the claim's side that can arise from the starts, in canonical orientation, with a
        move.

        The positions are yielded level by level. starts: the starts, with any numbers of plies left. leaf: the number
        of plies left in the last level. Raise FalseClaim, possibly after some positions, if the claim is false.
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
                yield from zip(positions, self._each(positions, Lane.cheapest_move), strict=True)
                return
            keeping_moves = self._keeping(positions)
            orders = max(1, min(MOST_ORDERS, POSITIONS_TO_ORDER // len(keeping_moves)))
            later = {} if left - 2 == leaf else self._keeping_after(keeping_moves)
            chosen = fewest_later(keeping_moves, later, orders) if later else fewest_replies(keeping_moves, orders)
            yield from chosen.items()
            if following := set().union(*(replies_after(position, move) for position, move in chosen.items())):
                levels[left - 2] |= following

    def _keeping(self, positions: Sequence[Position]) -> dict[Position, Wins]:
        limit = max(LEVEL_NODES // len(positions), PROBE_NODES)
        return dict(zip(positions, self._each(positions, partial(Lane.keeping_moves, limit=limit)), strict=True))

    def _keeping_after(self, keeping_moves: Mapping[Position, Wins]) -> dict[Position, Wins]:
        """Return, by position of the next level, the moves that keep the claim.

        Return {} if more than MOST_AHEAD positions can follow, or if each position has only one move, so there is no
        choice.
        """
        ahead = {key for moves in keeping_moves.values() for replies in moves.values() for key in replies}
        if len(ahead) > MOST_AHEAD or all(len(moves) == 1 for moves in keeping_moves.values()):
            return {}
        return self._keeping(sorted(map(position_of, ahead), key=name_of))

    def _each(self, positions: Sequence[Position], work: "Callable[[Lane, Position], _Result]") -> "list[_Result]":
        """Call ``work`` for each position with its lane, and return the results in the order of the positions.

        If a call raises an exception, raise it without waiting for the other lane.
        """
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
        unfinished = set(parts)
        while unfinished:
            finished, unfinished = wait(unfinished, 0.5, FIRST_EXCEPTION)
            for each in finished:
                each.result()
            self._watch(positions[0].ply, sum(done), len(positions))
        return list(chain.from_iterable(each.result() for each in parts))
