"""Faults of our machine that resemble a program's: a full disk, exhausted memory, no room for a process or a file."""

import errno
import os
import sys
from pathlib import Path

from little_go.runtime.files import MIB, read_file

#: Errors that a program's own actions do not explain.
_ERRORS = {
    *(errno.ENOSPC, errno.EDQUOT, errno.ENOMEM, errno.EMFILE, errno.ENFILE, errno.EIO, errno.EROFS, errno.EAGAIN),
}

#: A disk with fewer free bytes is full: a program's small file needs a block.
_LEAST_FREE = MIB


def is_machine_error(error: OSError) -> bool:
    """Return whether an error is our machine's."""
    return error.errno in _ERRORS


def disk_fault(place: Path) -> str:
    """Return a clause on a full disk, or ""."""
    if sys.platform == "win32":
        return ""
    try:
        found = os.statvfs(place)
    except OSError:
        return ""
    # Some file systems do not count files.
    full = found.f_bavail * found.f_frsize < _LEAST_FREE or (found.f_files and not found.f_favail)
    return "the disk of our machine is full" if full else ""


def killed_for_memory() -> int:
    """Return how many processes Linux has killed since its start because memory was exhausted."""
    try:
        counts = dict(line.split() for line in read_file("/proc/vmstat", MIB).splitlines())
        return int(counts.get(b"oom_kill", 0))
    except (OSError, ValueError):
        return 0


class MachineWatch:
    """Tells a fault of our machine during a program's run from one of the program."""

    def __init__(self, place: Path) -> None:
        """Begin before the run. place: the program's directory."""
        self._place, self._killed = place, killed_for_memory()

    def fault(self, words: str = "") -> str:
        """Return a clause on our machine's fault since the beginning, or "".

        words: the program's standard error. Linux lets a process that it kills print nothing.
        """
        if not words.strip() and killed_for_memory() > self._killed:
            return "our machine ran out of memory"
        return disk_fault(self._place)
