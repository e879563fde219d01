"""Start and control the warden, a Linux process that runs programs within limits of time and memory."""

import json
import math
import os
import select
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from little_go.arena.match.limits import Launch, Limits, Report, RunnerError
from little_go.runtime.ctrl_c import defer_sigint
from little_go.runtime.files import remove_all

if sys.platform == "linux":
    from little_go.arena.match.sandbox import in_sandbox
    from little_go.arena.match.warden import processes, waited_seconds

# mypy also checks this file for other systems, which lack most of these calls.
assert sys.platform == "linux"

#: The folder from which the warden imports this package.
_PLACE = Path(__file__).parents[3]

#: The program that starts the warden. The warden has no site packages, so it starts faster.
_WARDEN = "import sys; sys.path.insert(0, sys.argv.pop(1)); from little_go.arena.match.warden import main; main()"

#: Seconds after which a late warden gets the signal SIGCONT, and additional seconds after which the warden counts as
#: dead.
_DELAY, _PATIENCE = 1.0, 30.0


class WardenRunner:
    """Runs one program at a time. The context manager removes the runner's directory.

    A separate process, the warden (arena.match.warden), starts the programs. When this process ends, the warden kills
    the running program, removes the directory and ends. If an agent kills or stops the warden, a new warden replaces
    it.
    """

    def __init__(self, sandboxed: bool = False) -> None:
        """Start the warden. sandboxed: whether programs run in a sandbox."""
        self._sandboxed = sandboxed
        self._home = ""
        self._warden: subprocess.Popen[bytes] | None = None
        self._own = self._own_before = 0.0
        self._start()

    def __enter__(self) -> "WardenRunner":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def home(self) -> Path:
        """The runner's directory, which exists until close()."""
        return Path(self._home)

    @property
    def own_cpu(self) -> float:
        """The CPU seconds that the warden itself used up to the end of the last program."""
        return self._own_before + self._own

    def check(self, command: Sequence[str], directory: Path) -> None:
        """Raise SandboxError if the command cannot run in a sandbox."""
        if self._sandboxed:
            in_sandbox(command, directory)

    def run(self, command: Sequence[str], directory: Path, limits: Limits, shown: Sequence[Path] = ()) -> Report:
        """Run a program as Runner.run() describes."""
        if self._sandboxed:
            command = in_sandbox(command, directory, shown)
        order = Launch(list(command), str(directory), limits, self._sandboxed)
        try:
            answer = self._ask(order)
        except BaseException:
            # After Ctrl-C or a missing answer, the warden is unusable.
            self._end()
            raise
        if "error" in answer:
            raise RunnerError(answer["error"])
        report = Report(limits, *answer["report"])
        self._own = report.own
        return report

    def close(self) -> None:
        """End the warden, which removes the directory."""
        self._end()
        with suppress(OSError):
            # The warden may have been killed before it removed the directory.
            remove_all(self._home)

    def _start(self) -> None:
        words = [self._home] if self._home else []
        self._warden = None
        try:
            # Ctrl-C during the start would leave the warden running.
            with defer_sigint():
                self._warden = subprocess.Popen(
                    [sys.executable, "-I", "-S", "-c", _WARDEN, str(_PLACE), *words],
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    stderr=subprocess.DEVNULL,
                    bufsize=0,
                    start_new_session=True,
                )
            try:
                self._home = self._receive(self._warden, 0.0)["home"]
            except RunnerError:
                raise RunnerError(f"the process that runs programs did not start within {_PATIENCE:g} s") from None
        except BaseException:
            self._end()
            raise

    def _ask(self, order: Launch) -> dict[str, Any]:
        """Send an order to the warden, which is started if necessary, and return the answer."""
        if self._warden is None:
            self._start()
        assert self._warden is not None
        assert self._warden.stdin is not None
        with suppress(BrokenPipeError):
            self._warden.stdin.write(json.dumps(order).encode() + b"\n")
        return self._receive(self._warden, order.limits.wall)

    def _receive(self, warden: "subprocess.Popen[bytes]", seconds: float) -> dict[str, Any]:
        """Return the warden's next answer. Raise RunnerError if the warden has ended or does not answer.

        seconds: the maximum time that the warden's task takes.
        """
        assert warden.stdout is not None
        poll = select.poll()
        poll.register(warden.stdout, select.POLLIN)
        if not poll.poll((seconds + _DELAY) * 1000):
            # An agent may have sent SIGSTOP to the warden.
            warden.send_signal(signal.SIGCONT)
        received = b""
        while not received.endswith(b"\n"):
            some = warden.stdout.read(1 << 16) if poll.poll(_PATIENCE * 1000) else None
            if not some:
                raise RunnerError("the program has ended the process that runs it")
            received += some
        answer: dict[str, Any] = json.loads(received)
        return answer

    def _end(self) -> None:
        """End the warden, by force if necessary. The warden's directory may remain."""
        self._own_before, self._own = self.own_cpu, 0.0
        warden, self._warden = self._warden, None
        if warden is None:
            return
        for pipe in (warden.stdin, warden.stdout):
            assert pipe is not None
            pipe.close()
        try:
            warden.wait(_PATIENCE)
        except subprocess.TimeoutExpired:
            warden.kill()
            warden.wait()


class ProcessMeter:
    """Measures the CPU time that a process group uses for one move, and compares this time with the limits.

    cpu: CPU seconds that the move had taken at the last measurement.
    """

    def __init__(self, group: int, limits: Limits, before: float = 0.0) -> None:
        """Start the clock. before: the CPU seconds that the group had used before the move."""
        self.cpu = 0.0
        self._group = group
        self._limits = limits
        self._before = before
        self._started = time.monotonic()
        self._deadline = self._started + limits.wall
        self._next_check = time.monotonic() + limits.seconds_to_check(0.0)

    def wait(self, event: select.poll) -> bool:
        """Wait for an event. Return False if the group exceeds a limit before the event.

        Measure the group regularly, even if many events arrive.
        """
        while True:
            now = time.monotonic()
            if now >= self._next_check:
                self.measure()
            if now >= self._deadline or self.is_over:
                return False
            if event.poll(math.ceil(max(0.0, min(self._deadline, self._next_check) - now) * 1000)):
                return True

    @property
    def is_over(self) -> bool:
        """Whether the group had reached its limit of CPU time at the last measurement."""
        return self.cpu >= self._limits.cpu

    def report(self) -> Report:
        """Return a report on the exceeded limit. Call this method while the group's processes still exist."""
        waited = sum(waited_seconds(pid) for pid, process in processes() if process.group == self._group)
        exceeded = "cpu" if self.is_over else "wall"
        return Report(self._limits, exceeded, self.cpu, time.monotonic() - self._started, waited)

    def measure(self) -> None:
        """Measure the CPU time again. The result never decreases, although terminated processes show no time."""
        # of_children is the time of the terminated children for which a process has waited.
        mine = (process for _, process in processes() if process.group == self._group)
        taken = sum(process.seconds + process.of_children for process in mine)
        self.cpu = max(self.cpu, taken - self._before)
        self._next_check = time.monotonic() + self._limits.seconds_to_check(self.cpu)


@contextmanager
def end_of(process: int) -> Iterator[select.poll]:
    """Yield a poll object that reports the end of a process."""
    descriptor = os.pidfd_open(process)
    try:
        poll = select.poll()
        poll.register(descriptor, select.POLLIN)
        yield poll
    finally:
        os.close(descriptor)
