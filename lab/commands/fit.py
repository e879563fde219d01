"""``python -m lab fit``: the opponent models."""

from pathlib import Path

import click

from book.files.games import read_games
from runtime.display import tracked
from runtime.errors import keep_unnamed
from runtime.options import FILE, seed_option, setting


@click.command()
@setting(
    "--logged",
    FILE,
    "data/staff_games.jsonl.gz",
    "The logged games as JSON lines, packed by gzip when the name ends in .gz.",
)
@setting("--out", FILE, "generator/opponents/models.json", "Where to write the models.")
@setting(
    "--held-out",
    click.FloatRange(0, 1, max_open=True),
    0.2,
    "Share of the games that are kept out of the fit and used to test it.",
)
@setting(
    "--ridge",
    click.FloatRange(0, min_open=True),
    1.0,
    "Penalty on large weights, which a small number of games would otherwise produce.",
)
@seed_option("Draws the games that are held out.")
def fit(logged: Path, out: Path, held_out: float, ridge: float, seed: int) -> None:
    """Fit the opponent models to logged games, and print how well they predict the moves.

    An existing file of models is overwritten only when --out names it.
    """
    keep_unnamed(out)
    # Searching needs neither numpy nor scipy, and should not wait for them.
    try:
        from lab.games.fit import fit_games, fit_text, split, write_fits
    except ModuleNotFoundError as error:
        raise click.ClickException(f"fit needs {error.name}: run make setup") from None

    fits = fit_games(*split(read_games(logged), held_out, seed), ridge, tracked)
    if not fits:
        raise click.ClickException(f"{logged}: no move to fit; give other --logged games")
    write_fits(fits, {"ridge": ridge, "held_out": held_out, "seed": seed}, out)
    click.echo(fit_text(fits))
    click.echo(f"{out}: {len(fits)} models")
