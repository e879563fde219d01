"""Tabular Q-learning (Watkins 1989) of games whose only reward comes at the end.

Contains the interface of a game, the learner, its training games, and matches summarized as the assignment prints them.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any, Generic, NamedTuple, TypeAlias, TypeVar

State = TypeVar("State", bound=Hashable)

#: A player: a function from a state and a random generator to a move.
Policy: TypeAlias = Callable[[State, Random], int]

#: The result of ``Rules.winner`` for a drawn game.
DRAW = 0


class KeyedMove(NamedTuple):
    """A legal move and the key of its value.

    Moves with equal keys, in any states, share one value Q(s, a).
    """

    move: int
    key: int


@dataclass(frozen=True)
class Rules(Generic[State]):
    """The rules of a game for the players 1 and 2. States are immutable.

    choices: the moves, at least one until the game ends. play: the state after a move. mover: the player to move.
    winner: 1, 2 or DRAW; None before the end.
    """

    start: State
    choices: Callable[[State], Sequence[KeyedMove]]
    play: Callable[[State, int], State]
    mover: Callable[[State], int]
    winner: Callable[[State], int | None]


@dataclass(frozen=True)
class LearningSettings:
    """The parameters of learning.

    alpha: learning rate, above 0 and at most 1. gamma: discount per move, 0 to 1. win, draw, loss: rewards for a
    player's last move. initial: value of an untried key. epsilon: share of random moves in training, 0 to 1.
    """

    alpha: float = 0.1
    gamma: float = 1.0
    win: float = 1.0
    draw: float = 0.5
    loss: float = 0.0
    initial: float = 0.5
    epsilon: float = 0.1

    def reward(self, player: int, winner: int) -> float:
        """Return the reward of a player, 1 or 2, for a game with this winner (1, 2 or DRAW)."""
        if winner == DRAW:
            return self.draw
        return self.win if winner == player else self.loss


#: A player's move: its key, and the keys of all moves there were, this one included.
Decision: TypeAlias = tuple[int, tuple[int, ...]]


class Learner:
    """A table of values Q(s, a) by key, and its update rule.

    values: learnt values; a missing key has ``settings.initial``. visits: updates of each key.
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
        """Return a choice as in training: with probability epsilon any, else one of the best at random."""
        if rng.random() < self.settings.epsilon:
            return rng.choice(choices)
        return rng.choice(self.best(choices))

    def learn(self, decisions: Sequence[Decision], reward: float) -> None:
        """Learn from a player's decisions in one game, in order, and the reward of the last.

        Updates run from the last decision to the first, so that the reward reaches all of them at once::

            Q(s, a) <- (1 - alpha) Q(s, a) + alpha (R(s) + gamma max_a' Q(s', a'))

        R is 0 except for the last decision, which has no s'; s' is the state where the player decides next.
        """
        alpha, gamma = self.settings.alpha, self.settings.gamma
        target = reward
        for made, keys in reversed(decisions):
            self.values[made] = (1 - alpha) * self.value(made) + alpha * target
            self.visits[made] += 1
            target = gamma * max(map(self.value, keys))


class Pupil(Generic[State]):
    """A player that explores by a learner's table and remembers its decisions in one game."""

    def __init__(self, game: Rules[State], learner: Learner) -> None:
        self._game = game
        self._learner = learner
        self._decisions: list[Decision] = []

    def __call__(self, state: State, rng: Random) -> int:
        """Return a move, as a policy does."""
        choices = self._game.choices(state)
        made = self._learner.explore(choices, rng)
        self._decisions.append((made.key, tuple(choice.key for choice in choices)))
        return made.move

    def learn(self, player: int, winner: int) -> None:
        """Learn from the game, which it played as ``player``."""
        self._learner.learn(self._decisions, self._learner.settings.reward(player, winner))


def play_out(game: Rules[State], policies: Mapping[int, Policy[State]], rng: Random) -> int:
    """Play a game between players 1 and 2, and return the winner or DRAW."""
    state = game.start
    while (winner := game.winner(state)) is None:
        state = game.play(state, policies[game.mover(state)](state, rng))
    return winner


def train_game(game: Rules[State], learner: Learner, player: int, opponent: Policy[State] | None, rng: Random) -> int:
    """Learn from one game as ``player`` and return the winner; without an opponent, learn from self-play as both."""
    pupils = {side: Pupil(game, learner) for side in ((1, 2) if opponent is None else (player,))}
    policies: dict[int, Policy[State]] = {**pupils}
    if opponent is not None:
        policies[3 - player] = opponent
    winner = play_out(game, policies, rng)
    for side, pupil in pupils.items():
        pupil.learn(side, winner)
    return winner


def learnt_policy(game: Rules[State], learner: Learner) -> Policy[State]:
    """Return the policy that plays one of the best learnt moves, at random."""

    def policy(state: State, rng: Random) -> int:
        return rng.choice(learner.best(game.choices(state))).move

    return policy


#: The learner's name in the summary.
LEARNER = "QLearner"

_SIDES = {1: "X", 2: "O"}


class Match(NamedTuple):
    """Results of the learner as one player (1 or 2) against one opponent; at least one game."""

    opponent: str
    player: int
    wins: int
    draws: int
    losses: int

    def record(self) -> dict[str, Any]:
        """Return the match as JSON keys."""
        return {**self._asdict(), "player": _SIDES[self.player]}


def play_match(
    game: Rules[State], learner: Policy[State], player: int, name: str, opponent: Policy[State], games: int, rng: Random
) -> Match:
    """Play a match of ``games`` games."""
    policies = {player: learner, 3 - player: opponent}
    winners = Counter(play_out(game, policies, rng) for _ in range(games))
    return Match(name, player, winners[player], winners[DRAW], winners[3 - player])


def summary(matches: Sequence[Match]) -> list[str]:
    """Return each match from both sides as lines of text, then the share not lost against each opponent."""
    lines = [line for match in matches for line in _both_sides(match)]
    lines.append("Summary:")
    for opponent in dict.fromkeys(match.opponent for match in matches):
        of = [match for match in matches if match.opponent == opponent]
        games = sum(match.wins + match.draws + match.losses for match in of)
        rate = _per_cent(sum(match.wins + match.draws for match in of), games)
        lines.append(f"{LEARNER} VS {opponent:16} Win/Draw Rate = {rate}")
    return lines


def _both_sides(match: Match) -> Iterable[str]:
    lines = [
        _line(LEARNER, match.player, match.wins, match.draws, match.losses),
        _line(match.opponent, 3 - match.player, match.losses, match.draws, match.wins),
    ]
    # X comes first.
    return lines if match.player == 1 else reversed(lines)


def _line(name: str, player: int, wins: int, draws: int, losses: int) -> str:
    games = wins + draws + losses
    shares = [_per_cent(count, games) for count in (wins, draws, losses)]
    return f"{f'{name}({_SIDES[player]})':18} Wins:{shares[0]:<7} Draws:{shares[1]:<7} Losses:{shares[2]}"


def _per_cent(count: int, of: int) -> str:
    return f"{count / of:.1%}"
