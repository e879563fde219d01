"""The gradebook: a row for each student as a dictionary, as CSV, and in an autograder for Gradescope.

Gradescope does not import points for programming assignments, but runs an autograder that returns the points. So
Little-Go writes an autograder that contains the points of all submissions, and finds the points of a submission by the
number in ``submission_metadata.json``.
"""

import csv
import io
import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, NamedTuple

from little_go.arena.classroom.basis import Basis, Cause, deciding
from little_go.arena.classroom.plan import AMONG_STUDENTS, ClassPlan, Ranking, enters
from little_go.arena.classroom.staff_tables import Regrade, after_penalty
from little_go.arena.classroom.starts import AT_START, WITH_WARNINGS
from little_go.arena.classroom.submissions import PARTNERS, SAME_FILES, Submission
from little_go.arena.classroom.unpacking import names_text
from little_go.arena.course.grading import Grade, StageGrade
from little_go.arena.match.host import ILLEGAL, PLAYED_OUT
from little_go.arena.review.fault import fault_past
from little_go.arena.standings.tally import SIDES, AgentRow, count_text, killed_text
from little_go.arena.standings.tournament import Record
from little_go.runtime.files import zip_of

#: The characters with which a formula begins in a spreadsheet.
_FORMULA = ("=", "+", "-", "@", "\t", "\r")


#: The reasons why the staff should check a student, the most urgent first.
ATTENTION = (
    "no points yet",
    "not graded",
    "fails at its start",
    "games not played",
    "the same files",
    "partners",
    "over the CPU limit",
    "late",
    "compiled with warnings",
    "points from the staff",
)


class Loss(NamedTuple):
    """A game that was lost by a fault.

    reason, detail: the fields of the host's Result. ply: the ply at which the program was called. opponent: the
    winner's name.
    """

    reason: str
    detail: str
    ply: int
    opponent: str


def by_reason(losses: Iterable[Loss]) -> list[list[Loss]]:
    """Return groups of losses with the same reason, the largest group first. Each group is sorted by ply."""
    groups: dict[str, list[Loss]] = {}
    for loss in sorted(losses, key=lambda each: each.ply):
        groups.setdefault(loss.reason, []).append(loss)
    return sorted(groups.values(), key=lambda alike: (-len(alike), alike[0].reason))


def losses_text(alike: Sequence[Loss]) -> str:
    """Return a clause about games that were lost because of the same fault.

    >>> losses_text([Loss("invalid_occupied", "2,2 is occupied", 8, "random")] * 2)
    '2 games lost: played on a point that has a stone, at ply 8 (2,2 is occupied)'
    """
    detail, count = Counter(loss.detail for loss in alike).most_common(1)[0]
    plies = {loss.ply for loss in alike}
    ply = f"at ply {min(plies)}" if len(plies) == 1 else f"first at ply {min(plies)}"
    share = f" in {count} of them" if count < len(alike) else ""
    example = f" ({detail}{share})" if detail else ""
    return f"{count_text(len(alike), 'game')} lost: {fault_past(alike[0].reason)}, {ply}{example}"


