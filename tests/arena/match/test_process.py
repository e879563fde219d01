"""Limits and measurements, with real processes."""

import os
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from textwrap import dedent
from typing import Any

import pytest

from little_go.arena.match.limits import Limits, Report, RunnerError, SandboxError
from little_go.arena.match.plain_runner import PlainRunner
from little_go.arena.match.play import wait_until_free
from little_go.arena.match.process import ProcessMeter, WardenRunner
from little_go.arena.match.programs import Runner, open_runner, require_sandbox
from little_go.arena.match.warden import _LISTS_CHILDREN, _below, _below_now
from tests.arena.helpers import AMPLE, PYTHON, ROUNDED, children, open_files

ROOT = Path(__file__).parents[3]

#: A process that prints its runner's directory and runs a program, given the program's source and a directory.
HOST = """
import sys
from little_go.arena.match.process import ProcessMeter, WardenRunner
from tests.arena.helpers import AMPLE, PYTHON
from pathlib import Path
with WardenRunner() as runner:
    print(runner.home, flush=True)
    runner.run([*PYTHON, "-c", sys.argv[1]], Path(sys.argv[2]), AMPLE)
"""

BURN = """
import os, sys, threading, time
def burn(seconds):
    end = time.process_time() + seconds
    while time.process_time() < end:
        pass
"""

#: A grandchild takes CPU time in another session, while the program sleeps.
FORKED_TWICE = """
if not os.fork():
    os.setsid()
    if not os.fork():
        burn(60)
    os._exit(0)
os.wait()
time.sleep(60)
"""


def run_source(runner: Runner, directory: Path, source: str, limits: Limits = AMPLE) -> Report:
    return runner.run([*PYTHON, "-c", BURN + dedent(source)], directory, limits)


def has_ended(process: int) -> bool:
    """Return whether the process is gone, or is a zombie for which no process has waited yet."""
    for _ in range(100):
        try:
            state = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]
        except OSError:
            return True
        if state == "Z":
            return True
        time.sleep(0.02)
    return False


def test_a_program_runs_in_its_directory(runner: Runner, tmp_path: Path) -> None:
    usage = run_source(runner, tmp_path, "open('here', 'w').close()")
    assert (tmp_path / "here").exists()
    assert not usage.exceeded


def test_a_failing_program_is_measured_too(runner: Runner, tmp_path: Path) -> None:
    usage = run_source(runner, tmp_path, "burn(0.1); sys.exit(3)")
    assert usage.cpu >= 0.1
    assert not usage.exceeded


def test_cpu_is_measured_not_wall_time(runner: Runner, tmp_path: Path) -> None:
    usage = run_source(runner, tmp_path, "time.sleep(0.3)")
    assert usage.cpu < usage.wall / 2


def test_cpu_of_threads_counts(runner: Runner, tmp_path: Path) -> None:
    # The threads of a process share its CPU clock, so 0.2 s of it are 0.2 s whatever thread takes them.
    assert (
        run_source(runner, tmp_path, "t = threading.Thread(target=burn, args=(0.2,)); t.start(); t.join()").cpu >= 0.2
    )


def test_cpu_of_children_waited_for_counts(runner: Runner, tmp_path: Path) -> None:
    source = """
    if not os.fork():
        burn(0.2)
        os._exit(0)
    os.wait()
    """
    assert run_source(runner, tmp_path, source).cpu >= 0.2


def test_cpu_limit_kills(runner: Runner, tmp_path: Path) -> None:
    usage = run_source(runner, tmp_path, "burn(60)", Limits(cpu=0.2, wall=50))
    assert usage.exceeded == "cpu"
    assert 0.2 <= usage.cpu < 60


def test_cpu_limit_counts_children(runner: Runner, tmp_path: Path) -> None:
    source = """
    if not os.fork():
        burn(60)
    os.wait()
    """
    usage = run_source(runner, tmp_path, source, Limits(cpu=0.2, wall=50))
    assert usage.exceeded
    assert usage.cpu >= 0.2


