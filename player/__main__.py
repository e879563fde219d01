"""The player's front door: ``python -m player``."""

import sys
from pathlib import Path

import click

from player.build import SCRIPT, BuildError, build_script, write_script

ROOT = Path(__file__).parents[1]


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
def main() -> None:
    """Make the player that answers one call of the host."""


@main.command()
@click.option("--check", is_flag=True, help="Write nothing; exit with 1 when the script is not fresh.")
@click.option(
    "--out", type=click.Path(path_type=Path, dir_okay=False), default=ROOT / SCRIPT, help=f"The script.  [{SCRIPT}]"
)
def build(check: bool, out: Path) -> None:
    """Build the script to upload, one file, from the player's modules."""
    try:
        script = build_script(ROOT)
    except BuildError as error:
        raise click.ClickException(str(error)) from None
    if not check:
        write_script(out, script)
        click.echo(f"{out.name}: {len(script)} characters")
    elif not out.is_file() or out.read_text(encoding="utf-8") != script:
        click.echo(f"{out.name} is stale: run 'python -m player build'", err=True)
        sys.exit(1)


if __name__ == "__main__":
    main(prog_name="python -m player")
