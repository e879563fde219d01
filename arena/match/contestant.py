"""Contestants that choose their moves by a function of this process, or by a program that is started for each move.

This module also contains the host's side of the exchange of ``input.txt`` and ``output.txt``. The program's side is in
player.main.
"""

import os
import stat
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from itertools import islice
from pathlib import Path
from random import Random
from typing import Protocol, TypeAlias

from little_go.arena.agents import Choose, Quit, Resigned, UndoMove, human
from little_go.arena.match.copying import NO_LINKS
from little_go.arena.match.host import MOST_BYTES, State, answers, draw, input_text
from little_go.arena.match.limits import Limits, Reply, RunnerError, useful_line, useful_words
from little_go.arena.match.machine import MachineWatch, is_machine_error
from little_go.arena.match.programs import Runner, directory_digest
from little_go.notation.host_file import INPUT_FILE, OUTPUT_FILE
from little_go.runtime.files import remove_all
from little_go.runtime.plain import AT_ONCE
from little_go.solver.position import move_name

#: The command that deletes directories even if their permissions forbid it.
_CLEAR = ("/bin/sh", "-c", 'chmod -R u+rwx -- "$@"; rm -rf -- "$@"', "sh")

#: Maximum number of directory entries that misplaced_answer() examines.
_FIRST_ENTRIES = 100


def clear_command(directory: Path) -> list[str]:
    """Return the command that removes directories named ``input.txt`` or ``output.txt``, or [] if there are none.

    A program can fill such a directory with so many files that removing the directory takes long. So run the command
    before put_question(), and count its time as the program's time. On Windows put_question() removes the directories.
    """
    if sys.platform == "win32":
        return []
    names = [name for name in (INPUT_FILE, OUTPUT_FILE) if stat.S_ISDIR(_mode(directory / name))]
    return [*_CLEAR, *names] if names else []


def _mode(path: Path) -> int:
    with suppress(OSError):
        return path.lstat().st_mode
    return 0


def _open_again(directory: Path) -> None:
    """Restore the owner's rights in a directory if a program has removed these rights."""
    mode = _mode(directory)
    if stat.S_ISDIR(mode) and mode & 0o700 != 0o700:
        directory.chmod(0o700)


def put_question(directory: Path, text: str) -> None:
    """Delete the ``input.txt`` and ``output.txt`` of the last move, and write a new ``input.txt``.

    A link or a directory with one of these names is removed, too. If a program has deleted or replaced its directory,
    make a new directory. Raise OSError if a file cannot be removed or written.
    """
    if directory.is_symlink() or not directory.is_dir():
        remove_all(directory)
        directory.mkdir(parents=True)
    _open_again(directory)
    for name in (INPUT_FILE, OUTPUT_FILE):
        remove_all(directory / name)
    with (directory / INPUT_FILE).open("xb") as file:
        file.write(text.encode("ascii"))


def take_answer(directory: Path) -> str | None:
    """Return the beginning of ``output.txt``, or None if no plain file has this name.

    Bytes that are not UTF-8 are escaped (``surrogateescape``).
    """
    try:
        _open_again(directory)
        # The flags prevent two things: opening a named pipe would block, and a link can lead to another user's files.
        if not NO_LINKS and (directory / OUTPUT_FILE).is_symlink():
            return None
        descriptor = os.open(directory / OUTPUT_FILE, os.O_RDONLY | AT_ONCE | NO_LINKS)
    except OSError:
        return None
    try:
        is_plain = stat.S_ISREG(os.fstat(descriptor).st_mode)
        return os.read(descriptor, MOST_BYTES).decode("utf-8", "surrogateescape") if is_plain else None
    finally:
        os.close(descriptor)


def misplaced_answer(directory: Path) -> str:
    """If a program wrote its answer into a subfolder, return a clause with the subfolder's name, or else "".

    Only the first entries of the directory are examined, because a program can create any number of entries.
    """
    with suppress(OSError), os.scandir(directory) as entries:
        for entry in islice(entries, _FIRST_ENTRIES):
            path = Path(entry.path, OUTPUT_FILE)
            if entry.is_dir(follow_symlinks=False) and path.is_file() and not path.is_symlink():
                return useful_line(f"it wrote {entry.name}/{OUTPUT_FILE} instead of {OUTPUT_FILE}")
    return ""


class Contestant(Protocol):
    """A player that plays one side of a game.

    identity: a digest of everything on which the moves depend, or "" if results are not shared. Contestants with equal
    digests can share results even if their names differ.
    """

    name: str
    identity: str

    def new_game(self, seed: str) -> None:
        """Prepare for a game. seed: the seed of all random numbers of the game."""

    def reply(self, state: State) -> Reply:
        """Answer one call of the host. Raise UndoMove if a person undoes their last move."""


