"""Fit the opponent models to logged games, by maximum likelihood.

The log-likelihood of a conditional logit (McFadden 1974) is concave, and a small ridge makes its maximum unique, so
L-BFGS with the analytic gradient finds the maximum from any start. A share of the games is not used in the fit: the
log-likelihood of these held-out games estimates how well the weights predict new games.
"""

import json
import math
import os
import random
from array import array
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt
import scipy.sparse  # type: ignore[import-untyped]

from little_go.book.files.games import LoggedGame
from little_go.generator.opponents.features import FEATURE_NAMES, features_of
from little_go.generator.opponents.models import OPPONENTS_FORMAT
from little_go.runtime.display import Watch, unwatched
from little_go.runtime.files import write_whole
from little_go.solver.family import COURSE
from little_go.solver.position import Position

#: The name of the model of all players except the course's agents.
STUDENT = "student"

#: The number of decimals of a weight. Further decimals do not improve the fit, and depend on the machine.
DIGITS = 3

_Floats: TypeAlias = npt.NDArray[np.float64]


class Score(NamedTuple):
    """The fit of a model to the moves of some games.

    log_likelihood: the mean of all moves, natural logarithm.
    accuracy: the share of moves that the model ranks first; a move that shares the first rank with k - 1 others counts
        1/k.
    uniform_log_likelihood, uniform_accuracy: the same for the uniform model.
    """

    games: int
    moves: int
    log_likelihood: float
    accuracy: float
    uniform_log_likelihood: float
    uniform_accuracy: float


class Fit(NamedTuple):
    """A fitted model; a score is None if there are no moves to predict."""

    name: str
    weights: list[float]
    fitted: Score
    held_out: Score | None


def choices_of(game: LoggedGame) -> Iterator[tuple[str, Position, int]]:
    """Yield, for each move of a game, the name of the model that predicts the move, the position and the move."""
    for position, move in game.steps():
        yield (game.agent if position.mover == game.colour else STUDENT), position, move


def split(games: Sequence[LoggedGame], held_out: float, seed: int) -> tuple[list[LoggedGame], list[LoggedGame]]:
    """Split the games into games for the fit and held-out games.

    held_out: the share of each agent's different games that are held out, 0 to 1. Games without moves are dropped.
    Equal games count once, because some agents always play the same game, and a held-out copy would not be a new game.
    """
    fitted: list[LoggedGame] = []
    held: list[LoggedGame] = []
    for agent in sorted({game.agent for game in games}):
        by_agent = [game for game in games if game.agent == agent]
        played = {(game.colour, tuple(move for _, move in game.steps())): game for game in by_agent}
        own = [played[colour, moves] for colour, moves in sorted(played) if moves]
        random.Random(f"{seed} {agent}").shuffle(own)
        apart = round(held_out * len(own))
        fitted += own[apart:]
        held += own[:apart]
    return fitted, held


class ChoiceMatrix:
    """The choices of a model as a sparse matrix, with a row for each legal move and a column for each feature."""

    def __init__(self) -> None:
        self.games = 0
        self._starts = array("q")
        self._played = array("q")
        self._columns = array("i")
        self._values = array("d")
        self._ends = array("q", [0])

    def __len__(self) -> int:
        """Return the number of choices."""
        return len(self._starts)

    def add(self, position: Position, chosen: int) -> None:
        """Add the choice of a move, with a row for each legal move."""
        self._starts.append(len(self._ends) - 1)
        for move, features in features_of(position, game=COURSE).items():
            if move == chosen:
                self._played.append(len(self._ends) - 1)
            for feature, value in features:
                self._columns.append(feature)
                self._values.append(value)
            self._ends.append(len(self._columns))

    def likelihood(self) -> "Likelihood":
        """Return the likelihood that the fit maximises, or raise ValueError if there are no choices."""
        if not self:
            raise ValueError("no move to fit")
        shape = (len(self._ends) - 1, len(FEATURE_NAMES))
        matrix = scipy.sparse.csr_matrix((self._values, self._columns, self._ends), shape=shape)
        return Likelihood(matrix, np.asarray(self._starts), np.asarray(self._played))


class Likelihood:
    """The log-likelihood of the choices in a matrix, as a function of the weights."""

    def __init__(self, matrix: Any, starts: npt.NDArray[np.int64], played: npt.NDArray[np.int64]) -> None:
        """Store the choices. matrix: rows x features. starts: the first row of each choice. played: the chosen rows."""
        self._matrix = matrix
        self._starts = starts
        self._played = played
        self._sizes = np.diff(np.append(starts, matrix.shape[0]))
        self._observed: _Floats = np.asarray(matrix[played].sum(axis=0)).ravel()

    def loss(self, weights: _Floats, ridge: float) -> tuple[float, _Floats]:
        """Return the loss, which is ridge / 2 * |weights|^2 minus the sum of log-likelihoods, and its gradient."""
        logs = self._logs(weights)
        expected = self._matrix.T @ np.exp(logs)
        value = -float(logs[self._played].sum()) + ridge / 2 * float(weights @ weights)
        return value, expected - self._observed + ridge * weights

    def score(self, weights: _Floats, games: int) -> Score:
        """Return how well the weights predict the choices. games: the number of games that contain the choices."""
        logs = self._logs(weights)
        # Rounding removes the last bits, so that moves of equal likelihood compare as equal.
        likeliest = np.round(logs, 9) == np.repeat(np.round(np.maximum.reduceat(logs, self._starts), 9), self._sizes)
        share = likeliest[self._played] / np.add.reduceat(likeliest.astype(np.float64), self._starts)
        return Score(
            games,
            len(self._starts),
            float(logs[self._played].mean()),
            float(share.mean()),
            -float(np.log(self._sizes).mean()),
            float((1 / self._sizes).mean()),
        )

    def _logs(self, weights: _Floats) -> _Floats:
        utilities: _Floats = self._matrix @ weights
        utilities -= np.repeat(np.maximum.reduceat(utilities, self._starts), self._sizes)
        totals = np.add.reduceat(np.exp(utilities), self._starts)
        logs: _Floats = utilities - np.repeat(np.log(totals), self._sizes)
        return logs


