"""Measure how much faster more workers are: ``python -m tools.scaling`` and ``python -m tools.scaling class``.

The first command finds the winners of an atlas, on threads and on a cluster of this machine. Each row of the output is
a run that searches the same positions. In the row "a table each", every worker has a separate core, and so a separate
table, as on two machines. In the other rows the workers share a table. The command takes 10 minutes on two cores.

``class`` plays the games of a class alternately with one worker and with two workers. The command ``class`` also
compares the duration with the forecast that the display of progress makes after a tenth of the games. The programs need
0.1 s or 0.05 s of CPU for each move, and play a quick check against the opponents of 2020. Only the games are measured.
The command ``class`` takes five minutes on two cores. The machine should be idle.
"""

import argparse
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from concurrent.futures import Future
from pathlib import Path
from statistics import median

from little_go.arena.classroom.class_run import ClassOptions, ClassRun, seconds_left
from little_go.arena.course.course_file import course_of
from little_go.arena.match.limits import Limits
from little_go.arena.standings.entrants import Terms
from little_go.arena.standings.series import GameOrder, GameOutcome, LocalPlayers
from little_go.book.store.store import open_store
from little_go.solver.family import COURSE
from tools.class_demo import write_class
from tools.loopback import Loopback


def seconds_and_nodes(folder: Path, asked: list[str]) -> tuple[float, int]:
    """Run ``generator atlas`` with a new store. Return the wall-clock seconds and the nodes."""
    store = folder / "book.db"
    command = [sys.executable, "-m", "little_go.generator", "atlas", "--verdict", "--db", str(store), *asked]
    started = time.monotonic()
    subprocess.run(command, capture_output=True, check=True)
    seconds = time.monotonic() - started
    with open_store(store, game=COURSE) as opened:
        return seconds, int(opened.runs()[-1]["nodes"])


def on_threads(workers: int, asked: list[str]) -> tuple[float, int]:
    """Return the seconds and nodes of a run on threads of one process."""
    with tempfile.TemporaryDirectory(prefix="scaling-") as name:
        return seconds_and_nodes(Path(name), [*asked, "--workers", str(workers)])


def on_cluster(workers: int, threads: int, apart: bool, asked: list[str]) -> tuple[float, int]:
    """Return the seconds and nodes of a run on a cluster. apart: whether each worker has its own core and table."""
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


#: Python code that makes a program of the demo use a number of CPU seconds for each move.
BUSY = "import time\nwhile time.process_time() < {seconds}: pass\n"

#: The year of the grading scheme. The opponents of 2020 are the fastest, so the students' programs need almost all of
#: the time.
YEAR = 2020


class _TimedPlayers(LocalPlayers):
    """Local processes that record when each game ended.

    ended: the seconds until the end, and the outcome, of each game.
    """

    def __init__(self, workers: int) -> None:
        super().__init__(workers)
        self.begun = 0.0
        self.ended: list[tuple[float, GameOutcome]] = []

    def submit(self, job: GameOrder) -> "Future[GameOutcome]":
        self.begun = self.begun or time.monotonic()
        return super().submit(job)

    def result_of(self, future: "Future[GameOutcome]", job: GameOrder) -> GameOutcome:
        outcome = super().result_of(future, job)
        self.ended.append((time.monotonic() - self.begun, outcome))
        return outcome


class _TimedRun(ClassRun):
    def _players(self, identities: object) -> _TimedPlayers:
        self.crew = _TimedPlayers(self.wanted.workers)
        return self.crew


def play_class(submissions: Path, out: Path, workers: int) -> tuple[int, float, float]:
    """Play all games of a class.

    Return the number of games, the seconds, and the forecast after a tenth of the games.
    """
    terms = Terms(COURSE, Limits(cpu=5.0, wall=60.0))
    run = _TimedRun(ClassOptions(submissions, course_of(YEAR), out, 0, terms, workers, games=1), lambda line: None)
    with run.open_folder() as folder:
        run.grade(folder)
    # Omit the games of the second stage, because the forecast of the first stage does not include these games.
    ended = [each for each in run.crew.ended if set(each[1].order.fixture[:2]) - set(run.plan.submissions)]
    for number, (elapsed, _) in enumerate(ended, 1):
        # There may be no forecast yet after a tenth of the games, so use the first forecast after a tenth.
        left = seconds_left(number, len(ended), elapsed) if 10 * number >= len(ended) else None
        if left is not None:
            return len(ended), ended[-1][0], elapsed + left
    raise SystemExit(f"{len(ended)} games are too few, or too quick: give more --students")


def write_students(folder: Path, count: int) -> None:
    """Write ``count`` students' programs that play whole games, with 0.1 s or 0.05 s for each move."""
    write_class(folder / "all", 44)
    for number in range(count):
        # Only the first four of the demo's eleven kinds of programs play whole games.
        source = folder / "all" / f"student {1 + number % 4 + 11 * (number // 4 % 4):02}" / "my_player3.py"
        place = folder / "class" / f"student {number + 1:02}"
        place.mkdir(parents=True)
        head, _, rest = source.read_text("utf-8").partition("\n")
        busy = BUSY.format(seconds=(0.1, 0.05)[number % 2])
        (place / "my_player3.py").write_text(f"{head}\n{busy}{rest}", "utf-8")


def measure_atlas(plies: str, depth: str, table: str) -> None:
    """Find the winners of an atlas with the workers of each row, and print a line for each row."""
    asked = ["--plies", plies, "--depth", depth, "--table", table]
    for name, measure in ROWS.items():
        seconds, nodes = measure(asked)
        print(f"{name:34}{nodes / 1e6:9.1f} M nodes{seconds:9.1f} s{nodes / seconds / 1e6:7.2f} M/s", flush=True)


def measure_class(students: int, runs: int) -> None:
    """Play a class, and print a line for each run and a summary."""
    ratios = []
    with tempfile.TemporaryDirectory(prefix="class-") as name:
        write_students(Path(name), students)
        for number in range(runs):
            seconds: dict[int, float] = {}
            for workers in (1, 2):
                games, seconds[workers], forecast = play_class(
                    Path(name, "class"), Path(name, f"out-{number}-{workers}"), workers
                )
                print(
                    f"{workers} worker{'s'[: workers - 1]}: {games} games, {seconds[workers]:.1f} s; forecast"
                    f" after a tenth {forecast:.1f} s, {forecast / seconds[workers]:.2f} times as long",
                    flush=True,
                )
            ratios.append(seconds[1] / seconds[2])
    print(f"2 workers are {median(ratios):.2f} times as fast as one")


def main() -> None:
    """Measure an atlas or a class."""
    parser = argparse.ArgumentParser(prog="python -m tools.scaling", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--plies", default="22", help="The number of plies of the game.")
    parser.add_argument("--depth", default="2", help="The number of plies played.")
    parser.add_argument("--table", default="1GiB", help="The size of each table.")
    graded = parser.add_subparsers(dest="what").add_parser("class", help="Measure a class.")
    graded.add_argument("--students", type=int, default=12, help="The number of students.")
    graded.add_argument("--runs", type=int, default=2, help="The number of runs with each number of workers.")
    options = parser.parse_args()
    if options.what == "class":
        measure_class(options.students, options.runs)
    else:
        measure_atlas(options.plies, options.depth, options.table)


if __name__ == "__main__":
    main()
