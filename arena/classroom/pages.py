"""The pages of a class: the page for each student, and the page for the staff."""

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from hashlib import sha256
from statistics import fmean, median
from typing import Any, NamedTuple

from markupsafe import Markup

from little_go.arena.classroom.gradebook import ATTENTION, StudentRow, points_apart
from little_go.arena.review.fault import fault_kind
from little_go.arena.review.page import BOLD, Card, board, points_text, rendered
from little_go.arena.standings.tally import count_text, seconds_text
from little_go.solver.position import parse_move
from little_go.solver.symmetry import position_of

#: Maximum number of rows in a table of the staff's page, and maximum number of boards on this page.
_MOST_ROWS, _MOST_BOARDS = 10, 8

#: Maximum number of characters of a program's message that the staff's page shows.
_MOST_EXAMPLE = 80

#: Number of points that a bar of the distribution covers.
_STEP = 10


def page_name(student: str) -> str:
    """Return the file name of a student's page: the student's name, or its valid characters and digits of a hash.

    >>> page_name("Jane Doe"), page_name("a/b")
    ('Jane Doe.html', 'a_b c14cddc033f6.html')
    """
    plain = re.sub(r"[^\w .()@-]", "_", student).strip(". ")
    # A name that already ends in such digits also gets the digits of its hash, so two students never share a page.
    if plain != student or not plain or re.search(r" [0-9a-f]{12}$", plain):
        plain = f"{plain} {sha256(student.encode('utf-8', 'surrogateescape')).hexdigest()[:12]}"
    return f"{plain}.html"


def student_page(row: StudentRow, review: str) -> str:
    """Return the page for a student, which contains only this student's data: points, faults, lessons and notes.

    review: the review of the games as HTML.
    """
    return rendered("student.html", row=row, review=review)


def class_page(rows: Sequence[StudentRow], views: Mapping[str, Sequence[Mapping[str, Any]]], head: str) -> str:
    """Return the page for the staff. views: the rows of the database's views. head: a line on the class."""
    known = [row.final for row in rows if row.final is not None]
    return rendered(
        "class.html",
        head=head,
        rows=rows,
        attention=_attention(rows),
        columns=_columns(rows),
        distribution=_distribution(known, rows[0].plan.scheme.full_points) if known else {},
        known=len(known),
        mean=fmean(known or [0]),
        median=median(known or [0]),
        faults=[
            {**row, "fault": fault_kind(row["reason"]), "example": _cut(row["example"])}
            for row in views["common_faults"][:_MOST_ROWS]
        ],
        slowest=views["slowest_programs"][:_MOST_ROWS],
        opponents=views["hardest_opponents"],
        shared=[_card(row) for row in views["shared_mistakes"][:_MOST_BOARDS] if row["students"] > 1],
        page_of={row.name: page_name(row.name) for row in rows},
    )


def _attention(rows: Sequence[StudentRow]) -> dict[str, list[tuple[str, str]]]:
    """Return the students whom the staff should check and the reasons, by heading, the most urgent heading first."""
    found: dict[str, list[tuple[str, str]]] = {heading: [] for heading in ATTENTION}
    for row in rows:
        for heading, clause in row.attention().items():
            found[heading].append((row.name, clause))
    for upload in points_apart(rows):
        found["partners"].append(("", f"Gradescope's submission {upload}: its partners' points differ"))
    return {heading: listed for heading, listed in found.items() if listed}


def _distribution(known: Sequence[float], full: int) -> dict[str, int]:
    """Return the number of students in each range of points, the best range first. full: the maximum points."""
    most = full // _STEP * _STEP
    counts = Counter(min(most, int(points // _STEP) * _STEP) for points in known)
    return {f"{low} to {low + _STEP - 1}" if low < most else f"{most}": counts[low] for low in range(most, -1, -_STEP)}


def _cut(text: str) -> str:
    return text if len(text) <= _MOST_EXAMPLE else f"{text[:_MOST_EXAMPLE]} …"


def _card(row: Mapping[str, Any]) -> Card:
    move, better = row["move"], row["best_move"] or ""
    told = f"{move} is a mistake" + (f", {better} is better" if better else "")
    shown = board(position_of(row["key"]), parse_move(move), parse_move(better) if better else None, told)
    who = BOLD.format(count_text(row["students"], "student"))
    instead = Markup(" instead of <b>{}</b>").format(better) if better else ""
    lost = f" and the win, {count_text(row['decisive'], 'time')}" if row["decisive"] else ""
    lines = [("cost", f"costs up to {row['cost']}{lost}"), ("", row["why"] or "")]
    return Card(Markup("{}, ply {}: {}{}").format(who, row["ply"], move, instead), shown, lines)


class _Column(NamedTuple):
    """A column of the table of students. A click on the column's heading sorts the table.

    first: the sort order after the first click. cell: a function that returns the sort key, which may be "", and the
    displayed text.
    """

    head: str
    first: str
    cell: Callable[[StudentRow], tuple[str, str]]


def _columns(rows: Sequence[StudentRow]) -> list[_Column]:
    """Return the columns of the table of students between the first (the student) and the last (the notes)."""
    record = rows[0].record() if rows else {}
    keys = ["final", *(key for key in record if key.startswith("stage_")), *(["rank"] if "rank" in record else [])]
    return [
        *map(_points_column, keys),
        _Column("days late", "descending", lambda row: _counted(row.days)),
        _Column("faults", "descending", lambda row: _counted(len(row.losses))),
        _Column("won", "descending", _won),
        _Column("slowest move", "descending", _slowest),
    ]


def _points_column(key: str) -> _Column:
    def cell(row: StudentRow) -> tuple[str, str]:
        text = points_text(row.record()[key])
        return text.strip("-"), text

    head = {"final": "points"}.get(key, key.replace("_", " "))
    return _Column(head, "ascending" if key == "rank" else "descending", cell)


def _counted(count: int) -> tuple[str, str]:
    return f"{count}", f"{count or ''}"


def _won(row: StudentRow) -> tuple[str, str]:
    wins, games = row.results.wins.total(), row.results.games.total()
    return f"{wins}", f"{wins}/{games}" if games else ""


def _slowest(row: StudentRow) -> tuple[str, str]:
    most = row.results.clock.most
    return (f"{most:.6f}", seconds_text(most)) if row.results.clock else ("", "")
