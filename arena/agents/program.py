"""Make a program of an agent: one move from ``input.txt`` to ``output.txt``, in the current directory."""

import sys
from random import Random

from arena.agents import Choose, Resigned
from player.files import INPUT_FILE, OUTPUT_FILE, BadInput, read_question, write_move


def run(choose: Choose) -> None:
    """Answer one call of the host; end with a line on standard error when that cannot be done."""
    try:
        question = read_question(INPUT_FILE)
    except BadInput as error:
        sys.exit(f"{INPUT_FILE}: {error}")
    try:
        # These agents do not ask for the ply, so the least that fits will do.
        write_move(OUTPUT_FILE, choose(question.position(question.least_ply), Random()))
    except Resigned:
        sys.exit("resigned")
