"""The class as pages for a browser: one for the staff, and one to hand back to each student."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from hashlib import sha256
from html import escape
from typing import Any
from urllib.parse import quote

from arena.classroom.gradebook import StudentRow
from arena.review.fault import fault_kind
from arena.review.page import GLOSSARY, bar_html, cards_html, name_html, table_html, whole_page
from arena.standings.tally import counted, seconds_text
from book.drawing.picture import mistake_svg
from solver.position import parse_move
from solver.symmetry import position_of

#: So many rows and boards are on the staff's page.
_MOST_ROWS, _MOST_BOARDS = 10, 8

#: So much of what a program has said.
_MOST_EXAMPLE = 80

#: Points of a bar of the distribution.
_STEP = 10


def page_name(student: str) -> str:
    """Return the name of a student's page: the student's, or what can be a file's of it and a few digits.

    >>> page_name("Jane Doe"), page_name("a/b")
    ('Jane Doe.html', 'a_b c14cddc033f6.html')
    """
    plain = re.sub(r"[^\w .()@-]", "_", student).strip(". ")
    # Who is called as such a page would be gets digits too.
    if plain != student or not plain or re.search(r" [0-9a-f]{12}$", plain):
        plain = f"{plain} {sha256(student.encode('utf-8', 'surrogateescape')).hexdigest()[:12]}"
    return f"{plain}.html"


def student_page(row: StudentRow, reviewed: int, review: str) -> str:
    """Return the page to hand back: points, what there is to say, and what the games show.

    reviewed: how many games. review: of them, as HTML.
    """
    parts = [
        f"<h1>{name_html(row.name)}</h1>",
        f'<p class="facts"><b>{_points(row.final)} of {row.record()["full_points"]} points</b>{_how(row)}</p>',
        _stages(row),
    ]
    if notes := row.notes():
        parts += ["<h2>Notes</h2>", "<ul>", *(f"<li>{escape(note)}</li>" for note in notes), "</ul>"]
    if row.line.games:
        told = f"The mistakes are those of {counted(reviewed, 'game')}, lost ones first; faults are those of all games."
        shown = told if reviewed else "No game was played to its end. Faults are those of all games."
        parts += ["<h2>What the games show</h2>", f"<p>{shown}</p>", GLOSSARY, review]
    return whole_page(f"Little-Go: {row.name}", parts)


def _how(row: StudentRow) -> str:
    """Say how the points came about."""
    told = []
    if row.days and row.points is not None:
        told.append(f"{_points(row.points)} less {counted(row.days, 'day')} late")
    if row.grade is not None and len(row.grade.repetitions) > 1:
        told.append(f"the best of {', '.join(map(_points, row.grade.points))}")
    if row.ranking is not None:
        rank, wins = row.ranking.ranks[row.player], row.ranking.wins[row.player]
        told.append(f"rank {rank} of {len(row.ranking.wins)} in the second stage, with {counted(wins, 'WIN')}")
    return f": {escape('; '.join(told))}" if told else ""


def _stages(row: StudentRow) -> str:
    rows = []
    for stage in row.best:
        for mark in stage.marks:
            line = mark.line
            games = [f"{line.wins[side]}/{line.games[side]}" for side in ("black", "white")]
            points = "0 (over the CPU limit)" if stage.over_time else _points(mark.points)
            cpu = [seconds_text(line.clock.mean), seconds_text(line.clock.most)]
            rows.append([_whole(mark.opponent.agent), f"{stage.number}", *games, points, f"{mark.opponent.full}", *cpu])
    head = ["opponent", "stage", "won as Black", "won as White", "points", "of", "CPU mean", "max"]
    return table_html(head, rows) if rows else "<p>No game was played.</p>"


def class_page(rows: Sequence[StudentRow], views: Mapping[str, Sequence[Mapping[str, Any]]], head: str) -> str:
    """Return the staff's page. views: rows of the database by view. head: the class in a line."""
    parts = [
        "<h1>The class</h1>",
        f'<p class="facts">{escape(head)}</p>',
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
        "<h2>Students</h2>",
        _students(rows),
    ]
    return whole_page("Little-Go: the class", parts)


def _distribution(rows: Sequence[StudentRow]) -> str:
    known = [row.final for row in rows if row.final is not None]
    if not known:
        return "<p>No student's games are all played.</p>"
    most = int(max(row.record()["full_points"] for row in rows)) // _STEP * _STEP
    counts = Counter(min(most, int(points // _STEP) * _STEP) for points in known)
    highest = max(counts.values())
    lines = [
        [f"{low} to {low + _STEP - 1}" if low < most else f"{most}", bar_html(counts[low], highest) or "0"]
        for low in range(most, -1, -_STEP)
    ]
    ordered = sorted(known)
    mean, middle = sum(known) / len(known), ordered[len(ordered) // 2]
    told = f"Mean {mean:.1f}, median {middle:g}, of {counted(len(known), 'student')}."
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
    """Return a word of ours that is not broken where a table is narrow."""
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
    """Return the mistakes of several students with their boards; one student's alone are on that page."""
    cards = [_card(row) for row in rows[:_MOST_BOARDS] if row["students"] > 1]
    return (
        cards_html("ul", cards) if cards else "<p>No two students have made the same mistake in the reviewed games.</p>"
    )


def _card(row: Mapping[str, Any]) -> str:
    move, better = row["move"], row["best_move"]
    told = f"{move} is a mistake" + (f", {better} is better" if better else "")
    position = position_of(row["key"])
    board = mistake_svg(position, parse_move(move), parse_move(better) if better else None, told)
    lost = f" and the win, {counted(row['decisive'], 'time')}" if row["decisive"] else ""
    why = f"\n<p>{escape(row['why'])}</p>" if row["why"] else ""
    head = f"<b>{counted(row['students'], 'student')}</b>, ply {row['ply']}: {move}" + (
        f" instead of <b>{better}</b>" if better else ""
    )
    return f'<article>\n<h4>{head}</h4>\n{board}\n<p class="cost">costs up to {row["cost"]}{lost}</p>{why}\n</article>'


def _students(rows: Sequence[StudentRow]) -> str:
    found = [(row, row.record()) for row in rows]
    if not found:
        return ""
    stages = [key for key in found[0][1] if key.startswith("stage_")]
    second = ["rank"] if "rank" in found[0][1] else []
    lines = [
        [
            _link(row.name),
            _points(record["final"]),
            *(_points(record[key]) for key in stages),
            *(f"{record[key] or ''}" for key in second),
            f"{record['wins']}/{record['games']}",
            escape(record["faults"]) or "-",
            f"{len(row.notes()) or ''}",
        ]
        for row, record in found
    ]
    head = ["student", "points", *(key.replace("_", " ") for key in stages), *second, "won", "faults", "notes"]
    return table_html(head, lines)


def _link(student: str) -> str:
    return f'<a href="students/{quote(page_name(student))}">{name_html(student)}</a>'


def _points(points: float | None) -> str:
    return "-" if points is None else f"{round(points, 2):g}"
