"""The command ``little-go check``, which checks all or some lines of a certificate with several processes.

Each line can be checked independently, so the processes work on chunks of lines. Only proof.checker decides whether a
line is right. A compiled copy of the checker checks all lines, and the interpreter checks some lines again. With
--notes, a file records the progress.
"""

import hashlib
import math
import multiprocessing
import random
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial, reduce
from pathlib import Path
from typing import Any, NamedTuple, NoReturn

import click

from little_go.crew.jobs import Crew, processes
from little_go.proof.checker import certificate as interpreted_checker
from little_go.proof.checker.certificate import BadCertificate, Certificate, Fault, read_certificate
from little_go.proof.compiled import NotCompiled, compiled_checker, load_compiled, source_of_checker
from little_go.runtime.collector import without_collector
from little_go.runtime.display import Display
from little_go.runtime.errors import BELIEVED, FOUND, BadUsage, exit_interrupted
from little_go.runtime.journal import Journal
from little_go.runtime.options import FILE, seed_option, workers_option
from little_go.runtime.release import here_or_shipped
from little_go.runtime.terminal import printable


class WorkDone(NamedTuple):
    """An amount of work: the number of checked lines, the number of leaves among these lines, the number of searched
    positions, and CPU seconds.
    """

    lines: int = 0
    leaves: int = 0
    nodes: int = 0
    cpu: float = 0.0

    def plus(self, other: "WorkDone") -> "WorkDone":
        """Return the sum of the two amounts of work."""
        return WorkDone(
            self.lines + other.lines, self.leaves + other.leaves, self.nodes + other.nodes, self.cpu + other.cpu
        )


class CheckNotes:
    """The finished chunks of lines, in a journal.

    Public attribute: ``done``, the work on each chunk by chunk number.
    """

    def __init__(
        self, path: str | Path, digest: str, checker: str, chunks: Mapping[int, tuple[int, int]], renew: bool = False
    ) -> None:
        """Open the file for notes, and read its notes or create it.

        digest: the certificate's hash. checker: the checker's version. chunks: the number of lines and the number of
        leaves of each chunk, by chunk number. renew: whether to overwrite a file of another certificate or checker.
        Raise JournalError if the file is of another certificate or checker, or contains rows that no check can have
        written. After such an error the file is unchanged.
        """
        self.done: dict[int, WorkDone] = {}
        self._chunks = chunks
        head = {"certificate": digest, "checker": checker, "chunks": len(chunks)}
        remedy = "remove the file, or name another"
        self._journal = Journal(Path(path), self._take, remedy, head=head, renew=renew)

    def _take(self, values: Any) -> int:
        """Add a chunk from a row of the file, and return the chunk's number.

        Raise ValueError if the row is not valid.
        """
        fault = ValueError("not a row that a check has written")
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
        """Write a finished chunk into the file."""
        self.done[number] = work
        self._journal.add((number, [number, *work]))

    def close(self) -> None:
        """Close the file, so that another check can use it."""
        self._journal.close()


def checker_version() -> str:
    """Return a hash of the checker's source, which identifies the checker whose results are in a file of notes."""
    return hashlib.sha256(b"".join(source_of_checker().values())).hexdigest()


#: The number of lines in a chunk, which is the unit of work of a process and of the notes. The leaves of a chunk share
#: a table, so with chunks of 512 lines a tenth more positions would be searched.
CHUNK = 4096

#: If the compiled checker checks a certificate, the interpreter checks the first FIRST_LEAVES leaves and one line in
#: ONE_IN again, in chunks of CHUNK_AGAIN lines, which are small enough to keep all processes busy. A certificate with
#: fewer leaves is checked only by the interpreter.
FIRST_LEAVES, ONE_IN, CHUNK_AGAIN = 500, 100, 512

#: Seconds between two reports of progress within a chunk.
_TICK = 1.0


class Chunk(NamedTuple):
    """The ascending indices of lines.

    again: whether the interpreter checks the lines again, after the compiled checker.
    """

    indices: Sequence[int]
    again: bool = False


