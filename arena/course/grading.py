"""Grade an agent with the opponents, games, points and limits of a year's assignment (docs/guides/GRADING.md).

The opponent and a number identify a game. The agent plays Black in games with an even number. In each repetition, the
numbers continue after the last number of the previous repetition.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import chain, takewhile
from typing import Any, NamedTuple

from little_go.arena.standings.tally import SIDES, AgentRow, align_columns, count_text, seconds_text
from little_go.arena.standings.tournament import Fixture, Record, draw_fixture, key_of


class Shares(NamedTuple):
    """The win rates, in per cent, from which an opponent's full points and the factor ``fair`` count."""

    full: int = 90
    fair: int = 70


class Opponent(NamedTuple):
    """One of the course's agents, and the points for games against this agent.

    agent: the name of Little-Go's agent that replaces the course's agent. full: the points for a win rate of
    Shares.full or more. fair, poor: the factors by which lower win rates are multiplied, from Shares.fair on and below
    Shares.fair. reserved: whether the opponent plays only in the real grading, and not for the submit button.
    """

    agent: str
    full: int
    fair: int
    poor: int
    reserved: bool = False

    def points(self, shares: Shares, wins: int, games: int) -> float:
        """Return the points for winning ``wins`` of ``games`` games. games: 1 or more.

        >>> Opponent("aggressive", 25, 20, 10).points(Shares(90, 70), 14, 20)
        14.0
        """
        if 100 * wins >= shares.full * games:
            return self.full
        return (self.fair if 100 * wins >= shares.fair * games else self.poor) * wins / games

    def explained(self, shares: Shares, wins: int, games: int) -> str:
        """Return a text that contains the rule for the points and the numbers to which the rule was applied.

        >>> Opponent("aggressive", 25, 20, 10).explained(Shares(90, 70), 14, 20)
        '14 of 20 games won, 70 %. From 70 % to below 90 %: 20 x 14/20 = 14 points'
        >>> Opponent("random", 25, 15, 0).explained(Shares(90, 70), 18, 20)
        '18 of 20 games won, 90 %. From 90 % on: all 25 points'
        >>> Opponent("random", 25, 15, 0).explained(Shares(90, 70), 1, 3)
        '1 of 3 games won, 33.33 %. Below 70 %: no points'
        """
        if 100 * wins >= shares.full * games:
            rule = f"From {shares.full} % on: all {self.full} points"
        else:
            fair = 100 * wins >= shares.fair * games
            factor = self.fair if fair else self.poor
            band = f"From {shares.fair} % to below {shares.full} %" if fair else f"Below {shares.fair} %"
            product = f"{factor} x {wins}/{games} = {round(self.points(shares, wins, games), 2):g} points"
            rule = f"{band}: {product if factor else 'no points'}"
        return f"{wins} of {games} games won, {round(100 * wins / games, 2):g} %. {rule}"


class Round(NamedTuple):
    """The games of a stage in the real grading, or for the submit button.

    games: the number of games against each opponent, half of which the agent plays as Black. cpu: the limit of the
    agent's CPU seconds for all games, or None if there is no limit.
    """

    games: int
    cpu: float | None


class Stage(NamedTuple):
    """A stage of the course's grading, with its own opponents and its own submit button."""

    opponents: tuple[Opponent, ...]
    real: Round
    submit: Round

    def round(self, submit: bool) -> Round:
        """Return the games for the submit button, or the games of the real grading."""
        return self.submit if submit else self.real

    def against(self, submit: bool) -> tuple[Opponent, ...]:
        """Return the opponents for the submit button, or the opponents of the real grading."""
        return tuple(opponent for opponent in self.opponents if not (submit and opponent.reserved))


class Scheme(NamedTuple):
    """The rules for grading in a year.

    stages: maps each stage's number to the stage. repetitions: how often the real grading is played; the best result
    counts. move_cpu: the limit of CPU seconds for a move. note: a text that is printed below the grade, or "". shares:
    the win rates from which the points of all opponents change.
    """

    stages: dict[int, Stage]
    repetitions: int = 1
    move_cpu: float = 10.0
    note: str = ""
    shares: Shares = Shares()

    @property
    def full_points(self) -> int:
        """The sum of the maximum points against all opponents of all stages."""
        return sum(opponent.full for stage in self.stages.values() for opponent in stage.opponents)


_SIMPLE = Opponent("random", 25, 15, 0), Opponent("greedy", 25, 15, 0), Opponent("aggressive", 25, 20, 10)

