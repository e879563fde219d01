"""A training run of Little-Go: played episode by episode, measured now and then, saved and gone on with.

The chance of an episode comes from the run's seed and its number alone, so a run that was stopped and gone on with
learns the same table as one that was not.
"""

import json
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field
from functools import partial
from pathlib import Path
from random import Random
from typing import Any, NamedTuple, TypeAlias

from arena.learning.game import Policy
from arena.learning.learner import Learner, LearningSettings
from arena.learning.learnt import ValueTable, pack
from arena.learning.littlego import LITTLE_GO
from arena.learning.training import play_out, train_game, trained
from runtime.files import MIB, read_json, write_whole
from solver.position import Position

#: Opponents by name; None is the learner itself.
Opponents: TypeAlias = Mapping[str, Policy[Position] | None]

#: Whom it is measured against: those that take little time and are none of its own kind.
MEASURED_AGAINST = ("random", "greedy", "aggressive", "alphabeta")

_FORMAT = 1


class CheckpointError(ValueError):
    """A checkpoint that cannot be used; the message is one line that names the file."""


class Point(NamedTuple):
    """The share of games won after so many episodes, by opponent, 0 to 1."""

    episodes: int
    rates: dict[str, float]


@dataclass(frozen=True)
class TrainingPlan:
    """The plan that a run follows.

    settings: how it learns.
    seed: the chance of all games.
    against: names of opponents, who play in turn; twice named, twice as often.
    every: episodes from one measurement to the next.
    test_games: games a measurement plays against each opponent, half of them as Black.
    """

    settings: LearningSettings
    seed: int
    against: tuple[str, ...]
    every: int
    test_games: int


@dataclass
class Run:
    """A run: its plan, whom it can play, what was learnt in so many episodes, and the measurements."""

    plan: TrainingPlan
    opponents: Opponents
    learner: Learner
    episodes: int = 0
    points: list[Point] = field(default_factory=list)

    def step(self) -> None:
        """Play one more episode, and measure when it is time."""
        against = self.plan.against
        opponent = self.opponents[against[self.episodes // 2 % len(against)]]
        rng = Random(f"{self.plan.seed} episode {self.episodes}")
        train_game(LITTLE_GO, self.learner, 1 + self.episodes % 2, opponent, rng)
        self.episodes += 1
        if self.is_measured:
            self.points.append(Point(self.episodes, dict(self._measure())))

    @property
    def is_measured(self) -> bool:
        """Whether a measurement goes with the last episode."""
        return self.episodes % self.plan.every == 0

    def table(self, least_visits: int) -> ValueTable:
        """Pack the values that were learnt at least so often."""
        return pack(
            {key: value for key, value in self.learner.values.items() if self.learner.visits[key] >= least_visits}
        )

    def save(self, path: Path) -> None:
        """Write a checkpoint. Raises OSError."""
        learnt = [[key, value, self.learner.visits[key]] for key, value in self.learner.values.items()]
        record = {
            "format": _FORMAT,
            "plan": _plan_record(self.plan),
            "episodes": self.episodes,
            "points": self.points,
            "learnt": learnt,
        }
        write_whole(path, json.dumps(record) + "\n")

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


def open_run(plan: TrainingPlan, opponents: Opponents, path: Path) -> Run:
    """Return the run of a checkpoint, or one that has not begun where there is none.

    opponents: all that the plan names, and those of MEASURED_AGAINST.

    Raises CheckpointError when it cannot be read, is none, or is of another plan.
    """
    if not path.exists():
        return Run(plan, opponents, Learner(plan.settings))
    return read_json(path, 1024 * MIB, partial(_run_of, plan, opponents), CheckpointError)


def _plan_record(plan: TrainingPlan) -> dict[str, Any]:
    return {**asdict(plan), "against": list(plan.against)}


def _run_of(plan: TrainingPlan, opponents: Opponents, record: Any) -> Run:
    """Return the run that parsed JSON holds; raises CheckpointError without the file's name."""
    try:
        if record["format"] != _FORMAT:
            raise CheckpointError(f"checkpoint of format {record['format']}, but this program reads format {_FORMAT}")
        other = [name for name, value in _plan_record(plan).items() if record["plan"][name] != value]
        if other:
            raise CheckpointError(f"of a run with other {', '.join(other)}; give the same options, or delete it")
        learner = Learner(plan.settings)
        learner.values = {int(key): float(value) for key, value, _ in record["learnt"]}
        learner.visits = defaultdict(int, {int(key): int(visits) for key, _, visits in record["learnt"]})
        points = [Point(int(episodes), dict(rates)) for episodes, rates in record["points"]]
        return Run(plan, opponents, learner, int(record["episodes"]), points)
    except CheckpointError:
        raise
    except (KeyError, TypeError, ValueError):
        raise CheckpointError("not a checkpoint of a training run") from None
