"""Worker processes that end when their parent ends, and ignore a Ctrl-C, which their parent handles."""

import ctypes
import mmap
import multiprocessing
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import CancelledError, Future, ProcessPoolExecutor
from contextlib import contextmanager, suppress
from multiprocessing import resource_tracker
from multiprocessing.context import BaseContext
from typing import Any, ParamSpec, TypeAlias, TypeVar

from little_go.runtime.ctrl_c import defer_sigint

_Arguments = ParamSpec("_Arguments")
_Result = TypeVar("_Result")

#: Memory that processes share.
SharedBytes: TypeAlias = "mmap.mmap | ctypes.Array[ctypes.c_ubyte]"

#: The environment variable that selects another way to start worker processes.
START_VARIABLE = "LITTLE_GO_START"

#: The variable that keeps Python 3.11 and later from importing modules of the current directory, and the value that we
#: set, by which a worker knows that the variable was not set by the user.
_SAFE_PATH, _OURS = "PYTHONSAFEPATH", "little-go"

#: Seconds between checks whether the parent still runs.
_PARENT_CHECK = 1.0

#: Seconds that workers have to leave their jobs when their pool ends, and seconds between checks.
_PATIENCE, _LOOK = 2.0, 0.02


def start_method() -> str:
    """Return how worker processes are started, ``fork`` or ``spawn``; raises BadUsage for another LITTLE_GO_START.

    A fork is fastest, but it breaks macOS's libraries, and Windows does not have it. The start method that the calling
    program has set for multiprocessing is neither used nor changed.
    """
    chosen = os.environ.get(START_VARIABLE) or ("fork" if sys.platform == "linux" else "spawn")
    if chosen not in {"fork", "spawn"} & {*multiprocessing.get_all_start_methods()}:
        from little_go.runtime.errors import BadUsage

        raise BadUsage(f"{START_VARIABLE} is {chosen!r}: set it to spawn, or on Linux and macOS to fork")
    return chosen


def worker_context() -> BaseContext:
    """Return the multiprocessing context for worker processes and for the pipes and locks that they share."""
    method = start_method()
    if method == "spawn" and sys.platform != "win32":
        # Otherwise the first lock would start the tracker, without the settings of _spawning().
        with _spawning():
            resource_tracker.ensure_running()
    return multiprocessing.get_context(method)


def shared_bytes(size: int) -> SharedBytes:
    """Return zeroed memory that is freed with the last process that uses it.

    Workers that are forked later inherit the memory; spawned workers must receive it as an argument when they start.
    """
    # A RawArray writes to every page when it is made, and cannot have huge pages.
    return mmap.mmap(-1, size) if start_method() == "fork" else multiprocessing.RawArray("B", size)


def serve_parent() -> None:
    """Make this process end with its parent; each worker must call this first."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    if sys.platform != "win32":
        signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGINT])
    if os.environ.get(_SAFE_PATH) == _OURS:
        # The variable is for this process, and not for the programs that it starts.
        del os.environ[_SAFE_PATH]
    threading.Thread(target=_follow_parent, daemon=True).start()


def _follow_parent() -> None:
    # A parent that is killed with -9 does not stop its workers, which would wait for jobs for ever.
    parent = multiprocessing.parent_process()
    if parent is not None and start_method() == "spawn":
        parent.join()
    else:
        # join() waits for a pipe to close, but forked workers inherit each other's ends of these pipes. If the parent
        # has ended already, getppid() returns another process.
        number = parent.pid if parent is not None and parent.pid else os.getppid()
        while os.getppid() == number:
            time.sleep(_PARENT_CHECK)
    os._exit(1)


@contextmanager
def _spawning() -> Iterator[None]:
    """Let spawned processes defer a Ctrl-C until serve_parent(), and import no module of the current directory.

    A spawned Python imports its own modules before it gets the module path of this process.
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
    """Return this process's peak memory in bytes."""
    if sys.platform == "win32":
        import psutil

        memory = psutil.Process().memory_info()
        return int(getattr(memory, "peak_wset", memory.rss))
    import resource

    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    # macOS counts bytes, Linux KiB.
    return peak if sys.platform == "darwin" else peak << 10


class WorkerPool(ProcessPoolExecutor):
    """Worker processes, started by start_method(), whose start a Ctrl-C cannot interrupt.

    Without this class Python would lose a KeyboardInterrupt during a fork, and a new worker would handle it before its
    call of serve_parent().
    """

    def __init__(self, workers: int, start: Callable[..., object] | None = None, *given: object) -> None:
        """workers: their number. start: each calls it after serve_parent(), with the arguments ``given``; or None."""
        context = worker_context()
        self._ending: Any = context.RawValue("b", 0)
        super().__init__(workers, context, _begin, (self._ending, start, given))

    def submit(
        self, fn: Callable[_Arguments, _Result], /, *args: _Arguments.args, **kwargs: _Arguments.kwargs
    ) -> "Future[_Result]":
        """Start missing workers, and submit the call to a free worker."""
        with defer_sigint(), _spawning():
            work: Callable[..., _Result] = _work
            return super().submit(work, fn, args, kwargs)

    def end(self) -> None:
        """End the workers and their jobs. Each worker has _PATIENCE seconds to clean up; a Ctrl-C ends this time."""
        manager: Any = self._executor_manager_thread
        workers = list((self._processes or {}).values())
        with defer_sigint() as pressed:
            self._ending.value = 1
            self.shutdown(wait=False, cancel_futures=True)
            # On Windows os.kill() would end a worker immediately, even during its start.
            for worker in workers if sys.platform != "win32" else ():
                with suppress(OSError):
                    if worker.pid is not None:
                        os.kill(worker.pid, signal.SIGINT)
            deadline = time.monotonic() + _PATIENCE
            while manager is not None and manager.is_alive() and not pressed and time.monotonic() < deadline:
                manager.join(_LOOK)
            for worker in workers:
                worker.terminate()
            # At its exit Python writes to a pipe of the pool, which the pool's thread must not close meanwhile.
            if manager is not None:
                manager.join()


#: In a worker: a shared flag, which is set when the pool ends.
_ending: Any = None


def _begin(ending: Any, start: Callable[..., object] | None, given: tuple[object, ...]) -> None:
    global _ending
    _ending = ending
    serve_parent()
    if start is not None:
        start(*given)


def _work(function: Callable[..., _Result], given: tuple[object, ...], named: dict[str, object]) -> _Result:
    """Do a job in a worker; raises CancelledError if the pool ends, because then it waits for no result."""
    signal.signal(signal.SIGINT, _leave)
    try:
        if not _ending.value:
            return function(*given, **named)
    except KeyboardInterrupt:
        if not _ending.value:
            raise
    finally:
        signal.signal(signal.SIGINT, signal.SIG_IGN)
    raise CancelledError


def _leave(number: int, frame: object) -> None:
    """Leave the job if the pool is ending; ignore a Ctrl-C at the terminal, which the parent handles."""
    if _ending.value:
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        raise KeyboardInterrupt
