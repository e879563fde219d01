"""Who runs programs on this system, within limits."""

import sys
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import Protocol

from arena.match.limits import Limits, Report, SandboxError


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
        """Run ``command`` in ``directory`` until it ends or exceeds a limit, and end all that it started.

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
