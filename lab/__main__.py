"""The command ``python -m lab``, which is only in a clone."""

import click

import solver.native.needed  # noqa: F401 - first, because without a kernel it prints one line, not a traceback
from arena.match.limits import RunnerError
from book.files.games import GamesError
from book.files.reader import BookError
from generator.workers.search_crew import CrewError
from lab.commands.bench import bench, bench_queries
from lab.commands.claims import claims
from lab.commands.games import draw_exam, draw_puzzles, fit, reasons
from lab.commands.theorem import small, theorem
from runtime.errors import OneLineErrors


@click.group(cls=OneLineErrors, expected=(BookError, CrewError, GamesError, RunnerError, ValueError))
def main() -> None:
    """Measure what the project does, and make the data that it needs; for those who work on it."""


for command in (
    bench,
    bench_queries,
    claims,
    draw_exam,
    fit,
    draw_puzzles,
    reasons,
    small,
    theorem,
):
    main.add_command(command)


if __name__ == "__main__":
    main(prog_name="python -m lab")
