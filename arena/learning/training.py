"""Games that are played to learn from, and to see what was learnt."""

from collections.abc import Mapping
from random import Random
from typing import Generic

from arena.learning.game import Policy, Rules, State
from arena.learning.learner import Decision, Learner


class Pupil(Generic[State]):
    """A player that explores by a learner's table and remembers its decisions in one game."""

    def __init__(self, game: Rules[State], learner: Learner) -> None:
        self._game = game
        self._learner = learner
        self._decisions: list[Decision] = []

    def __call__(self, state: State, rng: Random) -> int:
        """Return a move, a policy's."""
        choices = self._game.choices(state)
        made = self._learner.explore(choices, rng)
        self._decisions.append(Decision(made.key, tuple(choice.key for choice in choices)))
        return made.move

    def learn(self, player: int, winner: int) -> None:
        """Learn from the game, which it played as ``player``."""
        self._learner.learn(self._decisions, self._learner.settings.reward(player, winner))


def play_out(game: Rules[State], policies: Mapping[int, Policy[State]], rng: Random) -> int:
    """Play a game between players 1 and 2 and return who won, or DRAW."""
    state = game.start
    while (winner := game.winner(state)) is None:
        state = game.play(state, policies[game.mover(state)](state, rng))
    return winner


def train_game(game: Rules[State], learner: Learner, player: int, opponent: Policy[State] | None, rng: Random) -> int:
    """Learn from one game as ``player`` and return who won; without an opponent, from self-play as both."""
    pupils = {side: Pupil(game, learner) for side in ((1, 2) if opponent is None else (player,))}
    policies: dict[int, Policy[State]] = {**pupils}
    if opponent is not None:
        policies[3 - player] = opponent
    winner = play_out(game, policies, rng)
    for side, pupil in pupils.items():
        pupil.learn(side, winner)
    return winner


def trained(game: Rules[State], learner: Learner) -> Policy[State]:
    """Return the policy that plays what was learnt: one of the best moves, at random."""

    def policy(state: State, rng: Random) -> int:
        return rng.choice(learner.best(game.choices(state))).move

    return policy
