"""The atlas: what every position with few plies played is worth.

Only the positions of the last ply are searched. What those before them are worth follows by minimax, and must agree
with what the store proves already. Each worker is on a position of its own; generator.questions.agenda tells on which.
When all are given out, several workers share the last positions. Every result goes into the store, so a run may be cut
off anywhere.
"""

import logging
import random
import struct
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import hypot, sqrt

from book.files.atlas import PLY_AFTER, PLY_BEFORE, SEARCH, Row
from book.store.facts import Fact
from crew.jobs import TICK
from generator.questions.agenda import EXACT, QuestionQueue, Window
from generator.questions.first_plies import Tree, agree, best_moves, derive, minimax, rows, worth
from generator.workers.search_crew import Stopped
from generator.workers.search_run import SearchRun
from generator.workers.shared_memory import Shared
from generator.workers.worker import SLICE_NODES, Job, JobResult, Tools
from solver.answer import Answer, goal_of
from solver.bounds import UNKNOWN
from solver.native.kernel import Kernel
from solver.position import Position, move_name
from solver.symmetry import canonical_key, position_of

_log = logging.getLogger(__name__)

#: Jobs more than keep the workers busy: most take less than a tenth of a second, and the next one waits for no record.
AHEAD = 1

#: Positions that are recorded at once.
BATCH = 500


@dataclass(frozen=True)
class Valuation(Job):
    """A slice of work on a position's value, as far as the window goes; or on a best move, where the value is known.

    before: what is proven. guess: what the value may be.
    """

    position: Position
    before: Answer
    window: Window
    guess: int
    node_limit: int

    def do(self, tools: Tools) -> Answer:
        """Return the answer, which may leave the question open."""
        if self.before.value is not None:
            return self._best(tools.kernel, self.before.value)
        # The table may have lost it, or never had what follows from the positions before.
        tools.kernel.teach(self.position, self.before)
        if self.window == EXACT.within(self.before):
            return tools.kernel.value(self.position, guess=self.guess, node_limit=self.node_limit)
        return self._narrowed(tools.kernel)

    def _narrowed(self, kernel: Kernel) -> Answer:
        key = canonical_key(self.position)
        answer, nodes = self.before._replace(nodes=0), 0
        while not self.window.settles(answer) and nodes < self.node_limit:
            lo, hi = self.window.within(answer)
            threshold = min(max(self.guess, lo + 1), hi)
            latest = kernel.decide(self.position, threshold, node_limit=self.node_limit - nodes)
            nodes += latest.nodes
            answer = agree(key, answer, latest)
            if latest.at_least(threshold) is None:
                break
        return answer._replace(nodes=nodes)

    def _best(self, kernel: Kernel, value: int) -> Answer:
        # Not taught: a kernel that has to search for the bound finds the move on the way.
        threshold = goal_of(value, self.position.black_to_move)
        return kernel.decide(self.position, threshold, node_limit=self.node_limit)

    def claims(self, result: Answer) -> list[tuple[Position, Answer]]:
        """Return the answer."""
        return [(self.position, result)]

    def describe(self, result: Answer) -> str:
        """Return the position's key and what came out."""
        best = "none" if result.best is None else move_name(result.best)
        asked = f"guess {self.guess} in {self.window.lo:+d} to {self.window.hi:+d}"
        return f"{canonical_key(self.position)}, {asked}: {result.lo:+d} to {result.hi:+d}, best {best}"


#: Standard deviations on both sides that nine values in ten are within.
NINE_IN_TEN = 1.645


