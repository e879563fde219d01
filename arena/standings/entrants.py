"""Entrants: from the name of an agent on a command line to the contestant that plays."""

import os
import re
import shutil
import sys
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from typing import NamedTuple

from arena.agents import Choose, aggressive, alphabeta, championship, greedy, human, qlearning, random, searching
from arena.gtp.client import EngineFault
from arena.gtp.gtp_contestant import ENGINE_PREFIX, start_engine
from arena.match.contestant import Contestant, FunctionContestant, GameAdvice, HumanContestant, ProgramContestant
from arena.match.process import Limits, Runner
from arena.match.programs import command_words, find_source, lay_out
from arena.match.sandbox import SandboxError, in_sandbox
from runtime.release import here_or_shipped

BUILT_IN: dict[str, Choose] = {
    "aggressive": aggressive.choose,
    "alphabeta": alphabeta.choose,
    "championship": championship.choose,
    "greedy": greedy.choose,
    "human": human.choose,
    "qlearning": qlearning.choose,
    "random": random.choose,
}

#: What starts the name of a program that runs as it is.
COMMAND_PREFIX = "cmd:"

#: What an agent may be called on a command line.
_NAME = re.compile(r"([^=:/@]+)=(.+)")


class UnknownAgent(ValueError):
    """An agent that is not there, or cannot be started; the message is one line."""


class Terms(NamedTuple):
    """The terms that all contestants of a run play on.

    limits: what a program may take for a move.
    python: the command that runs Python files.
    strict: whether an answer must be a move to the letter.
    sandboxed: whether programs run in a sandbox (arena.match.sandbox).
    """

    limits: Limits = Limits()
    python: str = sys.executable
    strict: bool = False
    sandboxed: bool = False


class Entrant(NamedTuple):
    """An agent that takes part.

    name: what it is called in tables and records. agent: what it is. python: the command that runs it, "" for
        that of the terms.
    """

    name: str
    agent: str
    python: str = ""


def parse_entrant(text: str) -> Entrant:
    """Return the entrant that a command line names: an agent, with ``NAME=`` before it or ``@PYTHON`` after it.

    >>> parse_entrant("alice=bots/alice.py@python3.7")
    Entrant(name='alice', agent='bots/alice.py', python='python3.7')
    """
    name, agent, python = text, text, ""
    named = _NAME.fullmatch(text)
    if named and not os.path.exists(text):
        name, agent = named[1].strip(), named[2]
    before, at, after = agent.rpartition("@")
    if at and before and after and not agent.startswith((ENGINE_PREFIX, COMMAND_PREFIX)) and not os.path.exists(agent):
        agent, python = before, after
    return Entrant(name, agent, python)


@contextmanager
def open_contestant(entrant: Entrant, terms: Terms, advice: GameAdvice | None = None) -> Iterator[Contestant]:
    """Yield the contestant of an entrant. advice: for a person.

    Its agent is the name of a built-in one; ``gtp:COMMAND``; ``cmd:COMMAND``; the path of a Python, Java or C++
    file, which is copied with a ``book.json`` beside it; or a directory, ``DIR`` or ``DIR:FILE``, which is copied
    whole. Each program has a fresh directory, as long as the context lasts, and is run there. Raises UnknownAgent.
    """
    with ExitStack() as stack:
        try:
            contestant = _contestant(entrant, terms, advice, stack)
        except UnknownAgent:
            raise
        except (EngineFault, SandboxError, ValueError) as error:
            raise UnknownAgent(f"cannot use agent {entrant.agent!r}: {error}") from None
        except OSError as error:
            raise UnknownAgent(f"cannot use agent {entrant.agent!r}: {error.strerror}") from None
        yield contestant


def _contestant(entrant: Entrant, terms: Terms, advice: GameAdvice | None, stack: ExitStack) -> Contestant:
    """Return the contestant of an entrant; what it needs goes with ``stack``."""
    name, agent, python = entrant
    if python and (agent in BUILT_IN or not _exists(agent)):
        raise UnknownAgent(f"{python!r} cannot run agent {agent!r}: only Python files take @PYTHON")
    if agent == "human":
        return HumanContestant(name, advice)
    if agent == "qlearning":
        # What it has learnt must be there before a game begins.
        qlearning.table()
    if agent in BUILT_IN:
        return FunctionContestant(name, BUILT_IN[agent])
    if agent.startswith(searching.PREFIX):
        return FunctionContestant(name, searching.open_searching(agent))
    if agent.startswith(ENGINE_PREFIX):
        if terms.sandboxed:
            raise UnknownAgent(f"no sandbox for {agent!r}: engines run only without --sandbox")
        engine = stack.enter_context(closing(start_engine(agent, terms.limits)))
        engine.name = name
        return engine
    runner = stack.enter_context(Runner(terms.sandboxed))
    directory = runner.home / "agent"
    directory.mkdir()
    command = _command(agent, terms._replace(python=python or terms.python), directory, runner)
    if terms.sandboxed:
        in_sandbox(command, directory)
    alone = not agent.startswith(COMMAND_PREFIX) and here_or_shipped(agent).is_file()
    return ProgramContestant(name, command, directory, terms.limits, runner, alone)


def _exists(agent: str) -> bool:
    path, _, file = agent.rpartition(":")
    return here_or_shipped(agent).exists() or (bool(file) and os.path.isdir(path))


def _command(agent: str, terms: Terms, directory: Path, runner: Runner) -> list[str]:
    """Return the command that starts an agent, which is laid out in the directory for that."""
    if agent.startswith(COMMAND_PREFIX):
        return command_words(agent, COMMAND_PREFIX)
    if not _exists(agent):
        raise UnknownAgent(
            f"cannot use agent {agent!r}: give {', '.join(BUILT_IN)}, gtp:COMMAND, cmd:COMMAND, or the path of a "
            "Python, Java or C++ file or of a directory that exists"
        )
    whole = here_or_shipped(agent)
    path, _, file = (str(whole), "", "") if whole.exists() else agent.rpartition(":")
    interpreter = shutil.which(terms.python)
    if interpreter is None:
        raise UnknownAgent(f"no Python interpreter {terms.python!r}: give its path")
    place, python = Path(path), os.path.abspath(interpreter)
    source, within = find_source(place, file), place if place.is_dir() else None
    return lay_out(source, within, directory, python, runner, terms.limits.memory, alone=bool(file))