@dataclass(frozen=True)
class StudentRow:
    """The row of a student in the gradebook.

    grade: None if the student has no program that can play, or if our machine could not start the program. days: days
    late. results: the counts of all games. expected: the number of games to play against the course's agents. repeated:
    the number of games that were played again. ranking: the ranking of the second stage of 2020, or None if the student
    did not enter this stage. losses: the games lost by a fault. regrade: the points that the staff gave, if any.
    """

    submission: Submission
    plan: ClassPlan
    grade: Grade | None
    days: int
    results: AgentRow
    expected: int
    repeated: int
    ranking: Ranking | None = None
    losses: Sequence[Loss] = ()
    regrade: Regrade | None = None

    @property
    def name(self) -> str:
        """The student's name."""
        return self.submission.name

    @property
    def cause(self) -> Cause | None:
        """The cause that determines the points, or None if no cause does."""
        cause = deciding(self.submission.causes.values())
        return cause if cause and (cause.basis.is_open or self.grade is None) else None

    @property
    def basis(self) -> Basis:
        """The basis of the student's final points."""
        return Basis.STAFF if self.regrade else self._basis

    @property
    def _basis(self) -> Basis:
        """The basis that the points would have without a decision of the staff."""
        if self.cause:
            return self.cause.basis
        if self.grade is None:
            return Basis.NO_PROGRAM
        return Basis.GAMES if self.grade.best is not None else Basis.GAMES_MISSING

    @cached_property
    def points(self) -> float | None:
        """The points before the penalty for days late; None if they are unknown, 0 if the program cannot play."""
        if self._basis.is_open:
            return None
        return 0.0 if self.grade is None else self.grade.best

    @property
    def final(self) -> float | None:
        """The final points: the points that the staff gave, or else the points of the games after the penalty."""
        return self.regrade.points if self.regrade else self.earned

    @property
    def earned(self) -> float | None:
        """The points of the games after the penalty for days late; None if the points are unknown."""
        return None if self.points is None else after_penalty(self.points, self.days, self.daily)

    @property
    def daily(self) -> float:
        """The penalty for each day late, in per cent of the points."""
        return self.plan.course.late_penalty

    @cached_property
    def best(self) -> list[StageGrade]:
        """The grades of the stages in the repetition with the most points, or in the first such repetition."""
        if self.grade is None:
            return []
        known = [point if point is not None else -1.0 for point in self.grade.points]
        return self.grade.repetitions[known.index(max(known))]

    @property
    def player(self) -> str:
        """The name of the student's program in the second stage of 2020."""
        return self.plan.player(self.name, 2)

    @property
    def over_limit(self) -> list[StageGrade]:
        """The stages in which the program exceeded the CPU limit for all games."""
        return [stage for stage in self.best if stage.over_time]

    def notes(self) -> list[str]:
        """Return all notes for the staff as clauses, which may name other students."""
        notes = [*self.submission.staff_notes]
        if self.ranking is not None and (tied := self.ranking.tied(self.player)):
            notes.append(f"rank shared with {', '.join(tied)}")
        return [*notes, *self.student_notes()]

    def student_notes(self) -> list[str]:
        """Return the notes for the student as clauses."""
        notes = list(self.submission.notes)
        if self.regrade:
            notes.append(f"the staff gave {_text(self.regrade.points)} points: {self.regrade.reason}")
        if self.days:
            taken = min(100.0, self.daily * self.days)
            notes.append(f"{count_text(self.days, 'day')} late: {taken:g} % of the points taken away")
        notes += [
            f"stage {stage.number}: over the limit of {stage.cpu_limit:g} s of CPU for all games, all points lost"
            for stage in self.over_limit
        ]
        return [*notes, *self.game_notes()]

    def game_notes(self) -> list[str]:
        """Return notes on games that are missing, were played again, or were lost by a fault."""
        notes = []
        if self.grade is not None and self.grade.games < self.expected:
            notes.append(f"{self.grade.games:,} of {count_text(self.expected, 'game')} played")
        if self.repeated:
            notes.append(f"{count_text(self.repeated, 'game')} played again, because the machine was busy")
        notes += [losses_text(alike) for alike in by_reason(self.losses)]
        if self.results.killed:
            notes.append(f"killed for time: {killed_text(self.results.killed, self.results.by_clock)}")
        if self.results.inexact:
            notes.append(
                f"answers not in the exact format: {self.results.inexact.total()}, such as {self.results.inexact_text}"
            )
        if self.ranking is not None and (left := sum(self.player in pair for pair in self.ranking.open)):
            notes.append(f"second stage: {count_text(left, 'pair')} not all played")
        return notes

    def attention(self) -> dict[str, str]:
        """Return the reasons why the staff should check this student, by heading, in the order of ATTENTION."""
        notes = [re.sub(r"^stage \d: ", "", note) for note in self.submission.all_notes]
        clauses = {
            "no points yet": self._open_clause(),
            "not graded": self._not_graded_clause(),
            "fails at its start": next((note for note in notes if note.startswith(AT_START)), ""),
            "games not played": self._missing_games_clause(),
            "the same files": _rest_of_note(notes, SAME_FILES),
            "partners": _rest_of_note(notes, PARTNERS),
            "over the CPU limit": ", ".join(f"stage {stage.number}" for stage in self.over_limit),
            "late": count_text(self.days, "day") if self.days else "",
            "compiled with warnings": _rest_of_note(notes, WITH_WARNINGS),
            "points from the staff": f"{_text(self.regrade.points)}: {self.regrade.reason}" if self.regrade else "",
        }
        return {heading: clauses[heading] for heading in ATTENTION if clauses[heading]}

    def _open_clause(self) -> str:
        return self.cause.words if self.cause and self.cause.basis.is_open else ""

    def _not_graded_clause(self) -> str:
        if self.cause:
            return "" if self.cause.basis.is_open else self.cause.words
        return "" if self.grade else "it has no program"

    def _missing_games_clause(self) -> str:
        missing = self.expected - self.grade.games if self.grade else 0
        return f"{missing:,} of {count_text(self.expected, 'game')}" if missing else ""

    def explained(self) -> list[str]:
        """Return sentences that explain how the points were calculated from the student's results."""
        if self.cause and self.cause.basis.is_open:
            lines = ["There are no points yet, through no fault of yours."]
        elif self.grade is None:
            lines = ["No game was played, so there are no points."]
        else:
            lines = [line for stage in self.best for line in _stage_explained(stage)]
            lines += self._sum_explained(self.grade)
        if self.days and self.earned is not None:
            share = max(0.0, 1 - self.daily * self.days / 100)
            left = f"{_text(self.points or 0)} x {share:g} = {_text(self.earned)} points"
            lines.append(f"{count_text(self.days, 'day')} late, each of which takes {self.daily:g} % away: {left}.")
        if self.ranking is not None:
            rank, wins = self.ranking.ranks[self.player], self.ranking.wins[self.player]
            lines.append(f"Second stage: rank {rank} of {len(self.ranking.wins)}, with {count_text(wins, 'WIN')}.")
        if self.regrade is not None:
            lines.append(f"The staff gave {_text(self.regrade.points)} points instead: {self.regrade.reason}")
        return lines

    def _sum_explained(self, grade: Grade) -> Iterator[str]:
        summands = [0.0 if stage.over_time else mark.points for stage in self.best for mark in stage.marks]
        known = [points for points in summands if points is not None]
        if len(known) == len(summands) > 1:
            yield f"Together: {' + '.join(map(_text, known))} = {_text(sum(known))} points."
        if len(grade.repetitions) > 1:
            each = ", ".join("not yet known" if points is None else _text(points) for points in grade.points)
            yield (
                f"All games were played {len(grade.repetitions)} times, and the best result counts: {each}."
                " The numbers above are from the best repetition."
            )

    def record(self) -> dict[str, Any]:
        """Return the row as a dictionary, in the order of the gradebook's columns.

        Points come from the best repetition, and are None until its games are played.
        """
        submission = self.submission
        marks = {mark.opponent.agent: mark.points for stage in self.best for mark in stage.marks}
        stages = {stage.number: stage.points for stage in self.best}
        program = next((submission.programs[number] for number in sorted(submission.programs)), None)
        clock = self.results.clock
        scheme = self.plan.scheme
        return {
            "name": self.name,
            "number": submission.number,
            "email": submission.email,
            "student_key": submission.key,
            "program": "" if program is None else program.file,
            "final": _rounded(self.final),
            "points": _rounded(self.points),
            "full_points": scheme.full_points,
            "late_days": self.days,
            "regraded": None if self.regrade is None else _rounded(self.regrade.points),
            "regrade_reason": "" if self.regrade is None else self.regrade.reason,
            **{f"stage_{number}": _rounded(stages.get(number, 0.0)) for number in scheme.stages},
            **{
                opponent.agent: _rounded(marks.get(opponent.agent, 0.0))
                for stage in scheme.stages.values()
                for opponent in stage.opponents
            },
            **(self._second_stage() if self.plan.year == AMONG_STUDENTS else {}),
            "games": self.results.games.total(),
            "wins": self.results.wins.total(),
            "cpu_mean": round(clock.mean, 4),
            "cpu_max": round(clock.most, 4),
            "cpu_total": round(sum(clock), 3),
            "basis": self.basis.value,
            "faults": " ".join(f"{reason} {count}" for reason, count in sorted(self.results.faults.items())),
            "attention": "; ".join(self.attention()),
            "notes": "; ".join(self.notes()),
        }

    def _second_stage(self) -> dict[str, Any]:
        """Return the columns of the second stage of 2020, most of which are None if the student did not enter it."""
        if self.ranking is None:
            return {"entered": enters(self.points), "pairs_won": None, "rank": None}
        wins = self.ranking.wins[self.player]
        return {"entered": True, "pairs_won": wins, "rank": self.ranking.ranks[self.player]}


