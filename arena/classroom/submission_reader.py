"""Read each submission in a separate process with limits, in a sandbox if possible.

This process only lists names and copies bytes, within the limits of ``places``. The separate process (``unpacking``)
opens the student's archives and sources. Errors of the separate process become notes for that student.
"""

import errno
import json
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, suppress
from functools import partial
from pathlib import Path
from queue import SimpleQueue
from typing import Any

from little_go.arena.classroom.basis import Basis, Cause
from little_go.arena.classroom.places import LINK, BadPlace, Dropped, Unreadable, copy_file
from little_go.arena.classroom.submissions import AgentProgram, Submission
from little_go.arena.classroom.unpacking import ORDER_FILE, OUT, READ_FILE, SEEN_FILE, ReadingTerms, names_text
from little_go.arena.match.copying import MOST_BYTES, copy_program
from little_go.arena.match.limits import Limits, MachineError, ProgramError, Report, RunnerError
from little_go.arena.match.programs import NAMES, Runner, directory_digest, open_runner
from little_go.arena.match.provided import lacking_text
from little_go.arena.match.python_source import NOT_CHECKED
from little_go.crew.jobs import ExecutorPool, each_of, in_order
from little_go.runtime.files import read_file, remove_all, write_whole
from little_go.runtime.terminal import printable

#: The limits of the process that reads a submission.
_LIMITS = Limits(cpu=8.0, wall=60.0, memory=384 << 20, processes=4)

#: The folder of Little-Go, and the files and folders in it that the reading process needs.
_OURS = Path(__file__).parents[2]
_NEEDED = tuple(_OURS / name for name in ("__init__.py", "arena", "player", "notation", "solver", "runtime"))

#: The Python code of the reading process, which starts faster without site packages.
_PROGRAM = (
    "import sys; sys.path.insert(0, sys.argv.pop(1)); from little_go.arena.classroom.unpacking import main; main()"
)

#: Maximum bytes of an answer from the reading process.
_MOST_ANSWER = 1 << 23


class SubmissionReader:
    """A reader of one submission at a time."""

    def __init__(self, terms: ReadingTerms, folder: Path, runner: Runner) -> None:
        """Prepare the reader.

        folder: the folder for programs, in which the name of a program's directory is its digest. runner: the runner of
        the reading process.
        """
        self._terms, self._folder, self._runner = terms, folder, runner

    def read(self, found: Submission) -> Submission:
        """Read a student's files, and return the submission with its errors as notes."""
        if found.late:
            found.note("marked as late by the export")
        if links := [printable(each.path) for each in found.dropped if each.why == LINK]:
            found.note(f"omitted, because {LINK}: {names_text(links)}")
        if strays := [printable(each.path) for each in found.dropped if each.why != LINK]:
            found.note(f"omitted, because not a file of a submission: {names_text(strays)}")
        cause = found.cause
        if not cause and not found.parts and found.entered:
            cause = Cause(Basis.NO_PROGRAM, f"a {found.entered} was entered, and no file was handed in")
        if cause := cause or self._read_files(found):
            for stage in self._terms.stages:
                found.drop(stage, cause)
        found.parts = []
        return found

    def _read_files(self, found: Submission) -> Cause | None:
        """Read the files in a process, and again if our machine fails; return the cause if there is no program."""
        cause = None
        for _ in range(2):
            found.programs.clear()
            found.causes.clear()
            directory = self._runner.home / "submission"
            directory.mkdir()
            try:
                cause = self._read(found, directory)
            except Unreadable as error:
                return Cause(Basis.OUR_FAULT, _clause(error))
            except BadPlace as error:
                return Cause(Basis.NO_PROGRAM, _clause(error))
            except (RunnerError, MachineError) as error:
                cause = Cause(Basis.OUR_FAULT, _clause(error))
            except ProgramError as error:
                return Cause(Basis.NO_PROGRAM, _clause(error).replace(f"{directory}/", ""))
            except (ValueError, KeyError, TypeError):
                cause = Cause(Basis.OUR_FAULT, "the result of the process that read it was damaged")
            finally:
                remove_all(directory)
            if cause is None or not cause.basis.is_open:
                return cause
        return cause

    def _read(self, found: Submission, directory: Path) -> Cause | None:
        """Read the files in a process, and copy the programs. Return the cause if the process wrote no result."""
        left = MOST_BYTES
        for number, part in enumerate(found.parts):
            left -= copy_file(part, directory / str(number), left)
        parts = [(part.path, number) for number, part in enumerate(found.parts)]
        order = {"terms": self._terms, "parts": parts}
        write_whole(directory / ORDER_FILE, json.dumps(order))
        command = [sys.executable, "-I", "-S", "-c", _PROGRAM, str(_OURS.parent)]
        report = self._runner.run(command, directory, _LIMITS, _NEEDED)
        if not (directory / READ_FILE).is_file():
            return _unopened(report)
        answer = _answer(directory / READ_FILE)
        copied: dict[int, AgentProgram] = {}
        for stage, (number, file) in answer["programs"].items():
            if number not in copied:
                copied[number] = self._copy(directory / OUT / str(int(number)), file, number in answer["given"])
            found.programs[int(stage)] = copied[number]
        for stage, words in answer["absent"].items():
            found.drop(int(stage), Cause(Basis.NO_PROGRAM, printable(str(words))))
        found.dropped += [Dropped(*map(str, each)) for each in answer["dropped"]]
        found.note(*(printable(str(note)) for note in answer["notes"]))
        if not (directory / SEEN_FILE).is_file():
            if found.programs:
                found.note(f"{NOT_CHECKED}: {_why(report)}")
            return None
        for made, seen in _answer(directory / SEEN_FILE).items():
            self._note_seen(found, copied[int(made)], seen)
        return None

    def _note_seen(self, found: Submission, program: AgentProgram, seen: Mapping[str, Any]) -> None:
        found.imports[program.digest] = [printable(str(name)) for name in seen["imports"]]
        found.note(*(printable(str(note)) for note in seen["notes"]))
        if seen["lacking"]:
            has_list = self._terms.provided is not None
            # If the course file lists the provided files, the students could know that this module is missing.
            basis = Basis.NO_START if has_list else Basis.NOT_PROVIDED
            cause = Cause(basis, f"{program.file} {lacking_text(seen['lacking'], has_list=has_list)}")
            for stage in [stage for stage, each in found.programs.items() if each is program]:
                found.drop(stage, cause)

    def _copy(self, place: Path, file: str, is_given: bool) -> AgentProgram:
        """Copy the files of a program to a directory whose name is the digest of the files."""
        if file not in NAMES or not (place / file).is_file():
            raise ValueError("its files were damaged while they were read")
        self._folder.mkdir(parents=True, exist_ok=True)
        draft = Path(tempfile.mkdtemp(prefix="reading-", dir=self._folder))
        try:
            copy_program(place / file, place, draft)
            digest = directory_digest(draft)[:32]
            for folder in (draft, *(each for each in draft.rglob("*") if each.is_dir())):
                folder.chmod(0o755)
            # A directory from another student or an earlier run is used only if its files still have this digest.
            kept = self._folder / digest
            with suppress(OSError):
                draft.rename(kept)
            if not kept.is_dir() or kept.is_symlink() or directory_digest(kept)[:32] != digest:
                remove_all(kept)
                draft.rename(kept)
        finally:
            remove_all(draft)
        return AgentProgram(file, digest, self._folder / digest, is_given)


