"""A runner kills only processes that it has recognized as its own."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from little_go.arena.gtp import tether
from little_go.arena.match import warden
from little_go.arena.match.limits import Limits
from little_go.arena.match.plain_runner import _ProgramTree
from little_go.arena.match.warden import Process
from tests.arena.helpers import PYTHON

SLEEP = [*PYTHON, "-c", "import time; time.sleep(60)"]


@pytest.fixture
def bystander() -> Iterator[subprocess.Popen[bytes]]:
    with subprocess.Popen(SLEEP, start_new_session=True) as process:
        yield process
        process.kill()


def test_the_warden_spares_a_process_that_has_got_the_id_of_its_own(bystander: subprocess.Popen[bytes]) -> None:
    seen = dict(warden.processes())[bystander.pid]
    warden._kill(bystander.pid, seen._replace(started=seen.started - 1))
    with pytest.raises(subprocess.TimeoutExpired):
        bystander.wait(0.2)
    warden._kill(bystander.pid, seen)
    assert bystander.wait(20) == -signal.SIGKILL


def test_a_process_older_than_its_parent_is_not_below_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """The id of the ended parent belongs to a new process, because the parent ended while the list was read."""

    def made(parent: int, started: int) -> Process:
        return Process(parent, parent, 0.0, 0.0, started, 1)

    found = {10: made(1, 100), 11: made(10, 110), 12: made(11, 110), 20: made(11, 90), 21: made(20, 120)}
    monkeypatch.setattr(warden, "processes", lambda: iter(found.items()))
    assert [pid for pid, _ in warden._below(10)] == [11, 12]


@pytest.mark.skipif(sys.platform == "win32", reason="process groups")
def test_the_plain_runner_takes_no_child_of_a_younger_process(
    bystander: subprocess.Popen[bytes], tmp_path: Path
) -> None:
    tree = _ProgramTree(SLEEP, tmp_path, Limits())
    # Linux counts the start of a process in hundredths of a second.
    time.sleep(0.05)
    with subprocess.Popen(SLEEP) as younger:
        try:
            other, ours = psutil.Process(bystander.pid), psutil.Process(tree._program.pid)
            assert not tree._is_ours(other, psutil.Process(younger.pid))
            assert not tree._is_ours(other, None)
            # The first is recognized only by its parent, and the second only by its mark.
            assert tree._is_ours(psutil.Process(younger.pid), ours)
            assert tree._is_ours(ours, None)
        finally:
            younger.kill()
            tree.kill()
    assert bystander.poll() is None


@pytest.mark.skipif(not hasattr(os, "waitid"), reason="this system cannot ask for a terminated child and leave it")
def test_the_plain_runner_keeps_the_programs_id_until_its_group_is_killed(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    tree = _ProgramTree([*PYTHON, "-c", ""], tmp_path, Limits())
    assert tree.wait() == ""
    killed, kill_group = [], os.killpg

    def checked(group: int, number: int) -> None:
        # This raises ChildProcessError if another process has waited for it.
        assert os.waitid(os.P_PID, group, os.WEXITED | os.WNOHANG | os.WNOWAIT)
        killed.append(group)
        kill_group(group, number)

    monkeypatch.setattr(os, "killpg", checked)
    tree.kill()
    assert killed == [tree._program.pid]
    assert tree._program.returncode == 0


def test_the_tether_of_an_engine_kills_no_group_that_it_does_not_lead() -> None:
    source = (
        "import os, subprocess, sys\n"
        f"command = [sys.executable, '-I', '-S', {tether.__file__!r}, str(os.getpid()), 'true']\n"
        "done = subprocess.run(command, stderr=subprocess.PIPE, text=True)\n"
        "print(done.returncode, done.stderr, end='')\n"
    )
    done = subprocess.run([*PYTHON, "-c", source], capture_output=True, text=True, start_new_session=True)
    assert (done.returncode, done.stdout) == (
        0,
        "2 tether.py: it does not lead a process group: start it with setsid\n",
    )
