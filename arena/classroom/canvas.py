"""The tables that Canvas imports into its gradebook and exports from its gradebook.

Canvas (``lib/gradebook_importer.rb`` in its source) reads the columns ``Student``, ``ID``, ``SIS User ID``, ``SIS Login
ID`` and ``Section``, and then a column ``NAME (NUMBER)`` for each assignment. Canvas finds a student by ``ID``, then by
the two columns of the SIS (student information system), then by name. An empty cell leaves the points in Canvas
unchanged. An export may also contain the columns ``Integration ID`` and ``Root Account``.
"""

import csv
import io
import re
from collections.abc import Iterable, Sequence
from pathlib import Path

from little_go.arena.classroom.gradebook import StudentRow, cell_text
from little_go.arena.classroom.places import normalized_name
from little_go.arena.classroom.staff_tables import read_table
from little_go.runtime.terminal import printable

#: The columns before the columns of the assignments.
CANVAS_COLUMNS = ("Student", "ID", "SIS User ID", "SIS Login ID", "Section")
_BEFORE = {*CANVAS_COLUMNS, "Integration ID", "Root Account"}

#: Matches the heading of an assignment's column: the assignment's name and Canvas's number for it.
_ASSIGNMENT = re.compile(r"(.+) \((\d+)\)")

#: Matches the first cell of rows that are not about real students: the row of possible points, and Canvas's test
#: student.
_NO_STUDENT = re.compile(r"\s*points possible\s*|student, test", re.IGNORECASE)


class BadExport(ValueError):
    """Raised if an export of Canvas cannot be used; the message is one line."""


def canvas_table(rows: Iterable[StudentRow], form: str, assignment: str) -> str:
    """Return a table that Canvas can import, with a row for each student whose points are known.

    form: the form of the submissions, which determines whether Canvas or the SIS assigned the students' numbers.
    """
    lines: list[list[str]] = [[*CANVAS_COLUMNS, assignment]]
    for row in rows:
        if row.final is not None:
            who = row.submission
            ids = [who.number, "", ""] if form == "canvas" else ["", who.number, who.email]
            lines.append([cell_text(row.name), *map(cell_text, ids), "", _points(row.final)])
    return _csv(lines)


def _points(points: float) -> str:
    return str(round(points, 4))


def _csv(lines: Iterable[Sequence[str]]) -> str:
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(lines)
    return text.getvalue()


class CanvasExport:
    """A table that Canvas has exported."""

    def __init__(self, head: Sequence[str], column: int, people: Sequence[Sequence[str]]) -> None:
        """Store the table. head: the headings. column: the index of the assignment's column.

        people: the students' rows.
        """
        self._kept = [at for at, name in enumerate(head) if name in _BEFORE]
        self._head, self._column, self._people = head, column, people

    def filled(self, rows: Iterable[StudentRow], form: str) -> tuple[str, list[str]]:
        """Return the table with the known points, and clauses on people who are only in the table or only in the class.

        form: the form of the submissions.
        """
        lines = [[self._head[at] for at in (*self._kept, self._column)]]
        strangers, found = list[str](), set[int]()
        for row in rows:
            at = self._row_of(row, form)
            if at is None or at in found:
                strangers.append(row.name)
                continue
            found.add(at)
            if row.final is not None:
                lines.append([*(self._people[at][cell] for cell in self._kept), _points(row.final)])
        absent = [self._people[at][0] for at in range(len(self._people)) if at not in found]
        left = [f"no row for {'; '.join(strangers)}: enter their points by hand"] if strangers else []
        left += [f"no submission of {printable('; '.join(absent))}: their cells stay as they are"] if absent else []
        return _csv(lines), left

    def _row_of(self, row: StudentRow, form: str) -> int | None:
        """Return the index of a student's row; None if no identifier of the student is in exactly one row."""
        who = row.submission
        login = who.email.partition("@")[0]
        columns = {"ID": [who.number]} if form == "canvas" else {"SIS User ID": [who.number]}
        columns |= {"SIS Login ID": [who.email, login, who.name], "Student": [who.name]}
        for column, words in columns.items():
            for word in words:
                found = [at for at, person in enumerate(self._people) if self._has_word(person, column, word)]
                if len(found) == 1:
                    return found[0]
        return None

    def _has_word(self, person: Sequence[str], column: str, word: str) -> bool:
        if not word or column not in self._head:
            return False
        cell = person[self._head.index(column)]
        if column != "Student":
            return normalized_name(cell) == normalized_name(word)
        last, comma, first = cell.partition(",")
        names = {cell, f"{first} {last}"} if comma else {cell}
        return normalized_name(word) in map(normalized_name, names)


def read_canvas_export(path: Path, assignment: str) -> CanvasExport:
    """Return the table in a file that Canvas has exported.

    assignment: the assignment's name. Raise BadExport if the file is not an export of Canvas, or has no unique column
    for the assignment.
    """
    rows = read_table(path, BadExport)
    head = [cell.strip() for cell in rows[0]] if rows else []
    if "Student" not in head or "ID" not in head:
        raise BadExport(f"{path}: not an export of Canvas's gradebook: give one whose first line has Student and ID")
    named = {at: match[1] for at, name in enumerate(head) if (match := _ASSIGNMENT.fullmatch(name))}
    found = [at for at, name in named.items() if assignment in (name, head[at])]
    if not found and len(named) == 1:
        found = list(named)
    if len(found) != 1:
        there = ", ".join(printable(repr(name)) for name in named.values()) or "none"
        raise BadExport(
            f"{path}: not exactly one column for {assignment!r}, only {there}: write one of them as assignment in the"
            " course file"
        )
    rows = [[*row, *[""] * (len(head) - len(row))] for row in rows[1:]]
    people = [row for row in rows if row[0].strip() and not _NO_STUDENT.fullmatch(row[0])]
    return CanvasExport(head, found[0], people)
