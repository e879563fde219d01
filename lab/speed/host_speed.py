"""A fixed workload, to see how fast the host is."""

import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from statistics import median
from typing import NamedTuple

from arena.agents import greedy
from arena.match.contestant import FunctionContestant, ProgramContestant
from arena.match.host import OPENING
from arena.match.limits import Limits
from arena.match.play import play_game
from arena.match.runner import Runner, open_runner
from arena.standings.entrants import Entrant, Terms, close_idle
from arena.standings.tournament import Fixture, GamesFolder, play_fixture, record_of
from solver.family import COURSE

GAMES = 2000
CALLS = 100

#: A program that does next to nothing, so that what the host does about it shows.
PROGRAM = "with open('output.txt', 'w') as file: file.write('PASS')\n"

#: Games between two programs of 0.1 s of CPU a move, as a class has them, and as much memory as its programs get.
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

    plies: of all games together, the same number on every run.
    seconds: CPU time, the agents' own included.
    """

    games: int
    plies: int
    seconds: float


class Calling(NamedTuple):
    """Calls of a program through the files, in turn with bare starts of it; medians, in seconds.

    call, start: a call, and a bare start, by the clock. On a busy machine they differ by chance.
    overhead: CPU time of this process and of the warden for a call, less that for a bare start.
    """

    calls: int
    call: float
    start: float
    overhead: float


class ClassGames(NamedTuple):
    """Games of programs of 0.1 s of CPU a move, each kept as a class's are; CPU in seconds for a call.

    own: the programs', as their records have it; in a sandbox its start counts as theirs. host: all else, that is
    this process, its wardens with their starts, and the files that keep the games.
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
    """Play so many games, the first with seed 0 and each after it with the next."""
    black, white = (FunctionContestant(name, greedy.choose) for name in ("black", "white"))
    start = time.process_time()
    plies = sum(len(play_game(black, white, seed, game=COURSE).state.moves) for seed in range(games))
    return Refereeing(games, plies, time.process_time() - start)


def measure_calling(calls: int, python: list[str]) -> Calling:
    """Call a program so many times, at least one, by the command ``python``."""
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
    """Play so many games, one after the other; raises SandboxError where there is no sandbox."""
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


def _all_seconds() -> float:
    """Return the CPU seconds of this process and of all below it that have ended."""
    assert sys.platform != "win32"
    parts = map(resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(part.ru_utime + part.ru_stime for part in parts)


def _timed(action: Callable[[], object], runner: Runner) -> tuple[float, float]:
    """Return the seconds that an action takes by the clock, and of the CPU time of this process and the warden."""
    clock, cpu = time.perf_counter(), time.process_time() + runner.own_cpu
    action()
    return time.perf_counter() - clock, time.process_time() + runner.own_cpu - cpu


def _medians(times: Sequence[tuple[float, float]]) -> tuple[float, float]:
    return median(clock for clock, _ in times), median(cpu for _, cpu in times)
