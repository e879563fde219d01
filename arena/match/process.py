"""Run one program to its end, within limits of CPU and wall time. Linux only.

The program leads a process group of its own, and whatever of that group outlives it, or
outlives the limits, is killed. A child that leaves the group is out of reach: it is neither
measured nor killed.
"""

import math
import os
import select
import signal
import subprocess
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import IO, NamedTuple

_CORES = os.cpu_count() or 1
_TICKS_PER_SECOND = os.sysconf("SC_CLK_TCK")

#: Seconds between two looks at a group that is close to its CPU limit.
_SHORTEST_LOOK = 0.02


class Limits(NamedTuple):
    """Seconds a program may take for one move.

    cpu: user + system time of all its threads and children.
    wall: time on the wall clock.
    """

    cpu: float = 10.0
    wall: float = 30.0


class Usage(NamedTuple):
    """What a program took.

    cpu: seconds, user + system, all threads and children.
    killed: whether it overstayed a limit and was killed.
    """

    cpu: float
    killed: bool


def run(command: Sequence[str], directory: Path, limits: Limits, errors: IO[bytes]) -> Usage:
    """Run ``command`` in ``directory`` until it ends or overstays a limit, and end its whole group.

    Its standard input is empty, its standard output is dropped, its standard error goes to
    ``errors``. Raises OSError when the command cannot be started.
    """
    seen, killed = 0.0, True
    program = None
    try:
        # Interrupted while it starts, the program would run on unknown to us.
        with interrupt_later():
            program = subprocess.Popen(
                command,
                cwd=directory,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=errors,
                start_new_session=True,
            )
        killed, seen = _watch(program.pid, limits)
    finally:
        if program is not None:
            if killed:
                os.killpg(program.pid, signal.SIGKILL)
            _, status, rusage = os.wait4(program.pid, 0)
            program.returncode = os.waitstatus_to_exitcode(status)
            strays = _end_strays(program.pid)
    # A child's time reaches its parent only when the parent waits for it: what was killed
    # before that is known from the last look alone.
    return Usage(max(rusage.ru_utime + rusage.ru_stime + strays, seen), killed)


class Watch:
    """The limits of one move, and what a process group has taken of them.

    cpu: seconds the group has taken since its count stood at ``before``, as of the last look.
    """

    def __init__(self, group: int, limits: Limits, before: float = 0.0) -> None:
        """Start the clock."""
        self.cpu = 0.0
        self._group = group
        self._limits = limits
        self._before = before
        self._deadline = time.monotonic() + limits.wall

    def wait(self, event: select.poll) -> bool:
        """Wait for the event: True; or until the group overstays a limit: False."""
        while True:
            left = self._deadline - time.monotonic()
            if left <= 0 or self.cpu >= self._limits.cpu:
                return False
            # The limit cannot be reached sooner than with every core at work until then.
            look = max((self._limits.cpu - self.cpu) / _CORES, _SHORTEST_LOOK)
            if event.poll(math.ceil(min(left, look) * 1000)):
                return True
            self.look()

    def look(self) -> None:
        """Count the CPU time anew. What was counted once stays, though a process takes its time along when it ends."""
        self.cpu = max(self.cpu, _group_cpu(self._group) - self._before)


@contextmanager
def interrupt_later() -> Iterator[None]:
    """Hold a Ctrl-C back until the end of the block; only a process's first thread ever gets one."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    held: list[int] = []
    before = signal.signal(signal.SIGINT, lambda number, _frame: held.append(number))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
    if held:
        signal.raise_signal(signal.SIGINT)


def _watch(group: int, limits: Limits) -> tuple[bool, float]:
    """Wait until the leader of ``group`` ends: False; or the group overstays: True. And the CPU last seen."""
    watch = Watch(group, limits)
    with end_of(group) as end:
        return not watch.wait(end), watch.cpu


@contextmanager
def end_of(process: int) -> Iterator[select.poll]:
    """Yield what can be polled for the end of a process."""
    descriptor = os.pidfd_open(process)
    try:
        poll = select.poll()
        poll.register(descriptor, select.POLLIN)
        yield poll
    finally:
        os.close(descriptor)


def _end_strays(group: int) -> float:
    """Kill what is left of a group without its leader, and return the CPU seconds it took."""
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return 0.0
    seconds = _group_cpu(group)
    os.killpg(group, signal.SIGKILL)
    return seconds


def _group_cpu(group: int) -> float:
    """Return the CPU seconds of the processes of ``group`` and of the children they have waited for."""
    ticks = 0
    for name in os.listdir("/proc"):
        if name.isdigit():
            try:
                with open(f"/proc/{name}/stat", "rb") as file:
                    # The name before it may hold blanks and brackets, so count from its end.
                    fields = file.read().rpartition(b")")[2].split()
            except OSError:
                continue
            if int(fields[2]) == group:
                ticks += sum(map(int, fields[11:15]))
    return ticks / _TICKS_PER_SECOND
