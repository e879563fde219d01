"""Kill processes of an atlas run at random instants, and compare the rows: ``python -m tools.soak``.

Each round starts a run on threads or on a new cluster on this machine, kills one of the processes with signal 9, and
lets the run continue or restarts the run. The command takes a few minutes. A round passes if the rows are the same as
after an undisturbed run, and if no process and no shared memory remain. The exit code is 0 only if all rounds pass.
"""

import argparse
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from little_go.book.files.atlas import Row, read_atlas
from tools.loopback import Loopback, wait_until

#: The options for the atlas. The game of 18 plies is solved in seconds, and a position is split after a fraction of a
#: second.
GAME = ["--plies", "18", "--depth", "2", "--verdict", "--split-nodes", "500000", "--table", "16MiB"]
VICTIMS = ("threads", "the run", "a worker", "all workers", "the scheduler", "a nanny")
PATIENCE = 600

SAME, LATE = "the same rows", "too late, the run had ended"


def command(folder: Path, scheduler: str | None) -> list[str]:
    """Return the command that computes the atlas in a folder.

    scheduler: the scheduler's address, or None for threads.
    """
    place = ["--workers", "2"] if scheduler is None else ["--scheduler", scheduler]
    files = ["--db", str(folder / "book.db"), "--out", str(folder / "atlas.csv.gz")]
    return [sys.executable, "-m", "little_go.generator", "atlas", *GAME, *files, *place]


def winners(folder: Path) -> dict[str, bool]:
    """Return, for each row of the atlas, whether Black wins."""

    def won(row: Row) -> bool:
        return row.lo >= 3

    return {str(row.position): won(row) for row in read_atlas(folder / "atlas.csv.gz")}


def undisturbed(victim: str) -> tuple[dict[str, bool], float]:
    """Return the rows and the seconds of an undisturbed run on threads or on a cluster."""
    with tempfile.TemporaryDirectory(prefix="soak-") as name, _place(Path(name), victim) as loopback:
        folder, started = Path(name), time.monotonic()
        asked = command(folder, None if loopback is None else loopback.address)
        subprocess.run(asked, capture_output=True, timeout=PATIENCE, check=True)
        return winners(folder), time.monotonic() - started


@contextmanager
def _place(folder: Path, victim: str) -> Iterator[Loopback | None]:
    if victim == "threads":
        yield None
        return
    loopback = Loopback(folder)
    try:
        yield loopback
    finally:
        loopback.close()


def play(victim: str, delay: float, rows: dict[str, bool]) -> str:
    """Start a run, kill a process and resume.

    Return SAME, LATE if the run had ended before the kill, or else the fault.
    """
    with tempfile.TemporaryDirectory(prefix="soak-") as name:
        folder = Path(name)
        with _place(folder, victim) as loopback:
            asked = command(folder, None if loopback is None else loopback.address)
            run = subprocess.Popen(asked, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            time.sleep(delay)
            if run.poll() is not None:
                return LATE
            if loopback is None or victim == "the run":
                run.kill()
            else:
                loopback.kill(victim)
            code = run.wait(timeout=PATIENCE)
            if code == -signal.SIGKILL:
                again = subprocess.run(asked, capture_output=True, text=True, timeout=PATIENCE)
                code = again.returncode
            if code:
                return f"exit code {code}"
            if winners(folder) != rows:
                return "other rows"
        wait_until(lambda: not processes(name))
    return SAME


def processes(word: str) -> list[str]:
    """Return the command lines of this machine's processes that contain a word."""
    lines = []
    for file in Path("/proc").glob("[0-9]*/cmdline"):
        with suppress(OSError):
            lines.append(file.read_bytes().replace(b"\0", b" ").decode(errors="replace"))
    return [line for line in lines if word in line]


def main() -> int:
    """Run all rounds, and print a line for each. Return 1 if a round failed, otherwise 0."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--kills", type=int, default=40)
    parser.add_argument("--seed", type=int, default=561)
    options = parser.parse_args()
    rng = random.Random(options.seed)
    rows, on_threads = undisturbed("threads")
    found, on_cluster = undisturbed("the run")
    print(f"undisturbed: {len(rows)} rows in {on_threads:.1f} s, on a cluster {on_cluster:.1f} s", flush=True)
    counts = Counter({"other": int(found != rows)})
    while counts[SAME] + counts["other"] < options.kills:
        victim = VICTIMS[counts.total() % len(VICTIMS)]
        delay = rng.uniform(0.5, on_threads if victim == "threads" else on_cluster)
        outcome = play(victim, delay, rows)
        counts[outcome if outcome in (SAME, LATE) else "other"] += 1
        print(f"{counts.total():3d}  {victim:11}  after {delay:5.2f} s  {outcome}", flush=True)
    print(f"{counts[SAME]} kills with the same rows, {counts['other']} faults, {counts[LATE]} too late")
    return bool(counts["other"])


if __name__ == "__main__":
    sys.exit(main())
