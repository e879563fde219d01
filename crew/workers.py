"""Worker processes that behave: deaf to Ctrl-C, which is their parent's to answer, and gone when it is gone."""

import ctypes
import mmap
import multiprocessing
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from contextlib import contextmanager
from multiprocessing import resource_tracker
from multiprocessing.context import BaseContext
from typing import ParamSpec, TypeAlias, TypeVar

from runtime.ctrl_c import ctrl_c_waits

_Arguments = ParamSpec("_Arguments")
_Result = TypeVar("_Result")

#: Memory that processes share.
SharedBytes: TypeAlias = "mmap.mmap | ctypes.Array[ctypes.c_ubyte]"

#: The variable that names another way to start worker processes.
START_VARIABLE = "LITTLE_GO_START"

#: With it a Python (3.11 and later) imports nothing from the current directory, and this value is ours.
_SAFE_PATH, _OURS = "PYTHONSAFEPATH", "little-go"

#: Seconds between looks at whether the parent is still there.
_PARENT_CHECK = 1.0


def start_method() -> str:
    """Return how worker processes are started, ``fork`` or ``spawn``; raises BadUsage for another LITTLE_GO_START.

    A fork is the quickest; macOS's libraries do not survive one, and Windows has none. The way that the calling program
    has set for its own processes is not asked, and not changed.
    """
    chosen = os.environ.get(START_VARIABLE) or ("fork" if sys.platform == "linux" else "spawn")
    if chosen not in {"fork", "spawn"} & {*multiprocessing.get_all_start_methods()}:
        from runtime.errors import BadUsage

        raise BadUsage(f"{START_VARIABLE} is {chosen!r}: want spawn, or on Linux and macOS fork")
    return chosen


def worker_context() -> BaseContext:
    """Return what makes worker processes, and the pipes and locks that they share."""
    method = start_method()
    if method == "spawn" and sys.platform != "win32":
        # The first lock would start it.
        with _spawning():
            resource_tracker.ensure_running()
    return multiprocessing.get_context(method)


def shared_bytes(size: int) -> SharedBytes:
    """Return zeroed memory that is gone with the last process that uses it.

    Workers that are forked later inherit it; those that are spawned must be given it when they start.
    """
    # The second has every page written at once, and no huge ones.
    return mmap.mmap(-1, size) if start_method() == "fork" else multiprocessing.RawArray("B", size)


def serve_parent() -> None:
    """Tie this process to its parent; to be called first thing in a worker.

    Every worker of ours calls it; programs that are not ours are held by what the arena starts them with.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    if sys.platform != "win32":
        signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGINT])
    if os.environ.get(_SAFE_PATH) == _OURS:
        # For this process alone, and not for the programs that it starts.
        del os.environ[_SAFE_PATH]
    threading.Thread(target=_follow_parent, daemon=True).start()


def _follow_parent() -> None:
    # A parent killed with -9 closes nothing: its workers would wait for work for ever.
    parent = multiprocessing.parent_process()
    if parent is not None and start_method() == "spawn":
        parent.join()
    else:
        # Forked workers hold each other's ends of the pipes that join() waits for. A parent that has ended by now is
        # not the one that the system names.
        number = parent.pid if parent is not None and parent.pid else os.getppid()
        while os.getppid() == number:
            time.sleep(_PARENT_CHECK)
    os._exit(1)


@contextmanager
def _spawning() -> Iterator[None]:
    """Let the processes that are spawned meanwhile wait for serve_parent() with a Ctrl-C, and start from no file of the
    current directory: Python imports modules of its own before it gets this process's path.
    """
    if start_method() == "fork":
        yield
        return
    before = os.environ.setdefault(_SAFE_PATH, _OURS)
    if sys.platform != "win32":
        mask = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])
    try:
        yield
    finally:
        if sys.platform != "win32":
            signal.pthread_sigmask(signal.SIG_SETMASK, mask)
        if before == _OURS:
            os.environ.pop(_SAFE_PATH, None)


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
    """Worker processes, started as start_method() has it, whose start a Ctrl-C does not disturb.

    Python drops what a signal raises while it forks, and a worker that is not yet tied to its parent would answer.
    """

    def __init__(self, workers: int, initializer: Callable[..., object], *given: object) -> None:
        """Take how many, and what each calls first, with what is given, to tie itself to this process."""
        super().__init__(workers, worker_context(), initializer, given)

    def submit(
        self, fn: Callable[_Arguments, _Result], /, *args: _Arguments.args, **kwargs: _Arguments.kwargs
    ) -> "Future[_Result]":
        """Start workers if they are missing, and hand the call to a free one."""
        with ctrl_c_waits(), _spawning():
            return super().submit(fn, *args, **kwargs)

    def end(self) -> None:
        """End what the workers are doing, and them."""
        with ctrl_c_waits():
            for worker in list((self._processes or {}).values()):
                worker.terminate()
            # But for the pool's own thread, which must not close its pipe while Python, about to end, writes to that.
            self.shutdown(cancel_futures=True)
