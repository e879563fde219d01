"""Who can play a game: a function in this process, a program started once per move, or a GTP engine."""

import os
import shutil
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from random import Random
from typing import IO, Protocol

from arena.agents import Choose, Resigned, aggressive, alphabeta, championship, greedy, human, qlearning, random
from arena.drawing import draw
from arena.files import put_question, take_answer
from arena.gtp.client import EngineFault
from arena.gtp.contestant import ENGINE_PREFIX, start_engine
from arena.host import State, input_text
from arena.process import Limits, run
from arena.reply import Reply, last_line
from solver.position import move_name

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


class Contestant(Protocol):
    """One side of a game."""

    name: str

    def new_game(self, seed: str) -> None:
        """Prepare for a game; all chance in it comes from ``seed``."""

    def reply(self, state: State) -> Reply:
        """Answer one call of the host; raises TakenBack when a person goes back to their last move."""


class FunctionContestant:
    """A function of this process. Its CPU time is measured, not limited."""

    def __init__(self, name: str, choose: Choose) -> None:
        self.name = name
        self._choose = choose
        self._rng = Random()

    def new_game(self, seed: str) -> None:
        """Start the chance of a game from ``seed``."""
        self._rng = Random(seed)

    def reply(self, state: State) -> Reply:
        """Answer with the function's move."""
        start = time.process_time()
        try:
            text = move_name(self._move(state))
        except Resigned:
            return Reply(None, time.process_time() - start, absence="resigned")
        return Reply(text, time.process_time() - start)

    def _move(self, state: State) -> int:
        return self._choose(state.position, self._rng)


class HumanContestant(FunctionContestant):
    """A person at the terminal, who sees more than a function does, and may take moves back."""

    def __init__(self) -> None:
        super().__init__("human", human.choose)

    def _move(self, state: State) -> int:
        return human.ask(state.position, draw(state), may_undo=len(state.moves) >= 2)


class ProgramContestant:
    """A program in a directory of its own, started anew for every move.

    Nothing is cleaned up in the directory but ``input.txt`` and ``output.txt``, neither
    between moves nor between games. Two contestants may share one.
    """

    def __init__(self, name: str, command: Sequence[str], directory: Path, limits: Limits, errors: IO[bytes]) -> None:
        self.name = name
        self._command = command
        self._directory = directory
        self._limits = limits
        self._errors = errors

    def new_game(self, seed: str) -> None:
        """Do nothing: the host tells a program neither that a game starts nor any seed."""

    def reply(self, state: State) -> Reply:
        """Call the program once. A move it left behind counts even if it was killed for time."""
        put_question(self._directory, input_text(state))
        self._errors.seek(0)
        self._errors.truncate()
        usage = run(self._command, self._directory, self._limits, self._errors)
        text = take_answer(self._directory)
        absence = "timeout" if usage.killed else "missing"
        return Reply(text, usage.cpu, usage.killed, absence, last_line(self._errors))


@contextmanager
def open_contestant(agent: str, limits: Limits, python: str = sys.executable) -> Iterator[Contestant]:
    """Yield the contestant that ``agent`` names: a built-in agent, the path of a Python file, or ``gtp:COMMAND``.

    The file and a ``book.json`` beside it are copied into a fresh directory, which lasts as
    long as the context, and are run there by ``python``.
    Raises UnknownAgent.
    """
    if agent in BUILT_IN:
        yield HumanContestant() if agent == "human" else FunctionContestant(agent, BUILT_IN[agent])
        return
    if agent.startswith(ENGINE_PREFIX):
        try:
            engine = start_engine(agent, limits)
        except EngineFault as error:
            raise UnknownAgent(f"no agent {agent!r}: {error}") from None
        with closing(engine):
            yield engine
        return
    file = Path(agent)
    if not file.is_file():
        names = ", ".join(BUILT_IN)
        raise UnknownAgent(f"no agent {agent!r}: want {names}, gtp:COMMAND, or the path of a Python file that exists")
    interpreter = shutil.which(python)
    if interpreter is None:
        raise UnknownAgent(f"no Python interpreter {python!r}")
    with (
        tempfile.TemporaryDirectory(prefix="arena-", ignore_cleanup_errors=True) as directory,
        tempfile.TemporaryFile() as errors,
    ):
        for part in (file, file.with_name(BOOK)):
            if part.is_file():
                shutil.copy(part, directory)
        command = [os.path.abspath(interpreter), file.name]
        yield ProgramContestant(agent, command, Path(directory), limits, errors)
