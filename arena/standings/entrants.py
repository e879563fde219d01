"""Make a contestant from the name of an agent on a command line."""

import atexit
import os
import re
import sys
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from functools import lru_cache
from hashlib import sha256
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules
from typing import NamedTuple

from little_go.arena import agents
from little_go.arena.agents import Agent, searching
from little_go.arena.gtp.protocol import ENGINE_PREFIX, EngineFault
from little_go.arena.match.contestant import (
    Contestant,
    FunctionContestant,
    GameAdvice,
    HumanContestant,
    ProgramContestant,
)
from little_go.arena.match.interpreter import check_packages, find_interpreter
from little_go.arena.match.limits import Limits, MachineError
from little_go.arena.match.machine import is_machine_error
from little_go.arena.match.programs import (
    PreparedAgent,
    Runner,
    command_digest,
    command_words,
    find_source,
    lay_out,
    open_runner,
)
from little_go.arena.match.provided import ProvidedFile, lacking_text
from little_go.arena.match.python_source import lacking_modules
from little_go.player.build import named_game
from little_go.runtime.files import MIB, read_file, remove_all
from little_go.runtime.release import here_or_shipped, version
from little_go.solver.family import Variant


def _declared() -> Iterator[Agent]:
    """Yield the agents that the modules of arena.agents declare."""
    for found in iter_modules(agents.__path__):
        agent = getattr(import_module(f"{agents.__name__}.{found.name}"), "AGENT", None)
        if isinstance(agent, Agent):
            yield agent


#: The built-in agents by name, in alphabetical order, and the names of the built-in agents that need no person.
BUILT_IN = {agent.name: agent for agent in sorted(_declared(), key=lambda agent: agent.name)}
PROGRAMMED = [name for name, agent in BUILT_IN.items() if not agent.is_person]

#: The prefix of an agent that is a command, which is run without copying or compiling files.
COMMAND_PREFIX = "cmd:"

#: Matches NAME=AGENT, an agent with a name, on a command line.
_NAME = re.compile(r"([^=:/@]+)=(.+)")


class UnknownAgent(ValueError):
    """Raised if an agent does not exist or cannot be started. The message is one line."""


class MachineFault(UnknownAgent):
    """Raised if an agent cannot be started because of this machine."""


class LacksModules(UnknownAgent):
    """Raised if an agent imports modules of the course that are not among the agent's files."""


class Terms(NamedTuple):
    """The rules for all contestants of a run.

    game: the length and komi. limits: a program's limits for one move. python: the command that runs Python files.
    packages: the installed packages that Python files can import. strict: whether an answer must have the exact format.
    sandboxed: whether programs run in a sandbox (arena.match.sandbox). files: patterns of the files of a directory that
    are copied with its program (arena.match.copying), or None for all files. provided: the files that the course gives
    to each program, or None if no course file lists such files.
    """

    game: Variant
    limits: Limits = Limits()
    python: str = sys.executable
    packages: tuple[str, ...] = ()
    strict: bool = False
    sandboxed: bool = False
    files: tuple[str, ...] | None = None
    provided: tuple[ProvidedFile, ...] | None = None


class Entrant(NamedTuple):
    """An agent that takes part in a run.

    name: the agent's name in tables and records. agent: the agent in a form that open_contestant() describes. python:
    the command that runs a Python file, or "" for the command in the terms.
    """

    name: str
    agent: str
    python: str = ""


