"""The games of a class: which students play whom, in which order, and 2020's second stage.

In the records a student has one name, but for one whose program for stage 2 is another than that for stage 1: that one
plays as ``NAME (stage 2)``.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from random import Random

from arena.classroom.submissions import AgentProgram, Submission
from arena.course.course_file import Course
from arena.course.grading import Grade, GradingPlan
from arena.course.schemes import Scheme
from arena.standings.entrants import BUILT_IN
from arena.standings.tournament import Fixture, Record, draw_fixture
from solver.bounds import COLOUR_NUMBERS

#: The year whose second stage is played among the students.
AMONG_STUDENTS = 2020

#: Of that stage: the points from which an agent enters, and the games of a pair.
ENTRY_POINTS, PAIR_GAMES = 80, 11

#: Seconds of CPU that the review of a game takes, by which it is forecast.
REVIEW_SECONDS = 2.0


@dataclass(frozen=True)
class ClassPlan:
    """A class's games.

    submissions: by the students' names. games: for a quick look, so many games with the same colours at most.
    """

    course: Course
    seed: int
    submissions: Mapping[str, Submission]
    games: int | None = None

    @property
    def year(self) -> int:
        """The year of the course's text."""
        return self.course.year

    @property
    def scheme(self) -> Scheme:
        """The course's scheme."""
        return self.course.scheme

    def plan_of(self, student: str) -> GradingPlan:
        """Return a student's grading, by the stages that there is a program for."""
        most = None if self.games is None else 2 * self.games
        stages = tuple(number for number in self.scheme.stages if self.submissions[student].program(number))
        return GradingPlan(self.player(student, 1), self.scheme, stages, False, most)

    def player(self, student: str, stage: int) -> str:
        """Return the name that a student's program has in the games of a stage."""
        programs = self.submissions[student].programs
        first = programs.get(1)
        if stage == 2 and first is not None and 2 in programs and programs[2].digest != first.digest:
            return f"{student} (stage 2)"
        return student

    def players(self) -> dict[str, tuple[str, AgentProgram]]:
        """Return who plays with which program, by the name in the games."""
        return {
            self.player(name, stage): (name, program)
            for name, submission in self.submissions.items()
            for stage, program in submission.programs.items()
        }

    def fixtures(self, students: Iterable[str]) -> list[Fixture]:
        """Return the games of some students against the course's agents.

        Whatever part of them has been played, all students and all opponents had nearly the same share of it.
        """
        by_share: list[tuple[float, int, Fixture]] = []
        for student in students:
            mine = [self._as_played(student, each) for each in self.plan_of(student).fixtures(self.seed)]
            total = Counter(_opponent(fixture) for fixture in mine)
            done: Counter[str] = Counter()
            for fixture in mine:
                opponent = _opponent(fixture)
                done[opponent] += 1
                by_share.append(((done[opponent] - 0.5) / total[opponent], len(by_share), fixture))
        return [fixture for _, _, fixture in sorted(by_share)]

    def _as_played(self, student: str, fixture: Fixture) -> Fixture:
        """Return a game of a student's plan by the name of the program that plays it."""
        first, name = self.player(student, 1), self.player(student, self._stage(_opponent(fixture)))
        black, white = (name if each == first else each for each in fixture[:2])
        return fixture._replace(black=black, white=white)

    def _stage(self, opponent: str) -> int:
        return next(
            number
            for number, stage in self.scheme.stages.items()
            if any(opponent == each.agent for each in stage.opponents)
        )

    def grade(self, student: str, records: Iterable[Record]) -> Grade:
        """Count a student's points, given the records of the games against the course's agents, and perhaps others."""
        first, second = self.player(student, 1), self.player(student, 2)
        mine = [
            {**record, **{side: first for side in ("black", "white") if record[side] in (first, second)}}
            for record in records
        ]
        return self.plan_of(student).grade(mine)


def _opponent(fixture: Fixture) -> str:
    """Return the course's agent of a game."""
    return fixture.white if fixture.white in BUILT_IN else fixture.black


def pair_fixtures(players: Sequence[str], seed: int, games: int | None = None) -> list[Fixture]:
    """Return the games of 2020's second stage: eleven for each pair, and who begins once more is drawn by the seed.

    games: for a quick look, so many with the same colours at most, and the drawn one.
    """
    each = min(PAIR_GAMES // 2, games or PAIR_GAMES)
    pairs = list(combinations(sorted(players), 2))
    found = [
        draw_fixture(*sides, number, seed) for number in range(each) for pair in pairs for sides in (pair, pair[::-1])
    ]
    for first, second in pairs:
        # By the pair alone, so that another student changes no other pair's lot.
        lot = Random(f"{seed} {first} {second} begins once more").random() < 0.5
        found.append(draw_fixture(*((first, second) if lot else (second, first)), each, seed))
    return found


@dataclass(frozen=True)
class Ranking:
    """2020's second stage. wins: WINs, the pairs that each player has won. ranks: 1 is the best; equal WINs share one.

    games: won by one player against another. open: pairs whose games are not all played.
    """

    wins: dict[str, int]
    ranks: dict[str, int]
    games: Counter[tuple[str, str]]
    open: list[tuple[str, str]]

    def tied(self, player: str) -> list[str]:
        """Return the others that share a player's rank."""
        return [other for other, rank in self.ranks.items() if rank == self.ranks[player] and other != player]


def rank(players: Sequence[str], fixtures: Iterable[Fixture], records: Iterable[Record]) -> Ranking:
    """Count the WINs: whoever wins more of a pair's games is the winner of the pair, and has one WIN."""
    by_key = {(record["black"], record["white"], record["number"]): record for record in records}
    games: Counter[tuple[str, str]] = Counter()
    missing = set()
    for fixture in fixtures:
        record = by_key.get(fixture.key)
        if record is None:
            missing.add((min(fixture[:2]), max(fixture[:2])))
            continue
        sides = fixture[:2]
        winner = COLOUR_NUMBERS[record["winner"].lower()]
        games[sides[winner - 1], sides[2 - winner]] += 1
    wins = dict.fromkeys(sorted(players), 0)
    for first, second in combinations(sorted(players), 2):
        if (first, second) not in missing:
            wins[first if games[first, second] > games[second, first] else second] += 1
    ordered = sorted(wins.values(), reverse=True)
    ranks = {player: 1 + ordered.index(count) for player, count in wins.items()}
    return Ranking(wins, ranks, games, sorted(missing))


def enters(points: float | None) -> bool:
    """Return whether an agent with so many points of the first stage enters 2020's second one.

    >>> enters(79.99), enters(25 + 25 + 15 + 14.999999999999998)
    (False, True)
    """
    return points is not None and round(points, 9) >= ENTRY_POINTS