def _rest_of_note(notes: Iterable[str], beginning: str) -> str:
    """Return the first note with this beginning, but without the beginning; "" if there is no such note."""
    found = next((note for note in notes if note.startswith(beginning)), "")
    return found.removeprefix(beginning).lstrip(": ")


def _stage_explained(stage: StageGrade) -> Iterator[str]:
    for mark in stage.marks:
        yield f"{mark.opponent.agent}: {mark.explained()}"
    if stage.cpu_limit is not None and stage.total.clock:
        took = f"Stage {stage.number}: all games took {sum(stage.total.clock):,.1f} s of CPU, and may take"
        yield f"{took} {stage.cpu_limit:,g} s{': all its points are lost' if stage.over_time else ''}."


def rows_of(
    plan: ClassPlan,
    records: Iterable[Record],
    days: Mapping[str, int],
    expected: Mapping[str, int],
    ranking: Ranking | None = None,
) -> list[StudentRow]:
    """Return the gradebook's rows.

    days: the days late of each student. expected: the number of each student's games against the course's agents.
    ranking: the ranking of the second stage of 2020.
    """
    return [
        _row(plan, name, mine, days.get(name, 0), expected.get(name, 0), ranking)
        for name, mine in plan.games_of(records).items()
    ]


def _row(
    plan: ClassPlan, name: str, records: Sequence[Record], days: int, expected: int, ranking: Ranking | None
) -> StudentRow:
    results, losses, names = AgentRow(), list[Loss](), plan.names_of(name)
    for record in records:
        for side in SIDES:
            if record[side] in names:
                results.add(record, side)
                losses += _losses(record, side)
    grade = plan.grade(name, records) if expected else None
    repeated = sum("again" in record for record in records)
    entered = ranking if ranking is not None and plan.player(name, 2) in ranking.wins else None
    return StudentRow(plan.submissions[name], plan, grade, days, results, expected, repeated, entered, losses)


