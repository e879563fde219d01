"""A run's finished work, line by line, in a file that outlives it, so that a later run resumes.

The file has a JSON value a line. A head, if any, is its first line and names the subject of all others; a run about
another subject does not use it. A line without an end was cut by a kill, and is dropped. One process at a time has a
journal open.

A sealed journal has a digest in each row: the key ``digest`` of an object, or the last item of a list. So a damaged row
is never taken for another one.
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
        sealed: bool = False,
        damaged: Callable[[str], None] | None = None,
    ) -> None:
        """Lock the journal, and read it, or make a new one.

        parse: makes a row of a line's value; raises ValueError, whose message is the line's fault. remedy: the advice
            for a wrong line or head. head: an object, or a list that begins with the kind of journal; None where each
            line names all. renew: start over where a head of this kind is about another subject. lock: the file to
            lock, by default the journal. show: wraps the lines. sealed: whether rows have digests. damaged: is told in
            one line of rows and heads that are dropped because they are damaged; None: they raise JournalError.
        Raises JournalError, and OSError for a file that is not plain, is a link, or cannot be read.
        """
        self.path = path
        self._parse, self._remedy = parse, remedy
        self._sealed, self._damaged = sealed, damaged
        self._head = b"" if head is None else _line(head)
        self.close = weakref.finalize(self, _locked(Path(lock or f"{path}.lock")).close)
        try:
            # In JSON's types: lists for tuples.
            lines = self._read(_value(self._head), renew)
            whole = sum(map(len, lines))
            lines = lines[1:] if self._head else lines
            self._lines: list[bytes] = []
            self.rows: list[_Row] = []
            lost = 0
            for number, line in enumerate(show(lines), 2 if self._head else 1):
                # An older version began each addition with an empty line.
                if line.strip():
                    lost += self._take(number, line)
            self._length = whole
            if lost and damaged is not None:
                damaged(f"{path}: {lost} damaged line{'s' * (lost > 1)}: what is lost there is done again")
            if lost or not whole:
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
        lines = [_line(_seal(value) if self._sealed else value) for _, value in rows]
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
        if not _is_alike(there, head) and self._damaged is not None:
            self._damaged(f"{self.path}: its first line is damaged: what it is about is done again")
            return []
        if not _is_alike(there, head):
            raise JournalError(f"{self.path} has something else: {self._remedy}")
        if not renew:
            raise JournalError(f"{self.path} is about {_differences(there, head)}: {self._remedy}")
        return []

    def _write_again(self) -> None:
        content = self._head + b"".join(self._lines)
        write_whole(self.path, content)
        self._length = len(content)

    def _take(self, number: int, line: bytes) -> bool:
        """Take a line's row, and return whether the line is damaged; raises JournalError unless such lines are dropped.

        A lost end of a line joins two rows, each of which its digest still confirms.
        """
        try:
            self._add_row(line)
            return False
        except JournalError as error:
            if self._damaged is None:
                raise JournalError(f"{self.path}: line {number} is broken or forged: {error}; {self._remedy}") from None
        for value in _values(line) if self._sealed else ():
            with suppress(JournalError):
                self._add_row(_line(value), needs_digest=True)
        return True

    def _add_row(self, line: bytes, *, needs_digest: bool = False) -> None:
        """Parse a line and add its row; raises JournalError, with the fault."""
        try:
            value, is_sound = _unsealed(json.loads(line)) if self._sealed else (json.loads(line), True)
            row = self._parse(value)
        except (ValueError, TypeError, LookupError, AttributeError, RecursionError) as error:
            raise JournalError(str(error) if type(error) is ValueError else "no run has written it") from None
        if is_sound is False or (needs_digest and not is_sound):
            raise JournalError("its digest is of something else")
        self.rows.append(row)
        self._lines.append(line)


def _digest(value: Any) -> str:
    return hashlib.sha256(json.dumps(value, sort_keys=True).encode()).hexdigest()[:16]


def _seal(value: Any) -> Any:
    """Return a row's value, an object or a list, with its digest."""
    return [*value, _digest(value)] if isinstance(value, list) else {**value, "digest": _digest(value)}


def _unsealed(value: Any) -> tuple[Any, bool | None]:
    """Return a value without its digest, and whether that is right; None for an older version's object, without one."""
    if isinstance(value, list):
        return value[:-1], value[-1:] == [_digest(value[:-1])]
    if not isinstance(value, dict) or "digest" not in value:
        return value, None
    rest = {key: each for key, each in value.items() if key != "digest"}
    return rest, value["digest"] == _digest(rest)


def _values(line: bytes) -> Iterator[Any]:
    """Yield the JSON objects and lists that a damaged line still has, from left to right."""
    text, decoder, place = line.decode("utf-8", "replace"), json.JSONDecoder(), 0
    while (found := _OPENING.search(text, place)) is not None:
        try:
            value, place = decoder.raw_decode(text, found.start())
            yield value
        except (ValueError, RecursionError):
            place = found.end()


_OPENING = re.compile(r"[{\[]")


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


def check_head(path: Path, head: Mapping[str, Any], remedy: str, damaged: Callable[[str], None] | None = None) -> None:
    """Have a file name a folder's subject, as an object: written where missing, else compared.

    Only the keys of ``head`` count. damaged: is told in one line that a damaged file is written again; None: it raises
    JournalError. Raises JournalError and OSError.
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
        raise JournalError(f"{path} is about {_differences(there, ours)}: {remedy}")


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
