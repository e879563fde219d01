"""What a student has handed in, checked by the assignment's text: the program by its name, the files that it allows."""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path, PurePosixPath

from arena.classroom.exports import HandedIn
from arena.classroom.places import BadPlace, Files
from arena.match.programs import NAMES
from arena.match.python_source import look_at
from runtime.files import open_zip, write_whole, zip_of
from runtime.terminal import printable

#: What the text allows: sources, and files of helpers.
_ALLOWED = (".py", ".java", ".cpp", ".json", ".txt")

#: 2020's first line of a program: number and name, as in "1234567890:Your Name".
_FIRST_LINE = re.compile(rb"\W*\d{6,12}\s*:\s*\w")

#: As many names are told of files alike.
_MOST_NAMES = 3


@dataclass(frozen=True)
class AgentProgram:
    """A program with the files that go with it. file: what starts it. digest: of the archive. archive: a zip."""

    file: str
    digest: str
    archive: bytes = field(repr=False)

    def unpack(self, folder: Path) -> Path:
        """Return the directory in a folder that holds the files, which are unpacked unless they are there."""
        place = folder / self.digest
        if not place.is_dir():
            unpack(self.archive, place)
        return place


@dataclass
class Submission:
    """A student's row of the class.

    programs: by stage; a stage without one has no games. notes: what there is to say, each a clause.
    """

    name: str
    number: str = ""
    email: str = ""
    late: bool = False
    programs: dict[int, AgentProgram] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)

    def program(self, stage: int) -> AgentProgram | None:
        """Return the program for a stage."""
        return self.programs.get(stage)

    def note(self, *clauses: str) -> None:
        """Add what there is to say, each clause once."""
        self.notes += [clause for clause in dict.fromkeys(clauses) if clause not in self.notes]


def check_handed_in(handed: HandedIn, year: int, stages: Iterable[int]) -> Submission:
    """Read and check what a student has handed in; what is wrong with it is in the notes."""
    found = Submission(handed.name, handed.number, handed.email, handed.late)
    if handed.late:
        found.note("marked as late by the export")
    if handed.links:
        found.note(f"left out, as a link is no file: {_names(handed.links)}")
    try:
        by_stage = handed.stages()
    except BadPlace as error:
        found.note(f"not graded: {error}")
        return found
    for stage in stages:
        # A class of 2020 hands in once for both stages, and may change the agent for the second.
        files = by_stage.get(stage, by_stage.get(1, {}) if year == 2020 else {})
        clauses: list[str] = []
        program = _program(files, year, clauses)
        if program is not None:
            found.programs[stage] = program
        found.note(*(_of_stage(clause, stage, by_stage, stages) for clause in clauses))
    return found


def _of_stage(clause: str, stage: int, by_stage: dict[int, Files], stages: Iterable[int]) -> str:
    alike = all(files == by_stage[min(by_stage)] for files in by_stage.values()) and set(stages) <= set(by_stage)
    return clause if alike or len(set(stages)) == 1 else f"stage {stage}: {clause}"


def _program(files: Files, year: int, clauses: list[str]) -> AgentProgram | None:
    """Return the program among the files of a stage, and say what is wrong with them."""
    if not files:
        clauses.append("not graded: nothing was handed in")
        return None
    kept = {path: content for path, content in files.items() if path.endswith(_ALLOWED)}
    if out := sorted(files.keys() - kept.keys()):
        clauses.append(f"left out, as the text allows only {', '.join(_ALLOWED)}: {_names(out)}")
    for path in kept:
        if any(part in ("", ".", "..") for part in path.split("/")) or "\0" in path:
            clauses.append(f"not graded: {printable(path)!r} is no name of a file")
            return None
    named = [name for name in NAMES if name in kept]
    if not named:
        sources = [path for path in sorted(kept) if path.endswith(_ALLOWED[:3])]
        instead = f"; there is {_names(sources)}" if sources else ""
        clauses.append(f"not graded: no program of the text's names ({', '.join(NAMES)}){instead}")
        return None
    if len(named) > 1:
        clauses.append(f"several programs, of which {named[0]} plays: {', '.join(named)}")
    if not kept[named[0]].strip():
        clauses.append(f"not graded: {named[0]} is empty")
        return None
    if year == 2020 and not _FIRST_LINE.match(kept[named[0]].partition(b"\n")[0]):
        clauses.append(f"the first line of {named[0]} has no number and name, as in 1234567890:Your Name")
    archive = pack(kept)
    return AgentProgram(named[0], sha256(archive).hexdigest()[:32], archive)


def python_notes(program: AgentProgram, place: Path) -> list[str]:
    """Return what the course's Python 3.7 would not do with a program, whose files are in a place."""
    if not program.file.endswith(".py"):
        return []
    found = look_at(place / program.file, place)
    return [f"{path.name}: {words}" for right, path, words in found if right is False]


def pack(files: Files) -> bytes:
    """Return the files as a zip, the same bytes for the same files."""
    return zip_of(dict(sorted(files.items())))


def unpack(archive: bytes, place: Path) -> None:
    """Unpack a zip of pack() as a directory, whole or not at all. Raises OSError."""
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


def note_alike(submissions: Iterable[Submission]) -> None:
    """Note in each submission whose program is another's, file by file, whose that is."""
    owners: dict[str, list[Submission]] = {}
    for each in submissions:
        for digest in {program.digest for program in each.programs.values()}:
            owners.setdefault(digest, []).append(each)
    for alike in owners.values():
        for each in alike if len(alike) > 1 else []:
            each.note(f"the same files as {_names([other.name for other in alike if other is not each])}")


def _names(names: Iterable[str]) -> str:
    listed = [printable(name) for name in names]
    more = f" and {len(listed) - _MOST_NAMES} more" if len(listed) > _MOST_NAMES else ""
    return ", ".join(listed[:_MOST_NAMES]) + more