def _losses(record: Record, side: str) -> Iterator[Loss]:
    if record["winner"].lower() != side and record["reason"] not in PLAYED_OUT:
        # The moves of a record include an illegal move, but not a missing answer, so a missing answer's ply is one
        # more.
        ply = len(record["moves"]) + (not record["reason"].startswith(ILLEGAL))
        opponent = record[SIDES[1 - SIDES.index(side)]]
        yield Loss(record["reason"], record.get("detail", ""), ply, opponent)


def to_csv(rows: Iterable[StudentRow]) -> str:
    """Return the gradebook as CSV, with escaped texts, so that no spreadsheet reads a student's text as a formula."""
    records = [row.record() for row in rows]
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(records[0])
    for record in records:
        writer.writerow([_cell(value) for value in record.values()])
    return text.getvalue()


def _cell(value: Any) -> Any:
    if isinstance(value, bool):
        return int(value)
    return cell_text(value) if isinstance(value, str) else value


def cell_text(text: str) -> str:
    """Return a text as a cell of the gradebook: in one line, and with ``'`` before a formula."""
    line = " ".join(text.split())
    return f"'{line}" if line.startswith(_FORMULA) else line


def _rounded(points: float | None) -> float | None:
    return None if points is None else round(points, 4)


def _text(points: float) -> str:
    return f"{round(points, 2):g}"


def with_regrades(rows: Iterable[StudentRow], regrades: Mapping[str, Regrade]) -> list[StudentRow]:
    """Return the rows with the points that the staff gave. regrades: these points by student key."""
    return [replace(row, regrade=regrades.get(row.submission.key)) for row in rows]


def open_text(rows: Iterable[StudentRow]) -> str:
    """Return a line on the students without points, the causes and the remedy, or "" if there are no such students."""
    waiting = [(row.name, row.cause) for row in rows if row.cause and row.basis is row.cause.basis]
    lines = []
    for basis, what_to_do in (
        (Basis.NOT_PROVIDED, ""),
        (Basis.OUR_FAULT, ": give the same command again when that has ended"),
    ):
        if causes := [(name, cause) for name, cause in waiting if cause.basis is basis]:
            who = f"{count_text(len(causes), 'student')} without points ({names_text(name for name, _ in causes)})"
            lines.append(f"{who}: {causes[0][1].words}{what_to_do}")
    return "; ".join(lines)


#: The names of the programs that Gradescope runs: for each submission, and once for the setup.
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


def gradescope_autograder(rows: Sequence[StudentRow]) -> bytes:
    """Return an autograder for Gradescope as a zip, without submissions whose partners have different points."""
    differing = set(points_apart(rows))
    points = {
        row.submission.upload: {"score": round(row.final, 4), "output": "\n".join(row.explained())}
        for row in rows
        if row.final is not None and row.submission.upload and row.submission.upload not in differing
    }
    content = {_RUN: _RUN_TEXT, _SETUP: _SETUP_TEXT, "points.json": json.dumps(points, indent=1)}
    return zip_of({name: each.encode() for name, each in content.items()}, (_RUN, _SETUP))


def points_apart(rows: Iterable[StudentRow]) -> list[str]:
    """Return the numbers of Gradescope's submissions whose partners have different points."""
    points: dict[str, set[float | None]] = {}
    for row in rows:
        points.setdefault(row.submission.upload, set()).add(row.final)
    return [upload for upload, different in points.items() if upload and len(different) > 1]
