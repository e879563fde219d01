"""Make a program of an agent: one move from ``input.txt`` to ``output.txt``, in the current directory."""

import sys
from pathlib import Path
from random import Random

from arena.agents import Choose, Resigned
from arena.files import read_question, write_answer


def run(choose: Choose) -> None:
    """Answer one call of the host; end with a line on standard error when that cannot be done."""
    directory = Path()
    try:
        position = read_question(directory)
    except (OSError, ValueError) as error:
        sys.exit(f"cannot read input.txt: {error}")
    try:
        write_answer(directory, choose(position, Random()))
    except Resigned:
        sys.exit("resigned")
