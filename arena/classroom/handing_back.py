"""Review each student's games, and write the files for staff and students: gradebook, database, pages, uploads."""

import csv
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from hashlib import sha256
from html import escape
from pathlib import Path
from statistics import fmean, median
from typing import Any, NamedTuple
from urllib.parse import quote

from arena.classroom.canvas import CanvasExport, canvas_table
from arena.classroom.class_run import ClassResult
from arena.classroom.database import (
    DATABASE,
    ClassDatabase,
    StudentGames,
    games_of,
    open_database,
    review_game,
    student_review,
)
from arena.classroom.gradebook import (
    ATTENTION,
    StudentRow,
    cell_text,
    gradescope_autograder,
    points_apart,
    to_csv,
)
from arena.classroom.late import Regrade, read_regrades
from arena.classroom.plan import ClassPlan
from arena.classroom.unpacking import names_text
from arena.review.fault import fault_kind
from arena.review.page import GLOSSARY, bar_html, cards_html, name_html, table_html, whole_page
from arena.review.review import Review
from arena.standings.tally import SIDES, count_text, seconds_text
from arena.standings.tournament import Record
from book.drawing.picture import mistake_svg
from crew.jobs import each
from runtime.files import MIB, open_text, read_text, write_whole
from solver.position import parse_move
from solver.symmetry import position_of

#: Rows and boards on the staff's page.
_MOST_ROWS, _MOST_BOARDS = 10, 8

#: The style of both pages, and the script that sorts the list of students.
_STYLE, _SCRIPT = Path(__file__).with_suffix(".css"), Path(__file__).with_suffix(".js")

#: Characters of a program's message.
_MOST_EXAMPLE = 80

#: Points per bar of the distribution.
_STEP = 10


def page_name(student: str) -> str:
    """Return a student's page name: the student's, or its valid part and a few digits.

    >>> page_name("Jane Doe"), page_name("a/b")
    ('Jane Doe.html', 'a_b c14cddc033f6.html')
    """
    plain = re.sub(r"[^\w .()@-]", "_", student).strip(". ")
    # A name that looks like such a page's gets digits too.
    if plain != student or not plain or re.search(r" [0-9a-f]{12}$", plain):
        plain = f"{plain} {sha256(student.encode('utf-8', 'surrogateescape')).hexdigest()[:12]}"
    return f"{plain}.html"


def student_page(row: StudentRow, review: str) -> str:
    """Return a student's page with that student's data alone: points, faults, lessons, notes.

    review: of the games, as HTML.
    """
    parts = [
        f"<h1>{name_html(row.name)}</h1>",
        f'<p class="points"><b>{_points(row.final)} of {row.plan.scheme.full_points} points</b></p>',
        _given(row),
        _list([*row.submission.notes, *row.game_notes()]),
        "<h2>How the points came about</h2>",
        _list(row.explained()),
        _stages(row),
    ]
    if row.line.games:
        # Without a review the class was interrupted before it.
        shown = review or f"<p>None of {count_text(row.line.games.total(), 'game')} is reviewed yet.</p>"
        parts += ["<h2>What the games show</h2>", shown, "<h2>What the words mean</h2>", GLOSSARY]
    return whole_page(f"Little-Go: {row.name}", filter(None, parts), _STYLE)


def _given(row: StudentRow) -> str:
    """Return the staff's points in place of those of the games."""
    if row.regrade is None:
        return ""
    earned = "" if row.earned is None else f" The games gave {_points(row.earned)}."
    return f'<p class="given">The staff gave these points: {escape(row.regrade.reason)}{earned}</p>'


def _list(lines: Sequence[str], kind: str = "") -> str:
    items = "\n".join(f"<li>{escape(line)}</li>" for line in lines)
    return f"<ul{kind}>\n{items}\n</ul>" if lines else ""


def _stages(row: StudentRow) -> str:
    rows = []
    for stage in row.best:
        for mark in stage.marks:
            line = mark.line
            games = [f"{line.wins[side]}/{line.games[side]}" for side in ("black", "white")]
            points = "0" if stage.over_time else _points(mark.points)
            full, slowest = f"{mark.opponent.full}", seconds_text(line.clock.most)
            rows.append([_whole(mark.opponent.agent), *games, points, full, slowest])
    head = ["opponent", "won as Black", "won as White", "points", "of", "slowest move"]
    return table_html(head, rows) if rows else ""


