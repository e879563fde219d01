"""Matches of a learner against others, and their summary as the assignment prints it."""

from collections import Counter
from collections.abc import Iterable, Sequence
from random import Random
from typing import Any, NamedTuple

from arena.learning.game import DRAW, Policy, Rules, State
from arena.learning.training import play_out

#: The learner in the summary.
LEARNER = "QLearner"

_SIDES = {1: "X", 2: "O"}


class Match(NamedTuple):
    """The result of the learner's games as one player (1 or 2) against one opponent; at least one game."""

    opponent: str
    player: int
    wins: int
    draws: int
    losses: int

    def record(self) -> dict[str, Any]:
        """Return the match as JSON keys."""
        return {**self._asdict(), "player": _SIDES[self.player]}


def play_match(
    game: Rules[State],
    learner: Policy[State],
    player: int,
    name: str,
    opponent: Policy[State],
    games: int,
    rng: Random,
) -> Match:
    """Play a match of so many games."""
    policies = {player: learner, 3 - player: opponent}
    winners = Counter(play_out(game, policies, rng) for _ in range(games))
    return Match(name, player, winners[player], winners[DRAW], winners[3 - player])


def summary(matches: Sequence[Match]) -> list[str]:
    """Return the matches as lines of text, each from both sides, and the share not lost for each opponent."""
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
    # X first.
    return lines if match.player == 1 else reversed(lines)


def _line(name: str, player: int, wins: int, draws: int, losses: int) -> str:
    games = wins + draws + losses
    shares = [_per_cent(count, games) for count in (wins, draws, losses)]
    return f"{f'{name}({_SIDES[player]})':18} Wins:{shares[0]:<7} Draws:{shares[1]:<7} Losses:{shares[2]}"


def _per_cent(count: int, of: int) -> str:
    return f"{count / of:.1%}"
