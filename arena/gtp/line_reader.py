"""The commands of a controller, line by line, and whether the next one is there already."""

import io
import os
from collections.abc import Callable, Iterator
from queue import Empty, SimpleQueue
from threading import Thread
from typing import IO

#: Waits so many seconds for the next command, None for ever, and tells whether it, or the end, is there.
Waits = Callable[[float | None], bool]

_CHUNK = 1 << 16


class LineReader:
    """The lines of a file that another process may still be writing.

    A thread reads it: not every system has a way to see whether there is more. Buffers for itself, because what lies
    in another's buffer could not be seen by waits().
    """

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file
        self._buffer = b""
        self._ended = False
        self._chunks: SimpleQueue[bytes] | None = None
        try:
            descriptor = file.fileno()
        except (OSError, io.UnsupportedOperation):
            # It is all there.
            return
        self._chunks = SimpleQueue()
        Thread(target=_read, args=(descriptor, self._chunks), daemon=True).start()

    def __iter__(self) -> Iterator[bytes]:
        """Yield the lines, each as soon as it is there, with its end; the last one may have none."""
        while True:
            line, end, rest = self._buffer.partition(b"\n")
            if end:
                self._buffer = rest
                yield line + end
            elif self._ended:
                break
            else:
                self._take(None)
        if self._buffer:
            self._buffer, last = b"", self._buffer
            yield last

    def _take(self, seconds: float | None) -> bool:
        """Wait for the next chunk, and return whether it came."""
        try:
            chunk = self._file.read(_CHUNK) if self._chunks is None else self._chunks.get(timeout=seconds)
        except Empty:
            return False
        self._buffer += chunk
        self._ended = not chunk
        return True

    def waits(self, seconds: float | None) -> bool:
        """Wait so many seconds for more to read, None for ever; return whether there is more, or the end."""
        return b"\n" in self._buffer or self._ended or self._chunks is None or self._take(seconds)


def _read(descriptor: int, chunks: "SimpleQueue[bytes]") -> None:
    chunk = b" "
    while chunk:
        try:
            chunk = os.read(descriptor, _CHUNK)
        except OSError:
            # A terminal that is gone is the end.
            chunk = b""
        chunks.put(chunk)
