"""Control groups: the kernel's limit on the memory of a program and its children, and its count of their CPU time.

Version 2 counts CPU time in every group, and limits memory if the parent is delegated with that controller (a desktop's
terminal, `systemd-run --user --scope`, root in a session). A group is made beside this process's own. Version 1 has a
hierarchy for each purpose, in which root can make groups below this process's. Linux only.
"""

import os
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import NamedTuple

# Types are checked for other systems too, which lack most of these calls.
assert sys.platform == "linux"

_MEMORY, _CPU = "memory", "cpu"

#: By the name of version 1's controller.
_PURPOSES = {"memory": _MEMORY, "cpuacct": _CPU}


class _Files(NamedTuple):
    """The files of a group.

    limit, limit_with_swap: bytes. kills: a count by kind. cpu: user + system time. unit: its units a second. row: the
    word before the time, "" for a file without words.
    """

    limit: str
    limit_with_swap: str
    kills: str
    cpu: str
    unit: float
    row: str


_FILES = {
    2: _Files("memory.max", "memory.swap.max", "memory.events", "cpu.stat", 1e6, "usage_usec"),
    1: _Files("memory.limit_in_bytes", "memory.memsw.limit_in_bytes", "memory.oom_control", "cpuacct.usage", 1e9, ""),
}


class _Place(NamedTuple):
    """A directory in which groups can be made, the version, and what these groups do."""

    parent: Path
    version: int
    purposes: frozenset[str]


class _Part:
    """A group in one hierarchy."""

    def __init__(self, place: _Place, limit: int) -> None:
        """Make it, with a limit of memory in bytes unless 0; raises OSError."""
        self.files = _FILES[place.version]
        self.path = Path(tempfile.mkdtemp(prefix="arena-", dir=place.parent))
        try:
            if limit:
                (self.path / self.files.limit).write_text(str(limit))
                with suppress(OSError):
                    # Not every kernel counts swap; in version 1 the file limits the sum of memory and swap.
                    (self.path / self.files.limit_with_swap).write_text(str(limit if place.version == 1 else 0))
            self.procs = os.open(self.path / "cgroup.procs", os.O_WRONLY | os.O_CLOEXEC)
        except OSError:
            self.path.rmdir()
            raise

    def row(self, file: str, name: str) -> int:
        """Return the number after a word of a file, or the file's only number; raises OSError, ValueError."""
        text = (self.path / file).read_text()
        return int(dict(line.split() for line in text.splitlines())[name] if name else text)


class ControlGroup:
    """A program's own control group, in one hierarchy or two."""

    def __init__(self, memory: _Part | None, cpu: _Part | None) -> None:
        self._memory, self._cpu = memory, cpu
        self._parts = list(dict.fromkeys(part for part in (memory, cpu) if part is not None))

    def enter(self) -> None:
        """Move this process into the group."""
        for part in self._parts:
            os.write(part.procs, b"0")

    @property
    def has_killed(self) -> bool:
        """Whether the kernel has killed a process here for its memory."""
        if self._memory is None:
            return False
        with suppress(OSError, ValueError, KeyError):
            return self._memory.row(self._memory.files.kills, "oom_kill") > 0
        return False

    @property
    def seconds(self) -> float:
        """CPU seconds of all its processes, ended ones included; 0 if the kernel does not count them."""
        if self._cpu is None:
            return 0.0
        with suppress(OSError, ValueError, KeyError):
            return self._cpu.row(self._cpu.files.cpu, self._cpu.files.row) / self._cpu.files.unit
        return 0.0

    def remove(self) -> None:
        """Remove the group after its processes ended, if possible."""
        for part in self._parts:
            os.close(part.procs)
            with suppress(OSError):
                part.path.rmdir()


def group_of(limit: int) -> ControlGroup | None:
    """Return a new group with a limit of memory in bytes, 0 for none, or None if no group can be made.

    The group limits memory and counts CPU time as far as the kernel lets this process make groups for that.
    """
    wanted = {_MEMORY, _CPU} if limit else {_CPU}
    found: dict[str, _Part] = {}
    for place in _places():
        if new := place.purposes & wanted - found.keys():
            with suppress(OSError):
                found |= dict.fromkeys(new, _Part(place, limit if _MEMORY in new else 0))
    return ControlGroup(found.get(_MEMORY), found.get(_CPU)) if found else None


@cache
def _places() -> Sequence[_Place]:
    return tuple(_found_places())


def _found_places() -> Iterator[_Place]:
    with suppress(OSError, ValueError):
        own: dict[str, str] = {}
        for line in Path("/proc/self/cgroup").read_text().splitlines():
            _, controllers, path = line.split(":", 2)
            own |= dict.fromkeys(controllers.split(","), path.lstrip("/"))
        for line in Path("/proc/self/mounts").read_text().splitlines():
            _, mount, kind, options, *_ = line.split(" ")
            if kind == "cgroup2" and "" in own:
                group = Path(mount, own[""])
                parent = group if group == Path(mount) else group.parent
                controllers = (parent / "cgroup.subtree_control").read_text()
                yield _Place(parent, 2, frozenset({_CPU, _MEMORY} if _MEMORY in controllers.split() else {_CPU}))
            elif kind == "cgroup":
                mounted = {name: own[name] for name in options.split(",") if name in own and name in _PURPOSES}
                if mounted:
                    purposes = frozenset(_PURPOSES[name] for name in mounted)
                    yield _Place(Path(mount, *set(mounted.values())), 1, purposes)
