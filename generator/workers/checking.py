"""The check of the results that a cluster's workers send.

A result must belong to its job, and its claims must not contradict the store's rows of the same position and of the
positions after its moves. Then this machine, which has little else to do in such a run, searches claims again: first a
share drawn at random, for which the run waits, and then the other claims, the cheapest first, as time allows. These
searches use a separate table, which contains only their own results.
"""

import logging
import os
import random
import sys
import threading
import time
from dataclasses import dataclass, field, replace
from queue import PriorityQueue

from little_go.book.store.facts import Fact
from little_go.book.store.store import Store
from little_go.crew.jobs import TICK
from little_go.generator.workers.search_crew import CrewError, FalseWorker
from little_go.generator.workers.shared_memory import Shared
from little_go.generator.workers.worker import Job, JobResult
from little_go.runtime.hints import command_line
from little_go.solver.answer import Answer
from little_go.solver.bounds import UNKNOWN, best_of, disproved, intersect
from little_go.solver.native import Step, distinct_steps, steps_from
from little_go.solver.native.kernel import Kernel
from little_go.solver.position import START, Position

_log = logging.getLogger(__name__)

#: The table of the searches that check claims, in MiB, and their node limit for a question: a few seconds of work.
_CHECK_MIB, _CHECK_NODES = 64, 20_000_000

#: The number of the store's rows that are searched again at the start.
_SAMPLE = 20

#: The end of a run waits for the claims that were not drawn, until their searches have taken _PATIENCE nodes, or this
#: share of the workers' nodes if that is more.
_PATIENCE, _SHARE_OF_RUN = 100_000_000, 0.1


#: A position, and the answer that a worker claims.
_ClaimedAnswer = tuple[Position, Answer]


@dataclass(order=True)
class _Claim:
    """A worker's claim about a position. Claims are sorted by the first three fields.

    undrawn: whether the claim was not drawn for a new search, so that the run need not wait for its check. nodes: the
    number of nodes that the worker spent on it. worker: the worker's address, or "" if the claim is a row of the store.
    """

    undrawn: bool
    nodes: int
    number: int
    worker: str = field(compare=False)
    position: Position = field(compare=False)
    answer: Answer = field(compare=False)


