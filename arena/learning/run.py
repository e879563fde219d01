"""A training run of Little-Go: episodes, with a measurement at intervals.

An episode's random numbers depend on the run's seed and its number alone: equal plans learn equal tables.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from random import Random
from typing import NamedTuple, TypeAlias

from arena.learning.learner import Learner, LearningSettings, Policy, play_out, train_game, trained
from arena.learning.learnt import ValueTable, pack
from arena.learning.littlego import LITTLE_GO
from solver.position import Position

#: Opponents by name; None is the learner itself.
Opponents: TypeAlias = Mapping[str, Policy[Position] | None]

#: Opponents of a measurement: fast ones, and no learner.
MEASURED_AGAINST = ("random", "greedy", "aggressive", "alphabeta")


class Point(NamedTuple):
    """The share of games won after ``episodes`` episodes, by opponent, 0 to 1."""

    episodes: int
    rates: dict[str, float]


@dataclass(frozen=True)
class TrainingPlan:
    """The plan of a run.

    settings: of the learner. seed: of all games. against: names of opponents, who play in turn; a name given twice
    plays twice as often. every: episodes between measurements. test_games: games against each opponent in a
    measurement, half of them as Black.
    """

    settings: LearningSettings
    seed: int
    against: tuple[str, ...]
    every: int
    test_games: int


@dataclass
class Run:
    """A run: its plan, opponents, learner, number of episodes, and measurements."""

    plan: TrainingPlan
    opponents: Opponents
    learner: Learner
    episodes: int = 0
    points: list[Point] = field(default_factory=list)

    def step(self) -> None:
        """Play one more episode, and measure when due."""
        against = self.plan.against
        opponent = self.opponents[against[self.episodes // 2 % len(against)]]
        rng = Random(f"{self.plan.seed} episode {self.episodes}")
        train_game(LITTLE_GO, self.learner, 1 + self.episodes % 2, opponent, rng)
        self.episodes += 1
        if self.is_measured:
            self.points.append(Point(self.episodes, dict(self._measure())))

    @property
    def is_measured(self) -> bool:
        """Whether a measurement follows the last episode."""
        return self.episodes % self.plan.every == 0

    def table(self, least_visits: int) -> ValueTable:
        """Pack the values that were updated at least ``least_visits`` times."""
        return pack(
            {key: value for key, value in self.learner.values.items() if self.learner.visits[key] >= least_visits}
        )

    def _measure(self) -> Iterator[tuple[str, float]]:
        policy = trained(LITTLE_GO, self.learner)
        for name in MEASURED_AGAINST:
            opponent = self.opponents[name]
            assert opponent is not None
            rng = Random(f"{self.plan.seed} measurement {self.episodes} {name}")
            wins = 0
            for number in range(self.plan.test_games):
                mine = 1 + number % 2
                wins += play_out(LITTLE_GO, {mine: policy, 3 - mine: opponent}, rng) == mine
            yield name, wins / self.plan.test_games
