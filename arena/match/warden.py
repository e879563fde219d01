"""The warden is a Linux process that runs contestants' programs one after the other, and removes their traces.

The warden is a "child subreaper" (prctl(2)): if the parent of a program's process ends, the process becomes a child of
the warden. So the warden can measure all processes of a program, and kill all of them when the program ends or exceeds
a limit. When the warden's own parent ends, the warden's standard input closes. Then the warden kills every process that
still runs, and removes its directory.

The protocol consists of lines of JSON. The warden first sends the name of its directory. Then the warden answers each
Launch with a Report, or with ``error`` if the program cannot be started. The client is arena.match.process.
"""

import ctypes
import json
import math
import os
import re
import resource
import select
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from typing import IO, NamedTuple

from little_go.arena.match.limits import KILLING, LONGEST_PAUSE, SHORTEST_PAUSE, ErrorTail, Launch, Limits, Report
from little_go.runtime.files import remove_all

if sys.platform == "linux":
    from little_go.arena.match.control_group import ControlGroup, make_group
    from little_go.arena.match.sandbox import as_nobody, leave_session, separate_mounts

# mypy also checks this file for other systems, which lack most of these calls.
assert sys.platform == "linux"

_TICKS_PER_SECOND = os.sysconf("SC_CLK_TCK")
_PAGE = os.sysconf("SC_PAGE_SIZE")

#: The assumed maximum growth of a program's memory, in bytes per second.
_FASTEST_GROWTH = 4 << 30

#: The directories of a sandbox that are file systems in memory.
_SCRATCH = ("tmp", "dev/shm")

#: Seconds for killing the processes in a sandbox, after which bubblewrap is killed, too.
_EMPTYING = 2.0

#: Seconds within which a sandbox's first process usually ends after the program has ended and no other process is left.
_FOLLOWING = 0.02

#: Constants of prctl(2).
_PR_SET_PDEATHSIG, _PR_SET_CHILD_SUBREAPER = 1, 36

_libc = ctypes.CDLL(None, use_errno=True)


class Process(NamedTuple):
    """The data of a process in /proc.

    parent, group: the ids of the parent and of the process group. seconds: the CPU seconds, user + system. of_children:
    the CPU seconds of the terminated children for which the process has waited. started: the start of the process, in
    clock ticks after boot. threads: the number of threads.
    """

    parent: int
    group: int
    seconds: float
    of_children: float
    started: int
    threads: int


class ParentEnded(Exception):
    """Raised if the other end of the warden's standard input is closed."""


def main() -> None:
    """Run the programs that the parent process orders. sys.argv[1]: the directory of the previous warden, if any."""
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, _end)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    home = sys.argv[1] if len(sys.argv) > 1 else tempfile.mkdtemp(prefix="arena-")
    try:
        _set(_PR_SET_CHILD_SUBREAPER, 1)
        separate_mounts()
        _send({"home": home})
        while line := sys.stdin.buffer.readline():
            try:
                command, directory, limits, sandboxed = json.loads(line)
                report = _run(Launch(command, directory, Limits(*limits), sandboxed))
            except OSError as error:
                _send(
                    {"error": f"{error.filename}: {error.strerror}" if error.filename else error.strerror or str(error)}
                )
            else:
                _send({"report": report[1:]})
    except (ParentEnded, BrokenPipeError):
        pass
    finally:
        _kill_all()
        remove_all(home)
        # End without flushing the output again, because flushing raises an error if the pipe is closed.
        os._exit(0)


def _end(_number: int, _frame: object) -> None:
    raise ParentEnded


def _send(answer: dict[str, object]) -> None:
    sys.stdout.write(json.dumps(answer) + "\n")
    sys.stdout.flush()


def _set(option: int, value: int) -> None:
    if _libc.prctl(option, value, 0, 0, 0):
        raise OSError(ctypes.get_errno(), "prctl")


def _run(order: Launch) -> Report:
    before = _reaped_seconds()
    group = make_group(order.limits.memory)
    try:
        return _run_in(group, order, before)
    finally:
        if group is not None:
            group.remove()


def _run_in(group: ControlGroup | None, order: Launch, before: float) -> Report:
    if not order.sandboxed:
        return _run_started(order.command, [], group, order, before)
    with as_nobody(order.command, order.directory) as (command, descriptor):
        return _run_started(command, [descriptor], group, order, before)


