"""One file for what a run logs, in threads, in forked processes and in processes that are spawned."""

import logging
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from logging.handlers import QueueHandler, QueueListener
from pathlib import Path
from typing import Any

from multiprocessing_logging import MultiProcessingHandler

from crew.workers import start_method, worker_context
from runtime.files import open_to_write

#: Above the loggers of all that run in a worker.
_ROOT = logging.getLogger("generator")


@contextmanager
def one_log(path: Path, processes: bool) -> Iterator[None]:
    """Send what this process and its workers log to one file; raises OSError.

    processes: whether workers are processes. Forked ones inherit the way there; to spawned ones Records show it.
    """
    with open_to_write(path, add=True) as file:
        handler: logging.Handler = logging.StreamHandler(file)
        handler.setFormatter(
            logging.Formatter("%(asctime)s %(processName)s %(threadName)s %(levelname)s %(name)s: %(message)s")
        )
        if processes and start_method() == "fork":
            handler = MultiProcessingHandler("log", handler)
        _ROOT.setLevel(logging.DEBUG)
        _ROOT.addHandler(handler)
        try:
            yield
        finally:
            _ROOT.removeHandler(handler)
            handler.close()


class Records:
    """The way of what spawned workers log to this process's handlers; to be given to the workers when they start.

    A pipe, which a QueueHandler and a QueueListener take for a queue. It ends with its last writer, so that a worker
    that is killed keeps nothing waiting: one of multiprocessing's queues stays locked if its writer is killed.
    """

    def __init__(self) -> None:
        """Start to listen."""
        context = worker_context()
        self._reader, self._writer = context.Pipe(duplex=False)
        self._lock, self._level = context.Lock(), _ROOT.getEffectiveLevel()
        self._listener = QueueListener(self, *_ROOT.handlers)
        self._listener.start()

    def __getstate__(self) -> tuple[Any, ...]:
        return self._writer, self._lock, self._level

    def __setstate__(self, state: tuple[Any, ...]) -> None:
        self._writer, self._lock, self._level = state

    def connect(self) -> None:
        """Send there what this process, a worker, logs."""
        _ROOT.setLevel(self._level)
        _ROOT.addHandler(QueueHandler(self))

    def put_nowait(self, record: logging.LogRecord | None) -> None:
        """Send a record, or None as the last one of this process."""
        if record is None:
            self._writer.close()
            return
        # The parent may have been killed.
        with self._lock, suppress(BrokenPipeError):
            self._writer.send(record)

    def get(self, block: bool = True) -> logging.LogRecord | None:
        """Wait for a record, and return it, or None when all processes have sent their last one."""
        try:
            record: logging.LogRecord = self._reader.recv()
        except (EOFError, OSError):
            return None
        return record

    def close(self) -> None:
        """Listen until the last worker has ended."""
        self._listener.stop()
        self._reader.close()