def tabulate(games: Iterable[LoggedGame]) -> dict[str, ChoiceMatrix]:
    """Return the matrix of each model's choices in the games, by the model's name."""
    tables: dict[str, ChoiceMatrix] = {}
    for game in games:
        names = set()
        for name, position, move in choices_of(game):
            tables.setdefault(name, ChoiceMatrix()).add(position, move)
            names.add(name)
        for name in names:
            tables[name].games += 1
    return tables


def fit_games(
    fitted: Iterable[LoggedGame], held_out: Iterable[LoggedGame], ridge: float, watch: Watch = unwatched
) -> list[Fit]:
    """Fit each model that has choices: the agents in the order of their names, and then the students.

    ridge: greater than 0, in units of log-likelihood. watch: wraps each long list to show the progress.
    """
    apart = tabulate(watch(list(held_out), "Held-out games"))
    tables = tabulate(watch(list(fitted), "Games to fit"))
    names = sorted(tables, key=lambda name: (name == STUDENT, name))
    return [_fit_one(name, tables[name], apart.get(name), ridge) for name in watch(names, "Fits")]


def _fit_one(name: str, table: ChoiceMatrix, held_out: ChoiceMatrix | None, ridge: float) -> Fit:
    # The scores are those of the rounded weights, which the file contains.
    weights = [round(float(weight), DIGITS) + 0.0 for weight in _likeliest(table.likelihood(), ridge)]
    return Fit(name, weights, _score(table, weights), None if held_out is None else _score(held_out, weights))


def _likeliest(likelihood: Likelihood, ridge: float) -> _Floats:
    # scipy reads this variable when scipy is loaded. With such short vectors, threads make a fit up to thirty times
    # slower.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    import scipy.optimize  # type: ignore[import-untyped]

    # The log-likelihood is a sum, so the tolerance is in nats of the whole table.
    options = {"maxiter": 2000, "ftol": 1e-12, "gtol": 1e-3}
    start = np.zeros(len(FEATURE_NAMES))
    found = scipy.optimize.minimize(likelihood.loss, start, args=(ridge,), jac=True, method="L-BFGS-B", options=options)
    weights: _Floats = found.x
    return weights


def _score(table: ChoiceMatrix, weights: list[float]) -> Score:
    return table.likelihood().score(np.array(weights), table.games)


def write_fits(fits: Sequence[Fit], parameters: dict[str, float], path: Path) -> None:
    """Write the models as JSON, in the format of generator.opponents.models."""
    record = {
        "format": OPPONENTS_FORMAT,
        "features": FEATURE_NAMES,
        "fit": parameters,
        "models": [
            {"name": f.name, "weights": f.weights, "fitted": _rounded(f.fitted), "held_out": _rounded(f.held_out)}
            for f in fits
        ],
    }
    write_whole(path, json.dumps(record, indent=1) + "\n")


def _rounded(score: Score | None) -> dict[str, float] | None:
    return score and {name: round(number, 4) for name, number in score._asdict().items()}


def fit_text(fits: Sequence[Fit]) -> str:
    """Return the fits as a table with a line for each model. Columns not under "fitted" are about held-out games.

    Perplexity is exp(-log-likelihood), the number of equally likely moves that would be as hard to predict.
    """
    heads = [
        "                  fitted         held out     log-likelihood a move      perplexity      likeliest played",
        "model         games  moves    games  moves    fitted   held  uniform   model  uniform     model  uniform",
    ]
    return "\n".join([*heads, *map(_fit_line, fits)])


def _fit_line(fit: Fit) -> str:
    seen, held = fit.fitted, fit.held_out
    line = f"{fit.name:12}  {seen.games:5,}  {seen.moves:5,}    "
    if held is None:
        return f"{line}    -      -    {seen.log_likelihood:6.3f}"
    perplexity, uniform = math.exp(-held.log_likelihood), math.exp(-held.uniform_log_likelihood)
    return (
        f"{line}{held.games:5,}  {held.moves:5,}    "
        f"{seen.log_likelihood:6.3f} {held.log_likelihood:6.3f}   {held.uniform_log_likelihood:6.3f}  "
        f"{perplexity:6.2f}   {uniform:6.2f}    {held.accuracy:6.0%}   {held.uniform_accuracy:6.0%}"
    )
