"""The atlas: what every position with few plies played is worth.

Only the positions of the last ply are searched. What those before them are worth follows by minimax, and must agree
with what the store proves already. Each worker is on a position of its own for a slice of nodes, all on one table. A
position that a slice leaves open goes to the front of the queue again, for what was found is still in the table; when
the queue is empty, several workers share the last positions. Every slice's result goes into the store, so a run may be
cut off anywhere.
"""

import logging
import random
import struct
import time
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from math import sqrt
from statistics import median_low, pstdev

from book.atlas import Row
from book.store import Contradiction, Fact
from generator.crew import TICK, Stopped
from generator.ladder import kept_facts
from generator.memory import Shared
from generator.worker import Finding, Job, Tools
from generator.workshop import Workshop
from solver import kernel
from solver.answer import BLACK_WINS, LEAST, MOST, Answer
from solver.position import Position, move_name
from solver.symmetry import canonical_key, position_of

_log = logging.getLogger(__name__)

#: Nodes in a worker's slice: a second or two.
SLICE_NODES = 4_000_000

#: Positions that are recorded at once.
BATCH = 500

UNKNOWN = Answer(LEAST, MOST, None, 0)


@dataclass(frozen=True)
class Valuation(Job):
    """A slice of work on a position's value, or on who wins it.

    known: what is proven. guess: what the value may be, or None when only the winner is asked.
    """

    position: Position
    known: Answer
    guess: int | None
    node_limit: int

    def do(self, tools: Tools) -> Answer:
        """Return the answer, which may leave the question open."""
        if self.known.best is not None:
            # The table may have lost it.
            tools.kernel.teach(self.position, self.known)
        if self.guess is None:
            return tools.kernel.decide(self.position, BLACK_WINS, node_limit=self.node_limit)
        return tools.kernel.value(self.position, guess=self.guess, node_limit=self.node_limit)

    def describe(self, result: Answer) -> str:
        """Return the position's key and what came out."""
        best = "none" if result.best is None else move_name(result.best)
        return f"{canonical_key(self.position)}, guess {self.guess}: {result.lo:+d} to {result.hi:+d}, best {best}"


@dataclass(frozen=True)
class Edge:
    """A move of the tree, and the canonical key of the position after it; None where the move ends the game.

    margin: the board's, when the game ends.
    """

    move: int
    child: int | None
    margin: int


class Tree:
    """All positions with at most so many plies played from a start, as canonical keys, and the moves between them.

    levels: by plies played, the keys in order. moves: of every position but those of the last level.
    parents: the positions before each of the last level.
    """

    def __init__(self, start: Position, plies: int, watch: Callable[[int, int, int], None]) -> None:
        """watch: shown the plies played, positions done there, and how many there are."""
        self.levels = [[canonical_key(start)]]
        self.moves: dict[int, list[Edge]] = {}
        for played in range(plies):
            for done, key in enumerate(self.levels[-1]):
                self.moves[key] = list(_edges(key))
                watch(played, done, len(self.levels[-1]))
            self.levels.append(sorted(set().union(*map(self.following, self.levels[-1]))))
        self.parents: dict[int, list[int]] = {key: [] for key in self.last}
        for parent in self.levels[-2] if plies else []:
            for child in self.following(parent):
                self.parents[child].append(parent)

    def following(self, key: int) -> set[int]:
        """Return the positions after one that is not of the last level."""
        return {edge.child for edge in self.moves[key] if edge.child is not None}

    @property
    def last(self) -> list[int]:
        """The positions of the last level."""
        return self.levels[-1]

    def inner(self) -> Iterator[int]:
        """Yield the positions before the last level, those last that are nearest to the start."""
        for level in reversed(self.levels[:-1]):
            yield from level


def _edges(key: int) -> Iterator[Edge]:
    for move, child in kernel.children(key):
        after = position_of(child)
        yield Edge(move, None if after.is_over else child, after.margin)


