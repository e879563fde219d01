"""Built-in agents, each in its own module.

An agent is a function that returns a move for a position and a random-number generator. The agent's module declares the
agent as ``AGENT``. The arena, its help texts, the tests and docs/reference/AGENTS.md get all facts about the agent from
this declaration. Each module is also a program: ``python -m little_go.arena.agents.greedy`` calls run(), which reads
``input.txt`` in the current directory and writes ``output.txt``.
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
    """A built-in agent. Code can call the agent like a function of the type Choose.

    name: the agent's name on a command line. rule, limits, source: the cells of the agent's row in AGENTS.md, which
    state how the agent chooses a move, how far it searches, and the source of the rule. choose: the function that
    chooses a move in the course's game. needs_ply: whether the agent needs the exact ply (see run()). is_person:
    whether a person enters the moves. in_game: a function that returns ``choose`` for another length or komi, or None
    if the same function works for every game.
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
        """Return the function that chooses a move in a game.

        Raise OSError or ValueError if a file that the agent needs is unusable.
        """
        return self.in_game(game) if self.in_game else self.choose


def one_of(candidates: Callable[[Position], list[int]], position: Position, rng: Random) -> int:
    """Return one of an agent's candidates for a position, drawn at random with equal chances."""
    return rng.choice(candidates(position))


class Resigned(Exception):
    """Raised if an agent resigns."""


class UndoMove(Exception):
    """Raised if a person undoes their last move and all later moves.

    plies: the number of undone moves of both sides together.
    """

    def __init__(self, plies: int = 2) -> None:
        super().__init__(plies)
        self.plies = plies


class Quit(Exception):
    """Raised if a person leaves an unfinished game."""


def run(choose: Choose, needs_ply: bool = False) -> None:
    """Answer one call of the host. If this fails, exit with a line on standard error.

    needs_ply: whether the agent needs the exact ply, which a file then stores between the calls, as for the player.
    Other agents get the lowest ply that fits the boards.
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
