"""Checking a certificate's lines: all or some of them, in chunks, by several processes, noting what is done.

A line is checked by itself, so the work is cut into chunks. What is right and what is wrong, proof.checker alone says.
"""

import multiprocessing
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial, reduce
from pathlib import Path
from typing import NamedTuple

from crew.jobs import Crew, processes
from proof.checker.certificate import Certificate, Fault, line_fault_of
from proof.checker.search import Judge
from proof.state import CheckNotes, WorkDone

#: Lines in a chunk: a process checks one chunk at a time, and the state counts in chunks. The leaves of a chunk share a
#: memory, so chunks of 512 lines would take a tenth more positions.
CHUNK = 4096

#: Seconds between calls of ``show`` within chunks.
_TICK = 1.0


@dataclass(frozen=True)
class Outcome:
    """The result of a check.

    fault: the first wrong line, all before it being right; None when every line that was to be checked is.
    tally: all work, that of earlier runs included.
    earlier: lines that are believed to have been checked by earlier runs.
    """

    fault: Fault | None
    tally: WorkDone
    earlier: int


def check_lines(
    certificate: Certificate, indices: Sequence[int], note: Callable[[WorkDone], None] = lambda tally: None
) -> tuple[WorkDone, Fault | None]:
    """Check lines by index, up to the first that is wrong; return the work done and that line.

    note: told of the work so far, about once a second.
    """
    started = time.process_time()
    judge = Judge(certificate.claim)
    leaves = done = 0
    fault = None
    due = time.monotonic() + _TICK
    for index in indices:
        fault = line_fault_of(certificate, index, judge)
        if fault is not None:
            break
        done += 1
        leaves += _is_leaf(certificate, index)
        if time.monotonic() >= due:
            due = time.monotonic() + _TICK
            note(WorkDone(done, leaves, judge.nodes, time.process_time() - started))
    return WorkDone(done, leaves, judge.nodes, time.process_time() - started), fault


def _is_leaf(certificate: Certificate, index: int) -> bool:
    return int(certificate.lines[index][:2]) == certificate.leaf


def chunks_of(certificate: Certificate, sample: Sequence[int] | None = None) -> dict[int, Sequence[int]]:
    """Return the indices of the lines to check, those before the first that is wrong in its form, in numbered chunks.

    sample: these lines only, by ascending index, instead of all.
    """
    end = len(certificate.lines) if certificate.fault is None else certificate.fault.number - certificate.first
    indices = range(max(end, 0)) if sample is None else [index for index in sample if index < end]
    return {start // CHUNK: indices[start : start + CHUNK] for start in range(0, len(indices), CHUNK)}


def open_state(path: str | Path, certificate: Certificate) -> CheckNotes:
    """Open the file in which checks of all lines note their progress; raises as CheckNotes does."""
    chunks = {
        number: (len(indices), sum(_is_leaf(certificate, index) for index in indices))
        for number, indices in chunks_of(certificate).items()
    }
    return CheckNotes(path, certificate.digest, chunks)


def check(
    certificate: Certificate,
    *,
    workers: int = 1,
    state: CheckNotes | None = None,
    sample: Sequence[int] | None = None,
    show: Callable[[WorkDone], None] = lambda tally: None,
) -> Outcome:
    """Check a certificate's lines, those before the first that is wrong in its form, and say what was found.

    workers: processes; 1 works in this one.
    state: chunks not to be done again, and where to note the others.
    sample: as in chunks_of().
    show: called with all work done, after each chunk and now and then within them.
    Raises LostWorkers, and OSError when the state cannot be written.
    """
    done = {} if state is None else dict(state.done)
    run = _Run(chunks_of(certificate, sample), done, state, show)
    run.work(certificate, workers)
    return Outcome(run.fault or certificate.fault, run.tally, sum(tally.lines for tally in done.values()))


@dataclass
class _Run:
    chunks: dict[int, Sequence[int]]
    done: dict[int, WorkDone]
    state: CheckNotes | None
    show: Callable[[WorkDone], None]
    fault: Fault | None = None
    faulty: int | None = None
    tally: WorkDone = field(default_factory=WorkDone)

    def work(self, certificate: Certificate, workers: int) -> None:
        """Do what is not done, up to the chunk of the first fault."""
        for tally in self.done.values():
            self.tally = self.tally.plus(tally)
        self.show(self.tally)
        todo = [number for number in self.chunks if number not in self.done]
        if workers == 1 or len(todo) < 2:
            for number in todo:
                self._take(number, *check_lines(certificate, self.chunks[number], self._show_with))
                if self.fault:
                    return
        else:
            self._share(certificate, todo, min(workers, len(todo)))

    def _show_with(self, *under_way: WorkDone) -> None:
        self.show(reduce(WorkDone.plus, under_way, self.tally))

    def _take(self, number: int, tally: WorkDone, fault: Fault | None) -> None:
        self.tally = self.tally.plus(tally)
        if fault is None and self.state is not None:
            self.state.add(number, tally)
        if fault is not None and (self.faulty is None or number < self.faulty):
            self.fault, self.faulty = fault, number
        self.show(self.tally)

    def _share(self, certificate: Certificate, todo: list[int], workers: int) -> None:
        notes = _Notes(2 * workers)
        crew = Crew(processes(_check_chunk, workers, _start_worker, certificate, notes))
        try:
            self._collect(crew, todo, notes)
        finally:
            # Nobody waits for the chunks that are under way: they are done again, or behind the first fault.
            crew.pool.end()

    def _collect(self, crew: "Crew[_Order, tuple[WorkDone, Fault | None]]", todo: list[int], notes: "_Notes") -> None:
        # Chunks go out in order, and none after a fault is found: those before it are finished, so it is the first.
        free = list(range(notes.slots))

        def orders() -> Iterator[_Order]:
            for number in todo:
                slot = free.pop()
                notes.put(slot, WorkDone())
                yield _Order(number, self.chunks[number], slot)

        for results in crew.rounds(orders(), lambda: self.faulty is not None):
            for order, result in results:
                free.append(order.slot)
                self._take(order.number, *result)
            left = crew.jobs
            if self.faulty is not None and all(order.number > self.faulty for order in left):
                return
            self._show_with(*(notes.get(order.slot) for order in left))


class _Order(NamedTuple):
    """A chunk of lines for a worker. slot: where it notes its progress."""

    number: int
    indices: Sequence[int]
    slot: int


class _Notes:
    """The processes' progress within their chunks, in shared memory; made before they start.

    Public attribute ``slots``: of how many chunks.
    """

    def __init__(self, slots: int) -> None:
        self.slots = slots
        self._counts = multiprocessing.RawArray("Q", 3 * slots)

    def put(self, slot: int, tally: WorkDone) -> None:
        """Note the work on a chunk; its CPU is left out."""
        self._counts[3 * slot : 3 * slot + 3] = tally[:3]

    def get(self, slot: int) -> WorkDone:
        """Return the last note, or the one that is being written now."""
        return WorkDone(*self._counts[3 * slot : 3 * slot + 3])


#: This process's certificate, and where it notes its work, when it is a worker.
_work: tuple[Certificate, _Notes] | None = None


def _start_worker(certificate: Certificate, notes: _Notes) -> None:
    global _work
    _work = certificate, notes


def _check_chunk(order: _Order) -> tuple[WorkDone, Fault | None]:
    if _work is None:
        raise RuntimeError("_check_chunk() before _start_worker()")
    certificate, notes = _work
    return check_lines(certificate, order.indices, partial(notes.put, order.slot))
