"""The points in the forms that Canvas and Gradescope import.

Canvas imports a table into its gradebook (``lib/gradebook_importer.rb`` of its source): the columns ``Student``,
``ID``, ``SIS User ID``, ``SIS Login ID``, ``Section``, then assignments as ``NAME (NUMBER)``. It finds a student by ID,
then by the two of SIS, then by name; an empty cell changes nothing.

Gradescope imports no points for programming assignments: they come from its autograder. So this one answers with the
points, by the submission's number in ``submission_metadata.json``, and opens no submission.
"""

import csv
import io
import json
from collections.abc import Iterable, Sequence

from arena.classroom.gradebook import StudentRow, cell_text
from runtime.files import zip_of

#: Canvas's required columns before those of assignments.
CANVAS_COLUMNS = ("Student", "ID", "SIS User ID", "SIS Login ID", "Section")

#: Gradescope's entry points for each submission, and for the setup.
_RUN, _SETUP = "run_autograder", "setup.sh"

_RUN_TEXT = """#!/usr/bin/env python3
import json

with open("/autograder/submission_metadata.json") as file:
    number = str(json.load(file)["id"])
with open("/autograder/source/points.json") as file:
    points = json.load(file)
if number not in points:
    raise SystemExit("submission " + number + " was not graded: it is not in points.json")
with open("/autograder/results/results.json", "w") as file:
    json.dump(points[number], file)
"""

_SETUP_TEXT = """#!/bin/sh
command -v python3 || { apt-get update && apt-get install -y python3; }
"""


def canvas_table(rows: Iterable[StudentRow], form: str, assignment: str) -> str:
    """Return the known points as a table for Canvas.

    form: of the submissions: Canvas's own export has its student numbers, others have those of the SIS.
    """
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow([*CANVAS_COLUMNS, assignment])
    for row in rows:
        if row.final is not None:
            who = row.submission
            ids = [who.number, "", ""] if form == "canvas" else ["", who.number, who.email]
            writer.writerow([cell_text(row.name), *map(cell_text, ids), "", round(row.final, 4)])
    return text.getvalue()


def gradescope_autograder(rows: Sequence[StudentRow]) -> bytes:
    """Return an autograder for Gradescope as a zip, without submissions whose partners' points differ."""
    apart = set(points_apart(rows))
    points = {
        row.submission.upload: {"score": round(row.final, 4), "output": "\n".join(row.explained())}
        for row in rows
        if row.final is not None and row.submission.upload and row.submission.upload not in apart
    }
    content = {_RUN: _RUN_TEXT, _SETUP: _SETUP_TEXT, "points.json": json.dumps(points, indent=1)}
    return zip_of({name: each.encode() for name, each in content.items()}, (_RUN, _SETUP))


def points_apart(rows: Iterable[StudentRow]) -> list[str]:
    """Return the numbers of Gradescope's submissions whose partners' points differ."""
    points: dict[str, set[float | None]] = {}
    for row in rows:
        points.setdefault(row.submission.upload, set()).add(row.final)
    return [upload for upload, different in points.items() if upload and len(different) > 1]
