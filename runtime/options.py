"""Define types of options, and the options that several commands share."""

import errno
import os
import re
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import wraps
from inspect import signature
from math import ceil
from pathlib import Path
from typing import Any, TypeVar

import click

from little_go.runtime.errors import BadUsage, writing
from little_go.runtime.files import MIB, check_writable, read_text

_F = TypeVar("_F", bound=Callable[..., Any])


class _Place(click.Path):
    """The type of an option for a file or a directory, which refuses a name that is too long for the file system.

    Since Python 3.14, Path.exists() returns False for such a name, so a command would report that the file does not
    exist.
    """

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        path = super().convert(value, param, ctx)
        try:
            os.lstat(path)
        except OSError as error:
            if error.errno == errno.ENAMETOOLONG:
                raise BadUsage(f"{os.fsdecode(path)}: {error.strerror}") from None
        return path


#: The type of an option for a file to read or to write. If the option accepts ``-``, its help text explains this.
FILE = _Place(path_type=Path, dir_okay=False, allow_dash=True)


class _Output(click.Path):
    """The type of an option for a file that a command writes at its end but checks at its start."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        path = Path(os.fsdecode(super().convert(value, param, ctx)))
        with writing(path):
            check_writable(path)
        return path


#: The type of an option for a file to write.
OUTPUT = _Output(path_type=Path, allow_dash=True)
OUTPUT.name = "file"

#: The type of an option for a directory that a command creates, or to which the command adds files.
DIRECTORY = _Place(path_type=Path, file_okay=False)

#: The type of an option for the colour of a side.
COLOUR = click.Choice(["black", "white"])

#: The type of an option for a number of 1 or more.
COUNT = click.IntRange(min=1)

#: The largest seed that all random-number generators in the project accept.
_MOST_SEED = 2**64 - 1


class Duration(click.FloatRange):
    """The type of an option for a length of time, such as ``5``, ``0.5s``, ``5m`` or ``2h``.

    >>> Duration(min=0).convert("5m", None, None)
    300.0
    """

    name = "time"
    _units = {"": 1, "s": 1, "m": 60, "h": 3600}  # noqa: RUF012 - never changed

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """Return the seconds.

        Raise BadUsage if the text is not a time, and BadParameter if the time is out of range.
        """
        if isinstance(value, str):
            found = re.fullmatch(r"(-?\d+(?:\.\d+)?)([smh]?)", value)
            if not found:
                raise _refused(param, value, "give a time such as 5, 60s, 5m or 2h")
            value = float(found[1]) * self._units[found[2]]
        return float(super().convert(value, param, ctx))


#: The type of an option for a time above 0.
SOME_TIME = Duration(min=0, min_open=True)


class Size(click.ParamType[int]):
    """The type of an option for an amount of memory, such as ``256MiB``. The command gets the number of MiB."""

    name = "size"

    def __init__(self, least: int = 1, *, power: bool = False) -> None:
        """Define the allowed sizes. least: the minimum in MiB. power: whether the MiB must be a power of two."""
        self._least, self._power = least, power

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """Return the number of MiB. Raise BadUsage if the text is not a size, or if the size is not allowed."""
        if isinstance(value, int):
            return value
        found = re.fullmatch(r"(\d+(?:\.\d+)?)([MG])iB", value)
        if not found:
            raise _refused(param, value, "give a size such as 256MiB or 2GiB")
        mib = float(found[1]) * (1024 if found[2] == "G" else 1)
        if mib < self._least or mib != int(mib):
            raise _refused(param, value, f"give {self._least}MiB or more, in whole MiB")
        if self._power and int(mib) & (int(mib) - 1):
            raise _refused(param, value, "give a power of two, such as 256MiB or 2GiB")
        return int(mib)


def _refused(param: click.Parameter | None, value: str, wanted: str) -> BadUsage:
    return BadUsage(f"{param.opts[0] if param else 'the value'} is {value!r}: {wanted}")


#: The files that contain the quota and the period of a container's CPU time. Version 2 of cgroups has one file for both
#: numbers, and version 1 has two files.
_QUOTA_FILES = (
    ("/sys/fs/cgroup/cpu.max",),
    ("/sys/fs/cgroup/cpu/cpu.cfs_quota_us", "/sys/fs/cgroup/cpu/cpu.cfs_period_us"),
)


def cores() -> int:
    """Return the number of cores that this process can use, which its affinity and its quota limit."""
    allowed = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return max(1, min([allowed, *(ceil(quota) for quota in _quotas())]))


def _quotas() -> Iterator[float]:
    for files in _QUOTA_FILES:
        # Other systems have no such file. If there is no quota, the file contains "max" or -1.
        with suppress(OSError, ValueError):
            quota, period = (int(word) for file in files for word in read_text(file, MIB).split())
            if quota > 0 < period:
                yield quota / period


#: The size of the kernel's smallest table, in MiB.
LEAST_TABLE_MIB = 16


def setting(name: str, kind: click.ParamType[Any], default: object, meaning: str | None = None) -> Callable[[_F], _F]:
    """Return the decorator of an option that has a default, which its help text shows.

    meaning: the help text if runtime/help_texts.py does not contain it.
    """
    return click.option(name, type=kind, default=default, show_default=True, help=meaning)


def gathered(name: str, make: Callable[..., object], *options: Callable[[_F], _F]) -> Callable[[_F], _F]:
    """Return a decorator that adds several options to a command.

    The command gets one parameter, ``name``. The parameter's value is the result of ``make`` for the options' values.
    """
    keys = signature(make).parameters

    def add(command: _F) -> _F:
        @wraps(command)
        def gather(**values: Any) -> Any:
            own = {key: values.pop(key) for key in keys if key in values}
            return command(**values, **{name: make(**own)})

        added: Any = gather
        for option in reversed(options):
            added = option(added)
        return added  # type: ignore[no-any-return]

    return add


def table_option(default: str | None, told: str = "by free memory") -> Callable[[_F], _F]:
    """Return the decorator of ``--table``. The command gets ``table_mib``, a number of MiB that is a power of two.

    default: the default size, or None if the command chooses the size. told: a text for the help text that states how
    the command chooses.
    """
    return click.option(
        "--table",
        "table_mib",
        type=Size(LEAST_TABLE_MIB, power=True),
        default=default,
        show_default=True if default else told,
    )


def workers_option(default: int | None = None) -> Callable[[_F], _F]:
    """Return the decorator of ``--workers``. default: the number of workers, or None for the number of cores."""
    return click.option(
        "--workers",
        type=click.IntRange(1),
        default=default or cores(),
        show_default=True if default else "one per core",
    )


def seed_option() -> Callable[[_F], _F]:
    """Return the decorator of ``--seed``, whose default is 0."""
    return click.option("--seed", type=click.IntRange(0, _MOST_SEED), default=0, show_default=True)


def json_option() -> Callable[[_F], _F]:
    """Return the decorator of ``--json``. The command gets the parameter ``as_json``."""
    return click.option("--json", "as_json", is_flag=True)
