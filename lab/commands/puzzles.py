"""``python -m lab puzzles``: the puzzles that ship."""

from functools import partial
from pathlib import Path

import click

from book.files.puzzles import PUZZLES, write_puzzles
from lab.games.puzzle_maker import Drawing
from runtime.display import tracked
from runtime.options import FILE, seed_option


@click.command("puzzles")
@click.option("--positions", type=click.IntRange(1), default=360, show_default=True, help="How many positions.")
@seed_option("Changes the order in which positions are looked at.")
@click.option("--out", type=FILE, default=PUZZLES, help="The file.  [data/puzzles.csv]")
def draw_puzzles(positions: int, seed: int, out: Path) -> None:
    """Draw puzzles, positions in which one move alone keeps the win, from the atlas and from logged games.

    They are graded by how often an opponent of the models and searches of docs/explanation/OPPONENTS.md goes wrong. 360
    take some minutes of CPU.
    """
    puzzles = Drawing(seed).draw(positions, partial(tracked, what="Drawing"))
    try:
        write_puzzles(puzzles, out)
    except OSError as error:
        raise click.ClickException(f"{out}: {error.strerror}") from None
    click.echo(f"{out.name}: {len(puzzles)} puzzles")
