"""``python -m lab bench-workers``: what more workers bring."""

import json

import click

from generator.commands.run_options import even, plies_option
from lab.speed.speedup import Trial, speed_lines, speeds, trial_line, trials
from runtime.options import COUNT, cores, json_option, setting, table_option


@click.command("bench-workers")
@plies_option
@click.option(
    "--workers",
    multiple=True,
    type=click.IntRange(1),
    help="Number of threads; may be given several times, and the first is compared with the others.  [default: 1, and "
    "one per core]",
)
@setting("--seeds", COUNT, 3, "Number of search orders to average over.")
@table_option("256MiB", "Memory for the transposition table, shared by all workers")
@click.option("--processes", is_flag=True, help="Use processes as workers, as in closure, instead of threads.")
@json_option("Answer in JSON.")
def bench_workers(
    plies: int, workers: tuple[int, ...], seeds: int, table_mib: int, processes: bool, as_json: bool
) -> None:
    """Measure how much faster several workers are.

    Each number of workers in turn decides from nothing who wins. Speed-up is in time to the verdict, node rate in
    nodes a second, and effort in nodes. All are geometric means over the seeds. Other work on the machine distorts the
    figures, so leave it alone meanwhile.
    """
    counts = list(dict.fromkeys(workers or (1, cores())))
    found: list[Trial] = []
    for trial in trials(even(plies), counts, seeds, table_mib, processes=processes):
        click.echo(trial_line(trial), err=True)
        found.append(trial)
    compared = speeds(found)
    click.echo(json.dumps([speed._asdict() for speed in compared]) if as_json else "\n".join(speed_lines(compared)))
