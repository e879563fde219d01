"""What stays open after a test: files, sockets and pipes, threads, and child processes."""

import gc
import os
import sys
import threading
import time
import warnings
from collections.abc import Iterator
from multiprocessing import resource_tracker
from pathlib import Path

import pytest

_INTERRUPTED = pytest.StashKey[bool]()

#: Seconds that a process or thread has to end after the test that ended it.
_GRACE = 5.0


class Interruption:
    """A plugin that keeps the summary after a Ctrl-C: what an interrupted test leaves open is not an error."""

    def __init__(self, config: pytest.Config) -> None:
        self._config = config

    def pytest_keyboard_interrupt(self) -> None:
        """Note the Ctrl-C; pytest calls this before it tears the fixtures down."""
        self._config.stash[_INTERRUPTED] = True
        warnings.simplefilter("ignore")


@pytest.fixture(autouse=True)
def _nothing_stays_open(request: pytest.FixtureRequest) -> Iterator[None]:
    """Fail a test that leaves open what was not open before it. What a module or the session shares is open before."""
    before = open_things()
    yield
    if request.node.get_closest_marker("leaves_open") or request.config.stash.get(_INTERRUPTED, False):
        return
    if left := open_things() - before:
        # A ResourceWarning belongs to this test, not to the one that runs at the next collection.
        gc.collect()
        deadline = time.monotonic() + _GRACE
        while (left := open_things() - before) and time.monotonic() < deadline:
            time.sleep(0.01)
        assert not left, "the test leaves open: " + ", ".join(sorted(left))


def open_things() -> set[str]:
    """Return what this process has open; on other systems than Linux its threads alone."""
    # Python keeps one process that tracks shared memory, with a pipe to it, and its heap of shared memory, to the end.
    threads = {f"thread {thread.name} {thread.ident}" for thread in threading.enumerate()}
    return threads | set(_files()) | set(_children()) if sys.platform == "linux" else threads


def _is_pythons_own(target: str) -> bool:
    tracker = vars(resource_tracker)["_resource_tracker"]
    if target.startswith("process "):
        return target == f"process {vars(tracker).get('_pid')}"
    return target.startswith(f"file {vars(tracker).get('_fd')} ") or "/dev/shm/pym-" in target


def _files() -> Iterator[str]:
    for number in os.listdir("/proc/self/fd"):
        try:
            name = f"file {number} {os.readlink(f'/proc/self/fd/{number}')}"
        except FileNotFoundError:
            # The descriptor that listed the directory.
            continue
        if not _is_pythons_own(name):
            yield name


def _children() -> Iterator[str]:
    for task in Path("/proc/self/task").iterdir():
        try:
            names = [f"process {child}" for child in (task / "children").read_text("ascii").split()]
        except OSError:
            continue
        yield from (name for name in names if not _is_pythons_own(name))
