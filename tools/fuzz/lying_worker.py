"""A cluster with a worker that seldom lies: it is caught, or no lie stays."""

import atexit
import subprocess
import sys
import tempfile
from functools import cache
from pathlib import Path
from random import Random

from book.store.store import open_store
from solver.family import COURSE
from solver.native.kernel import Kernel
from solver.native.table import open_table
from tools.loopback import Loopback

_GAME = ("--plies", "16", "--depth", "2", "--verdict", "--split-nodes", "20000", "--table", "16MiB")


@cache
def _cluster() -> Loopback:
    """Return the cluster of all attempts; its second worker goes through the lies in turn."""
    folder = tempfile.TemporaryDirectory()
    cluster = Loopback(Path(folder.name), 1)
    cluster.add_worker("a falsehood", 0.01)
    cluster.wait_for_workers()
    atexit.register(folder.cleanup)
    atexit.register(cluster.close)
    return cluster


@cache
def _kernel() -> Kernel:
    return Kernel(open_table(64))


def liars(rng: Random, folder: Path) -> str:
    """Run an atlas with one worker of two that lies in 1 of 100 results; where it is caught, drop it and resume."""
    cluster = _cluster()
    db = folder / "book.db"
    words = [*_GAME, "--db", str(db), "--scheduler", cluster.address]
    run = subprocess.run([sys.executable, "-m", "generator", "atlas", *words], capture_output=True, text=True)
    caught = run.returncode != 0
    if caught:
        last = run.stderr.splitlines()[-1]
        assert " sent a falsehood, " in last, run.stderr
        drop = [sys.executable, "-m", "book", "drop", "--db", str(db), "--worker", last.split()[-1]]
        subprocess.run(drop, check=True, capture_output=True)
        # The same by threads, from the rows left.
        again = [sys.executable, "-m", "generator", "atlas", *_GAME, "--db", str(db), "--workers", "2"]
        subprocess.run(again, check=True, capture_output=True)
    with open_store(db, game=COURSE) as store:
        for entry in store:
            for goal, answer in ((entry.lo, True), (entry.hi + 1, False)):
                if -24 < goal <= 24:
                    assert _kernel().decide(entry.position, goal).at_least(goal) is answer, entry
        assert len(store) >= 97
    return "caught, and the same rows after drop" if caught else "no lie"
