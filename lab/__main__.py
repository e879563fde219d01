"""The command ``python -m lab``, which exists only in a clone."""

import click

import little_go.solver.native.needed  # noqa: F401 - first, because without a kernel it prints one line, not a traceback
from lab.commands.bench import bench, bench_queries
from lab.commands.claims import claims
from lab.commands.games import draw_exam, draw_puzzles, fit, reasons
from lab.commands.theorem import small, theorem
from little_go.arena.match.limits import RunnerError
from little_go.book.files.games import GamesError
from little_go.book.files.reader import BookError
from little_go.generator.workers.search_crew import CrewError
from little_go.runtime.errors import OneLineErrors


@click.group(cls=OneLineErrors, expected=(BookError, CrewError, GamesError, RunnerError, ValueError))
def main() -> None:
    """Measure the project, and make its data. These commands are for people who work on the project."""


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
