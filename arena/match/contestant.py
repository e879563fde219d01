"""Contestants: a function in this process, or a program started for each move; arena.gtp adds engines."""

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

    identity: a digest of everything but the name, or "" if unused; equal ones may share results.
    """

    name: str
    identity: str

    def new_game(self, seed: str) -> None:
        """Prepare for a game; all its random numbers come from ``seed``."""

    def reply(self, state: State) -> Reply:
        """Answer one call of the host; raises UndoMove when a person undoes their last move."""


class FunctionContestant:
    """A function of this process. Its CPU time is measured, not limited."""

    identity = ""

    def __init__(self, name: str, choose: Choose, identity: str = "") -> None:
        self.name, self.identity = name, identity
        self._choose = choose
        self._rng = Random()

    def new_game(self, seed: str) -> None:
        """Seed the random numbers."""
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


#: Functions that advise a person on a game, by their words (arena.agents.human.ADVICE); they return lines of text.
GameAdvice: TypeAlias = Mapping[str, Callable[[State], list[str]]]


class GameLeft(Exception):
    """A person has left a game in ``state``; its result is None unless it had ended."""

    def __init__(self, state: State) -> None:
        super().__init__()
        self.state = state


class HumanContestant(FunctionContestant):
    """A person at the terminal, who may ask for advice, undo moves, and leave."""

    def __init__(self, name: str = "human", advice: GameAdvice | None = None) -> None:
        super().__init__(name, human.choose)
        self._game_advice = advice or {}

    def reply(self, state: State) -> Reply:
        """Answer with the person's move; raises UndoMove, and GameLeft when they quit or interrupt."""
        try:
            # Advice takes CPU time that is not the person's.
            return super().reply(state)._replace(cpu=0.0)
        except (Quit, KeyboardInterrupt) as error:
            raise GameLeft(state) from error

    def part(self, state: State, plies: int) -> None:
        """Let the person review a finished game.

        plies: answers since their last move. Raises UndoMove with them, GameLeft when the person quits.
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
    """A program in its own directory, started for every move.

    Between moves and games only ``input.txt`` and ``output.txt`` are removed there. Two contestants may share a
    directory. warnings: of its compiler, or "".
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
        """Prepare the contestant. alone: whether the program is a file without its directory."""
        self.name, self.identity = name, identity
        self._alone = alone
        self._command = command
        self._directory = directory
        self._limits = limits
        self._runner = runner

    @property
    def files(self) -> str:
        """A digest of its directory, without the files that the host and Python write there."""
        return directory_digest(self._directory)

    def new_game(self, seed: str) -> None:
        """Do nothing: a program gets neither the start of a game nor a seed."""

    def reply(self, state: State) -> Reply:
        """Call the program once. A move that it wrote counts even if it was killed.

        Damage that it does to its directory or its runner is its own loss.
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
        # Figures and limits are those of the whole call.
        report = report._replace(limits=self._limits, cpu=spent + report.cpu)
        words = useful_words(report.errors, self._alone), "" if text is not None else astray(self._directory)
        message = "; ".join(filter(None, words))
        if report.is_late:
            complaint = "; ".join(filter(None, [report.limit_text(), message]))
            return Reply(text, report.cpu, report.exceeded, "timeout", complaint, report.starved)
        return Reply(text, report.cpu, complaint=": ".join(filter(None, [report.limit_text(), message])))
