"""A run's finished work, line by line, in a file that outlives it, so that a later run resumes.

The file has a JSON value a line. A head, if any, is its first line and names the subject of all others; a run about
another subject does not use it. A line without an end was cut by a kill, and is dropped. One process at a time has a
journal open.
"""

import errno
import json
import os
import weakref
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, BinaryIO, Generic, TypeVar

from runtime.files import MIB, open_to_add, read_end, read_file, try_lock, write_whole

_Row = TypeVar("_Row")

#: Limit of a journal in bytes: a million games.
MOST_BYTES = 1024 * MIB


class JournalError(Exception):
    """A file that a run cannot add to; the message is one line."""


class JournalBusy(JournalError):
    """A journal that another process has open."""


class Journal(Generic[_Row]):
    """An open journal, a context manager. Public attributes: ``path``, and ``rows``, all its rows."""

    def __init__(
        self,
        path: Path,
        parse: Callable[[Any], _Row],
        remedy: str,
        *,
        head: Any = None,
        renew: bool = False,
        lock: Path | None = None,
        show: Callable[[Sequence[bytes]], Iterable[bytes]] = iter,
    ) -> None:
        """Lock the journal, and read it, or make a new one.

        parse: makes a row of a line's value; raises ValueError, whose message is the line's fault. remedy: the advice
            for a wrong line or head. head: an object, or a list that begins with the kind of journal; None where each
            line names all. renew: start over where a head of this kind is about another subject. lock: the file to
            lock, by default the journal. show: wraps the lines.
        Raises JournalError, and OSError for a file that is not plain, is a link, or cannot be read.
        """
        self.path = path
        self._parse, self._remedy = parse, remedy
        self._head = b"" if head is None else _line(head)
        self.close = weakref.finalize(self, _locked(Path(lock or f"{path}.lock")).close)
        try:
            # In JSON's types: lists for tuples.
            lines = self._read(_value(self._head), renew)
            self._length = sum(map(len, lines))
            lines = lines[1:] if self._head else lines
            self._lines: list[bytes] = []
            self.rows: list[_Row] = []
            for number, line in enumerate(show(lines), 2 if self._head else 1):
                # An older version began each addition with an empty line.
                if line.strip():
                    self.rows.append(self._row(number, line))
                    self._lines.append(line)
            if not self._length:
                self._write_again()
        except BaseException:
            self.close()
            raise

    def __enter__(self) -> "Journal[_Row]":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def add(self, *rows: tuple[_Row, Any]) -> None:
        """Add rows, each with the value of its line, and flush them to the disk.

        Raises OSError, also when the file is gone, or another program has changed it.
        """
        lines = [_line(value) for _, value in rows]
        with open_to_add(self.path, new=False) as file:
            if os.fstat(file.fileno()).st_size < self._length:
                raise OSError(errno.EIO, "another program has changed it meanwhile", str(self.path))
            # The rest of a line cut by a kill.
            file.truncate(self._length)
            file.write(b"".join(lines))
            file.flush()
            os.fsync(file.fileno())
        self._length += sum(map(len, lines))
        self.rows += [row for row, _ in rows]
        self._lines += lines

    def keep(self, wanted: Callable[[_Row], bool]) -> int:
        """Remove the unwanted rows, and return their number; raises OSError."""
        kept = [(row, line) for row, line in zip(self.rows, self._lines, strict=True) if wanted(row)]
        removed = len(self.rows) - len(kept)
        if removed:
            self.rows, self._lines = [row for row, _ in kept], [line for _, line in kept]
            self._write_again()
        return removed

    def _read(self, head: Any, renew: bool) -> list[bytes]:
        """Return the whole lines; none for a new journal. Raises JournalError and OSError."""
        if not os.path.lexists(self.path):
            return []
        *whole, rest = read_file(self.path, MOST_BYTES, plain=True).split(b"\n")
        lines = [line + b"\n" for line in whole]
        if not self._head:
            return lines
        if not lines:
            if not self._head.startswith(rest):
                raise JournalError(f"{self.path} has something else: {self._remedy}")
            return []
        there = _value(lines[0])
        if there == head:
            return lines
        if not _is_alike(there, head):
            raise JournalError(f"{self.path} has something else: {self._remedy}")
        if not renew:
            raise JournalError(f"{self.path} is about {_differences(there, head)}: {self._remedy}")
        return []

    def _write_again(self) -> None:
        content = self._head + b"".join(self._lines)
        write_whole(self.path, content)
        self._length = len(content)

    def _row(self, number: int, line: bytes) -> _Row:
        try:
            return self._parse(json.loads(line))
        except (ValueError, TypeError, LookupError, AttributeError, RecursionError) as error:
            why = str(error) if type(error) is ValueError else "no run has written it"
        raise JournalError(f"{self.path}: line {number} is broken or forged: {why}; {self._remedy}")


def drop_half_line(path: Path) -> None:
    """Cut off a last line without an end, left by a kill, of a log that is added to; raises OSError.

    Devices, pipes and missing files are left alone.
    """
    if not path.is_file():
        return
    end = read_end(path, MIB)
    half = len(end) - end.rfind(b"\n") - 1
    if 0 < half < len(end) or half == path.stat().st_size > 0:
        with open_to_add(path.resolve(), new=False) as file:
            file.truncate(path.stat().st_size - half)


def check_head(path: Path, head: Mapping[str, Any], remedy: str) -> None:
    """Have a file name a folder's subject, as an object: written where missing, else compared.

    Only the keys of ``head`` count. Raises JournalError and OSError.
    """
    if not os.path.lexists(path):
        write_whole(path, json.dumps(head, indent=1) + "\n")
        return
    there, head = _value(read_file(path, MIB, plain=True)), _value(_line(head))
    if not isinstance(there, dict):
        raise JournalError(f"{path}: damaged: {remedy}")
    there = {key: there.get(key) for key in head}
    if there != head:
        raise JournalError(f"{path} is about {_differences(there, head)}: {remedy}")


def _locked(path: Path) -> BinaryIO:
    """Return the open file that locks a journal; raises JournalBusy and OSError."""
    file = open_to_add(path, new=True)
    if not try_lock(file):
        file.close()
        raise JournalBusy(f"{path}: another run has locked it: wait until that has ended")
    return file


def _value(line: bytes) -> Any:
    try:
        return json.loads(line)
    except (ValueError, RecursionError):
        return None


def _is_alike(before: Any, now: Any) -> bool:
    if isinstance(before, dict) and isinstance(now, dict):
        return before.keys() == now.keys()
    return isinstance(before, list) and isinstance(now, list) and before[:1] == now[:1]


def _differences(before: Any, now: Any) -> str:
    if not isinstance(now, dict):
        return "something else"
    return ", ".join(
        f"{key.replace('_', ' ')} {before[key]} instead of {value}"
        for key, value in now.items()
        if before[key] != value
    )


def _line(value: Any) -> bytes:
    return json.dumps(value).encode() + b"\n"