_SINCE_2021 = {
    1: Stage(
        (*_SIMPLE, Opponent("alphabeta", 15, 10, 5, reserved=True)), real=Round(20, 7200.0), submit=Round(20, 5400.0)
    ),
    2: Stage(
        (Opponent("qlearning", 5, 5, 0), Opponent("championship", 5, 5, 2)),
        real=Round(20, 3600.0),
        submit=Round(10, 1800.0),
    ),
}

_IN_2020 = {
    1: Stage(
        (*_SIMPLE, Opponent("alphabeta", 25, 20, 10, reserved=True)), real=Round(100, None), submit=Round(100, 3600.0)
    )
}

SCHEMES = {
    2020: Scheme(
        _IN_2020,
        note="2020: the table of points is lost; this one fits the text's example (docs/guides/GRADING.md). Agents "
        "with 80 points or more went on to a second stage among themselves, which little-go class plays",
    ),
    2021: Scheme(_SINCE_2021),
    2023: Scheme(_SINCE_2021),
    2025: Scheme(_SINCE_2021, repetitions=3),
}

#: The year that is used if the user gives no year.
NEWEST = max(SCHEMES)


class GradingPlan(NamedTuple):
    """The games of a grading.

    agent: the agent that is graded. stages: the numbers of the stages that are played. submit: whether to play the
    games of the submit button. most: for a quick check without repetitions, the maximum number of games against each
    opponent, or None for all games.
    """

    agent: str
    scheme: Scheme
    stages: tuple[int, ...]
    submit: bool
    most: int | None = None

    @property
    def repetitions(self) -> int:
        """The number of repetitions, which is 1 for the submit button and for a quick check."""
        return 1 if self.submit or self.most else self.scheme.repetitions

    @property
    def opponents(self) -> list[str]:
        """The names of the opponents, in the order of the stages."""
        return [opponent.agent for number in self.stages for opponent in self._stage(number).against(self.submit)]

    def fixtures(self, seed: int) -> list[Fixture]:
        """Return all games, sorted by repetition and stage. Within a stage, the opponents take turns."""
        return [
            self._fixture(opponent.agent, number, seed)
            for repetition in range(self.repetitions)
            for stage in map(self._stage, self.stages)
            for number in _numbers(repetition, self._round(stage).games)
            for opponent in stage.against(self.submit)
        ]

    def grade(self, records: Iterable[Record]) -> "Grade":
        """Return the grade for the records of games. Records of games that are not in the plan are ignored."""
        by_key = {key_of(record): record for record in records}
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
        """Return the games and the CPU limit of a stage, which a quick check reduces in the same proportion."""
        games, cpu = stage.round(self.submit)
        played = min(games, self.most or games)
        return Round(played, None if cpu is None else cpu * played / games)

    def _fixture(self, opponent: str, number: int, seed: int) -> Fixture:
        """Return a game of the plan, whose seed is the same for all agents."""
        drawn = draw_fixture("graded", opponent, number, seed)
        black, white = (self.agent, opponent) if number % 2 == 0 else (opponent, self.agent)
        return drawn._replace(black=black, white=white)

    def _stage_grade(self, number: int, repetition: int, by_key: dict[tuple[str, str, int], Record]) -> "StageGrade":
        stage = self._stage(number)
        games, cpu_limit = self._round(stage)
        found = StageGrade(
            number,
            cpu_limit,
            [OpponentScore(opponent, self.scheme.shares, games) for opponent in stage.against(self.submit)],
        )
        for mark in found.marks:
            for game in _numbers(repetition, games):
                record = by_key.get(self._fixture(mark.opponent.agent, game, 0).key)
                if record:
                    mark.results.add(record, SIDES[game % 2])
                    found.total.add(record, SIDES[game % 2])
        return found


@dataclass(frozen=True)
class OpponentScore:
    """The agent's score against one opponent.

    shares: the win rates from which the points change. games: the number of planned games. results: the counts of the
    games that were played.
    """

    opponent: Opponent
    shares: Shares
    games: int
    results: AgentRow = field(default_factory=AgentRow)

    @property
    def points(self) -> float | None:
        """The points before the CPU limit of the stage is considered, or None until all games are played."""
        wins, played = self._won
        return self.opponent.points(self.shares, wins, played) if played == self.games else None

    def explained(self) -> str:
        """Return a sentence about the points, or about the games if games are missing."""
        wins, played = self._won
        if self.points is None:
            return f"{played} of {self.games} games played, no points yet."
        return f"{self.opponent.explained(self.shares, wins, played)} of {self.opponent.full}."

    @property
    def _won(self) -> tuple[int, int]:
        """The numbers of the games that the agent won, and of the games that were played."""
        return self.results.wins.total(), self.results.games.total()

    def record(self) -> dict[str, Any]:
        """Return the JSON fields that describe the score."""
        return {
            "opponent": self.opponent.agent,
            "points": _rounded(self.points),
            "full_points": self.opponent.full,
            **self.results.record(),
        }

    def cells(self) -> list[str]:
        """Return the cells of the opponent's row in the table."""
        points = [_points_text(self.points), f"{self.opponent.full}"]
        return _cells(self.opponent.agent, self.results, points, self.results.faults_text())


