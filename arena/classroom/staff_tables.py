"""The tables of the staff: the students' days late, and points that replace the points of the games.

Days late can also be computed from the times in an export.
"""

import csv
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from pathlib import Path
from typing import NamedTuple

from little_go.arena.classroom.places import normalized_name
from little_go.arena.classroom.submissions import Submission
from little_go.runtime.files import MIB, UNREADABLE, open_text, why_unreadable
from little_go.runtime.terminal import printable

#: Names of columns that identify a student, the most reliable columns first, and names of the column with days late.
_WHO = (("number", "id", "sid", "student id"), ("email", "e-mail", "mail"), ("name", "student"))
_DAYS = ("days", "late_days", "late days", "late")

#: The length of a day, and the format of a time in Gradescope's export: date, time, fraction of a second, zone.
_DAY, _TIME = timedelta(days=1), re.compile(r"(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d:\d\d)(?:\.\d+)? ?(Z|[+-]\d\d:?\d\d|)")

#: The delimiters that a table may have between cells.
_BETWEEN = (",", ";", "\t", "|")


class BadLateDays(ValueError):
    """Raised if a table of days late cannot be used; the message is one line."""


def read_late_days(
    path: Path, students: Iterable[Submission], unknown: list[str] | None = None
) -> tuple[dict[str, int], list[str]]:
    """Return each student's days late, and the columns and cells of the table that were not used.

    A row contains a student's number, e-mail address or name, and the number of days, rounded up. If several columns
    identify students, the most reliable column that contains a student of the class is used.

    unknown: a list to which a clause is added for each row without a student of the class; None to raise BadLateDays
    for such a row. Other faults always raise BadLateDays.
    """
    rows = read_table(path, BadLateDays)
    head = [cell.strip().casefold() for cell in rows[0]] if rows else []
    who = columns_of_students(head)
    days = next((head.index(name) for name in _DAYS if name in head), None)
    if not who or days is None:
        raise BadLateDays(f"{path}: give a first line such as name,days")
    known = by_word(students)
    found: dict[str, int] = {}
    used = set(who) if len(who) == 1 else set()
    for number, row in enumerate(rows[1:], 2):
        where = f"{path}, row {number}"
        words = {column: row[column] for column in who if len(row) > column}
        used |= {column for column, word in words.items() if known.get(normalized_name(word)) is not None}
        student, fault = student_of([*words.values()], known)
        if fault:
            if unknown is None:
                raise BadLateDays(f"{where}: {fault}")
            unknown.append(f"row {number}: {fault}")
            continue
        if student in found:
            raise BadLateDays(f"{where}: {student!r} has two rows: remove one of them")
        found[student] = _whole_days(row[days] if len(row) > days else "", where)
    return found, list(_unused(rows, {*used, days}))


def read_table(path: Path, fault: type[ValueError]) -> list[list[str]]:
    """Return the non-empty rows of a table. fault: the exception that is raised if the table cannot be read."""
    try:
        with open_text(path, 16 * MIB) as text:
            content = text.read()
        return _rows(content)
    except UNREADABLE as error:
        raise fault(f"{path}: cannot be read: {why_unreadable(error)}") from None
    except csv.Error as error:
        raise fault(f"{path}: not a table: {error}") from None


def _rows(content: str) -> list[list[str]]:
    """Return the non-empty rows. The delimiter is the character that splits the first line into the most cells."""
    lines = content.splitlines()
    first = next((line for line in lines if line.strip()), "")
    between = max(_BETWEEN, key=lambda each: len(next(csv.reader([first], delimiter=each), [])))
    return [row for row in csv.reader(lines, delimiter=between) if any(map(str.strip, row))]


def columns_of_students(head: Sequence[str]) -> list[int]:
    """Return the indices of columns that identify a student, the most reliable first. head: headings in lower case."""
    return [head.index(name) for names in _WHO for name in names if name in head]


def student_of(words: Sequence[str], known: Mapping[str, str | None]) -> tuple[str, str]:
    """Return the student whom the words identify, and a clause on the fault if there is none; the other is "".

    words: a row's cells that may identify a student, the most reliable cell first. known: the result of by_word().
    """
    named = [normalized_name(word) for word in words if word.strip()]
    for word in named:
        student = known.get(word)
        if student is not None:
            found = {each for each in map(known.get, named) if each is not None}
            if len(found) > 1:
                return "", f"its columns are about several students: {', '.join(sorted(map(repr, found)))}"
            return student, ""
    shown = next((word.strip() for word in words if word.strip()), "")
    several = any(word in known for word in named)
    return "", f"several students are {shown!r}" if several else f"no student {shown!r}"


