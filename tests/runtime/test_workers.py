import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]

#: A parent that ends when the worker it has forked is tied to it, and the worker, which would stay for a minute.
PARENT = """
import os, signal, time
from runtime.workers import serve_parent
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
    # The worker holds the pipe too: it is at its end when both have ended.
    assert parent.communicate(timeout=30)[0] == "deaf to Ctrl-C\n"


#: A Ctrl-C at the instant of forking, where Python drops what a handler raises.
FORKING = """
import os, signal
from runtime.workers import WorkerPool, serve_parent
press = lambda: signal.raise_signal(signal.SIGINT)
os.register_at_fork(before=press, after_in_child=press)
pool = WorkerPool(1, serve_parent)
try:
    pool.submit(print, "on it went")
except KeyboardInterrupt:
    pool.end()
    print("interrupted")
"""


def test_ctrl_c_while_workers_start_is_not_lost_and_reaches_no_worker() -> None:
    ended = subprocess.run([sys.executable, "-c", FORKING], cwd=ROOT, capture_output=True, text=True, timeout=60)
    assert (ended.stdout.replace("on it went\n", ""), ended.stderr) == ("interrupted\n", "")