def is_settled(answer: Answer, verdict: bool) -> bool:
    """Return whether nothing is left to ask; ``verdict``: whether only who wins is asked."""
    return answer.winner is not None if verdict else answer.value is not None


def derive(tree: Tree, known: Mapping[int, Answer]) -> dict[int, Answer]:
    """Return what is known of each position when that of the last level is handed up by minimax.

    known: what is proven, by key; anything else is unknown.
    Raises Contradiction where what follows for a position cannot be true together with what is proven of it.
    """
    found = dict(known)
    for key in tree.inner():
        found[key] = _met(key, known.get(key, UNKNOWN), _minimax(tree, key, found))
    return found


def worth(edge: Edge, known: Mapping[int, Answer]) -> Answer:
    """Return what is known after a move."""
    if edge.child is None:
        return Answer(edge.margin, edge.margin, None, 0)
    return known.get(edge.child, UNKNOWN)


def _minimax(tree: Tree, key: int, known: Mapping[int, Answer]) -> Answer:
    edges = tree.moves[key]
    answers = [worth(edge, known) for edge in edges]
    if position_of(key).black_to_move:
        at = max(range(len(edges)), key=lambda i: answers[i].lo)
        lo, hi = answers[at].lo, max(answer.hi for answer in answers)
    else:
        at = min(range(len(edges)), key=lambda i: answers[i].hi)
        lo, hi = min(answer.lo for answer in answers), answers[at].hi
    says = lo > LEAST if position_of(key).black_to_move else hi < MOST
    return Answer(lo, hi, edges[at].move if says else None, 0)


def _met(key: int, known: Answer, follows: Answer) -> Answer:
    lo, hi = max(known.lo, follows.lo), min(known.hi, follows.hi)
    if lo > hi:
        raise Contradiction(
            f"{position_of(key)}: proven {known.lo} to {known.hi}, but by its moves {follows.lo} to {follows.hi}"
        )
    better = follows.lo > known.lo if position_of(key).black_to_move else follows.hi < known.hi
    best = follows.best if better or known.best is None else known.best
    return Answer(lo, hi, best, known.nodes)


def rows(tree: Tree, known: Mapping[int, Answer]) -> Iterator[Row]:
    """Yield the atlas's rows of all positions of which something is known; ``known``: as derive() returns it."""
    for key in (key for level in tree.levels for key in level):
        answer = known.get(key, UNKNOWN)
        if answer[:2] != UNKNOWN[:2]:
            best, every = best_moves(tree.moves.get(key, []), known, answer, position_of(key).black_to_move)
            yield Row(position_of(key), answer.lo, answer.hi, best, every, answer.nodes)


def best_moves(
    edges: Iterable[Edge], known: Mapping[int, Answer], answer: Answer, black: bool
) -> tuple[tuple[int, ...], bool]:
    """Return the moves proven to keep the mover's bound, and whether every other move is proven to be worse."""
    afters = [(edge.move, worth(edge, known)) for edge in edges]
    if black:
        keeping = {move for move, each in afters if each.lo >= answer.lo > LEAST}
        worse = {move for move, each in afters if each.hi < answer.lo}
    else:
        keeping = {move for move, each in afters if each.hi <= answer.hi < MOST}
        worse = {move for move, each in afters if each.lo > answer.hi}
    every = bool(afters) and answer.value is not None and len(keeping) + len(worse) == len(afters)
    if answer.best is not None:
        keeping.add(answer.best)
    return tuple(sorted(keeping)), every


