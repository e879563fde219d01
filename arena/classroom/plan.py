"""The games of a class: pairings, their order, and the second stage of 2020.

In games, a student's program has the student's name. A different program for stage 2 plays as ``NAME (stage 2)``.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from random import Random

from little_go.arena.classroom.submissions import AgentProgram, Submission
from little_go.arena.course.course_file import Course
from little_go.arena.course.grading import Grade, GradingPlan, Scheme
from little_go.arena.standings.entrants import BUILT_IN
from little_go.arena.standings.tally import SIDES
from little_go.arena.standings.tournament import Fixture, Record, draw_fixture, key_of
from little_go.solver.bounds import COLOUR_NUMBERS

#: The year in which the students play the second stage among themselves.
AMONG_STUDENTS = 2020

#: The minimum points to enter the second stage of 2020, and the number of games between two of its programs.
ENTRY_POINTS, PAIR_GAMES = 80, 11

#: Expected CPU seconds for the review of a game.
REVIEW_SECONDS = 2.0


@dataclass(frozen=True)
class ClassPlan:
    """The plan of a class's games.

    submissions: the submissions by the students' names. games: for a quick check, the maximum number of games with each
    colour against each opponent; None for all games.
    """

    course: Course
    seed: int
    submissions: Mapping[str, Submission]
    games: int | None = None

    @property
    def year(self) -> int:
        """The year of the assignment that the course uses."""
        return self.course.year

    @property
    def scheme(self) -> Scheme:
        """The grading scheme of the course."""
        return self.course.scheme

    def plan_of(self, student: str) -> GradingPlan:
        """Return the grading plan of a student, with the stages for which the student has a program."""
        most = None if self.games is None else 2 * self.games
        stages = tuple(number for number in self.scheme.stages if self.submissions[student].program(number))
        return GradingPlan(self.player(student, 1), self.scheme, stages, False, most)

    def player(self, student: str, stage: int) -> str:
        """Return the name of a student's program in the games of a stage."""
        programs = self.submissions[student].programs
        first = programs.get(1)
        if stage == 2 and first is not None and 2 in programs and programs[2].digest != first.digest:
            return f"{student} (stage 2)"
        return student

    def names_of(self, student: str) -> frozenset[str]:
        """Return the names that a student's programs have in games."""
        return frozenset(self.player(student, stage) for stage in (1, 2))

    def student_of(self) -> dict[str, str]:
        """Return the students' names by the names that their programs have in games."""
        return {player: student for player, (student, _) in self.players().items()}

    def games_of(self, records: Iterable[Record]) -> dict[str, list[Record]]:
        """Return the games of each student. A game between two students is in the lists of both."""
        student_of = self.student_of()
        found: dict[str, list[Record]] = {student: [] for student in self.submissions}
        for record in records:
            for student in {student_of[record[side]] for side in SIDES if record[side] in student_of}:
                found[student].append(record)
        return found

    def players(self) -> dict[str, tuple[str, AgentProgram]]:
        """Return each student's name and program, by the name of the program in games."""
        return {
            self.player(name, stage): (name, program)
            for name, submission in self.submissions.items()
            for stage, program in submission.programs.items()
        }

    def fixtures(self, students: Iterable[str]) -> list[Fixture]:
        """Return the games of students against the course's agents.

        The games are ordered so that at any time all students and all opponents have played about the same share of
        their games.
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
        """Return the game with the name of the program that plays it for the student."""
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
        """Return the grade of a student. records: records that include all games against the course's agents."""
        first, names = self.player(student, 1), self.names_of(student)
        mine = [{**record, **{side: first for side in SIDES if record[side] in names}} for record in records]
        return self.plan_of(student).grade(mine)


def _opponent(fixture: Fixture) -> str:
    return fixture.white if fixture.white in BUILT_IN else fixture.black


def pair_fixtures(players: Sequence[str], seed: int, games: int | None = None) -> list[Fixture]:
    """Return the games of the second stage of 2020: eleven games for each pair of programs.

    The seed determines which program begins the eleventh game. games: for a quick check, the maximum number of games
    with the same colours, in addition to the last game; None for all.
    """
    each = min(PAIR_GAMES // 2, games or PAIR_GAMES)
    pairs = list(combinations(sorted(players), 2))
    found = [
        draw_fixture(*sides, number, seed) for number in range(each) for pair in pairs for sides in (pair, pair[::-1])
    ]
    for first, second in pairs:
        # Which program begins depends only on the seed and the pair, not on the other students.
        first_begins = Random(f"{seed} {first} {second} begins once more").random() < 0.5
        found.append(draw_fixture(*((first, second) if first_begins else (second, first)), each, seed))
    return found


@dataclass(frozen=True)
class Ranking:
    """The ranking of the second stage of 2020.

    wins: the number of WINs of each player; a WIN is a pair in which the player won more games. ranks: from 1; players
    with equal WINs share a rank. games: how many games the first player of a pair won against the second. open: the
    pairs whose games were not all played.
    """

    wins: dict[str, int]
    ranks: dict[str, int]
    games: Counter[tuple[str, str]]
    open: list[tuple[str, str]]

    def tied(self, player: str) -> list[str]:
        """Return the other players that have the same rank as a player."""
        return [other for other, rank in self.ranks.items() if rank == self.ranks[player] and other != player]


def rank(players: Sequence[str], fixtures: Iterable[Fixture], records: Iterable[Record]) -> Ranking:
    """Return the ranking of the players by their numbers of WINs."""
    by_key = {key_of(record): record for record in records}
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
    """Return whether an agent with these points in the first stage of 2020 enters the second stage.

    >>> enters(79.99), enters(25 + 25 + 15 + 14.999999999999998)
    (False, True)
    """
    return points is not None and round(points, 9) >= ENTRY_POINTS
