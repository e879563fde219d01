"""A program's limits and resources, shared by all modules that watch programs.

Imports nothing of ours, and uses named tuples instead of dataclasses, to start the warden fast.
"""

import os
from typing import NamedTuple

_CORES = os.cpu_count() or 1

#: Seconds between two measurements of a program close to a limit, and of others.
SHORTEST_LOOK, LONGEST_LOOK = 0.02, 0.25

#: Seconds of repeated killing, should something resist.
KILLING = 10.0

#: Bytes kept of the end of standard error.
_MOST_TAIL = 4096


class RunnerError(Exception):
    """A program that cannot be run; the message is one line."""


class ProgramError(ValueError):
    """An agent that cannot be prepared as a program; the message is one line."""


class SandboxError(Exception):
    """A sandbox cannot be made here; the message is one line."""


class Limits(NamedTuple):
    """The limits of a program and all its children for one move."""

    cpu: float = 10.0  # seconds, user + system, of all threads and processes
    wall: float = 30.0  # seconds on the clock
    memory: int = 0  # bytes: of each process's data, and of all in memory; 0 for no limit
    processes: int = 256  # at once, threads included

    def look_after(self, cpu: float) -> float:
        """Return the seconds until the next measurement of a program that has taken ``cpu`` seconds.

        With every core at work it reaches its limit no sooner.
        """
        return max((self.cpu - cpu) / _CORES, SHORTEST_LOOK)


class Launch(NamedTuple):
    """A program to run."""

    command: list[str]
    directory: str
    limits: Limits
    # whether it runs below two processes of bubblewrap, the second of which waits for all others in the sandbox
    sandboxed: bool


class Report(NamedTuple):
    """The end of a program, and its resources."""

    limits: Limits
    exceeded: str  # the exceeded limit, such as "cpu"; "" if it ended by itself
    cpu: float  # seconds, user + system, with all children
    wall: float  # seconds on the clock
    waited: float = 0.0  # seconds of these without a core, if the clock ended it
    errors: str = ""  # the end of its standard error, in whole lines if possible
    own: float = 0.0  # seconds of CPU of the warden since its start

    @property
    def is_late(self) -> bool:
        """Whether it was killed for a limit of time."""
        return self.exceeded in ("cpu", "wall")

    @property
    def starved(self) -> bool:
        """Whether the process was starved of CPU: the clock ended it, and it waited for a core more than it slept."""
        return self.exceeded == "wall" and self.cpu < self.limits.cpu and self.cpu + self.waited > self.wall / 2

    def limit_text(self) -> str:
        """Describe the exceeded limit, a limit of time with both figures; "" for none."""
        if not self.is_late:
            return self.exceeded and f"killed for {self.exceeded}"
        cpu = f"{self.cpu:.2f} s of CPU (limit {self.limits.cpu:g} s)"
        wall = f"{self.wall:.1f} s by the clock (limit {self.limits.wall:g} s)"
        if self.exceeded == "cpu":
            return f"killed for CPU time: {cpu}, {wall}"
        waited = f", {self.waited:.1f} s of them waiting for a core" if self.starved else ""
        return f"killed by the clock: {wall}{waited}, {cpu}"


class ErrorTail:
    """The end of a program's standard error."""

    def __init__(self) -> None:
        self._end = b""

    def add(self, some: bytes) -> None:
        """Add output; keep whole lines if possible."""
        self._end += some
        if len(self._end) > _MOST_TAIL:
            cut, end_of_line, whole = self._end[-_MOST_TAIL:].partition(b"\n")
            self._end = whole if end_of_line else cut

    def text(self) -> str:
        """Return the kept text."""
        return self._end.decode("utf-8", "replace")
