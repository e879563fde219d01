"""The memory of transposition tables, and the files that store tables.

A table file consists of a header and the table. The header has the size of one page, and is a line of JSON padded with
blanks::

    {"magic": "little-go table", "layout": 2, "kernel": ..., "mib": 1024, "mark": ..., "seal": ...}

The search trusts the entries of a table, so a table file belongs to one store, and is signed with the key of this
store:

- ``kernel``: the hash of the source code of the kernel that filled the table
- ``mark``: the signature of the file's device number and inode number, which are different in a copy of the file
- ``seal``: the signature of the table, which is written when a run ends; it is null during a run and after a killed run

A file with a seal is accepted if the seal is valid. A file without a seal is accepted if the mark is valid. Any other
file is refused and not changed.
"""

import hashlib
import json
import mmap
import os
import stat
import sys
from contextlib import suppress
from io import FileIO
from pathlib import Path
from typing import Any

from little_go.runtime.files import try_lock
from little_go.runtime.plain import AT_ONCE

LEAST_MIB = 16

#: The maximum of fitting_mib(). A larger table does not save nodes: the values of all moves of two positions with 19
#: and 20 plies left took 84 and 35 million nodes with 64 MiB, and 85 and 36 million nodes with 256 MiB. A larger table
#: also takes longer to allocate.
_FITTING_MIB = 128

#: The size of the header of a table file in bytes.
HEADER_BYTES = mmap.ALLOCATIONGRANULARITY

_MAGIC, _LAYOUT = "little-go table", 2


class TableError(ValueError):
    """Raised if a file cannot be used as a table. The message is one line that begins with the name of the file."""


def open_table(mib: int) -> mmap.mmap:
    """Return memory with zeros for a transposition table, which any number of threads can use.

    The size in MiB must be a power of two and at least 16. The memory is private, because the settings of many machines
    allow no huge pages in shared memory. Raise ValueError if the size is invalid or larger than the free memory.
    """
    size = bytes_of(mib)
    if sys.platform == "win32":
        return mmap.mmap(-1, size)
    return in_huge_pages(mmap.mmap(-1, size, flags=mmap.MAP_ANONYMOUS | mmap.MAP_PRIVATE))


def bytes_of(mib: int) -> int:
    """Return the size of a table in bytes. Raise ValueError if the size is invalid or larger than the free memory."""
    size, free = _size(mib), free_memory()
    if size > free:
        raise ValueError(f"a table of {size / 2**30:g} GiB does not fit: {free / 2**30:.1f} GiB of memory are free")
    return size


def in_huge_pages(table: mmap.mmap) -> mmap.mmap:
    """Request huge pages for a table, and return the table."""
    # Most look-ups miss the processor's cache. Without huge pages, most look-ups also miss the cache of addresses.
    if sys.platform == "linux" and hasattr(mmap, "MADV_HUGEPAGE"):
        table.madvise(mmap.MADV_HUGEPAGE)
    return table


class _FileMap(mmap.mmap):
    """The memory of a table in a file. If the object is pickled, the other process maps the same file."""

    path: Path
    number: tuple[int, int]

    def __reduce__(self) -> tuple[Any, ...]:
        return _mapped_again, (self.path, len(self), self.number)


def _mapped(file: FileIO, path: Path, size: int) -> _FileMap:
    status = os.fstat(file.fileno())
    memory = _FileMap(file.fileno(), size, offset=HEADER_BYTES)
    memory.path, memory.number = path.absolute(), (status.st_dev, status.st_ino)
    in_huge_pages(memory)
    return memory


def _mapped_again(path: Path, size: int, number: tuple[int, int]) -> _FileMap:
    with FileIO(os.open(path, os.O_RDWR | AT_ONCE), "r+b") as file:
        memory = _mapped(file, path, size)
    if memory.number != number:
        raise TableError(f"{path}: replaced by another file during the run: start the run again")
    return memory


