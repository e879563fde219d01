"""A fixed workload, to see how fast the host is."""

import subprocess
import time
from collections.abc import Callable, Sequence
from statistics import median
from typing import NamedTuple

from arena.agents import greedy
from arena.match.contestant import FunctionContestant, ProgramContestant
from arena.match.host import OPENING
from arena.match.play import play_game
from arena.match.runner import Limits, Runner, open_runner

GAMES = 2000
CALLS = 100

#: A program that does next to nothing, so that what the host does about it shows.
PROGRAM = "with open('output.txt', 'w') as file: file.write('PASS')\n"


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


def measure_refereeing(games: int) -> Refereeing:
    """Play so many games, the first with seed 0 and each after it with the next."""
    black, white = (FunctionContestant(name, greedy.choose) for name in ("black", "white"))
    start = time.process_time()
    plies = sum(len(play_game(black, white, seed).state.moves) for seed in range(games))
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


def _timed(action: Callable[[], object], runner: Runner) -> tuple[float, float]:
    """Return the seconds that an action takes by the clock, and of the CPU time of this process and the warden."""
    clock, cpu = time.perf_counter(), time.process_time() + runner.own_cpu
    action()
    return time.perf_counter() - clock, time.process_time() + runner.own_cpu - cpu


def _medians(times: Sequence[tuple[float, float]]) -> tuple[float, float]:
    return median(clock for clock, _ in times), median(cpu for _, cpu in times)
