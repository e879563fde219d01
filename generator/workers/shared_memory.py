"""The memory that workers share, and how a new run gets back what earlier ones proved."""

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

from book.store.facts import Believed
from book.store.store import Store
from crew.workers import SharedBytes, shared_bytes
from runtime.display import tracked
from solver.native.kernel import BUSY_BYTES, SOURCE, Kernel
from solver.native.table import TableFile, bytes_of, free_memory, in_huge_pages, open_table


@dataclass(frozen=True)
class Shared:
    """The transposition table, and marks of what each worker is at.

    taken_over: as in TableFile; None without a file.
    """

    table: SharedBytes
    busy: SharedBytes
    taken_over: dict[str, Any] | None = None

    @classmethod
    def make(cls, mib: int, *, processes: bool = False) -> "Shared":
        """Return a table of this size; raises as open_table() does.

        processes: share it with worker processes, not only with threads.
        """
        if not processes:
            return cls(open_table(mib), _busy(processes))
        memory = shared_bytes(bytes_of(mib))
        return cls(in_huge_pages(memory) if isinstance(memory, mmap.mmap) else memory, _busy(processes))

    @classmethod
    def of_machine(cls, mib: int, store: str) -> "Shared":
        """Return the table of this size that this user's workers on this machine share; the first one makes it.

        store: the identity of the store that they work for; others have other tables.
        It is in a file without a name, which is gone with the last of them. Raises ValueError without room for it.
        """
        if sys.platform != "linux":
            raise ValueError("machines of a cluster need Linux")
        size = mib << 20
        name = f"little-go-{os.getuid()}-{SOURCE[:8]}-{store}-{size}"
        with _turn(name):
            file = _found(name)
            if file is None:
                if size > free_memory():
                    raise ValueError(
                        f"a table of {mib / 1024:g} GiB does not fit into the free memory of {platform.node()}:"
                        " give a smaller --table"
                    )
                file = os.memfd_create(name)
                os.ftruncate(file, size + BUSY_BYTES)
            # The maps keep it open, for the next worker to find.
            shared = cls(mmap.mmap(file, size), mmap.mmap(file, BUSY_BYTES, offset=size))
            os.close(file)
            return shared


@contextmanager
def open_shared(mib: int, path: Path | None, store: str, *, processes: bool) -> Iterator[Shared]:
    """Give a table as Shared.make() does, or that of a file, which is sealed in the end unless the process is killed.

    store: the identity of the store that the run is for. Raises as open_table() and TableFile do.
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
def _turn(name: str) -> Iterator[None]:
    """Let one process of this machine at a time in; a process that dies lets go."""
    if sys.platform != "linux":
        raise ValueError("machines of a cluster need Linux")
    with socket.socket(socket.AF_UNIX) as lock:
        while True:
            try:
                # A name in no file system: Linux has that.
                lock.bind(f"\0{name}")
                break
            except OSError as error:
                if error.errno != errno.EADDRINUSE:
                    raise
                time.sleep(0.05)
        yield


def _found(name: str) -> int | None:
    """Return an open file of that name without a place, if a process of this user has one."""
    for process in Path("/proc").glob("[0-9]*"):
        for link in open_files(process):
            with suppress(OSError):
                if os.readlink(link) == f"/memfd:{name} (deleted)":
                    return os.open(link, os.O_RDWR)
    return None


def open_files(process: Path) -> list[Path]:
    """Return the links to the open files of a process, given its folder in /proc.

    There are none of a process that has ended meanwhile, or that another user runs.
    """
    try:
        return list((process / "fd").iterdir())
    except OSError:
        return []


def teach(store: Store, shared: Shared | None) -> Believed:
    """Put all that the store proves into the table, and return what that was.

    shared: None where the rows go to workers that have tables of their own.
    """
    kernel = None if shared is None else Kernel(shared.table)
    believed = Believed(table=None if shared is None else shared.taken_over)
    for entry in tracked(store, total=len(store)):
        if kernel is not None:
            kernel.teach(entry.position, entry.answer)
        believed.add(entry)
    return believed