class ProgressEstimate:
    """The time that positions take, and an estimate for the rest."""

    def __init__(self, seconds: Iterable[float] = ()) -> None:
        """seconds: of work by one worker, for each position finished by this run."""
        # What the first n took, and their squares, summed: runs of days ask for estimates many times a second.
        self._sums, self._squares = [0.0], [0.0]
        for each in seconds:
            self.add(each)

    def add(self, seconds: float) -> None:
        """Take in a finished position."""
        self._sums.append(self._sums[-1] + seconds)
        self._squares.append(self._squares[-1] + seconds**2)

    def left(self, positions: int, workers: int, spent: float) -> tuple[float, float] | None:
        """Return the seconds that so many more positions take, and how far off nine estimates in ten are at the most.

        None before three are finished, and without workers.

        spent: seconds of work on positions that are not finished. They count in full: long ones finish late.

        >>> ProgressEstimate([10.0, 12.0, 9.0, 11.0]).left(100, 2, 0.0)
        (500.0, 71.7)
        >>> ProgressEstimate([10.0, 12.0, 9.0, 11.0]).left(100, 2, 40.0)
        (1480.0, 1136.0)
        """
        finished = len(self._sums) - 1
        if finished < 3 or not workers:
            return None
        # The table warms and positions differ by their place, so what came last says most of what comes next.
        early = finished // 2
        last, lately = finished - early, self._sums[-1] - self._sums[early]
        each = (lately + spent) / last
        drift = positions * (each - (self._sums[-1] + spent) / finished)
        variance = (self._squares[-1] - self._squares[early]) / last - (lately / last) ** 2
        scatter = sqrt(max(variance, 0.0) * (positions + positions**2 / last))
        error = NINE_IN_TEN * hypot(scatter, drift, positions * spent / finished)
        return round(max(positions * each - spent, 0.0) / workers, 1), round(error / workers, 1)


class Fill:
    """The share of a table in use, by a sample of its entries, looked at now and then."""

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
            used = sum(8 - struct.unpack_from("8Q", self._table, at).count(0) for at in self._at)
            self._share = used / (8 * len(self._at))
        return self._share


@dataclass(frozen=True)
class Reach:
    """The state of a run, to be shown.

    ply: the ply that is searched, plies played. done, total: its positions. nodes: searched by this run. seconds: since
    the search began. fill: the share of the table in use, or None when it is elsewhere. left: seconds to go, and how
    uncertain that is, or None. workers: how many there are.
    """

    ply: int
    done: int
    total: int
    nodes: int
    seconds: float
    fill: float | None
    left: tuple[float, float] | None
    workers: int


