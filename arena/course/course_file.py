"""The course file: a course's terms in TOML, shared by staff and students.

``little-go class --new FILE`` writes one with a year's defaults; a missing key has the year's value.
"""

import math
import re
import sys
from collections.abc import Iterable, Mapping
from datetime import datetime
from pathlib import Path
from typing import Any, NamedTuple

import click

from arena.course.grading import NEWEST, SCHEMES, Opponent, Round, Scheme, Stage
from arena.match.copying import ALLOWED
from arena.match.programs import NAMES
from arena.match.provided import MOST_PROVIDED, OURS, PROVIDE_LINE, ProvidedFile, course_modules
from arena.standings.entrants import BUILT_IN
from runtime.errors import BadUsage
from runtime.files import MIB, UNREADABLE, open_text, read_file, why_unreadable
from runtime.options import SOME_TIME, Size

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

#: Per cent of the points lost per day late, and MiB of memory of a sandboxed program.
LATE_PENALTY, MEMORY = 20, 1024

_OPPONENTS = tuple(sorted(BUILT_IN.keys() - {"human"}))

#: The name of a module, as imported.
_MODULE = re.compile(r"[A-Za-z_]\w*", re.ASCII)

#: The name of a file in the course file's folder.
_FILE = re.compile(r"(?!\.)[^/\\\0]{1,100}")

#: The name of the top-level table.
_TOP = ""


class Course(NamedTuple):
    """A course's terms.

    year: of the text. scheme: its stages and limits, as changed by the course. packages: importable by programs; None
    without a course file. files: patterns of the files allowed beside a program. due: the deadline. late_penalty: per
    cent of the points per day late. memory: MiB of a sandboxed program. provide: files for each program; None if the
    course file does not say. assignment: its name in Canvas's gradebook.
    """

    year: int
    scheme: Scheme
    packages: tuple[str, ...] | None = None
    files: tuple[str, ...] = ALLOWED
    due: datetime | None = None
    late_penalty: float = LATE_PENALTY
    memory: int = MEMORY
    provide: tuple[ProvidedFile, ...] | None = None
    assignment: str = ""


def course_of(year: int) -> Course:
    """Return a year's terms, without a course file."""
    return Course(year, SCHEMES[year], assignment=f"Little-Go {year}")


def read_course(path: Path, year: int | None = None) -> Course:
    """Read a course file. year: replaces the file's. Raises BadUsage, in one line, for an unusable file."""
    try:
        with open_text(path, MIB) as text:
            content = tomllib.loads(text.read())
    except tomllib.TOMLDecodeError as error:
        raise BadUsage(f"{path}: no TOML: {' '.join(str(error).split())}") from None
    except UNREADABLE as error:
        raise BadUsage(f"{path}: cannot be read: {why_unreadable(error)}") from None
    try:
        return _course(_Table(_TOP, content), year, path.parent)
    except _BadValue as error:
        raise BadUsage(f"{path}: {error}") from None


class _BadValue(ValueError):
    """An unusable key; the message is one line that names it."""


class _Table:
    """A table of the file: each key is taken once, and remaining keys are refused."""

    def __init__(self, name: str, content: Mapping[str, Any]) -> None:
        self._name, self._content = name, dict(content)

    def key(self, name: str) -> str:
        """Return a key's full name."""
        return f"{self._name}.{name}" if self._name else name

    def take(self, name: str) -> Any:
        """Return a key's value, or None."""
        return self._content.pop(name, None)

    def whole(self, name: str, default: Any, least: int = 0, most: int | None = None) -> Any:
        """Return a whole number from ``least`` to ``most``."""
        value = self.take(name)
        if value is None:
            return default
        if type(value) is not int or value < least or (most is not None and value > most):
            upto = f" to {most}" if most is not None else " or more"
            raise _BadValue(f"{self.key(name)} is {value!r}: give a whole number, {least}{upto}")
        return value

    def percent(self, name: str, default: float) -> float:
        """Return a percentage, 0 to 100."""
        value = self.take(name)
        if value is None:
            return default
        if type(value) not in (int, float) or not 0 <= value <= 100:
            raise _BadValue(f"{self.key(name)} is {value!r}: give per cent, 0 to 100")
        return float(value)

    def seconds(self, name: str, default: float | None, *, none: bool = False) -> float | None:
        """Return a time in seconds. none: whether ``"none"`` is allowed, as None."""
        value = self.take(name)
        if value is None:
            return default
        if none and value == "none":
            return None
        try:
            if type(value) not in (int, float, str) or value in (math.inf, -math.inf):
                raise BadUsage("")
            return SOME_TIME.convert(value, None, None)
        except (BadUsage, click.UsageError):
            also = ', or "none"' if none else ""
            raise _BadValue(f'{self.key(name)} is {value!r}: give a time such as "10s" or "2h"{also}') from None

    def mib(self, name: str, default: int) -> int:
        """Return a size in MiB, at least 16."""
        value = self.take(name)
        if value is None:
            return default
        try:
            if type(value) is not str:
                raise BadUsage("")
            return Size(least=16).convert(value, None, None)
        except (BadUsage, click.UsageError):
            raise _BadValue(f'{self.key(name)} is {value!r}: give a size such as "1GiB", at least "16MiB"') from None

    def texts(self, name: str, default: tuple[str, ...] | None, pattern: re.Pattern[str], what: str) -> Any:
        """Return a list of texts that match a pattern. what: their kind, for the message."""
        value = self.take(name)
        if value is None:
            return default
        if not isinstance(value, list) or not all(isinstance(each, str) and pattern.fullmatch(each) for each in value):
            raise _BadValue(f"{self.key(name)} is {value!r}: give a list of {what}")
        return tuple(dict.fromkeys(value))

    def text(self, name: str, default: str) -> str:
        """Return a text that is not empty."""
        value = self.take(name)
        if value is None:
            return default
        if not isinstance(value, str) or not value.strip():
            raise _BadValue(f"{self.key(name)} is {value!r}: give a text")
        return value.strip()

    def table(self, name: str) -> "_Table | None":
        """Return a nested table, or None."""
        value = self.take(name)
        if value is None:
            return None
        if not isinstance(value, dict):
            raise _BadValue(f"{self.key(name)} is {value!r}: give a table, [{self.key(name)}]")
        return _Table(self.key(name), value)

    def names(self) -> list[str]:
        """Return the remaining keys."""
        return list(self._content)

    def end(self, known: Iterable[str]) -> None:
        """Raise _BadValue for a key that was not taken. known: all allowed keys."""
        for name in self._content:
            raise _BadValue(f"no key {self.key(name)!r}: there are {', '.join(known)}")