def _run_started(
    command: list[str], passed: list[int], group: ControlGroup | None, order: Launch, before: float
) -> Report:
    def limit() -> None:
        if group is not None:
            group.enter()
        if order.sandboxed:
            leave_session()
        # This function runs in the child before the program starts. If an agent kills its warden, the kernel kills the
        # agent.
        _set(_PR_SET_PDEATHSIG, signal.SIGKILL)
        if memory := order.limits.memory:
            resource.setrlimit(resource.RLIMIT_DATA, (memory, memory))
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))

    program = subprocess.Popen(
        command,
        cwd=order.directory,
        pass_fds=passed,
        # Pass no environment, because all processes in the sandbox can read the environment of bubblewrap's first
        # process.
        env={} if order.sandboxed else None,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        start_new_session=True,
        preexec_fn=limit,
    )
    assert program.stderr is not None
    with program.stderr as errors:
        watch = _ProgramMeter(order.limits, before, errors, group)
        exceeded = "interrupted"
        try:
            exceeded = watch.wait(program.pid)
        finally:
            if order.sandboxed:
                _empty_sandbox(program.pid, ended=not exceeded)
            _kill_all()
        program.returncode = 0
        watch.read_errors()
    if group is not None and group.has_killed:
        exceeded = "memory"
    cpu = max(_reaped_seconds() - before, watch.cpu, group.seconds if group is not None else 0.0)
    return Report(
        order.limits, exceeded, cpu, watch.wall, watch.waited, errors=watch.tail.text(), own=time.process_time()
    )


class _ProgramMeter:
    """Measures the resources that a program uses, and reads the program's standard error.

    cpu: the CPU seconds at the last measurement. This number never decreases, although the time of a terminated process
    cannot be read. wall, waited: the fields of Report, which are valid after wait().
    """

    def __init__(self, limits: Limits, before: float, errors: IO[bytes], group: ControlGroup | None) -> None:
        """Start the clock. before: CPU seconds of all children for which the warden has waited so far."""
        self.cpu = self.wall = self.waited = 0.0
        self.tail = ErrorTail()
        self._limits = limits
        self._before = before
        self._errors = errors
        self._group = group
        self._started = time.monotonic()
        self._deadline = self._started + limits.wall
        self._seen: dict[tuple[int, int], float] = {}
        self._memory = 0
        os.set_blocking(errors.fileno(), False)

    def wait(self, program: int) -> str:
        """Wait until the program ends or exceeds a limit. Return the name of the exceeded limit, or "".

        Raise ParentEnded if the parent ends first.
        """
        exceeded = self._wait(program)
        self.wall = time.monotonic() - self._started
        if exceeded == "wall":
            self.waited = sum(map(waited_seconds, dict(_below(os.getpid()))))
        return exceeded

    def _wait(self, program: int) -> str:
        end = os.pidfd_open(program)
        try:
            poll = select.poll()
            for descriptor in (end, self._errors.fileno(), sys.stdin.fileno()):
                poll.register(descriptor, select.POLLIN)
            next_check = time.monotonic() + self._pause()
            while True:
                now = time.monotonic()
                if self.cpu >= self._limits.cpu:
                    return "cpu"
                if now >= self._deadline:
                    # Measure again, because the CPU limit may have been exceeded since the last measurement.
                    self._measure()
                    return "cpu" if self.cpu >= self._limits.cpu else "wall"
                if now >= next_check:
                    exceeded = self._measure()
                    if exceeded:
                        return exceeded
                    next_check = time.monotonic() + self._pause()
                    continue
                until = min(self._deadline, next_check)
                ready = {descriptor for descriptor, _ in poll.poll(math.ceil(max(0.0, until - now) * 1000))}
                if sys.stdin.fileno() in ready:
                    # The parent sends no order before it has received the report, so this event means that its end of
                    # the pipe is closed.
                    raise ParentEnded
                if end in ready:
                    return ""
                if self._errors.fileno() in ready and not self.read_errors():
                    poll.unregister(self._errors)
        finally:
            os.close(end)

    def read_errors(self) -> bool:
        """Read the standard error that is available. Return False if standard error is closed."""
        while True:
            try:
                some = os.read(self._errors.fileno(), 1 << 16)
            except BlockingIOError:
                return True
            self.tail.add(some)
            if len(some) < 1 << 16:
                return bool(some)

    def _pause(self) -> float:
        pause = self._limits.seconds_to_check(self.cpu)
        if self._limits.memory:
            pause = min(pause, (self._limits.memory - self._memory) / _FASTEST_GROWTH)
        return min(max(pause, SHORTEST_PAUSE), LONGEST_PAUSE)

    def _measure(self) -> str:
        """Measure all processes of the program again. Return the name of the exceeded limit, or "".

        The caller, not this method, compares the CPU time with its limit.
        """
        # Check this first: if the kernel has killed one of many processes, the others may be within the limit.
        if self._group is not None and self._group.has_killed:
            return "memory"
        running = dict(_below_now(os.getpid()))
        self._measure_cpu(running)
        if sum(process.threads for process in running.values()) > self._limits.processes:
            return "processes"
        return self._measure_memory(running) if self._limits.memory else ""

    def _measure_cpu(self, running: Mapping[int, Process]) -> None:
        for pid, process in running.items():
            self._seen[pid, process.started] = process.seconds
        # If a process waits for a child that has exited, its time includes the child's time. The time of every other
        # process that has exited is known only from earlier measurements.
        reported = sum(process.seconds + process.of_children for process in running.values())
        self.cpu = max(self.cpu, _reaped_seconds() - self._before + reported, sum(self._seen.values()))
        if self._group is not None:
            # The control group also counts the time of terminated children for which no process waits.
            self.cpu = max(self.cpu, self._group.seconds)

    def _measure_memory(self, running: Iterable[int]) -> str:
        """Measure the memory of processes. Return "memory" or "wall" if this limit is exceeded, or else ""."""
        self._memory = sum(_own_memory(pid) for pid in running)
        shared: dict[tuple[int, int], int] = {}
        for pid in running:
            if self._memory > self._limits.memory:
                return "memory"
            if time.monotonic() >= self._deadline:
                return "wall"
            for identity, size in _shared_memory(pid):
                # Count memory that several processes share only once.
                self._memory += max(0, size - shared.get(identity, 0))
                shared[identity] = max(size, shared.get(identity, 0))
        return "memory" if self._memory > self._limits.memory else ""


