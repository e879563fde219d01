"""The gradebook: a row for each student, as CSV and as JSON keys."""

import csv
import io
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from arena.classroom.late import after_penalty
from arena.classroom.plan import AMONG_STUDENTS, ClassPlan, Ranking, enters
from arena.classroom.submissions import Submission
from arena.course.grading import Grade, StageGrade
from arena.standings.tally import SIDES, AgentRow, counted, killed_text
from arena.standings.tournament import Record

#: What a spreadsheet takes for a formula.
_FORMULA = ("=", "+", "-", "@", "\t", "\r")


@dataclass(frozen=True)
class StudentRow:
    """A student's row.

    grade: None for one whose programs cannot play. days: late. line: over all games. expected: games to play against
    the course's agents. ranking: of 2020's second stage, for those who have entered it.
    """

    submission: Submission
    plan: ClassPlan
    grade: Grade | None
    days: int
    line: AgentRow
    expected: int
    again: int
    ranking: Ranking | None = None

    @property
    def name(self) -> str:
        """The student's name."""
        return self.submission.name

    @cached_property
    def points(self) -> float | None:
        """The points before the days late; None while games are missing. Without a program there are none."""
        return 0.0 if self.grade is None else self.grade.best

    @property
    def final(self) -> float | None:
        """The points that count."""
        return None if self.points is None else after_penalty(self.points, self.days, self.plan.course.late_penalty)

    @cached_property
    def best(self) -> list[StageGrade]:
        """The stages of the repetition that counts: the first of the best ones."""
        if self.grade is None:
            return []
        known = [point if point is not None else -1.0 for point in self.grade.points]
        return self.grade.repetitions[known.index(max(known))]

    @property
    def player(self) -> str:
        """The name of the program that plays 2020's second stage."""
        return self.plan.player(self.name, 2)

    def notes(self) -> list[str]:
        """Return all that there is to say, each a clause."""
        notes = list(self.submission.notes)
        if self.days:
            taken = min(100, self.plan.course.late_penalty * self.days)
            notes.append(f"{counted(self.days, 'day')} late: {taken:g} % of the points taken away")
        if self.grade is not None and self.grade.games < self.expected:
            notes.append(f"{self.grade.games:,} of {counted(self.expected, 'game')} played")
        if self.again:
            notes.append(f"{counted(self.again, 'game')} played again, as the machine was busy")
        notes += [
            f"stage {stage.number}: over the limit of {stage.cpu_limit:g} s of CPU for all games, all points lost"
            for stage in self.best
            if stage.over_time
        ]
        if self.line.killed:
            notes.append(f"killed for time: {killed_text(self.line.killed, self.line.by_clock)}")
        notes += [f"lost by {line}" for line in self.line.fault_lines()]
        if self.line.inexact:
            notes.append(
                f"answers not in the exact format: {self.line.inexact.total()}, such as {self.line.inexact_text}"
            )
        if self.ranking is not None:
            if tied := self.ranking.tied(self.player):
                notes.append(f"rank shared with {', '.join(tied)}")
            if left := sum(self.player in pair for pair in self.ranking.open):
                notes.append(f"second stage: {counted(left, 'pair')} not all played")
        return notes

    def record(self) -> dict[str, Any]:
        """Return the row as JSON keys: points, of the repetition that counts, null until its games are played."""
        submission = self.submission
        marks = {mark.opponent.agent: mark.points for stage in self.best for mark in stage.marks}
        stages = {stage.number: stage.points for stage in self.best}
        program = next((submission.programs[number] for number in sorted(submission.programs)), None)
        clock = self.line.clock
        scheme = self.plan.scheme
        return {
            "name": self.name,
            "number": submission.number,
            "email": submission.email,
            "student_key": submission.key,
            "program": "" if program is None else program.file,
            "final": _rounded(self.final),
            "points": _rounded(self.points),
            "full_points": sum(each.full for stage in scheme.stages.values() for each in stage.opponents),
            "late_days": self.days,
            **{f"stage_{number}": _rounded(stages.get(number, 0.0)) for number in scheme.stages},
            **{
                opponent.agent: _rounded(marks.get(opponent.agent, 0.0))
                for stage in scheme.stages.values()
                for opponent in stage.opponents
            },
            **(self._second_stage() if self.plan.year == AMONG_STUDENTS else {}),
            "games": self.line.games.total(),
            "wins": self.line.wins.total(),
            "cpu_mean": round(clock.mean, 4),
            "cpu_max": round(clock.most, 4),
            "cpu_total": round(sum(clock), 3),
            "faults": " ".join(f"{reason} {count}" for reason, count in sorted(self.line.faults.items())),
            "notes": "; ".join(self.notes()),
        }

    def _second_stage(self) -> dict[str, Any]:
        """Return the fields of 2020's second stage, null for those who have not entered it."""
        if self.ranking is None:
            return {"entered": enters(self.points), "pairs_won": None, "rank": None}
        wins = self.ranking.wins[self.player]
        return {"entered": True, "pairs_won": wins, "rank": self.ranking.ranks[self.player]}


def rows_of(
    plan: ClassPlan,
    records: Iterable[Record],
    days: Mapping[str, int],
    expected: Mapping[str, int],
    ranking: Ranking | None = None,
) -> list[StudentRow]:
    """Return the rows of a class, given the games that count. expected: games of each student against the agents."""
    student_of = {player: name for player, (name, _) in plan.players().items()}
    by_student: dict[str, list[Record]] = {}
    for record in records:
        for name in {student_of[record[side]] for side in SIDES if record[side] in student_of}:
            by_student.setdefault(name, []).append(record)
    return [
        _row(plan, name, by_student.get(name, []), student_of, days.get(name, 0), expected.get(name, 0), ranking)
        for name in plan.submissions
    ]


def _row(
    plan: ClassPlan,
    name: str,
    records: Sequence[Record],
    student_of: Mapping[str, str],
    days: int,
    expected: int,
    ranking: Ranking | None,
) -> StudentRow:
    line = AgentRow()
    for record in records:
        for side in SIDES:
            if student_of.get(record[side]) == name:
                line.add(record, side)
    grade = plan.grade(name, records) if expected else None
    again = sum("again" in record for record in records)
    entered = ranking if ranking is not None and plan.player(name, 2) in ranking.wins else None
    return StudentRow(plan.submissions[name], plan, grade, days, line, expected, again, entered)


def to_csv(rows: Iterable[StudentRow]) -> str:
    """Return the gradebook as CSV; no text of a student's is a formula for a spreadsheet."""
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
    """Return a text as a cell of the gradebook."""
    line = " ".join(text.split())
    return f"'{line}" if line.startswith(_FORMULA) else line


def _rounded(points: float | None) -> float | None:
    return None if points is None else round(points, 4)


def common_faults(rows: Iterable[StudentRow]) -> list[tuple[str, int, int]]:
    """Return the reasons other than the score for which games were lost: each with its students and its games."""
    students: Counter[str] = Counter()
    games: Counter[str] = Counter()
    for row in rows:
        for reason, count in row.line.faults.items():
            students[reason] += 1
            games[reason] += count
    return [(reason, count, games[reason]) for reason, count in students.most_common()]
