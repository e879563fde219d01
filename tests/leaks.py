"""A plugin that finds resources that stay open after a test: files, sockets and pipes, threads, and child processes."""

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

#: The number of seconds within which a process or thread must end after the test.
_GRACE = 5.0


class Interruption:
    """The plugin. After a Ctrl-C it reports nothing, because an interrupted test may leave resources open."""

    def __init__(self, config: pytest.Config) -> None:
        self._config = config

    def pytest_keyboard_interrupt(self) -> None:
        """Record the Ctrl-C; pytest calls this before it tears the fixtures down."""
        self._config.stash[_INTERRUPTED] = True
        warnings.simplefilter("ignore")


@pytest.fixture(autouse=True)
def _nothing_stays_open(request: pytest.FixtureRequest) -> Iterator[None]:
    """Fail a test after which a resource is open that was not open before. Shared fixtures are open before the test."""
    before = open_things()
    yield
    if request.node.get_closest_marker("leaves_open") or request.config.stash.get(_INTERRUPTED, False):
        return
    if left := open_things() - before:
        # The garbage is collected here, so that a ResourceWarning belongs to this test and not to a later one.
        gc.collect()
        deadline = time.monotonic() + _GRACE
        while (left := open_things() - before) and time.monotonic() < deadline:
            time.sleep(0.01)
        assert not left, "the test leaves open: " + ", ".join(sorted(left))


def open_things() -> set[str]:
    """Return the open resources of this process; on systems other than Linux only its threads."""
    # Python keeps a process that tracks shared memory, with a pipe to it, and its heap of shared memory, until the end.
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
            # This was the descriptor for listing the directory.
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