_KEYS = (
    *("scheme", "packages", "files", "provide", "due", "late_penalty", "repetitions", "assignment"),
    *("limits", "stage1", "stage2"),
)
_STAGE_KEYS = ("games", "cpu", "submit_games", "submit_cpu", "opponents")


def _course(top: _Table, year: int | None, folder: Path) -> Course:
    """Return the terms in a file's content. folder: of the file. Raises _BadValue."""
    given = top.take("scheme")
    if given is not None and (type(given) is not int or given not in SCHEMES):
        raise _BadValue(f"scheme is {given!r}: give {', '.join(map(str, SCHEMES))}")
    default = course_of(year or given or NEWEST)
    limits = top.table("limits") or _Table("limits", {})
    scheme = default.scheme
    move_cpu = limits.seconds("cpu", scheme.move_cpu)
    memory = limits.mib("memory", default.memory)
    limits.end(("cpu", "memory"))
    stages = {number: _stage(top.table(f"stage{number}"), stage) for number, stage in scheme.stages.items()}
    if twice := {each.agent for each in stages[1].opponents} & {each.agent for each in _opponents(stages, 2)}:
        raise _BadValue(f"stage2.opponents: {', '.join(sorted(twice))} is in stage1.opponents, too")
    for number in (1, 2):
        if number not in stages and f"stage{number}" in top.names():
            raise _BadValue(f"stage{number}: the text of {default.year} has no such stage against opponents")
    note = scheme.note if stages == scheme.stages else ""
    scheme = Scheme(stages, top.whole("repetitions", scheme.repetitions, 1, 100), move_cpu or 0.0, note)
    packages = top.texts("packages", (), _MODULE, 'names as programs import them, such as ["numpy"]')
    files = top.texts("files", default.files, re.compile(r"[^\0]+"), 'patterns such as ["*.json"]')
    late = top.percent("late_penalty", default.late_penalty)
    provide, assignment = _provide(top, folder), top.text("assignment", default.assignment)
    found = Course(default.year, scheme, packages, files, _due(top), late, memory, provide, assignment)
    top.end(_KEYS)
    return found


def _opponents(stages: Mapping[int, Stage], number: int) -> tuple[Opponent, ...]:
    return stages[number].opponents if number in stages else ()


def _provide(top: _Table, folder: Path) -> tuple[ProvidedFile, ...] | None:
    """Return the files that the course gives to each program, None without the key; raises _BadValue.

    folder: of the course file, and of the files that it names.
    """
    value = top.take("provide")
    if value is None:
        return None
    if value == OURS:
        return course_modules()
    if not isinstance(value, list) or not all(isinstance(each, str) and _FILE.fullmatch(each) for each in value):
        raise _BadValue(f'provide is {value!r}: give "{OURS}", or a list of files beside this one, such as ["host.py"]')
    if named := [name for name in value if name in NAMES]:
        raise _BadValue(f"provide has {named[0]!r}: that is the name of a student's program")
    found, left = [], MOST_PROVIDED
    for name in dict.fromkeys(value):
        try:
            content = read_file(folder / name, left)
        except OSError as error:
            raise _BadValue(
                f"provide: {name} cannot be read: {error.strerror}: put it beside this file, at most"
                f" {MOST_PROVIDED >> 20} MiB with the others"
            ) from None
        left -= len(content)
        found.append(ProvidedFile(name, content))
    return tuple(found)


def _due(top: _Table) -> datetime | None:
    """Return the deadline; raises _BadValue for a time without a zone."""
    value = top.take("due")
    if value is not None and (not isinstance(value, datetime) or value.tzinfo is None):
        shown = value.isoformat() if hasattr(value, "isoformat") else repr(value)
        raise _BadValue(f"due is {shown}: give a time with its zone, such as 2025-10-25T23:59:00-07:00")
    return value


