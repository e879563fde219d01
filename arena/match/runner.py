"""The interface of runners, which run programs within limits, and this system's runner."""

import sys
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import Protocol

from arena.match.limits import Limits, Report, SandboxError


class Runner(Protocol):
    """Runs one program at a time, in its own directory; a context manager that removes it."""

    @property
    def home(self) -> Path:
        """The directory, while this is open."""

    @property
    def own_cpu(self) -> float:
        """Seconds of CPU used outside of this process, as of the last program."""

    def check(self, command: Sequence[str], directory: Path) -> None:
        """Raise SandboxError where a sandbox lacks something that the command needs."""

    def run(self, command: Sequence[str], directory: Path, limits: Limits, shown: Sequence[Path] = ()) -> Report:
        """Run ``command`` in ``directory`` until it ends or exceeds a limit, and kill all its children.

        shown: further places that it may read in a sandbox. Standard input is empty, standard output is dropped. Raises
        RunnerError when the command cannot be started, or has killed its runner; SandboxError.
        """

    def close(self) -> None:
        """Remove the directory, and end all started processes."""

    def __enter__(self) -> "Runner": ...

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None: ...


#: The protection that the plain runner lacks; "" on Linux.
LACKING = "" if sys.platform == "linux" else "Programs run with no sandbox and no memory limit: this system has none."


def open_runner(sandboxed: bool = False) -> Runner:
    """Return this system's runner; ``sandboxed``: whether programs run in a sandbox.

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
