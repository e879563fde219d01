"""``little-go class``: grade a whole class."""

import json
from pathlib import Path

import click

from arena.classroom.class_run import ClassRun, Graded, Wanted
from arena.classroom.gradebook import to_csv
from arena.commands.game_options import CLOCK, class_terms_options
from arena.course.schemes import SCHEMES
from arena.standings.entrants import Terms
from arena.standings.tally import counted
from runtime.errors import exit_interrupted, writing
from runtime.filesystem import write_whole
from runtime.options import COUNT, DIRECTORY, FILE, json_option, seed_option, workers_option

#: What is written beside the games.
GRADEBOOK = "gradebook.csv"


@click.command("class")
@click.argument("submissions", type=click.Path(path_type=Path), metavar="SUBMISSIONS")
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
@click.option("--games", type=COUNT, help="A quick look: how many games with the same colours.")
@workers_option("Number of processes.")
@seed_option("Seed of all games and lots.")
@json_option("Print the gradebook as one JSON object.")
@class_terms_options
def grade_class(
    submissions: Path,
    year: str,
    out: Path,
    late: Path | None,
    only: tuple[str, ...],
    games: int | None,
    workers: int,
    seed: int,
    as_json: bool,
    terms: Terms,
) -> None:
    """Grade a whole class, and write its gradebook, database and pages.

    SUBMISSIONS is a folder or zip with a folder or zip for each student, with or without stage1 and stage2, or an
    export of Gradescope or Canvas. The same command goes on after a stop, and grades again who has changed.
    """
    scheme = SCHEMES[int(year)]
    terms = terms._replace(limits=terms.limits._replace(cpu=scheme.move_cpu, wall=CLOCK * scheme.move_cpu))
    wanted = Wanted(submissions, int(year), out, seed, terms, workers, late, games, only)
    run = ClassRun(wanted, lambda line: click.echo(line, err=True))
    graded = run.grade()
    with writing(out / GRADEBOOK):
        write_whole(out / GRADEBOOK, to_csv(graded.rows))
    if as_json:
        click.echo(json.dumps({"scheme": int(year), "students": [row.record() for row in graded.rows]}))
    else:
        click.echo("\n".join(_summary(graded, out)))
    if graded.interrupted:
        exit_interrupted()
    if graded.missing:
        raise click.ClickException(graded.missing)


def _summary(graded: Graded, out: Path) -> list[str]:
    known = sorted(row.final for row in graded.rows if row.final is not None)
    lines = [f"{out / GRADEBOOK}: {counted(len(graded.rows), 'student')}, {counted(len(graded.records), 'game')}"]
    if known:
        middle = known[len(known) // 2]
        lines.append(f"points: {known[0]:g} to {known[-1]:g}, half of them have {middle:g} or more")
    return lines