def class_page(rows: Sequence[StudentRow], views: Mapping[str, Sequence[Mapping[str, Any]]], head: str) -> str:
    """Return the staff's page. views: rows of the database by view. head: the class in a line."""
    parts = [
        "<h1>The class</h1>",
        f'<p class="facts">{escape(head)}</p>',
        "<h2>To look at first</h2>",
        _attention(rows),
        "<h2>Students</h2>",
        _students(rows),
        "<h2>Points</h2>",
        _distribution(rows),
        "<h2>Hardest opponents</h2>",
        _opponents(views["hardest_opponents"]),
        "<h2>Common faults</h2>",
        _faults(views["common_faults"]),
        "<h2>Slowest programs</h2>",
        _slowest(views["slowest_programs"]),
        "<h2>Mistakes that the class shares</h2>",
        _shared(views["shared_mistakes"]),
    ]
    script = read_text(_SCRIPT, MIB)
    return whole_page("Little-Go: the class", parts, _STYLE, script=script)


def _attention(rows: Sequence[StudentRow]) -> str:
    """Return the students who need attention by heading, the most urgent first."""
    found: dict[str, list[str]] = {heading: [] for heading in ATTENTION}
    for row in rows:
        for heading, clause in row.attention().items():
            found[heading].append(f"<li>{_link(row.name)}: {escape(clause)}</li>")
    for upload in points_apart(rows):
        found["partners"].append(f"<li>Gradescope's submission {upload}: its partners' points differ</li>")
    parts = [
        f'<h3>{heading[0].upper()}{heading[1:]}: {len(items)}</h3>\n<ul class="urgent">\n{_lines(items)}\n</ul>'
        for heading, items in found.items()
        if items
    ]
    return "\n".join(parts) or "<p>Nothing: each program plays, in time, and none is another's.</p>"


def _lines(items: Sequence[str]) -> str:
    return "\n".join(items)


