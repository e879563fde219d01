"""Limits and measurements, on real processes."""

import os
import signal
import subprocess
import tempfile
import time
from pathlib import Path
from textwrap import dedent
from typing import Any

import pytest

from arena.match.process import Limits, Usage, run
from tests.arena.helpers import AMPLE, PYTHON

BURN = """
import os, sys, threading, time
def burn(seconds):
    end = time.process_time() + seconds
    while time.process_time() < end:
        pass
"""


def run_source(directory: Path, source: str, limits: Limits = AMPLE) -> Usage:
    with tempfile.TemporaryFile() as errors:
        return run([*PYTHON, "-c", BURN + dedent(source)], directory, limits, errors)


def has_ended(process: int) -> bool:
    """Return whether the process is gone, or a zombie that nobody has waited for yet."""
    for _ in range(100):
        try:
            state = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]
        except OSError:
            return True
        if state == "Z":
            return True
        time.sleep(0.02)
    return False


def test_a_program_runs_in_its_directory(tmp_path: Path) -> None:
    usage = run_source(tmp_path, "open('here', 'w').close()")
    assert (tmp_path / "here").exists()
    assert not usage.killed


def test_a_failing_program_is_measured_too(tmp_path: Path) -> None:
    usage = run_source(tmp_path, "burn(0.1); sys.exit(3)")
    assert usage.cpu >= 0.1
    assert not usage.killed


def test_cpu_is_measured_not_wall_time(tmp_path: Path) -> None:
    assert run_source(tmp_path, "time.sleep(0.3)").cpu < 0.25


def test_cpu_of_threads_counts(tmp_path: Path) -> None:
    # Threads of one process share its clock, so 0.2 s of it are 0.2 s whoever burns them.
    assert run_source(tmp_path, "t = threading.Thread(target=burn, args=(0.2,)); t.start(); t.join()").cpu >= 0.2


def test_cpu_of_children_waited_for_counts(tmp_path: Path) -> None:
    source = """
    if not os.fork():
        burn(0.2)
        os._exit(0)
    os.wait()
    """
    assert run_source(tmp_path, source).cpu >= 0.2


def test_cpu_limit_kills(tmp_path: Path) -> None:
    usage = run_source(tmp_path, "burn(60)", Limits(cpu=0.2, wall=50))
    assert usage.killed
    assert 0.2 <= usage.cpu < 2


def test_cpu_limit_counts_children(tmp_path: Path) -> None:
    source = """
    if not os.fork():
        burn(60)
    os.wait()
    """
    usage = run_source(tmp_path, source, Limits(cpu=0.2, wall=50))
    assert usage.killed
    assert usage.cpu >= 0.2


def test_cpu_limit_counts_all_children_together(tmp_path: Path) -> None:
    source = """
    for _ in range(3):
        if not os.fork():
            burn(0.15)
            time.sleep(60)
    os.wait()
    """
    usage = run_source(tmp_path, source, Limits(cpu=0.3, wall=50))
    assert usage.killed
    assert usage.cpu >= 0.3


def test_wall_limit_kills_a_sleeper(tmp_path: Path) -> None:
    start = time.monotonic()
    usage = run_source(tmp_path, "time.sleep(60)", Limits(cpu=10, wall=0.3))
    assert usage.killed
    assert 0.3 <= time.monotonic() - start < 20


def test_kill_takes_the_children_along(tmp_path: Path) -> None:
    source = """
    child = os.fork()
    if child:
        open('child', 'w').write(str(child))
    time.sleep(60)
    """
    assert run_source(tmp_path, source, Limits(cpu=10, wall=1.0)).killed
    assert has_ended(int((tmp_path / "child").read_text()))


def test_children_left_behind_are_killed_and_measured(tmp_path: Path) -> None:
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
    usage = run_source(tmp_path, source)
    assert not usage.killed
    assert usage.cpu >= 0.19
    assert has_ended(int((tmp_path / "child").read_text()))


def test_a_program_that_kills_itself_is_not_killed_for_time(tmp_path: Path) -> None:
    assert not run_source(tmp_path, "os.kill(os.getpid(), 9)").killed


def test_a_program_leads_a_group_of_its_own(tmp_path: Path) -> None:
    run_source(tmp_path, "open('group', 'w').write(f'{os.getpgid(0)} {os.getpid()}')")
    group, process = (tmp_path / "group").read_text().split()
    assert group == process != str(os.getpgid(0))


def test_standard_input_is_empty(tmp_path: Path) -> None:
    run_source(tmp_path, "open('read', 'w').write(repr(sys.stdin.read()))")
    assert (tmp_path / "read").read_text() == "''"


def test_an_interrupt_kills_the_program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(group: int, limits: Limits) -> tuple[bool, float]:
        groups.append(group)
        raise KeyboardInterrupt

    groups: list[int] = []
    monkeypatch.setattr("arena.match.process._watch", interrupted)
    with pytest.raises(KeyboardInterrupt):
        run_source(tmp_path, "time.sleep(60)")
    with pytest.raises(ProcessLookupError):
        os.killpg(groups[0], 0)


def test_unstartable_command_raises(tmp_path: Path) -> None:
    with tempfile.TemporaryFile() as errors, pytest.raises(OSError, match="nothing-of-the-kind"):
        run(["./nothing-of-the-kind"], tmp_path, AMPLE, errors)


def test_no_zombie_is_left(tmp_path: Path) -> None:
    run_source(tmp_path, "open('self', 'w').write(str(os.getpid()))")
    with pytest.raises(ChildProcessError):
        os.waitpid(int((tmp_path / "self").read_text()), os.WNOHANG)


def test_interrupt_while_a_program_starts_ends_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    started = []
    popen = subprocess.Popen

    def interrupted(*arguments: Any, **options: Any) -> subprocess.Popen[bytes]:
        program = popen(*arguments, **options)
        started.append(program.pid)
        signal.raise_signal(signal.SIGINT)
        return program

    monkeypatch.setattr("arena.match.process.subprocess.Popen", interrupted)
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with pytest.raises(KeyboardInterrupt):
            run_source(tmp_path, "time.sleep(60)")
    finally:
        signal.signal(signal.SIGINT, before)
    assert has_ended(started[0])