def test_cpu_limit_counts_all_children_together(runner: Runner, tmp_path: Path) -> None:
    source = """
    for _ in range(3):
        if not os.fork():
            burn(0.15)
            time.sleep(60)
    os.wait()
    """
    usage = run_source(runner, tmp_path, source, Limits(cpu=0.3, wall=50))
    assert usage.exceeded
    assert usage.cpu >= 0.3


def test_wall_limit_kills_a_sleeper(runner: Runner, tmp_path: Path) -> None:
    usage = run_source(runner, tmp_path, "time.sleep(60)", Limits(cpu=10, wall=0.3))
    assert usage.exceeded == "wall"
    assert 0.3 <= usage.wall < 60


@contextmanager
def busy_core() -> Iterator[None]:
    """Keep one core busy with other work, and let this thread and its children run only on that core."""
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {min(before)})
    # Each of the other processes has its own session, because Linux may share a core among sessions.
    busy = [*PYTHON, "-c", "while True: pass"]
    others = [subprocess.Popen(busy, start_new_session=True) for _ in range(8)]
    try:
        yield
    finally:
        for other in others:
            other.kill()
            other.wait()
        os.sched_setaffinity(0, before)


@pytest.mark.system
def test_the_clock_of_a_busy_machine_is_told_from_an_agent_that_sleeps(tmp_path: Path) -> None:
    """There are eight other processes on its core, so it gets a ninth of the time, and waits for the rest."""
    limits = Limits(cpu=0.5, wall=1.0)
    with WardenRunner() as runner:
        source = "import os; os.sched_setaffinity(0, [min(os.sched_getaffinity(0))])\nwhile True: pass"
        with busy_core():
            busy = runner.run([*PYTHON, "-c", source], tmp_path, limits)
        asleep = runner.run([*PYTHON, "-c", "import time; time.sleep(60)"], tmp_path, limits)
    assert (busy.exceeded, asleep.exceeded) == ("wall", "wall")
    assert busy.cpu < limits.cpu
    assert busy.cpu + busy.waited > 0.8 * busy.wall
    assert (busy.cpu_starved, asleep.cpu_starved) == (True, False)
    assert re.fullmatch(
        r"killed by the clock: \d+\.\d s by the clock \(limit 1 s\), \d+\.\d s of them waiting for a core, "
        r"\d\.\d\d s of CPU \(limit 0\.5 s\)",
        busy.limit_text(),
    )


