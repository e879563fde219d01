"""The atlas: the value of every position with few plies played.

Only the positions of the last ply are searched. The values of earlier positions follow by minimax, and must agree with
the store's proven bounds. Each worker searches a different position, which generator.questions.question_queue chooses.
When all positions are in flight, several workers search the same position. Every result goes into the store, so a run
can be stopped at any moment.
"""

import logging
import random
import struct
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import hypot, sqrt

from little_go.book.files.atlas import PLY_AFTER, PLY_BEFORE, SEARCH, Row
from little_go.book.store.facts import Fact
from little_go.crew.jobs import TICK
from little_go.generator.questions.first_plies import (
    Tree,
    answer_after,
    best_moves,
    derive,
    merge_proven,
    minimax,
    rows,
)
from little_go.generator.questions.question_queue import EXACT, QuestionQueue, Window
from little_go.generator.workers.search_crew import Stopped
from little_go.generator.workers.search_run import SearchRun
from little_go.generator.workers.shared_memory import Shared
from little_go.generator.workers.worker import SLICE_NODES, Job, JobResult, WorkerKernel
from little_go.solver.answer import Answer, goal_of
from little_go.solver.bounds import UNKNOWN
from little_go.solver.native.kernel import Kernel
from little_go.solver.position import Position, move_name
from little_go.solver.symmetry import canonical_key, position_of

_log = logging.getLogger(__name__)

#: The number of jobs that wait for a free worker. Most jobs take less than 0.1 s, and without this supply a worker
#: would wait until the results of its last job are stored.
AHEAD = 1

#: The number of positions in one transaction of the store.
BATCH = 500


@dataclass(frozen=True)
class Valuation(Job):
    """A job: search one position for at most ``node_limit`` nodes.

    The search narrows the bounds on the value within the window. If the value is known already, the search finds a best
    move.

    before: the answer that was proven before the search. guess: a likely value, which the search tests first.
    """

    position: Position
    before: Answer
    window: Window
    guess: int
    node_limit: int

    def do(self, worker: WorkerKernel) -> Answer:
        """Return the answer, which may leave the question open if the node limit was reached."""
        if self.before.value is not None:
            return self._best(worker.kernel, self.before.value)
        # Write the proven answer into the table: the table may have lost it, or it may follow from other positions.
        worker.kernel.teach(self.position, self.before)
        if self.window == EXACT.within(self.before):
            return worker.kernel.value(self.position, guess=self.guess, node_limit=self.node_limit)
        return self._narrowed(worker.kernel)

    def _narrowed(self, kernel: Kernel) -> Answer:
        key = canonical_key(self.position)
        answer, nodes = self.before._replace(nodes=0), 0
        while not self.window.settles(answer) and nodes < self.node_limit:
            lo, hi = self.window.within(answer)
            threshold = min(max(self.guess, lo + 1), hi)
            latest = kernel.decide(self.position, threshold, node_limit=self.node_limit - nodes)
            nodes += latest.nodes
            answer = merge_proven(key, answer, latest)
            if latest.at_least(threshold) is None:
                break
        return answer._replace(nodes=nodes)

    def _best(self, kernel: Kernel, value: int) -> Answer:
        # The known value is not put into the table, so that the kernel must search for the bound again and so finds a
        # best move.
        threshold = goal_of(value, self.position.black_to_move)
        return kernel.decide(self.position, threshold, node_limit=self.node_limit)

    def claims(self, result: Answer) -> list[tuple[Position, Answer]]:
        """Return the position and the answer."""
        return [(self.position, result)]

    def describe(self, result: Answer) -> str:
        """Return the position's key, the question and the answer."""
        best = "none" if result.best is None else move_name(result.best)
        asked = f"guess {self.guess} in {self.window.lo:+d} to {self.window.hi:+d}"
        return f"{canonical_key(self.position)}, {asked}: {result.lo:+d} to {result.hi:+d}, best {best}"


#: Nine in ten values of a normal distribution are within this number of standard deviations of the mean.
NINE_IN_TEN = 1.645


