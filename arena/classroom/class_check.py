"""Check a class before any game: form, students, programs, and reasons against grading."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePath
from typing import Any

from arena.classroom.places import Dropped
from arena.classroom.submissions import AgentProgram, Submission
from arena.classroom.unpacking import names_text
from arena.standings.tally import aligned, counted
from runtime.terminal import printable

#: Languages by suffix.
_LANGUAGES = {".py": "Python", ".java": "Java", ".cpp": "C++"}


@dataclass(frozen=True)
class ClassCheck:
    """A class as submitted.

    form: one of FORMS. days: late, by student. unknown: rows of the late table without a student, as clauses. alike:
    submissions with the same files. dropped: files that are not a student's or were left out.
    """

    form: str
    submissions: Sequence[Submission]
    days: Mapping[str, int]
    unknown: Sequence[str]
    alike: Sequence[Sequence[Submission]]
    dropped: Sequence[Dropped]

    def record(self) -> dict[str, Any]:
        """Return the class as JSON keys."""
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
            "language": "; ".join(dict.fromkeys(_language(program) for program in each.programs.values())),
            "imports": _imports(each),
            "late_days": self.days.get(each.name, 0),
            "notes": "; ".join(each.all_notes),
        }

    def text(self) -> list[str]:
        """Return the class as lines of text."""
        rows = [["student", "program", "language", "imports", "days late"]]
        for each in self.submissions:
            student = self._student(each)
            late = str(student["late_days"] or "")
            rows.append(
                [each.name, student["program"] or "-", student["language"], names_text(student["imports"]), late]
            )
        lines = [line.rstrip() for line in aligned(rows)]
        lines += _section("notes", (f"{each.name}: {note}" for each in self.submissions for note in each.all_notes))
        lines += _section("late table", self.unknown)
        lines += _section("left out", (f"{printable(path)}: {why}" for path, why in self.dropped[:_MOST_DROPPED]))
        if len(self.dropped) > _MOST_DROPPED:
            lines.append(f"and {len(self.dropped) - _MOST_DROPPED:,} more: --json lists all")
        return lines

    def line(self) -> str:
        """Return the class in a line."""
        graded = sum(bool(each.programs) for each in self.submissions)
        return f"{counted(len(self.submissions), 'student')}, {graded:,} with a program"


#: Number of printed files that are left out.
_MOST_DROPPED = 20


def _section(head: str, lines: Iterable[str]) -> list[str]:
    listed = [f"  {line}" for line in lines]
    return ["", f"{head}:", *listed] if listed else []


def _programs(each: Submission) -> list[str]:
    """Return the main files of a student's programs, by stage if they differ."""
    by_digest: dict[str, AgentProgram] = {program.digest: program for program in each.programs.values()}
    if len(by_digest) == 1 and len(each.programs) > 1:
        return [program.file for program in by_digest.values()]
    return [f"stage {stage}: {program.file}" for stage, program in sorted(each.programs.items())]


def _language(program: AgentProgram) -> str:
    return _LANGUAGES[PurePath(program.file).suffix]


def _imports(each: Submission) -> list[str]:
    return sorted({name for found in each.imports.values() for name in found})
