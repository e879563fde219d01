"""Grade an agent by a year's scheme: its games and their points.

A game is identified by opponent and number: the agent is Black in even ones, and each repetition continues the numbers
of the one before.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import chain, takewhile
from typing import Any, NamedTuple

from arena.course.schemes import Opponent, Round, Scheme, Stage
from arena.standings.tally import SIDES, AgentRow, aligned, counted, seconds_text
from arena.standings.tournament import Fixture, Record, draw_fixture


class GradingPlan(NamedTuple):
    """The games of a grading.

    agent: the graded one. stages: the scheme's stages that are played. submit: whether to play as the submit button
    does. most: for a quick check, the maximum of games against each opponent, played once; None for all games.
    """

    agent: str
    scheme: Scheme
    stages: tuple[int, ...]
    submit: bool
    most: int | None = None

    @property
    def repetitions(self) -> int:
        """The number of repetitions; one for the submit button and for a quick check."""
        return 1 if self.submit or self.most else self.scheme.repetitions

    @property
    def opponents(self) -> list[str]:
        """The opponents' names, in the order of the stages."""
        return [opponent.agent for number in self.stages for opponent in self._stage(number).against(self.submit)]

    def fixtures(self, seed: int) -> list[Fixture]:
        """Return all games: repetition by repetition, stage by stage, the opponents in turn."""
        return [
            self._fixture(opponent.agent, number, seed)
            for repetition in range(self.repetitions)
            for stage in map(self._stage, self.stages)
            for number in _numbers(repetition, self._round(stage).games)
            for opponent in stage.against(self.submit)
        ]

    def grade(self, records: Iterable[Record]) -> "Grade":
        """Compute the points from those games of ``fixtures`` that were played."""
        by_key = {(record["black"], record["white"], record["number"]): record for record in records}
        return Grade(
            self,
            [
                [self._stage_grade(number, repetition, by_key) for number in self.stages]
                for repetition in range(self.repetitions)
            ],
        )

    def _stage(self, number: int) -> Stage:
        return self.scheme.stages[number]

    def _round(self, stage: Stage) -> Round:
        """Return a stage's games and CPU limit; a quick check has the same share of both."""
        games, cpu = stage.round(self.submit)
        played = min(games, self.most or games)
        return Round(played, None if cpu is None else cpu * played / games)

    def _fixture(self, opponent: str, number: int, seed: int) -> Fixture:
        """Return a game; its seed depends on opponent (so on the stage) and number, and is the same for all agents."""
        drawn = draw_fixture("graded", opponent, number, seed)
        black, white = (self.agent, opponent) if number % 2 == 0 else (opponent, self.agent)
        return drawn._replace(black=black, white=white)

    def _stage_grade(self, number: int, repetition: int, by_key: dict[tuple[str, str, int], Record]) -> "StageGrade":
        stage = self._stage(number)
        games, cpu_limit = self._round(stage)
        found = StageGrade(number, cpu_limit, [Mark(opponent, games) for opponent in stage.against(self.submit)])
        for mark in found.marks:
            for game in _numbers(repetition, games):
                record = by_key.get(self._fixture(mark.opponent.agent, game, 0).key)
                if record:
                    mark.line.add(record, SIDES[game % 2])
                    found.total.add(record, SIDES[game % 2])
        return found


@dataclass(frozen=True)
class Mark:
    """The games against one opponent.

    games: their planned number. line: the agent's results of those played.
    """

    opponent: Opponent
    games: int
    line: AgentRow = field(default_factory=AgentRow)

    @property
    def points(self) -> float | None:
        """The points without the stage's CPU limit; None until all games are played."""
        played = self.line.games.total()
        return self.opponent.points(self.line.wins.total(), played) if played == self.games else None

    def record(self) -> dict[str, Any]:
        """Return the mark as JSON keys."""
        return {
            "opponent": self.opponent.agent,
            "points": _rounded(self.points),
            "full_points": self.opponent.full,
            **self.line.record(),
        }

    def cells(self) -> list[str]:
        """Return a row of the table."""
        points = [_points_text(self.points), f"{self.opponent.full}"]
        return _cells(self.opponent.agent, self.line, points, self.line.faults_text())