@dataclass(frozen=True)
class Outcome:
    """The result of a check.

    fault: the first wrong line, or None if all lines to check are right. tally: the work of the first check of each
    line, including the work of earlier runs. again: the interpreter's work on lines that the compiled checker had
    checked. earlier: the number of lines that were not checked in this run, because an earlier run checked them
    according to the notes.
    """

    fault: Fault | None
    tally: WorkDone
    again: WorkDone
    earlier: int


def check_lines(
    certificate: Certificate,
    indices: Sequence[int],
    note: Callable[[WorkDone], None] = lambda tally: None,
    compiled: Path | None = None,
) -> tuple[WorkDone, Fault | None]:
    """Check lines up to the first wrong line. Return the work, and the wrong line or None.

    indices: the indices of the lines. note: a function that is called with the work so far, about once a second.
    compiled: the folder of the compiled checker, or None for the interpreter. The interpreter also checks a line that
    the compiled checker finds wrong.
    """
    started = time.process_time()
    checker: Any = interpreted_checker if compiled is None else load_compiled(compiled)
    own = replace(certificate, claim=checker.Claim(*certificate.claim))
    judge = checker.Judge(own.claim)
    leaves = done = 0
    fault = None
    due = time.monotonic() + _TICK
    # The checker makes many objects, but no cycles.
    with without_collector():
        for index in indices:
            fault = checker.line_fault_of(own, index, judge)
            if fault is not None:
                break
            done += 1
            leaves += _is_leaf(certificate, index)
            if time.monotonic() >= due:
                due = time.monotonic() + _TICK
                note(WorkDone(done, leaves, judge.nodes, time.process_time() - started))
    if fault is not None and compiled is not None:
        _, plain = check_lines(certificate, [index])
        fault = plain or Fault(
            fault.number, fault.line, f"{fault.why}, according to the compiled checker, but not to the interpreter"
        )
    return WorkDone(done, leaves, judge.nodes, time.process_time() - started), fault


def _is_leaf(certificate: Certificate, index: int) -> bool:
    return int(certificate.lines[index][:2]) == certificate.leaf


def indices_of(certificate: Certificate, sample: Sequence[int] | None = None) -> Sequence[int]:
    """Return the indices of the lines to check, which are the lines before the first malformed line.

    sample: the ascending indices to choose from, or None for all lines.
    """
    end = len(certificate.lines) if certificate.fault is None else certificate.fault.number - certificate.first
    return range(max(end, 0)) if sample is None else [index for index in sample if index < end]


def has_many_leaves(certificate: Certificate, sample: Sequence[int] | None = None) -> bool:
    """Return whether so many leaves must be checked that compiling the checker saves time."""
    return len([index for index in indices_of(certificate, sample) if _is_leaf(certificate, index)]) > FIRST_LEAVES


def chunks_of(
    certificate: Certificate, sample: Sequence[int] | None = None, compiled: bool = False
) -> dict[int, Chunk]:
    """Return the lines to check, in numbered chunks.

    sample: the same as in indices_of(). compiled: whether the compiled checker checks the lines. With the compiled
    checker, the last chunks contain the lines that the interpreter checks again.
    """
    indices = indices_of(certificate, sample)
    chunks = [Chunk(indices[start : start + CHUNK]) for start in range(0, len(indices), CHUNK)]
    if compiled:
        leaves = [index for index in indices if _is_leaf(certificate, index)][:FIRST_LEAVES]
        again = sorted({*leaves, *indices[::ONE_IN]})
        chunks += [Chunk(again[start : start + CHUNK_AGAIN], True) for start in range(0, len(again), CHUNK_AGAIN)]
    return dict(enumerate(chunks))


def open_state(
    path: str | Path, certificate: Certificate, compiled: Path | None = None, renew: bool = False
) -> CheckNotes:
    """Open the file of notes for a check of all lines."""
    chunks = {
        number: (len(indices), sum(_is_leaf(certificate, index) for index in indices))
        for number, (indices, _) in chunks_of(certificate, compiled=compiled is not None).items()
    }
    checker = checker_version() if compiled is None else f"{checker_version()}, compiled"
    return CheckNotes(path, certificate.digest, checker, chunks, renew)


