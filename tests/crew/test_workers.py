import os
import subprocess
import sys
import threading
import time
from concurrent.futures import CancelledError
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress
from pathlib import Path
from types import SimpleNamespace

import psutil
import pytest

from little_go.crew import workers
from little_go.crew.workers import START_VARIABLE, WorkerPool, peak_memory, shared_bytes

ROOT = Path(__file__).parents[2]

#: A program whose parent process ends as soon as its forked worker is tied to it; alone the worker would live a minute.
PARENT = """
import os, signal, time
from little_go.crew.workers import serve_parent
reading, writing = os.pipe()
if os.fork():
    os.read(reading, 1)
else:
    serve_parent()
    os.kill(os.getpid(), signal.SIGINT)
    print("deaf to Ctrl-C", flush=True)
    os.write(writing, b".")
    time.sleep(60)
"""


def test_a_worker_is_deaf_to_ctrl_c_and_ends_with_its_parent() -> None:
    parent = subprocess.Popen([sys.executable, "-c", PARENT], cwd=ROOT, stdout=subprocess.PIPE, text=True)
    # The worker has the pipe open too, so the pipe ends only when both processes have ended.
    assert parent.communicate(timeout=30)[0] == "deaf to Ctrl-C\n"


#: A program whose parent process is killed when its spawned worker runs; alone the worker would live a minute.
KILLED = """
import os, signal, time
from little_go.crew.workers import WorkerPool
pool = WorkerPool(1)
pool.submit(print, "at work", flush=True).result()
pool.submit(time.sleep, 60)
os.kill(os.getpid(), signal.SIGKILL)
"""


def test_a_spawned_worker_ends_with_its_parent() -> None:
    parent = start(KILLED, "spawn")
    # The worker has the pipe open too.
    assert parent.communicate(timeout=30)[0] == "at work\n"
    assert parent.returncode == -9


#: A program whose worker gets a SIGTERM directly after the fork, in a function whose exceptions Python ignores.
TERMINATED = """
import os, signal
from concurrent.futures.process import BrokenProcessPool
from little_go.crew.workers import WorkerPool
from little_go.runtime.ctrl_c import interruptible
os.register_at_fork(after_in_child=lambda: os.kill(os.getpid(), signal.SIGTERM))
with interruptible():
    pool = WorkerPool(1)
    try:
        print(pool.submit(abs, -1).result(timeout=20))
    except BrokenProcessPool:
        print("ended")
    pool.end()
"""


def test_a_forked_worker_that_is_terminated_at_once_ends() -> None:
    assert start(TERMINATED, "fork").communicate(timeout=30) == ("ended\n", "")


#: A program that is killed while it has a forked worker and another process, which has the worker's pipe open.
KEPT_OPEN = """
import os, select, signal, time
from little_go.crew import workers
workers._PARENT_CHECK = 0.05
reading, writing = os.pipe()
pool = workers.WorkerPool(1)
pool.submit(print, "at work", flush=True).result()
pool.submit(time.sleep, 60)
if os.fork() == 0:
    for file in (1, 2, writing):
        os.close(file)
    # This process ends after the worker.
    select.select([reading], [], [], 40)
    os._exit(0)
os.kill(os.getpid(), signal.SIGKILL)
"""


def test_a_forked_worker_ends_with_its_parent_although_another_process_has_its_pipe() -> None:
    parent = start(KEPT_OPEN, "fork")
    # The worker has the standard output open too.
    assert parent.communicate(timeout=30)[0] == "at work\n"
    assert parent.returncode == -9


def start(script: str, method: str) -> "subprocess.Popen[str]":
    environment = os.environ | {START_VARIABLE: method}
    pipe = subprocess.PIPE
    return subprocess.Popen(
        [sys.executable, "-c", script], cwd=ROOT, env=environment, stdout=pipe, stderr=pipe, text=True
    )


def test_the_end_of_a_pool_stops_what_its_workers_do() -> None:
    pool = WorkerPool(1)
    slept = pool.submit(time.sleep, 20)
    while not slept.running():
        time.sleep(0.01)
    pool.end()
    assert isinstance(slept.exception(), CancelledError)


def _leave_a_mark(path: str) -> None:
    try:
        time.sleep(20)
    except KeyboardInterrupt:
        Path(path).touch()
        raise