@dataclass(frozen=True)
class StageGrade:
    """A stage played once.

    cpu_limit: seconds of CPU for all games, None without a limit. marks: one for each opponent. total: the agent's
    results over all of them.
    """

    number: int
    cpu_limit: float | None
    marks: list[Mark]
    total: AgentRow = field(default_factory=AgentRow)

    @property
    def over_time(self) -> bool:
        """Whether the agent exceeded the CPU limit for all games, which loses all points."""
        return self.cpu_limit is not None and sum(self.total.clock) > self.cpu_limit

    @property
    def points(self) -> float | None:
        """The points that count; None until all games are played."""
        points = _total(mark.points for mark in self.marks)
        return 0.0 if points is not None and self.over_time else points

    @property
    def full_points(self) -> int:
        """The maximum of points."""
        return sum(mark.opponent.full for mark in self.marks)

    def record(self) -> dict[str, Any]:
        """Return the stage as JSON keys; ``cpu_limit`` is in seconds, null without a limit."""
        return {
            "stage": self.number,
            "points": _rounded(self.points),
            "full_points": self.full_points,
            **self.total.record(),
            "cpu_limit": self.cpu_limit,
            "over_time": self.over_time,
            "opponents": [mark.record() for mark in self.marks],
        }

    def text(self) -> list[str]:
        """Return the stage as lines of text."""
        head = ["opponent", "games", "as Black", "as White", "win rate", "points", "of", "CPU mean", "max", "total"]
        points = [_points_text(self.points), f"{self.full_points}"]
        total = _cells("total", self.total, points, self._limit_text())
        table = aligned([[*head, "lost by fault"], *(mark.cells() for mark in self.marks), total])
        return [*table, *self.total.fault_lines()]

    def _limit_text(self) -> str:
        if self.cpu_limit is None:
            return "(no limit for all games)"
        return f"(limit {self.cpu_limit:g} s{': over it, all points lost' if self.over_time else ''})"


@dataclass(frozen=True)
class Grade:
    """All repetitions of all stages."""

    plan: GradingPlan
    repetitions: list[list[StageGrade]]

    @property
    def games(self) -> int:
        """The number of games played."""
        return sum(stage.total.games.total() for stages in self.repetitions for stage in stages)

    @property
    def points(self) -> list[float | None]:
        """The points of each repetition, None until its games are played."""
        return [_total(stage.points for stage in stages) for stages in self.repetitions]

    @property
    def best(self) -> float | None:
        """The points of the best repetition; None until all are played."""
        points = [point for point in self.points if point is not None]
        return max(points) if len(points) == len(self.repetitions) else None

    @property
    def full_points(self) -> int:
        """The maximum of points."""
        return sum(stage.full_points for stage in self.repetitions[0])

    def record(self) -> dict[str, Any]:
        """Return the grade as JSON keys; points are null until the games are played, CPU is in seconds."""
        return {
            "agent": self.plan.agent,
            "submit": self.plan.submit,
            "games_each": self.plan.most,
            "games": self.games,
            "points": _rounded(self.best),
            "full_points": self.full_points,
            "repetitions": [
                {"points": _rounded(points), "stages": [stage.record() for stage in stages]}
                for points, stages in zip(self.points, self.repetitions, strict=True)
            ],
        }

    def text(self, told: int = 0) -> list[str]:
        """Return a table for each stage but the first ``told``, which were printed before, then the points."""
        lines = [line for table in self._tables()[told:] for line in table]
        each = ", ".join(map(_points_text, self.points))
        best = f" (the best of {each})" if len(self.repetitions) > 1 else ""
        most = self.plan.most
        quick = f", by {counted(most, 'game')} against each at most" if most else ""
        return [*lines, f"points: {_points_text(self.best)} of {self.full_points}{best}{quick}"]

    def complete(self) -> list[list[str]]:
        """Return the tables of the stages up to the first with unplayed games."""
        played = takewhile(lambda stage: stage.points is not None, chain.from_iterable(self.repetitions))
        return self._tables()[: len(list(played))]

    def _tables(self) -> list[list[str]]:
        return [
            [f"stage {stage.number}{self._repetition(number)}", *stage.text(), ""]
            for number, stages in enumerate(self.repetitions, 1)
            for stage in stages
        ]

    def _repetition(self, number: int) -> str:
        return f", repetition {number} of {len(self.repetitions)}" if len(self.repetitions) > 1 else ""


def _numbers(repetition: int, games: int) -> range:
    return range(repetition * games, (repetition + 1) * games)


def _total(points: Iterable[float | None]) -> float | None:
    known = list(points)
    counted = [point for point in known if point is not None]
    return sum(counted) if len(counted) == len(known) else None


def _rounded(points: float | None) -> float | None:
    return None if points is None else round(points, 4)


def _cells(name: str, line: AgentRow, points: list[str], last: str) -> list[str]:
    games, wins = line.games.total(), line.wins.total()
    return [
        name,
        f"{games}",
        *(f"{line.wins[colour]}/{line.games[colour]}" for colour in SIDES),
        f"{wins / games:.0%}" if games else "-",
        *points,
        *(seconds_text(seconds) for seconds in (line.clock.mean, line.clock.most, sum(line.clock))),
        last,
    ]


def _points_text(points: float | None) -> str:
    return "-" if points is None else f"{round(points, 2):g}"
