"""The generator's command: ``python -m generator``."""

import click

from generator.commands.atlas import atlas
from generator.commands.bench import bench
from generator.commands.climb import run, solve
from generator.commands.closure import closure
from generator.commands.fit import fit
from generator.commands.forecast import forecast_
from generator.commands.status import status
from runtime.errors import OneLineErrors


@click.group(cls=OneLineErrors)
def main() -> None:
    """Solve games of 8, 10, 12, … plies, and keep what is proven in a store."""


for command in (run, solve, closure, atlas, bench, forecast_, status, fit):
    main.add_command(command)


if __name__ == "__main__":
    main(prog_name="python -m generator")
