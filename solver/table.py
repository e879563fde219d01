"""The memory that transposition tables live in."""

import mmap
import os
from contextlib import suppress
from pathlib import Path

LEAST_MIB = 16


def open_table(mib: int, path: Path | None = None, *, shared: bool = False) -> mmap.mmap:
    """Return zeroed memory for a transposition table, for any number of threads.

    mib: size in MiB, a power of two, at least 16.
    path: keep the table in this file, so that a later run starts from what this one found; a
        file that is there must have the same size. Without it, the table is gone with the last process.
    shared: share it with processes forked later too, which a table in a file always does. Memory that is not shared may
        have huge pages whatever the machine's settings for shared memory.
    Raises ValueError for another size, or one larger than the free memory, OSError when the file cannot be made or the
    disk has no room for it.
    """
    if mib < LEAST_MIB or mib & (mib - 1):
        raise ValueError(f"a table has a power of two of MiB, {LEAST_MIB} or more; not {mib}")
    size = mib << 20
    if path is not None:
        table = _file_table(path, size)
    else:
        free = free_memory()
        if size > free:
            raise ValueError(f"a table of {size / 2**30:g} GiB does not fit: {free / 2**30:.1f} GiB of memory are free")
        table = mmap.mmap(-1, size, flags=mmap.MAP_ANONYMOUS | (mmap.MAP_SHARED if shared else mmap.MAP_PRIVATE))
    # Most look-ups miss the cache; huge pages spare them a second miss for the address.
    if hasattr(mmap, "MADV_HUGEPAGE"):
        table.madvise(mmap.MADV_HUGEPAGE)
    return table


def _file_table(path: Path, size: int) -> mmap.mmap:
    with open(os.open(path, os.O_RDWR | os.O_CREAT, 0o666), "r+b") as file:
        found = os.fstat(file.fileno()).st_size
        if found not in (0, size):
            raise ValueError(f"{path} holds a table of {found / 2**20:g} MiB, not {size / 2**20:g}")
        try:
            # A file with holes would kill the process as soon as the disk is full.
            os.posix_fallocate(file.fileno(), 0, size)
        except OSError as error:
            if not found:
                with suppress(OSError):
                    path.unlink()
            raise OSError(error.errno, f"no room for a table of {size / 2**30:g} GiB", str(path)) from None
        return mmap.mmap(file.fileno(), size)


def free_memory() -> int:
    """Return the bytes of memory that a new process can have without swapping, as far as the system tells."""
    with suppress(OSError), open("/proc/meminfo", encoding="ascii") as file:
        for line in file:
            if line.startswith("MemAvailable:"):
                return int(line.split()[1]) << 10
    return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
