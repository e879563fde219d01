"""Built-in agents, one module each.

An agent is a function from a position and a random generator to a move. Its module declares it as ``AGENT``, which is
everything that the arena, its help texts, the tests and docs/reference/AGENTS.md contain about it. Each module is also
a program: ``python -m arena.agents.greedy`` calls run(), which reads ``input.txt`` in the current directory and writes
``output.txt``.
"""

import os
import sys
from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from typing import TypeAlias

from little_go.notation.faults import NotationError
from little_go.notation.host_file import INPUT_FILE, OUTPUT_FILE
from little_go.player.main import read_question, write_move
from little_go.player.memory import PlyMemory
from little_go.solver.family import COURSE, Variant
from little_go.solver.position import Position

Choose: TypeAlias = Callable[[Position, Random], int]


@dataclass(frozen=True)
class Agent:
    """A built-in agent, callable as Choose.

    name: on a command line. rule, limits, source: cells of its row in AGENTS.md; limits: of the search for a move.
    choose: the function. needs_ply: as for run(). is_person: whether a person enters the moves. in_game: returns the
    function for a game's length and komi; None if it is the same in all games.
    """

    name: str
    rule: str
    limits: str
    source: str
    choose: Choose
    needs_ply: bool = False
    is_person: bool = False
    in_game: Callable[[Variant], Choose] | None = None

    def __call__(self, position: Position, rng: Random) -> int:
        """Return a move in the course's game."""
        return self.choose(position, rng)

    def opened(self, game: Variant) -> Choose:
        """Return the function for a game; raises OSError or ValueError if a file that the agent needs is unusable."""
        return self.in_game(game) if self.in_game else self.choose


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


def run(choose: Choose, needs_ply: bool = False) -> None:
    """Answer one call of the host; exit with a line on standard error when that fails.

    needs_ply: whether the agent needs the exact ply, which is then kept in a file as the player keeps it. The others
    get the lowest ply that fits.
    """
    try:
        question = read_question(INPUT_FILE, COURSE)
    except NotationError as error:
        print(f"{INPUT_FILE}: {error}", file=sys.stderr)
        sys.exit(2)
    memory = PlyMemory([os.getcwd()]) if needs_ply else None
    position = question.position(memory.recall(question)[0] if memory else question.least_ply)
    try:
        move = choose(position, Random())
        write_move(OUTPUT_FILE, move)
    except (Quit, Resigned):
        sys.exit("resigned")
    if memory:
        memory.note(position, move)