def parse_entrant(text: str) -> Entrant:
    """Return the entrant for a word of a command line, which is an agent with or without ``NAME=`` and ``@PYTHON``.

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


def is_program(agent: str) -> bool:
    """Return whether an agent is a program that is started for every move."""
    return agent not in BUILT_IN and not agent.startswith((searching.PREFIX, ENGINE_PREFIX))


@contextmanager
def open_contestant(entrant: Entrant, terms: Terms, advice: GameAdvice | None = None) -> Iterator[Contestant]:
    """Yield the contestant that plays for an entrant.

    The agent is the name of a built-in agent; ``gtp:COMMAND``; ``cmd:COMMAND``; a Python, Java or C++ file, which is
    copied with a ``book.json`` next to it; or a directory, ``DIR`` or ``DIR:FILE``, which is copied completely. Each
    program runs in a new directory, which is removed at the end. advice: the functions that give advice to a person.
    Raise UnknownAgent if the agent does not exist or cannot be started, and SandboxError if no sandbox can be made.
    """
    with ExitStack() as stack:
        try:
            contestant = _contestant(entrant, terms, advice, stack)
        except UnknownAgent:
            raise
        except (EngineFault, ValueError) as error:
            kind = MachineFault if isinstance(error, MachineError) else UnknownAgent
            raise kind(f"cannot use agent {entrant.agent!r}: {error}") from None
        except OSError as error:
            kind = MachineFault if is_machine_error(error) else UnknownAgent
            raise kind(f"cannot use agent {entrant.agent!r}: {error.strerror}") from None
        yield contestant


def _contestant(entrant: Entrant, terms: Terms, advice: GameAdvice | None, stack: ExitStack) -> Contestant:
    name, agent, python = entrant
    identity = _digest(agent, _built_in())
    if python and (agent in BUILT_IN or not _exists(agent)):
        raise UnknownAgent(f"{python!r} cannot run agent {agent!r}: only Python files take @PYTHON")
    if agent in BUILT_IN and BUILT_IN[agent].is_person:
        return HumanContestant(name, advice)
    if agent in BUILT_IN:
        return FunctionContestant(name, BUILT_IN[agent].opened(terms.game), identity)
    if agent.startswith(searching.PREFIX):
        return FunctionContestant(name, searching.open_searching(agent, terms.game), identity)
    if agent.startswith(ENGINE_PREFIX):
        if terms.sandboxed:
            raise UnknownAgent(f"no sandbox for {agent!r}: engines run only without --sandbox")
        return _engine(name, agent, terms, stack)
    runner = stack.enter_context(_runner(terms.sandboxed))
    directory = runner.home / "agent"
    directory.mkdir()
    terms = terms._replace(python=python or terms.python)
    command, files, warnings = _prepare_agent(agent, terms, directory, runner)
    runner.check(command, directory)
    alone = not agent.startswith(COMMAND_PREFIX) and here_or_shipped(agent).is_file()
    identity = _digest(files, terms.limits, terms.strict, terms.sandboxed)
    contestant = ProgramContestant(name, command, directory, terms.limits, runner, alone, identity)
    contestant.warnings = warnings
    return contestant


def _engine(name: str, agent: str, terms: Terms, stack: ExitStack) -> Contestant:
    if sys.platform == "linux":
        from little_go.arena.gtp.client import start_engine

        engine = stack.enter_context(closing(start_engine(agent, terms.limits, terms.game)))
        engine.name = name
        engine.identity = _digest(command_digest(command_words(agent, ENGINE_PREFIX)), terms.limits)
        return engine
    raise UnknownAgent(f"cannot use agent {agent!r}: GTP engines play only on Linux")


#: Idle runners, by whether they have a sandbox and by process id. Runners are reused because the start of a runner
#: takes about as much CPU time as a move of many programs.
_idle: dict[tuple[bool, int], list[Runner]] = {}


@contextmanager
def _runner(sandboxed: bool) -> Iterator[Runner]:
    """Yield a runner with an empty directory. If possible, reuse the runner of an earlier contestant."""
    if sys.platform != "linux":
        # Do not reuse a plain runner, which consists only of a directory, because the directory would remain after the
        # process ends.
        with open_runner(sandboxed) as runner:
            yield runner
        return
    idle = _idle.setdefault((sandboxed, os.getpid()), [])
    runner = idle.pop() if idle else open_runner(sandboxed)
    try:
        yield runner
    except BaseException:
        runner.close()
        raise
    try:
        for place in runner.home.iterdir():
            remove_all(place)
    except OSError:
        runner.close()
    else:
        idle.append(runner)


@atexit.register
def close_idle() -> None:
    """Close the idle runners of this process."""
    for sandboxed in (False, True):
        for runner in _idle.pop((sandboxed, os.getpid()), []):
            runner.close()


def _digest(*parts: object) -> str:
    return sha256(repr(parts).encode("utf-8", "surrogateescape")).hexdigest()[:16]


@lru_cache
def _built_in() -> str:
    """Return a digest of the built-in agents, their learnt values, and the version of Little-Go."""
    folder = Path(agents.__file__).parent
    files = sorted(path for path in folder.iterdir() if path.suffix in (".py", ".json"))
    return sha256(b"".join([version().encode(), *(read_file(path, 16 * MIB) for path in files)])).hexdigest()


def _exists(agent: str) -> bool:
    path, _, file = agent.rpartition(":")
    return here_or_shipped(agent).exists() or (bool(file) and os.path.isdir(path))


def _check_game(source: Path, copied: Path, game: Variant) -> None:
    """Raise UnknownAgent if a program is a player that Little-Go built for another length or komi.

    source: the path that the message shows. copied: the copy of the source, which is read.
    """
    named = named_game(read_file(copied, 256 * MIB)) if source.suffix == ".py" else None
    if named not in (None, game):
        raise UnknownAgent(f"{source} plays the game of {named}, and this one is of {game}")


def _prepare_agent(agent: str, terms: Terms, directory: Path, runner: Runner) -> PreparedAgent:
    """Copy an agent into a directory, and compile it if necessary.

    The digest includes the version and the packages of the Python that runs the agent, because they can change the
    agent's moves.
    """
    if agent.startswith(COMMAND_PREFIX):
        words = command_words(agent, COMMAND_PREFIX)
        return PreparedAgent(words, command_digest(words))
    if not _exists(agent):
        if Path(agent).suffix or "/" in agent or os.sep in agent:
            raise UnknownAgent(
                f"cannot use agent {agent!r}: it does not exist; name a Python, Java or C++ file, or a directory"
            )
        raise UnknownAgent(
            f"cannot use agent {agent!r}: give {', '.join(BUILT_IN)}, gtp:COMMAND, cmd:COMMAND, or the path of "
            "a Python, Java or C++ file or of a directory that exists"
        )
    whole = here_or_shipped(agent)
    path, _, file = (str(whole), "", "") if whole.exists() else agent.rpartition(":")
    place = Path(path)
    source, within = find_source(place, file), place if place.is_dir() else None
    python, runs_it = list[str](), ""
    if source.suffix == ".py":
        interpreter = find_interpreter(terms.python)
        check_packages(interpreter, terms.packages)
        # The sandbox caches a Python's files by the Python's path, and later agents use the same runner's directory. So
        # the path contains a digest of the Python and its packages.
        place = runner.home / f"python-{_digest(interpreter, terms.packages)}"
        python = interpreter.command(place, terms.packages)
        runs_it = f"{interpreter.version} {(terms.packages, interpreter.installed()) if terms.packages else ''}"
    laid = lay_out(
        *(source, within, directory, python, runner, terms.limits.memory),
        alone=bool(file),
        beside=terms.files,
        provided=terms.provided or (),
    )
    # Read the copy instead of the source, because the copy is a plain file of limited size.
    copied = directory / (source.name if within is None else source.relative_to(within))
    _check_game(source, copied, terms.game)
    if source.suffix == ".py" and (absent := lacking_modules(copied)):
        why = lacking_text(absent, has_list=terms.provided is not None)
        raise LacksModules(f"cannot use agent {agent!r}: {source.name} {why}")
    return laid._replace(digest=_digest(source.name, laid.digest, runs_it))
