"""Agents that search by alpha-beta to a fixed depth, play exactly near the end, and draw among equal moves.

Most good agents of students search like this. Our player's traps were chosen against such agents
(generator.opponents.population). The agents in this module have different evaluations, so games against them measure
how well the traps work. The native search is as fast as a search in C++, and chooses the same moves as a plain
alpha-beta search in Python.
"""

from dataclasses import dataclass
from functools import cache
from random import Random

from little_go.arena.agents import one_of
from little_go.generator.opponents.searchers import Evaluation, Searcher
from little_go.solver.family import Variant
from little_go.solver.native.kernel import Kernel
from little_go.solver.native.table import open_table
from little_go.solver.position import PASS, Position

#: The weights of stones, liberties, contacts, reach, euler, edge, corners and in_atari in each evaluation.
EVALUATIONS: dict[str, Evaluation] = {
    "count": (1, 0, 0, 0, 0, 0, 0, 0),
    "breath": (10, 2, 0, 0, 0, 0, 0, 0),
    "contact": (8, 0, 2, 0, 0, -2, 0, 0),
    "werf": (5, 1, 0, 0, -4, -1, 0, 0),
    "solid": (12, 1, 0, 0, -2, 0, -3, -3),
    "wide": (8, 1, 0, 1, -3, -2, 0, 0),
}

#: The prefix of a searching agent's name on a command line; the allowed depths; and the allowed values of exact_left.
PREFIX = "search:"
DEPTHS, EXACT_LEFT = range(1, 11), range(17)

_TABLE_MIB = 64


@dataclass(frozen=True)
class Searching:
    """A searching agent. Code can call the agent like a function of the type Choose.

    exact_left: if at most this many plies are left, the agent plays a winning move if there is such a move.
    """

    searcher: Searcher
    exact_left: int
    game: Variant

    def __call__(self, position: Position, rng: Random) -> int:
        """Return one of the candidates at random."""
        return one_of(self.candidates, position, rng)

    def candidates(self, position: Position) -> list[int]:
        """Return the equally good moves. PASS is included only if it wins or if there is no legal point."""
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
    """Return the agent with a name such as ``search:werf:4:10``. Raise ValueError if the name is not valid.

    The parts of the name are the evaluation, the depth, and exact_left.
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
