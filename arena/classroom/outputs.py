"""Review the students' games, and write the files for staff and students: gradebook, database, pages and uploads."""

import csv
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from statistics import median

from little_go.arena.classroom.canvas import CanvasExport, canvas_table
from little_go.arena.classroom.class_run import ClassResult
from little_go.arena.classroom.database import (
    DATABASE,
    ClassDatabase,
    StudentGames,
    games_of,
    open_database,
    review_game,
    student_review,
)
from little_go.arena.classroom.gradebook import StudentRow, cell_text, gradescope_autograder, to_csv
from little_go.arena.classroom.pages import class_page, page_name, student_page
from little_go.arena.classroom.plan import ClassPlan
from little_go.arena.classroom.staff_tables import Regrade, read_regrades
from little_go.arena.classroom.unpacking import names_text
from little_go.arena.review.review import Review
from little_go.arena.standings.tally import count_text
from little_go.arena.standings.tournament import key_of
from little_go.crew.jobs import each
from little_go.runtime.files import MIB, open_text, write_whole

GRADEBOOK, INDEX, STUDENTS_DIRECTORY, LEFT_OUT = "gradebook.csv", "index.html", "students", "left_out.txt"
CANVAS, GRADESCOPE = "canvas.csv", "gradescope.zip"

#: The views of the database that the staff's page shows.
_SHOWN = ("hardest_opponents", "common_faults", "slowest_programs", "shared_mistakes")


def kept_regrades(out: Path, plan: ClassPlan, table: Path | None) -> dict[str, Regrade]:
    """Store the points from a table of the staff, and return all stored points by student key.

    table: the file with the table, or None.
    """
    given = read_regrades(table, plan.submissions.values(), plan.scheme.full_points) if table else {}
    if not given and not (out / DATABASE).exists():
        return {}
    with open_database(out / DATABASE) as database:
        database.keep_regrades(given)
        return database.regrades()


def write_gradebook(graded: ClassResult, out: Path) -> None:
    """Write the gradebook as CSV."""
    write_whole(out / GRADEBOOK, to_csv(graded.rows))


def write_uploads(
    rows: Sequence[StudentRow], out: Path, form: str, assignment: str, export: CanvasExport | None = None
) -> list[str]:
    """Write the points for Canvas, and for Gradescope if the submissions are an export of Gradescope.

    form: the form of the submissions. assignment: the name of the assignment in Canvas. export: the table that Canvas
    has exported, or None. Return clauses on people who are only in the table or only in the class.
    """
    table, left = export.filled(rows, form) if export else (canvas_table(rows, form, assignment), [])
    write_whole(out / CANVAS, table)
    if form == "gradescope":
        write_whole(out / GRADESCOPE, gradescope_autograder(rows))
    return left


def write_pages(graded: ClassResult, out: Path, workers: int, head: str) -> None:
    """Review the games that have changed, and write the database and the pages.

    head: a line on the class for the staff's page.
    """
    games = student_games(graded)
    (out / STUDENTS_DIRECTORY).mkdir(exist_ok=True)
    with open_database(out / DATABASE) as database:
        _review(games, database, workers)
        database.write(graded.rows, games, graded.records)
        found = database.reviewed()
        for row in graded.rows:
            page = student_page(row, found.get(row.name, ""))
            write_whole(out / STUDENTS_DIRECTORY / page_name(row.name), page)
        write_whole(out / INDEX, class_page(graded.rows, {view: database.rows(view) for view in _SHOWN}, head))


#: Maximum bytes that are read when the written gradebook is checked.
_MOST_GRADEBOOK = 256 * MIB


class IncompleteClass(Exception):
    """Raised if the output does not contain each student exactly once; the message is one line."""


def check_whole(found: Sequence[str], out: Path, *, pages: bool) -> None:
    """Read the output back, and raise IncompleteClass unless it contains each student exactly once.

    found: the names of all students. pages: whether the database and the pages were written.
    """
    with open_text(out / GRADEBOOK, _MOST_GRADEBOOK) as file:
        written = {GRADEBOOK: [row["name"] for row in csv.DictReader(file)]}
    expected = {GRADEBOOK: [cell_text(name) for name in found]}
    if pages:
        with open_database(out / DATABASE) as database:
            written[DATABASE] = database.names()
        there = {path.name for path in (out / STUDENTS_DIRECTORY).iterdir()}
        written[STUDENTS_DIRECTORY] = [page for page in map(page_name, found) if page in there]
        expected |= {DATABASE: list(found), STUDENTS_DIRECTORY: list(dict.fromkeys(map(page_name, found)))}
    if len(set(map(str.casefold, map(page_name, found)))) != len(found):
        raise IncompleteClass(f"{out}: two students share a page: please report this")
    for name, names in written.items():
        lost, more = Counter(expected[name]) - Counter(names), Counter(names) - Counter(expected[name])
        if lost or more:
            faults = [f"lacks {names_text(lost)}"] * bool(lost) + [f"repeats {names_text(more)}"] * bool(more)
            raise IncompleteClass(f"{out / name} {' and '.join(faults)}: please report this")


def student_games(graded: ClassResult) -> list[StudentGames]:
    """Return the games of each student, including students without games."""
    plan = graded.plan
    games = plan.games_of(sorted(graded.records, key=key_of))
    return [StudentGames(name, plan.names_of(name), mine) for name, mine in games.items()]


def _review(games: Iterable[StudentGames], database: ClassDatabase, workers: int) -> None:
    """Review the games that have changed. Store a student's review as soon as all games of the student are reviewed."""
    before = database.digests()
    left = {one.name: one for one in games if one.records and before.get(one.name) != one.digest()}
    reviews: dict[str, dict[int, Review]] = {name: {} for name in left}
    jobs = [job for one in left.values() for job in games_of(one)]
    for job, review in each(review_game, jobs, workers, show="games reviewed"):
        done = reviews[job.student]
        done[job.number] = review
        if len(done) == len(left[job.student].records):
            database.keep(student_review(left[job.student], [done[number] for number in sorted(done)]))
            reviews[job.student] = {}


def class_line(graded: ClassResult) -> str:
    """Return a line on the class: the numbers of students and games, and the points."""
    known = sorted(row.final for row in graded.rows if row.final is not None)
    line = f"{count_text(len(graded.rows), 'student')}, {count_text(len(graded.records), 'game')}"
    if not known:
        return line
    return f"{line}, points {known[0]:g} to {known[-1]:g}, median {median(known):g}"