def test_a_worker_leaves_its_job_in_order_when_its_pool_ends(tmp_path: Path) -> None:
    pool = WorkerPool(2)
    jobs = [pool.submit(_leave_a_mark, str(tmp_path / name)) for name in "abcde"]
    while not (jobs[0].running() and jobs[1].running()):
        time.sleep(0.01)
    time.sleep(0.2)
    pool.end()
    assert {path.name for path in tmp_path.iterdir()} == {"a", "b"}


def _refuse_to_leave() -> None:
    while True:
        with suppress(KeyboardInterrupt):
            time.sleep(20)


def test_a_worker_that_does_not_leave_its_job_is_ended() -> None:
    pool = WorkerPool(1)
    job = pool.submit(_refuse_to_leave)
    while not job.running():
        time.sleep(0.01)
    time.sleep(0.2)
    before = time.thread_time()
    pool.end()
    # Waiting for the worker takes no CPU.
    assert time.thread_time() - before < workers._PATIENCE / 10
    assert isinstance(job.exception(), BrokenProcessPool)


def test_no_thread_of_an_ended_pool_remains(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workers, "_PATIENCE", 0)
    pool = WorkerPool(1)
    job = pool.submit(_refuse_to_leave)
    while not job.running():
        time.sleep(0.01)
    before = set(threading.enumerate())
    pool.end()
    ended = before - set(threading.enumerate())
    assert [type(thread).__name__ for thread in ended if "Manager" in type(thread).__name__], before


#: A Ctrl-C comes at the instant of forking, when Python discards an exception of the handler.
FORKING = """
import os, signal
from little_go.crew.workers import WorkerPool
press = lambda: signal.raise_signal(signal.SIGINT)
os.register_at_fork(before=press, after_in_child=press)
pool = WorkerPool(1)
try:
    pool.submit(print, "on it went")
except KeyboardInterrupt:
    pool.end()
    print("interrupted")
"""


def test_ctrl_c_while_workers_start_is_not_lost_and_reaches_no_worker() -> None:
    printed, errors = start(FORKING, "fork").communicate(timeout=60)
    assert (printed.replace("on it went\n", ""), errors) == ("interrupted\n", "")


#: A worker gets a Ctrl-C repeatedly from the instant when it is spawned.
SPAWNING = """
import multiprocessing, os, signal
from concurrent.futures import wait
from little_go.crew.workers import WorkerPool
pool = WorkerPool(1)
future = pool.submit(print, "on it went", flush=True)
(worker,) = multiprocessing.active_children()
while not future.done():
    os.kill(worker.pid, signal.SIGINT)
    wait([future], 0.01)
future.result()
print("blocked in a job:", pool.submit(signal.pthread_sigmask, signal.SIG_BLOCK, []).result())
pool.end()
print(signal.pthread_sigmask(signal.SIG_BLOCK, []), os.environ.get("PYTHONSAFEPATH"))
"""


def test_ctrl_c_reaches_no_worker_that_is_being_spawned() -> None:
    printed = "on it went\nblocked in a job: set()\nset() None\n"
    assert start(SPAWNING, "spawn").communicate(timeout=60) == (printed, "")


@pytest.mark.parametrize("method", ["fork", "spawn"])
def test_shared_memory_is_of_zeros_and_can_be_written(method: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(START_VARIABLE, method)
    memory = memoryview(shared_bytes(100)).cast("B")
    assert bytes(memory[:100]) == bytes(100)
    memory[99] = 7
    assert memory[99] == 7


def test_peak_memory_is_in_bytes_on_every_system(monkeypatch: pytest.MonkeyPatch) -> None:
    """ru_maxrss is in KiB on Linux, and in bytes on macOS. Windows has no module resource."""
    import resource

    found = {}
    for system in ("linux", "darwin"):
        with monkeypatch.context() as patch:
            patch.setattr(resource, "getrusage", lambda who: SimpleNamespace(ru_maxrss=5000))
            patch.setattr(sys, "platform", system)
            found[system] = peak_memory()
    assert found == {"linux": 5_120_000, "darwin": 5_000}
    monkeypatch.setattr(sys, "platform", "win32")
    memory = SimpleNamespace(rss=4_000, peak_wset=6_000)
    monkeypatch.setattr(psutil, "Process", lambda: SimpleNamespace(memory_info=lambda: memory))
    assert peak_memory() == 6_000