class ProgressEstimate:
    """An estimate of the time that is left, from the time that the finished positions took."""

    def __init__(self, seconds: Iterable[float] = ()) -> None:
        """seconds: the total seconds that workers spent on each finished position of this run."""
        # Running sums save time, because a run that lasts days makes several estimates each second.
        self._sums, self._squares = [0.0], [0.0]
        for each in seconds:
            self.add(each)

    def add(self, seconds: float) -> None:
        """Add a finished position."""
        self._sums.append(self._sums[-1] + seconds)
        self._squares.append(self._squares[-1] + seconds**2)

    def left(self, positions: int, workers: int, spent: float) -> tuple[float, float] | None:
        """Return an estimate of the seconds until ``positions`` more are finished, and its error.

        Nine in ten estimates are within this error. Return None if fewer than three positions are finished, or if there
        are no workers.

        spent: the seconds of work on unfinished positions, which are included because slow positions finish late.

        >>> ProgressEstimate([10.0, 12.0, 9.0, 11.0]).left(100, 2, 0.0)
        (500.0, 71.7)
        >>> ProgressEstimate([10.0, 12.0, 9.0, 11.0]).left(100, 2, 40.0)
        (1480.0, 1136.0)
        """
        finished = len(self._sums) - 1
        if finished < 3 or not workers:
            return None
        # Average only the later half of the finished positions. The later half predicts best, because the table fills
        # during the run, and because consecutive positions take similar times.
        early = finished // 2
        last, lately = finished - early, self._sums[-1] - self._sums[early]
        each = (lately + spent) / last
        drift = positions * (each - (self._sums[-1] + spent) / finished)
        variance = (self._squares[-1] - self._squares[early]) / last - (lately / last) ** 2
        scatter = sqrt(max(variance, 0.0) * (positions + positions**2 / last))
        error = NINE_IN_TEN * hypot(scatter, drift, positions * spent / finished)
        return round(max(positions * each - spent, 0.0) / workers, 1), round(error / workers, 1)