def check(
    certificate: Certificate,
    *,
    workers: int = 1,
    compiled: Path | None = None,
    state: CheckNotes | None = None,
    sample: Sequence[int] | None = None,
    show: Callable[[WorkDone], None] = lambda tally: None,
) -> Outcome:
    """Check the lines of a certificate that precede the first malformed line.

    workers: the number of processes; if it is 1, this process does the work. compiled: the folder of the compiled
    checker, or None to use only the interpreter. state: the notes of finished chunks, opened with the same
    ``compiled``, to which new chunks are added; None for no notes. sample: the same as in indices_of(). show: a
    function that is called with all work so far, after each chunk and about once a second within chunks. Raise
    LostWorkers if workers die again and again, and OSError if the notes cannot be written.
    """
    done = {} if state is None else dict(state.done)
    run = _Run(chunks_of(certificate, sample, compiled is not None), done, state, show, compiled)
    run.work(certificate, workers)
    earlier = sum(tally.lines for number, tally in done.items() if not run.chunks[number].again)
    return Outcome(run.fault or certificate.fault, run.tally, run.again, earlier)


@dataclass
class _Run:
    chunks: dict[int, Chunk]
    done: dict[int, WorkDone]
    state: CheckNotes | None
    show: Callable[[WorkDone], None]
    compiled: Path | None
    fault: Fault | None = None
    faulty: int | None = None
    tally: WorkDone = field(default_factory=WorkDone)
    again: WorkDone = field(default_factory=WorkDone)

    def work(self, certificate: Certificate, workers: int) -> None:
        """Check the unfinished chunks, until the first wrong line is known."""
        for number, tally in self.done.items():
            self._add(number, tally)
        self._show_with()
        todo = [number for number in self.chunks if number not in self.done]
        if workers == 1 or len(todo) < 2:
            for number in todo:
                indices, again = self.chunks[number]
                checker = None if again else self.compiled
                self._take(number, *check_lines(certificate, indices, self._show_with, checker))
                if self.fault:
                    return
        else:
            self._share(certificate, todo, min(workers, len(todo)))

    def _show_with(self, *under_way: WorkDone) -> None:
        self.show(reduce(WorkDone.plus, under_way, self.tally.plus(self.again)))

    def _add(self, number: int, tally: WorkDone) -> None:
        if self.chunks[number].again:
            self.again = self.again.plus(tally)
        else:
            self.tally = self.tally.plus(tally)

    def _take(self, number: int, tally: WorkDone, fault: Fault | None) -> None:
        self._add(number, tally)
        if fault is None and self.state is not None:
            self.state.add(number, tally)
        if fault is not None and self.chunks[number].again:
            fault = fault._replace(why=f"{fault.why}, according to the interpreter, but not to the compiled checker")
        if fault is not None and (self.faulty is None or number < self.faulty):
            self.fault, self.faulty = fault, number
        self._show_with()

    def _share(self, certificate: Certificate, todo: list[int], workers: int) -> None:
        notes = _SharedProgress(2 * workers)
        crew = Crew(processes(_check_chunk, workers, _start_worker, certificate, notes, self.compiled))
        try:
            self._collect(crew, todo, notes)
        finally:
            # Do not wait for the chunks in flight: they follow the first wrong line, or a later check repeats them.
            crew.pool.end()

    def _collect(
        self, crew: "Crew[_ChunkJob, tuple[WorkDone, Fault | None]]", todo: list[int], notes: "_SharedProgress"
    ) -> None:
        # Chunks are submitted in order, and no chunk is submitted after a wrong line was found. The earlier chunks are
        # finished, so the result is the first wrong line.
        free = list(range(notes.slots))

        def orders() -> Iterator[_ChunkJob]:
            for number in todo:
                slot = free.pop()
                notes.put(slot, WorkDone())
                yield _ChunkJob(number, *self.chunks[number], slot)

        for results in crew.rounds(orders(), lambda: self.faulty is not None):
            for order, result in results:
                free.append(order.slot)
                self._take(order.number, *result)
            left = crew.jobs
            if self.faulty is not None and all(order.number > self.faulty for order in left):
                return
            self._show_with(*(notes.get(order.slot) for order in left))


