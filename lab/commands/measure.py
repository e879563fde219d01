"""``python -m lab measure``: the cost of the player's own solver."""

import json
import sys

import click

from lab.speed import measure as tools
from runtime.display import tracked
from runtime.options import COUNT, json_option, seed_option, setting


@click.command()
@click.argument("lefts", metavar="LEFT...", type=click.IntRange(3, 22), nargs=-1, required=True, help="Plies left.")
@setting("--positions", COUNT, 500, "How many positions for each number of plies left.")
@seed_option("Seed of the games that the positions come from.")
@click.option(
    "--python",
    default=sys.executable,
    metavar="PATH",
    help="The interpreter for the solver.  [default: the one running this]",
)
@json_option("Print one JSON object for each number of plies left.")
def measure(lefts: tuple[int, ...], positions: int, seed: int, python: str, as_json: bool) -> None:
    """Measure the exact solver's cost of deciding "+3 or not" from an empty table, at positions of seeded games."""
    summaries = []
    try:
        for left in dict.fromkeys(lefts):
            asked = tools.sample_positions(left, positions, seed)
            samples = list(tracked(tools.measure_positions(asked, python), f"{left} left", positions))
            summaries.append(tools.summarise(left, samples))
            if as_json:
                click.echo(json.dumps(tools.summary_record(summaries[-1], python, seed)))
    except tools.MeasureError as error:
        raise click.ClickException(str(error)) from None
    if not as_json:
        click.echo("\n".join(tools.table_lines(summaries)))
