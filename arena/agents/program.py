"""Run an agent as a program: one move from ``input.txt`` to ``output.txt`` in the current directory."""

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
    """Answer one call of the host; exit with a line on standard error when that fails.

    needs_ply: whether the agent needs the exact ply, which is then kept in a file as the player keeps it. The others
    get the lowest ply that fits.
    """
    try:
        question = read_question(INPUT_FILE, COURSE)
    except NotationError as error:
        sys.exit(f"{INPUT_FILE}: {error}")
    memory = PlyMemory([os.getcwd()]) if needs_ply else None
    position = question.position(memory.recall(question)[0] if memory else question.least_ply)
    try:
        move = choose(position, Random())
        write_move(OUTPUT_FILE, move)
    except (Quit, Resigned):
        sys.exit("resigned")
    if memory:
        memory.note(position, move)
