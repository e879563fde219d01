"""The words for what a program may take and what it took, and what all share that watch programs.

It imports nothing of ours, and named tuples instead of dataclasses: the warden loads it whenever it starts.
"""

import os
from typing import NamedTuple

_CORES = os.cpu_count() or 1

#: Seconds between two looks at a program that is close to one of its limits, and at one that is not.
SHORTEST_LOOK, LONGEST_LOOK = 0.02, 0.25

#: Seconds for which all is killed again and again, should something resist.
KILLING = 10.0

#: Bytes of the end of a program's standard error that are kept.
_MOST_TAIL = 4096


class RunnerError(Exception):
    """A program that cannot be run; the message is one line."""


class ProgramError(ValueError):
    """An agent that cannot be made a program of; the message is one line."""


class SandboxError(Exception):
    """There can be no sandbox here; the message is one line."""


class Limits(NamedTuple):
    """The limits of a program for one move, with all that it starts."""

    cpu: float = 10.0  # seconds, user + system, of all threads and processes
    wall: float = 30.0  # seconds on the clock
    memory: int = 0  # bytes: of each process as data, and of all together in memory; 0 for any number
    processes: int = 256  # at once, threads included

    def look_after(self, cpu: float) -> float:
        """Return the seconds until a program that has taken ``cpu`` seconds is to be looked at again.

        It cannot reach its limit sooner than with every core at work until then.
        """
        return max((self.cpu - cpu) / _CORES, SHORTEST_LOOK)


class Launch(NamedTuple):
    """A program to run."""

    command: list[str]
    directory: str
    limits: Limits
    # whether it runs below two processes of bubblewrap's, the second of which is the first in the sandbox and waits
    # for all the others there
    sandboxed: bool


class Report(NamedTuple):
    """The end of a program, and the resources that it took."""

    limits: Limits
    exceeded: str  # the limit for which it was killed, such as "cpu"; "" if it ended by itself
    cpu: float  # seconds, user + system, of all that it started
    wall: float  # seconds on the clock
    waited: float = 0.0  # seconds of these for which it waited for a core, where the clock ended it
    errors: str = ""  # the end of what it wrote to standard error, whole lines if there are any
    own: float = 0.0  # seconds of CPU that the warden has taken since it started

    @property
    def is_late(self) -> bool:
        """Whether it was killed for a limit of time."""
        return self.exceeded in ("cpu", "wall")

    @property
    def starved(self) -> bool:
        """Whether the process was starved of CPU: the clock ended it, and it waited for a core more than it slept."""
        return self.exceeded == "wall" and self.cpu < self.limits.cpu and self.cpu + self.waited > self.wall / 2

    def limit_text(self) -> str:
        """Describe the limit that the program exceeded, a limit of time with both figures; "" for none."""
        if not self.is_late:
            return self.exceeded and f"killed for {self.exceeded}"
        cpu = f"{self.cpu:.2f} s of CPU (limit {self.limits.cpu:g} s)"
        wall = f"{self.wall:.1f} s by the clock (limit {self.limits.wall:g} s)"
        if self.exceeded == "cpu":
            return f"killed for CPU time: {cpu}, {wall}"
        waited = f", {self.waited:.1f} s of them waiting for a core" if self.starved else ""
        return f"killed by the clock: {wall}{waited}, {cpu}"


class ErrorTail:
    """The end of what a program writes to standard error."""

    def __init__(self) -> None:
        self._end = b""

    def add(self, some: bytes) -> None:
        """Add what it has written, and keep whole lines as long as there are any."""
        self._end += some
        if len(self._end) > _MOST_TAIL:
            cut, end_of_line, whole = self._end[-_MOST_TAIL:].partition(b"\n")
            self._end = whole if end_of_line else cut

    def text(self) -> str:
        """Return what was kept."""
        return self._end.decode("utf-8", "replace")
