"""Built-in agents, one module each.

An agent is a function from a position and a random generator to a move. Each module is also a program: ``python -m
arena.agents.greedy`` reads ``input.txt`` in the current directory and writes ``output.txt``.
"""

from collections.abc import Callable
from random import Random
from typing import TypeAlias

from solver.position import Position

Choose: TypeAlias = Callable[[Position, Random], int]


def one_of(candidates: Callable[[Position], list[int]], position: Position, rng: Random) -> int:
    """Return one of an agent's candidates, drawn uniformly."""
    return rng.choice(candidates(position))


class Resigned(Exception):
    """The agent resigns."""


class UndoMove(Exception):
    """A person takes back their last move and all later ones.

    plies: the number of moves taken back, of both sides.
    """

    def __init__(self, plies: int = 2) -> None:
        super().__init__(plies)
        self.plies = plies


class Quit(Exception):
    """A person leaves an unfinished game."""
