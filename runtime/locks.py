"""The lock of a file, which one process holds until it closes the file or ends."""

import sys
from typing import IO, Any


def try_lock(file: IO[Any]) -> bool:
    """Lock an open file, and return whether that was possible: another process may have it. Raises other OSError.

    On Unix it is a record lock. flock's would be inherited by forked workers, which then keep it after their parent was
    killed.
    """
    try:
        if sys.platform == "win32":
            import msvcrt

            file.seek(0)
            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
        else:
            import fcntl

            fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except (BlockingIOError, PermissionError):
        return False
    return True
