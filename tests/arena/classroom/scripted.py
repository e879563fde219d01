"""A class whose games follow a script: submissions are read and started, games are kept and counted, and nothing is
searched.

The script of a game is the list of its moves, in the order of plies: ``3,3`` is a move, ``none`` is no answer, ``late``
is no answer because the program was killed for CPU time, and a word with ``!`` after it is the move of a call that the
clock ended. All positions are in the shipped atlas, so reviews search nothing. The reason why a move is a mistake would
need a search, so this file contains a fixed sentence.
"""

import shutil
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from little_go.arena.__main__ import main
from little_go.arena.classroom import submission_reader
from little_go.arena.classroom.class_run import ClassRun
from little_go.arena.commands import classroom
from little_go.arena.course.grading import SCHEMES, Opponent, Round, Scheme, Stage
from little_go.arena.match.host import State
from little_go.arena.match.limits import Reply
from little_go.arena.match.play import play_game
from little_go.arena.review import review
from little_go.arena.review.review import Evaluator, Mistake
from little_go.arena.standings.series import GameOrder, GameOutcome, timed_record
from little_go.arena.standings.tournament import Fixture
from little_go.book.answers.reasons import Reason
from little_go.crew import jobs
from little_go.crew.jobs import Pool
from little_go.solver.native.explain import OTHER
from little_go.solver.position import CENTRE, move_name
from tests.arena.classroom.reading import open_runner_here

#: Games that Black wins with three stones against none, and that White wins because Black passes too early. After them,
#: a game of each other kind for either colour.
WON_BY_BLACK, WON_BY_WHITE = "2,2 PASS 1,1 PASS 3,3 PASS PASS", "2,2 PASS PASS"

#: The CPU seconds of a call, and of a call that is killed.
CALL, KILLED = 0.125, 10.0

#: The seconds of a game by the clock.
SECONDS = 1.5

#: A program whose first move counts.
PROGRAM = "# 1234567890:{name}\nopen('output.txt', 'w').write('2,2')\n"

#: Schemes like the course's, but with few games and opponents.
SMALL = {
    2020: Scheme(
        {1: Stage((Opponent("random", 50, 15, 0), Opponent("greedy", 50, 30, 10)), Round(2, None), Round(2, None))}
    ),
    2025: Scheme(
        {
            1: Stage((Opponent("random", 50, 15, 0), Opponent("greedy", 40, 30, 10)), Round(2, 12.0), Round(2, None)),
            2: Stage((Opponent("alphabeta", 10, 5, 2),), Round(2, 4.0), Round(2, None)),
        },
        repetitions=2,
    ),
}

#: A function that returns the script of a game.
Script = Callable[[Fixture], str]


class _Side:
    """A contestant that follows a script: its answer is the word for the ply."""

    def __init__(self, name: str, identity: str, words: list[str]) -> None:
        self.name, self.identity, self._words = name, identity, words

    def new_game(self, seed: str) -> None:
        """Do nothing, because the script determines all moves."""

    def reply(self, state: State) -> Reply:
        """Answer with the next word of the script, in which ``_`` stands for a blank."""
        word = self._words[state.ply]
        if word == "none":
            return Reply(None, CALL, complaint="NameError: x (my_player3.py, line 2)")
        if word == "late":
            return Reply(None, KILLED, "cpu", "timeout")
        text = word.replace("_", " ")
        return Reply(text.rstrip("!"), KILLED if text.endswith("!") else CALL, "wall" if text.endswith("!") else "")


class ScriptedPlayers(Pool[GameOrder, GameOutcome]):
    """Players that play games at once in this process. ``played`` lists the games that were played."""

    slots = 1

    def __init__(self, script: Script, identities: Mapping[str, str], played: list[Fixture]) -> None:
        self._script, self._identities, self.played = script, identities, played

    def submit(self, job: GameOrder) -> "Future[GameOutcome]":
        """Play a game."""
        fixture = job.fixture
        words = self._script(fixture).split()
        black, white = (_Side(name, self._identities[name], words) for name in fixture[:2])
        game = play_game(black, white, fixture.seed, strict=job.terms.strict, game=job.terms.game)
        self.played.append(fixture)
        future: Future[GameOutcome] = Future()
        future.set_result(GameOutcome(job, timed_record(fixture, game, SECONDS), SECONDS))
        return future

    def close(self, wait: bool) -> None:
        """Do nothing, because there is no process."""


class WorkHere:
    """A pool of processes that does the work in this process."""

    def __init__(self, workers: int, start: None) -> None:
        self._workers, self._jobs = workers, 0

    def submit(self, function: Callable[..., Any], *given: Any) -> "Future[Any]":
        self._jobs += 1
        future: Future[Any] = Future()
        future.set_result(function(*given))
        return future

    def shutdown(self, wait: bool, cancel_futures: bool) -> None:
        """Do nothing, because all work is done."""

    def end(self) -> None:
        assert 1 <= self._workers <= max(1, self._jobs), "no process without work"


def explain_shortly(mistake: Mistake, evaluator: Evaluator) -> Mistake:
    """Explain a mistake without searching best play to the end."""
    better = () if mistake.before.best is None else (mistake.before.best,)
    kind = "leaves the centre" if better == (CENTRE,) else OTHER
    why = Reason("point", f"{move_name(mistake.move)} gives points away.", "Keep them.", kind)
    return replace(mistake, instead=better, reason=why)


class ScriptedClass:
    """A class in a folder. ``submissions``, ``out``: its folders. ``played``, ``explained``: lists for the last run."""

    def __init__(self, folder: Path, script: Script, programs: Mapping[str, str]) -> None:
        """Write the submissions. programs: the content of each student's file, by its path."""
        self.submissions, self.out, self.script = folder / "submissions", folder / "out", script
        self.played: list[Fixture] = []
        self.explained: list[Mistake] = []
        for path, content in programs.items():
            self.hand_in(path, content)

    def copied(self, folder: Path) -> "ScriptedClass":
        """Return a copy of the class in another folder, with everything that was written about it."""
        other = ScriptedClass(folder, self.script, {})
        shutil.copytree(self.submissions, other.submissions)
        shutil.copytree(self.out, other.out)
        return other

    def hand_in(self, path: str, content: str) -> None:
        """Write a file of the submissions."""
        place = self.submissions / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(content, "utf-8")

    def _explain(self, mistake: Mistake, evaluator: Evaluator) -> Mistake:
        self.explained.append(mistake)
        return explain_shortly(mistake, evaluator)

    def grade(self, year: int, *options: str) -> Result:
        """Run the command and return the result."""
        played = self.played = list[Fixture]()
        self.explained = []
        script = self.script

        class Run(ClassRun):
            def _players(self, identities: Mapping[str, str]) -> Pool[GameOrder, GameOutcome]:
                return ScriptedPlayers(script, identities, played)

        words = [
            "class",
            str(self.submissions),
            "--scheme",
            str(year),
            "--out",
            str(self.out),
            "--no-sandbox",
            *options,
        ]
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(classroom, "ClassRun", Run)
            patch.setattr(submission_reader, "open_runner", open_runner_here)
            patch.setattr(jobs, "WorkerPool", WorkHere)
            patch.setattr(review, "with_lines", self._explain)
            patch.setitem(SCHEMES, year, SMALL[year])
            return CliRunner().invoke(main, words, catch_exceptions=False)
