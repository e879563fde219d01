"""Make the tables of a tournament: wins by pair and colour, ratings, CPU time, faults.

Ratings are the maximum-likelihood estimate of the Bradley-Terry model, on the Elo scale. In this model (Bradley and
Terry 1952; Zermelo 1929) A beats B with probability 1 / (1 + 10 ** ((b - a) / 400)), where a and b are the ratings. An
agent that won or lost all its games would get an infinite rating. So each agent gets an additional draw against a
player of rating 0. This draw is a small prior, which makes the likelihood strictly concave. Newton's method finds the
maximum of the likelihood. The intervals follow from the curvature at the maximum (inverse Fisher information), as usual
for large samples. The model ignores the colours, because each pair plays equally often with each colour.
"""

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple, TypeAlias

from little_go.arena.standings.tally import SIDES, AgentRow, align_columns, seconds_text
from little_go.solver.bounds import COLOURS

#: A table of wins: wins[i][j] is the number of games in which agent i beat agent j.
Wins: TypeAlias = Sequence[Sequence[float]]

_Matrix: TypeAlias = list[list[float]]

#: Elo points per unit of the natural logarithm of the odds.
_SCALE = 400 / math.log(10)

#: Half the width of a 95 % interval, in standard errors.
_SIGMAS = 1.959964

#: The maximum step of Newton's method, and the step below which the iteration stops, in logarithms of odds.
_LONGEST_STEP, _LAST_STEP = 1.0, 1e-10

_MOST_STEPS = 1000


class Rating(NamedTuple):
    """The rating of an agent.

    elo: the rating relative to the mean of all agents. error: half the width of the rating's 95 % interval.
    """

    elo: float
    error: float


def ratings(wins: Wins) -> list[Rating]:
    """Return the rating of each agent, relative to the mean of all agents.

    >>> [round(rating.elo) for rating in ratings([[0, 30], [10, 0]])]
    [94, -94]
    """
    count = len(wins)
    strengths = [0.0] * count
    for _ in range(_MOST_STEPS):
        gradient, information = _slope(wins, strengths)
        step = [sum(map(float.__mul__, row, gradient)) for row in _inverse(information)]
        longest = max(map(abs, step), default=0.0)
        scale = min(1.0, _LONGEST_STEP / longest) if longest else 0.0
        strengths = [strength + scale * change for strength, change in zip(strengths, step, strict=True)]
        if longest < _LAST_STEP:
            break
    mean = sum(strengths) / count if count else 0.0
    errors = _errors(_inverse(_slope(wins, strengths)[1]))
    return [
        Rating(_SCALE * (strength - mean), _SCALE * _SIGMAS * error)
        for strength, error in zip(strengths, errors, strict=True)
    ]


def _slope(wins: Wins, strengths: list[float]) -> tuple[list[float], _Matrix]:
    """Return the gradient of the log-likelihood, and the negated second derivatives of the log-likelihood."""
    count = len(strengths)
    gradient = [0.0] * count
    information = [[0.0] * count for _ in range(count)]
    for i in range(count):
        # The prior is one draw against a player of strength 0.
        chance = _chance(strengths[i])
        gradient[i] += 0.5 - chance
        information[i][i] += chance * (1 - chance)
        for j in range(count):
            games = wins[i][j] + wins[j][i]
            if i != j and games:
                chance = _chance(strengths[i] - strengths[j])
                gradient[i] += wins[i][j] - games * chance
                information[i][i] += games * chance * (1 - chance)
                information[i][j] -= games * chance * (1 - chance)
    return gradient, information


def _chance(lead: float) -> float:
    return 1 / (1 + math.exp(-lead))


def _errors(covariance: _Matrix) -> list[float]:
    """Return the standard errors of the differences between each strength and the mean strength."""
    count = len(covariance)
    means = [sum(row) / count for row in covariance]
    overall = sum(means) / count if count else 0.0
    return [math.sqrt(max(0.0, covariance[i][i] - 2 * means[i] + overall)) for i in range(count)]


