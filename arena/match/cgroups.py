"""Control groups: the kernel's limit on the memory of a program and its children.

Version 2: beside this process's group, if the parent is delegated with the memory controller (a desktop's terminal,
`systemd-run --user --scope`, root in a session). Version 1: below it, for root. Elsewhere only the warden measures
memory.
"""

import os
import sys
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from pathlib import Path

# Types are checked for other systems too, which lack most of these calls.
assert sys.platform == "linux"

#: By version: the files of the memory limit, of the limit with swap, and of the count of kills.
_FILES = {
    2: ("memory.max", "memory.swap.max", "memory.events"),
    1: ("memory.limit_in_bytes", "memory.memsw.limit_in_bytes", "memory.oom_control"),
}


class ControlGroup:
    """A program's own control group."""

    def __init__(self, place: Path, version: int, limit: int) -> None:
        """Make it with a limit in bytes; raises OSError."""
        most, swapped, self._counts = _FILES[version]
        self._path = Path(tempfile.mkdtemp(prefix="arena-", dir=place))
        try:
            (self._path / most).write_text(str(limit))
            with suppress(OSError):
                # Not every kernel counts swap; in version 1 the file limits the sum of memory and swap.
                (self._path / swapped).write_text(str(limit if version == 1 else 0))
            self._procs = os.open(self._path / "cgroup.procs", os.O_WRONLY | os.O_CLOEXEC)
        except OSError:
            self._path.rmdir()
            raise

    def enter(self) -> None:
        """Move this process into the group."""
        os.write(self._procs, b"0")

    @property
    def has_killed(self) -> bool:
        """Whether the kernel has killed a process here for its memory."""
        with suppress(OSError):
            rows = dict(row.split() for row in (self._path / self._counts).read_text().splitlines())
            return int(rows.get("oom_kill", 0)) > 0
        return False

    def remove(self) -> None:
        """Remove the group after its processes ended, if possible."""
        os.close(self._procs)
        with suppress(OSError):
            self._path.rmdir()


def group_of(limit: int) -> ControlGroup | None:
    """Return a new group with a limit in bytes, or None where none can be made."""
    for place, version in _places():
        with suppress(OSError):
            return ControlGroup(place, version, limit)
    return None


@cache
def _places() -> tuple[tuple[Path, int], ...]:
    return tuple(_found_places())


def _found_places() -> Iterator[tuple[Path, int]]:
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
                if "memory" in (parent / "cgroup.subtree_control").read_text().split():
                    yield parent, 2
            elif kind == "cgroup" and "memory" in options.split(",") and "memory" in own:
                yield Path(mount, own["memory"]), 1
