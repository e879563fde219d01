"""A cluster on this machine, with a scheduler and workers as processes that can be killed one by one."""

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path


def wait_until(happened: Callable[[], bool], seconds: float = 60) -> None:
    """Wait until a condition is true. Raise AssertionError if this takes longer than ``seconds``."""
    deadline = time.monotonic() + seconds
    while not happened():
        assert time.monotonic() < deadline, "the condition did not become true in time"
        time.sleep(0.05)


def free_port() -> int:
    """Return the number of a free port of this machine."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def children(pid: int) -> list[int]:
    """Return the process IDs of a process's children."""
    try:
        lists = [file.read_text() for file in Path(f"/proc/{pid}/task").glob("*/children")]
    except OSError:
        return []
    return [int(child) for each in lists for child in each.split()]


def descendants(pid: int) -> list[int]:
    """Return the process IDs of a process's descendants."""
    found = children(pid)
    return found + [each for child in found for each in descendants(child)]


def is_alive(pid: int) -> bool:
    """Return whether a process is still running."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


class Loopback:
    """A scheduler and its workers. The public attribute ``address`` is the scheduler's address."""

    def __init__(
        self,
        folder: Path,
        workers: int = 2,
        *,
        threads: int = 1,
        cores: Sequence[int | None] | None = None,
        scheme: str = "tcp",
    ) -> None:
        """Start the cluster. threads: the number of threads of each worker. cores: the core of each worker, or None.

        A worker that is bound to a core has its own table. The other workers share a table and use any core.

        scheme: "tcp", or "tls" if dask's configuration names certificates.
        """
        self._folder = folder
        self._scheme = scheme
        self._threads = threads
        self._cores = cores
        self._port = free_port()
        self.address = f"{scheme}://127.0.0.1:{self._port}"
        self.restart_scheduler()
        wait_until(lambda: "Scheduler at" in self.said("scheduler"))
        self.workers: list[subprocess.Popen[bytes]] = []
        for _ in range(workers):
            self.add_worker()

    def _start(
        self, role: str, *options: str, name: str = "", core: int | None = None, env: Mapping[str, str] | None = None
    ) -> "subprocess.Popen[bytes]":
        # If this process is killed, Linux kills the cluster's processes too.
        command = ["setpriv", "--pdeathsig", "KILL"]
        command += [] if core is None else ["taskset", "--cpu-list", str(core)]
        command += [sys.executable, "-m", f"distributed.cli.dask_{role}", *options, "--host", "127.0.0.1"]
        with open(self._folder / f"{name or role}.txt", "ab") as out:
            return subprocess.Popen([*command, "--no-dashboard"], stdout=out, stderr=out, env=env)

    def add_worker(self, lie: str | None = None, share: float = 0.0, seed: int = 1) -> None:
        """Start another worker.

        lie: the kind of false results that the worker sends for a ``share`` of its jobs (tools/fuzz/liar.py).
        """
        env = None
        if lie is not None:
            preload = str(Path(__file__).parent / "fuzz" / "liar.py")
            lies = {"LIE": lie, "LIES": str(share), "LIE_SEED": str(seed)}
            env = {**os.environ, **lies, "DASK_DISTRIBUTED__WORKER__PRELOAD": preload}
        name, core = f"worker{len(self.workers)}", None
        if self._cores is not None:
            core = self._cores[len(self.workers)]
        options = ["--nthreads", str(self._threads), "--memory-limit", "0", "--local-directory", str(self._folder)]
        self.workers.append(self._start("worker", self.address, *options, name=name, core=core, env=env))

    def wait_for_workers(self) -> None:
        """Wait until all workers are registered at the scheduler."""
        names = [f"worker{number}" for number in range(len(self.workers))]
        wait_until(lambda: all("Registered to:" in self.said(name) for name in names))

    def restart_scheduler(self) -> None:
        """Start the scheduler at its address, for the first time or again."""
        self.scheduler = self._start("scheduler", "--port", str(self._port), "--protocol", self._scheme)

    def kill(self, victim: str) -> None:
        """Kill "a worker", "all workers", "the scheduler" or "a nanny".

        Restart the processes that dask does not restart itself.
        """
        if victim == "the scheduler":
            self.scheduler.kill()
            self.scheduler.wait()
            self.restart_scheduler()
            self.add_worker()
        elif victim == "a nanny":
            self.workers[0].kill()
            self.workers[0].wait()
            self.add_worker()
        else:
            for pid in self.searching()[: 1 if victim == "a worker" else None]:
                with suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)

    def said(self, name: str) -> str:
        """Return the output of a process, by its name: ``scheduler``, ``worker0``, ``worker1`` and so on."""
        return (self._folder / f"{name}.txt").read_text()

    def searching(self) -> list[int]:
        """Return the process IDs of the processes that search. dask restarts such a process when it dies."""
        nannies = [worker.pid for worker in self.workers]
        return [pid for nanny in nannies for pid in children(nanny) if has_table(pid)]

    def tables(self) -> set[str]:
        """Return the inodes of the workers' shared memory."""
        return {inode for pid in self.searching() for inode in tables_of(pid)}

    def close(self) -> None:
        """Kill all processes, and wait until no process maps the workers' memory."""
        processes, shared = [self.scheduler, *self.workers], self.tables()
        below = [pid for process in processes for pid in descendants(process.pid)]
        for process in processes:
            process.kill()
            process.wait(timeout=60)
        for pid in below:
            if is_alive(pid):
                os.kill(pid, signal.SIGKILL)
        wait_until(lambda: not shared & {inode for pid in processes_here() for inode in tables_of(pid)})


def has_table(pid: int) -> bool:
    """Return whether a process maps a table of a cluster's worker."""
    return bool(tables_of(pid))


def tables_of(pid: int) -> set[str]:
    """Return the inodes of the tables of a cluster's workers that a process maps."""
    try:
        lines = Path(f"/proc/{pid}/maps").read_text().splitlines()
    except OSError:
        return set()
    return {line.split()[4] for line in lines if "/memfd:little-go-" in line}


def processes_here() -> list[int]:
    """Return the process IDs of this machine."""
    return [int(folder.name) for folder in Path("/proc").glob("[0-9]*")]
