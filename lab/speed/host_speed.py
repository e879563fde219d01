"""A fixed workload that measures the host's speed."""

import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random
from statistics import median
from typing import NamedTuple

from arena.agents import Choose, championship, greedy
from arena.agents.searching import open_searching
from arena.course.grading import SCHEMES, GradingPlan, Scheme
from arena.match.contestant import FunctionContestant, ProgramContestant
from arena.match.host import OPENING
from arena.match.limits import Limits
from arena.match.play import play_game
from arena.match.programs import Runner, open_runner
from arena.standings.entrants import BUILT_IN, Entrant, Terms, close_idle
from arena.standings.tournament import Fixture, GamesFolder, play_fixture, record_of
from solver.family import COURSE
from solver.position import Position

GAMES = 2000
CALLS = 100

#: A program that does next to nothing, so that the host's own cost shows.
PROGRAM = "with open('output.txt', 'w') as file: file.write('PASS')\n"

#: Games between two programs of 0.1 s of CPU a move, as in a class, and the memory of its programs.
CLASS_GAMES, CLASS_MEMORY = 10, 1 << 30

#: Black fills the first row and then passes, White fills the last rows: the game has all its plies.
CLASS_PROGRAM = """import time
lines = open("input.txt").read().split()
cells, black = "".join(lines[6:11]), lines[0] == "1"
while time.process_time() < 0.1:
    pass
point = cells.find("0") if black else cells.rfind("0")
with open("output.txt", "w") as file:
    file.write("PASS" if black and point > 4 else "%d,%d" % divmod(point, 5))
"""


class Refereeing(NamedTuple):
    """Games of greedy against greedy in this process.

    plies: of all games together, the same number on every run. seconds: CPU time, the agents' own included.
    """

    games: int
    plies: int
    seconds: float


class Calling(NamedTuple):
    """Calls of a program through the files, in turn with bare starts of it; medians, in seconds.

    call, start: a call, and a bare start, on the clock. On a busy machine they differ by chance.
    overhead: CPU time of this process and of the warden for a call, less that for a bare start.
    """

    calls: int
    call: float
    start: float
    overhead: float


#: The games whose opponents' time is measured.
SCHEME = SCHEMES[2025]

#: Students whose opponents' time is measured: rules and searches, each with its chance drawn by student and board.
STUDENTS = ("greedy", "aggressive", "alphabeta", "search:werf:2:0", "search:breath:3:0", "random")


class Opponents(NamedTuple):
    """The opponents of a class, in this process, without earlier answers.

    games: of all students. calls: of students' programs in them. seconds: of the opponents' CPU for each call.
        championship: this opponent's part of it.
    """

    students: int
    games: int
    calls: int
    seconds: float
    championship: float


class ClassGames(NamedTuple):
    """Games of programs of 0.1 s of CPU a move, each kept as a class's are; CPU in seconds for a call.

    own: the programs', by their records; in a sandbox with its start. host: all else: this process, its wardens with
        their starts, and the files of the games.
    """

    sandboxed: bool
    games: int
    calls: int
    own: float
    host: float

    @property
    def share(self) -> float:
        """The host's CPU as a share of the programs' own."""
        return self.host / self.own


def measure_refereeing(games: int) -> Refereeing:
    """Play ``games`` games, the first with seed 0 and each later one with the next."""
    black, white = (FunctionContestant(name, greedy.choose) for name in ("black", "white"))
    start = time.process_time()
    plies = sum(len(play_game(black, white, seed, game=COURSE).state.moves) for seed in range(games))
    return Refereeing(games, plies, time.process_time() - start)