class Check:
    """The check of the workers' results. Public attribute: ``run``, the run's number in the store."""

    def __init__(self, store: Store, share: float, threads: int, code: str) -> None:
        """share: the share of the claims to search again in any case, 0 to 1. threads: the number of threads.

        code: the fingerprint() of the run's code.
        """
        self.run = 0
        self._store, self._share, self._threads, self._code = store, share, threads, code
        self._makers: dict[str, int] = {}
        # The draw does not use the run's seed, because the workers receive the seed and could predict the drawn claims.
        self._random = random.SystemRandom()
        self._queue: PriorityQueue[_Claim] = PriorityQueue()
        self._kernels: list[Kernel] = []
        self._searchers: list[threading.Thread] = []
        self._faults: list[CrewError] = []
        self._lock = threading.Lock()
        self._claims = self._drawn = self._searched = self._open = 0
        self._ended = False
        self._cost = 0

    def __call__(self, worker: str, host: str, job: Job, job_result: JobResult) -> JobResult:
        """Return the result with the number of its worker.

        Raise FalseWorker, with the worker's name, if a claim is false.
        """
        try:
            own, kept = _claims(job, job_result)
        except Exception as error:
            _log.warning("%s sent for %r: %r", worker, job, error)
            raise FalseWorker(
                f"{worker} sent something that is not a result of its job: {self._remedy(worker)}"
            ) from None
        if worker not in self._makers:
            self._makers[worker] = self._store.note_worker(self.run, worker, host, self._code)
        for position, answer in own + kept:
            claim = self._claim(self._random.random() < self._share, answer.nodes, worker, position, answer)
            self._compare(claim)
            self._queue.put(claim)
        self._start_searchers()
        self._raise_fault()
        return replace(job_result, kept=kept, maker=self._makers[worker])

    def sample(self) -> None:
        """Search some of the store's rows again, because all workers are going to rely on these rows."""
        entries = list(self._store)
        for entry in self._random.sample(entries, min(_SAMPLE, len(entries))):
            self._queue.put(self._claim(False, 0, "", entry.position, entry.answer))
        self._start_searchers()

    def _claim(self, drawn: bool, nodes: int, worker: str, position: Position, answer: Answer) -> _Claim:
        with self._lock:
            self._claims += 1
            self._drawn += drawn
            self._cost += nodes
            return _Claim(not drawn, nodes, self._claims, worker, position, answer)

    def settle(self, hurried: bool) -> None:
        """Wait until all drawn claims are checked, and wait a limited time for the other claims.

        Raise CrewError if a claim is false. hurried: whether to wait only for the drawn claims.
        """
        if self._searched < self._claims:
            print(f"searching {self._claims - self._searched:,} more claims again", file=sys.stderr)
        last = self._nodes + (0 if hurried else max(_PATIENCE, _SHARE_OF_RUN * self._cost))
        while self._searched < self._claims and (self._drawn or self._nodes < last):
            self._raise_fault()
            time.sleep(TICK / 5)
        self._raise_fault()
        if self._claims:
            true = self._searched - self._open
            print(
                f"{self._claims:,} claims of {len(self._makers)} workers and the store: {true:,} searched again and"
                f" found true, {self._claims - true:,} not searched to the end",
                file=sys.stderr,
            )

    @property
    def _nodes(self) -> int:
        return sum(kernel.nodes for kernel in self._kernels)

    def close(self) -> None:
        """End the running searches, and wait for their threads."""
        self._ended = True
        for kernel in self._kernels:
            kernel.stop()
            # This claim comes before all others in the queue, and wakes a thread that is waiting for a claim.
            self._queue.put(_Claim(False, -1, 0, "", START, UNKNOWN))
        for thread in self._searchers:
            thread.join()

    def _compare(self, claim: _Claim) -> None:
        """Raise FalseWorker if a claim contradicts the store's rows of its position and of the positions after the
        moves.
        """
        position = claim.position
        following = best_of(position.black_to_move, {step.move: self._after(step) for step in steps_from(position)})
        stored = self._store.answer(position) or UNKNOWN
        both = intersect(intersect(stored, following), claim.answer)
        if both.lo <= both.hi:
            return
        kernel = Kernel(Shared.make(_CHECK_MIB).table)
        self._search(kernel, claim)
        for row in (position, *(step.position for step in distinct_steps(position) if not step.position.is_over)):
            entry = self._store.get(row)
            if entry is not None and entry.maker is not None:
                its = self._store.maker_name(entry.maker), entry.position, entry.answer
                self._search(kernel, _Claim(True, entry.nodes, 0, *its))
        self._raise_fault()
        raise FalseWorker(
            f"{claim.worker} sent {claim.answer.lo:+d} to {claim.answer.hi:+d} for {claim.position}; the store's rows"
            f" contradict it: find the wrong row with {self._inspection()}"
        )

    def _after(self, step: Step) -> Answer:
        if step.position.is_over:
            return Answer(step.position.margin, step.position.margin, None, 0)
        return self._store.answer(step.position) or UNKNOWN

    def _start_searchers(self) -> None:
        if not self._kernels:
            shared = Shared.make(_CHECK_MIB)
            self._kernels = [Kernel(shared.table, busy=shared.busy) for _ in range(self._threads)]
            for kernel in self._kernels:
                self._searchers.append(threading.Thread(target=self._work, args=(kernel,), name="check", daemon=True))
                self._searchers[-1].start()

    def _work(self, kernel: Kernel) -> None:
        if sys.platform == "linux":
            # A worker of the cluster may run on this machine, and has priority.
            os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), 19)
        while True:
            claim = self._queue.get()
            if self._ended:
                return
            try:
                self._search(kernel, claim)
            except Exception as error:
                # Without this entry, the run would wait for ever for the check of this claim.
                self._faults.append(CrewError(f"{claim.position} cannot be searched again: {error!r}"))

    def _search(self, kernel: Kernel, claim: _Claim) -> None:
        """Search a claim again, and record a fault if it is false."""
        undecided: list[Answer] = []

        def decide(position: Position, goal: int) -> Answer:
            answer = kernel.decide(position, goal, node_limit=_CHECK_NODES)
            undecided.extend([answer] if answer.at_least(goal) is None else [])
            return answer

        for fault in disproved(decide, claim.position, claim.answer):
            _log.warning("%s sent %r for %r: %s", claim.worker, claim.answer, claim.position, fault)
            self._faults.append(FalseWorker(self._fault_message(claim.worker, fault)))
        with self._lock:
            self._searched += 1
            self._drawn -= not claim.undrawn
            self._open += bool(undecided)

    def _raise_fault(self) -> None:
        if self._faults:
            raise self._faults[0]

    def _fault_message(self, worker: str, fault: str) -> str:
        if worker:
            return f"{worker} sent a false result, {fault}: {self._remedy(worker)}"
        return f"{self._store.path}: a row is false, {fault}: find all false rows with {self._inspection()}"

    def _inspection(self) -> str:
        return command_line("proof fsck --prove all --db", self._store.path)

    def _remedy(self, worker: str) -> str:
        return (
            "the run stops; remove the worker from the cluster, and delete its results with"
            f" {command_line('book drop --db', self._store.path, '--worker', worker)}"
        )


def _claims(job: Job, job_result: JobResult) -> tuple[list[_ClaimedAnswer], list[_ClaimedAnswer]]:
    """Return the claims of a job's own result, and the claims of the expensive intermediate results, without
    duplicates.

    If ``job_result`` is not a result of the job, an exception of any type is raised.
    """
    if not isinstance(job_result, JobResult) or job_result.job != job:
        raise TypeError("not a result of the job")
    if not all(0 <= number < 1 << 63 for number in (job_result.nodes, job_result.seconds, job_result.peak_mib)):
        raise ValueError("nodes, seconds or MiB out of range")
    stated = []
    for claims in (job.claims(job_result.result), job_result.kept):
        for position, (lo, hi, best, nodes) in claims:
            Fact(Position(*position), lo, hi, best, nodes).check()
        stated.append(list(dict.fromkeys((Position(*position), Answer(*answer)) for position, answer in claims)))
    own, kept = stated
    return own, [each for each in kept if each not in own]