class TableFile:
    """A transposition table in a file, which any number of threads and processes can use.

    The public attribute ``memory`` is the table. The public attribute ``taken_over`` is None for a new file. For an
    existing file ``taken_over`` is {"seal": SEAL}, where SEAL is the seal when the file was opened, or None after a
    killed run.
    """

    def __init__(self, path: Path, mib: int, kernel: str, store: str) -> None:
        """Open or create the file, and remove its seal.

        The parameter ``mib`` is the size as for open_table(), ``kernel`` is the hash in the header, and ``store`` is
        the key of the store. Raise ValueError if the size is invalid. Raise OSError if the file cannot be created or
        the disk is full. Raise TableError, and do not change the file, if it is not a table, is damaged or in use, or
        was made with a different size, kernel or store.
        """
        size = _size(mib)
        self._path, self._store = path, store.encode()
        about = {"magic": _MAGIC, "layout": _LAYOUT, "kernel": kernel, "mib": mib}
        self._header: dict[str, Any] = about
        self.taken_over: dict[str, Any] | None = None
        self._file = FileIO(os.open(path, os.O_RDWR | os.O_CREAT | AT_ONCE, 0o666), "r+b")
        try:
            status = os.fstat(self._file.fileno())
            if not stat.S_ISREG(status.st_mode):
                raise TableError(f"{path}: not a file: give the name of a table file, or of a new file")
            if not try_lock(self._file):
                raise TableError(f"{path}: in use by another run: wait until it has ended, or give another name")
            self._header["mark"] = self._signed(f"{status.st_dev} {status.st_ino}".encode())
            if status.st_size:
                self.taken_over = self._check(status.st_size)
            else:
                self._reserve(HEADER_BYTES + size)
            self.memory = _mapped(self._file, path, size)
            if self.taken_over is not None and self.taken_over["seal"] not in (None, self._signed(self.memory)):
                raise TableError(
                    f"{path}: damaged, or made for another store: remove the file to start with an empty table"
                )
            self._write_header(None)
        except BaseException:
            self._file.close()
            raise

    def _check(self, found: int) -> dict[str, Any]:
        """Read and check the header of a file of ``found`` bytes. Raise TableError if the table must not be used."""
        try:
            header = json.loads(self._file.read(HEADER_BYTES))
        except ValueError:
            header = None
        if not isinstance(header, dict) or header.get("magic") != _MAGIC:
            raise TableError(f"{self._path}: not a table of Little-Go, and not changed: give another name")
        for name, what in (("layout", "has another layout"), ("kernel", "was made by another kernel")):
            if header.get(name) != self._header[name]:
                raise TableError(f"{self._path}: {what}: remove the file to start with an empty table")
        if header.get("mib") != self._header["mib"] or found != HEADER_BYTES + (self._header["mib"] << 20):
            raise TableError(
                f"{self._path}: not a table of {self._header['mib'] / 1024:g} GiB: remove the file, or change --table"
            )
        if header.get("seal") is None and header.get("mark") != self._header["mark"]:
            raise TableError(
                f"{self._path}: left by a killed run on another store, or copied from another place: remove the file to"
                " start with an empty table"
            )
        return {"seal": header.get("seal")}

    def _reserve(self, size: int) -> None:
        try:
            # Reserve the space now. In a file with holes, a write to the memory would kill the process when the disk is
            # full.
            if sys.platform == "linux":
                os.posix_fallocate(self._file.fileno(), 0, size)
            else:
                for _ in range(0, size, HEADER_BYTES):
                    self._file.write(bytes(HEADER_BYTES))
        except OSError as error:
            with suppress(OSError):
                self._path.unlink()
            gib = self._header["mib"] / 1024
            raise OSError(error.errno, f"no room for a table of {gib:g} GiB", str(self._path)) from None

    def _write_header(self, seal: str | None) -> None:
        line = json.dumps({**self._header, "seal": seal}).encode("ascii")
        self._file.seek(0)
        self._file.write(line.ljust(HEADER_BYTES - 1) + b"\n")

    def seal(self) -> None:
        """Write the seal and close the file. No thread or process may still write to the table."""
        self.memory.flush()
        self._write_header(self._signed(self.memory))
        self._file.close()

    def _signed(self, content: bytes | mmap.mmap) -> str:
        return hashlib.blake2b(content, digest_size=32, key=self._store).hexdigest()


def _size(mib: int) -> int:
    if mib < LEAST_MIB or mib & (mib - 1):
        raise ValueError(f"a table of {mib} MiB: give a power of two, {LEAST_MIB} MiB or more")
    return mib << 20


def fitting_mib() -> int:
    """Return a suitable size for a table in MiB: at most a quarter of the free memory, but at least LEAST_MIB."""
    quarter = min(free_memory() // 4 >> 20, _FITTING_MIB)
    return max(LEAST_MIB, 1 << quarter.bit_length() - 1 if quarter else 0)


def free_memory() -> int:
    """Return the number of bytes of memory that a new process can use without swapping."""
    # The import is in this function, because not every command needs a table.
    import psutil

    return int(psutil.virtual_memory().available)
