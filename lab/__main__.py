"""The lab's command: ``python -m lab``, in a clone."""

import click

import solver.native.needed  # noqa: F401 - first, for its one line instead of a traceback
from arena.match.limits import RunnerError
from book.files.games import GamesError
from book.files.reader import BookError
from generator.workers.search_crew import CrewError
from lab.commands.bench import bench
from lab.commands.bench_host import bench_host
from lab.commands.bench_queries import bench_queries
from lab.commands.curve import curve
from lab.commands.exam import draw_exam
from lab.commands.fit import fit
from lab.commands.measure import measure
from lab.commands.puzzles import draw_puzzles
from lab.commands.reasons import reasons
from lab.commands.small import small
from lab.commands.theorem import theorem
from runtime.errors import OneLineErrors


@click.group(cls=OneLineErrors, expected=(RunnerError, CrewError), misuse=(BookError, GamesError, ValueError))
def main() -> None:
    """Measure what the project does, and make the data that it needs; for those who work on it."""


for command in (
    bench,
    bench_host,
    bench_queries,
    curve,
    draw_exam,
    fit,
    measure,
    draw_puzzles,
    reasons,
    small,
    theorem,
):
    main.add_command(command)


if __name__ == "__main__":
    main(prog_name="python -m lab")
