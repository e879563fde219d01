"""The memory that workers share, and how a new run gets back what earlier ones proved."""

import math
import mmap
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.progress import track

from book.store import Believed, Store
from solver.kernel import BUSY_BYTES, SOURCE, Kernel
from solver.table import LEAST_MIB, TableFile, open_table


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


def _mib(gib: float) -> int:
    mib = gib * 1024
    if not math.isfinite(mib) or mib < LEAST_MIB or mib != int(mib) or int(mib) & (int(mib) - 1):
        raise ValueError(f"--tt-gib is {gib:g}: a table has a power of two of GiB, such as 0.25, 1 or 8")
    return int(mib)


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
