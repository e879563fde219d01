"""Measure the gain of more workers, on threads and on a cluster of this machine: ``python -m tools.scaling``.

Each row decides the same positions. "One core each" gives every worker a core and so a table of its own, as on two
machines; the others share one. The machine should be idle: it takes 10 minutes on two cores.
"""

import argparse
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from book.store.store import open_store
from solver.family import COURSE
from tools.loopback import Loopback


def seconds_and_nodes(folder: Path, asked: list[str]) -> tuple[float, int]:
    """Run a new ``generator atlas``; return the seconds on the clock and the nodes."""
    store = folder / "book.db"
    command = [sys.executable, "-m", "generator", "atlas", "--verdict", "--db", str(store), *asked]
    started = time.monotonic()
    subprocess.run(command, capture_output=True, check=True)
    seconds = time.monotonic() - started
    with open_store(store, game=COURSE) as opened:
        return seconds, int(opened.runs()[-1]["nodes"])


def on_threads(workers: int, asked: list[str]) -> tuple[float, int]:
    """Return seconds and nodes on threads of one process."""
    with tempfile.TemporaryDirectory(prefix="scaling-") as name:
        return seconds_and_nodes(Path(name), [*asked, "--workers", str(workers)])


def on_cluster(workers: int, threads: int, apart: bool, asked: list[str]) -> tuple[float, int]:
    """Return seconds and nodes on a cluster; apart: each worker on its own core, with its own table."""
    with tempfile.TemporaryDirectory(prefix="scaling-") as name:
        cores = sorted(os.sched_getaffinity(0))[:workers] if apart else None
        loopback = Loopback(Path(name), workers, threads=threads, cores=cores)
        try:
            loopback.wait_for_workers()
            return seconds_and_nodes(Path(name), [*asked, "--scheduler", loopback.address])
        finally:
            loopback.close()


ROWS: dict[str, Callable[[list[str]], tuple[float, int]]] = {
    "1 thread": lambda asked: on_threads(1, asked),
    "2 threads": lambda asked: on_threads(2, asked),
    "cluster: 1 worker, 1 thread": lambda asked: on_cluster(1, 1, False, asked),
    "cluster: 1 worker, 2 threads": lambda asked: on_cluster(1, 2, False, asked),
    "cluster: 2 workers, one table": lambda asked: on_cluster(2, 1, False, asked),
    "cluster: 2 workers, a table each": lambda asked: on_cluster(2, 1, True, asked),
}


def main() -> None:
    """Measure, and print a line for each row."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--plies", default="22", help="Plies of the game.")
    parser.add_argument("--depth", default="2", help="Plies played.")
    parser.add_argument("--table", default="1GiB", help="The size of each table.")
    options = parser.parse_args()
    asked = ["--plies", options.plies, "--depth", options.depth, "--table", options.table]
    for name, measure in ROWS.items():
        seconds, nodes = measure(asked)
        print(f"{name:34}{nodes / 1e6:9.1f} M nodes{seconds:9.1f} s{nodes / seconds / 1e6:7.2f} M/s", flush=True)


if __name__ == "__main__":
    main()
