"""``python -m lab bench``: how fast the kernel is, and whether it still searches the same tree."""

import json

import click

from lab.speed.bench import MOVES_TABLE_MIB, leaves_per_second, measure_exact, measure_moves, measure_search
from runtime.errors import BadUsage
from runtime.options import json_option, table_option, workers_option


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
@workers_option("For --all-moves: number of threads.", default=1)
@table_option(None, "For --all-moves: memory for the transposition table, 1GiB unless it is given")
@json_option("Answer with one line of JSON.")
def bench(exact: bool, all_moves: bool, workers: int, table_mib: int | None, as_json: bool) -> None:
    """Measure the kernel on a fixed workload, which takes some seconds on one core.

    The last line counts the nodes searched. For one thread, the number is the same on every run and machine until the
    search changes. Seconds are of CPU; those by the clock follow where threads share the work.
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
