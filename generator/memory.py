"""The memory that workers share, and how a new run gets back what earlier ones proved."""

import mmap
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console
from rich.progress import track

from book.store import Store
from solver.kernel import BUSY_BYTES, Kernel
from solver.table import open_table


@dataclass(frozen=True)
class Shared:
    """The transposition table, and marks of what each worker is at; both outlive a fork."""

    table: mmap.mmap
    busy: mmap.mmap

    @classmethod
    def make(cls, gib: float, path: Path | None) -> "Shared":
        """Return a table of so many GiB, kept in a file if ``path`` is given; raises as open_table() does."""
        return cls(open_table(_mib(gib), path), mmap.mmap(-1, BUSY_BYTES))


def _mib(gib: float) -> int:
    mib = int(gib * 1024)
    if mib != gib * 1024:
        raise ValueError(f"a table of {gib:g} GiB has no whole number of MiB")
    return mib


def teach(store: Store, shared: Shared) -> None:
    """Put all that the store proves into the table."""
    kernel = Kernel(shared.table)
    console = Console(stderr=True)
    entries = track(
        store, "Reading", total=len(store), console=console, transient=True, disable=not console.is_terminal
    )
    for entry in entries:
        kernel.teach(entry.position, entry.answer)
