"""The memory that workers share, and how a new run fills it with the results of earlier runs."""

import errno
import mmap
import os
import platform
import socket
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from little_go.book.store.facts import Believed
from little_go.book.store.store import Store
from little_go.crew.workers import SharedBytes, shared_bytes
from little_go.runtime.display import tracked
from little_go.solver.native.kernel import BUSY_BYTES, SOURCE, Kernel
from little_go.solver.native.table import TableFile, bytes_of, free_memory, in_huge_pages, open_table


@dataclass(frozen=True)
class Shared:
    """The transposition table, and the marks of the positions that workers are searching.

    taken_over: TableFile.taken_over, or None if the table is not in a file.
    """

    table: SharedBytes
    busy: SharedBytes
    taken_over: dict[str, Any] | None = None

    @classmethod
    def make(cls, mib: int, *, processes: bool = False) -> "Shared":
        """Return a table of ``mib`` MiB.

        processes: whether worker processes can share the table; otherwise only threads can.
        """
        if not processes:
            return cls(open_table(mib), _busy(processes))
        memory = shared_bytes(bytes_of(mib))
        return cls(in_huge_pages(memory) if isinstance(memory, mmap.mmap) else memory, _busy(processes))

    @classmethod
    def of_machine(cls, mib: int, store: str) -> "Shared":
        """Return the table of ``mib`` MiB that this user's workers on this machine share; the first worker makes it.

        store: the identity of the store that the workers search for; each store has its own table. The table is in an
        anonymous memory file, which the system removes when the last worker ends. Raise ValueError if the machine has
        too little free memory.
        """
        if sys.platform != "linux":
            raise ValueError("machines of a cluster need Linux")
        size = mib << 20
        name = f"little-go-{os.getuid()}-{SOURCE[:8]}-{store}-{size}"
        with _machine_lock(name):
            file = _open_existing(name)
            if file is None:
                if size > free_memory():
                    raise ValueError(
                        f"a table of {mib / 1024:g} GiB does not fit into the free memory of {platform.node()}:"
                        " give a smaller --table"
                    )
                file = os.memfd_create(name)
                os.ftruncate(file, size + BUSY_BYTES)
            # The mmap objects keep the memory file open, so the next worker finds it.
            shared = cls(mmap.mmap(file, size), mmap.mmap(file, BUSY_BYTES, offset=size))
            os.close(file)
            return shared


@contextmanager
def open_shared(mib: int, path: Path | None, store: str, *, processes: bool) -> Iterator[Shared]:
    """Yield a table that Shared.make() makes, or the table in the file at ``path``.

    The file is sealed at the end; a killed process leaves it unsealed. store: the identity of the run's store.
    """
    if path is None:
        yield Shared.make(mib, processes=processes)
        return
    file = TableFile(path, mib, SOURCE, store)
    try:
        yield Shared(file.memory, _busy(processes), file.taken_over)
    finally:
        file.seal()


def _busy(processes: bool) -> SharedBytes:
    return shared_bytes(BUSY_BYTES) if processes else mmap.mmap(-1, BUSY_BYTES)


@contextmanager
def _machine_lock(name: str) -> Iterator[None]:
    """Hold a lock that only one process of this machine can hold. The system releases the lock if the process dies."""
    if sys.platform != "linux":
        raise ValueError("machines of a cluster need Linux")
    with socket.socket(socket.AF_UNIX) as lock:
        while True:
            try:
                # A socket name that begins with a zero byte is in the abstract namespace of Linux, so it needs no file.
                lock.bind(f"\0{name}")
                break
            except OSError as error:
                if error.errno != errno.EADDRINUSE:
                    raise
                time.sleep(0.05)
        yield


def _open_existing(name: str) -> int | None:
    """Open the memory file ``name``, or return None if no process of this user has the file open."""
    for process in Path("/proc").glob("[0-9]*"):
        for link in open_files(process):
            with suppress(OSError):
                if os.readlink(link) == f"/memfd:{name} (deleted)":
                    return os.open(link, os.O_RDWR)
    return None


def open_files(process: Path) -> list[Path]:
    """Return the links to the open files of a process, given its folder in /proc.

    The list is empty if the process has ended or belongs to another user.
    """
    try:
        return list((process / "fd").iterdir())
    except OSError:
        return []


def teach(store: Store, shared: Shared | None) -> Believed:
    """Write every result of the store into the table, and return a summary of these results.

    shared: None if the workers have their own tables, to which the results are sent.
    """
    kernel = None if shared is None else Kernel(shared.table)
    believed = Believed(table=None if shared is None else shared.taken_over)
    for entry in tracked(store, total=len(store)):
        if kernel is not None:
            kernel.teach(entry.position, entry.answer)
        believed.add(entry)
    return believed
