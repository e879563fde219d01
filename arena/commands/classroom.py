"""``little-go class``: grade a whole class."""

import json
from pathlib import Path

import click

from little_go.arena.classroom.canvas import read_canvas_export
from little_go.arena.classroom.class_run import ClassOptions, ClassRun, check_class
from little_go.arena.classroom.exports import FORMS, dropped_text
from little_go.arena.classroom.gradebook import open_text, with_regrades
from little_go.arena.classroom.outputs import (
    GRADEBOOK,
    LEFT_OUT,
    check_whole,
    class_line,
    kept_regrades,
    write_gradebook,
    write_pages,
    write_uploads,
)
from little_go.arena.classroom.submissions import ClassCheck
from little_go.arena.commands.game_options import CourseTerms, class_options
from little_go.arena.course.course_file import course_text
from little_go.runtime.errors import BadUsage, Finding, exit_interrupted, writing
from little_go.runtime.files import write_whole
from little_go.runtime.options import COUNT, DIRECTORY, FILE, OUTPUT, json_option, seed_option, workers_option

_NAMES = "; ".join(f"{name}, {meaning}" for name, meaning in FORMS.items())


@click.command(
    "class",
    help=f"""Grade a class: write a gradebook, a database and pages.

    Begin with --check, which plays no game and lists every submission with its faults. All results are in the directory
    --out. After a stop the same command resumes. FORM is one of these: {_NAMES}.""",
)
@click.argument(
    "submissions",
    type=click.Path(path_type=Path),
    required=False,
    metavar="SUBMISSIONS",
    help="A folder or a zip with an entry for each student, or an export of Gradescope, Canvas or Moodle.",
)
@click.option("--new", type=OUTPUT)
@click.option("--out", type=DIRECTORY)
@click.option("--check", is_flag=True)
@click.option(
    "--form",
    type=click.Choice(list(FORMS)),
    metavar="FORM",
    show_default="detected from the names",
)
@click.option("--late", type=FILE)
@click.option("--regrade", type=FILE)
@click.option("--canvas", type=FILE)
@click.option("--only", multiple=True, metavar="STUDENT")
@click.option("--games", type=COUNT, show_default="as in the scheme")
@workers_option()
@click.option("--scheduler", metavar="ADDRESS")
@seed_option()
@json_option()
@class_options
def grade_class(
    submissions: Path | None,
    new: Path | None,
    out: Path | None,
    check: bool,
    form: str | None,
    late: Path | None,
    regrade: Path | None,
    canvas: Path | None,
    only: tuple[str, ...],
    games: int | None,
    workers: int,
    scheduler: str | None,
    seed: int,
    as_json: bool,
    given: CourseTerms,
) -> None:
    """Grade a class."""
    course, terms = given
    if new is not None:
        _write_course(new, course.year)
        return
    if submissions is None:
        raise BadUsage("give SUBMISSIONS, the folder or zip with the students' programs, or --new FILE")
    # Files that the course does not allow are dropped when the submissions are read, not when a program is copied.
    terms = terms._replace(files=None)
    if check:
        wanted = ClassOptions(submissions, course, Path(), seed, terms, workers, late, form=form)
        _print_check(check_class(wanted, _say), as_json=as_json)
        return
    if out is None:
        raise BadUsage("give --out, a directory for the results, or --check")
    wanted = ClassOptions(submissions, course, out, seed, terms, workers, late, games, only, scheduler, form)
    run = ClassRun(wanted, _say)
    export = read_canvas_export(canvas, course.assignment) if canvas else None
    with run.open_folder() as folder:
        regrades = kept_regrades(out, run.plan, regrade)
        graded = run.grade(folder)
        graded.rows = with_regrades(graded.rows, regrades)
        line = class_line(graded)
        with writing():
            write_gradebook(graded, out)
            for line_left in write_uploads(graded.rows, out, run.form, course.assignment, export):
                _say(f"{canvas}: {line_left}")
            write_whole(out / LEFT_OUT, dropped_text(run.dropped))
            if not graded.interrupted:
                write_pages(graded, out, workers, line)
            check_whole(run.found, out, pages=not graded.interrupted)
    if as_json:
        click.echo(json.dumps({"scheme": course.year, "students": [row.record() for row in graded.rows]}))
    else:
        click.echo(f"{out / GRADEBOOK}: {line}")
    if graded.interrupted:
        exit_interrupted()
    if why := "; ".join(filter(None, [graded.missing, open_text(graded.rows)])):
        raise Finding(why)


def _write_course(path: Path, year: int) -> None:
    """Write a course file, or raise BadUsage if the file exists, because the staff may have edited it."""
    if path.exists():
        raise BadUsage(f"{path} exists already: give another name, or remove it")
    with writing(path):
        write_whole(path, course_text(year))
    _say(f"wrote {path}: edit it, and give it as --course {path}")


def _say(line: str) -> None:
    click.echo(line, err=True)


def _print_check(found: ClassCheck, *, as_json: bool) -> None:
    if as_json:
        click.echo(json.dumps(found.record()))
        return
    for line in found.text():
        click.echo(line)
    click.echo(f"\n{found.line()}, from {FORMS[found.form]}")
