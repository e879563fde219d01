"""The command ``little-go check``: a certificate's lines, all or some of them, in chunks, by several processes.

A line is checked by itself, so the work is cut into chunks. What is right and what is wrong, proof.checker alone says.
A file keeps the progress if the user asks for it.
"""

import hashlib
import math
import multiprocessing
import random
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial, reduce
from pathlib import Path
from typing import Any, NamedTuple, NoReturn

import click

from crew.jobs import Crew, processes
from proof.checker import certificate, rules, search
from proof.checker.certificate import BadCertificate, Certificate, Fault, line_fault_of, read_certificate
from proof.checker.search import Judge
from runtime.display import Display
from runtime.errors import BadUsage, exit_interrupted
from runtime.files import MIB, read_file
from runtime.journal import Journal
from runtime.options import FILE, seed_option, workers_option
from runtime.release import here_or_shipped


class WorkDone(NamedTuple):
    """Work done: lines checked, leaves among them, positions searched, seconds of CPU."""

    lines: int = 0
    leaves: int = 0
    nodes: int = 0
    cpu: float = 0.0

    def plus(self, other: "WorkDone") -> "WorkDone":
        """Return the sum of two."""
        return WorkDone(
            self.lines + other.lines, self.leaves + other.leaves, self.nodes + other.nodes, self.cpu + other.cpu
        )


class CheckNotes:
    """The chunks of lines that are done, in a journal.

    Public attribute ``done``: the chunks by number, with the work on them.
    """

    def __init__(self, path: str | Path, digest: str, chunks: Mapping[int, tuple[int, int]]) -> None:
        """Read the file, if there is one, and make it ready for more.

        digest: of the certificate. chunks: the lines of each, and the leaves among them, by number.
        Raises JournalError for a file about another certificate or checker, or that holds what no check can have
        written, and leaves it as it is; and OSError.
        """
        self.done: dict[int, WorkDone] = {}
        self._chunks = chunks
        head = {"certificate": digest, "checker": checker_version(), "chunks": len(chunks)}
        self._journal = Journal(Path(path), self._take, "remove the file, or name another", head=head)

    def _take(self, values: Any) -> int:
        """Take a chunk that was noted, and return its number; raises ValueError."""
        fault = ValueError("no check has written this")
        if not isinstance(values, list) or [type(value) for value in values] != [int, int, int, int, float]:
            raise fault
        number: int = values[0]
        work = WorkDone(*values[1:])
        is_possible = work.nodes >= 0 <= work.cpu < math.inf
        if number in self.done or self._chunks.get(number) != work[:2] or not is_possible:
            raise fault
        self.done[number] = work
        return number

    def add(self, number: int, work: WorkDone) -> None:
        """Note a chunk; raises OSError."""
        self.done[number] = work
        self._journal.add((number, [number, *work]))

    def close(self) -> None:
        """Let another check use the file."""
        self._journal.close()


def checker_version() -> str:
    """Return a hash of the checker's own source: what another checker found is not relied on."""
    sources = [Path(str(module.__file__)) for module in (rules, search, certificate)]
    return hashlib.sha256(b"".join(read_file(source, MIB) for source in sources)).hexdigest()


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

    note: called with the work so far, about once a second.
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
            # The chunks under way are not waited for: they are done again, or behind the first fault.
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


#: Exit code of a verdict that rests on notes.
BELIEVED = 3

#: Seconds between plain lines.
PLAIN_INTERVAL = 30.0


@click.command("check")
@click.argument("certificates", metavar="CERTIFICATE...", nargs=-1, required=True)
@workers_option("Number of processes.")
@click.option("--sample", type=click.IntRange(1), help="Check only so many lines of each, drawn at random.")
@seed_option("Chooses the lines that --sample draws.")
@click.option(
    "--notes",
    type=FILE,
    help="Note in this file what has been checked, and trust its notes of earlier checks of the same certificate.",
)
def check_command(
    certificates: tuple[str, ...], workers: int, sample: int | None, seed: int, notes: Path | None
) -> None:
    """Check certificates: strategies by which one side guarantees a bound on the result.

    Name files, or those that ship without ".cert.gz": game-at-least-3.

    It uses only the rules and a search of its own. For each certificate it prints "proved", or names the first wrong
    line and exits with 1. A verdict that counts lines checked earlier, according to --notes, begins with that and exits
    with 3.
    """
    if notes is not None and (sample is not None or len(certificates) > 1):
        raise BadUsage("--notes needs exactly one certificate and no --sample")
    for path in certificates:
        if len(certificates) > 1:
            click.echo(f"{path}: ", nl=False)
        check_one(path, workers, sample, seed, notes)


