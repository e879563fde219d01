"""``little-go class``: grade a whole class."""

import json
from pathlib import Path

import click

from arena.classroom.class_run import ClassRun, Wanted
from arena.classroom.handing_back import GRADEBOOK, REVIEWED, class_line, write_gradebook, write_pages
from arena.commands.game_options import CLOCK, class_terms_options
from arena.course.schemes import SCHEMES
from arena.standings.entrants import Terms
from book.commands.game_option import game_options
from runtime.errors import exit_interrupted, writing
from runtime.options import COUNT, DIRECTORY, FILE, json_option, seed_option, workers_option
from solver.family import Variant


@click.command("class")
@click.argument(
    "submissions",
    type=click.Path(path_type=Path),
    metavar="SUBMISSIONS",
    help="A folder or zip a student, or Gradescope's or Canvas's export.",
)
@click.option(
    "--scheme",
    "year",
    type=click.Choice([str(year) for year in SCHEMES]),
    metavar="YEAR",
    default=str(max(SCHEMES)),
    show_default=True,
    help="The year whose grading applies.",
)
@click.option("--out", type=DIRECTORY, required=True, help="Where all is kept.")
@click.option("--late", type=FILE, help="Days late, a table with name and days.")
@click.option("--only", multiple=True, metavar="NAME", help="Play only this student's games; may be repeated.")
@click.option("--games", type=COUNT, help="How many games with the same colours, at most.")
@workers_option("Number of processes.")
@click.option("--scheduler", metavar="ADDRESS", help="Use this dask.distributed scheduler.")
@seed_option("Seed of all games and lots.")
@json_option("Print the gradebook as one JSON object.")
@class_terms_options
@game_options
def grade_class(
    submissions: Path,
    year: str,
    out: Path,
    late: Path | None,
    only: tuple[str, ...],
    games: int | None,
    workers: int,
    scheduler: str | None,
    seed: int,
    as_json: bool,
    terms: Terms,
    game: Variant,
) -> None:
    """Grade a class: gradebook, database and pages; the same command resumes."""
    scheme = SCHEMES[int(year)]
    limits = terms.limits._replace(cpu=scheme.move_cpu, wall=CLOCK * scheme.move_cpu)
    terms = terms._replace(limits=limits, game=game)
    wanted = Wanted(submissions, int(year), out, seed, terms, workers, late, games, only, scheduler)
    run = ClassRun(wanted, lambda line: click.echo(line, err=True))
    with run.open_folder() as folder:
        graded = run.grade(folder)
        line = class_line(graded)
        with writing():
            write_gradebook(graded, out)
            if not graded.interrupted:
                write_pages(graded, out, REVIEWED, workers, line)
    if as_json:
        click.echo(json.dumps({"scheme": int(year), "students": [row.record() for row in graded.rows]}))
    else:
        click.echo(f"{out / GRADEBOOK}: {line}")
    if graded.interrupted:
        exit_interrupted()
    if graded.missing:
        raise click.ClickException(graded.missing)
