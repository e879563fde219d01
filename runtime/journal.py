"""A journal is a file that stores the finished work of a run, line by line, so that a later run can resume.

Each line is a JSON value. The first line may be a header, which describes the subject of all other lines. A run with
another subject does not use the file. A line without a line end is incomplete, because a process was killed, and is
dropped. Only one process at a time can open a journal.

In a sealed journal each row contains a digest, which is the key ``digest`` of an object, or the last item of a list.
With digests, damaged rows are detected, and a last row is kept if only its line end is missing.
"""

import errno
import hashlib
import json
import os
import re
import weakref
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, BinaryIO, Generic, TypeVar

from little_go.runtime.files import MIB, open_to_add, read_end, read_file, try_lock, write_whole

_Row = TypeVar("_Row")

#: The maximum size of a journal in bytes, which is enough for a million games.
MOST_BYTES = 1024 * MIB


class JournalError(Exception):
    """Raised if a run cannot use a journal. The message is one line."""


class JournalBusy(JournalError):
    """Raised if another process has opened the journal."""


class Journal(Generic[_Row]):
    """A context manager for an open journal. path: the path of the file. rows: the list of all rows."""

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
        sealed: bool = False,
        damaged: Callable[[str], None] | None = None,
    ) -> None:
        """Lock the journal, and read or create the file.

        parse: a function that returns the row for a line's value, and raises ValueError with the line's fault. remedy:
        the advice in messages about a wrong line or header. head: the header, which is an object, or a list whose first
        item is the kind of journal; None for no header. renew: whether to overwrite a journal whose header has the same
        kind but another subject. lock: the file to lock, or None for ``path`` + ``.lock``. show: a function that wraps
        the lines to show progress. sealed: whether rows contain digests. damaged: a function that is called with a text
        about damaged lines, which are dropped, or None to raise JournalError if a line is damaged. Raise JournalError
        if the journal cannot be used, and OSError if the file is not a plain file or cannot be read.
        """
        self.path = path
        self._parse, self._remedy = parse, remedy
        self._sealed, self._damaged = sealed, damaged
        self._head = b"" if head is None else _line(head)
        self.close = weakref.finalize(self, _locked(Path(lock or f"{path}.lock")).close)
        try:
            # Convert the header to JSON's types, in which a tuple becomes a list.
            lines, rest = self._read(_value(self._head), renew)
            whole = sum(map(len, lines))
            lines = lines[1:] if self._head else lines
            self._lines: list[bytes] = []
            self.rows: list[_Row] = []
            lost = 0
            for number, line in enumerate(show(lines), 2 if self._head else 1):
                # Skip empty lines, because an older version wrote an empty line before each addition.
                if line.strip():
                    lost += self._take(number, line)
            kept = len(self.rows)
            self._add_values(rest)
            self._length = whole
            if lost and damaged is not None:
                damaged(f"{path}: {lost} damaged line{'s' * (lost > 1)}: the lost work is done again")
            if lost or not whole or len(self.rows) > kept:
                self._write_again()
        except BaseException:
            self.close()
            raise

    def __enter__(self) -> "Journal[_Row]":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def add(self, *rows: tuple[_Row, Any]) -> None:
        """Add rows to the journal, and flush the file to the disk. rows: each row with the JSON value of its line.

        Raise OSError if the file cannot be written, or another program has removed or changed the file.
        """
        lines = [_line(_seal(value) if self._sealed else value) for _, value in rows]
        with open_to_add(self.path, new=False) as file:
            if os.fstat(file.fileno()).st_size < self._length:
                raise OSError(errno.EIO, "another program has changed it meanwhile", str(self.path))
            # Remove an incomplete last line of a process that was killed.
            file.truncate(self._length)
            file.write(b"".join(lines))
            file.flush()
            os.fsync(file.fileno())
        self._length += sum(map(len, lines))
        self.rows += [row for row, _ in rows]
        self._lines += lines

    def keep(self, wanted: Callable[[_Row], bool]) -> int:
        """Remove the rows for which ``wanted`` returns False, and return the number of removed rows."""
        kept = [(row, line) for row, line in zip(self.rows, self._lines, strict=True) if wanted(row)]
        removed = len(self.rows) - len(kept)
        if removed:
            self.rows, self._lines = [row for row, _ in kept], [line for _, line in kept]
            self._write_again()
        return removed

    def _read(self, head: Any, renew: bool) -> tuple[list[bytes], bytes]:
        """Return the complete lines, including the header, and a last line without a line end.

        A new journal has no lines. Raise JournalError if the header is not the expected header.
        """
        if not os.path.lexists(self.path):
            return [], b""
        *whole, rest = read_file(self.path, MOST_BYTES, plain=True).split(b"\n")
        lines = [line + b"\n" for line in whole]
        if not self._head:
            return lines, rest
        if not lines:
            if not self._head.startswith(rest):
                raise JournalError(f"{self.path} contains something else: {self._remedy}")
            return [], b""
        there = _value(lines[0])
        if there == head:
            return lines, rest
        if not _is_alike(there, head) and self._damaged is not None:
            self._damaged(f"{self.path}: its first line is damaged: the work is done again")
            return [], b""
        if not _is_alike(there, head):
            raise JournalError(f"{self.path} contains something else: {self._remedy}")
        if not renew:
            raise JournalError(f"{self.path} belongs to a run with {_differences(there, head)}: {self._remedy}")
        return [], b""

    def _write_again(self) -> None:
        content = self._head + b"".join(self._lines)
        write_whole(self.path, content)
        self._length = len(content)

    def _take(self, number: int, line: bytes) -> bool:
        """Add the row of a line. Return True if the line is damaged, or raise JournalError if damage is not allowed.

        If a line end was lost, a damaged line contains two rows, which are both added if their digests are right.
        """
        try:
            self._add_row(line)
            return False
        except JournalError as error:
            if self._damaged is None:
                raise JournalError(f"{self.path}: line {number} is broken or forged: {error}; {self._remedy}") from None
        self._add_values(line)
        return True

    def _add_values(self, line: bytes) -> None:
        """Add each row in a damaged or incomplete line if the row's digest is right."""
        for value in _values(line) if self._sealed else ():
            with suppress(JournalError):
                self._add_row(_line(value), needs_digest=True)

    def _add_row(self, line: bytes, *, needs_digest: bool = False) -> None:
        """Parse a line, and add its row. Raise JournalError if the line is wrong; the message describes the fault."""
        try:
            value, is_sound = _unsealed(json.loads(line)) if self._sealed else (json.loads(line), True)
            row = self._parse(value)
        except (ValueError, TypeError, LookupError, AttributeError, RecursionError) as error:
            raise JournalError(str(error) if type(error) is ValueError else "no run wrote it") from None
        if is_sound is False or (needs_digest and not is_sound):
            raise JournalError("its digest does not match its content")
        self.rows.append(row)
        self._lines.append(line)


