"""The progress of a check, in a file that outlives the process; only if the user asks for it."""

import errno
import hashlib
import json
import os
import stat
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from proof.checker import certificate, rules, search
from runtime.files import MIB, read_file, write_whole
from runtime.plain import AT_ONCE

#: Not to follow a link, where the system can tell.
NO_LINK = getattr(os, "O_NOFOLLOW", 0)


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


#: No checker's rate: positions searched in a second of CPU, and lines.
MOST_NODES, MOST_LINES = 10_000_000, 1_000_000

#: No chunk's seconds of CPU: three years.
MOST_CPU = 1e8


class Chunk(NamedTuple):
    """A chunk of lines: how many, leaves among them, and whether one of these needs a search."""

    lines: int
    leaves: int
    is_searched: bool

    def could_take(self, work: WorkDone) -> bool:
        """Return whether a check of the chunk can have been this work."""
        return (
            work[:2] == (self.lines, self.leaves)
            and self.lines / MOST_LINES <= work.cpu <= MOST_CPU
            and self.is_searched <= work.nodes <= MOST_NODES * work.cpu
        )


class StateError(Exception):
    """A file that cannot be used as a check's state; the message is one line."""


class CheckNotes:
    """The chunks of lines that are done: in the file, a line of what it is about, and a line for each.

    Public attribute ``done``: the chunks by number, with the work on them.
    """

    def __init__(self, path: str | Path, digest: str, chunks: Mapping[int, Chunk]) -> None:
        """Read the file, if there is one, and make it ready for more.

        digest: of the certificate. chunks: all of them, by number.
        Raises StateError for a file about another certificate or checker, or that holds what no check can have
        written, and leaves it as it is; and OSError.
        """
        self.done: dict[int, WorkDone] = {}
        self._path = Path(path)
        about = json.dumps({"certificate": digest, "checker": checker_version(), "chunks": len(chunks)})
        rows = self._rows()
        if rows is not None:
            if rows[0] != about:
                raise StateError(f"{path} is not the state of this certificate's check by this checker; remove it")
            # Killed within a line, the last one is left short: it has no end and is dropped here.
            for number, row in enumerate(rows[1:-1], 2):
                self._take(row, number, chunks)
        rows = [about, *(_chunk_row(number, tally) for number, tally in self.done.items())]
        write_whole(self._path, "".join(f"{row}\n" for row in rows))

    def _rows(self) -> list[str] | None:
        """Return the file's lines, what is after the last one's end too; None when there is no file."""
        try:
            # Not to wait for the other end of a pipe.
            descriptor = os.open(self._path, os.O_RDONLY | NO_LINK | AT_ONCE)
        except FileNotFoundError:
            return None
        except OSError as error:
            if error.errno == errno.ELOOP:
                raise StateError(f"{self._path} is a link, not the state of a check") from None
            raise
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            os.close(descriptor)
            raise StateError(f"{self._path} is not a file")
        with open(descriptor, encoding="ascii", errors="replace") as file:
            return file.read(1 << 24).split("\n")

    def _take(self, row: str, line: int, chunks: Mapping[int, Chunk]) -> None:
        found = _chunk_of(row)
        number, tally = found or (-1, WorkDone())
        if number in self.done or number not in chunks or not chunks[number].could_take(tally):
            raise StateError(f"{self._path}, line {line}: no check has written this; remove the file")
        self.done[number] = tally

    def add(self, number: int, tally: WorkDone) -> None:
        """Note a chunk, on the disk too; raises OSError."""
        self.done[number] = tally
        with open(os.open(self._path, os.O_WRONLY | os.O_APPEND | NO_LINK), "a", encoding="ascii") as file:
            file.write(_chunk_row(number, tally) + "\n")
            file.flush()
            os.fsync(file.fileno())


def _chunk_row(number: int, tally: WorkDone) -> str:
    return json.dumps([number, *tally])


def _chunk_of(row: str) -> tuple[int, WorkDone] | None:
    try:
        values: Any = json.loads(row)
    except (ValueError, RecursionError):
        return None
    if not isinstance(values, list) or [type(value) for value in values] != [int, int, int, int, float]:
        return None
    return values[0], WorkDone(*values[1:])


def checker_version() -> str:
    """Return a hash of the checker's own source: what another checker found is not relied on."""
    sources = [Path(str(module.__file__)) for module in (rules, search, certificate)]
    return hashlib.sha256(b"".join(read_file(source, MIB) for source in sources)).hexdigest()