@dataclass
class Pace:
    """How long positions take, and so the rest.

    seconds: of work by one worker, for each position finished by this run.
    """

    seconds: list[float] = field(default_factory=list)

    def left(self, positions: int, workers: int, spent: float) -> tuple[float, float] | None:
        """Return the seconds that so many more positions take, and how uncertain that is; None before there are three.

        spent: seconds of work on positions that are not finished. They count in full, for the long ones finish late.

        >>> Pace([10.0, 12.0, 8.0, 10.0]).left(100, 2, 0.0)
        (500.0, 36.05551275463989)
        >>> Pace([10.0, 12.0, 8.0, 10.0]).left(100, 2, 40.0)[0]
        980.0
        """
        finished = len(self.seconds)
        if finished < 3:
            return None
        each = (sum(self.seconds) + spent) / finished
        error = pstdev(self.seconds) * sqrt(positions + positions**2 / finished)
        return max(positions * each - spent, 0.0) / workers, error / workers


class Fill:
    """How full a table is, by a sample of its entries, looked at now and then."""

    def __init__(self, shared: Shared, lines: int = 2048, interval: float = 5.0) -> None:
        self._table = shared.table
        rng = random.Random(lines)
        self._at = [rng.randrange(len(shared.table) // 64) * 64 for _ in range(lines)]
        self._interval = interval
        self._looked = -interval
        self._share = 0.0

    def share(self) -> float:
        """Return the share of entries in use, 0 to 1."""
        now = time.monotonic()
        if now - self._looked >= self._interval:
            self._looked = now
            used = sum(8 - struct.unpack("8Q", self._table[at : at + 64]).count(0) for at in self._at)
            self._share = used / (8 * len(self._at))
        return self._share


@dataclass(frozen=True)
class Reach:
    """Where a run stands, for whoever shows it.

    ply: the ply that is searched, plies played. done, total: its positions. nodes: searched by this run. seconds: since
    the search began. fill: the share of the table in use. left: seconds to go, and how uncertain that is, or None.
    """

    ply: int
    done: int
    total: int
    nodes: int
    seconds: float
    fill: float
    left: tuple[float, float] | None


@dataclass(frozen=True)
class Worth:
    """A position that is finished: what is known of it, and the seconds of work that this run took for it."""

    position: Position
    answer: Answer
    seconds: float


class Atlas:
    """An atlas worked out by a crew into a store."""

    def __init__(
        self,
        shop: Workshop,
        tree: Tree,
        verdict: bool,
        watch: Callable[[Reach], None],
        finished: Callable[[Worth], None],
    ) -> None:
        """Prepare.

        verdict: only find out who wins.
        watch: shown where the run stands, a few times a second. finished: told of each position.
        """
        self._shop = shop
        self._tree = tree
        self._verdict = verdict
        self._watch = watch
        self._finished = finished
        self._done = 0
        self._spent = 0.0
        self._pace = Pace()
        self._fill = Fill(shop.shared)
        self._seconds: dict[int, float] = {}
        self._known: dict[int, Answer] = {}
        for key in (key for level in tree.levels for key in level):
            entry = shop.store.get(position_of(key))
            if entry is not None:
                self._known[key] = entry.answer

    def rows(self) -> list[Row]:
        """Return the atlas as far as it is known; raises Contradiction as derive() does."""
        return list(rows(self._tree, derive(self._tree, self._known)))

    def work_out(self) -> None:
        """Search what is open in the last level, and record what follows for the others.

        Raises Stopped, CrewError, and StoreError (Contradiction included).
        """
        self._search()
        self._hand_up()

    def _search(self) -> None:
        queue = deque(key for key in order(self._tree) if not self._is_done(key))
        self._done = len(self._tree.last) - len(queue)
        flying: Counter[int] = Counter()
        started = time.monotonic()
        stopped = False
        while queue or flying:
            stopped = stopped or self._shop.stop()
            if stopped:
                queue.clear()
            else:
                self._hand_out(queue, flying)
            findings = self._shop.crew.wait(TICK)
            self._take_in(findings, queue, flying)
            self._watch(self._reach(started))
            if stopped and not flying:
                raise Stopped

    def _hand_out(self, queue: deque[int], flying: Counter[int]) -> None:
        while len(self._shop.crew) < self._shop.workers:
            if queue:
                key = queue.popleft()
            else:
                # Nothing is left but what others are at: help where fewest are.
                candidates = [key for key in flying if not self._is_done(key)]
                if not candidates:
                    return
                key = min(candidates, key=flying.__getitem__)
            flying[key] += 1
            self._shop.crew.submit(self._job(key))

    def _job(self, key: int) -> Valuation:
        guess = None if self._verdict else guess_of(self._tree, self._known, key)
        return Valuation(position_of(key), self._known.get(key, UNKNOWN), guess, SLICE_NODES)

    def _take_in(self, findings: Sequence[Finding], queue: deque[int], flying: Counter[int]) -> None:
        if not findings:
            return
        facts = [fact for finding in findings for fact in (_fact(finding), *kept_facts(finding))]
        self._shop.store.record(facts, self._shop.run)
        for finding in findings:
            key = canonical_key(_position(finding))
            flying[key] -= 1
            if not flying[key]:
                del flying[key]
            was_done = self._is_done(key)
            if not was_done:
                self._seconds[key] = self._seconds.get(key, 0.0) + finding.seconds
                self._spent += finding.seconds
            self._known[key] = self._shop.store.find(position_of(key)).answer
            if not self._is_done(key):
                if key not in flying:
                    queue.appendleft(key)
            elif not was_done:
                self._done += 1
                self._spent -= self._seconds[key]
                self._pace.seconds.append(self._seconds[key])
                self._finished(Worth(position_of(key), self._known[key], self._seconds[key]))

    def _is_done(self, key: int) -> bool:
        return is_settled(self._known.get(key, UNKNOWN), self._verdict)

    def _reach(self, started: float) -> Reach:
        ply, total = len(self._tree.levels) - 1, len(self._tree.last)
        left = self._pace.left(total - self._done, self._shop.workers, self._spent)
        seconds = time.monotonic() - started
        return Reach(ply, self._done, total, self._shop.crew.live_nodes, seconds, self._fill.share(), left)

    def _hand_up(self) -> None:
        """Record what follows for the positions before the last level, and the worth of each move there."""
        known = derive(self._tree, self._known)
        parents = list(self._tree.inner())
        for at in range(0, len(parents), BATCH):
            facts = [self._parent_fact(key, known) for key in parents[at : at + BATCH]]
            self._shop.store.record(facts, self._shop.run)

    def _parent_fact(self, key: int, known: Mapping[int, Answer]) -> Fact:
        answer = known[key]
        moves = {edge.move: worth(edge, known)[:2] for edge in self._tree.moves[key]}
        return Fact(position_of(key), answer.lo, answer.hi, answer.best, moves=moves)


def order(tree: Tree) -> list[int]:
    """Return the last level in the order of the search: depth first, by the moves in the order of their points."""
    seen: dict[int, None] = {}

    def descend(key: int) -> None:
        if key not in seen:
            seen[key] = None
            for edge in tree.moves.get(key, ()):
                if edge.child is not None:
                    descend(edge.child)

    descend(tree.levels[0][0])
    return [key for key in seen if key not in tree.moves]


def guess_of(tree: Tree, known: Mapping[int, Answer], key: int) -> int:
    """Return what a position of the last level may be worth: as much as its siblings, or the position before it."""
    parents = tree.parents[key]
    siblings = set().union(*map(tree.following, parents))
    values = [value for each in siblings if (value := known.get(each, UNKNOWN).value) is not None]
    values = values or [value for each in parents if (value := known.get(each, UNKNOWN).value) is not None]
    answer = known.get(key, UNKNOWN)
    guess = median_low(values) if values else position_of(key).margin
    return min(max(guess, answer.lo), answer.hi)


def _position(finding: Finding) -> Position:
    assert isinstance(finding.job, Valuation)  # no other jobs are given out
    return finding.job.position


def _fact(finding: Finding) -> Fact:
    answer = finding.result
    return Fact(_position(finding), answer.lo, answer.hi, answer.best, answer.nodes, finding.seconds)
