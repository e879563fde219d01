"""Tabular Q-learning (Watkins 1989) for games in which the only reward comes at the end.

The module contains the interface of a game, the learner, training games, and matches. The results of matches are
printed in the assignment's format.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any, Generic, NamedTuple, TypeAlias, TypeVar

State = TypeVar("State", bound=Hashable)

#: A player, which is a function that returns a move for a state and a random-number generator.
Policy: TypeAlias = Callable[[State, Random], int]

#: The result of ``Rules.winner`` for a drawn game.
DRAW = 0


class KeyedMove(NamedTuple):
    """A legal move, and the key under which the table stores the move's value.

    Moves with equal keys share one value Q(s, a), even if the moves belong to different states.
    """

    move: int
    key: int


@dataclass(frozen=True)
class Rules(Generic[State]):
    """The rules of a game between the players 1 and 2, whose states are immutable.

    start: the state before the first move. All other fields are functions. choices: returns the legal moves, at least
    one if the game has not ended. play: returns the state after a move. mover: returns the player to move. winner:
    returns 1, 2 or DRAW, or None if the game has not ended.
    """

    start: State
    choices: Callable[[State], Sequence[KeyedMove]]
    play: Callable[[State, int], State]
    mover: Callable[[State], int]
    winner: Callable[[State], int | None]


@dataclass(frozen=True)
class LearningSettings:
    """The parameters of learning.

    alpha: the learning rate, above 0 and at most 1. gamma: the discount for each move, 0 to 1. win, draw, loss: the
    rewards for a player's last move. initial: the value of a key that was never updated. epsilon: the probability of a
    random move in training, 0 to 1.
    """

    alpha: float = 0.1
    gamma: float = 1.0
    win: float = 1.0
    draw: float = 0.5
    loss: float = 0.0
    initial: float = 0.5
    epsilon: float = 0.1

    def reward(self, player: int, winner: int) -> float:
        """Return a player's reward for a game. player: 1 or 2. winner: 1, 2 or DRAW."""
        if winner == DRAW:
            return self.draw
        return self.win if winner == player else self.loss


#: A player's decision, which consists of the key of the chosen move and the keys of all legal moves.
Decision: TypeAlias = tuple[int, tuple[int, ...]]


class Learner:
    """A table of values Q(s, a) by key, and the rule that updates the values.

    values: maps keys to learnt values. A missing key has the value ``settings.initial``. visits: the number of updates
    of each key.
    """

    def __init__(self, settings: LearningSettings) -> None:
        self.settings = settings
        self.values: dict[int, float] = {}
        self.visits: defaultdict[int, int] = defaultdict(int)

    def value(self, key: int) -> float:
        """Return the value of a key."""
        return self.values.get(key, self.settings.initial)

    def best(self, choices: Iterable[KeyedMove]) -> list[KeyedMove]:
        """Return all choices that have the greatest value, in the given order."""
        values = [(self.value(choice.key), choice) for choice in choices]
        most = max(value for value, _ in values)
        return [choice for value, choice in values if value == most]

    def explore(self, choices: Sequence[KeyedMove], rng: Random) -> KeyedMove:
        """Return a random choice with probability epsilon, and otherwise a random choice among the best choices."""
        if rng.random() < self.settings.epsilon:
            return rng.choice(choices)
        return rng.choice(self.best(choices))

    def learn(self, decisions: Sequence[Decision], reward: float) -> None:
        """Update the values from a player's decisions in one game, in their order, and the reward of the last decision.

        The last decision is updated first, so that the reward reaches all decisions in one game::

            Q(s, a) <- (1 - alpha) Q(s, a) + alpha (R(s) + gamma max_a' Q(s', a'))

        Here s' is the state of the player's next decision. R is 0 except for the last decision, which has no s'.
        """
        alpha, gamma = self.settings.alpha, self.settings.gamma
        target = reward
        for made, keys in reversed(decisions):
            self.values[made] = (1 - alpha) * self.value(made) + alpha * target
            self.visits[made] += 1
            target = gamma * max(map(self.value, keys))


