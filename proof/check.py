"""The command ``little-go check``: a certificate's lines, all or some of them, in chunks, by several processes.

A line is checked by itself, so the work is cut into chunks. Only proof.checker decides what is right: compiled for all
lines, and run by the interpreter, as it stands, for some of them again. A file keeps the progress if the user asks for
it.
"""

import gc
import hashlib
import math
import multiprocessing
import random
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import partial, reduce
from pathlib import Path
from typing import Any, NamedTuple, NoReturn

import click

from crew.jobs import Crew, processes
from proof.checker import certificate as as_it_stands
from proof.checker.certificate import BadCertificate, Certificate, Fault, read_certificate
from proof.compiled import NotCompiled, compiled_checker, load_compiled, source_of_checker
from runtime.display import Display
from runtime.errors import BELIEVED, FOUND, BadUsage, exit_interrupted
from runtime.journal import Journal
from runtime.options import FILE, seed_option, workers_option
from runtime.release import here_or_shipped
from runtime.terminal import printable


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

    def __init__(
        self, path: str | Path, digest: str, checker: str, chunks: Mapping[int, tuple[int, int]], renew: bool = False
    ) -> None:
        """Read the file, if there is one, and make it ready for more.

        digest: of the certificate. checker: its version. chunks: the lines of each, and the leaves among them, by
        number. renew: start over where the file is about another certificate or checker.
        Raises JournalError for a file about another certificate or checker, or that holds what no check can have
        written, and leaves it as it is; and OSError.
        """
        self.done: dict[int, WorkDone] = {}
        self._chunks = chunks
        head = {"certificate": digest, "checker": checker, "chunks": len(chunks)}
        remedy = "remove the file, or name another"
        self._journal = Journal(Path(path), self._take, remedy, head=head, renew=renew)

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
    return hashlib.sha256(b"".join(source_of_checker().values())).hexdigest()


#: Lines in a chunk: a process checks one chunk at a time, and the state counts in chunks. The leaves of a chunk share a
#: memory, so chunks of 512 lines would take a tenth more positions.
CHUNK = 4096

#: Of a certificate that is checked compiled, the interpreter checks the first leaves, and then one line in so many
#: again, in chunks that keep all processes busy. One that has no more leaves is checked by the interpreter alone.
FIRST_LEAVES, ONE_IN, CHUNK_AGAIN = 1000, 50, 512

#: Seconds between calls of ``show`` within chunks.
_TICK = 1.0


class Chunk(NamedTuple):
    """Lines to check, by ascending index. again: by the interpreter, after they were checked compiled."""

    indices: Sequence[int]
    again: bool = False


