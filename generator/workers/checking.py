"""What is done with all that a cluster's workers send, before and after it is stored.

A finding must be a result of its job, and no claim in it may contradict what the store knows of the position and of
those after its moves. Then claims are searched again on this machine, whose own cores have little else to do in such a
run: a share of them, drawn at random, however long the run has to wait, and the others, cheapest
first, as time allows. These searches begin with an empty table and put nothing into it but what they have found.
"""

import logging
import os
import random
import sys
import threading
import time
from dataclasses import dataclass, field, replace
from queue import PriorityQueue

from book.store.facts import Fact
from book.store.store import Store
from crew.jobs import TICK
from generator.workers.search_crew import CrewError, FalseWorker
from generator.workers.shared_memory import Shared
from generator.workers.worker import Job, JobResult
from runtime.hints import command_line
from solver.answer import Answer
from solver.bounds import UNKNOWN, best_of, disproved, intersect
from solver.native import Step, distinct_steps, steps_from
from solver.native.kernel import Kernel
from solver.position import START, Position

_log = logging.getLogger(__name__)

#: The table in MiB, and the most nodes for a question, of the searches that check what comes in: some seconds.
_CHECK_MIB, _CHECK_NODES = 64, 20_000_000

#: As many rows of the store are searched again at the start.
_SAMPLE = 20

#: How many nodes a run waits in the end for claims that were not drawn, or which share of what the claims have cost.
_PATIENCE, _SHARE_OF_RUN = 100_000_000, 0.1


#: A position and what is claimed of it.
_Stated = tuple[Position, Answer]


@dataclass(order=True)
class _Claim:
    """Something that a worker says of a position. The first three fields order the claims.

    undrawn: whether the run need not wait for it. nodes: what it cost the worker.
    """

    undrawn: bool
    nodes: int
    number: int
    worker: str = field(compare=False)  # "" for the store itself
    position: Position = field(compare=False)
    answer: Answer = field(compare=False)


