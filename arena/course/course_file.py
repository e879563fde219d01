"""Read and write the course file, which contains the terms of a course in TOML, for staff and students.

``little-go class --new FILE`` writes a course file with the defaults of a year. If a key is missing, the default of the
course file's year applies.
"""

import math
import re
import sys
from collections.abc import Callable, Mapping, Sequence
from datetime import date, datetime
from pathlib import Path
from typing import Any, NamedTuple

import click

from little_go.arena.course.grading import NEWEST, SCHEMES, Opponent, Round, Scheme, Shares, Stage
from little_go.arena.match.copying import ALLOWED
from little_go.arena.match.programs import NAMES
from little_go.arena.match.provided import MOST_PROVIDED, OURS, PROVIDE_LINE, ProvidedFile, course_modules
from little_go.arena.standings.entrants import PROGRAMMED
from little_go.runtime.errors import BadUsage
from little_go.runtime.files import MIB, UNREADABLE, open_text, read_file, why_unreadable
from little_go.runtime.options import SOME_TIME, Size

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

#: The defaults for the per cent of the points that each day late costs, and for the MiB of memory that a program in a
#: sandbox may use.
LATE_PENALTY, MEMORY = 20, 1024


class Course(NamedTuple):
    """The terms of a course.

    year: the year of the assignment's text. scheme: the stages and limits of the year, with the changes of the course.
    packages: the packages that programs may import, or None if there is no course file. files: patterns of the files
    that may be next to a program. due: the deadline, or None. late_penalty: per cent of the points that each day late
    costs. memory: MiB that a program in a sandbox may use. provide: the files that each program gets, or None if the
    course file has no such key. assignment: the name of the assignment in Canvas's gradebook.
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
    """Return the default terms of a year, which apply without a course file."""
    return Course(year, SCHEMES[year], assignment=f"Little-Go {year}")


def read_course(path: Path, year: int | None = None) -> Course:
    """Return the terms in a course file. Raise BadUsage if the file cannot be used.

    year: a year that replaces the year in the file, or None.
    """
    try:
        with open_text(path, MIB) as text:
            content = tomllib.loads(text.read())
    except tomllib.TOMLDecodeError as error:
        raise BadUsage(f"{path}: not TOML: {' '.join(str(error).split())}") from None
    except UNREADABLE as error:
        raise BadUsage(f"{path}: cannot be read: {why_unreadable(error)}") from None
    if not content:
        raise BadUsage(f"{path}: the course file contains no key: write a new one by little-go class --new FILE")
    try:
        return _course(_values("", content, KEYS), year, path.parent)
    except _BadValue as error:
        raise BadUsage(f"{path}: {error}") from None


class _BadValue(ValueError):
    """Raised if a key of the file has an invalid value. The message is one line that contains the key."""


class _Key(NamedTuple):
    """The rules for a key of the course file.

    accepts: a function that returns whether a value is valid. advice: a text that describes the valid values. convert:
    a function that converts an accepted value. If it finds that the value is not valid, convert raises ClickException,
    or ValueError with other advice as its message.
    """

    accepts: Callable[[Any], bool]
    advice: str
    convert: Callable[[Any], Any] = lambda value: value


def _whole(least: int, most: int, convert: Callable[[int], int] = int) -> _Key:
    advice = f"a whole number, {least} to {most}"
    return _Key(lambda value: type(value) is int and least <= value <= most, advice, convert)


def _even(games: int) -> int:
    if games % 2:
        raise ValueError("an even number, half of them are played as Black")
    return games


def _texts(pattern: str, advice: str) -> _Key:
    texts = re.compile(pattern, re.ASCII)
    return _Key(
        lambda value: (
            isinstance(value, list) and all(isinstance(each, str) and texts.fullmatch(each) for each in value)
        ),
        advice,
        lambda value: tuple(dict.fromkeys(value)),
    )


def _is_time(value: Any) -> bool:
    return type(value) in (int, float, str) and value not in (math.inf, -math.inf)


def _to_seconds(value: Any) -> float | None:
    return None if value == "none" else SOME_TIME.convert(value, None, None)


_TIME = 'a time such as "10s" or "2h"'
_OPPONENT = {
    **dict.fromkeys(("full", "fair", "poor"), _whole(0, 1000)),
    "reserved": _Key(lambda value: isinstance(value, bool), "true or false"),
}
_STAGE = {
    **dict.fromkeys(("games", "submit_games"), _whole(2, 1000, _even)),
    **dict.fromkeys(("cpu", "submit_cpu"), _Key(_is_time, f'{_TIME}, or "none"', _to_seconds)),
    "opponents": dict.fromkeys(sorted(PROGRAMMED), _OPPONENT),
}
_NAMED = _texts(r"(?!\.)[^/\\\0]{1,100}", f'"{OURS}", or a list of files next to this one, such as ["host.py"]')

#: The keys of the course file. A dict represents a table of the file.
KEYS: dict[str, Any] = {
    "scheme": _Key(lambda value: type(value) is int and value in SCHEMES, ", ".join(map(str, SCHEMES))),
    "packages": _texts(r"[A-Za-z_]\w*", 'a list of names as programs import them, such as ["numpy"]'),
    "files": _texts(r"[^\0]+", 'a list of patterns such as ["*.json"]'),
    "provide": _Key(
        lambda value: value == OURS or _NAMED.accepts(value),
        _NAMED.advice,
        lambda value: value if value == OURS else _NAMED.convert(value),
    ),
    "due": _Key(
        lambda value: isinstance(value, datetime) and value.tzinfo is not None,
        "a time with its zone, such as 2025-10-25T23:59:00-07:00",
    ),
    "late_penalty": _Key(lambda value: type(value) in (int, float) and 0 <= value <= 100, "per cent, 0 to 100", float),
    "repetitions": _whole(1, 100),
    "assignment": _Key(lambda value: isinstance(value, str) and bool(value.strip()), "a text", str.strip),
    "limits": {
        "cpu": _Key(lambda value: _is_time(value) and value != "none", _TIME, _to_seconds),
        "memory": _Key(
            lambda value: type(value) is str,
            'a size such as "1GiB", at least "16MiB"',
            lambda value: Size(least=16).convert(value, None, None),
        ),
    },
    "stage1": _STAGE,
    "stage2": _STAGE,
}


def _values(name: str, content: Mapping[str, Any], keys: Mapping[str, Any]) -> dict[str, Any]:
    """Return the converted values in a table of the file. Raise _BadValue if a key or a value is not valid.

    name: the name of the table, or "" for the whole file. keys: the keys that the table may contain.
    """
    found = {}
    for key, value in content.items():
        full, allowed = f"{name}.{key}" if name else key, keys.get(key)
        if allowed is None:
            kind = "opponent" if name.endswith("opponents") else "key"
            raise _BadValue(f"no {kind} {full!r}: there are {', '.join(keys)}")
        if isinstance(allowed, _Key):
            found[key] = _value(full, value, allowed)
        elif isinstance(value, dict):
            found[key] = _values(full, value, allowed)
        else:
            raise _BadValue(f"{full} is {value!r}: give a table, [{full}]")
    return found


def _value(name: str, value: Any, key: _Key) -> Any:
    advice = key.advice
    try:
        if key.accepts(value):
            return key.convert(value)
    except click.ClickException:
        pass
    except ValueError as error:
        advice = str(error)
    shown = value.isoformat() if isinstance(value, date) else repr(value)
    raise _BadValue(f"{name} is {shown}: give {advice}")


def _course(given: Mapping[str, Any], year: int | None, folder: Path) -> Course:
    """Return the terms for the values of a course file. folder: the folder that contains the file."""
    default = course_of(year or given.get("scheme", NEWEST))
    scheme, limits = default.scheme, given.get("limits", {})
    for number in (1, 2):
        if f"stage{number}" in given and number not in scheme.stages:
            raise _BadValue(f"stage{number}: the text of {default.year} has no such stage against opponents")
    stages = {
        number: _stage(f"stage{number}", given.get(f"stage{number}", {}), stage, scheme.shares)
        for number, stage in scheme.stages.items()
    }
    first, *second = ({each.agent for each in stage.opponents} for stage in stages.values())
    if twice := first.intersection(*second) if second else ():
        raise _BadValue(f"stage2.opponents: {', '.join(sorted(twice))} is in stage1.opponents, too")
    note = scheme.note if stages == scheme.stages else ""
    return default._replace(
        scheme=scheme._replace(
            stages=stages,
            repetitions=given.get("repetitions", scheme.repetitions),
            move_cpu=limits.get("cpu", scheme.move_cpu),
            note=note,
        ),
        memory=limits.get("memory", default.memory),
        packages=given.get("packages", ()),
        provide=_provided_files(given["provide"], folder) if "provide" in given else None,
        **{key: given[key] for key in ("files", "due", "late_penalty", "assignment") if key in given},
    )


def _stage(name: str, given: Mapping[str, Any], default: Stage, shares: Shares) -> Stage:
    """Return a stage of the grading.

    default: the stage of the year, whose values apply if keys are missing. shares: the year's shares of games won.
    """
    opponents = [
        Opponent(agent, row["full"], row.get("fair", row["full"]), row.get("poor", 0), row.get("reserved", False))
        for agent, row in given.get("opponents", {}).items()
        if _has_full(f"{name}.opponents.{agent}", row, shares)
    ]
    if "opponents" in given and not opponents:
        raise _BadValue(f"{name}.opponents contains no opponent: add one, or omit the table")
    real, submit = default.real, default.submit
    return Stage(
        tuple(opponents) or default.opponents,
        Round(given.get("games", real.games), given.get("cpu", real.cpu)),
        Round(given.get("submit_games", submit.games), given.get("submit_cpu", submit.cpu)),
    )


def _has_full(name: str, row: Mapping[str, Any], shares: Shares) -> bool:
    if "full" not in row:
        raise _BadValue(f"{name}.full is missing: give the points for {shares.full} % of the games")
    return True


def _provided_files(names: str | Sequence[str], folder: Path) -> tuple[ProvidedFile, ...]:
    """Return the files that the course gives to each program. Raise _BadValue if a file cannot be used.

    names: OURS, or the names of files in the folder that contains the course file.
    """
    if names == OURS:
        return course_modules()
    if named := [name for name in names if name in NAMES]:
        raise _BadValue(f"provide has {named[0]!r}: that is the name of a student's program")
    found, left = [], MOST_PROVIDED
    for name in names:
        try:
            content = read_file(folder / name, left)
        except OSError as error:
            raise _BadValue(
                f"provide: {name} cannot be read: {error.strerror}: put it next to this file, at most"
                f" {MOST_PROVIDED >> 20} MiB with the others"
            ) from None
        left -= len(content)
        found.append(ProvidedFile(name, content))
    return tuple(found)


def course_text(year: int) -> str:
    """Return the text of a course file that contains the defaults of a year."""
    scheme = SCHEMES[year]
    lines = [
        "# The terms of a course: little-go class, grade, doctor and exam read them by --course FILE.",
        f'# A key that is missing has the value of {year}\'s text, as here. Times are "10s", "5m" or "2h".',
        "",
        f"# The year of the assignment's text: {', '.join(map(str, SCHEMES))}.",
        f"scheme = {year}",
        "",
        '# Packages that programs may import, by the names that they import, such as ["numpy"].',
        "# They must be installed for the Python that runs the programs.",
        "packages = []",
        "",
        "# Files that may be next to a program; other files are removed. A C++ program keeps its headers, too.",
        f"files = [{', '.join(map(_quoted, ALLOWED))}]",
        "",
        "# Files that each program gets if it lacks them: the modules host, read and write of the course. The value",
        '# "course" stands for Little-Go\'s own; to give your own files, which are next to this one, list their names.',
        PROVIDE_LINE,
        "",
        "# The deadline, with its time zone. Days late are counted from it by the times in an export.",
        "# due = 2025-10-25T23:59:00-07:00",
        "",
        "# Per cent of the points that each day late costs. How often all games are played; the best result counts.",
        f"late_penalty = {LATE_PENALTY}",
        f"repetitions = {scheme.repetitions}",
        "",
        "# The heading of the assignment in Canvas's gradebook.",
        f'assignment = "Little-Go {year}"',
        "",
        "# The CPU time of a move, and the memory of a program in a sandbox.",
        "[limits]",
        f'cpu = "{_time(scheme.move_cpu)}"',
        f'memory = "{MEMORY // 1024}GiB"',
    ]
    for number, stage in scheme.stages.items():
        lines += ["", *_stage_lines(number, stage, scheme.shares)]
    return "\n".join([*lines, ""])


def _stage_lines(number: int, stage: Stage, shares: Shares) -> list[str]:
    (games, cpu), (submit_games, submit_cpu) = stage.real, stage.submit
    lines = [
        '# Games against each opponent, half of them as Black. CPU time for all games, or "none". The keys with submit',
        "# are for the submit button, which omits reserved opponents.",
        f"[stage{number}]",
        f"games = {games}",
        f'cpu = "{_time(cpu)}"',
        f"submit_games = {submit_games}",
        f'submit_cpu = "{_time(submit_cpu)}"',
        "",
        f"# full: the points for winning {shares.full} % of the games or more. fair, poor: factors of the share of",
        f"# games won, from {shares.fair} % on and below {shares.fair} %.",
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