def _threads(pid: int) -> list[str]:
    """Return the directories in /proc of all threads of a process.

    The first thread is not enough, because the directory of an ended thread shows nothing.
    """
    with suppress(OSError):
        return [f"/proc/{pid}/task/{thread}" for thread in os.listdir(f"/proc/{pid}/task")]
    return []


def _own_memory(pid: int) -> int:
    """Return the bytes of a process's resident memory that belong neither to a file nor to shared memory."""
    for thread in _threads(pid):
        with suppress(OSError):
            _, resident, shared, *_ = map(int, _content(f"{thread}/statm").split())
            if resident:
                return (resident - shared) * _PAGE
    return 0


def _shared_memory(pid: int) -> Iterator[tuple[tuple[int, int], int]]:
    """Yield the identity and the bytes of each piece of memory that a process may share with other processes.

    A piece is a file in shared memory that a thread has opened, a mapping of such a file (with the mapping's size), or
    a directory of the sandbox that is in memory. A piece counts even if it is not resident in any process.
    """
    threads = _threads(pid)
    for thread in threads:
        with suppress(OSError):
            for name in os.listdir(f"{thread}/fd"):
                with suppress(OSError):
                    found = os.stat(f"{thread}/fd/{name}")
                    if found.st_dev == _SHARED:
                        yield (_SHARED, found.st_ino), found.st_blocks * 512
    # All threads have the same mappings, but the directory of an ended thread shows no mappings.
    for start, end, inode in _OF_SHARED.findall(next(filter(None, map(_maps, threads)), b"")):
        yield (_SHARED, int(inode)), int(end, 16) - int(start, 16)
    for place in _SCRATCH:
        for thread in threads:
            with suppress(OSError):
                seen = os.path.join(thread, "root", place)
                scratch = os.stat(seen).st_dev
                if scratch != os.stat(f"/{place}").st_dev:
                    space = os.statvfs(seen)
                    yield (scratch, 0), (space.f_blocks - space.f_bfree) * space.f_frsize
                break


def _maps(thread: str) -> bytes:
    with suppress(OSError):
        return _content(f"{thread}/maps")
    return b""


def _device_of_shared_memory() -> int:
    descriptor = os.memfd_create("")
    try:
        return os.fstat(descriptor).st_dev
    finally:
        os.close(descriptor)


_SHARED = _device_of_shared_memory()

#: Matches a mapping of shared memory in /proc/PID/maps, with groups for its start, its end and its inode.
_OF_SHARED = re.compile(
    rb"^([0-9a-f]+)-([0-9a-f]+) \S+ \S+ %02x:%02x ([1-9]\d*) " % (os.major(_SHARED), os.minor(_SHARED)), re.MULTILINE
)


