"""Read and write small files in a directory that other programs use too; part of ``my_player3.py``, Python 3.7.

No function waits for a pipe or a device, or writes through a link to another file.
"""

import errno
import os
import stat
from typing import Tuple

#: Flags that only some systems have. Without O_NONBLOCK, opening a pipe would wait for its other end. O_BINARY is for
#: Windows.
AT_ONCE = getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)

#: The number of names to try for a draft. Drafts of killed calls may occupy some names.
_MOST_DRAFTS = 100


def read_plain(path: str, most: int) -> bytes:
    """Return the first ``most`` bytes of a plain file; raises OSError, also for another kind of file."""
    descriptor = os.open(path, os.O_RDONLY | AT_ONCE)
    with open(_checked_plain(descriptor, path), "rb") as file:
        return file.read(most)


def write_plain(path: str, content: bytes) -> None:
    """Write a file completely or not at all; if the directory is read-only, write the file in place. Raises OSError."""
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
    """Remove a file if it exists; if the directory is read-only, empty the file. Raises OSError."""
    try:
        os.remove(path)
    except FileNotFoundError:
        pass
    except OSError:
        _write_in_place(path, b"")


def _write_in_place(path: str, content: bytes) -> None:
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | AT_ONCE, 0o666)
    with open(_checked_plain(descriptor, path), "wb", buffering=0) as file:
        # The content is written before the file is cut, so a reader between these steps finds the new first line.
        file.write(content + b"\n")
        file.truncate(len(content))


def _open_draft(path: str) -> Tuple[str, int]:
    """Return the name and the descriptor of a new draft next to a file, which no other call uses; raises OSError."""
    for number in range(_MOST_DRAFTS):
        draft = "{}.{}.{}.tmp".format(path, os.getpid(), number)
        try:
            return draft, os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL | AT_ONCE, 0o666)
        except FileExistsError:
            continue
    raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), path)


def _checked_plain(descriptor: int, path: str) -> int:
    """Return the descriptor of a plain file. For any other file, close the descriptor and raise OSError."""
    mode = os.fstat(descriptor).st_mode
    if stat.S_ISREG(mode):
        return descriptor
    os.close(descriptor)
    if stat.S_ISDIR(mode):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), path)
    raise OSError(errno.EINVAL, "Not a plain file", path)
