"""The generator's command: ``little-go generator``."""

import click

import solver.native.needed  # noqa: F401 - first, for its one line instead of a traceback
from book.files.atlas import AtlasError
from book.store.facts import StoreError
from generator.commands.atlas import atlas
from generator.commands.climb import run, solve
from generator.commands.closure import closure
from generator.commands.demo import demo
from generator.commands.status import status
from generator.workers.search_crew import CrewError
from runtime.errors import OneLineErrors


@click.group(cls=OneLineErrors, expected=(StoreError, CrewError, AtlasError), misuse=(ValueError,))
def main() -> None:
    """Solve games of 8, 10, 12, … plies, and keep what is proven in a store."""


for command in (run, solve, closure, atlas, status, demo):
    main.add_command(command)


if __name__ == "__main__":
    main(prog_name="python -m generator")
