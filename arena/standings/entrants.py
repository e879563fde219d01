"""Who has entered: from what a command line calls an agent to the contestant that plays."""

import os
import shutil
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import NamedTuple

from arena.agents import Choose, aggressive, alphabeta, championship, greedy, human, qlearning, random
from arena.gtp.client import EngineFault
from arena.gtp.contestant import ENGINE_PREFIX, start_engine
from arena.match.contestant import Contestant, FunctionContestant, HumanContestant, ProgramContestant
from arena.match.process import Limits, Runner

BUILT_IN: dict[str, Choose] = {
    "aggressive": aggressive.choose,
    "alphabeta": alphabeta.choose,
    "championship": championship.choose,
    "greedy": greedy.choose,
    "human": human.choose,
    "qlearning": qlearning.choose,
    "random": random.choose,
}

#: The file beside a player's program that goes with it.
BOOK = "book.json"


class UnknownAgent(ValueError):
    """A name that is neither a built-in agent's nor a file's, or an interpreter or engine that cannot be started."""


class Terms(NamedTuple):
    """The terms that all contestants of a run play on.

    limits: what a program may take for a move.
    python: the command that runs Python files.
    strict: whether an answer must be a move to the letter.
    """

    limits: Limits = Limits()
    python: str = sys.executable
    strict: bool = False


@contextmanager
def open_contestant(agent: str, terms: Terms) -> Iterator[Contestant]:
    """Yield the contestant that ``agent`` names: a built-in agent, the path of a Python file, or ``gtp:COMMAND``.

    The file and a ``book.json`` beside it are copied into a fresh directory, which lasts as
    long as the context, and are run there.
    Raises UnknownAgent.
    """
    if agent in BUILT_IN:
        yield HumanContestant() if agent == "human" else FunctionContestant(agent, BUILT_IN[agent])
        return
    if agent.startswith(ENGINE_PREFIX):
        try:
            engine = start_engine(agent, terms.limits)
        except EngineFault as error:
            raise UnknownAgent(f"no agent {agent!r}: {error}") from None
        with closing(engine):
            yield engine
        return
    file = Path(agent)
    if not file.is_file():
        names = ", ".join(BUILT_IN)
        raise UnknownAgent(f"no agent {agent!r}: want {names}, gtp:COMMAND, or the path of a Python file that exists")
    interpreter = shutil.which(terms.python)
    if interpreter is None:
        raise UnknownAgent(f"no Python interpreter {terms.python!r}")
    with Runner() as runner:
        directory = runner.home / "agent"
        directory.mkdir()
        for part in (file, file.with_name(BOOK)):
            if part.is_file():
                shutil.copy(part, directory)
        command = [os.path.abspath(interpreter), file.name]
        yield ProgramContestant(agent, command, directory, terms.limits, runner)
