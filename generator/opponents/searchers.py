"""Opponents who search: alpha-beta to a fixed depth with a common evaluation, and a random choice among equal moves.

Most good agents of the course play like this. The searchers are not fitted to games, because their method is known.
"""

from functools import cache
from typing import NamedTuple

from little_go.solver.native.lookahead import Lookahead
from little_go.solver.position import CENTRE, Position

#: The weights of solver.native.lookahead: stones, liberties, contacts, reach, euler, edge, corners, in_atari.
Evaluation = tuple[int, int, int, int, int, int, int, int]


class Searcher(NamedTuple):
    """An opponent that searches to a depth of 1 ply or more with an evaluation."""

    evaluation: Evaluation
    depth: int

    def equals(self, position: Position) -> list[int]:
        """Return the moves with the best score, sorted by number. On the empty board, return only the centre."""
        return list(self.scores(position, 0))

    def scores(self, position: Position, margin: int) -> dict[int, int]:
        """Return the moves whose scores are at most ``margin`` below the best score, with their scores.

        On the empty board, return only the centre with the score 0.
        """
        if not position.ply:
            return {CENTRE: 0}
        return _lookahead(self.evaluation).scores(position, min(self.depth, position.left), margin)


@cache
def _lookahead(evaluation: Evaluation) -> Lookahead:
    return Lookahead(evaluation)
