"""The agents that come with the arena, one module each.

An agent is a function from a position and a source of chance to a move. Each module is a
program as well: ``python -m arena.agents.greedy`` reads ``input.txt`` in the current
directory and writes ``output.txt``.
"""

from collections.abc import Callable
from random import Random
from typing import TypeAlias

from solver.position import Position

Choose: TypeAlias = Callable[[Position, Random], int]


def one_of(candidates: Callable[[Position], list[int]], position: Position, rng: Random) -> int:
    """Return one of an agent's candidates, each as likely as the other."""
    return rng.choice(candidates(position))


class Resigned(Exception):
    """The agent gives the game up."""


class UndoMove(Exception):
    """A person takes their last move back, and what was played after it.

    plies: how many answers of either side that are.
    """

    def __init__(self, plies: int = 2) -> None:
        super().__init__(plies)
        self.plies = plies


class Quit(Exception):
    """A person leaves the game as it stands."""
