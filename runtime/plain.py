"""Read and write small files in a directory that other programs use, too.

No function waits for a pipe or a device, or writes through a link to another file. This module is a part of
``my_player3.py``, so it must run on Python 3.7.
"""

import errno
import os
import stat
from typing import Tuple

#: Flags that only some systems have. Without O_NONBLOCK, opening a pipe would wait for its other end. The flag O_BINARY
#: exists only on Windows.
AT_ONCE = getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)

#: The number of names to try for a draft. Drafts of calls that were killed may use some of the names.
_MOST_DRAFTS = 100


def read_plain(path: str, most: int) -> bytes:
    """Return the first ``most`` bytes of a file. Raise OSError if the file is not plain or cannot be read."""
    descriptor = os.open(path, os.O_RDONLY | AT_ONCE)
    with open(_checked_plain(descriptor, path), "rb") as file:
        return file.read(most)


def write_plain(path: str, content: bytes) -> None:
    """Write a file completely or not at all. If the directory is read-only, write the file in place."""
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
    """Remove a file if it exists. If the directory is read-only, empty the file."""
    try:
        os.remove(path)
    except FileNotFoundError:
        pass
    except OSError:
        _write_in_place(path, b"")


def _write_in_place(path: str, content: bytes) -> None:
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | AT_ONCE, 0o666)
    with open(_checked_plain(descriptor, path), "wb", buffering=0) as file:
        # Write the content before the file is truncated, so that a reader between these steps finds the new first line.
        file.write(content + b"\n")
        file.truncate(len(content))


def _open_draft(path: str) -> Tuple[str, int]:
    """Create a draft next to a file, and return the draft's name, which no other call uses, and its descriptor."""
    for number in range(_MOST_DRAFTS):
        draft = "{}.{}.{}.tmp".format(path, os.getpid(), number)
        try:
            return draft, os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL | AT_ONCE, 0o666)
        except FileExistsError:
            continue
    raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), path)


def _checked_plain(descriptor: int, path: str) -> int:
    """Return the descriptor of a plain file, or close the descriptor of any other file and raise OSError."""
    mode = os.fstat(descriptor).st_mode
    if stat.S_ISREG(mode):
        return descriptor
    os.close(descriptor)
    if stat.S_ISDIR(mode):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), path)
    raise OSError(errno.EINVAL, "Not a plain file", path)
