"""The probabilities of an opponent's moves, from a mixture of models that are fitted to logged games.

A model is a conditional logit (McFadden 1974): the chance of a move is proportional to exp(weights x features of the
move). ``python -m lab fit`` finds the weights, and docs/explanation/OPPONENTS.md shows how well the models fit. The
file of models is one JSON object::

    {
      "format": 1,
      "features": [name, ...],
      "fit": {"ridge": ..., "held_out": ..., "seed": ...},
      "models": [{"name": ..., "weights": [one for each feature], "fitted": score, "held_out": score}, ...]
    }

    score: {"games": N, "moves": N, "log_likelihood": mean of all moves, "accuracy": share of moves that the model ranks
            first, "uniform_log_likelihood": ..., "uniform_accuracy": ...}, or null if there are no moves
"""

import math
from collections.abc import Iterable
from pathlib import Path
from typing import Any, NamedTuple

from little_go.generator.opponents.features import FEATURE_NAMES, Seen, features_of
from little_go.runtime.files import MIB, read_json
from little_go.solver.family import Variant
from little_go.solver.position import Position

OPPONENTS_FORMAT = 1

#: The models that are part of the generator.
OPPONENTS_FILE = Path(__file__).with_name("models.json")

#: The name of the model in which all legal moves have the same chance; it is never in the file.
UNIFORM = "uniform"


class OpponentsError(ValueError):
    """Raised if a file of models cannot be used. The message is one line with the file's name."""


class Model(NamedTuple):
    """A fitted model: a name, and one weight for each feature."""

    name: str
    weights: tuple[float, ...]


class Opponents:
    """A mixture, with equal weights, of the fitted models and the uniform model."""

    def __init__(self, models: Iterable[Model]) -> None:
        """models: all models except the uniform model, with different names."""
        fitted = list(models)
        self.names: list[str] = [*(model.name for model in fitted), UNIFORM]
        uniform = [0.0] * len(FEATURE_NAMES)
        # The weights are stored by feature, because a move has only about a dozen nonzero features.
        self._columns = list(zip(*(model.weights for model in fitted), uniform, strict=True))

    @property
    def weights(self) -> list[tuple[float, ...]]:
        """The weights of each fitted model, one for each feature."""
        return list(zip(*self._columns, strict=True))[:-1]

    def chances(self, position: Position, game: Variant) -> dict[int, float]:
        """Return the chance of each legal move, PASS included.

        The chances sum to 1, and each is above 0 because of the uniform model. The result is {} if the game is over.
        Symmetric positions have exactly the same chances.
        """
        each = self._each(position, game)
        return {move: math.fsum(chances) / len(self.names) for move, chances in each.items()}

    def by_model(self, position: Position, game: Variant) -> dict[str, dict[int, float]]:
        """Return the chances of the legal moves, by the name of the model."""
        each = self._each(position, game)
        return {name: {move: chances[k] for move, chances in each.items()} for k, name in enumerate(self.names)}

    def _each(self, position: Position, game: Variant) -> dict[int, list[float]]:
        """Return, for each legal move, the chances that the models give to it."""
        seen = features_of(position, game)
        utilities = [self._utilities(features) for features in seen.values()]
        by_model = [softmax(list(column)) for column in zip(*utilities, strict=True)]
        return {move: [chances[k] for chances in by_model] for k, move in enumerate(seen)}

    def _utilities(self, features: Seen) -> list[float]:
        total = [0.0] * len(self.names)
        for feature, value in features:
            total = [sum_ + value * weight for sum_, weight in zip(total, self._columns[feature], strict=True)]
        return total


def softmax(utilities: list[float]) -> list[float]:
    """Return exp(u) for each utility u, scaled so that the sum is 1.

    >>> softmax([1000.0, 1000.0])
    [0.5, 0.5]
    """
    top = max(utilities)
    powers = [math.exp(utility - top) for utility in utilities]
    # sum() depends on the order, so the chances in symmetric positions would differ in the last bit.
    total = math.fsum(powers)
    return [power / total for power in powers]


def open_opponents(path: Path | str = OPPONENTS_FILE) -> Opponents:
    """Return the mixture of the models in the file at ``path``.

    Raise OpponentsError if the file cannot be read, is not a file of models in this format, or has other features.
    """
    return Opponents(read_json(path, 16 * MIB, _models, OpponentsError))


def _models(content: Any) -> list[Model]:
    version = content.get("format") if isinstance(content, dict) else None
    if "features" not in (content if isinstance(content, dict) else ()) or not isinstance(version, int):
        raise OpponentsError("not a file of opponent models: make one with `python -m lab fit`")
    if version != OPPONENTS_FORMAT:
        raise OpponentsError(
            f"opponents format {version}, but this program reads format {OPPONENTS_FORMAT}: make it again with"
            " `python -m lab fit`"
        )
    if content["features"] != FEATURE_NAMES:
        raise OpponentsError("fitted with other features: fit them again with `python -m lab fit`")
    records = content.get("models")
    if not isinstance(records, list):
        raise OpponentsError("damaged: the models are missing")
    models = [_model(record) for record in records]
    if len({model.name for model in models}) != len(models):
        raise OpponentsError("damaged: two models have the same name")
    return models


def _model(record: Any) -> Model:
    name, weights = (record.get(key) if isinstance(record, dict) else None for key in ("name", "weights"))
    if not isinstance(name, str) or name == UNIFORM:
        raise OpponentsError("damaged: a model has no name, or the name of the uniform model")
    if not isinstance(weights, list) or len(weights) != len(FEATURE_NAMES) or not all(map(_is_weight, weights)):
        raise OpponentsError(f"damaged: model {name} does not have {len(FEATURE_NAMES)} weights")
    return Model(name, tuple(map(float, weights)))


def _is_weight(weight: Any) -> bool:
    return isinstance(weight, (int, float)) and not isinstance(weight, bool) and abs(weight) < 1e6
