"""Make a program of an agent: one move from ``input.txt`` to ``output.txt``, in the current directory."""

import os
import sys
from random import Random

from arena.agents import Choose, Quit, Resigned
from notation.faults import NotationError
from notation.host_file import INPUT_FILE, OUTPUT_FILE
from player.main import read_question, write_move
from player.memory import PlyMemory
from solver.family import COURSE


def run(choose: Choose, needs_ply: bool = False) -> None:
    """Answer one call of the host; end with a line on standard error when that cannot be done.

    needs_ply: whether the agent asks for the ply; then it is kept as the player keeps it, in a file. To the
    others the least ply that fits will do.
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
