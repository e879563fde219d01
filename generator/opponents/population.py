"""The population of opponents: classes with weights, and the chance that a class plays a move.

Half of the weight is on the models fitted to games (models.py), and half on opponents who search (searchers.py). The
searchers differ in evaluation, depth, and the plies left from which they play exactly. The weights are the chances of
the classes before the first move. During a game, the weights change with the moves played (generator.questions.traps).
"""

from collections.abc import Collection, Mapping, Sequence
from functools import cache
from typing import NamedTuple, TypeAlias

from little_go.generator.opponents.models import Opponents, open_opponents
from little_go.generator.opponents.searchers import Evaluation, Searcher
from little_go.solver.family import COURSE, Variant
from little_go.solver.position import Position

#: A number for each class, in the order of ``Population.names``.
ByClass: TypeAlias = tuple[float, ...]

#: The evaluations of the searchers, by name.
EVALUATIONS: dict[str, Evaluation] = {
    "stones": (1, 0, 0, 0, 0, 0, 0, 0),
    "liberties": (3, 1, 0, 0, 0, 0, 0, 0),
    "euler": (5, 1, 0, 0, -4, 0, 0, 0),
    "shape": (26, 3, 0, -1, -7, 0, -2, -2),
    "reach": (4, 1, 0, 1, -2, -1, 0, 0),
    "atari": (10, 1, 0, 0, 0, -1, 0, -4),
}

#: The search depths of the searchers, in plies.
DEPTHS = (2, 4, 6)

#: The numbers of plies left from which searchers play exactly. Each number has the same weight.
EXACT_LEFT = (6, 10, 14)

#: A searcher of this depth or more counts as strong.
STRONG_DEPTH = 4

#: The maximum depth in games other than the course's game, so that their traps take only minutes. With a depth of 4, a
#: trap takes four times as long.
DEEPEST_ELSEWHERE = 2

#: The total weight of all searchers.
SEARCHING = 0.5

#: The chance that a searcher plays a random move with nearly the best score, and the chance that it plays a random
#: legal move. A searcher has such chances because a real opponent's evaluation differs from ours.
NEARLY, ANY = 0.1, 0.02


class SearcherClass(NamedTuple):
    """A class of opponents that search, and play exactly with ``exact_left`` plies left or fewer."""

    name: str
    searcher: Searcher
    exact_left: int


def _classes(deepest: int) -> list[SearcherClass]:
    return [
        SearcherClass(f"{name}-{depth}-{left}", Searcher(evaluation, depth), left)
        for name, evaluation in EVALUATIONS.items()
        for depth in DEPTHS
        if depth <= deepest
        for left in EXACT_LEFT
    ]


CLASSES = _classes(DEPTHS[-1])


class Population:
    """The classes of opponents, with their weights.

    Public attributes, each with one entry for each class: ``names``; ``weights``, which sum to 1; ``strong``, whether
    the class is strong.
    """

    def __init__(self, opponents: Opponents, game: Variant) -> None:
        """opponents: the fitted models. game: the game, whose length determines the depths of the searchers."""
        deepest = DEPTHS[-1] if game == COURSE else DEEPEST_ELSEWHERE
        self._opponents = opponents
        self._game = game
        self._classes = _classes(deepest)
        # For each evaluation the shallow searchers come first, because their results order the moves of the deeper
        # searchers.
        self._searchers = tuple(dict.fromkeys(each.searcher for each in self._classes))
        fitted = len(opponents.names)
        self.names = [*opponents.names, *(each.name for each in self._classes)]
        self.weights: ByClass = (
            *((1 - SEARCHING) / fitted for _ in range(fitted)),
            *(SEARCHING / len(self._classes) for _ in self._classes),
        )
        self.strong = [
            *(False for _ in range(fitted)),
            *(each.searcher.depth >= min(STRONG_DEPTH, deepest) for each in self._classes),
        ]

    def chances(self, position: Position, holding: Collection[int]) -> dict[int, ByClass]:
        """Return the chance of each legal move, by class.

        holding: the moves that keep the mover's win. A class that plays exactly chooses among these moves, so at least
            one move is required if a class plays exactly in this position.
        """
        models = self._opponents.by_model(position, self._game)
        searching = {searcher: _smoothed(searcher, position) for searcher in self._searchers}
        exact = _evenly(holding)
        return {
            move: (
                *(chances[move] for chances in models.values()),
                *(
                    (exact if each.exact_left >= position.left else searching[each.searcher]).get(move, 0.0)
                    for each in self._classes
                ),
            )
            for move in position.legal_moves()
        }


def _smoothed(searcher: Searcher, position: Position) -> dict[int, float]:
    """Return the chances of the legal moves for opponents that play roughly like this searcher."""
    legal, chances = position.legal_moves(), {}
    scores = searcher.scores(position, max(1, searcher.evaluation[0] // 2))
    top = max(scores.values())
    best, nearly = _evenly([move for move, score in scores.items() if score == top]), _evenly(scores)
    for move in legal:
        chances[move] = (1 - NEARLY - ANY) * best.get(move, 0.0) + NEARLY * nearly.get(move, 0.0) + ANY / len(legal)
    return chances


def _evenly(moves: Collection[int]) -> Mapping[int, float]:
    return {move: 1 / len(moves) for move in moves}


def total(masses: Sequence[float], which: Sequence[bool] | None = None) -> float:
    """Return the sum over all classes, or over the classes whose entry in ``which`` is true."""
    if which is None:
        return sum(masses)
    return sum(mass for mass, counts in zip(masses, which, strict=True) if counts)


def times(one: ByClass, other: ByClass) -> ByClass:
    """Return, for each class, the product of its numbers in ``one`` and ``other``."""
    return tuple(a * b for a, b in zip(one, other, strict=True))


def plus(one: ByClass, other: ByClass) -> ByClass:
    """Return, for each class, the sum of its numbers in ``one`` and ``other``."""
    return tuple(a + b for a, b in zip(one, other, strict=True))


@cache
def open_population(game: Variant) -> Population:
    """Return the population of a game, with the fitted models that come with the generator."""
    return Population(open_opponents(), game)
