"""The progress of a check, in a file that outlives the process; only if the user asks for it."""

import hashlib
import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from proof.checker import certificate, rules, search
from runtime.files import MIB, read_file
from runtime.journal import Journal


class WorkDone(NamedTuple):
    """Work done: lines checked, leaves among them, positions searched, seconds of CPU."""

    lines: int = 0
    leaves: int = 0
    nodes: int = 0
    cpu: float = 0.0

    def plus(self, other: "WorkDone") -> "WorkDone":
        """Return the sum of two."""
        return WorkDone(
            self.lines + other.lines, self.leaves + other.leaves, self.nodes + other.nodes, self.cpu + other.cpu
        )


class CheckNotes:
    """The chunks of lines that are done, in a journal.

    Public attribute ``done``: the chunks by number, with the work on them.
    """

    def __init__(self, path: str | Path, digest: str, chunks: Mapping[int, tuple[int, int]]) -> None:
        """Read the file, if there is one, and make it ready for more.

        digest: of the certificate. chunks: the lines of each, and the leaves among them, by number.
        Raises JournalError for a file about another certificate or checker, or that holds what no check can have
        written, and leaves it as it is; and OSError.
        """
        self.done: dict[int, WorkDone] = {}
        self._chunks = chunks
        head = {"certificate": digest, "checker": checker_version(), "chunks": len(chunks)}
        self._journal = Journal(Path(path), self._take, "remove the file, or name another", head=head)

    def _take(self, values: Any) -> int:
        """Take a chunk that was noted, and return its number; raises ValueError."""
        fault = ValueError("no check has written this")
        if not isinstance(values, list) or [type(value) for value in values] != [int, int, int, int, float]:
            raise fault
        number: int = values[0]
        work = WorkDone(*values[1:])
        is_possible = work.nodes >= 0 <= work.cpu < math.inf
        if number in self.done or self._chunks.get(number) != work[:2] or not is_possible:
            raise fault
        self.done[number] = work
        return number

    def add(self, number: int, work: WorkDone) -> None:
        """Note a chunk; raises OSError."""
        self.done[number] = work
        self._journal.add((number, [number, *work]))

    def close(self) -> None:
        """Let another check use the file."""
        self._journal.close()


def checker_version() -> str:
    """Return a hash of the checker's own source: what another checker found is not relied on."""
    sources = [Path(str(module.__file__)) for module in (rules, search, certificate)]
    return hashlib.sha256(b"".join(read_file(source, MIB) for source in sources)).hexdigest()
