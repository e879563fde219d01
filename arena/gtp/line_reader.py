"""A controller's commands, line by line, with a check whether the next one has arrived."""

import io
import os
from collections.abc import Callable, Iterator
from queue import Empty, Queue
from threading import Thread
from typing import IO, NamedTuple

#: Wait up to so many seconds for the next command, None without limit; return whether it, or the end, is there.
Waits = Callable[[float | None], bool]

_CHUNK = 1 << 16

#: Maximum bytes of a line with its end: no command is as long.
MOST_LINE_BYTES = 1 << 20


class Line(NamedTuple):
    """A line with its end, which the last one of a file may lack.

    text: at most MOST_LINE_BYTES. is_whole: whether nothing was cut off.
    """

    text: str
    is_whole: bool


class LineReader:
    """The lines of a file that another process may still be writing.

    A thread reads it, since not every system can poll a file. The buffer is our own, so that waits() can see it.
    """

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file
        # The line being read, at most its first bytes, with later lines; and the length known to have no line end.
        self._buffer = bytearray()
        self._searched = 0
        self._ended = False
        self._chunks: Queue[bytes] | None = None
        try:
            descriptor = file.fileno()
        except (OSError, io.UnsupportedOperation):
            # All of it is there.
            return
        # Not SimpleQueue: in Python 3.10 it waits for ever when a short timeout is over before its first check.
        self._chunks = Queue()
        Thread(target=_read, args=(descriptor, self._chunks), daemon=True).start()

    def __iter__(self) -> Iterator[Line]:
        """Yield the lines as they arrive."""
        while True:
            end = self._buffer.find(b"\n", self._searched) + 1
            if end or (self._ended and self._buffer):
                line = bytes(self._buffer[: end or len(self._buffer)])
                del self._buffer[: len(line)]
                self._searched = 0
                # A byte is a character or a part of one.
                text = line[:MOST_LINE_BYTES].decode("utf-8", "replace")
                yield Line(text, len(line) <= MOST_LINE_BYTES)
            elif self._ended:
                return
            else:
                self._searched = len(self._buffer)
                self._take(None)

    def _take(self, seconds: float | None) -> bool:
        """Wait for the next chunk, and return whether it came."""
        try:
            chunk = self._file.read(_CHUNK) if self._chunks is None else self._chunks.get(timeout=seconds)
        except Empty:
            return False
        # The buffer has no line end before this chunk.
        head, end, rest = chunk.partition(b"\n")
        self._buffer += head[: max(0, MOST_LINE_BYTES + 1 - len(self._buffer))] + end + rest
        self._ended = not chunk
        return True

    def waits(self, seconds: float | None) -> bool:
        """Wait up to ``seconds`` for more to read, None without limit; return whether there is more, or the end."""
        return b"\n" in self._buffer or self._ended or self._chunks is None or self._take(seconds)


def _read(descriptor: int, chunks: "Queue[bytes]") -> None:
    chunk = b" "
    while chunk:
        try:
            chunk = os.read(descriptor, _CHUNK)
        except OSError:
            # A closed terminal is the end.
            chunk = b""
        chunks.put(chunk)
