"""Tabular Q-learning (Watkins 1989) of games whose only reward comes at the end."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from random import Random
from typing import NamedTuple

from arena.learning.game import DRAW, KeyedMove


@dataclass(frozen=True)
class LearningSettings:
    """The parameters of learning.

    alpha: learning rate, above 0 and at most 1.
    gamma: discount of what comes a move later, 0 to 1.
    win, draw, loss: rewards for a player's last move.
    initial: value of what has never been tried.
    epsilon: share of moves drawn at random in training, 0 to 1.
    """

    alpha: float = 0.1
    gamma: float = 1.0
    win: float = 1.0
    draw: float = 0.5
    loss: float = 0.0
    initial: float = 0.5
    epsilon: float = 0.1

    def reward(self, player: int, winner: int) -> float:
        """Return the reward of a player, 1 or 2, for a game that ``winner`` has won, or nobody (DRAW)."""
        if winner == DRAW:
            return self.draw
        return self.win if winner == player else self.loss


class Decision(NamedTuple):
    """A move that a player made: its key, and the keys of all moves there were, the one made included."""

    made: int
    keys: tuple[int, ...]


class Learner:
    """A table of values Q(s, a) by key, and how it changes.

    values: what has been learnt; ``settings.initial`` stands for a key that is not there.
    visits: how often the value of a key was learnt.
    """

    def __init__(self, settings: LearningSettings) -> None:
        self.settings = settings
        self.values: dict[int, float] = {}
        self.visits: defaultdict[int, int] = defaultdict(int)

    def value(self, key: int) -> float:
        """Return the value of a key."""
        return self.values.get(key, self.settings.initial)

    def best(self, choices: Iterable[KeyedMove]) -> list[KeyedMove]:
        """Return the choices of the greatest value, in their order."""
        values = [(self.value(choice.key), choice) for choice in choices]
        most = max(value for value, _ in values)
        return [choice for value, choice in values if value == most]

    def explore(self, choices: Sequence[KeyedMove], rng: Random) -> KeyedMove:
        """Return a choice as made in training: now and then any of them, else one of the best at random."""
        if rng.random() < self.settings.epsilon:
            return rng.choice(choices)
        return rng.choice(self.best(choices))

    def learn(self, decisions: Sequence[Decision], reward: float) -> None:
        """Learn from a player's decisions in one game, in order, and the reward of the last.

        From the last to the first, so that the reward reaches all of them at once::

            Q(s, a) <- (1 - alpha) Q(s, a) + alpha (R(s) + gamma max_a' Q(s', a'))

        R is 0 but for the last decision, which has no s' after it; s' is where the player decides next.
        """
        alpha, gamma = self.settings.alpha, self.settings.gamma
        target = reward
        for made, keys in reversed(decisions):
            self.values[made] = (1 - alpha) * self.value(made) + alpha * target
            self.visits[made] += 1
            target = gamma * max(map(self.value, keys))