def test_a_machine_is_not_free_while_others_have_its_cores(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("little_go.arena.match.play._PROBE", 0.05)
    with busy_core():
        assert not wait_until_free(time.monotonic())


def test_kill_takes_the_children_along(runner: Runner, tmp_path: Path) -> None:
    source = """
    child = os.fork()
    if child:
        open('child', 'w').write(str(child))
    time.sleep(60)
    """
    assert run_source(runner, tmp_path, source, Limits(cpu=10, wall=1.0)).exceeded
    assert has_ended(int((tmp_path / "child").read_text()))


def test_children_left_behind_are_killed_and_measured(runner: Runner, tmp_path: Path) -> None:
    source = """
    read, write = os.pipe()
    child = os.fork()
    if not child:
        burn(0.2)
        os.write(write, b'x')
        time.sleep(60)
    open('child', 'w').write(str(child))
    os.read(read, 1)
    """
    usage = run_source(runner, tmp_path, source)
    assert not usage.exceeded
    assert usage.cpu >= 0.2 - ROUNDED
    assert has_ended(int((tmp_path / "child").read_text()))


def test_a_program_that_kills_itself_is_not_killed_for_time(runner: Runner, tmp_path: Path) -> None:
    assert not run_source(runner, tmp_path, "os.kill(os.getpid(), 9)").exceeded


def test_a_program_leads_a_group_of_its_own(runner: Runner, tmp_path: Path) -> None:
    run_source(runner, tmp_path, "open('group', 'w').write(f'{os.getpgid(0)} {os.getpid()}')")
    group, process = (tmp_path / "group").read_text().split()
    assert group == process != str(os.getpgid(0))


def test_standard_input_is_empty(runner: Runner, tmp_path: Path) -> None:
    run_source(runner, tmp_path, "open('read', 'w').write(repr(sys.stdin.read()))")
    assert (tmp_path / "read").read_text() == "''"


def wait_for(path: Path) -> str:
    """Return the content of a program's file as soon as it is complete: its last character is a dot."""
    deadline = time.monotonic() + 50
    while not (path.exists() and path.read_text().endswith(".")):
        assert time.monotonic() < deadline
        time.sleep(0.02)
    return path.read_text()[:-1]


def test_a_child_in_a_session_of_its_own_is_measured_and_killed(runner: Runner, tmp_path: Path) -> None:
    source = """
    if not os.fork():
        os.setsid()
        if not os.fork():
            burn(0.2)
            open('child', 'w').write(str(os.getpid()) + '.')
            time.sleep(60)
        os._exit(0)
    os.wait()
    while not os.path.exists('child') or not open('child').read().endswith('.'):
        time.sleep(0.01)
    """
    usage = run_source(runner, tmp_path, source)
    assert not usage.exceeded
    assert usage.cpu >= 0.2 - ROUNDED
    assert has_ended(int(wait_for(tmp_path / "child")))


@pytest.mark.skipif(not _LISTS_CHILDREN, reason="this kernel lists no children")
def test_a_look_sees_all_that_is_below(tmp_path: Path) -> None:
    """It finds children of a thread and a child in another session, like a list of all processes."""
    program = tmp_path / "many.py"
    program.write_text(
        dedent(
            """
            import subprocess, sys, threading, time
            below = "import subprocess, time; subprocess.Popen(['sleep', '60']); time.sleep(60)"
            words = [sys.executable, "-c", below]
            threading.Thread(target=lambda: (subprocess.Popen(words), time.sleep(60)), daemon=True).start()
            subprocess.Popen(words, start_new_session=True)
            time.sleep(60)
            """
        )
    )
    with subprocess.Popen([sys.executable, str(program)]) as process:
        deadline = time.monotonic() + 60
        while len(found := {pid for pid, _ in _below(process.pid)}) < 4 and time.monotonic() < deadline:
            time.sleep(0.1)
        try:
            assert len(found) == 4
            assert {pid for pid, _ in _below_now(process.pid)} == found
        finally:
            for pid in {process.pid, *found}:
                os.kill(pid, signal.SIGKILL)


def test_cpu_limit_counts_what_was_forked_twice(runner: Runner, tmp_path: Path) -> None:
    usage = run_source(runner, tmp_path, FORKED_TWICE, Limits(cpu=0.3, wall=50))
    assert usage.exceeded == "cpu"
    assert 0.3 <= usage.cpu < 60


def test_time_of_children_nobody_waits_for_counts_as_far_as_it_is_seen(runner: Runner, tmp_path: Path) -> None:
    source = """
    import signal
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    while True:
        if not os.fork():
            burn(0.2)
            os._exit(0)
        time.sleep(0.2)
    """
    usage = run_source(runner, tmp_path, source, Limits(cpu=0.4, wall=50))
    assert usage.exceeded == "cpu"
    assert usage.cpu >= 0.4


def test_memory_limit_holds_for_a_process(kind: str, runner: Runner, tmp_path: Path) -> None:
    """With the warden, the kernel refuses the memory. The plain runner kills the program after a measurement."""
    usage = run_source(runner, tmp_path, "some = b' ' * (1 << 28); time.sleep(60)", AMPLE._replace(memory=1 << 27))
    assert usage.errors.endswith("MemoryError\n") if kind == "warden" else usage.exceeded == "memory"


def test_memory_limit_holds_for_all_together(runner: Runner, tmp_path: Path) -> None:
    source = """
    for _ in range(4):
        if not os.fork():
            some = b' ' * (1 << 26)
            time.sleep(60)
    time.sleep(60)
    """
    usage = run_source(runner, tmp_path, source, AMPLE._replace(memory=1 << 27))
    # The limit must be reported even if the kernel has killed one process, and the others are within the limit.
    assert (usage.exceeded, usage.wall < 60) == ("memory", True)


def test_processes_are_limited(runner: Runner, tmp_path: Path) -> None:
    source = """
    for _ in range(20):
        if not os.fork():
            time.sleep(60)
    time.sleep(60)
    """
    assert run_source(runner, tmp_path, source, AMPLE._replace(processes=10)).exceeded == "processes"


def test_the_end_of_what_floods_standard_error_is_kept(runner: Runner, tmp_path: Path) -> None:
    usage = run_source(runner, tmp_path, "sys.stderr.write('x' * 10**6 + '\\nlast words\\n')")
    assert usage.errors == "last words\n"
    # Java prints the error first.
    java = "sys.stderr.write('StackOverflowError\\n' + 'at x\\n' * 10**5 + 'last words\\n')"
    lines = run_source(runner, tmp_path, java).errors.splitlines()
    assert (lines[0], lines[-1], len(lines) < 1000) == ("StackOverflowError", "last words", True)


@pytest.mark.system
def test_a_flood_does_not_put_off_the_limits(runner: Runner, tmp_path: Path) -> None:
    source = "while True: os.write(2, b'x' * 65536)"
    assert run_source(runner, tmp_path, source, Limits(cpu=0.3, wall=50)).exceeded == "cpu"


def test_unstartable_command_raises(tmp_path: Path) -> None:
    with WardenRunner() as runner:
        with pytest.raises(RunnerError, match="nothing-of-the-kind: No such file"):
            runner.run(["./nothing-of-the-kind"], tmp_path, AMPLE)
        assert not runner.run([*PYTHON, "-c", ""], tmp_path, AMPLE).exceeded


def test_no_zombie_is_left(tmp_path: Path) -> None:
    with WardenRunner() as runner:
        (warden,) = children()
        runner.run([*PYTHON, "-c", ""], tmp_path, AMPLE)
        assert children(warden) == set()


@pytest.mark.parametrize(
    ("command", "limits"),
    [
        ([*PYTHON, "-c", ""], AMPLE),
        ([*PYTHON, "-c", "import os; os.close(2); os._exit(3)"], AMPLE),
        ([*PYTHON, "-c", "import time; time.sleep(60)"], Limits(cpu=50, wall=0.2)),
        ([*PYTHON, "-c", "bytes(1 << 28)"], AMPLE._replace(memory=1 << 27)),
        (["./nothing-of-the-kind"], AMPLE),
    ],
)
def test_no_program_leaves_an_open_file_in_the_warden(tmp_path: Path, command: list[str], limits: Limits) -> None:
    """The class of a course plays thousands of games with each warden."""
    with WardenRunner() as runner:
        (warden,) = children()
        runner.run([*PYTHON, "-c", ""], tmp_path, AMPLE)
        before = open_files(warden)
        for _ in range(2):
            with suppress(RunnerError):
                runner.run(command, tmp_path, limits)
        assert open_files(warden) == before


def test_a_runner_has_a_directory_as_long_as_it_is_open() -> None:
    with WardenRunner() as runner:
        (runner.home / "deep").mkdir()
        (runner.home / "deep" / "file").touch()
        assert (runner.home.stat().st_mode & 0o777) == 0o700
    assert not runner.home.exists()
    assert children() == set()


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL])
def test_nothing_is_left_of_a_process_that_is_killed(tmp_path: Path, number: int) -> None:
    source = """
    import os, sys, time
    if not os.fork():
        os.setsid()
    open(str(os.getpid()), 'w').write('.')
    time.sleep(60)
    """
    host = subprocess.Popen(
        [sys.executable, "-c", HOST, dedent(source), str(tmp_path)], cwd=ROOT, stdout=subprocess.PIPE, text=True
    )
    assert host.stdout is not None
    home = Path(host.stdout.readline().strip())
    deadline = time.monotonic() + 50
    while len(list(tmp_path.iterdir())) < 2:
        assert time.monotonic() < deadline
        time.sleep(0.02)
    assert home.is_dir()
    host.send_signal(number)
    host.wait()
    host.stdout.close()
    for path in tmp_path.iterdir():
        assert has_ended(int(path.name))
    while home.exists():
        assert time.monotonic() < deadline
        time.sleep(0.02)