@dataclass(frozen=True)
class Outcome:
    """The result of a check.

    fault: the first wrong line, all before it being right; None when every line that was to be checked is.
    tally: all work but that of ``again``, that of earlier runs included.
    again: the interpreter's work on lines that were checked compiled.
    earlier: lines that are believed to have been checked by earlier runs.
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
    """Check lines by index, up to the first that is wrong; return the work done and that line.

    note: called with the work so far, about once a second. compiled: the folder of the compiled checker; None for the
    interpreter, which also has the last word on a line that the other finds wrong.
    """
    started = time.process_time()
    checker: Any = as_it_stands if compiled is None else load_compiled(compiled)
    own = replace(certificate, claim=checker.Claim(*certificate.claim))
    judge = checker.Judge(own.claim)
    leaves = done = 0
    fault = None
    due = time.monotonic() + _TICK
    with _uncollected():
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
        fault = plain or Fault(fault.number, fault.line, f"{fault.why}, by the compiled checker alone")
    return WorkDone(done, leaves, judge.nodes, time.process_time() - started), fault


@contextmanager
def _uncollected() -> Iterator[None]:
    """Keep Python from looking for cycles, of which the checker makes none among its hundred thousands of groups."""
    collects = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collects:
            gc.enable()


def _is_leaf(certificate: Certificate, index: int) -> bool:
    return int(certificate.lines[index][:2]) == certificate.leaf


def indices_of(certificate: Certificate, sample: Sequence[int] | None = None) -> Sequence[int]:
    """Return the indices of the lines to check: those before the first that is wrong in its form.

    sample: of these lines only, by ascending index, instead of all.
    """
    end = len(certificate.lines) if certificate.fault is None else certificate.fault.number - certificate.first
    return range(max(end, 0)) if sample is None else [index for index in sample if index < end]


def has_many_leaves(certificate: Certificate, sample: Sequence[int] | None = None) -> bool:
    """Return whether there are so many leaves to check that it is worth to compile the checker."""
    return len([index for index in indices_of(certificate, sample) if _is_leaf(certificate, index)]) > FIRST_LEAVES


def chunks_of(
    certificate: Certificate, sample: Sequence[int] | None = None, compiled: bool = False
) -> dict[int, Chunk]:
    """Return the lines to check in numbered chunks; where they are checked compiled, those to check again come last.

    sample: as in indices_of().
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
    """Open the file in which checks of all lines note their progress; raises as CheckNotes does."""
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
    """Check a certificate's lines, those before the first that is wrong in its form, and say what was found.

    workers: processes; 1 works in this one.
    compiled: the folder of the compiled checker, which checks all lines, and the interpreter some again; None for the
    interpreter alone.
    state: chunks not to be done again, and where to note the others; opened for the same ``compiled``.
    sample: as in indices_of().
    show: called with all work done, after each chunk and now and then within them.
    Raises LostWorkers, and OSError when the state cannot be written.
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
        """Do what is not done, up to the chunk of the first fault."""
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
            fault = fault._replace(why=f"{fault.why}, by the interpreter alone")
        if fault is not None and (self.faulty is None or number < self.faulty):
            self.fault, self.faulty = fault, number
        self._show_with()

    def _share(self, certificate: Certificate, todo: list[int], workers: int) -> None:
        notes = _Notes(2 * workers)
        crew = Crew(processes(_check_chunk, workers, _start_worker, certificate, notes, self.compiled))
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
                yield _Order(number, *self.chunks[number], slot)

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
    again: bool
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


#: This process's certificate, where it notes its work, and the folder of the compiled checker, when it is a worker.
_work: tuple[Certificate, _Notes, Path | None] | None = None


def _start_worker(certificate: Certificate, notes: _Notes, compiled: Path | None) -> None:
    global _work
    _work = certificate, notes, compiled


def _check_chunk(order: _Order) -> tuple[WorkDone, Fault | None]:
    if _work is None:
        raise RuntimeError("_check_chunk() before _start_worker()")
    certificate, notes, compiled = _work
    checker = None if order.again else compiled
    return check_lines(certificate, order.indices, partial(notes.put, order.slot), checker)


#: Characters of a wrong line that a verdict shows: a right line has at most 46, and a claim 60.
_MOST_SHOWN = 80

#: Seconds between plain lines.
PLAIN_INTERVAL = 30.0


@click.command("check")
@click.argument("certificates", metavar="CERTIFICATE...", nargs=-1, required=True)
@workers_option()
@click.option("--sample", type=click.IntRange(1))
@seed_option()
@click.option(
    "--notes",
    type=FILE,
)
@click.option("--plain", is_flag=True)
def check_command(
    certificates: tuple[str, ...], workers: int, sample: int | None, seed: int, notes: Path | None, plain: bool
) -> None:
    """Check certificates: strategies by which one side guarantees a bound on the result.

    Name files, or those that ship without ".cert.gz": game-at-least-3.

    It uses only the rules and a search of its own. A clone compiles it, once: it checks all lines, and the interpreter
    the first thousand leaves and one line in fifty again. For each certificate it prints "proved", or names the first
    wrong line and exits with 1. A verdict that counts lines checked earlier, according to --notes, begins with that and
    exits with 3.
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
    """Check a certificate, or a sample of its lines, and print the verdict; exit if it is wrong or rests on notes."""
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
                display.show(f"{Path(path).name}: {_standing(tally, total)}", tally.lines, total)

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


#: How a verdict names who has checked the lines, and some of them again.
INTERPRETER, COMPILED = "by the interpreter", "by the compiled checker"


def fastest_checker(certificate: Certificate, sample: Sequence[int] | None = None) -> tuple[Path | None, str]:
    """Return the folder of the compiled checker, None for the interpreter alone, and how a verdict names it."""
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
        # A file whose first line is another is a different file, and not a wrong certificate.
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


def _standing(tally: WorkDone, total: int) -> str:
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
