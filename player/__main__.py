"""The player's command: ``python -m player``."""

import json
import sys
from pathlib import Path

import click

from player.build import SCRIPT, BuildError, build_script
from runtime.display import tracked
from runtime.errors import OneLineErrors
from runtime.filesystem import write_whole
from runtime.options import COUNT, FILE, json_option, seed_option, setting
from runtime.release import in_clone
from solver.native import NoKernel, kernel_needed

#: Where the packages are, and in a clone the script.
ROOT = Path(__file__).parents[1]


@click.group(cls=OneLineErrors, expected=(NoKernel, BuildError))
def main() -> None:
    """Build the script that answers the host's calls, and measure its solver."""


@main.command()
@click.option("--check", is_flag=True, help="Write nothing; exit with 1 if the script is out of date.")
@click.option(
    "--out",
    type=FILE,
    default=ROOT / SCRIPT if in_clone() else Path(SCRIPT),
    help=f"The script to write.  [{SCRIPT}]",
)
def build(check: bool, out: Path) -> None:
    """Build the script to upload, a single file, from the player's modules."""
    script = build_script(ROOT)
    if not check:
        write_whole(out, script)
        click.echo(f"{out.name}: {len(script)} characters")
    elif not out.is_file() or out.read_text(encoding="utf-8") != script:
        click.echo(f"{out.name} is out of date: run 'python -m player build'", err=True)
        sys.exit(1)


@main.command()
@click.option(
    "--left",
    "lefts",
    type=click.IntRange(3, 22),
    multiple=True,
    required=True,
    help="Plies left; may be given several times.",
)
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
    """Measure what the exact solver's decision "+3 or not" costs from an empty table, at positions of seeded games."""
    with kernel_needed():
        # Imported here, because building the script needs no kernel.
        from player import measure as tools
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


if __name__ == "__main__":
    main(prog_name="python -m player")