def test_an_interrupt_kills_the_program(tmp_path: Path) -> None:
    with WardenRunner() as runner:
        (warden,) = children()
        main = threading.main_thread().ident
        assert main is not None
        threading.Timer(1.0, signal.pthread_kill, [main, signal.SIGINT]).start()
        before = signal.signal(signal.SIGINT, signal.default_int_handler)
        try:
            with pytest.raises(KeyboardInterrupt):
                runner.run([*PYTHON, "-c", "import time; time.sleep(60)"], tmp_path, AMPLE)
        finally:
            signal.signal(signal.SIGINT, before)
        assert children() == set()
        assert has_ended(warden)


def test_interrupt_while_the_warden_starts_ends_it(monkeypatch: pytest.MonkeyPatch) -> None:
    started = []
    popen = subprocess.Popen

    def interrupted(*arguments: Any, **options: Any) -> subprocess.Popen[bytes]:
        program = popen(*arguments, **options)
        started.append(program.pid)
        signal.raise_signal(signal.SIGINT)
        return program

    monkeypatch.setattr("little_go.arena.match.process.subprocess.Popen", interrupted)
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with pytest.raises(KeyboardInterrupt):
            WardenRunner()
    finally:
        signal.signal(signal.SIGINT, before)
    assert has_ended(started[0])


