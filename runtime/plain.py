"""Small files in a directory that others write to as well; part of ``my_player3.py``, Python 3.7.

Nothing here waits for a pipe or a device, or writes through a link to another's file.
"""

import errno
import os
import stat
from typing import Tuple

#: Not on every system: without the first, opening a pipe waits for its other end; the second is for Windows.
AT_ONCE = getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)

#: Names to try for a draft; those taken are of calls that were killed.
_MOST_DRAFTS = 100


def read_plain(path: str, most: int) -> bytes:
    """Return the first ``most`` bytes of a plain file; raises OSError, also for another kind of file."""
    descriptor = os.open(path, os.O_RDONLY | AT_ONCE)
    with open(_checked_plain(descriptor, path), "rb") as file:
        return file.read(most)


def write_plain(path: str, content: bytes) -> None:
    """Write a file whole or not at all or, where its directory may not be written, in place; raises OSError."""
    draft = ""
    try:
        draft, descriptor = _open_draft(path)
        with open(descriptor, "wb") as file:
            file.write(content)
        os.replace(draft, path)
    except OSError:
        if draft:
            os.remove(draft)
        _write_in_place(path, content)


def remove_plain(path: str) -> None:
    """Remove a file or, where its directory may not be written, empty it; a missing one is fine. Raises OSError."""
    try:
        os.remove(path)
    except FileNotFoundError:
        pass
    except OSError:
        _write_in_place(path, b"")


def _write_in_place(path: str, content: bytes) -> None:
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | AT_ONCE, 0o666)
    with open(_checked_plain(descriptor, path), "wb", buffering=0) as file:
        # A reader between the two finds the new first line.
        file.write(content + b"\n")
        file.truncate(len(content))


def _open_draft(path: str) -> Tuple[str, int]:
    """Return the name of a new draft of this call alone, beside a file, and its descriptor; raises OSError."""
    for number in range(_MOST_DRAFTS):
        draft = "{}.{}.{}.tmp".format(path, os.getpid(), number)
        try:
            return draft, os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL | AT_ONCE, 0o666)
        except FileExistsError:
            continue
    raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), path)


def _checked_plain(descriptor: int, path: str) -> int:
    """Return the descriptor of a plain file; close any other, and raise OSError."""
    mode = os.fstat(descriptor).st_mode
    if stat.S_ISREG(mode):
        return descriptor
    os.close(descriptor)
    if stat.S_ISDIR(mode):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), path)
    raise OSError(errno.EINVAL, "Not a plain file", path)