class TableUsage:
    """The share of a table's entries in use, estimated from a sample."""

    def __init__(self, shared: Shared, lines: int = 2048, interval: float = 5.0) -> None:
        """lines: the number of sampled lines of the table; a line has 8 entries.

        interval: the seconds between two counts of the sample.
        """
        self._table = shared.table
        rng = random.Random(lines)
        self._offsets = [rng.randrange(len(shared.table) // 64) * 64 for _ in range(lines)]
        self._interval = interval
        self._counted_at = -interval
        self._share = 0.0

    def share(self) -> float:
        """Return the share of entries in use, 0 to 1."""
        now = time.monotonic()
        if now - self._counted_at >= self._interval:
            self._counted_at = now
            used = sum(8 - struct.unpack_from("8Q", self._table, offset).count(0) for offset in self._offsets)
            self._share = used / (8 * len(self._offsets))
        return self._share


@dataclass(frozen=True)
class RunProgress:
    """The state of a run, for its display and its log.

    ply: the ply that is searched, as plies played. done: the number of its settled positions. total: the number of all
    its positions. nodes: the number of nodes that this run has searched. seconds: the time since the search began.
    fill: the share of the table in use, 0 to 1, or None on a cluster. left: an estimate of the seconds that are left,
    and its error, or None. workers: the number of workers.
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
    """The search of an atlas. The crew of a run searches, and the store of the run gets the results."""

    def __init__(
        self,
        search_run: SearchRun,
        tree: Tree,
        window: Window,
        watch: Callable[[RunProgress], None],
        finished: Callable[[Position, Answer, float], None],
        split_nodes: int | None = None,
    ) -> None:
        """Queue the open positions of the tree's last level.

        window: the question about each position. watch: a function that is called with the state of the run, several
        times a second. finished: a function that is called with each settled position, its answer, and the seconds of
        work that this run spent on it. split_nodes: the number of nodes after which a position is split
        (QuestionQueue), or None if no position is split.
        """
        self._search_run = search_run
        self._tree = tree
        self._queue = QuestionQueue(tree, window, self._proven, split_nodes)
        self._slice = SLICE_NODES if search_run.crew.pool.shares_table else split_nodes or SLICE_NODES
        self._watch = watch
        self._finished = finished
        self._spent = 0.0
        self._pace = ProgressEstimate()
        self._fill = TableUsage(search_run.shared) if search_run.shared else None
        self._seconds: dict[int, float] = {}

    def _proven(self, key: int) -> Answer:
        return self._search_run.store.answer(position_of(key)) or UNKNOWN

    def rows(self, *, apart: bool = False) -> list[Row]:
        """Return the rows of all positions with proven bounds.

        apart: whether the last level is written to a separate file (first_plies.rows()). Raise Contradiction if the
        proven answers exclude each other.
        """
        answers = derive(self._tree, self._queue.answers)
        return list(rows(self._tree, answers, self._search_run.store.origins(), apart=apart))

    def work_out(self) -> None:
        """Search the open positions of the last level, and record the earlier positions' values by minimax.

        Raise Stopped if the run is stopped, and CrewError or StoreError if the workers or the store fail.
        """
        self._search()
        self._record_parents()

    def _search(self) -> None:
        self._record_derived(self._queue.settled_by_parents, PLY_BEFORE)
        started = time.monotonic()
        crew, stopped = self._search_run.crew, False
        while self._queue.open and not (stopped and not len(crew)):
            stopped = stopped or self._search_run.stop()
            if not stopped:
                self._submit_jobs()
            self._store_results(crew.job_results(TICK))
            self._watch(self._progress(started))
        self._withdraw(lambda key: True)
        while len(crew):
            self._store_results(crew.job_results(TICK))
        if self._queue.open:
            raise Stopped

    def _submit_jobs(self) -> None:
        crew, slots = self._search_run.crew, self._search_run.crew.pool.jobs_at_once
        while len(crew) < slots + AHEAD and (key := self._queue.next(again=len(crew) < slots)) is not None:
            before, window = self._queue.answers[key], self._queue.window(key)
            crew.submit(Valuation(position_of(key), before, window, self._queue.guess(key), self._slice))

    def _store_results(self, job_results: Sequence[JobResult]) -> None:
        if not job_results:
            return
        facts = [fact for job_result in job_results for fact in job_result.facts([_fact(job_result)])]
        self._search_run.record(facts)
        self._search_run.crew.pool.share_facts(facts)
        for job_result in job_results:
            key = _key(job_result.job)
            self._add_seconds(self._queue.root(key), job_result.seconds)
            change = self._queue.record_answer(key, self._proven(key), job_result.nodes)
            self._record_derived(change.derived, PLY_AFTER)
            for settled in change.finished:
                self._check_parents(settled)
                self._finish(settled)
        self._withdraw(self._queue.is_settled)

    def _check_parents(self, key: int) -> None:
        """Raise Contradiction if the answer for a position of the last level contradicts a position before it."""
        for parent in self._tree.parents[key]:
            merge_proven(
                parent, self._queue.answers[parent], minimax(parent, self._tree.moves[parent], self._queue.answers)
            )

    def _withdraw(self, is_needless: Callable[[int], bool]) -> None:
        for job in self._search_run.crew.withdraw(lambda job: is_needless(_key(job))):
            self._queue.drop(_key(job))

    def _add_seconds(self, root: int, seconds: float) -> None:
        if not self._queue.is_settled(root):
            self._seconds[root] = self._seconds.get(root, 0.0) + seconds
            self._spent += seconds

    def _record_derived(self, keys: Sequence[int], origin: str) -> None:
        for at in range(0, len(keys), BATCH):
            answers = [(position_of(key), self._queue.answers[key]) for key in keys[at : at + BATCH]]
            facts = [Fact(position, answer.lo, answer.hi, answer.best, origin=origin) for position, answer in answers]
            self._search_run.record(facts)

    def _finish(self, key: int) -> None:
        seconds = self._seconds.pop(key, 0.0)
        self._spent -= seconds
        self._pace.add(seconds)
        self._finished(position_of(key), self._queue.answers[key], seconds)

    def _progress(self, started: float) -> RunProgress:
        ply, total = len(self._tree.levels) - 1, len(self._tree.last)
        crew = self._search_run.crew
        workers = crew.pool.workers
        left = self._pace.left(self._queue.open, workers, self._spent)
        seconds = time.monotonic() - started
        fill = None if self._fill is None else self._fill.share()
        return RunProgress(ply, total - self._queue.open, total, crew.live_nodes, seconds, fill, left, workers)

    def _record_parents(self) -> None:
        """Record the derived bounds of the positions before the last level, and the bounds of each of their moves."""
        answers = derive(self._tree, self._queue.answers)
        parents = list(self._tree.inner())
        for at in range(0, len(parents), BATCH):
            facts = [self._parent_fact(key, answers) for key in parents[at : at + BATCH]]
            self._search_run.record(facts)

    def _parent_fact(self, key: int, answers: Mapping[int, Answer]) -> Fact:
        answer = answers[key]
        moves = {edge.move: answer_after(edge, answers)[:2] for edge in self._tree.moves[key]}
        position = position_of(key)
        _, every = best_moves(position, self._tree.moves[key], answers, answer)
        bounds = answer.lo, answer.hi, answer.best
        return Fact(position, *bounds, moves=moves, origin=PLY_AFTER, moves_known=every)


def _key(job: Job) -> int:
    assert isinstance(job, Valuation)  # An atlas submits no other jobs.
    return canonical_key(job.position)


def _fact(job_result: JobResult) -> Fact:
    answer = job_result.result
    position, costs = position_of(_key(job_result.job)), (answer.nodes, job_result.seconds)
    return Fact(position, answer.lo, answer.hi, answer.best, *costs, maker=job_result.maker, origin=SEARCH)
