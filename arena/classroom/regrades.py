"""The staff's points in place of those of the games, from a table with reasons."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path

from arena.classroom.gradebook import Regrade, StudentRow
from arena.classroom.late import by_word, columns_of_students, read_table, student_of
from arena.classroom.submissions import Submission

#: The columns beside those that identify a student.
_POINTS, _REASON = "points", "reason"


class BadRegrades(ValueError):
    """An unusable table of regrades; the message is one line."""


def read_regrades(path: Path, students: Iterable[Submission], full_points: float) -> dict[str, Regrade | None]:
    """Read the staff's points by student key; None restores the points of the games.

    A row has a student's number, e-mail address or name, then ``points`` and ``reason``; without points it withdraws an
    earlier one. Raises BadRegrades.
    """
    rows = read_table(path, BadRegrades)
    head = [cell.strip().casefold() for cell in rows[0]] if rows else []
    who = columns_of_students(head)
    if not who or _POINTS not in head or _REASON not in head:
        raise BadRegrades(f"{path}: give a first line such as student,points,reason")
    listed = list(students)
    known, keys = by_word(listed), {each.name: each.key for each in listed}
    found: dict[str, Regrade | None] = {}
    for number, row in enumerate(rows[1:], 2):
        where = f"{path}, row {number}"
        cells = [" ".join(cell.split()) for cell in row] + [""] * (len(head) - len(row))
        student, fault = student_of([cells[column] for column in who], known)
        if fault:
            raise BadRegrades(f"{where}: {fault}")
        if keys[student] in found:
            raise BadRegrades(f"{where}: {student!r} is there twice")
        points, reason = cells[head.index(_POINTS)], cells[head.index(_REASON)]
        found[keys[student]] = _regrade(points, reason, full_points, where) if points else None
    return found


def _regrade(points: str, reason: str, full_points: float, where: str) -> Regrade:
    """Return a row's points; raises BadRegrades."""
    try:
        number = float(points)
    except ValueError:
        number = -1.0
    if not 0 <= number <= full_points:
        raise BadRegrades(f"{where}: {points!r} is no number of points from 0 to {full_points:g}")
    if not reason:
        raise BadRegrades(f"{where}: give a reason: it is on the student's page")
    return Regrade(number, reason)


def regraded(rows: Iterable[StudentRow], regrades: Mapping[str, Regrade]) -> list[StudentRow]:
    """Return the rows with the staff's points. regrades: by student key."""
    return [replace(row, regrade=regrades.get(row.submission.key)) for row in rows]
