"""Make control groups, with which Linux limits the memory and counts the CPU time of a program and its children.

Version 2 of control groups counts CPU time in every group. Version 2 limits memory if the parent group is delegated to
the user with the memory controller, as in a desktop's terminal, under `systemd-run --user --scope`, or for root in a
session. With version 2, the new group has the same parent as the group of this process. Version 1 has one hierarchy for
memory and one for CPU time. In each hierarchy, root can make groups below the group of this process.
"""

import os
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import NamedTuple

# mypy also checks this file for other systems, which lack most of these calls.
assert sys.platform == "linux"

_MEMORY, _CPU = "memory", "cpu"

#: Maps the name of each controller of version 1 to its purpose.
_PURPOSES = {"memory": _MEMORY, "cpuacct": _CPU}


class _Files(NamedTuple):
    """The names of the files through which a control group is used.

    limit, limit_with_swap: the files for limits in bytes. kills: the file that counts killed processes by reason. cpu:
    the file with user + system time. unit: the units of time per second in the file ``cpu``. cpu_word: the word before
    the time in the file ``cpu``, or "" if the file contains only a number.
    """

    limit: str
    limit_with_swap: str
    kills: str
    cpu: str
    unit: float
    cpu_word: str


#: Maps the version of control groups to the names of the files.
_FILES = {
    2: _Files("memory.max", "memory.swap.max", "memory.events", "cpu.stat", 1e6, "usage_usec"),
    1: _Files("memory.limit_in_bytes", "memory.memsw.limit_in_bytes", "memory.oom_control", "cpuacct.usage", 1e9, ""),
}


class _Place(NamedTuple):
    """A directory in which groups can be made.

    purposes: the purposes that these groups serve, which are memory, CPU time or both.
    """

    parent: Path
    version: int
    purposes: frozenset[str]


class _HierarchyGroup:
    """A control group in one hierarchy."""

    def __init__(self, place: _Place, limit: int) -> None:
        """Make the group. limit: bytes of memory, or 0 for no limit. Raise OSError if the group cannot be made."""
        self.files = _FILES[place.version]
        self.path = Path(tempfile.mkdtemp(prefix="arena-", dir=place.parent))
        try:
            if limit:
                (self.path / self.files.limit).write_text(str(limit))
                with suppress(OSError):
                    # The kernel lacks this file if it does not count swap. In version 1 the file limits memory and swap
                    # together.
                    (self.path / self.files.limit_with_swap).write_text(str(limit if place.version == 1 else 0))
            self.procs = os.open(self.path / "cgroup.procs", os.O_WRONLY | os.O_CLOEXEC)
        except OSError:
            self.path.rmdir()
            raise

    def number(self, file: str, word: str) -> int:
        """Return the number after a word in a file, or the file's only number if the word is "".

        Raise OSError, ValueError or KeyError if there is no such number.
        """
        text = (self.path / file).read_text()
        return int(dict(line.split() for line in text.splitlines())[word] if word else text)


class ControlGroup:
    """A control group for one program, in one hierarchy or in two."""

    def __init__(self, memory: _HierarchyGroup | None, cpu: _HierarchyGroup | None) -> None:
        self._memory, self._cpu = memory, cpu
        self._groups = list(dict.fromkeys(group for group in (memory, cpu) if group is not None))

    def enter(self) -> None:
        """Move this process into the group."""
        for group in self._groups:
            os.write(group.procs, b"0")

    @property
    def has_killed(self) -> bool:
        """Whether the kernel has killed a process of the group because the group exceeded its memory limit."""
        if self._memory is None:
            return False
        with suppress(OSError, ValueError, KeyError):
            return self._memory.number(self._memory.files.kills, "oom_kill") > 0
        return False

    @property
    def seconds(self) -> float:
        """The CPU seconds of all processes of the group, even terminated ones, or 0 if the kernel counts no seconds."""
        if self._cpu is None:
            return 0.0
        with suppress(OSError, ValueError, KeyError):
            return self._cpu.number(self._cpu.files.cpu, self._cpu.files.cpu_word) / self._cpu.files.unit
        return 0.0

    def remove(self) -> None:
        """Remove the group if possible. All processes of the group must have ended."""
        for group in self._groups:
            os.close(group.procs)
            with suppress(OSError):
                group.path.rmdir()


def make_group(limit: int) -> ControlGroup | None:
    """Make a group for a program. Return None if this process cannot make groups.

    limit: the maximum bytes of memory; 0 for no limit. The group limits memory or counts CPU time only if the kernel
    allows this process to make groups for that purpose.
    """
    wanted = {_MEMORY, _CPU} if limit else {_CPU}
    found: dict[str, _HierarchyGroup] = {}
    for place in _places():
        if new := place.purposes & wanted - found.keys():
            with suppress(OSError):
                found |= dict.fromkeys(new, _HierarchyGroup(place, limit if _MEMORY in new else 0))
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
