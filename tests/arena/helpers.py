"""Helpers that several tests of the arena use."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from textwrap import dedent

from hypothesis import strategies as st

from little_go.arena.match.contestant import ProgramContestant
from little_go.arena.match.host import OPENING, State, judge
from little_go.arena.match.limits import Limits
from little_go.arena.match.programs import Runner, open_runner
from little_go.solver.position import move_name

#: The words that start Python in a few milliseconds, without site packages and environment.
PYTHON = [sys.executable, "-I", "-S"]

#: Limits that are enough for any program of these tests on a busy machine.
AMPLE = Limits(cpu=20.0, wall=60.0)

#: The CPU seconds that the system's clock may omit: user time and system time are each rounded to whole ticks.
ROUNDED = 2 / os.sysconf("SC_CLK_TCK")

#: The beginning of every player in these tests.
ANSWER = """
def answer(text):
    with open("output.txt", "w") as file:
        file.write(text)
"""


def after(moves: str, state: State = OPENING) -> State:
    """Return the state after the moves, of which only the last may end the game."""
    for move in moves.split():
        state = judge(state, move)
    return state


def reason(state: State) -> str:
    assert state.result is not None
    return state.result.reason


def winner(state: State) -> int:
    assert state.result is not None
    return state.result.winner


def new_runner() -> Runner:
    """Return a runner of this system, or of the kind that a test requests."""
    return open_runner()


@contextmanager
def program(directory: Path, source: str, limits: Limits = AMPLE) -> Iterator[ProgramContestant]:
    """Yield a contestant that runs ``source`` in ``directory``. The source can call ``answer(text)``."""
    (directory / "player.py").write_text(ANSWER + dedent(source))
    with new_runner() as runner:
        yield ProgramContestant("player", [*PYTHON, "player.py"], directory, limits, runner)


@st.composite
def states(draw: st.DrawFn) -> State:
    """Draw a state of an unfinished game, reached by random legal moves, of which about one in eight is a PASS."""
    state = OPENING
    for number in draw(st.lists(st.integers(0, 2**16), max_size=23)):
        moves = state.position.legal_moves()
        choice = moves[-1] if number % 8 == 0 else moves[number // 8 % len(moves)]
        following = judge(state, move_name(choice))
        if following.result:
            break
        state = following
    return state


#: The processes that this process had started before the test, such as Python's tracker of shared memory.
EARLIER: set[int] = set()


def children(process: int | str = "self") -> set[int]:
    """Return the direct children of a process; for this process, only those that the test has started."""
    parent = os.getpid() if process == "self" else int(process)
    found = set()
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = stat.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if fields[1] == str(parent):
            found.add(int(stat.parent.name))
    return found - EARLIER if process == "self" else found


def open_files(process: int | str = "self") -> dict[str, str]:
    """Return the open files of a process, by descriptor."""
    found = {}
    for name in os.listdir(f"/proc/{process}/fd"):
        with suppress(OSError):
            found[name] = os.readlink(f"/proc/{process}/fd/{name}")
    return found
