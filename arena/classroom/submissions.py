"""A student's submission, with its programs and notes, and the result of the check of a class."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path, PurePath, PurePosixPath
from typing import Any

from little_go.arena.classroom.basis import Cause, cause_notes
from little_go.arena.classroom.places import Dropped, SubmittedFile
from little_go.arena.classroom.unpacking import names_text
from little_go.arena.match.copying import MOST_BYTES, plain_files
from little_go.arena.standings.tally import align_columns, count_text
from little_go.runtime.files import open_zip, read_file, write_whole, zip_of
from little_go.runtime.terminal import printable

#: The first words of the notes on copied programs and of the notes on partners.
SAME_FILES, PARTNERS = "the same files as", "handed in together with"


@dataclass(frozen=True)
class AgentProgram:
    """A program with its files.

    file: the name of the main file. digest: the digest of all files. place: the directory of the files. is_given:
    whether the course provides the main file.
    """

    file: str
    digest: str
    place: Path
    is_given: bool = False

    @property
    def archive(self) -> bytes:
        """The program's files as a zip."""
        files = {path.relative_to(self.place).as_posix(): path for path in plain_files(self.place)}
        return pack({name: read_file(path, MOST_BYTES, plain=True) for name, path in files.items()})


@dataclass
class Submission:
    """A student's submission, which is first located among the files of the class, and later read.

    name: a name that is unique in the class. number, email: the student's number and address in an export, or "". late:
    whether an export marks the submission as late. submitted: the time of submission in an export, or "". key: a digest
    of the submission's form and place, which no student's name can forge. group: a key that partners share. upload:
    Gradescope's number of the submission, or "".

    parts: the submitted files until the submission is read. entered: ``text`` or ``link`` if the student entered this
    instead of a file, or "". cause: why the files cannot be read, or None. dropped: the files that are not used.
    programs: the programs by stage. causes: the reasons why stages have no program, by stage; such a stage has no
    games. remarks: clauses for the student. staff_notes: clauses that the student must not see, because they contain
    other students' names. imports: the imported modules that belong neither to the program nor to Python 3.7, by the
    program's digest.
    """

    name: str
    parts: list[SubmittedFile] = field(default_factory=list)
    number: str = ""
    email: str = ""
    late: bool = False
    submitted: str = ""
    key: str = ""
    group: str = ""
    upload: str = ""
    entered: str = ""
    cause: Cause | None = None
    dropped: list[Dropped] = field(default_factory=list)
    programs: dict[int, AgentProgram] = field(default_factory=dict)
    causes: dict[int, Cause] = field(default_factory=dict)
    remarks: list[str] = field(default_factory=list)
    staff_notes: list[str] = field(default_factory=list)
    imports: dict[str, list[str]] = field(default_factory=dict)

    def add(self, other: "Submission") -> None:
        """Add another piece of the same student's submission, before the files are read."""
        self.parts += other.parts
        self.dropped += other.dropped
        self.late = self.late or other.late
        self.entered = self.entered or other.entered
        self.cause = self.cause or other.cause

    def program(self, stage: int) -> AgentProgram | None:
        """Return the program for a stage, or None if the stage has no program."""
        return self.programs.get(stage)

    def drop(self, stage: int, cause: Cause) -> None:
        """Remove the program of a stage, because the program cannot play. cause: the reason."""
        self.programs.pop(stage, None)
        self.causes[stage] = cause

    @property
    def notes(self) -> list[str]:
        """The notes for the student: first the reasons why stages have no program, then the remarks."""
        return [*cause_notes(self.causes, len(self.causes) + len(self.programs)), *self.remarks]

    @property
    def all_notes(self) -> list[str]:
        """All notes; the notes that only the staff may see come first."""
        return [*self.staff_notes, *self.notes]

    def note(self, *clauses: str) -> None:
        """Add the remarks that the submission does not have yet."""
        self.remarks += [clause for clause in dict.fromkeys(clauses) if clause not in self.remarks]


def pack(files: Mapping[str, bytes]) -> bytes:
    """Return the files as a zip; equal files give equal bytes."""
    return zip_of(dict(sorted(files.items())))


def unpack(archive: bytes, place: Path) -> None:
    """Unpack a zip from pack() into a new directory, completely or not at all."""
    draft = place.with_name(f"{place.name}.tmp")
    draft.mkdir(parents=True, exist_ok=True)
    with open_zip(archive) as packed:
        for member in packed.infolist():
            path = draft / PurePosixPath(member.filename)
            path.parent.mkdir(parents=True, exist_ok=True)
            write_whole(path, packed.read(member))
            path.chmod(0o644)
    for folder in (draft, *(each for each in draft.rglob("*") if each.is_dir())):
        folder.chmod(0o755)
    draft.rename(place)