def _stage(table: _Table | None, default: Stage) -> Stage:
    """Return a stage of the file, with the year's values for missing keys."""
    if table is None:
        return default
    real, submit = default.real, default.submit
    games = table.whole("games", real.games, 2, 1000)
    submit_games = table.whole("submit_games", submit.games, 2, 1000)
    for name, count in (("games", games), ("submit_games", submit_games)):
        if count % 2:
            raise _BadValue(f"{table.key(name)} is {count}: give an even number, half of them are played as Black")
    found = Stage(
        _opponent_rows(table.table("opponents"), default),
        Round(games, table.seconds("cpu", real.cpu, none=True)),
        Round(submit_games, table.seconds("submit_cpu", submit.cpu, none=True)),
    )
    table.end(_STAGE_KEYS)
    return found


def _opponent_rows(table: _Table | None, default: Stage) -> tuple[Opponent, ...]:
    if table is None:
        return default.opponents
    found = []
    for name in table.names():
        if name not in _OPPONENTS:
            raise _BadValue(f"no opponent {table.key(name)!r}: there are {', '.join(_OPPONENTS)}")
        row = table.table(name)
        assert row is not None
        full = row.whole("full", None, 0, 1000)
        fair, poor = row.whole("fair", full, 0, 1000), row.whole("poor", 0, 0, 1000)
        if full is None:
            raise _BadValue(f"{row.key('full')} is missing: give the points for 90 % of the games")
        reserved = row.take("reserved") or False
        if not isinstance(reserved, bool):
            raise _BadValue(f"{row.key('reserved')} is {reserved!r}: give true or false")
        row.end(("full", "fair", "poor", "reserved"))
        found.append(Opponent(name, full, fair, poor, reserved))
    if not found:
        raise _BadValue(f"{table.key('opponents').rpartition('.')[0]} has no opponent")
    return tuple(found)


def course_text(year: int) -> str:
    """Return a course file with a year's defaults; every key in it is optional."""
    scheme = SCHEMES[year]
    lines = [
        "# The terms of a course: little-go class, grade, doctor and exam read them by --course FILE.",
        f'# A key that is left out has the value of {year}\'s text, as here. Times are "10s", "5m" or "2h".',
        "",
        f"# The text: {', '.join(map(str, SCHEMES))}.",
        f"scheme = {year}",
        "",
        '# Packages that programs may import, by the names that they import, such as ["numpy"].',
        "# They must be installed for the Python that runs the programs.",
        "packages = []",
        "",
        "# Files that are allowed beside a program; others are left out. A C++ program keeps its headers, too.",
        f"files = [{', '.join(map(_quoted, ALLOWED))}]",
        "",
        "# Files that are put beside each program that lacks them: the modules host, read and write of the course.",
        '# "course" stands for ours; a list such as ["host.py", "read.py"] names your own files beside this one.',
        PROVIDE_LINE,
        "",
        "# When submissions are due, with the zone: days late are then counted by the times of an export.",
        "# due = 2025-10-25T23:59:00-07:00",
        "",
        "# Per cent of the points that each day takes away, and how often all is played; the best counts.",
        f"late_penalty = {LATE_PENALTY}",
        f"repetitions = {scheme.repetitions}",
        "",
        "# The heading of the assignment in Canvas's gradebook.",
        f'assignment = "Little-Go {year}"',
        "",
        "# Of a move: seconds of CPU. Of a program in a sandbox: memory.",
        "[limits]",
        f'cpu = "{_time(scheme.move_cpu)}"',
        f'memory = "{MEMORY // 1024}GiB"',
    ]
    for number, stage in scheme.stages.items():
        lines += ["", *_stage_lines(number, stage)]
    return "\n".join([*lines, ""])


def _stage_lines(number: int, stage: Stage) -> list[str]:
    (games, cpu), (submit_games, submit_cpu) = stage.real, stage.submit
    lines = [
        '# Games against each opponent, half of them as Black; seconds of CPU for all games, or "none"; the same for',
        "# the submit button, which leaves out reserved opponents.",
        f"[stage{number}]",
        f"games = {games}",
        f'cpu = "{_time(cpu)}"',
        f"submit_games = {submit_games}",
        f'submit_cpu = "{_time(submit_cpu)}"',
        "",
        "# Points for 90 % of the games or more; from 70 % the share of the games times fair; below that times poor.",
        f"[stage{number}.opponents]",
    ]
    for each in stage.opponents:
        reserved = ", reserved = true" if each.reserved else ""
        lines.append(f"{each.agent} = {{ full = {each.full}, fair = {each.fair}, poor = {each.poor}{reserved} }}")
    return lines


def _quoted(text: str) -> str:
    return f'"{text}"'


def _time(seconds: float | None) -> str:
    if seconds is None:
        return "none"
    for unit, length in (("h", 3600), ("m", 60)):
        if seconds % length == 0:
            return f"{seconds / length:g}{unit}"
    return f"{seconds:g}s"