def _reaped_seconds() -> float:
    """Return the CPU seconds of all children for which this process has waited, and of the children's children."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def _empty_sandbox(outer: int, ended: bool) -> None:
    """Kill all processes in the sandbox except its first process, which waits for the others so that their time counts.

    If the first process were killed, the kernel would not count the time of the other processes (zap_pid_ns_processes).
    outer: the id of bubblewrap's process outside of the sandbox. ended: whether the program has ended by itself, so
    that usually no process is left.
    """
    following = time.monotonic() + (_FOLLOWING if ended else 0.0)
    while not _nothing_left():
        if time.monotonic() >= following:
            break
        time.sleep(0.001)
    else:
        return
    deadline = time.monotonic() + _EMPTYING
    while time.monotonic() < deadline:
        # The first process in the sandbox is a child of bubblewrap, or of the warden if bubblewrap has ended.
        inside = [found for found in _below(os.getpid()) if found[1].parent not in (os.getpid(), outer)]
        if not inside:
            return
        for pid, process in inside:
            _kill(pid, process)
        time.sleep(0.001)


def _kill_all() -> None:
    """Kill the descendants of this process and wait for them, until no descendant is left."""
    deadline = time.monotonic() + KILLING
    while time.monotonic() < deadline:
        if _nothing_left():
            return
        for pid, process in _below(os.getpid()):
            _kill(pid, process)
        time.sleep(0.001)


def _kill(pid: int, seen: Process) -> None:
    """Kill a process, unless it has ended since it was seen and another process has its id.

    A program can start so many processes that the id of a terminated process is soon used again.
    """
    with suppress(OSError):
        descriptor = os.pidfd_open(pid)
        try:
            now = _process(pid)
            # If the process has ended since it was read, the signal has no effect.
            if now is not None and now.started == seen.started:
                signal.pidfd_send_signal(descriptor, signal.SIGKILL)
        finally:
            os.close(descriptor)


def _nothing_left() -> bool:
    """Wait for all terminated children. Return whether this process has no descendants left, which is the usual case.

    This check takes almost no time, whereas reading all processes of the machine takes a few milliseconds.
    """
    try:
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass
    except ChildProcessError:
        return True
    return False


def _below(top: int) -> Iterator[tuple[int, Process]]:
    """Yield all descendants of a process, each parent before its children."""
    found = dict(processes())
    children: dict[int, list[int]] = {}
    for pid, process in found.items():
        parent = found.get(process.parent)
        # A process that is younger than its supposed child is not the parent, but has the id of a parent that has
        # ended.
        if parent is not None and parent.started <= process.started:
            children.setdefault(process.parent, []).append(pid)
    todo = children.get(top, [])
    while todo:
        pid = todo.pop()
        yield pid, found[pid]
        todo += children.get(pid, [])


def _below_now(top: int) -> Iterator[tuple[int, Process]]:
    """Yield all descendants of a process as ``_below`` does, but faster if the kernel lists each process's children.

    This function reads no other processes of the machine. If a process ends meanwhile, its children can be missed until
    the next measurement. So ``_below`` is used to find the processes to kill.
    """
    if not _LISTS_CHILDREN:
        yield from _below(top)
        return
    todo = list(_children(top))
    while todo:
        pid = todo.pop()
        process = _process(pid)
        if process is not None:
            yield pid, process
            todo += _children(pid)


def _children(pid: int) -> Iterator[int]:
    for thread in _threads(pid):
        with suppress(OSError):
            yield from map(int, _content(f"{thread}/children").split())


_LISTS_CHILDREN = os.path.exists(f"/proc/self/task/{os.getpid()}/children")


def waited_seconds(pid: int) -> float:
    """Return the seconds that a process's threads waited for a core, or 0 if the kernel does not count this time."""
    waited = 0
    for thread in _threads(pid):
        with suppress(OSError, IndexError), open(f"{thread}/schedstat") as file:
            waited += int(file.read().split()[1])
    return waited / 1e9


def processes() -> Iterator[tuple[int, Process]]:
    """Yield the id and the data of each process that /proc lists."""
    for name in os.listdir("/proc"):
        if name.isdigit():
            process = _process(int(name))
            if process is not None:
                yield int(name), process


def _process(pid: int) -> Process | None:
    try:
        # The process's name ends at the last bracket of the line. The name itself can contain blanks and brackets.
        fields = _content(f"/proc/{pid}/stat").rpartition(b")")[2].split()
    except OSError:
        return None
    parent, group, started = (int(fields[at]) for at in (1, 2, 19))
    own, of_children = (sum(map(int, fields[at : at + 2])) / _TICKS_PER_SECOND for at in (11, 13))
    return Process(parent, group, own, of_children, started, int(fields[17]))


def _content(path: str) -> bytes:
    """Return the content of a file in /proc. A file object would take twice the time.

    Raise OSError if the process has ended.
    """
    descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    try:
        parts = []
        while part := os.read(descriptor, 1 << 16):
            parts.append(part)
        return b"".join(parts)
    finally:
        os.close(descriptor)
