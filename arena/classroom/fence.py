"""Read each submission, then compile and start its programs, in processes with limits, in a sandbox if possible.

This process lists names and copies bytes, within the limits of ``places``; only ``unpacking`` opens students' archives
and sources. Its errors, and those of a program's start, become notes for that student before the first game.
"""

import errno
import json
import sys
import tempfile
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, suppress
from functools import partial
from pathlib import Path
from queue import SimpleQueue
from typing import Any, NamedTuple

from arena.classroom.exports import StudentFiles
from arena.classroom.places import MOST_BYTES, BadPlace, Dropped, copy_file
from arena.classroom.submissions import AgentProgram, Submission
from arena.classroom.unpacking import ORDER_FILE, OUT, READ_FILE, SEEN_FILE, ReadingTerms, names_text
from arena.match.contestant import ProgramContestant
from arena.match.copying import copy_program
from arena.match.host import OPENING, judge
from arena.match.limits import Limits, ProgramError, Report, RunnerError, SandboxError
from arena.match.programs import NAMES, Runner, directory_digest, open_runner
from arena.match.python_source import NOT_CHECKED
from arena.standings.entrants import Entrant, Terms, UnknownAgent, open_contestant
from arena.standings.tally import seconds_text
from arena.standings.tournament import TournamentError
from crew.jobs import ExecutorPool, each, each_of, in_order
from runtime.files import read_file, remove_all, write_whole
from runtime.journal import Journal, JournalError
from runtime.terminal import printable

#: Limits of the process that reads a submission.
_LIMITS = Limits(cpu=8.0, wall=60.0, memory=384 << 20, processes=4)

#: Our packages, and those that the process needs.
_ROOT = Path(__file__).parents[2]
_NEEDED = tuple(_ROOT / name for name in ("arena", "player", "notation", "solver", "runtime"))

#: Without site packages the process starts faster.
_PROGRAM = "import sys; sys.path.insert(0, sys.argv.pop(1)); from arena.classroom.unpacking import main; main()"

#: Maximum bytes of the process's answers.
_MOST_ANSWER = 1 << 23