class Pupil(Generic[State]):
    """A player in one training game, which chooses moves by a learner's table and records its decisions."""

    def __init__(self, game: Rules[State], learner: Learner) -> None:
        self._game = game
        self._learner = learner
        self._decisions: list[Decision] = []

    def __call__(self, state: State, rng: Random) -> int:
        """Choose a move as a Policy does, and record the decision."""
        choices = self._game.choices(state)
        made = self._learner.explore(choices, rng)
        self._decisions.append((made.key, tuple(choice.key for choice in choices)))
        return made.move

    def learn(self, player: int, winner: int) -> None:
        """Update the learner's values after the game. player: the number of this pupil in the game, 1 or 2."""
        self._learner.learn(self._decisions, self._learner.settings.reward(player, winner))


def play_out(game: Rules[State], policies: Mapping[int, Policy[State]], rng: Random) -> int:
    """Play a game between players 1 and 2. Return the number of the winner, or DRAW."""
    state = game.start
    while (winner := game.winner(state)) is None:
        state = game.play(state, policies[game.mover(state)](state, rng))
    return winner


def train_game(game: Rules[State], learner: Learner, player: int, opponent: Policy[State] | None, rng: Random) -> int:
    """Play one training game, update the learner's values, and return the winner.

    player: the number of the learner, 1 or 2. opponent: None for self-play, in which both players learn.
    """
    pupils = {side: Pupil(game, learner) for side in ((1, 2) if opponent is None else (player,))}
    policies: dict[int, Policy[State]] = {**pupils}
    if opponent is not None:
        policies[3 - player] = opponent
    winner = play_out(game, policies, rng)
    for side, pupil in pupils.items():
        pupil.learn(side, winner)
    return winner


def learnt_policy(game: Rules[State], learner: Learner) -> Policy[State]:
    """Return the policy that draws at random among the moves with the best learnt value."""

    def policy(state: State, rng: Random) -> int:
        return rng.choice(learner.best(game.choices(state))).move

    return policy


#: The name of the learner in the summary.
LEARNER = "QLearner"

_SIDES = {1: "X", 2: "O"}


class Match(NamedTuple):
    """The results of one or more games of the learner against one opponent. player: the learner's number, 1 or 2."""

    opponent: str
    player: int
    wins: int
    draws: int
    losses: int

    def record(self) -> dict[str, Any]:
        """Return the JSON fields that describe the match."""
        return {**self._asdict(), "player": _SIDES[self.player]}


def play_match(
    game: Rules[State], learner: Policy[State], player: int, name: str, opponent: Policy[State], games: int, rng: Random
) -> Match:
    """Play a match of several games. player: the learner's number, 1 or 2. name: the opponent's name."""
    policies = {player: learner, 3 - player: opponent}
    winners = Counter(play_out(game, policies, rng) for _ in range(games))
    return Match(name, player, winners[player], winners[DRAW], winners[3 - player])


def summary(matches: Sequence[Match]) -> list[str]:
    """Return the lines of the summary: each match from both sides, and the share of games not lost by opponent."""
    lines = [line for match in matches for line in _both_sides(match)]
    lines.append("Summary:")
    for opponent in dict.fromkeys(match.opponent for match in matches):
        against = [match for match in matches if match.opponent == opponent]
        games = sum(match.wins + match.draws + match.losses for match in against)
        rate = _per_cent(sum(match.wins + match.draws for match in against), games)
        lines.append(f"{LEARNER} VS {opponent:16} Win/Draw Rate = {rate}")
    return lines


def _both_sides(match: Match) -> Iterable[str]:
    lines = [
        _line(LEARNER, match.player, match.wins, match.draws, match.losses),
        _line(match.opponent, 3 - match.player, match.losses, match.draws, match.wins),
    ]
    return lines if match.player == 1 else reversed(lines)


def _line(name: str, player: int, wins: int, draws: int, losses: int) -> str:
    games = wins + draws + losses
    shares = [_per_cent(count, games) for count in (wins, draws, losses)]
    return f"{f'{name}({_SIDES[player]})':18} Wins:{shares[0]:<7} Draws:{shares[1]:<7} Losses:{shares[2]}"


def _per_cent(count: int, total: int) -> str:
    return f"{count / total:.1%}"
