"""Run programs directly from this process, on any system, and measure their resources by psutil.

The mark of a program, a variable in its environment, identifies its children. This method has three weaknesses: a child
escapes if it clears the mark and loses its parent between two measurements, a program can kill the arena, and if the
arena is killed, its program continues to run. On Linux the warden (arena.match.warden) prevents all three problems.
"""

import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from secrets import token_hex
from threading import Thread
from types import TracebackType

import psutil

from little_go.arena.match.limits import KILLING, LONGEST_PAUSE, SHORTEST_PAUSE, ErrorTail, Limits, Report, RunnerError
from little_go.runtime.ctrl_c import defer_sigint
from little_go.runtime.files import remove_all

#: Seconds between two checks whether a program has ended. The pause doubles after each check, from the first value up
#: to the second value.
_FIRST_PAUSE, _LONGEST_PAUSE = 0.001, 0.01

#: The environment variable that contains the mark of a program's processes.
_MARK = "LITTLE_GO_PROGRAM"

#: Flags with which a program on Windows has no window and does not receive this terminal's Ctrl-C; 0 on other systems.
_FLAGS = getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0) | getattr(subprocess, "CREATE_NO_WINDOW", 0)


class PlainRunner:
    """Runs one program at a time. The context manager removes the runner's directory."""

    #: The runner works in this process, so it uses no CPU time outside of this process.
    own_cpu = 0.0

    def __init__(self) -> None:
        # TemporaryDirectory removes the folder even if this process ends before close().
        self._folder = tempfile.TemporaryDirectory(prefix="arena-", ignore_cleanup_errors=True)
        self.home = Path(self._folder.name)

    def __enter__(self) -> "PlainRunner":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def check(self, command: Sequence[str], directory: Path) -> None:
        """Do nothing, because this runner has no sandbox."""

    def run(self, command: Sequence[str], directory: Path, limits: Limits, shown: Sequence[Path] = ()) -> Report:
        """Run a program as Runner.run() describes."""
        tree: _ProgramTree | None = None
        try:
            # Ctrl-C during the start would leave the program running.
            with defer_sigint():
                tree = _ProgramTree(command, directory, limits)
            exceeded = tree.wait()
        except OSError as error:
            where = f"{error.filename}: " if error.filename else ""
            raise RunnerError(f"{where}{error.strerror or error}") from None
        finally:
            if tree is not None:
                tree.kill()
        return tree.report(exceeded)

    def close(self) -> None:
        """Remove the runner's directory."""
        with suppress(OSError):
            remove_all(self.home)
        self._folder.cleanup()


