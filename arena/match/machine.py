"""Detect faults of our machine that look like a program's faults: a full disk, exhausted memory, many open files."""

import errno
import os
import sys
from pathlib import Path

from little_go.runtime.files import MIB, read_file

#: The numbers (errno) of the errors that count as faults of our machine, not of the program.
_ERRORS = {
    *(errno.ENOSPC, errno.EDQUOT, errno.ENOMEM, errno.EMFILE, errno.ENFILE, errno.EIO, errno.EROFS, errno.EAGAIN),
}

#: A disk counts as full if it has fewer free bytes than this, because even a small file needs a whole block.
_LEAST_FREE = MIB


def is_machine_error(error: OSError) -> bool:
    """Return whether our machine, not the program, caused an error."""
    return error.errno in _ERRORS


def disk_fault(place: Path) -> str:
    """Return a clause if the disk that contains a path is full, or else ""."""
    if sys.platform == "win32":
        return ""
    try:
        found = os.statvfs(place)
    except OSError:
        return ""
    # Some file systems do not count their files, and report 0 as the maximum number of files.
    full = found.f_bavail * found.f_frsize < _LEAST_FREE or (found.f_files and not found.f_favail)
    return "the disk of our machine is full" if full else ""


def killed_for_memory() -> int:
    """Return how many processes Linux has killed since the machine's start because memory was exhausted."""
    try:
        counts = dict(line.split() for line in read_file("/proc/vmstat", MIB).splitlines())
        return int(counts.get(b"oom_kill", 0))
    except (OSError, ValueError):
        return 0


class MachineWatch:
    """Detects faults of our machine during a program's run, so that they do not count against the program."""

    def __init__(self, place: Path) -> None:
        """Record the state of the machine before the program's run. place: the program's directory."""
        self._place, self._killed = place, killed_for_memory()

    def fault(self, errors: str = "") -> str:
        """Return a clause on a fault of our machine since this object was made, or "".

        errors: the program's standard error. If the program printed an error, Linux did not kill it, because a process
        that Linux kills prints nothing.
        """
        if not errors.strip() and killed_for_memory() > self._killed:
            return "our machine ran out of memory"
        return disk_fault(self._place)
