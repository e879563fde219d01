"""Determine the effect of Ctrl-C on a command.

Before the command begins its work, Ctrl-C ends the process immediately. Later Ctrl-C raises KeyboardInterrupt. This
module imports only the standard library, because ``little_go/__init__.py`` calls this module before any other import.
"""

import atexit
import contextlib
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, nullcontext, suppress
from types import CodeType, FrameType

#: The exit code of a command that Ctrl-C ends, as in a shell, and the line that is printed.
INTERRUPTED, LINE = 130, "interrupted"

#: Signals other than Ctrl-C's that end a command so that its temporary folders are removed, but without a line.
if sys.platform == "win32":
    _ENDS: tuple[signal.Signals, ...] = (signal.SIGTERM,)
else:
    _ENDS = (signal.SIGTERM, signal.SIGHUP)

#: Seconds after which a signal is raised again if its exception would be lost now.
_AGAIN = 0.01


def end_at_once() -> None:
    """Make Ctrl-C end this process with one line from now on. While Python shuts down, ignore Ctrl-C.

    Call this function only in a command's process.
    """
    if _is_default():
        signal.signal(signal.SIGINT, _end)
        # While Python shuts down, it removes its signal handlers, so Ctrl-C would change the exit code of a finished
        # command.
        atexit.register(signal.signal, signal.SIGINT, signal.SIG_IGN)


@contextmanager
def ending_at_once() -> Iterator[None]:
    """Inside the block, make Ctrl-C end this process with one line. The process must not have anything to close."""
    with _handled_by(_end) if _is_default() else nullcontext():
        yield


@contextmanager
def interruptible() -> Iterator[None]:
    """Inside the block, raise KeyboardInterrupt for Ctrl-C, even during an import, and SystemExit for _ENDS.

    In four places the exception is delayed: in the callbacks of import locks, where Python ignores exceptions; in code
    that exec() runs, after which Python may set any exit code; in contextlib, which would leave a context manager open;
    and while a TemporaryDirectory makes its folder, which would not be removed.
    """
    with ExitStack() as stack:
        if signal.getsignal(signal.SIGINT) is _end or _is_default():
            stack.enter_context(_handled_by(_interrupt))
        for number in _ENDS if threading.current_thread() is threading.main_thread() else ():
            # A program under nohup must continue to ignore SIGHUP.
            if signal.getsignal(number) == signal.SIG_DFL:
                stack.enter_context(_handled_by(_interrupt, number))
        yield


@contextmanager
def defer_sigint() -> Iterator[Sequence[int]]:
    """Defer the effect of Ctrl-C to the end of the block, and yield a list of the deferred signals.

    A process that is forked in the block does not get the deferred signals. Outside of the main thread, this function
    does nothing, because only the main thread gets signals.
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
        # If the command has set another handler in the block, that handler stays.
        if signal.getsignal(number) is handler:
            signal.signal(number, before)


def _is_default() -> bool:
    """Return whether SIGINT has Python's default handler, and this thread can change the handler."""
    is_ours = threading.current_thread() is threading.main_thread()
    return is_ours and signal.getsignal(signal.SIGINT) is signal.default_int_handler


def _end(number: int, frame: FrameType | None) -> None:
    # Do not raise an exception, because an import may catch it and continue, or print a traceback. Ensure that a second
    # signal prints no second line.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    for stream in (sys.stdout, sys.stderr):
        # A stream may be missing, closed at the other end, or interrupted during a write.
        with suppress(AttributeError, OSError, RuntimeError, ValueError):
            stream.flush()
    with suppress(OSError):
        os.write(2, f"{LINE}\n".encode())
    os._exit(INTERRUPTED)


#: The modules that are called when an object with a weak reference is gone. Python prints and ignores their exceptions.
_WEAK_REFERENCES = ("weakref", "_weakrefset")


def _must_wait(frame: FrameType) -> bool:
    """Return whether an exception in a frame would be lost, or would leave a generator open or a folder undeleted.

    A generator that contextlib has not resumed is closed much later, when the database that it uses may be closed.
    """
    file = frame.f_code.co_filename
    if file.startswith("<frozen importlib") or file == contextlib.__file__:
        return True
    return _is_text(frame) or _makes_folder(frame) or frame.f_globals.get("__name__") in _WEAK_REFERENCES


def _is_interrupting(frame: FrameType) -> bool:
    """Return whether _interrupt() is still running, because on a busy machine its timer can fire before it returns."""
    return _is_running(_interrupt.__code__, frame)


def _makes_folder(frame: FrameType) -> bool:
    """Return whether a TemporaryDirectory is being initialized, so its folder may exist but would not be removed."""
    # This module must not import tempfile itself, because it is imported before all other modules.
    tempfile = sys.modules.get("tempfile")
    return tempfile is not None and _is_running(tempfile.TemporaryDirectory.__init__.__code__, frame)


def _is_running(code: CodeType, frame: FrameType | None) -> bool:
    while frame is not None and frame.f_code is not code:
        frame = frame.f_back
    return frame is not None


def _is_text(frame: FrameType) -> bool:
    """Return whether a frame runs a text by exec(), as the module dataclasses does.

    Under ``python -m``, an exception in such a frame sets the exit code, even if the exception is caught.
    """
    return (frame.f_code.co_filename, frame.f_code.co_name) == ("<string>", "<module>") and frame.f_back is not None


def _interrupt(number: int, frame: FrameType | None) -> None:
    if frame is None or not (_must_wait(frame) or _is_interrupting(frame)):
        raise KeyboardInterrupt if number == signal.SIGINT else SystemExit(128 + number)
    again = threading.Timer(_AGAIN, _raise_in_main_thread, [number])
    again.daemon = True
    again.start()


def _raise_in_main_thread(number: int) -> None:
    """Raise a signal that, if the system supports it, interrupts a call in which the main thread waits."""
    main = threading.main_thread().ident
    if sys.platform == "win32" or main is None:
        signal.raise_signal(number)
    else:
        signal.pthread_kill(main, number)