def _answer(path: Path) -> dict[str, Any]:
    """Return an answer of the process, or raise BadPlace if it is too long, ValueError if it is not a JSON object."""
    try:
        found = json.loads(read_file(path, _MOST_ANSWER, plain=True))
    except OSError as error:
        if error.errno != errno.EFBIG:
            raise
        raise BadPlace("the list of its files and faults is too long") from None
    if not isinstance(found, dict):
        raise ValueError("its files were damaged while they were read")
    return found


def _clause(error: Exception) -> str:
    return printable(" ".join(str(error).split()))[:200]


def _unopened(report: Report) -> Cause:
    """Return the cause why a submission was not opened: the submission exceeded a limit, or our machine is at fault."""
    own = report.exceeded and report.exceeded != "wall"
    if own:
        return Cause(Basis.NO_PROGRAM, f"its files cannot be opened: {_why(report)}")
    why = "our machine was too busy to open it" if report.exceeded else f"our machine did not open it: {_why(report)}"
    return Cause(Basis.OUR_FAULT, why)


def _why(report: Report) -> str:
    if report.exceeded == "memory":
        return f"that takes more than {_LIMITS.memory >> 20} MiB of memory"
    if report.exceeded:
        return f"that takes more than {_LIMITS.cpu:g} s"
    last = report.errors.strip().splitlines()[-1:]
    return printable(last[0])[:120] if last else "the process that opens them ended early"


def read_all(
    students: Sequence[Submission], terms: ReadingTerms, folder: Path, workers: int, *, sandboxed: bool
) -> Iterator[Submission]:
    """Read the submissions of students, and yield them in order. folder: the folder for the programs."""
    free: SimpleQueue[SubmissionReader] = SimpleQueue()

    def read(found: Submission) -> Submission:
        reader = free.get()
        try:
            return reader.read(found)
        finally:
            free.put(reader)

    with ExitStack() as stack:
        workers = max(1, min(workers, len(students)))
        for _ in range(workers):
            runner = stack.enter_context(open_runner(sandboxed))
            free.put(SubmissionReader(terms, folder, runner))
        # Threads are enough, because each thread only waits for a process.
        hire = partial(ExecutorPool, ThreadPoolExecutor(workers), read, workers)
        yield from in_order(students, each_of(hire, students))
