"""Searching: alpha-beta to a fixed depth by one of the usual evaluations, exact near the end, ties at random.

Such are most students' agents that are any good. Our player's traps were chosen against some of them
(generator.opponents.population); the evaluations here are others, to measure on. The search is native, so it is as
fast as one in C++; it plays what a plain alpha-beta in Python plays.
"""

from dataclasses import dataclass
from functools import cache
from random import Random

from arena.agents import one_of
from generator.opponents.searchers import Evaluation, Searcher
from solver.family import Variant
from solver.native.kernel import Kernel
from solver.native.table import open_table
from solver.position import PASS, Position

#: What one more of each is worth: stones, liberties, contacts, reach, euler, edge, corners, in_atari.
EVALUATIONS: dict[str, Evaluation] = {
    "count": (1, 0, 0, 0, 0, 0, 0, 0),
    "breath": (10, 2, 0, 0, 0, 0, 0, 0),
    "contact": (8, 0, 2, 0, 0, -2, 0, 0),
    "werf": (5, 1, 0, 0, -4, -1, 0, 0),
    "solid": (12, 1, 0, 0, -2, 0, -3, -3),
    "wide": (8, 1, 0, 1, -3, -2, 0, 0),
}

#: What the agent's name begins with on a command line, and the depths and plies left that it may have.
PREFIX = "search:"
DEPTHS, EXACT_LEFT = range(1, 11), range(17)

_TABLE_MIB = 64


@dataclass(frozen=True)
class Searching:
    """A searching agent; it is called as agents are.

    exact_left: with so many plies left it keeps a win that there is.
    """

    searcher: Searcher
    exact_left: int
    game: Variant

    def __call__(self, position: Position, rng: Random) -> int:
        """Return one of ``candidates``."""
        return one_of(self.candidates, position, rng)

    def candidates(self, position: Position) -> list[int]:
        """Return the moves that are equal to it; PASS only where it wins, or without a legal point."""
        if position.left <= self.exact_left:
            winning = [move for move in position.legal_moves() if self._winner(position.play(move)) == position.mover]
            if winning:
                return winning
        return self.searcher.equals(position) or [PASS]

    def _winner(self, position: Position) -> int | None:
        if position.is_over:
            return self.game.leader(position)
        return self.game.winner(_kernel().decide(position, self.game.least))


def open_searching(name: str, game: Variant) -> Searching:
    """Return the agent of a name such as ``search:werf:4:10``: evaluation, depth, exact from so many plies left on.

    Raises ValueError for another name.
    """
    try:
        evaluation, depth, exact_left = name.removeprefix(PREFIX).split(":")
        if int(depth) in DEPTHS and int(exact_left) in EXACT_LEFT:
            return Searching(Searcher(EVALUATIONS[evaluation], int(depth)), int(exact_left), game)
    except (KeyError, ValueError):
        pass
    raise ValueError(
        f"give {PREFIX}EVALUATION:DEPTH:EXACT with one of {', '.join(EVALUATIONS)}, a depth of 1 to {DEPTHS[-1]}, and "
        f"EXACT from 0 to {EXACT_LEFT[-1]}, the plies left from which it plays exactly"
    )


@cache
def _kernel() -> Kernel:
    return Kernel(open_table(_TABLE_MIB))
