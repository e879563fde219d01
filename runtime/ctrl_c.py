"""Ctrl-C in a command: before its own work begins it ends the process at once, later it raises KeyboardInterrupt.

Only the standard library is imported here: ``little_go/__init__.py`` calls this before anything else is imported.
"""

import atexit
import contextlib
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, nullcontext, suppress
from types import FrameType

#: Exit code of a run ended by Ctrl-C, as in a shell, and the line that it prints.
INTERRUPTED, LINE = 130, "interrupted"

#: Signals that end a command as Ctrl-C does, but without a word: its folders in the temporary directory are removed.
if sys.platform == "win32":
    _ENDS: tuple[signal.Signals, ...] = (signal.SIGTERM,)
else:
    _ENDS = (signal.SIGTERM, signal.SIGHUP)

#: Seconds until a Ctrl-C is raised again that would be lost.
_AGAIN = 0.01


def end_at_once() -> None:
    """Let Ctrl-C end this process with one line, and do nothing once Python closes; call it in a command's process."""
    if _is_default():
        signal.signal(signal.SIGINT, _end)
        # Python gives a handler of its own up while it closes: a Ctrl-C then would change the exit code of done work.
        atexit.register(signal.signal, signal.SIGINT, signal.SIG_IGN)


@contextmanager
def ending_at_once() -> Iterator[None]:
    """Let a Ctrl-C meanwhile end this process with one line: nothing has begun that must be closed."""
    with _handled_by(_end) if _is_default() else nullcontext():
        yield


@contextmanager
def interruptible() -> Iterator[None]:
    """Raise KeyboardInterrupt for every Ctrl-C meanwhile, also during an import, and SystemExit for a polite kill.

    Python ignores exceptions in the callbacks of its import locks, may end in any way after one in text that exec()
    runs, and leaves a context manager open after one in contextlib, so there the signal waits.
    """
    with ExitStack() as stack:
        if signal.getsignal(signal.SIGINT) is _end or _is_default():
            stack.enter_context(_handled_by(_interrupt))
        for number in _ENDS if threading.current_thread() is threading.main_thread() else ():
            # nohup has one of them ignored.
            if signal.getsignal(number) == signal.SIG_DFL:
                stack.enter_context(_handled_by(_interrupt, number))
        yield


@contextmanager
def defer_sigint() -> Iterator[Sequence[int]]:
    """Let a Ctrl-C wait for the block's end, and yield the waiting ones; processes forked meanwhile drop it.

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


@contextmanager
def _handled_by(handler: Callable[[int, FrameType | None], None], number: int = signal.SIGINT) -> Iterator[None]:
    before = signal.getsignal(number)
    signal.signal(number, handler)
    try:
        yield
    finally:
        # A handler that the command itself has set stays.
        if signal.getsignal(number) is handler:
            signal.signal(number, before)


def _is_default() -> bool:
    """Whether Ctrl-C has Python's own handler, and this thread may change that."""
    is_ours = threading.current_thread() is threading.main_thread()
    return is_ours and signal.getsignal(signal.SIGINT) is signal.default_int_handler


def _end(number: int, frame: FrameType | None) -> None:
    # Not by an exception: an import that catches it would continue, or print a traceback. A second one needs no line.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    for stream in (sys.stdout, sys.stderr):
        # It may be none, or closed at the other end, or in the middle of its own work.
        with suppress(AttributeError, OSError, RuntimeError, ValueError):
            stream.flush()
    with suppress(OSError):
        os.write(2, f"{LINE}\n".encode())
    os._exit(INTERRUPTED)


def _must_wait(frame: FrameType) -> bool:
    """Whether an exception in a frame would be lost, or would leave a context manager open.

    A generator that contextlib has not resumed yet closes much later, when its database may be closed already.
    """
    file = frame.f_code.co_filename
    return file.startswith("<frozen importlib") or file == contextlib.__file__ or _is_text(frame)


def _is_interrupting(frame: FrameType | None) -> bool:
    """Whether _interrupt() still runs: on a busy machine the signal is back before its thread has started."""
    while frame is not None and frame.f_code is not _interrupt.__code__:
        frame = frame.f_back
    return frame is not None


def _is_text(frame: FrameType) -> bool:
    """Whether a frame runs text by exec(), as dataclasses do.

    Under ``python -m`` an exception there sets the exit code, even if it is caught.
    """
    return (frame.f_code.co_filename, frame.f_code.co_name) == ("<string>", "<module>") and frame.f_back is not None


def _interrupt(number: int, frame: FrameType | None) -> None:
    if frame is None or not (_must_wait(frame) or _is_interrupting(frame)):
        raise KeyboardInterrupt if number == signal.SIGINT else SystemExit(128 + number)
    again = threading.Timer(_AGAIN, signal.raise_signal, [number])
    again.daemon = True
    again.start()
