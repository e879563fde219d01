"""Working out a strategy that keeps a bound: one side's move in every position that can arise, down to a level.

The strategy is written as a certificate (docs/reference/CERTIFICATE.md); proof.checker reads it.

It depends on the claim, the starts and the kernel alone: no store is asked, and each lane below searches on a table of
its own that begins empty, always the same share of the positions in the same order. So every run, on any number of
cores, finds the same moves.

Each level, the positions at one of the side's plies, is worked out at once. Of the moves that keep the bound, those
are chosen that together lead to few positions at its next ply, or, from a small level, at the ply after that. The
smaller a level, the longer such moves are looked for, and in the more orders they are chosen, because each position
that a small level saves has many below it. On the last level, whose lines the checker searches, the cheapest are
chosen: all moves get a short search, then all a longer one, until one is seen to keep the bound.
"""

import hashlib
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_EXCEPTION, ThreadPoolExecutor, wait
from functools import partial
from itertools import chain
from pathlib import Path
from typing import NamedTuple, TypeVar

from book.answers.strategy import Wins, fewest_later, fewest_replies, replies_after
from book.exchange.claims import images_of
from runtime.files import packed, write_whole
from solver.native.kernel import Kernel, canonical_key, children, next_ply
from solver.native.table import open_table
from solver.position import GAME_PLIES, POINTS, Position, move_name
from solver.symmetry import POINT_IMAGE, SYMMETRIES, key_of, position_of

_NAMES = [move_name(move) for move in range(POINTS + 1)]


class Claim(NamedTuple):
    """A bound on the margin, stones Black - White at the end, that one side can keep.

    black: whether Black keeps it, and the margin is ``bound`` or more; else White, and it is ``bound`` or less.
    """

    black: bool
    bound: int

    def __str__(self) -> str:
        return f"black {'>=' if self.black else '<='} {self.bound}"

    @property
    def threshold(self) -> int:
        """The value that Black's side reaches when the claim is his, and does not reach when it is White's."""
        return self.bound if self.black else self.bound + 1


def name_of(position: Position) -> str:
    """Return a position, and its canonical orientation, as a certificate's line names it.

    >>> name_of(Position(black=1, ply=1))
    '23 ........................X - -'
    """
    return min(images_of(position))


def line_of(position: Position, move: int) -> str:
    """Return the line for a position and a move there; of the moves that a symmetry makes one, the least."""
    images = images_of(position)
    return min(f"{images[s]} {_NAMES[POINT_IMAGE[s][move]]}" for s in range(SYMMETRIES))


def write_certificate(
    claim: Claim, starts: Sequence[str], turns: Iterable[tuple[Position, int]], path: str | Path, leaf: int
) -> int:
    """Write a certificate, and return the number of its lines; the same turns give the same bytes.

    starts: the header's lines about them: ``start MOVES`` from the empty board, or ``position POSITION``.
    turns: positions with the claim's side to move, and its move; in any orientation and order.
    leaf: plies left of the lines that the checker is to search.
    The file is made as ``path`` + ``.tmp`` and then renamed, gzip-compressed when ``path`` ends in ``.gz``.
    Raises ValueError on two moves for one position and on a turn that is not the claim's; and OSError.
    """
    lines: dict[str, str] = {}
    for position, move in turns:
        if position.black_to_move != claim.black or position.left < leaf:
            raise ValueError(f"no turn of the claim's side, down to {leaf} plies left: {position}")
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


#: In how many parts a level is worked out, and the size of the tables of each.
LANES, TABLE_MIB, LEAF_TABLE_MIB = 2, 256, 64

#: With this many plies left or more a level is so small that one lane does it, and shares what its table knows.
ONE_LANE_LEFT = 21

#: Nodes that a look at another move may cost: a level's share for each of its positions, and at least so many.
LEVEL_NODES, PROBE_NODES = 25_000_000, 2_000

#: So many positions may follow on a level's moves for each to be looked at before one is chosen.
MOST_AHEAD = 5_000

#: How often a level's moves are chosen, each time in another order: as often as its size allows, and at most so often.
MOST_ORDERS, POSITIONS_TO_ORDER = 64, 10_000

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
        """Make a searcher on an empty table of ``mib`` MiB."""
        self._claim = claim
        self.kernel = Kernel(open_table(mib))

    def learn_shorter(self, position: Position) -> None:
        """Decide the games on a position with fewer plies left, the shortest first: they show the way."""
        for left in range(SHORTEST + position.left % 2, position.left, 2):
            self.kernel.decide(position._replace(ply=GAME_PLIES - left), self._claim.threshold)

    def keeping(self, position: Position, limit: int) -> Wins:
        """Return moves that keep it, of those that lead to the same position one; raise FalseClaim if none does.

        limit: nodes that a look at another move than the first may cost.
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
        watch: called, meanwhile, with the ply, positions done there, and how many there are.
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
            keeping = self._keeping(positions)
            orders = max(1, min(MOST_ORDERS, POSITIONS_TO_ORDER // len(keeping)))
            later = {} if left - 2 == leaf else self._later(keeping)
            chosen = fewest_later(keeping, later, orders) if later else fewest_replies(keeping, orders)
            yield from chosen.items()
            if following := set().union(*(replies_after(position, move) for position, move in chosen.items())):
                levels[left - 2] |= following

    def _keeping(self, positions: Sequence[Position]) -> dict[Position, Wins]:
        """Return moves that keep the claim, for each position."""
        limit = max(LEVEL_NODES // len(positions), PROBE_NODES)
        return dict(zip(positions, self._each(positions, partial(Lane.keeping, limit=limit)), strict=True))

    def _later(self, keeping: Mapping[Position, Wins]) -> dict[Position, Wins]:
        """Return moves that keep the claim, for each position that may follow.

        Nothing where there are more than MOST_AHEAD of them, or no choice.
        """
        ahead = {key for moves in keeping.values() for replies in moves.values() for key in replies}
        if len(ahead) > MOST_AHEAD or all(len(moves) == 1 for moves in keeping.values()):
            return {}
        return self._keeping(sorted(map(position_of, ahead), key=name_of))

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