class _ProgramTree:
    """A running program and its known children.

    cpu: CPU seconds of the program and its children at the last measurement.
    """

    def __init__(self, command: Sequence[str], directory: Path, limits: Limits) -> None:
        """Start the program and the clock. Raise OSError if the program cannot be started."""
        self.cpu = self._wall = 0.0
        self._limits = limits
        self._mark = token_hex(16)
        self._foreign_ids = set(psutil.pids())
        self._seen: dict[psutil.Process, float] = {}
        self._ended = False
        self._started = time.monotonic()
        self._program = subprocess.Popen(
            command,
            cwd=directory,
            env=os.environ | {_MARK: self._mark},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            bufsize=0,
            start_new_session=True,
            creationflags=_FLAGS,
        )
        self._foreign_ids.discard(self._program.pid)
        self._errors = _ErrorReader(self._program)

    def wait(self) -> str:
        """Wait until the program ends or exceeds a limit. Return the name of the exceeded limit, or ""."""
        deadline, pause = self._started + self._limits.wall, _FIRST_PAUSE
        next_check = self._started + SHORTEST_PAUSE
        try:
            while not self._has_ended():
                now = time.monotonic()
                if now >= next_check or now >= deadline:
                    exceeded = self._measure()
                    if exceeded or now >= deadline:
                        return exceeded or "wall"
                    next_check = time.monotonic() + min(self._limits.seconds_to_check(self.cpu), LONGEST_PAUSE)
                time.sleep(max(0.0, min(pause, deadline - now)))
                pause = min(2 * pause, _LONGEST_PAUSE)
            return ""
        finally:
            self._wall = time.monotonic() - self._started

    def kill(self) -> None:
        """Kill the program and its children until no process is left."""
        deadline = time.monotonic() + KILLING
        while time.monotonic() < deadline:
            # Count CPU time before the processes are killed, because it cannot be read afterwards.
            self._count()
            if sys.platform != "win32":
                # The id of the process group is the program's id, which no other process gets before
                # _wait_for_program().
                with suppress(OSError):
                    os.killpg(self._program.pid, signal.SIGKILL)
            left = list(self._living())
            for process in left:
                with suppress(psutil.Error):
                    process.kill()
            if self._has_ended() and not left:
                break
            time.sleep(_FIRST_PAUSE)
        self._wait_for_program()
        self._errors.close()

    def report(self, exceeded: str) -> Report:
        """Return the report of the program's run. Call this method only after kill()."""
        exceeded = exceeded or ("cpu" if self.cpu >= self._limits.cpu else "")
        return Report(self._limits, exceeded, self.cpu, self._wall, errors=self._errors.tail.text())

    def _has_ended(self) -> bool:
        if self._ended:
            return True
        if sys.platform == "win32":
            self._ended = self._program.poll() is not None
            with suppress(psutil.Error):
                # Read the CPU time now, because Windows forgets the CPU time of a terminated process.
                times = psutil.Process(self._program.pid).cpu_times()
                self.cpu = max(self.cpu, times.user + times.system)
            return self._ended
        try:
            self._ended = psutil.Process(self._program.pid).status() == psutil.STATUS_ZOMBIE
        except psutil.NoSuchProcess:
            self._ended = True
        return self._ended

    def _wait_for_program(self) -> None:
        """Wait for the ended program, and count the CPU time of the program and of the children for which it waited."""
        if sys.platform == "win32":
            return
        with suppress(ChildProcessError):
            ended, status, usage = os.wait4(self._program.pid, os.WNOHANG)
            if ended:
                self._program.returncode = os.waitstatus_to_exitcode(status)
                self.cpu = max(self.cpu, usage.ru_utime + usage.ru_stime)

    def _measure(self) -> str:
        """Measure all processes again. Return the name of the exceeded limit, or ""."""
        limits = self._limits
        self._count()
        if self.cpu >= limits.cpu:
            return "cpu"
        memory = threads = 0
        for process in self._living():
            with suppress(psutil.Error), process.oneshot():
                memory += process.memory_info().rss
                threads += process.num_threads()
        if threads > limits.processes:
            return "processes"
        return "memory" if memory > limits.memory > 0 else ""

    def _count(self) -> None:
        self._find()
        living = 0.0
        for process in self._living():
            with suppress(psutil.Error):
                times = process.cpu_times()
                self._seen[process] = own = times.user + times.system
                # The fields for terminated children do not exist on Windows.
                living += own + getattr(times, "children_user", 0.0) + getattr(times, "children_system", 0.0)
        # If a parent waits for a child that has exited, the parent's time includes the child's time. The time of every
        # other process that has exited is known only from earlier measurements.
        self.cpu = max(self.cpu, living, sum(self._seen.values()))

    def _find(self) -> None:
        running = set(psutil.pids())
        # Forget the ids of terminated processes, because a new process of the program can get such an id.
        self._foreign_ids &= running
        living = {process.pid: process for process in self._living()}
        for pid in sorted(running - self._foreign_ids - living.keys()):
            try:
                process = psutil.Process(pid)
                if self._is_ours(process, living.get(process.ppid())):
                    self._seen.setdefault(process, 0.0)
                else:
                    self._foreign_ids.add(pid)
            except psutil.Error:
                continue

    def _is_ours(self, process: psutil.Process, parent: psutil.Process | None) -> bool:
        """Return whether a process belongs to the program, according to its id, its parent or its mark.

        parent: the process's parent if the parent is alive and belongs to the program, or else None. A parent that is
        younger than the process is not the real parent, but another process with the real parent's id. Raise
        psutil.Error if the process has ended.
        """
        if process.pid == self._program.pid:
            return True
        if parent is not None and parent.create_time() <= process.create_time():
            return True
        try:
            return process.environ().get(_MARK) == self._mark
        except (psutil.AccessDenied, OSError):
            return False

    def _living(self) -> Iterator[psutil.Process]:
        """Yield the known processes that have not ended. A zombie counts as ended."""
        for process in list(self._seen):
            with suppress(psutil.Error):
                if process.is_running() and process.status() != psutil.STATUS_ZOMBIE:
                    yield process


class _ErrorReader:
    """Reads a program's standard error into ``tail`` in a separate thread."""

    def __init__(self, program: "subprocess.Popen[bytes]") -> None:
        assert program.stderr is not None
        self._file = program.stderr
        self.tail = ErrorTail()
        self._reader = Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self) -> None:
        while some := self._file.read(1 << 16):
            self.tail.add(some)

    def close(self) -> None:
        """Read the rest and close the pipe, unless an unknown process still has its other end open."""
        self._reader.join(1.0)
        if not self._reader.is_alive():
            self._file.close()
