"""GTP engines for these tests."""

import shlex
from pathlib import Path
from textwrap import dedent

from tests.arena.helpers import PYTHON

#: The beginning of every engine: ``answer(command, words)`` returns the text after = or ?, and can be redefined.
LOOP = """
import os, sys, time

points = iter([column + row for row in "54321" for column in "ABCDE"])

def burn(seconds):
    end = time.process_time() + seconds
    while time.process_time() < end:
        pass

def genmove(colour):
    return "= " + next(points)

def answer(words):
    return genmove(words[1]) if words[0] == "genmove" else "="

def loop():
    for line in sys.stdin:
        with open("heard", "a") as heard:
            heard.write(line.partition(" ")[2])
        number, *words = line.split()
        text = answer(words)
        print(text[0] + number + text[1:] + "\\n", flush=True)
        if words == ["quit"]:
            break
"""


def engine(directory: Path, source: str = "") -> str:
    """Return an agent that is an engine. source: redefines functions; without it, the engine plays A5, B5, C5, ..."""
    path = directory / "engine.py"
    path.write_text(LOOP + dedent(source) + "\nloop()\n")
    return "gtp:" + shlex.join([*PYTHON, str(path)])
