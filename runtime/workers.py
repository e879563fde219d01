"""Worker processes that behave: deaf to Ctrl-C, which is their parent's to answer, and gone when it is gone."""

import multiprocessing
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from contextlib import contextmanager
from typing import ParamSpec, TypeVar

_Arguments = ParamSpec("_Arguments")
_Result = TypeVar("_Result")

#: How worker processes are made. A fork is the quickest; macOS's libraries do not survive one, and Windows has none.
_START = "fork" if sys.platform == "linux" else "spawn"

#: Seconds between looks at whether the parent is still there.
_PARENT_CHECK = 1.0


def serve_parent() -> None:
    """Tie this process to its parent; to be called first thing in a worker.

    Every worker of ours calls it; programs that are not ours are held by what the arena starts them with.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    # A parent that has ended by now is not the one that the system names.
    parent = multiprocessing.parent_process()
    number = parent.pid if parent is not None and parent.pid else os.getppid()
    threading.Thread(target=_follow, args=(number,), daemon=True).start()


def _follow(parent: int) -> None:
    # A parent killed with -9 closes nothing: its workers would wait for work for ever.
    while os.getppid() == parent:
        time.sleep(_PARENT_CHECK)
    os._exit(1)


@contextmanager
def ctrl_c_waits() -> Iterator[Sequence[int]]:
    """Let a Ctrl-C wait for the block's end, and yield those that wait; processes that are forked meanwhile drop it.

    Only a process's first thread gets one: in any other it does nothing.
    """
    seen: list[int] = []
    if threading.current_thread() is not threading.main_thread():
        yield seen
        return
    before = signal.signal(signal.SIGINT, lambda number, frame: seen.append(number))
    try:
        yield seen
    finally:
        signal.signal(signal.SIGINT, before)
        if seen:
            signal.raise_signal(signal.SIGINT)


def peak_memory() -> int:
    """Return the most bytes of memory that this process has had."""
    if sys.platform == "win32":
        import psutil

        memory = psutil.Process().memory_info()
        return int(getattr(memory, "peak_wset", memory.rss))
    import resource

    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    # macOS counts bytes, Linux KiB.
    return peak if sys.platform == "darwin" else peak << 10


class WorkerPool(ProcessPoolExecutor):
    """Worker processes, forked on Linux, whose start a Ctrl-C does not disturb.

    Python drops what a signal raises while it forks, and a worker that is not yet tied to its parent would answer.
    """

    def __init__(self, workers: int, initializer: Callable[..., object], *given: object) -> None:
        """Take how many, and what each calls first, with what is given, to tie itself to this process."""
        super().__init__(workers, multiprocessing.get_context(_START), initializer, given)

    def submit(
        self, fn: Callable[_Arguments, _Result], /, *args: _Arguments.args, **kwargs: _Arguments.kwargs
    ) -> "Future[_Result]":
        """Start workers if they are missing, and hand the call to a free one."""
        with ctrl_c_waits():
            return super().submit(fn, *args, **kwargs)

    def end(self) -> None:
        """End what the workers are doing, and them."""
        with ctrl_c_waits():
            for worker in list((self._processes or {}).values()):
                worker.terminate()
            # But for the pool's own thread, which must not close its pipe while Python, about to end, writes to that.
            self.shutdown(cancel_futures=True)