def _unused(rows: Sequence[Sequence[str]], used: Collection[int]) -> Iterator[str]:
    """Yield the headings of columns that were not used, and all cells in columns without a heading."""
    named = {column for column, name in enumerate(rows[0]) if name.strip()}
    yield from (rows[0][column].strip() for column in sorted(named - set(used)))
    for row in rows[1:]:
        yield from (cell.strip() for column, cell in enumerate(row) if column not in named and cell.strip())


def by_word(students: Iterable[Submission]) -> Mapping[str, str | None]:
    """Return the students' names by the words that identify a student in a table; None for an ambiguous word."""
    known: dict[str, str | None] = {}
    for each in students:
        for word in {normalized_name(each.name), normalized_name(each.number), normalized_name(each.email)} - {""}:
            known[word] = None if word in known else each.name
    return known


def days_after(due: datetime, students: Iterable[Submission]) -> dict[str, int]:
    """Return each student's days late according to an export, and add notes on doubtful times to the submissions.

    Gradescope's export contains the time of each submission. Canvas's export only marks late submissions, and a mark
    counts as one day.
    """
    found: dict[str, int] = {}
    for each in students:
        submitted = _time_of(each.submitted)
        if submitted is not None:
            days = -((due - submitted) // _DAY)
            if days > 0:
                found[each.name] = days
        elif each.submitted:
            each.note(f"its time of submission cannot be read: {printable(each.submitted)[:40]}")
        elif each.late:
            found[each.name] = 1
            each.staff_notes.append("counted as a day late, because the export has no time: --late takes precedence")
    return found


def _time_of(text: str) -> datetime | None:
    """Parse a time in Gradescope's format, such as ``2023-10-26 05:12:13.123456000 Z``; None if that fails."""
    found = _TIME.fullmatch(text.strip())
    if found is None:
        return None
    try:
        return datetime.fromisoformat(f"{found[1]}T{found[2]}{found[3].replace('Z', '+00:00') or '+00:00'}")
    except ValueError:
        return None


def _whole_days(text: str, where: str) -> int:
    try:
        days = float(text)
    except ValueError:
        raise BadLateDays(f"{where}: {text.strip()!r} is not a number of days") from None
    if not 0 <= days < 1000:
        raise BadLateDays(f"{where}: {text.strip()!r} is not a number of days")
    return int(-(-days // 1))


def after_penalty(points: float, days: int, daily: float) -> float:
    """Return the points after the penalty for days late. daily: the penalty for each day, in per cent.

    >>> after_penalty(80.0, 0, 20), after_penalty(80.0, 2, 20), after_penalty(80.0, 6, 20)
    (80.0, 48.0, 0.0)
    """
    return round(points * max(0.0, 1 - daily * days / 100), 10)


#: The columns of a table of points, in addition to columns that identify a student.
_POINTS, _REASON = "points", "reason"


class Regrade(NamedTuple):
    """Points that the staff gave instead of the points of the games, and the reason."""

    points: float
    reason: str


class BadRegrades(ValueError):
    """Raised if a table of points that the staff gave cannot be used; the message is one line."""


def read_regrades(path: Path, students: Iterable[Submission], full_points: float) -> dict[str, Regrade | None]:
    """Return the points that the staff gave, by student key; None restores the points of the games.

    A row contains a student's number, e-mail address or name, and ``points`` and ``reason``. A row without points
    withdraws points that the staff gave earlier. Raise BadRegrades if the table has a wrong row.
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
            raise BadRegrades(f"{where}: {student!r} has two rows: remove one of them")
        points, reason = cells[head.index(_POINTS)], cells[head.index(_REASON)]
        found[keys[student]] = _regrade(points, reason, full_points, where) if points else None
    return found


def _regrade(points: str, reason: str, full_points: float, where: str) -> Regrade:
    """Return the points and the reason of a row, or raise BadRegrades if one of the two is wrong."""
    try:
        number = float(points)
    except ValueError:
        number = -1.0
    if not 0 <= number <= full_points:
        raise BadRegrades(f"{where}: {points!r} is not a number of points from 0 to {full_points:g}")
    if not reason:
        raise BadRegrades(f"{where}: the reason is missing: write one, because the student's page shows it")
    return Regrade(number, reason)
