"""The memory that workers share, and how a new run gets back what earlier ones proved."""

import math
import mmap
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console
from rich.progress import track

from book.store import Store
from solver.kernel import BUSY_BYTES, Kernel
from solver.table import LEAST_MIB, open_table


@dataclass(frozen=True)
class Shared:
    """The transposition table, and marks of what each worker is at."""

    table: mmap.mmap
    busy: mmap.mmap

    @classmethod
    def make(cls, gib: float, path: Path | None, *, forked: bool = False) -> "Shared":
        """Return a table of so many GiB, kept in a file if ``path`` is given; raises as open_table() does.

        forked: share it with processes, not only with threads.
        """
        return cls(open_table(_mib(gib), path, shared=forked), mmap.mmap(-1, BUSY_BYTES))


def _mib(gib: float) -> int:
    mib = gib * 1024
    if not math.isfinite(mib) or mib < LEAST_MIB or mib != int(mib) or int(mib) & (int(mib) - 1):
        raise ValueError(f"--tt-gib is {gib:g}: a table has a power of two of GiB, such as 0.25, 1 or 8")
    return int(mib)


def teach(store: Store, shared: Shared) -> None:
    """Put all that the store proves into the table."""
    kernel = Kernel(shared.table)
    console = Console(stderr=True)
    entries = track(
        store, "Reading", total=len(store), console=console, transient=True, disable=not console.is_terminal
    )
    for entry in entries:
        kernel.teach(entry.position, entry.answer)
