"""The memory that transposition tables live in."""

import mmap
import os
from pathlib import Path

LEAST_MIB = 16


def open_table(mib: int, path: Path | None = None) -> mmap.mmap:
    """Return zeroed memory for a transposition table, shared with processes forked later.

    mib: size in MiB, a power of two, at least 16.
    path: keep the table in this file, so that a later run starts from what this one found; a
        file that is there must have the same size. Without it, the table is gone with the last process.
    Raises ValueError for another size, OSError when the file cannot be made.
    """
    if mib < LEAST_MIB or mib & (mib - 1):
        raise ValueError(f"a table has a power of two of MiB, {LEAST_MIB} or more; not {mib}")
    size = mib << 20
    if path is None:
        table = mmap.mmap(-1, size)
    else:
        with open(os.open(path, os.O_RDWR | os.O_CREAT, 0o666), "r+b") as file:
            found = os.fstat(file.fileno()).st_size
            if found not in (0, size):
                raise ValueError(f"{path} holds a table of {found / 2**20:g} MiB, not {mib}")
            file.truncate(size)
            table = mmap.mmap(file.fileno(), size)
    # Most look-ups miss the cache; huge pages spare them a second miss for the address.
    if hasattr(mmap, "MADV_HUGEPAGE"):
        table.madvise(mmap.MADV_HUGEPAGE)
    return table
