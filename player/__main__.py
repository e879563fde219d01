"""The command ``little-go player``."""

import sys
from pathlib import Path

import click

from little_go.player.build import SCRIPT, BuildError, build_script
from little_go.runtime.errors import FOUND, OneLineErrors
from little_go.runtime.files import MIB, read_file, write_whole
from little_go.runtime.hints import command_line
from little_go.runtime.options import FILE
from little_go.runtime.release import in_clone
from little_go.solver.family import COURSE
from little_go.solver.native import NoKernel

#: The folder that contains the packages. In a clone it also contains the script.
ROOT = Path(__file__).resolve().parents[1]


@click.group(cls=OneLineErrors, room="player", expected=(NoKernel, BuildError))
def main() -> None:
    """Build the script that answers the host's calls."""


@main.command()
@click.option("--check", is_flag=True)
@click.option(
    "--out",
    type=FILE,
    default=ROOT / SCRIPT if in_clone() else Path(SCRIPT),
    show_default=SCRIPT,
)
def build(check: bool, out: Path) -> None:
    """Build the script to upload from the player's modules."""
    script = build_script(ROOT, COURSE)
    if not check:
        write_whole(out, script)
        click.echo(f"{out.name}: {len(script)} characters")
    elif not out.is_file() or read_file(out, 16 * MIB) != script.encode():
        click.echo(f"{out.name} is out of date: run {command_line('player build')}", err=True)
        sys.exit(FOUND)


if __name__ == "__main__":
    main(prog_name=f"python -m {__package__}")
