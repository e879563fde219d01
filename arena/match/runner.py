"""What a program may take for a move, what it took, and who runs programs on this system."""

import sys
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import NamedTuple, Protocol


class Limits(NamedTuple):
    """The limits of a program for one move, with all that it starts.

    cpu: seconds, user + system, of all threads and processes.
    wall: seconds on the clock.
    memory: bytes; 0 for any number.
    processes: at once, threads included.
    """

    cpu: float = 10.0
    wall: float = 30.0
    memory: int = 0
    processes: int = 256


class Report(NamedTuple):
    """The end of a program, and the resources that it took.

    cpu: seconds, user + system, of all that it started.
    overstayed: the limit for which it was killed, a field of Launch such as ``cpu``; "" if it ended by itself.
    errors: the end of what it wrote to standard error, whole lines if there are any.
    own: seconds of CPU that the warden has taken since it started.
    wall: seconds on the clock. waited: for a program that was killed for them, seconds that it waited for a core.
    """

    cpu: float
    overstayed: str
    errors: str
    own: float
    wall: float
    waited: float


class Overstay(NamedTuple):
    """A limit of time that a program has exceeded, and was killed for.

    limit: ``cpu`` or ``wall``. limits: what it had. cpu, wall: what it had taken, seconds. waited: how long of them it
        waited for a core.
    """

    limit: str
    limits: Limits
    cpu: float
    wall: float
    waited: float

    @property
    def starved(self) -> bool:
        """Whether it is the machine's fault: the clock ended it, and it waited for a core more than it did nothing."""
        return self.limit == "wall" and self.cpu < self.limits.cpu and self.cpu + self.waited > self.wall / 2

    def __str__(self) -> str:
        """Return which limit it was, with both figures."""
        cpu = f"{self.cpu:.2f} s of CPU (limit {self.limits.cpu:g} s)"
        wall = f"{self.wall:.1f} s by the clock (limit {self.limits.wall:g} s)"
        if self.limit == "cpu":
            return f"killed for CPU time: {cpu}, {wall}"
        waited = f", {self.waited:.1f} s of them waiting for a core" if self.starved else ""
        return f"killed by the clock: {wall}{waited}, {cpu}"


def overstay_text(report: Report, limits: Limits) -> str:
    """Return for which limit a program was killed that was killed for one."""
    if report.overstayed not in ("cpu", "wall"):
        return f"killed for {report.overstayed}"
    return str(Overstay(report.overstayed, limits, report.cpu, report.wall, report.waited))


class RunnerError(Exception):
    """A program that cannot be run; the message is one line."""


class ProgramError(ValueError):
    """An agent that cannot be made a program of; the message is one line."""


class SandboxError(Exception):
    """There can be no sandbox here; the message is one line."""


class Runner(Protocol):
    """Runs programs, one at a time, and has a directory for them; a context manager, which removes the directory."""

    @property
    def home(self) -> Path:
        """The directory, as long as this is open."""

    @property
    def own_cpu(self) -> float:
        """Seconds of CPU that it has taken outside of this process, as of the last program."""

    def check(self, command: Sequence[str], directory: Path) -> None:
        """Raise SandboxError where a sandbox lacks what the command needs."""

    def run(self, command: Sequence[str], directory: Path, limits: Limits, shown: Sequence[Path] = ()) -> Report:
        """Run ``command`` in ``directory`` until it ends or overstays a limit, and end all that it started.

        shown: places that it may read in a sandbox beside the system's and its interpreter's. Its standard input is
        empty, its standard output is dropped. Raises RunnerError when the command cannot be started, or has ended what
        runs it; SandboxError.
        """

    def close(self) -> None:
        """Remove the directory, and end what this has started."""

    def __enter__(self) -> "Runner": ...

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None: ...


#: What programs run without where only the plain runner runs them; "" where nothing is missing.
LACKING = "" if sys.platform == "linux" else "Programs run with no sandbox and no memory limit: this system has none."


def open_runner(sandboxed: bool = False) -> Runner:
    """Return the runner of this system; ``sandboxed``: whether programs run in a sandbox.

    Raises RunnerError, and SandboxError where there is none.
    """
    if sys.platform == "linux":
        from arena.match.process import WardenRunner

        return WardenRunner(sandboxed)
    from arena.match.plain_runner import PlainRunner

    if sandboxed:
        raise SandboxError(_NO_SANDBOX)
    return PlainRunner()


def require_sandbox() -> None:
    """Raise SandboxError unless a sandbox can be made here."""
    if sys.platform == "linux":
        from arena.match.sandbox import check_sandbox

        check_sandbox()
    else:
        raise SandboxError(_NO_SANDBOX)


_NO_SANDBOX = "no sandbox here: only Linux has one; leave out --sandbox"
