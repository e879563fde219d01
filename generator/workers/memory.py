"""The memory that workers share, and how a new run gets back what earlier ones proved."""

import errno
import math
import mmap
import os
import platform
import socket
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.progress import track

from book.store.facts import Believed
from book.store.store import Store
from solver.kernel import BUSY_BYTES, SOURCE, Kernel
from solver.table import LEAST_MIB, TableFile, free_memory, open_table


@dataclass(frozen=True)
class Shared:
    """The transposition table, and marks of what each worker is at.

    taken_over: as in TableFile; None without a file.
    """

    table: mmap.mmap
    busy: mmap.mmap
    taken_over: dict[str, Any] | None = None

    @classmethod
    def make(cls, gib: float, *, forked: bool = False) -> "Shared":
        """Return a table of so many GiB; raises as open_table() does.

        forked: share it with processes, not only with threads.
        """
        return cls(open_table(_mib(gib), shared=forked), mmap.mmap(-1, BUSY_BYTES))

    @classmethod
    def of_machine(cls, gib: float, store: str) -> "Shared":
        """Return the table of so many GiB that this user's workers on this machine share; the first one makes it.

        store: the identity of the store that they work for; others have other tables.
        It is in a file without a name, which is gone with the last of them. Raises ValueError without room for it.
        """
        size = _mib(gib) << 20
        name = f"little-go-{os.getuid()}-{SOURCE[:8]}-{store}-{size}"
        with _turn(name):
            file = _found(name)
            if file is None:
                if size > free_memory():
                    raise ValueError(
                        f"a table of {gib:g} GiB does not fit into the free memory of {platform.node()}: give a smaller"
                        " --tt-gib"
                    )
                file = os.memfd_create(name)
                os.ftruncate(file, size + BUSY_BYTES)
            # The maps keep it open, for the next worker to find.
            shared = cls(mmap.mmap(file, size), mmap.mmap(file, BUSY_BYTES, offset=size))
            os.close(file)
            return shared


@contextmanager
def open_shared(gib: float, path: Path | None, store: str, *, forked: bool) -> Iterator[Shared]:
    """Give a table as Shared.make() does, or that of a file, which is sealed in the end unless the process is killed.

    store: the identity of the store that the run is for. Raises as open_table() and TableFile do.
    """
    if path is None:
        yield Shared.make(gib, forked=forked)
        return
    file = TableFile(path, _mib(gib), SOURCE, store)
    try:
        yield Shared(file.memory, mmap.mmap(-1, BUSY_BYTES), file.taken_over)
    finally:
        file.seal()


@contextmanager
def _turn(name: str) -> Iterator[None]:
    """Let one process of this machine at a time in; a process that dies lets go."""
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
    for link in Path("/proc").glob("[0-9]*/fd/*"):
        with suppress(OSError):
            if os.readlink(link) == f"/memfd:{name} (deleted)":
                return os.open(link, os.O_RDWR)
    return None


def _mib(gib: float) -> int:
    mib = gib * 1024
    if not math.isfinite(mib) or mib < LEAST_MIB or mib != int(mib) or int(mib) & (int(mib) - 1):
        raise ValueError(f"--tt-gib is {gib:g}: give a power of two, such as 0.25, 1 or 8")
    return int(mib)


def taught(store: Store) -> Believed:
    """Summarise the rows sent to the workers."""
    believed = Believed()
    for entry in store:
        believed.add(entry)
    return believed


def teach(store: Store, shared: Shared) -> Believed:
    """Put all that the store proves into the table, and return what that was."""
    kernel = Kernel(shared.table)
    console = Console(stderr=True)
    believed = Believed(table=shared.taken_over)
    entries = track(
        store, "Reading", total=len(store), console=console, transient=True, disable=not console.is_terminal
    )
    for entry in entries:
        kernel.teach(entry.position, entry.answer)
        believed.add(entry)
    return believed
