"""Checking a certificate's lines: all or some of them, in chunks, by several processes, noting what is done.

A line is checked by itself, so the work is cut into chunks. What is right and what is wrong, proof.checker alone says.
"""

import multiprocessing
import time
from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from dataclasses import dataclass, field
from pathlib import Path

from proof.checker.certificate import Certificate, Fault, line_fault_of
from proof.checker.search import Judge
from proof.state import State, Tally
from runtime.workers import serve_parent

#: Lines in a chunk, what one process does at a time and the state counts in. A leaf gains from those before it there.
CHUNK = 512

#: Seconds between calls of ``show`` when nothing was finished.
_TICK = 1.0


@dataclass(frozen=True)
class Outcome:
    """What a check found.

    fault: the first wrong line, all before it being right; None when every line that was to be checked is.
    tally: all work, that of earlier runs included.
    earlier: lines that are believed to have been checked by earlier runs.
    """

    fault: Fault | None
    tally: Tally
    earlier: int


def check_lines(certificate: Certificate, indices: Sequence[int]) -> tuple[Tally, Fault | None]:
    """Check lines by index, up to the first that is wrong; return the work done and that line."""
    started = time.process_time()
    judge = Judge(certificate.claim)
    leaves = done = 0
    fault = None
    for index in indices:
        fault = line_fault_of(certificate, index, judge)
        if fault is not None:
            break
        done += 1
        leaves += _is_leaf(certificate, index)
    return Tally(done, leaves, judge.nodes, time.process_time() - started), fault


def _is_leaf(certificate: Certificate, index: int) -> bool:
    return int(certificate.lines[index][:2]) == certificate.leaf


def chunks_of(certificate: Certificate, sample: Sequence[int] | None = None) -> dict[int, Sequence[int]]:
    """Return the indices of the lines to check, those before the first that is wrong in its form, in numbered chunks.

    sample: these lines only, by ascending index, instead of all.
    """
    end = len(certificate.lines) if certificate.fault is None else certificate.fault.number - certificate.first
    indices = range(max(end, 0)) if sample is None else [index for index in sample if index < end]
    return {start // CHUNK: indices[start : start + CHUNK] for start in range(0, len(indices), CHUNK)}


def open_state(path: str | Path, certificate: Certificate) -> State:
    """Return what earlier checks of all lines noted in a file, where this one will note more; raises as State does."""
    sizes = {
        number: (len(indices), sum(_is_leaf(certificate, index) for index in indices))
        for number, indices in chunks_of(certificate).items()
    }
    return State(path, certificate.digest, sizes)


def check(
    certificate: Certificate,
    *,
    workers: int = 1,
    state: State | None = None,
    sample: Sequence[int] | None = None,
    show: Callable[[Tally], None] = lambda tally: None,
) -> Outcome:
    """Check a certificate's lines, those before the first that is wrong in its form, and say what was found.

    workers: processes; 1 works in this one.
    state: chunks not to be done again, and where to note the others.
    sample: as in chunks_of().
    show: called with all work done, after each chunk and about once a second while processes are at work.
    Raises BrokenProcessPool when a worker dies, and OSError when the state cannot be written.
    """
    done = {} if state is None else dict(state.done)
    run = _Run(chunks_of(certificate, sample), done, state, show)
    run.work(certificate, workers)
    return Outcome(run.fault or certificate.fault, run.tally, sum(tally.lines for tally in done.values()))


@dataclass
class _Run:
    chunks: dict[int, Sequence[int]]
    done: dict[int, Tally]
    state: State | None
    show: Callable[[Tally], None]
    fault: Fault | None = None
    faulty: int | None = None
    tally: Tally = field(default_factory=Tally)

    def work(self, certificate: Certificate, workers: int) -> None:
        """Do what is not done, up to the chunk of the first fault."""
        for tally in self.done.values():
            self.tally = self.tally.plus(tally)
        self.show(self.tally)
        todo = [number for number in self.chunks if number not in self.done]
        if workers == 1 or len(todo) < 2:
            for number in todo:
                self._take(number, *check_lines(certificate, self.chunks[number]))
                if self.fault:
                    return
        else:
            self._share(certificate, todo, min(workers, len(todo)))

    def _take(self, number: int, tally: Tally, fault: Fault | None) -> None:
        self.tally = self.tally.plus(tally)
        if fault is None and self.state is not None:
            self.state.add(number, tally)
        if fault is not None and (self.faulty is None or number < self.faulty):
            self.fault, self.faulty = fault, number
        self.show(self.tally)

    def _share(self, certificate: Certificate, todo: list[int], workers: int) -> None:
        others = set(multiprocessing.active_children())
        fork = multiprocessing.get_context("fork")
        pool = ProcessPoolExecutor(workers, fork, _start_worker, (certificate,))
        try:
            self._collect(pool, todo, workers)
        finally:
            # Nobody waits for the chunks that are under way: they are done again, or behind the first fault.
            pool.shutdown(wait=False, cancel_futures=True)
            for child in set(multiprocessing.active_children()) - others:
                child.terminate()

    def _collect(self, pool: ProcessPoolExecutor, todo: list[int], workers: int) -> None:
        # Chunks go out in order, and none after a fault is known: those before it are finished, so it is the first.
        waiting = iter(todo)
        busy: dict[Future[tuple[Tally, Fault | None]], int] = {}
        while True:
            while len(busy) < 2 * workers and self.faulty is None and (number := next(waiting, None)) is not None:
                busy[pool.submit(_check_chunk, self.chunks[number])] = number
            first = min(busy.values(), default=None)
            if first is None or (self.faulty is not None and first > self.faulty):
                return
            finished = wait(busy, _TICK, FIRST_COMPLETED).done
            for future in finished:
                number = busy.pop(future)
                self._take(number, *future.result())
            if not finished:
                self.show(self.tally)


#: This process's certificate, when it is a worker.
_certificate: Certificate | None = None


def _start_worker(certificate: Certificate) -> None:
    global _certificate
    _certificate = certificate
    serve_parent()


def _check_chunk(indices: Sequence[int]) -> tuple[Tally, Fault | None]:
    if _certificate is None:
        raise RuntimeError("_check_chunk() before _start_worker()")
    return check_lines(_certificate, indices)
