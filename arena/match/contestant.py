"""Contestants: a function in this process, or a program started once per move; arena.gtp adds engines."""

import time
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from random import Random
from typing import Protocol, TypeAlias

from arena.agents import Choose, Quit, Resigned, UndoMove, human
from arena.match.delivery import astray, clearing, put_question, take_answer
from arena.match.host import State, answers, draw, input_text
from arena.match.limits import Limits, RunnerError
from arena.match.programs import directory_digest
from arena.match.reply import Reply, useful_words
from arena.match.runner import Runner
from solver.position import move_name


class Contestant(Protocol):
    """One side of a game.

    identity: a digest of all that it is beside its name, "" where nobody asks; equal ones may share results.
    """

    name: str
    identity: str

    def new_game(self, seed: str) -> None:
        """Prepare for a game; all chance in it comes from ``seed``."""

    def reply(self, state: State) -> Reply:
        """Answer one call of the host; raises UndoMove when a person goes back to their last move."""


class FunctionContestant:
    """A function of this process. Its CPU time is measured, not limited."""

    identity = ""

    def __init__(self, name: str, choose: Choose, identity: str = "") -> None:
        self.name, self.identity = name, identity
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


#: What answers a person's questions about a game, by the word that asks (arena.agents.human.ADVICE): lines of text.
GameAdvice: TypeAlias = Mapping[str, Callable[[State], list[str]]]


class GameLeft(Exception):
    """A person has left a game; ``state`` is where it stands, its result None unless it had ended."""

    def __init__(self, state: State) -> None:
        super().__init__()
        self.state = state


class HumanContestant(FunctionContestant):
    """A person at the terminal, who sees more than a function does, may ask, take moves back, and leave."""

    def __init__(self, name: str = "human", advice: GameAdvice | None = None) -> None:
        super().__init__(name, human.choose)
        self._game_advice = advice or {}

    def reply(self, state: State) -> Reply:
        """Answer with the move that the person enters; raises UndoMove, and GameLeft when they quit or interrupt."""
        try:
            # The CPU time of advice is not the person's.
            return super().reply(state)._replace(cpu=0.0)
        except (Quit, KeyboardInterrupt) as error:
            raise GameLeft(state) from error

    def part(self, state: State, plies: int) -> None:
        """Let the person look back on a game that has ended.

        plies: how many answers ago their last one was. Raises UndoMove for them, and GameLeft when the person quits.
        """
        why = {word: answer for word, answer in self._advice(state).items() if word == human.WHY}
        try:
            human.ask_at_end(plies <= answers(state), why)
        except UndoMove:
            raise UndoMove(plies) from None
        except (Quit, KeyboardInterrupt) as error:
            raise GameLeft(state) from error

    def _move(self, state: State) -> int:
        return human.ask(state.position, draw(state), len(state.moves) >= 2, self._advice(state), game=state.game)

    def _advice(self, state: State) -> human.Advice:
        return {word: partial(answer, state) for word, answer in self._game_advice.items()}


class ProgramContestant:
    """A program in a directory of its own, started again for every move.

    Nothing is cleaned up in the directory but ``input.txt`` and ``output.txt``, neither
    between moves nor between games. Two contestants may share one.

    Public attributes: ``name``, ``identity``; ``warnings``, of its compiler, "" for none.
    """

    warnings = ""

    def __init__(
        self,
        name: str,
        command: Sequence[str],
        directory: Path,
        limits: Limits,
        runner: Runner,
        alone: bool = False,
        identity: str = "",
    ) -> None:
        """Prepare the contestant; ``alone``: the program is a file that came without its directory."""
        self.name, self.identity = name, identity
        self._alone = alone
        self._command = command
        self._directory = directory
        self._limits = limits
        self._runner = runner

    @property
    def files(self) -> str:
        """A digest of what is in its directory, but for what the host and Python write there."""
        return directory_digest(self._directory)

    def new_game(self, seed: str) -> None:
        """Do nothing: the host tells a program neither that a game starts nor any seed."""

    def reply(self, state: State) -> Reply:
        """Call the program once. A move it left behind counts even if it was killed.

        Whatever the program has done to its directory, or to the process that runs it, is its own loss.
        """
        try:
            clear, limits, spent = clearing(self._directory), self._limits, 0.0
            if clear:
                cleared = self._runner.run(clear, self._directory, limits)
                spent, limits = cleared.cpu, limits._replace(cpu=limits.cpu - cleared.cpu)
                if cleared.exceeded or limits.cpu <= 0:
                    late = "out of time before it was called, by what it had left"
                    return Reply(None, spent, cleared.exceeded or "cpu", "timeout", late)
            put_question(self._directory, input_text(state))
            report = self._runner.run(self._command, self._directory, limits)
        except OSError as error:
            return Reply(None, 0.0, complaint=f"its directory cannot be used: {error.strerror}")
        except RunnerError as error:
            return Reply(None, 0.0, complaint=str(error))
        text = take_answer(self._directory)
        # The figures are those of the whole call, and so are the limits.
        report = report._replace(limits=self._limits, cpu=spent + report.cpu)
        words = useful_words(report.errors, self._alone), "" if text is not None else astray(self._directory)
        message = "; ".join(filter(None, words))
        if report.is_late:
            complaint = "; ".join(filter(None, [report.limit_text(), message]))
            return Reply(text, report.cpu, report.exceeded, "timeout", complaint, report.starved)
        return Reply(text, report.cpu, complaint=": ".join(filter(None, [report.limit_text(), message])))