@dataclass(frozen=True)
class StageGrade:
    """The grade for one repetition of a stage.

    cpu_limit: the limit of CPU seconds for all games, or None if there is no limit. marks: the score against each
    opponent. total: the counts of all games.
    """

    number: int
    cpu_limit: float | None
    marks: list[OpponentScore]
    total: AgentRow = field(default_factory=AgentRow)

    @property
    def over_time(self) -> bool:
        """Whether the agent exceeded the CPU limit for all games, so that it gets no points."""
        return self.cpu_limit is not None and sum(self.total.clock) > self.cpu_limit

    @property
    def points(self) -> float | None:
        """The points that count, which are 0 if the CPU limit was exceeded, or None until all games are played."""
        points = _total(mark.points for mark in self.marks)
        return 0.0 if points is not None and self.over_time else points

    @property
    def full_points(self) -> int:
        """The maximum points of the stage."""
        return sum(mark.opponent.full for mark in self.marks)

    def record(self) -> dict[str, Any]:
        """Return the JSON fields that describe the grade. ``cpu_limit`` is in seconds, or null if there is no limit."""
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
        """Return the lines of a table that shows the grade, and a line for each kind of fault."""
        head = ["opponent", "games", "as Black", "as White", "win rate", "points", "of", "CPU mean", "max", "total"]
        points = [_points_text(self.points), f"{self.full_points}"]
        total = _cells("total", self.total, points, self._limit_text())
        table = align_columns([[*head, "lost by fault"], *(mark.cells() for mark in self.marks), total])
        return [*table, *self.total.fault_lines()]

    def _limit_text(self) -> str:
        if self.cpu_limit is None:
            return "(no limit for all games)"
        return f"(limit {self.cpu_limit:g} s{': over it, all points lost' if self.over_time else ''})"


@dataclass(frozen=True)
class Grade:
    """The grade of an agent. repetitions: the grades of the stages in each repetition."""

    plan: GradingPlan
    repetitions: list[list[StageGrade]]

    @property
    def games(self) -> int:
        """The number of games that were played."""
        return sum(stage.total.games.total() for stages in self.repetitions for stage in stages)

    @property
    def points(self) -> list[float | None]:
        """The points of each repetition, with None for a repetition that is not complete."""
        return [_total(stage.points for stage in stages) for stages in self.repetitions]

    @property
    def best(self) -> float | None:
        """The points of the best repetition, or None until all repetitions are complete."""
        points = [point for point in self.points if point is not None]
        return max(points) if len(points) == len(self.repetitions) else None

    @property
    def full_points(self) -> int:
        """The maximum points of a repetition."""
        return sum(stage.full_points for stage in self.repetitions[0])

    def record(self) -> dict[str, Any]:
        """Return the JSON fields that describe the grade.

        Points are null until the games are played. CPU time is in seconds.
        """
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

    def text(self, printed: int = 0) -> list[str]:
        """Return the lines of each stage's table, and a line with the points. printed: the number of tables to skip."""
        lines = [line for table in self._tables()[printed:] for line in table]
        each = ", ".join(map(_points_text, self.points))
        best = f" (the best of {each})" if len(self.repetitions) > 1 else ""
        most = self.plan.most
        quick = f", by {count_text(most, 'game')} against each at most" if most else ""
        return [*lines, f"points: {_points_text(self.best)} of {self.full_points}{best}{quick}"]

    def complete(self) -> list[list[str]]:
        """Return the tables of all stages before the first stage that is not complete."""
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


def _cells(name: str, row: AgentRow, points: list[str], last: str) -> list[str]:
    games, wins = row.games.total(), row.wins.total()
    return [
        name,
        f"{games}",
        *(f"{row.wins[colour]}/{row.games[colour]}" for colour in SIDES),
        f"{wins / games:.0%}" if games else "-",
        *points,
        *(seconds_text(seconds) for seconds in (row.clock.mean, row.clock.most, sum(row.clock))),
        last,
    ]


def _points_text(points: float | None) -> str:
    return "-" if points is None else f"{round(points, 2):g}"