def measure_calling(calls: int, python: list[str]) -> Calling:
    """Call a program ``calls`` times, at least once, by the command ``python``."""
    with open_runner() as runner:
        (runner.home / "player.py").write_text(PROGRAM)
        command = [*python, "player.py"]
        contestant = ProgramContestant("player", command, runner.home, Limits(), runner)

        def start() -> None:
            null = subprocess.DEVNULL
            subprocess.run(command, cwd=runner.home, stdin=null, stdout=null, stderr=null, check=True)

        taken = [(_timed(lambda: contestant.reply(OPENING), runner), _timed(start, runner)) for _ in range(calls)]
    called, started = zip(*taken, strict=True)
    (call, call_cpu), (bare, bare_cpu) = _medians(called), _medians(started)
    return Calling(calls, call, bare, call_cpu - bare_cpu)


def measure_class(games: int, sandboxed: bool) -> ClassGames:
    """Play ``games`` games in turn; raises SandboxError where there is no sandbox."""
    with tempfile.TemporaryDirectory(prefix="bench-") as folder:
        os.chmod(folder, 0o755)
        program = Path(folder, "my_player3.py")
        program.write_text(CLASS_PROGRAM)
        roster = {name: Entrant(name, str(program)) for name in ("black", "white")}
        terms = Terms(COURSE, Limits(memory=CLASS_MEMORY), sandboxed=sandboxed)
        close_idle()
        before, taken = _all_seconds(), list[float]()
        with GamesFolder(Path(folder, "games")) as kept:
            for number in range(games):
                fixture = Fixture("black", "white", number, number)
                game = play_fixture(fixture, roster, terms)
                kept.add(record_of(fixture, game))
                taken += [*game.cpu[0], *game.cpu[1]]
        close_idle()
        own, calls = sum(taken), len(taken)
        return ClassGames(sandboxed, games, calls, own / calls, (_all_seconds() - before - own) / calls)


def measure_opponents(students: Sequence[str], scheme: Scheme) -> Opponents:
    """Play the games of a scheme for students, and measure the opponents' time."""
    taken = dict.fromkeys(BUILT_IN, 0.0)
    games = calls = 0
    championship.candidates.cache_clear()
    with tempfile.TemporaryDirectory(prefix="bench-") as folder:
        kept, championship.ANSWERS = championship.ANSWERS, str(Path(folder, "answers.db"))
        try:
            for number, student in enumerate(students):
                plan = GradingPlan("student", scheme, tuple(scheme.stages), submit=False)
                mine = FunctionContestant("student", _by_board(student, number))
                for fixture in plan.fixtures(0):
                    sides = [mine if name == "student" else _timed_agent(name, taken) for name in fixture[:2]]
                    moves = len(play_game(sides[0], sides[1], fixture.seed, game=COURSE).state.moves)
                    games += 1
                    calls += moves // 2 + (moves % 2 if fixture.black == "student" else 0)
        finally:
            championship.ANSWERS = kept
    total = sum(taken.values()) / calls
    return Opponents(len(students), games, calls, total, taken["championship"] / calls)


def _by_board(name: str, number: int) -> Choose:
    """Return an agent whose chance is drawn by a number and the position, as a student's program may have it."""
    choose = BUILT_IN[name] if name in BUILT_IN else open_searching(name, COURSE)
    return lambda position, rng: choose(position, Random(f"{number} {position}"))


def _timed_agent(name: str, taken: dict[str, float]) -> FunctionContestant:
    def choose(position: Position, rng: Random) -> int:
        start = time.process_time()
        try:
            return BUILT_IN[name](position, rng)
        finally:
            taken[name] += time.process_time() - start

    return FunctionContestant(name, choose)


def _all_seconds() -> float:
    assert sys.platform != "win32"
    parts = map(resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(part.ru_utime + part.ru_stime for part in parts)


def _timed(action: Callable[[], object], runner: Runner) -> tuple[float, float]:
    """Return an action's seconds on the clock, and of the CPU of this process and the warden."""
    clock, cpu = time.perf_counter(), time.process_time() + runner.own_cpu
    action()
    return time.perf_counter() - clock, time.process_time() + runner.own_cpu - cpu


def _medians(times: Sequence[tuple[float, float]]) -> tuple[float, float]:
    return median(clock for clock, _ in times), median(cpu for _, cpu in times)
