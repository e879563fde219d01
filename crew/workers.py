"""Worker processes that end when their parent process ends, and that leave the handling of Ctrl-C to the parent."""

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

#: The type of memory that several processes share.
SharedBytes: TypeAlias = "mmap.mmap | ctypes.Array[ctypes.c_ubyte]"

#: The environment variable that selects another way to start worker processes.
START_VARIABLE = "LITTLE_GO_START"

#: The environment variable that prevents Python 3.11 and later from importing modules of the current directory, and the
#: value that this module sets. If a worker finds this value, the user has not set the variable.
_SAFE_PATH, _OURS = "PYTHONSAFEPATH", "little-go"

#: The number of seconds between two checks whether the parent process still runs.
_PARENT_CHECK = 1.0

#: The number of seconds within which workers must end their jobs when the pool ends, and the interval between two
#: checks.
_PATIENCE, _LOOK = 2.0, 0.02


def start_method() -> str:
    """Return the start method of worker processes: ``fork`` or ``spawn``. Raise BadUsage if LITTLE_GO_START is invalid.

    The default is fork on Linux, because a fork is fastest. On macOS a fork breaks system libraries, and Windows does
    not have fork. The start method that the calling program has set for multiprocessing is neither used nor changed.
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
        # Start the resource tracker now, because the first lock would start the tracker without the settings of
        # _spawning().
        with _spawning():
            resource_tracker.ensure_running()
    return multiprocessing.get_context(method)


def shared_bytes(size: int) -> SharedBytes:
    """Return shared memory that contains zeros. The memory is freed when the last process that uses it ends.

    Workers that are forked later inherit the memory. Spawned workers must receive the memory as an argument when they
    start.
    """
    # A forked process can use a mapping. A RawArray writes to all of its pages at once, and cannot use huge pages.
    return mmap.mmap(-1, size) if start_method() == "fork" else multiprocessing.RawArray("B", size)


def serve_parent() -> None:
    """Make this process end when its parent ends. Each worker must call this function first."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    if sys.platform != "win32":
        signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGINT, signal.SIGTERM])
    if os.environ.get(_SAFE_PATH) == _OURS:
        # The variable is meant for this process, but not for programs that this process starts.
        del os.environ[_SAFE_PATH]
    threading.Thread(target=_follow_parent, daemon=True).start()


def _follow_parent() -> None:
    # A parent that is killed with -9 cannot stop its workers. Without this check the workers would wait for jobs
    # forever.
    parent = multiprocessing.parent_process()
    if parent is not None and start_method() == "spawn":
        parent.join()
    else:
        # The method join() waits until a pipe is closed, but forked workers inherit the ends of each other's pipes. If
        # the parent has already ended, getppid() returns the number of another process.
        number = parent.pid if parent is not None and parent.pid else os.getppid()
        while os.getppid() == number:
            time.sleep(_PARENT_CHECK)
    os._exit(1)


@contextmanager
def _spawning() -> Iterator[None]:
    """Return a context in which processes start. They defer signals until they call serve_parent().

    A forked process defers SIGTERM. It has this process's handler, and if Python runs the handler in a function that
    Python calls after a fork, Python ignores the handler's exception. A broken pool would then wait for the process
    forever. A spawned process defers Ctrl-C. It imports modules of the standard library before it receives the module
    path of this process, so it must not find modules in the current directory.
    """
    if start_method() == "fork":
        with _blocking(signal.SIGTERM):
            yield
        return
    before = os.environ.setdefault(_SAFE_PATH, _OURS)
    try:
        with _blocking(signal.SIGINT):
            yield
    finally:
        if before == _OURS:
            os.environ.pop(_SAFE_PATH, None)


@contextmanager
def _blocking(number: signal.Signals) -> Iterator[None]:
    """Block a signal in this thread and in the processes that this thread starts. On Windows, do nothing."""
    if sys.platform == "win32":
        yield
        return
    mask = signal.pthread_sigmask(signal.SIG_BLOCK, [number])
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, mask)


def peak_memory() -> int:
    """Return the peak memory of this process in bytes."""
    if sys.platform == "win32":
        import psutil

        memory = psutil.Process().memory_info()
        return int(getattr(memory, "peak_wset", memory.rss))
    import resource

    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    # The peak is in bytes on macOS, and in KiB on Linux.
    return peak if sys.platform == "darwin" else peak << 10


class WorkerPool(ProcessPoolExecutor):
    """A pool of worker processes whose start cannot be interrupted by Ctrl-C.

    The start method is that of start_method(). Without this class Python would lose a KeyboardInterrupt during a fork,
    and a new worker would handle Ctrl-C before it calls serve_parent().
    """

    def __init__(self, workers: int, start: Callable[..., object] | None = None, *given: object) -> None:
        """Create a pool of at most ``workers`` processes.

        After serve_parent(), each process calls the function ``start`` with the arguments ``given``, unless ``start``
        is None.
        """
        context = worker_context()
        self._ending: Any = context.RawValue("b", 0)
        super().__init__(workers, context, _begin, (self._ending, start, given))

    def submit(
        self, fn: Callable[_Arguments, _Result], /, *args: _Arguments.args, **kwargs: _Arguments.kwargs
    ) -> "Future[_Result]":
        """Start workers if some are missing, and submit the call to a free worker."""
        with defer_sigint(), _spawning():
            work: Callable[..., _Result] = _work
            return super().submit(work, fn, args, kwargs)

    def end(self) -> None:
        """End the workers and their jobs. Unless the user presses Ctrl-C, each worker has _PATIENCE seconds to clean
        up.
        """
        manager: Any = self._executor_manager_thread
        workers = list((self._processes or {}).values())
        with defer_sigint() as pressed:
            self._ending.value = 1
            self.shutdown(wait=False, cancel_futures=True)
            # Send no signals on Windows, where os.kill() would end a worker immediately, even during its start.
            for worker in workers if sys.platform != "win32" else ():
                with suppress(OSError):
                    if worker.pid is not None:
                        os.kill(worker.pid, signal.SIGINT)
            deadline = time.monotonic() + _PATIENCE
            while manager is not None and manager.is_alive() and not pressed and time.monotonic() < deadline:
                manager.join(_LOOK)
            for worker in workers:
                worker.terminate()
            # Wait for the pool's thread, which could otherwise close a pipe to which Python writes when the process
            # exits.
            if manager is not None:
                manager.join()


#: In a worker, the shared flag that is set when the pool ends.
_ending: Any = None


def _begin(ending: Any, start: Callable[..., object] | None, given: tuple[object, ...]) -> None:
    global _ending
    _ending = ending
    serve_parent()
    if start is not None:
        start(*given)


def _work(function: Callable[..., _Result], given: tuple[object, ...], named: dict[str, object]) -> _Result:
    """Do a job in a worker. Raise CancelledError if the pool ends, because the pool then needs no result."""
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
    """End the job if the pool is ending. Otherwise ignore the signal: the parent handles a Ctrl-C at the terminal."""
    if _ending.value:
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        raise KeyboardInterrupt