class _ChunkJob(NamedTuple):
    """A chunk of lines for a worker. slot: the place of the chunk's progress in the shared memory."""

    number: int
    indices: Sequence[int]
    again: bool
    slot: int


class _SharedProgress:
    """The progress of the processes within their chunks, in shared memory that is made before the processes start.

    Public attribute: ``slots``, the maximum number of chunks.
    """

    def __init__(self, slots: int) -> None:
        self.slots = slots
        self._counts = multiprocessing.RawArray("Q", 3 * slots)

    def put(self, slot: int, tally: WorkDone) -> None:
        """Store the work on a chunk, without its CPU time."""
        self._counts[3 * slot : 3 * slot + 3] = tally[:3]

    def get(self, slot: int) -> WorkDone:
        """Return the stored work on a chunk. The result may mix the numbers of two successive calls of put()."""
        return WorkDone(*self._counts[3 * slot : 3 * slot + 3])


#: In a worker: the certificate, the memory for its progress, and the folder of the compiled checker or None.
_work: tuple[Certificate, _SharedProgress, Path | None] | None = None


def _start_worker(certificate: Certificate, notes: _SharedProgress, compiled: Path | None) -> None:
    global _work
    _work = certificate, notes, compiled


def _check_chunk(order: _ChunkJob) -> tuple[WorkDone, Fault | None]:
    if _work is None:
        raise RuntimeError("_check_chunk() before _start_worker()")
    certificate, notes, compiled = _work
    checker = None if order.again else compiled
    return check_lines(certificate, order.indices, partial(notes.put, order.slot), checker)


#: The maximum number of characters of a wrong line in a verdict. A right line has at most 46 characters, and a claim
#: has at most 60.
_MOST_SHOWN = 80

#: Seconds between two lines of progress if the output is not a terminal.
PLAIN_INTERVAL = 30.0


@click.command("check")
@click.argument("certificates", metavar="CERTIFICATE...", nargs=-1, required=True)
@workers_option()
@click.option("--sample", type=click.IntRange(1), show_default="all")
@seed_option()
@click.option(
    "--notes",
    type=FILE,
)
@click.option("--plain", is_flag=True)
def check_command(
    certificates: tuple[str, ...], workers: int, sample: int | None, seed: int, notes: Path | None, plain: bool
) -> None:
    """Check certificates: strategies that guarantee a result.

    CERTIFICATE is a file, or the name of a shipped certificate without ".cert.gz", such as game-at-least-3.

    The checker uses only the rules and its own search. In a clone, a compiled copy checks all lines, and the
    interpreter checks the first 500 leaves and one line in 100 again. For each certificate the command prints "proved",
    or it prints the first wrong line and exits with 1. If an earlier run checked some lines, according to --notes, the
    verdict says so and the exit code is 3.
    """
    if notes is not None and (sample is not None or len(certificates) > 1):
        raise BadUsage("--notes needs exactly one certificate and no --sample")
    for path in certificates:
        if len(certificates) > 1:
            click.echo(f"{path}: ", nl=False)
        check_one(path, workers, sample, seed, notes, plain)