def _digest(value: Any) -> str:
    return hashlib.sha256(json.dumps(value, sort_keys=True).encode()).hexdigest()[:16]


def _seal(value: Any) -> Any:
    return [*value, _digest(value)] if isinstance(value, list) else {**value, "digest": _digest(value)}


def _unsealed(value: Any) -> tuple[Any, bool | None]:
    """Return a value without its digest, and whether the digest is right (None for an object without a digest)."""
    if isinstance(value, list):
        return value[:-1], value[-1:] == [_digest(value[:-1])]
    if not isinstance(value, dict) or "digest" not in value:
        return value, None
    rest = {key: each for key, each in value.items() if key != "digest"}
    return rest, value["digest"] == _digest(rest)


def _values(line: bytes) -> Iterator[Any]:
    """Yield the JSON objects and lists in a damaged line, from left to right."""
    text, decoder, place = line.decode("utf-8", "replace"), json.JSONDecoder(), 0
    while (found := _OPENING.search(text, place)) is not None:
        try:
            value, place = decoder.raw_decode(text, found.start())
            yield value
        except (ValueError, RecursionError):
            place = found.end()


_OPENING = re.compile(r"[{\[]")


def drop_half_line(path: Path) -> None:
    """Remove an incomplete last line from a log, which has no line end because a process was killed.

    Do nothing if the path is a device or a pipe, or does not exist.
    """
    if not path.is_file():
        return
    end = read_end(path, MIB)
    half = len(end) - end.rfind(b"\n") - 1
    if half < len(end) or half == path.stat().st_size:
        with open_to_add(path.resolve(), new=False) as file:
            file.truncate(path.stat().st_size - half)


def check_head(path: Path, head: Mapping[str, Any], remedy: str, damaged: Callable[[str], None] | None = None) -> None:
    """Write the subject of a folder into a file, or compare it with an existing file.

    head: the subject; other keys of the file are ignored. damaged: a function that is called with a text if the file is
    damaged, before the file is written again, or None to raise JournalError instead. Raise JournalError if the file has
    another subject.
    """
    content = json.dumps(head if damaged is None else _seal(dict(head)), indent=1) + "\n"
    if not os.path.lexists(path):
        write_whole(path, content)
        return
    there, is_sound = _unsealed(_value(read_file(path, MIB, plain=True)))
    if not isinstance(there, dict) or is_sound is False:
        if damaged is None:
            raise JournalError(f"{path}: damaged: {remedy}")
        damaged(f"{path}: damaged: written again")
        write_whole(path, content)
        return
    ours = _value(_line(head))
    there = {key: there.get(key) for key in head}
    if there != ours:
        raise JournalError(f"{path} belongs to a run with {_differences(there, ours)}: {remedy}")


def _locked(path: Path) -> BinaryIO:
    """Open and lock a journal's lock file. Raise JournalBusy if another process has locked the file."""
    file = open_to_add(path, new=True)
    if not try_lock(file):
        file.close()
        raise JournalBusy(f"{path}: another run has locked it: wait until that run has ended")
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
        return "another subject"
    return ", ".join(
        f"{key.replace('_', ' ')} {before[key]} instead of {value}"
        for key, value in now.items()
        if before[key] != value
    )


def _line(value: Any) -> bytes:
    return json.dumps(value).encode() + b"\n"
