"""The commands of a controller, line by line, and whether the next one is there already."""

import io
import os
from collections.abc import Callable, Iterator
from queue import Empty, Queue
from threading import Thread
from typing import IO, NamedTuple

#: Waits so many seconds for the next command, None for ever, and tells whether it, or the end, is there.
Waits = Callable[[float | None], bool]

_CHUNK = 1 << 16

#: The most bytes of a line, its end among them: no command is as long.
MOST_LINE_BYTES = 1 << 20


class Line(NamedTuple):
    """A line with its end; the last one of a file may have none.

    text: of a longer line than MOST_LINE_BYTES its beginning alone. is_whole: whether that is all of it.
    """

    text: str
    is_whole: bool


class LineReader:
    """The lines of a file that another process may still be writing.

    A thread reads it: not every system has a way to see whether there is more. Buffers for itself, because what lies
    in another's buffer could not be seen by waits().
    """

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file
        # The line that is being read, as far as it is kept, or lines behind it; and where no line end is known to be.
        self._buffer = bytearray()
        self._searched = 0
        self._ended = False
        self._chunks: Queue[bytes] | None = None
        try:
            descriptor = file.fileno()
        except (OSError, io.UnsupportedOperation):
            # It is all there.
            return
        # No SimpleQueue: that of Python 3.10 waits for ever when so short a time is over before it looks again.
        self._chunks = Queue()
        Thread(target=_read, args=(descriptor, self._chunks), daemon=True).start()

    def __iter__(self) -> Iterator[Line]:
        """Yield the lines, each as soon as it is there."""
        while True:
            end = self._buffer.find(b"\n", self._searched) + 1
            if end or (self._ended and self._buffer):
                line = bytes(self._buffer[: end or len(self._buffer)])
                del self._buffer[: len(line)]
                self._searched = 0
                # A byte is a sign or a part of one.
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
        # There is no line end before the chunk.
        head, end, rest = chunk.partition(b"\n")
        self._buffer += head[: max(0, MOST_LINE_BYTES + 1 - len(self._buffer))] + end + rest
        self._ended = not chunk
        return True

    def waits(self, seconds: float | None) -> bool:
        """Wait so many seconds for more to read, None for ever; return whether there is more, or the end."""
        return b"\n" in self._buffer or self._ended or self._chunks is None or self._take(seconds)


def _read(descriptor: int, chunks: "Queue[bytes]") -> None:
    chunk = b" "
    while chunk:
        try:
            chunk = os.read(descriptor, _CHUNK)
        except OSError:
            # A terminal that is gone is the end.
            chunk = b""
        chunks.put(chunk)