class SubmissionReader:
    """A reader of one submission at a time."""

    def __init__(self, terms: ReadingTerms, folder: Path, runner: Runner) -> None:
        """folder: for the programs, each in a directory named by its digest. runner: of the process."""
        self._terms, self._folder, self._runner = terms, folder, runner

    def read(self, handed: StudentFiles) -> Submission:
        """Return a student's submission, with its errors as notes. Raises RunnerError, OSError."""
        found = Submission(handed.name, handed.number, handed.email, handed.late, handed.key, handed.group)
        found.submitted, found.upload = handed.submitted, handed.upload
        found.dropped += handed.dropped
        if handed.late:
            found.note("marked as late by the export")
        if links := [printable(each.path) for each in handed.dropped if each.why == "a link is no file"]:
            found.note(f"left out, as a link is no file: {names_text(links)}")
        if others := [printable(each.path) for each in handed.dropped if each.why != "a link is no file"]:
            found.note(f"left out, as no file of a submission: {names_text(others)}")
        if handed.fault:
            found.note(f"not graded: {handed.fault}")
            return found
        directory = self._runner.home / "submission"
        directory.mkdir()
        try:
            self._read(handed, found, directory)
        except (BadPlace, ProgramError, ValueError, KeyError, TypeError) as error:
            found.programs.clear()
            found.note(f"not graded: {printable(' '.join(str(error).split()))[:200]}")
        finally:
            remove_all(directory)
        return found

    def _read(self, handed: StudentFiles, found: Submission, directory: Path) -> None:
        """Let the process read the files, and copy the programs; raises BadPlace, ProgramError, ValueError."""
        left = MOST_BYTES
        for number, part in enumerate(handed.parts):
            left -= copy_file(part, directory / str(number), left)
        parts = [(part.path, number) for number, part in enumerate(handed.parts)]
        order = {"terms": self._terms, "parts": parts}
        write_whole(directory / ORDER_FILE, json.dumps(order))
        report = self._run(directory)
        if not (directory / READ_FILE).is_file():
            raise BadPlace(f"its files cannot be opened: {_why(report)}")
        answer = _answer(directory / READ_FILE)
        found.dropped += [Dropped(*map(str, each)) for each in answer["dropped"]]
        found.note(*(printable(str(note)) for note in answer["notes"]))
        taken: dict[int, AgentProgram] = {}
        for stage, (number, file) in answer["programs"].items():
            if number not in taken:
                taken[number] = self._take(directory / OUT / str(int(number)), file)
            found.programs[int(stage)] = taken[number]
        if not (directory / SEEN_FILE).is_file():
            if found.programs:
                found.note(f"{NOT_CHECKED}: {_why(report)}")
            return
        for made, seen in _answer(directory / SEEN_FILE).items():
            program = taken[int(made)]
            found.imports[program.digest] = [printable(str(name)) for name in seen["imports"]]
            found.note(*(printable(str(note)) for note in seen["notes"]))

    def _run(self, directory: Path) -> Report:
        command = [sys.executable, "-I", "-S", "-c", _PROGRAM, str(_ROOT)]
        report = self._runner.run(command, directory, _LIMITS, _NEEDED)
        if report.exceeded == "wall":
            # The machine was busy: the process itself never waits.
            for name in (READ_FILE, SEEN_FILE):
                (directory / name).unlink(missing_ok=True)
            remove_all(directory / OUT)
            for path in directory.glob("archive-*.zip"):
                path.unlink()
            report = self._runner.run(command, directory, _LIMITS, _NEEDED)
        return report

    def _take(self, place: Path, file: str) -> AgentProgram:
        """Copy a program's files to the directory of its digest; raises ProgramError."""
        if file not in NAMES or not (place / file).is_file():
            raise ProgramError("its files were damaged while they were read")
        self._folder.mkdir(parents=True, exist_ok=True)
        draft = Path(tempfile.mkdtemp(prefix="reading-", dir=self._folder))
        try:
            copy_program(place / file, place, draft)
            digest = directory_digest(draft)[:32]
            for folder in (draft, *(each for each in draft.rglob("*") if each.is_dir())):
                folder.chmod(0o755)
            # Another student's program may be the same, but an earlier run's may have been changed since.
            kept = self._folder / digest
            with suppress(OSError):
                draft.rename(kept)
            if not kept.is_dir() or kept.is_symlink() or directory_digest(kept)[:32] != digest:
                remove_all(kept)
                draft.rename(kept)
        finally:
            remove_all(draft)
        return AgentProgram(file, digest, self._folder / digest)


def _answer(path: Path) -> dict[str, Any]:
    """Return the process's answer; raises ValueError if it is not an object."""
    try:
        found = json.loads(read_file(path, _MOST_ANSWER, plain=True))
    except OSError as error:
        if error.errno != errno.EFBIG:
            raise
        raise ValueError("there is more to say of it than can be read") from None
    if not isinstance(found, dict):
        raise ValueError("its files were damaged while they were read")
    return found


def _why(report: Report) -> str:
    if report.exceeded == "memory":
        return f"that takes more than {_LIMITS.memory >> 20} MiB of memory"
    if report.exceeded:
        return f"that takes more than {_LIMITS.cpu:g} s"
    last = report.errors.strip().splitlines()[-1:]
    return printable(last[0])[:120] if last else "the process that opens them ended early"


def read_all(
    students: Sequence[StudentFiles], terms: ReadingTerms, folder: Path, workers: int, *, sandboxed: bool
) -> Iterator[Submission]:
    """Yield the students' submissions in their order. folder: for the programs. Raises RunnerError, OSError."""
    free: SimpleQueue[SubmissionReader] = SimpleQueue()

    def read(handed: StudentFiles) -> Submission:
        reader = free.get()
        try:
            return reader.read(handed)
        finally:
            free.put(reader)

    with ExitStack() as stack:
        workers = max(1, min(workers, len(students)))
        for _ in range(workers):
            runner = stack.enter_context(open_runner(sandboxed))
            free.put(SubmissionReader(terms, folder, runner))
        # Threads, since each waits for a process.
        hire = partial(ExecutorPool, ThreadPoolExecutor(workers), read, workers)
        yield from in_order(students, each_of(hire, students))


