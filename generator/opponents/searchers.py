"""Opponents who search: alpha-beta to a fixed depth with a usual evaluation, ties at random.

Most agents that are any good play like this. The searchers are not fitted to games: how they work is known.
"""

from functools import cache
from typing import NamedTuple

from solver.native.lookahead import Lookahead
from solver.position import CENTRE, Position

#: What one more of each is worth, as solver.native.lookahead has it: stones, liberties, contacts, reach, euler, edge,
#: corners, in_atari.
Evaluation = tuple[int, int, int, int, int, int, int, int]


class Searcher(NamedTuple):
    """An opponent that searches so many plies, 1 or more, by an evaluation."""

    evaluation: Evaluation
    depth: int

    def equals(self, position: Position) -> list[int]:
        """Return the moves of the best score, in the order of their numbers; the middle to open."""
        return list(self.scores(position, 0))

    def scores(self, position: Position, margin: int) -> dict[int, int]:
        """Return the scores of the moves no more than ``margin`` below the best one; of the middle alone to open."""
        if not position.ply:
            return {CENTRE: 0}
        return _lookahead(self.evaluation).scores(position, min(self.depth, position.left), margin)


@cache
def _lookahead(evaluation: Evaluation) -> Lookahead:
    return Lookahead(evaluation)