class FunctionContestant:
    """A contestant whose moves a function of this process chooses, without a limit of CPU time."""

    identity = ""

    def __init__(self, name: str, choose: Choose, identity: str = "") -> None:
        self.name, self.identity = name, identity
        self._choose = choose
        self._rng = Random()

    def new_game(self, seed: str) -> None:
        """Seed the random-number generator."""
        self._rng = Random(seed)

    def reply(self, state: State) -> Reply:
        """Call the function, and return its move as a reply."""
        start = time.process_time()
        try:
            text = move_name(self._move(state))
        except Resigned:
            return Reply(None, time.process_time() - start, absence="resigned")
        return Reply(text, time.process_time() - start)

    def _move(self, state: State) -> int:
        return self._choose(state.position, self._rng)


#: Maps each command that asks for advice during a game (arena.agents.human.ADVICE) to a function that returns lines of
#: text.
GameAdvice: TypeAlias = Mapping[str, Callable[[State], list[str]]]


class GameLeft(Exception):
    """Raised if a person leaves a game. state: the last state, with result None if the game had not ended."""

    def __init__(self, state: State) -> None:
        super().__init__()
        self.state = state


class HumanContestant(FunctionContestant):
    """A person at the terminal, who can ask for advice, undo moves, and leave the game."""

    def __init__(self, name: str = "human", advice: GameAdvice | None = None) -> None:
        super().__init__(name, human.choose)
        self._game_advice = advice or {}

    def reply(self, state: State) -> Reply:
        """Return the person's move as a reply.

        Raise UndoMove if the person undoes a move, and GameLeft if the person quits or presses Ctrl-C.
        """
        try:
            # Report no CPU time, because only the advice takes CPU time.
            return super().reply(state)._replace(cpu=0.0)
        except (Quit, KeyboardInterrupt) as error:
            raise GameLeft(state) from error

    def offer_review(self, state: State, plies: int) -> None:
        """Let the person review a finished game.

        plies: the number of answers from the person's last move to the end of the game. Raise UndoMove with this number
        if the person undoes the last move, and GameLeft if the person quits.
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
    """A program that has its own directory and is started for every move.

    Between moves and between games, the host removes only ``input.txt`` and ``output.txt`` from the program's
    directory. Two contestants can share a directory. warnings: the compiler's warnings, or "".
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
        """Prepare the contestant. alone: whether only the program, not its directory, was copied."""
        self.name, self.identity = name, identity
        self._alone = alone
        self._command = command
        self._directory = directory
        self._limits = limits
        self._runner = runner

    @property
    def files(self) -> str:
        """A digest of the directory's files, except the files that the host and Python write there."""
        return directory_digest(self._directory)

    def new_game(self, seed: str) -> None:
        """Do nothing, because a program receives neither a seed nor a message when a game begins."""

    def reply(self, state: State) -> Reply:
        """Run the program once. A move that the program wrote counts even if the program was killed.

        If a program damages its directory or its runner, there is no answer, so the program loses.
        """
        watch = MachineWatch(self._directory)
        try:
            clear, limits, spent = clear_command(self._directory), self._limits, 0.0
            if clear:
                cleared = self._runner.run(clear, self._directory, limits)
                spent, limits = cleared.cpu, limits._replace(cpu=limits.cpu - cleared.cpu)
                if cleared.exceeded or limits.cpu <= 0:
                    late = "out of time before the call, while directories that it had left were removed"
                    return Reply(None, spent, cleared.exceeded or "cpu", "timeout", late)
            put_question(self._directory, input_text(state))
            report = self._runner.run(self._command, self._directory, limits)
        except OSError as error:
            ours = str(error.strerror) if is_machine_error(error) else ""
            return Reply(None, 0.0, complaint=f"its directory cannot be used: {error.strerror}", machine_fault=ours)
        except RunnerError as error:
            return Reply(None, 0.0, complaint=str(error), machine_fault=watch.fault())
        text = take_answer(self._directory)
        # If the program wrote a move or exceeded a limit, a fault of our machine does not matter.
        ours = "" if text or report.exceeded else watch.fault(report.errors)
        # The report covers the whole call, including the command that removed directories.
        report = report._replace(limits=self._limits, cpu=spent + report.cpu)
        # Messages do not contain the path of our temporary directory.
        errors = report.errors.replace(f"{self._directory}/", "")
        words = useful_words(errors, self._alone), "" if text is not None else misplaced_answer(self._directory)
        message = "; ".join(filter(None, words))
        if report.is_late:
            complaint = "; ".join(filter(None, [report.limit_text(), message]))
            return Reply(text, report.cpu, report.exceeded, "timeout", complaint, report.cpu_starved)
        complaint = ": ".join(filter(None, [report.limit_text(), message]))
        return Reply(text, report.cpu, complaint=complaint, machine_fault=ours)
