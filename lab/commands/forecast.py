"""``python -m lab forecast``: how long an atlas would take on more cores."""

import json
from dataclasses import replace
from pathlib import Path

import click

from lab.speed.forecast import WAITING, forecast, forecast_text, law_of, read_sample
from runtime.options import COUNT, json_option, setting


@click.command("forecast")
@click.argument("log", type=click.Path(path_type=Path))
@click.option(
    "--positions",
    required=True,
    type=click.IntRange(1),
    help="How many positions the atlas is to have, such as 94315.",
)
@click.option(
    "--cores",
    multiple=True,
    default=(1, 2, 16, 128, 1024),
    show_default=True,
    type=click.IntRange(1),
    help="Number of cores; may be given several times.",
)
@setting("--per-machine", COUNT, 16, "The most cores that one machine has.")
@setting(
    "--waiting",
    click.FloatRange(0, 1),
    WAITING,
    "The share by which each other core of a machine slows a core's nodes down.",
)
@click.option(
    "--rate",
    type=click.FloatRange(0, min_open=True),
    help="Nodes a second of one core.  [default: as in the log, which other work on the machine may have slowed down]",
)
@json_option("Answer in JSON.")
def forecast_(
    log: Path,
    positions: int,
    cores: tuple[int, ...],
    per_machine: int,
    waiting: float,
    rate: float | None,
    as_json: bool,
) -> None:
    """Estimate how long an atlas would take on more cores.

    LOG is the log of a run that did a part of it, written by `atlas --jsonl LOG`.
    """
    sample = read_sample(log)
    if rate is not None:
        sample = replace(sample, rate=rate)
    law = law_of(sample)
    found = forecast(law, sample.rate, positions, cores, per_machine, waiting)
    click.echo(json.dumps([each._asdict() for each in found]) if as_json else forecast_text(law, sample, found))