def check_one(
    path: str, workers: int, sample: int | None, seed: int = 0, notes: Path | None = None, plain: bool = False
) -> None:
    """Check a certificate, or a sample of its lines, and print the verdict.

    Exit if the certificate is wrong, or if the verdict relies on notes. sample: the number of lines to draw at random,
    or None for all lines. notes: the file of the progress, or None. plain: whether to use only the interpreter.
    """
    started = time.monotonic()
    read = _read(path)
    drawn = None
    if sample is not None:
        drawn = sorted(random.Random(seed).sample(range(len(read.lines)), min(sample, len(read.lines))))
    compiled, by = (None, INTERPRETER) if plain else fastest_checker(read, drawn)
    state = None if notes is None else open_state(notes, read, compiled)
    total = sum(len(chunk.indices) for chunk in chunks_of(read, drawn, compiled is not None).values())
    done = WorkDone()
    try:
        with Display(PLAIN_INTERVAL) as display:

            def show(tally: WorkDone) -> None:
                nonlocal done
                done = tally
                display.show(f"{Path(path).name}: {_progress_text(tally, total)}", tally.lines, total)

            outcome = check(read, workers=workers, compiled=compiled, state=state, sample=drawn, show=show)
    except KeyboardInterrupt:
        exit_interrupted(f"interrupted: {done.lines:,} of {total:,} lines checked, no error so far")
    finally:
        if state is not None:
            state.close()
    if outcome.fault is not None:
        _exit_wrong(outcome.fault)
    click.echo(_verdict(read, outcome, by, drawn is not None, time.monotonic() - started, notes))
    if outcome.earlier:
        sys.exit(BELIEVED)


#: The phrases for the two checkers in a verdict.
INTERPRETER, COMPILED = "by the interpreter", "by the compiled checker"


def fastest_checker(certificate: Certificate, sample: Sequence[int] | None = None) -> tuple[Path | None, str]:
    """Return the folder of the compiled checker, or None for the interpreter, and the checker's name in a verdict."""
    if not has_many_leaves(certificate, sample):
        return None, INTERPRETER
    try:
        return compiled_checker(), COMPILED
    except NotCompiled as error:
        return None, f"{INTERPRETER} ({error})"


def _read(path: str) -> Certificate:
    file = _file_of(path)
    if file.exists() and not (file.is_file() or file.is_dir()):
        raise BadUsage(f"{file}: not a plain file")
    try:
        read = read_certificate(str(file))
    except BadCertificate as error:
        # A file with another first line is not a certificate, so it is not a wrong certificate either.
        if error.fault.number == 1:
            raise BadUsage(f"{file}: not a certificate: {error.fault.why}") from None
        _exit_wrong(error.fault)
    if read.fault is not None:
        click.echo(f"{_fault_text(read.fault)}\nchecking the lines before it", err=True)
    return read


def _file_of(name: str) -> Path:
    folders = ("proof/certificates", "proof/certificates/large")
    named = [here_or_shipped(each) for each in (name, *(f"{folder}/{name}.cert.gz" for folder in folders))]
    return next(filter(Path.exists, named), named[0])


def _progress_text(tally: WorkDone, total: int) -> str:
    return f"{tally.lines:,} of {total:,} lines, {tally.leaves:,} leaves, {tally.nodes / 1e6:,.1f} M positions"


def _exit_wrong(fault: Fault) -> NoReturn:
    click.echo(f"wrong: {_fault_text(fault)}")
    sys.exit(FOUND)


def _fault_text(fault: Fault) -> str:
    line = printable(fault.line) or "(nothing)"
    return f"line {fault.number}: {line if len(line) <= _MOST_SHOWN else line[:_MOST_SHOWN] + '…'}: {fault.why}"


def _verdict(
    certificate: Certificate, outcome: Outcome, by: str, sampled: bool, seconds: float, notes: Path | None
) -> str:
    tally, again = outcome.tally, outcome.again
    twice = f", {again.lines:,} lines again {INTERPRETER}" if again.lines else ""
    work = (
        f"{tally.leaves:,} leaves, {tally.nodes:,} positions searched {by}{twice}, "
        f"CPU {tally.cpu + again.cpu:,.1f} s, on the clock {seconds:,.1f} s"
    )
    if sampled:
        return f"no error in {tally.lines:,} of {len(certificate.lines):,} lines (a sample is not a proof); {work}"
    counting = f", counting {outcome.earlier:,} lines checked earlier, according to {notes}" if outcome.earlier else ""
    return f"proved{counting}: {claim_text(certificate)}: {tally.lines:,} lines, {work}"


def claim_text(certificate: Certificate) -> str:
    """Return a certificate's claim in words."""
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