def _inverse(matrix: _Matrix) -> _Matrix:
    """Return the inverse of a positive definite matrix, by Gauss-Jordan elimination without pivoting."""
    count = len(matrix)
    rows = [[*row, *(float(i == j) for j in range(count))] for i, row in enumerate(matrix)]
    for i in range(count):
        rows[i] = [value / rows[i][i] for value in rows[i]]
        for k in range(count):
            if k != i:
                factor = rows[k][i]
                rows[k] = [a - factor * b for a, b in zip(rows[k], rows[i], strict=True)]
    return [row[count:] for row in rows]


class Standings:
    """The standings of the agents of a tournament. rows: an AgentRow for each agent's name."""

    def __init__(self, agents: Sequence[str], records: Iterable[dict[str, Any]]) -> None:
        """Count the games. records: the records of the games (``Game.record()``)."""
        self.rows = {agent: AgentRow() for agent in agents}
        self._games: Counter[tuple[str, str]] = Counter()
        self._wins: Counter[tuple[str, str]] = Counter()
        self._by_colour: Counter[tuple[str, str]] = Counter()
        for record in records:
            self._add(record)

    @property
    def games(self) -> int:
        """The number of games that were counted."""
        return self._games.total()

    def ratings(self) -> dict[str, Rating]:
        """Map each agent's name to the agent's rating."""
        names = list(self.rows)
        wins = [[float(self._wins[winner, loser]) for loser in names] for winner in names]
        return dict(zip(names, ratings(wins), strict=True))

    def record(self) -> dict[str, Any]:
        """Return the JSON fields that describe the standings.

        ``elo`` is [estimate, lower, upper], and CPU is in seconds.
        """
        rated = self.ratings()
        return {
            "games": self.games,
            "agents": [
                {"name": name, **row.record(), "elo": _elo_record(rated[name])} for name, row in self.rows.items()
            ],
            "pairs": [
                {"black": black, "white": white, "games": games, "black_wins": self._by_colour[black, white]}
                for (black, white), games in sorted(self._games.items())
            ],
        }

    def text(self) -> list[str]:
        """Return the standings as lines of text, in which the best agent comes first."""
        rated = self.ratings()
        names = sorted(self.rows, key=lambda name: -rated[name].elo)
        faults = [f"{name}: {line}" for name in names for line in self.rows[name].fault_lines()]
        return [*self._cross_table(names), "", *self._agents_table(names, rated), *([""] if faults else []), *faults]

    def _add(self, record: dict[str, Any]) -> None:
        black, white = (record[colour] for colour in SIDES)
        for colour in SIDES:
            self.rows[record[colour]].add(record, colour)
        self._games[black, white] += 1
        self._by_colour[black, white] += record["winner"] == COLOURS[1]
        self._wins[(black, white) if record["winner"] == COLOURS[1] else (white, black)] += 1

    def _cross_table(self, names: list[str]) -> list[str]:
        heads = [str(number) for number in range(1, len(names) + 1)]
        rows = [["wins (as Black + as White)", *heads]]
        for number, name in enumerate(names, 1):
            rows.append([f"{number} {name}", *(self._cell(name, other) for other in names)])
        return align_columns(rows)

    def _cell(self, name: str, other: str) -> str:
        games = self._games[name, other] + self._games[other, name]
        if name == other or not games:
            return "-"
        as_black = self._by_colour[name, other]
        return f"{self._wins[name, other]}/{games} ({as_black}+{self._wins[name, other] - as_black})"

    def _agents_table(self, names: list[str], rated: dict[str, Rating]) -> list[str]:
        rows = [["agent", "wins", "as Black", "as White", "Elo", "95 %", "CPU mean", "max", "lost by fault"]]
        for number, name in enumerate(names, 1):
            row, rating = self.rows[name], rated[name]
            rows.append(
                [
                    f"{number} {name}",
                    f"{row.wins.total()}/{row.games.total()}",
                    *(f"{row.wins[colour]}/{row.games[colour]}" for colour in SIDES),
                    f"{rating.elo:+.0f}",
                    f"±{rating.error:.0f}",
                    seconds_text(row.clock.mean),
                    seconds_text(row.clock.most),
                    row.faults_text(),
                ]
            )
        return align_columns(rows)


def _elo_record(rating: Rating) -> list[float]:
    return [round(value, 1) for value in (rating.elo, rating.elo - rating.error, rating.elo + rating.error)]
