"""Who can play a game: a function in this process, or a program started once per move; arena.gtp adds engines."""

import time
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Protocol

from arena.agents import Choose, Resigned, human
from arena.match.drawing import draw
from arena.match.files import put_question, take_answer
from arena.match.host import State, input_text
from arena.match.process import Limits, Runner, RunnerError
from arena.match.reply import Reply, last_line
from solver.position import move_name


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

    def __init__(self, name: str, command: Sequence[str], directory: Path, limits: Limits, runner: Runner) -> None:
        self.name = name
        self._command = command
        self._directory = directory
        self._limits = limits
        self._runner = runner

    def new_game(self, seed: str) -> None:
        """Do nothing: the host tells a program neither that a game starts nor any seed."""

    def reply(self, state: State) -> Reply:
        """Call the program once. A move it left behind counts even if it was killed.

        Whatever the program has done to its directory, or to the process that runs it, is its own loss.
        """
        try:
            put_question(self._directory, input_text(state))
            usage = self._runner.run(self._command, self._directory, self._limits)
        except OSError as error:
            return Reply(None, 0.0, complaint=f"its directory cannot be used: {error.strerror}")
        except RunnerError as error:
            return Reply(None, 0.0, complaint=str(error))
        text = take_answer(self._directory)
        timed_out = usage.overstayed == "time"
        complaint = last_line(usage.errors)
        if usage.overstayed and not timed_out:
            complaint = f"killed for {usage.overstayed}" + (f": {complaint}" if complaint else "")
        return Reply(text, usage.cpu, timed_out, "timeout" if timed_out else "missing", complaint)
