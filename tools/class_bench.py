"""Measure what a second worker brings to a class, and how good its forecast is: ``python -m tools.class_bench``.

Students whose programs take 0.1 s of CPU a move or half of it play a quick look against the opponents of 2020, by one
worker and by two in turn. Only the games are timed. After a tenth of them the time left is forecast as progress does
it, and compared with what it was. The machine should be idle: it takes five minutes on two cores.
"""

import argparse
import tempfile
import time
from concurrent.futures import Future
from pathlib import Path
from statistics import median
from typing import NamedTuple

from arena.classroom.class_run import ClassOptions, ClassRun, TimeLeft
from arena.course.course_file import course_of
from arena.match.limits import Limits
from arena.standings.entrants import Terms
from arena.standings.series import GameOrder, GameOutcome, LocalPlayers
from solver.family import COURSE
from tools.class_demo import write_class

#: A program of the demo with so many seconds of CPU a move.
BUSY = "import time\nwhile time.process_time() < {seconds}: pass\n"

#: Of 2020: their games are the quickest, so that the students' programs are nearly all of the work.
YEAR = 2020


class Measured(NamedTuple):
    """A class's games. seconds: by the clock. forecast: of them, after a tenth of the games."""

    games: int
    seconds: float
    forecast: float


class _TimedPlayers(LocalPlayers):
    """Processes of this machine that note when each game ended. ended: by the clock, with the record."""

    def __init__(self, workers: int) -> None:
        super().__init__(workers)
        self.begun = 0.0
        self.ended: list[tuple[float, GameOutcome]] = []

    def submit(self, job: GameOrder) -> "Future[GameOutcome]":
        self.begun = self.begun or time.monotonic()
        return super().submit(job)

    def take(self, future: "Future[GameOutcome]", job: GameOrder) -> GameOutcome:
        outcome = super().take(future, job)
        self.ended.append((time.monotonic() - self.begun, outcome))
        return outcome


class _TimedRun(ClassRun):
    """A class's run by such processes."""

    def _players(self, identities: object) -> _TimedPlayers:
        self.crew = _TimedPlayers(self.wanted.workers)
        return self.crew


def play(submissions: Path, out: Path, workers: int) -> Measured:
    """Play all games of a class, and measure them."""
    terms = Terms(COURSE, Limits(cpu=5.0, wall=60.0))
    run = _TimedRun(ClassOptions(submissions, course_of(YEAR), out, 0, terms, workers, games=1), lambda line: None)
    with run.open_folder() as folder:
        run.grade(folder)
    # The second stage waits for the first, and has no part in its forecast.
    ended = [each for each in run.crew.ended if set(each[1].order.fixture[:2]) - set(run.plan.submissions)]
    forecast = TimeLeft(outcome.order.fixture for _, outcome in ended)
    for number, (elapsed, outcome) in enumerate(ended, 1):
        forecast.game(outcome.order.fixture, outcome.seconds)
        # Two workers may be through a tenth before progress forecasts anything.
        left = forecast.seconds(elapsed) if 10 * number >= len(ended) else None
        if left is not None:
            return Measured(len(ended), ended[-1][0], elapsed + left)
    raise SystemExit(f"{len(ended)} games are too few, or too quick: give more --students")


def write_students(folder: Path, count: int) -> None:
    """Write so many students' programs that play all plies, and take 0.1 s or half of it for each move."""
    write_class(folder / "all", 44)
    for number in range(count):
        # Of the demo's eleven kinds, the first four play to the end.
        source = folder / "all" / f"student {1 + number % 4 + 11 * (number // 4 % 4):02}" / "my_player3.py"
        place = folder / "class" / f"student {number + 1:02}"
        place.mkdir(parents=True)
        head, _, rest = source.read_text("utf-8").partition("\n")
        busy = BUSY.format(seconds=(0.1, 0.05)[number % 2])
        (place / "my_player3.py").write_text(f"{head}\n{busy}{rest}", "utf-8")


def main() -> None:
    """Measure, and print a line for each run and what they come to."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--students", type=int, default=12, help="How many.")
    parser.add_argument("--runs", type=int, default=2, help="How often each number of workers plays.")
    options = parser.parse_args()
    ratios = []
    with tempfile.TemporaryDirectory(prefix="class-") as name:
        write_students(Path(name), options.students)
        for number in range(options.runs):
            seconds = {}
            for workers in (1, 2):
                found = play(Path(name, "class"), Path(name, f"out-{number}-{workers}"), workers)
                seconds[workers] = found.seconds
                print(
                    f"{workers} worker{'s'[: workers - 1]}: {found.games} games, {found.seconds:.1f} s; forecast"
                    f" after a tenth {found.forecast:.1f} s, {found.forecast / found.seconds:.2f} times as long",
                    flush=True,
                )
            ratios.append(seconds[1] / seconds[2])
    print(f"2 workers are {median(ratios):.2f} times as fast as one")


if __name__ == "__main__":
    main()