def _distribution(rows: Sequence[StudentRow]) -> str:
    known = [row.final for row in rows if row.final is not None]
    if not known:
        return "<p>No student's games are all played.</p>"
    most = rows[0].plan.scheme.full_points // _STEP * _STEP
    counts = Counter(min(most, int(points // _STEP) * _STEP) for points in known)
    highest = max(counts.values())
    lines = [
        [f"{low} to {low + _STEP - 1}" if low < most else f"{most}", bar_html(counts[low], highest) or "0"]
        for low in range(most, -1, -_STEP)
    ]
    told = f"Mean {fmean(known):.1f}, median {median(known):g}, of {count_text(len(known), 'student')}."
    return f"<p>{told}</p>\n" + table_html(["points", "students"], lines)


def _opponents(rows: Sequence[Mapping[str, Any]]) -> str:
    if not rows:
        return "<p>No game was played.</p>"
    lines = [
        [_whole(row["opponent"]), f"{row['games']:,}", f"{row['won_percent']:g} %", _points(row["mean_points"])]
        for row in rows
    ]
    return table_html(["opponent", "games", "won by the class", "mean points"], lines)


def _faults(rows: Sequence[Mapping[str, Any]]) -> str:
    if not rows:
        return "<p>No game was lost by a fault.</p>"
    lines = [
        [_whole(fault_kind(row["reason"])), f"{row['students']}", f"{row['games']:,}", name_html(_cut(row["example"]))]
        for row in rows[:_MOST_ROWS]
    ]
    return table_html(["fault", "students", "games", "for example"], lines)


def _cut(text: str) -> str:
    return text if len(text) <= _MOST_EXAMPLE else f"{text[:_MOST_EXAMPLE]} …"


def _whole(word: str) -> str:
    """Return a word of ours that a narrow table does not break."""
    return f'<span class="whole">{word}</span>'


def _slowest(rows: Sequence[Mapping[str, Any]]) -> str:
    if not rows:
        return "<p>No game was played.</p>"
    lines = [
        [_link(row["name"]), seconds_text(row["cpu_max"]), seconds_text(row["cpu_mean"]), escape(row["program"])]
        for row in rows[:_MOST_ROWS]
    ]
    return table_html(["student", "slowest move", "mean", "program"], lines)


def _shared(rows: Sequence[Mapping[str, Any]]) -> str:
    """Return the mistakes that several students share, with their boards."""
    cards = [_card(row) for row in rows[:_MOST_BOARDS] if row["students"] > 1]
    return cards_html("ul", cards) if cards else "<p>No two students have made the same mistake.</p>"


def _card(row: Mapping[str, Any]) -> str:
    move, better = row["move"], row["best_move"]
    told = f"{move} is a mistake" + (f", {better} is better" if better else "")
    position = position_of(row["key"])
    board = mistake_svg(position, parse_move(move), parse_move(better) if better else None, told)
    lost = f" and the win, {count_text(row['decisive'], 'time')}" if row["decisive"] else ""
    why = f"\n<p>{escape(row['why'])}</p>" if row["why"] else ""
    head = f"<b>{count_text(row['students'], 'student')}</b>, ply {row['ply']}: {move}" + (
        f" instead of <b>{better}</b>" if better else ""
    )
    return f'<article>\n<h3>{head}</h3>\n{board}\n<p class="cost">costs up to {row["cost"]}{lost}</p>{why}\n</article>'


class _Column(NamedTuple):
    """A column of the sortable list.

    values: to sort by, may be "". cells: HTML. first: the order at the first press. words: whether the cells are texts.
    """

    head: str
    values: list[str]
    cells: list[str]
    first: str = "descending"
    words: bool = False


def _students(rows: Sequence[StudentRow]) -> str:
    if not rows:
        return ""
    records = [row.record() for row in rows]
    names = [row.name for row in rows]
    columns = [_Column("student", [*map(str.casefold, names)], [*map(_link, names)], "ascending")]
    keys = ["final", *(key for key in records[0] if key.startswith("stage_"))]
    keys += ["rank"] if "rank" in records[0] else []
    for key in keys:
        values = [_points(record[key]) for record in records]
        first = "ascending" if key == "rank" else "descending"
        head = {"final": "points"}.get(key, key.replace("_", " "))
        columns.append(_Column(head, [value.strip("-") for value in values], values, first))
    for head, counts in (("days late", [row.days for row in rows]), ("faults", [len(row.losses) for row in rows])):
        columns.append(_Column(head, [*map(str, counts)], [f"{count or ''}" for count in counts]))
    wins, games = [row.line.wins.total() for row in rows], [row.line.games.total() for row in rows]
    won = [f"{mine}/{played}" if played else "" for mine, played in zip(wins, games, strict=True)]
    columns.append(_Column("won", [*map(str, wins)], won))
    slowest = [row.line.clock.most if row.line.clock else None for row in rows]
    seconds = ["" if each is None else f"{each:.6f}" for each in slowest]
    columns.append(_Column("slowest move", seconds, ["" if each is None else seconds_text(each) for each in slowest]))
    notes = [row.notes() for row in rows]
    texts = [_list(each) for each in notes]
    columns.append(_Column("notes", [f"{len(each) or ''}" for each in notes], texts, words=True))
    return _sortable(columns)


def _sortable(columns: Sequence[_Column]) -> str:
    """Return a table sorted by its first column, with buttons for the others."""
    sort = ' aria-sort="ascending"'
    heads = [
        f'<th scope="col" data-first="{column.first}"{_words(column)}{sort if number == 0 else ""}>'
        f'<button type="button">{column.head}</button></th>'
        for number, column in enumerate(columns)
    ]
    lines = [
        "<tr>" + "".join(_sortable_cell(column, at, number) for number, column in enumerate(columns)) + "</tr>"
        for at in range(len(columns[0].cells))
    ]
    head = f"<thead><tr>{_lines(heads)}</tr></thead>"
    label = 'role="region" aria-label="Students" tabindex="0"'
    return (
        f'<div class="wide" {label}><table class="sortable">\n{head}\n<tbody>\n{_lines(lines)}\n</tbody></table></div>'
    )


def _words(column: _Column) -> str:
    return ' class="words"' if column.words else ""


def _sortable_cell(column: _Column, at: int, number: int) -> str:
    value = f' data-value="{escape(column.values[at])}"'
    if number == 0:
        return f'<th scope="row"{value}>{column.cells[at]}</th>'
    return f"<td{value}{_words(column)}>{column.cells[at]}</td>"


def _link(student: str) -> str:
    return f'<a href="students/{quote(page_name(student))}">{name_html(student)}</a>'


def _points(points: float | None) -> str:
    return "-" if points is None else f"{round(points, 2):g}"


GRADEBOOK, INDEX, STUDENTS_DIRECTORY, LEFT_OUT = "gradebook.csv", "index.html", "students", "left_out.txt"
CANVAS, GRADESCOPE = "canvas.csv", "gradescope.zip"

#: Views of the database on the staff's page.
_SHOWN = ("hardest_opponents", "common_faults", "slowest_programs", "shared_mistakes")


def kept_regrades(out: Path, plan: ClassPlan, table: Path | None) -> dict[str, Regrade]:
    """Store the table's points of the staff, and return all stored ones by student key.

    Raises BadRegrades, BadDatabase.
    """
    given = read_regrades(table, plan.submissions.values(), plan.scheme.full_points) if table else {}
    if not given and not (out / DATABASE).exists():
        return {}
    with open_database(out / DATABASE) as database:
        database.keep_regrades(given)
        return database.regrades()


def write_gradebook(graded: ClassResult, out: Path) -> None:
    """Write the gradebook; raises OSError."""
    write_whole(out / GRADEBOOK, to_csv(graded.rows))


def write_uploads(
    rows: Sequence[StudentRow], out: Path, form: str, assignment: str, export: CanvasExport | None = None
) -> list[str]:
    """Write the points for Canvas, and for Gradescope if the submissions are from there.

    form: of the submissions. assignment: Canvas's name for it. export: Canvas's own table, if given. Return clauses on
    people who are in only one of the two. Raises OSError.
    """
    table, left = export.filled(rows, form) if export else (canvas_table(rows, form, assignment), [])
    write_whole(out / CANVAS, table)
    if form == "gradescope":
        write_whole(out / GRADESCOPE, gradescope_autograder(rows))
    return left


def write_pages(graded: ClassResult, out: Path, workers: int, head: str) -> None:
    """Review the changed games, and write database and pages.

    head: the class in a line. Raises OSError, BadDatabase.
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


#: Maximum bytes of a gradebook that is read again.
_MOST_GRADEBOOK = 256 * MIB


class IncompleteClass(Exception):
    """The output does not have each student once; the message is one line."""


def check_whole(found: Sequence[str], out: Path, *, pages: bool) -> None:
    """Read the output, and raise IncompleteClass unless each found student is there once.

    found: the submissions' names. pages: whether database and pages were written.
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
        raise IncompleteClass(f"{out}: two students have one page: please report this")
    for name, names in written.items():
        lost, more = Counter(expected[name]) - Counter(names), Counter(names) - Counter(expected[name])
        if lost or more:
            what = [f"lacks {names_text(lost)}"] * bool(lost) + [f"has too often {names_text(more)}"] * bool(more)
            raise IncompleteClass(f"{out / name} {' and '.join(what)}: please report this")


def student_games(graded: ClassResult) -> list[StudentGames]:
    """Return the games by student, with students without games."""
    players: dict[str, set[str]] = {name: set() for name in graded.plan.submissions}
    for player, (name, _) in graded.plan.players().items():
        players[name].add(player)
    records: dict[str, list[Record]] = {name: [] for name in players}
    student_of = {player: name for name, mine in players.items() for player in mine}
    for record in sorted(graded.records, key=lambda record: (record["black"], record["white"], record["number"])):
        for name in {student_of[record[side]] for side in SIDES if record[side] in student_of}:
            records[name].append(record)
    return [StudentGames(name, frozenset(players[name]), records[name]) for name in players]


def _review(games: Iterable[StudentGames], database: ClassDatabase, workers: int) -> None:
    """Review the games that changed; each student's reviews are stored once complete."""
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
    """Return the class in a line: students, games and points."""
    known = sorted(row.final for row in graded.rows if row.final is not None)
    line = f"{count_text(len(graded.rows), 'student')}, {count_text(len(graded.records), 'game')}"
    if not known:
        return line
    return f"{line}, points {known[0]:g} to {known[-1]:g}, median {median(known):g}"