def test_a_program_may_stop_what_runs_it(tmp_path: Path) -> None:
    with WardenRunner() as runner:
        # The shell ends long before its limit of clock time, and then the warden is continued.
        assert not runner.run(["/bin/sh", "-c", "kill -STOP $PPID"], tmp_path, Limits(wall=2.0)).exceeded
        assert runner.home.is_dir()


def test_a_program_may_end_what_runs_it(tmp_path: Path) -> None:
    with WardenRunner() as runner:
        home = runner.home
        (home / "kept").touch()
        source = "import os, signal, time; os.kill(os.getppid(), signal.SIGKILL); time.sleep(60)"
        with pytest.raises(RunnerError, match="has ended the process that runs it"):
            runner.run([*PYTHON, "-c", source], tmp_path, AMPLE)
        assert not runner.run([*PYTHON, "-c", ""], tmp_path, AMPLE).exceeded
        assert runner.home == home
        assert (home / "kept").exists()
    assert not home.exists()


def test_a_system_other_than_linux_has_a_plain_runner_and_no_sandbox(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "darwin")
    for ask in (lambda: open_runner(sandboxed=True), require_sandbox):
        with pytest.raises(SandboxError, match=r"^no sandbox here: only Linux has one$"):
            ask()
    with open_runner() as runner:
        assert type(runner) is PlainRunner


@pytest.mark.parametrize(("cpu", "is_over"), [(9.99, False), (10.0, True)])
def test_the_limit_of_cpu_time_is_exceeded_when_it_is_reached(cpu: float, is_over: bool) -> None:
    meter = ProcessMeter(os.getpgid(0), Limits(10.0, 60.0))
    meter.cpu = cpu
    assert meter.is_over == is_over