class Check:
    """Checks what comes from workers. Public attribute: ``run``, the run in the store."""

    def __init__(self, store: Store, share: float, threads: int, code: str) -> None:
        """share: of the claims, 0 to 1, that is always searched again. threads: that search. code: the workers'."""
        self.run = 0
        self._store, self._share, self._threads, self._code = store, share, threads, code
        self._makers: dict[str, int] = {}
        # Not by the run's seed, which the workers know.
        self._random = random.SystemRandom()
        self._queue: PriorityQueue[_Claim] = PriorityQueue()
        self._kernels: list[Kernel] = []
        self._searchers: list[threading.Thread] = []
        self._faults: list[CrewError] = []
        self._lock = threading.Lock()
        self._claims = self._drawn = self._searched = self._open = 0
        self._ended = False
        self._cost = 0

    def __call__(self, worker: str, host: str, job: Job, finding: JobResult) -> JobResult:
        """Return the finding with its maker's number; raises FalseWorker that names a worker not to be believed."""
        try:
            own, kept = _claims(job, finding)
        except Exception as error:
            _log.warning("%s sent for %r: %r", worker, job, error)
            raise FalseWorker(f"{worker} sent what is no result of its job: {self._remedy(worker)}") from None
        if worker not in self._makers:
            self._makers[worker] = self._store.note_worker(self.run, worker, host, self._code)
        for position, answer in own + kept:
            claim = self._claim(self._random.random() < self._share, answer.nodes, worker, position, answer)
            self._compare(claim)
            self._queue.put(claim)
        self._hire()
        self._raise_fault()
        return replace(finding, kept=kept, maker=self._makers[worker])

    def sample(self) -> None:
        """Have some rows of the store searched again, as all workers are going to believe them."""
        entries = list(self._store)
        for entry in self._random.sample(entries, min(_SAMPLE, len(entries))):
            self._queue.put(self._claim(False, 0, "", entry.position, entry.answer))
        self._hire()

    def _claim(self, drawn: bool, nodes: int, worker: str, position: Position, answer: Answer) -> _Claim:
        with self._lock:
            self._claims += 1
            self._drawn += drawn
            self._cost += nodes
            return _Claim(not drawn, nodes, self._claims, worker, position, answer)

    def settle(self, hurried: bool) -> None:
        """Wait for the claims that were drawn, and a while for the others; raises CrewError as a call does.

        hurried: do not wait for the others.
        """
        if self._searched < self._claims:
            print(f"{self._claims - self._searched:,} claims are still to be searched again", file=sys.stderr)
        last = self._nodes + (0 if hurried else max(_PATIENCE, _SHARE_OF_RUN * self._cost))
        while self._searched < self._claims and (self._drawn or self._nodes < last):
            self._raise_fault()
            time.sleep(TICK / 5)
        self._raise_fault()
        if self._claims:
            true = self._searched - self._open
            print(
                f"{self._claims:,} claims of {len(self._makers)} workers and the store: {true:,} searched again and"
                f" found true, {self._claims - true:,} believed",
                file=sys.stderr,
            )

    @property
    def _nodes(self) -> int:
        return sum(kernel.nodes for kernel in self._kernels)

    def close(self) -> None:
        """End the searches at hand, and wait for their threads."""
        self._ended = True
        for kernel in self._kernels:
            kernel.stop()
            # Before all others, for a thread that waits for a claim.
            self._queue.put(_Claim(False, -1, 0, "", START, UNKNOWN))
        for thread in self._searchers:
            thread.join()

    def _compare(self, claim: _Claim) -> None:
        """Raise FalseWorker unless the store's rows of the position, and after its moves, allow the claim."""
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
            " contradict it: find out who is wrong with"
            f" {self._inspection()}"
        )

    def _after(self, step: Step) -> Answer:
        """Return what the store has of the position after a move."""
        if step.position.is_over:
            return Answer(step.position.margin, step.position.margin, None, 0)
        return self._store.answer(step.position) or UNKNOWN

    def _hire(self) -> None:
        """Start the threads that search."""
        if not self._kernels:
            shared = Shared.make(_CHECK_MIB)
            self._kernels = [Kernel(shared.table, busy=shared.busy) for _ in range(self._threads)]
            for kernel in self._kernels:
                self._searchers.append(threading.Thread(target=self._work, args=(kernel,), name="check", daemon=True))
                self._searchers[-1].start()

    def _work(self, kernel: Kernel) -> None:
        if sys.platform == "linux":
            # A worker of the cluster on this machine goes first.
            os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), 19)
        while True:
            claim = self._queue.get()
            if self._ended:
                return
            try:
                self._search(kernel, claim)
            except Exception as error:
                # Otherwise the run would wait for this thread.
                self._faults.append(CrewError(f"{claim.position} cannot be searched again: {error!r}"))

    def _search(self, kernel: Kernel, claim: _Claim) -> None:
        """Search a claim again, and note a falsehood."""
        undecided: list[Answer] = []

        def decide(position: Position, goal: int) -> Answer:
            answer = kernel.decide(position, goal, node_limit=_CHECK_NODES)
            undecided.extend([answer] if answer.at_least(goal) is None else [])
            return answer

        for fault in disproved(decide, claim.position, claim.answer):
            _log.warning("%s sent %r for %r: %s", claim.worker, claim.answer, claim.position, fault)
            self._faults.append(FalseWorker(self._told(claim.worker, fault)))
        with self._lock:
            self._searched += 1
            self._drawn -= not claim.undrawn
            self._open += bool(undecided)

    def _raise_fault(self) -> None:
        if self._faults:
            raise self._faults[0]

    def _told(self, worker: str, fault: str) -> str:
        if worker:
            return f"{worker} sent a falsehood, {fault}: {self._remedy(worker)}"
        return f"{self._store.path}: a row is false, {fault}: find out which are with {self._inspection()}"

    def _inspection(self) -> str:
        return command_line("proof fsck --prove all --db", self._store.path)

    def _remedy(self, worker: str) -> str:
        return (
            "nothing more is taken from the cluster; take the worker away, and take back what it may have spoilt with"
            f" {command_line('book drop --db', self._store.path, '--worker', worker)}"
        )


def _claims(job: Job, finding: JobResult) -> tuple[list[_Stated], list[_Stated]]:
    """Return the claims of a finding's result and those that were kept, each once; raises any exception for no finding.

    What comes several times has cost its nodes once.
    """
    if not isinstance(finding, JobResult) or finding.job != job:
        raise TypeError("no finding of the job")
    if not all(0 <= number < 1 << 63 for number in (finding.nodes, finding.seconds, finding.peak_mib)):
        raise ValueError("numbers that no search has")
    stated = []
    for claims in (job.claims(finding.result), finding.kept):
        for position, (lo, hi, best, nodes) in claims:
            Fact(Position(*position), lo, hi, best, nodes).check()
        stated.append(list(dict.fromkeys((Position(*position), Answer(*answer)) for position, answer in claims)))
    own, kept = stated
    return own, [each for each in kept if each not in own]
