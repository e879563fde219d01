"""Days that students are late, from a table of the staff's."""

import csv
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from arena.classroom.submissions import Submission
from runtime.files import MIB, UNREADABLE, open_text

#: The share of the points that each day takes.
DAILY = 0.2

#: What the columns may be called.
_WHO, _DAYS = ("name", "number", "email", "student", "id", "sid"), ("days", "late_days", "late days", "late")


class BadLateDays(ValueError):
    """A table of late days that cannot be used; the message is one line."""


class LateDays(NamedTuple):
    """A table of late days. days: of each late student, by name. left_out: its other columns, and cells without one."""

    days: dict[str, int]
    left_out: tuple[str, ...]


def read_late_days(path: Path, students: Iterable[Submission]) -> LateDays:
    """Read how many days late students are; a part of a day is a day.

    The table has a row for each late student, with the name, the number or the e-mail address, and the days. Raises
    BadLateDays.
    """
    try:
        with open_text(path, 16 * MIB) as text:
            rows = [row for row in csv.reader(text.read().splitlines()) if any(map(str.strip, row))]
    except UNREADABLE as error:
        raise BadLateDays(f"{path}: cannot be read: {getattr(error, 'strerror', None) or error}") from None
    except csv.Error as error:
        raise BadLateDays(f"{path}: no table: {error}") from None
    if not rows:
        return LateDays({}, ())
    head = [cell.strip().lower() for cell in rows[0]]
    who = next((head.index(name) for name in _WHO if name in head), None)
    days = next((head.index(name) for name in _DAYS if name in head), None)
    if who is None or days is None:
        raise BadLateDays(f"{path}: give a first line such as name,days")
    known = _by_word(students)
    found: dict[str, int] = {}
    for number, row in enumerate(rows[1:], 2):
        where = f"{path}, row {number}"
        word = row[who].strip() if len(row) > who else ""
        student = known.get(word.casefold())
        if student is None:
            several = word.casefold() in known
            raise BadLateDays(f"{where}: {f'several students are {word!r}' if several else f'no student {word!r}'}")
        if student in found:
            raise BadLateDays(f"{where}: {student!r} is there twice")
        found[student] = _whole_days(row[days] if len(row) > days else "", where)
    return LateDays(found, tuple(_left_out(rows, {who, days})))


def _left_out(rows: Sequence[Sequence[str]], taken: Collection[int]) -> Iterator[str]:
    """Yield the names of the columns that were not taken, and all cells that stand under no name."""
    named = {column for column, name in enumerate(rows[0]) if name.strip()}
    yield from (rows[0][column].strip() for column in sorted(named - set(taken)))
    for row in rows[1:]:
        yield from (cell.strip() for column, cell in enumerate(row) if column not in named and cell.strip())


def _by_word(students: Iterable[Submission]) -> Mapping[str, str | None]:
    """Return the students' names by all that a table may call them; None for what several are called."""
    known: dict[str, str | None] = {}
    for each in students:
        for word in {each.name.casefold(), each.number.casefold(), each.email.casefold()} - {""}:
            known[word] = None if word in known else each.name
    return known


def _whole_days(text: str, where: str) -> int:
    try:
        days = float(text)
    except ValueError:
        raise BadLateDays(f"{where}: {text.strip()!r} is no number of days") from None
    if not 0 <= days < 1000:
        raise BadLateDays(f"{where}: {text.strip()!r} is no number of days")
    return int(-(-days // 1))


def after_penalty(points: float, days: int) -> float:
    """Return what is left of points so many days late.

    >>> after_penalty(80.0, 0), after_penalty(80.0, 2), after_penalty(80.0, 6)
    (80.0, 48.0, 0.0)
    """
    return round(points * max(0.0, 1 - DAILY * days), 10)
