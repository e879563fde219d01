"""Compare numbers of workers: each solves the same games from nothing.

A search by several workers is another search: what one finds first changes what the others try. So one seed says
little, and the figures are geometric means over several. The worker counts take turns, so that what else happens on
the machine slows all of them alike.
"""

import tempfile
import time
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from pathlib import Path
from statistics import geometric_mean
from typing import NamedTuple

from book.store.store import open_store
from generator.questions.shorter_games import ShorterGames
from generator.workers.search_crew import Crew, ProcessPool, ThreadPool
from generator.workers.shared_memory import Shared
from generator.workers.workshop import Workshop
from solver.family import COURSE

#: As the generator keeps them by default.
KEEP_NODES = 100_000


class Trial(NamedTuple):
    """The shorter games solved from nothing: by how many workers, in which order, and what it took on the clock."""

    workers: int
    seed: int
    nodes: int
    seconds: float


def trials(
    plies: int, workers: Sequence[int], seeds: int, table_mib: int, *, processes: bool = False
) -> Iterator[Trial]:
    """Decide who wins the games of up to ``plies`` plies, by each number of workers and with each seed; yield each.

    processes: let the workers be processes on a shared table, as in a closure, instead of threads.
    Raises ValueError and OSError as Shared.make() does, and as ShorterGames.solve_all() does.
    """
    for seed in range(seeds):
        for number in workers:
            yield _trial(plies, number, seed, table_mib, processes)


def _trial(plies: int, workers: int, seed: int, table_mib: int, processes: bool) -> Trial:
    with (
        tempfile.TemporaryDirectory(prefix="bench-") as directory,
        open_store(Path(directory) / "bench.db", write=True, game=COURSE) as store,
    ):
        shared = Shared.make(table_mib, processes=processes)
        crew = Crew(partial(ProcessPool if processes else ThreadPool, workers, shared, KEEP_NODES, seed))
        try:
            games = ShorterGames(Workshop(store, crew, store.start_run({}), shared), lambda standing: None, game=COURSE)
            started = time.perf_counter()
            games.solve_all(plies, False, lambda solved: None)
            return Trial(workers, seed, crew.nodes, time.perf_counter() - started)
        finally:
            crew.close()


class Speed(NamedTuple):
    """The cost for a number of workers, as geometric means over the seeds.

    speedup: how many times as fast as the first number of workers, in time to the verdict. rate: the same for
    nodes a second. effort: how many times as many nodes.
    """

    workers: int
    nodes: float
    seconds: float
    speedup: float
    rate: float
    effort: float


def speeds(found: Iterable[Trial]) -> list[Speed]:
    """Compare each number of workers with the first one, over the seeds that all of them have been through.

    >>> one, two = speeds([Trial(1, 0, 100, 8.0), Trial(2, 0, 110, 5.0), Trial(1, 1, 100, 2.0), Trial(2, 1, 110, 0.8)])
    >>> [round(figure, 3) for figure in two]
    [2, 110.0, 2.0, 2.0, 2.2, 1.1]
    """
    by_workers: dict[int, dict[int, Trial]] = {}
    for trial in found:
        by_workers.setdefault(trial.workers, {})[trial.seed] = trial
    seeds = set.intersection(*(set(of) for of in by_workers.values())) if by_workers else set()
    if not seeds:
        return []
    means = [
        (number, geometric_mean(of[seed].nodes for seed in seeds), geometric_mean(of[seed].seconds for seed in seeds))
        for number, of in by_workers.items()
    ]
    _, base_nodes, base_seconds = means[0]
    base_rate = base_nodes / base_seconds
    return [
        Speed(number, nodes, seconds, base_seconds / seconds, nodes / seconds / base_rate, nodes / base_nodes)
        for number, nodes, seconds in means
    ]


def trial_line(trial: Trial) -> str:
    """Return a trial in one line.

    >>> trial_line(Trial(2, 0, 14_700_000, 4.7))
    '2 workers, seed 0:    14.7 M nodes,    4.7 s'
    """
    name = f"{trial.workers} worker{'s' if trial.workers > 1 else ' '}"
    return f"{name}, seed {trial.seed}: {trial.nodes / 1e6:7.1f} M nodes, {trial.seconds:6.1f} s"


def speed_lines(found: Sequence[Speed]) -> list[str]:
    """Return the comparison as a table."""
    lines = [f"{'workers':>7} {'M nodes':>8} {'seconds':>8} {'speed-up':>9} {'node rate':>10} {'effort':>7}"]
    for speed in found:
        lines.append(
            f"{speed.workers:7} {speed.nodes / 1e6:8.1f} {speed.seconds:8.1f} "
            f"{speed.speedup:9.2f} {speed.rate:10.2f} {speed.effort:7.2f}"
        )
    return lines