class Atlas:
    """An atlas worked out by a crew into a store."""

    def __init__(
        self,
        shop: SearchRun,
        tree: Tree,
        window: Window,
        watch: Callable[[Reach], None],
        finished: Callable[[Position, Answer, float], None],
        split_nodes: int | None = None,
    ) -> None:
        """Prepare.

        window: what is asked of each position. split_nodes: nodes after which one is split, or None for never.
        watch: called with the state of the run, a few times a second. finished: called with each
        position, what is known of it, and the seconds of work of this run.
        """
        self._shop = shop
        self._tree = tree
        self._agenda = QuestionQueue(tree, window, self._proven, split_nodes)
        self._slice = SLICE_NODES if shop.crew.pool.shares_table else split_nodes or SLICE_NODES
        self._watch = watch
        self._finished = finished
        self._spent = 0.0
        self._pace = ProgressEstimate()
        self._fill = Fill(shop.shared) if shop.shared else None
        self._seconds: dict[int, float] = {}

    def _proven(self, key: int) -> Answer:
        return self._shop.store.answer(position_of(key)) or UNKNOWN

    def rows(self, *, apart: bool = False) -> list[Row]:
        """Return the atlas as far as it is known.

        apart: whether the last ply gets a file of its own. Raises Contradiction as derive() does.
        """
        answers = derive(self._tree, self._agenda.answers)
        return list(rows(self._tree, answers, self._shop.store.origins(), apart=apart))

    def work_out(self) -> None:
        """Search what is open in the last level, and record what follows for the others.

        Raises Stopped, CrewError, and StoreError (Contradiction included).
        """
        self._search()
        self._hand_up()

    def _search(self) -> None:
        self._record_derived(self._agenda.at_once, PLY_BEFORE)
        started = time.monotonic()
        crew, stopped = self._shop.crew, False
        while self._agenda.open and not (stopped and not len(crew)):
            stopped = stopped or self._shop.stop()
            if not stopped:
                self._hand_out()
            self._take_in(crew.findings(TICK))
            self._watch(self._reach(started))
        self._forget(lambda key: True)
        while len(crew):
            self._take_in(crew.findings(TICK))
        if self._agenda.open:
            raise Stopped

    def _hand_out(self) -> None:
        crew, slots = self._shop.crew, self._shop.crew.pool.at_once
        while len(crew) < slots + AHEAD and (key := self._agenda.next(again=len(crew) < slots)) is not None:
            before, window = self._agenda.answers[key], self._agenda.window(key)
            crew.submit(Valuation(position_of(key), before, window, self._agenda.guess(key), self._slice))

    def _take_in(self, findings: Sequence[JobResult]) -> None:
        if not findings:
            return
        facts = [fact for finding in findings for fact in finding.facts([_fact(finding)])]
        self._shop.store.record(facts, self._shop.run)
        self._shop.crew.pool.tell(facts)
        for finding in findings:
            key = _key(finding.job)
            self._count(self._agenda.root(key), finding.seconds)
            change = self._agenda.take_in(key, self._proven(key), finding.nodes)
            self._record_derived(change.derived, PLY_AFTER)
            for settled in change.finished:
                self._agree(settled)
                self._finish(settled)
        self._forget(self._agenda.is_settled)

    def _agree(self, key: int) -> None:
        """Raise Contradiction where a position of the last level goes against what is proven of those before it."""
        for parent in self._tree.parents[key]:
            agree(parent, self._agenda.answers[parent], minimax(parent, self._tree.moves[parent], self._agenda.answers))

    def _forget(self, vain: Callable[[int], bool]) -> None:
        """Take back what has not begun of the positions that need not be searched any more."""
        for job in self._shop.crew.forget(lambda job: vain(_key(job))):
            self._agenda.drop(_key(job))

    def _count(self, root: int, seconds: float) -> None:
        if not self._agenda.is_settled(root):
            self._seconds[root] = self._seconds.get(root, 0.0) + seconds
            self._spent += seconds

    def _record_derived(self, keys: Sequence[int], origin: str) -> None:
        for at in range(0, len(keys), BATCH):
            answers = [(position_of(key), self._agenda.answers[key]) for key in keys[at : at + BATCH]]
            facts = [Fact(position, answer.lo, answer.hi, answer.best, origin=origin) for position, answer in answers]
            self._shop.store.record(facts, self._shop.run)

    def _finish(self, key: int) -> None:
        seconds = self._seconds.pop(key, 0.0)
        self._spent -= seconds
        self._pace.add(seconds)
        self._finished(position_of(key), self._agenda.answers[key], seconds)

    def _reach(self, started: float) -> Reach:
        ply, total = len(self._tree.levels) - 1, len(self._tree.last)
        crew = self._shop.crew
        workers = crew.pool.workers
        left = self._pace.left(self._agenda.open, workers, self._spent)
        seconds = time.monotonic() - started
        fill = None if self._fill is None else self._fill.share()
        return Reach(ply, total - self._agenda.open, total, crew.live_nodes, seconds, fill, left, workers)

    def _hand_up(self) -> None:
        """Record what follows for the positions before the last level, and the worth of each move there."""
        answers = derive(self._tree, self._agenda.answers)
        parents = list(self._tree.inner())
        for at in range(0, len(parents), BATCH):
            facts = [self._parent_fact(key, answers) for key in parents[at : at + BATCH]]
            self._shop.store.record(facts, self._shop.run)

    def _parent_fact(self, key: int, answers: Mapping[int, Answer]) -> Fact:
        answer = answers[key]
        moves = {edge.move: worth(edge, answers)[:2] for edge in self._tree.moves[key]}
        position = position_of(key)
        _, every = best_moves(position, self._tree.moves[key], answers, answer)
        bounds = answer.lo, answer.hi, answer.best
        return Fact(position, *bounds, moves=moves, origin=PLY_AFTER, moves_known=every)


def _key(job: Job) -> int:
    assert isinstance(job, Valuation)  # no other jobs are given out
    return canonical_key(job.position)


def _fact(finding: JobResult) -> Fact:
    answer = finding.result
    position, costs = position_of(_key(finding.job)), (answer.nodes, finding.seconds)
    return Fact(position, answer.lo, answer.hi, answer.best, *costs, maker=finding.maker, origin=SEARCH)
