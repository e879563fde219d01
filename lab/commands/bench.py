"""The commands ``bench`` and ``bench-queries`` of ``python -m lab``: the speed of search and of answers."""

import json
import time
from collections.abc import Mapping, Sequence
from math import ceil
from typing import Any, NamedTuple

import click

from lab.speed.bench import (
    MOVES_TABLE_MIB,
    drawn_positions,
    leaves_per_second,
    measure_exact,
    measure_moves,
    measure_search,
)
from little_go.book.answers.live import LiveSearch, for_seconds
from little_go.book.answers.query import Knowledge, Service
from little_go.book.answers.sources import Source, session_sources
from little_go.book.files.reader import read_book
from little_go.book.files.shipped import BOOK_FILE
from little_go.notation.record import to_record
from little_go.runtime.display import Display
from little_go.runtime.errors import BadUsage
from little_go.runtime.options import COUNT, SOME_TIME, json_option, seed_option, setting, table_option, workers_option
from little_go.solver.family import COURSE
from little_go.solver.position import Position, move_name


@click.command()
@click.option(
    "--exact",
    is_flag=True,
    help="Measure exact values from an empty table instead, with 14 to 19 plies left; takes minutes.",
)
@click.option(
    "--all-moves",
    is_flag=True,
    help="Measure the exact values of all moves instead, from an empty table, with 14 to 20 plies left; takes minutes.",
)
@workers_option(default=1)
@table_option(None, f"{MOVES_TABLE_MIB}MiB")
@json_option()
def bench(exact: bool, all_moves: bool, workers: int, table_mib: int | None, as_json: bool) -> None:
    """Measure the kernel on a fixed workload, which takes a few seconds on one core.

    The last line contains the number of nodes. With one thread, this number is the same in every run and on every
    machine, until the search changes. Times are seconds of CPU. If threads share the work, the output also contains
    wall-clock seconds.
    """
    if exact and all_moves:
        raise BadUsage("give --exact or --all-moves, not both")
    if not all_moves and (workers > 1 or table_mib is not None):
        raise BadUsage("--workers and --table go with --all-moves")
    name = "exact" if exact else "moves" if all_moves else "bench"
    found = measure_moves(workers, table_mib or MOVES_TABLE_MIB) if all_moves else None
    measures = []
    for measure in found or (measure_exact() if exact else measure_search()):
        measures.append(measure)
        if not as_json:
            clock = f" {measure.waited:7.2f} s by the clock" if workers > 1 else ""
            times = f"{measure.seconds:7.2f} s{clock}"
            click.echo(f"{measure.name:22} {measure.nodes:>12,} nodes {times}  {measure.result}")
    nodes = sum(measure.nodes for measure in measures)
    node_rate = nodes / sum(measure.seconds for measure in measures)
    rates = {"nodes_per_second": round(node_rate)}
    if name == "bench":
        rates["leaves_per_second"] = round(leaves_per_second())
    if as_json:
        parts = [
            {**measure._asdict(), "seconds": round(measure.seconds, 3), "waited": round(measure.waited, 3)}
            for measure in measures
        ]
        click.echo(json.dumps({"parts": parts, **rates, name: nodes}))
    else:
        if name == "bench":
            click.echo(f"\n{rates['leaves_per_second']:>15,} leaves/s", nl=False)
        click.echo(f"\n{rates['nodes_per_second']:>15,} nodes/s\n\n{name.capitalize()}: {nodes}")


class Measured(NamedTuple):
    """The values of a position's moves, and the cost of finding them: wall-clock seconds, CPU seconds and nodes."""

    knowledge: Knowledge
    seconds: float
    cpu: float
    nodes: int

    @property
    def is_exact(self) -> bool:
        """Whether the value of every move was found."""
        return self.knowledge.exact == len(self.knowledge.after_moves)

    def record(self) -> dict[str, Any]:
        """Return the measurement as a dictionary for JSON; ``moves`` has the exact values of legal moves, or None."""
        values = {move_name(move): after.value for move, after in self.knowledge.after_moves}
        cost = {"seconds": round(self.seconds, 3), "cpu": round(self.cpu, 3), "nodes": self.nodes}
        return {**to_record(self.knowledge.position, COURSE), "moves": values, "exact": self.is_exact, **cost}


def measure_position(
    sources: Sequence[Source], way: Sequence[Position], position: Position, seconds: float, table_mib: int | None = None
) -> Measured:
    """Find the values of all moves of a position, with an empty table and the facts of ``sources``.

    way: the earlier positions of the game, for which the sources are also queried. seconds: the limit of the search.
    Raise ValueError if a table of ``table_mib`` MiB does not fit into memory.
    """
    clock, cpu = time.perf_counter(), time.process_time()
    live = LiveSearch(table_mib)
    *_, knowledge = Service(sources, live, game=COURSE).updates(position, for_seconds(seconds), seconds, way)
    return Measured(knowledge, time.perf_counter() - clock, time.process_time() - cpu, live.searched)


def summary(ply: int, measured: Sequence[Measured]) -> dict[str, Any]:
    """Return a summary of measurements: the numbers of all and of exact positions, and percentiles of the times."""
    return {
        "ply": ply,
        "positions": len(measured),
        "exact": sum(each.is_exact for each in measured),
        **_shares("", sorted(each.seconds for each in measured)),
        **_shares("cpu_", sorted(each.cpu for each in measured)),
        "nodes": sum(each.nodes for each in measured),
    }


def _shares(name: str, times: Sequence[float]) -> dict[str, float]:
    shares = {"p50": 0.5, "p95": 0.95, "worst": 1.0}
    return {f"{name}{word}": round(times[ceil(share * len(times)) - 1], 2) for word, share in shares.items()}


def _line(row: Mapping[str, Any]) -> str:
    times = "".join(f"{row[prefix + word]:8.2f}" for prefix in ("", "cpu_") for word in ("p50", "p95", "worst"))
    return f"{row['ply']:3} {row['positions']:10} {row['exact']:6}{times} {row['nodes'] / 1e6:9.1f}"


@click.command("bench-queries")
@click.option(
    "--positions",
    "games",
    type=COUNT,
    default=50,
    show_default=True,
)
@seed_option()
@setting("--live", SOME_TIME, "5m")
@table_option(None)
@json_option()
def bench_queries(games: int, seed: int, live: float, table_mib: int | None, as_json: bool) -> None:
    """Measure the time until the value of every move of a position is exact, with the shipped files and all cores.

    The positions are from games in which Black, White or both make errors (lab/speed/bench.py). Each search begins with
    an empty table. The columns are the seconds of the median position, of the 95th percentile and of the worst
    position, as wall-clock and CPU time, and the nodes of all positions in millions.
    """
    sources, drawn = session_sources(read_book(str(BOOK_FILE), game=COURSE)), drawn_positions(games, seed)
    if not as_json:
        click.echo("ply  positions  exact     p50     p95   worst cpu p50 cpu p95   worst   M nodes")
    with Display() as display:
        for ply, positions in enumerate(drawn):
            measured = []
            for game, position in enumerate(positions):
                display.part("positions", ply * games + game, games * len(drawn))
                try:
                    measured.append(
                        measure_position(sources, [each[game] for each in drawn[:ply]], position, live, table_mib)
                    )
                except ValueError as error:
                    raise BadUsage(str(error)) from None
                if as_json:
                    click.echo(json.dumps(measured[-1].record()))
            row = summary(ply, measured)
            click.echo(json.dumps(row) if as_json else _line(row))
