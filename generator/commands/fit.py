"""The command ``python -m generator fit``."""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TypeVar

import click
from rich.console import Console
from rich.progress import track

from book.files.games import GamesError, read_games
from generator.commands.options import clear_errors
from runtime.errors import keep_unnamed

_Item = TypeVar("_Item")


@click.command()
@click.option(
    "--games",
    default="data/staff_games.jsonl.gz",
    show_default=True,
    type=click.Path(path_type=Path),
    help="Logged games, one JSON object a line, packed by gzip when the name ends in .gz.",
)
@click.option(
    "--out",
    default="generator/opponents/models.json",
    show_default=True,
    type=click.Path(path_type=Path),
    help="Where to write the models.",
)
@click.option(
    "--held-out",
    default=0.2,
    show_default=True,
    type=click.FloatRange(0, 1, max_open=True),
    help="Share of the games that are kept out of the fit and used to test it.",
)
@click.option(
    "--ridge",
    default=1.0,
    show_default=True,
    type=click.FloatRange(0, min_open=True),
    help="Penalty on large weights, which a small number of games would otherwise produce.",
)
@click.option("--seed", default=0, show_default=True, type=click.IntRange(0), help="Draws the games that are held out.")
def fit(games: Path, out: Path, held_out: float, ridge: float, seed: int) -> None:
    """Fit the opponent models to logged games, and print how well they predict the moves.

    An existing file of models is overwritten only when --out names it.
    """
    keep_unnamed(out)
    # Searching needs neither numpy nor scipy, and should not wait for them.
    try:
        from generator.opponents.fit import fit_games, fit_text, split, write_fits
    except ModuleNotFoundError as error:
        raise click.ClickException(f"fit needs {error.name}: python -m pip install numpy scipy") from None

    def watch(items: Sequence[_Item], what: str) -> Iterable[_Item]:
        return track(items, what, console=console, transient=True, disable=not console.is_terminal)

    console = Console(stderr=True)
    with clear_errors():
        try:
            fits = fit_games(*split(read_games(games), held_out, seed), ridge, watch)
        except GamesError as error:
            raise click.ClickException(str(error)) from None
        if not fits:
            raise click.ClickException(f"{games}: no move to fit; give other --games")
        write_fits(fits, {"ridge": ridge, "held_out": held_out, "seed": seed}, out)
    click.echo(fit_text(fits))
    click.echo(f"{out}: {len(fits)} models")