#: The file of the results, so that a resumed run starts only new programs.
STARTS_FILE, STARTS_LOCK = "starts.jsonl", ".starts.lock"


#: Beginnings of notes: not graded, a compiler's warnings, and faults at the start.
NOT_GRADED, WITH_WARNINGS = "not graded", "compiled with warnings"
_NO_MOVE, _NO_GOOD_MOVE, _KILLED = (
    "no move when it was started",
    "its first move is none that counts",
    "killed for time when",
)
AT_START = (_NO_MOVE, _NO_GOOD_MOVE, _KILLED)


class Start(NamedTuple):
    """The result of a program's start.

    identity: of the agent, "" for one that cannot be prepared. notes: clauses.
    """

    identity: str
    notes: list[str]


def start_program(program: AgentProgram, terms: Terms) -> Start | None:
    """Compile a program, and ask it for Black's first move; None where the machine was too busy."""
    place, notes = program.place, list[str]()
    try:
        with open_contestant(Entrant("program", str(place)), terms) as contestant:
            reply = contestant.reply(OPENING)
            identity = contestant.identity
            if isinstance(contestant, ProgramContestant) and contestant.warnings:
                notes.append(f"{WITH_WARNINGS}: {contestant.warnings.replace(f'{place}/', '')}")
    except (UnknownAgent, RunnerError, SandboxError) as error:
        # Its path would not help anyone.
        words = str(error).replace(f"cannot use agent {str(place)!r}: ", "").replace(f"{place}/", "")
        return Start("", [f"{NOT_GRADED}: {words}", *notes])
    if reply.cpu_starved:
        return None
    if reply.text is None:
        notes.insert(0, f"{_NO_MOVE}: {reply.complaint or 'no output.txt'}")
    else:
        state = judge(OPENING, reply.text, terms.strict)
        # A PASS ends the game, but is a valid move.
        if state.result is not None and state.result.reason != "two_passes":
            notes.insert(0, f"{_NO_GOOD_MOVE}: {state.result.detail or state.result.reason}")
        if reply.killed:
            notes.insert(0, f"{_KILLED}, after {seconds_text(reply.cpu)} of CPU")
    return Start(identity, notes)


def start_all(
    programs: Mapping[str, AgentProgram],
    terms: Terms,
    settings: Mapping[str, Any],
    out: Path,
    workers: int,
    played: Collection[str],
    say: Callable[[str], None],
) -> Iterator[tuple[str, Start]]:
    """Yield each program's start, by digest, reusing those of earlier runs that a game confirms.

    settings: further dependencies of a start. out: the directory of the results. played: identities with a game, which
    are those of the programs themselves. say: prints a line. Raises TournamentError.
    """
    with _journal(out, settings, say) as journal:
        journal.keep(lambda row: row[1].identity in played)
        kept = dict(journal.rows)
        found = {digest: kept[digest] for digest in programs if digest in kept}
        yield from found.items()
        left = [program for digest, program in programs.items() if digest not in found]
        yield from _start_each(left, terms, workers, journal)


def _start_each(
    left: Sequence[AgentProgram], terms: Terms, workers: int, journal: Journal[tuple[str, Start]]
) -> Iterator[tuple[str, Start]]:
    begin = partial(start_program, terms=terms)
    for program, start in each(begin, left, workers, show="programs started"):
        if start is None:
            # Alone, it has the whole machine.
            start = begin(program) or Start("", [f"{NOT_GRADED}: the machine is too busy to start it"])
        else:
            journal.add(((program.digest, start), [program.digest, *start]))
        yield program.digest, start


def _journal(out: Path, settings: Mapping[str, Any], say: Callable[[str], None]) -> Journal[tuple[str, Start]]:
    """Open the earlier starts with the same settings. Raises OSError."""
    path, lock = out / STARTS_FILE, out / STARTS_LOCK
    try:
        return Journal(path, _kept, "remove it", head=settings, renew=True, lock=lock, sealed=True, damaged=say)
    except JournalError as error:
        raise TournamentError(str(error)) from None


def _kept(value: Any) -> tuple[str, Start]:
    digest, identity, notes = value
    return digest, Start(identity, list(notes))