def check_one(path: str, workers: int, sample: int | None, seed: int = 0, notes: Path | None = None) -> None:
    """Check a certificate, or a sample of its lines, and print the verdict; exit if it is wrong or rests on notes."""
    started = time.monotonic()
    read, state = _open(path, notes)
    drawn = None
    if sample is not None:
        drawn = sorted(random.Random(seed).sample(range(len(read.lines)), min(sample, len(read.lines))))
    total = len(read.lines if drawn is None else drawn)
    done = WorkDone()
    try:
        with Display(PLAIN_INTERVAL) as display:

            def show(tally: WorkDone) -> None:
                nonlocal done
                done = tally
                display.show(f"{Path(path).name}: {_standing(tally, total)}", tally.lines, total)

            outcome = check(read, workers=workers, state=state, sample=drawn, show=show)
    except KeyboardInterrupt:
        exit_interrupted(f"interrupted: {done.lines:,} of {total:,} lines checked, no error so far")
    finally:
        if state is not None:
            state.close()
    if outcome.fault is not None:
        _exit_wrong(outcome.fault)
    click.echo(_verdict(read, outcome, drawn is not None, time.monotonic() - started, notes))
    if outcome.earlier:
        sys.exit(BELIEVED)


def _open(path: str, notes: Path | None) -> tuple[Certificate, CheckNotes | None]:
    file = _file_of(path)
    if file.exists() and not (file.is_file() or file.is_dir()):
        raise BadUsage(f"{file}: not a plain file")
    try:
        read = read_certificate(str(file))
    except BadCertificate as error:
        _exit_wrong(error.fault)
    if read.fault is not None:
        click.echo(f"{_fault_text(read.fault)}\nchecking the lines before it", err=True)
    return read, None if notes is None else open_state(notes, read)


def _file_of(name: str) -> Path:
    folders = ("proof/certificates", "proof/certificates/large")
    named = [here_or_shipped(each) for each in (name, *(f"{folder}/{name}.cert.gz" for folder in folders))]
    return next(filter(Path.exists, named), named[0])


def _standing(tally: WorkDone, total: int) -> str:
    return f"{tally.lines:,} of {total:,} lines, {tally.leaves:,} leaves, {tally.nodes / 1e6:,.1f} M positions"


def _exit_wrong(fault: Fault) -> NoReturn:
    click.echo(f"wrong: {_fault_text(fault)}")
    sys.exit(1)


def _fault_text(fault: Fault) -> str:
    return f"line {fault.number}: {fault.line or '(nothing)'}: {fault.why}"


def _verdict(certificate: Certificate, outcome: Outcome, sampled: bool, seconds: float, notes: Path | None) -> str:
    tally = outcome.tally
    work = (
        f"{tally.leaves:,} leaves, {tally.nodes:,} positions searched, "
        f"CPU {tally.cpu:,.1f} s, on the clock {seconds:,.1f} s"
    )
    if sampled:
        return f"no error in {tally.lines:,} of {len(certificate.lines):,} lines (a sample proves nothing); {work}"
    counting = f", counting {outcome.earlier:,} lines checked earlier, according to {notes}" if outcome.earlier else ""
    return f"proved{counting}: {claim_text(certificate)}: {tally.lines:,} lines, {work}"


def claim_text(certificate: Certificate) -> str:
    """Put a certificate's claim into words."""
    claim = certificate.claim
    side, bound = ("Black", "or more") if claim.black else ("White", "or less")
    starts = ", ".join(_start_text(start.text, start.reached) for start in certificate.starts)
    return f"{side} can keep Black - White at {claim.bound:+d} {bound} {starts}{_meaning(claim.black, claim.bound)}"


def _start_text(text: str, reached: bool) -> str:
    if text == "empty":
        return "from the empty board"
    if (text[0].isdigit() and text[1] == ",") or text.startswith("PASS"):
        return f"after {text}"
    return f"from {text}" + ("" if reached else ", which no game is shown to reach")


def _meaning(black: bool, bound: int) -> str:
    if black and bound >= 3:
        return "; so Black wins"
    return "; so White wins" if not black and bound <= 2 else ""