def alike(submissions: Iterable[Submission]) -> list[list[Submission]]:
    """Return groups of submissions whose programs consist of the same files.

    A program that the course provides does not count, and neither does a program that only partners share.
    """
    owners: dict[str, list[Submission]] = {}
    for each in submissions:
        for digest in {program.digest for program in each.programs.values() if not program.is_given}:
            owners.setdefault(digest, []).append(each)
    return [found for found in owners.values() if len({each.group or each.name for each in found}) > 1]


def note_others(submissions: Sequence[Submission]) -> None:
    """Add notes for the staff on copied programs and on partners."""
    for found in alike(submissions):
        for each in found:
            names = [other.name for other in found if (other.group or other.name) != (each.group or each.name)]
            each.staff_notes.append(f"{SAME_FILES} {names_text(names)}")
    for found in partners(submissions):
        for each in found:
            names = [other.name for other in found if other is not each]
            each.staff_notes.append(f"{PARTNERS} {names_text(names)}")


def partners(submissions: Iterable[Submission]) -> list[list[Submission]]:
    """Return the groups of partners, who share a submission."""
    groups: dict[str, list[Submission]] = {}
    for each in submissions:
        groups.setdefault(each.group or each.name, []).append(each)
    return [found for found in groups.values() if len(found) > 1]


#: The names of languages, by suffix.
_LANGUAGE_NAMES = {".py": "Python", ".java": "Java", ".cpp": "C++"}


@dataclass(frozen=True)
class ClassCheck:
    """The result of checking a class.

    form: one of FORMS. days: the days late, by student. unknown: clauses on rows of the table of days late that are not
    about a student of the class. alike: groups of submissions with the same files. dropped: the files that are not a
    student's or not part of a program.
    """

    form: str
    submissions: Sequence[Submission]
    days: Mapping[str, int]
    unknown: Sequence[str]
    alike: Sequence[Sequence[Submission]]
    dropped: Sequence[Dropped]

    def record(self) -> dict[str, Any]:
        """Return the result as a dictionary for JSON."""
        return {
            "form": self.form,
            "students": [self._student(each) for each in self.submissions],
            "late_unknown": list(self.unknown),
            "same_files": [[each.name for each in found] for found in self.alike],
            "left_out": [{"path": printable(path), "cause": why} for path, why in self.dropped],
        }

    def _student(self, each: Submission) -> dict[str, Any]:
        return {
            "name": each.name,
            "student_key": each.key,
            "number": each.number,
            "email": each.email,
            "graded": bool(each.programs),
            "program": "; ".join(_programs(each)),
            "language": "; ".join(
                dict.fromkeys(_LANGUAGE_NAMES[PurePath(program.file).suffix] for program in each.programs.values())
            ),
            "imports": sorted(set().union(*each.imports.values())),
            "late_days": self.days.get(each.name, 0),
            "notes": "; ".join(each.all_notes),
        }

    def text(self) -> list[str]:
        """Return the result as lines of text."""
        rows = [["student", "program", "language", "imports", "days late"]]
        for each in self.submissions:
            student = self._student(each)
            late = str(student["late_days"] or "")
            rows.append(
                [each.name, student["program"] or "-", student["language"], names_text(student["imports"]), late]
            )
        lines = [line.rstrip() for line in align_columns(rows)]
        lines += _section("notes", (f"{each.name}: {note}" for each in self.submissions for note in each.all_notes))
        lines += _section("late table", self.unknown)
        lines += _section("left out", (f"{printable(path)}: {why}" for path, why in self.dropped[:_MOST_DROPPED]))
        if len(self.dropped) > _MOST_DROPPED:
            lines.append(f"and {len(self.dropped) - _MOST_DROPPED:,} more: --json lists all")
        return lines

    def line(self) -> str:
        """Return a line with the number of students, and the number of students with a program."""
        graded = sum(bool(each.programs) for each in self.submissions)
        return f"{count_text(len(self.submissions), 'student')}, {graded:,} with a program"


#: Maximum number of dropped files that are printed.
_MOST_DROPPED = 20


def _section(head: str, lines: Iterable[str]) -> list[str]:
    listed = [f"  {line}" for line in lines]
    return ["", f"{head}:", *listed] if listed else []


def _programs(each: Submission) -> list[str]:
    """Return the main files of a student's programs, with their stages if the programs differ."""
    by_digest: dict[str, AgentProgram] = {program.digest: program for program in each.programs.values()}
    if len(by_digest) == 1 and len(each.programs) > 1:
        return [program.file for program in by_digest.values()]
    return [f"stage {stage}: {program.file}" for stage, program in sorted(each.programs.items())]
