"""Programs that hide CPU time from rusage: the time is taken by children for which no process waits.

Each child reports its own time. ``python3 -m tests.arena.match.hiding [sandbox]`` prints the seconds taken and the
seconds counted.
"""

import sys
from pathlib import Path
from textwrap import dedent

from little_go.arena.match.limits import Limits, Report
from little_go.arena.match.process import WardenRunner

AMPLE = Limits(cpu=20.0, wall=60.0)

#: Each process appends its seconds to the file ``burnt``. ``told`` waits until a number of processes have done so.
HEAD = """
import ctypes, os, signal, sys, threading, time

SECONDS = 0.02
log = os.open("burnt", os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o666)

def burn(seconds=SECONDS):
    end = time.process_time() + seconds
    while time.process_time() < end:
        pass

def tell():
    os.write(log, b"%f\\n" % time.process_time())

def told(number):
    while open("burnt").read().count("\\n") < number:
        time.sleep(0.002)

def child():
    burn()
    tell()
    os._exit(0)

signal.signal(signal.SIGCHLD, signal.SIG_IGN)
"""

TRICKS = {
    "children that the kernel reaps": """
        for number in range(20):
            if not os.fork():
                child()
            told(number + 1)
    """,
    "daemons of a process that inherits them": """
        assert not ctypes.CDLL(None).prctl(36, 1, 0, 0, 0)
        for number in range(20):
            if not os.fork():
                os.setsid()
                if not os.fork():
                    child()
                os._exit(0)
            told(number + 1)
    """,
    "children that become other programs": """
        again = f"import os, time\\nwhile (spent := time.process_time()) < {2 * SECONDS}: pass\\n"
        again += f"os.write({log}, b'%f\\\\n' % spent)"
        os.set_inheritable(log, True)
        for number in range(10):
            if not os.fork():
                burn()
                os.execv(sys.executable, [sys.executable, "-I", "-S", "-c", again])
            told(number + 1)
    """,
    "threads of children that are killed": """
        for number in range(20):
            pid = os.fork()
            if not pid:
                thread = threading.Thread(target=burn)
                thread.start()
                thread.join()
                tell()
                time.sleep(60)
            told(number + 1)
            os.kill(pid, signal.SIGKILL)
    """,
    "children of children, all at once": """
        for _ in range(4):
            if not os.fork():
                for _ in range(4):
                    if not os.fork():
                        child()
                child()
        told(20)
    """,
}


def run_trick(trick: str, sandboxed: bool, limits: Limits) -> tuple[Report, float]:
    """Run a trick; return its report, and the seconds that its processes have reported."""
    with WardenRunner(sandboxed) as runner:
        directory = Path(runner.home, "agent")
        directory.mkdir()
        report = runner.run(
            [sys.executable, "-I", "-S", "-c", HEAD + dedent(TRICKS[trick]) + "\ntell()\n"], directory, limits
        )
        return report, sum(map(float, (directory / "burnt").read_text().split()))


if __name__ == "__main__":
    for name in TRICKS:
        usage, seconds = run_trick(name, "sandbox" in sys.argv, AMPLE)
        print(f"{seconds / usage.cpu:5.1f}  {name}")
