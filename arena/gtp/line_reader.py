"""The commands of a controller, line by line, and whether the next one is there already."""

import io
import os
import select
from collections.abc import Callable, Iterator
from typing import IO

#: Waits so many seconds for the next command, None for ever, and tells whether it, or the end, is there.
Waits = Callable[[float | None], bool]

_CHUNK = 1 << 16


class LineReader:
    """The lines of a file that another process may still be writing.

    Buffers for itself: what lies in another's buffer could not be seen by waits().
    """

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file
        self._buffer = b""
        try:
            self._descriptor: int | None = file.fileno()
        except (OSError, io.UnsupportedOperation):
            self._descriptor = None

    def __iter__(self) -> Iterator[bytes]:
        """Yield the lines, each as soon as it is there, with its end; the last one may have none."""
        while True:
            line, end, rest = self._buffer.partition(b"\n")
            if end:
                self._buffer = rest
                yield line + end
                continue
            chunk = self._read()
            if not chunk:
                break
            self._buffer += chunk
        if self._buffer:
            self._buffer, last = b"", self._buffer
            yield last

    def _read(self) -> bytes:
        return self._file.read(_CHUNK) if self._descriptor is None else os.read(self._descriptor, _CHUNK)

    def waits(self, seconds: float | None) -> bool:
        """Wait so many seconds for more to read, None for ever; return whether there is more, or the end."""
        if b"\n" in self._buffer or self._descriptor is None:
            return True
        ready, _, _ = select.select([self._descriptor], [], [], seconds)
        return bool(ready)
