"""The theorem's command: ``python -m theorem``."""

from pathlib import Path

import click

from book.files.games import STAFF_GAMES, GamesError
from book.files.reader import BookError
from runtime.errors import OneLineErrors, keep_unnamed
from runtime.options import COLOUR, COUNT, DIRECTORY, FILE, seed_option, setting
from theorem.damage import NoNode, damage_source
from theorem.games import course_games_source, games_source
from theorem.lines import Lines, read_lines, write_lines
from theorem.source import write_coq, write_source
from theorem.strategy import Lost, make_lines

LINES = Path("theorem/lines")
BUILD = Path("theorem/build")

_colour = setting("--colour", COLOUR, "black", "The side whose strategy it is.")
_build = setting("--out", DIRECTORY, BUILD, "Directory for the Coq sources.")


@click.group(cls=OneLineErrors, expected=(GamesError,))
def main() -> None:
    """Write the sources that Coq checks. `make theorem` does all of it; see docs/THEOREM.md."""


@main.command("lines")
@_colour
@setting("--book", FILE, "book.json", "The book with the strategy.")
@click.option(
    "--out",
    type=FILE,
    help="The file of lines to write.  [default: theorem/lines/COLOUR.txt.gz]",
)
def lines_command(colour: str, book: Path, out: Path | None) -> None:
    """Find a winning move for each position of a colour's strategy; takes minutes.

    The moves come from the book, and from the solver where the book ends. An existing file of lines is overwritten only
    when --out names it.
    """
    out = out or LINES / f"{colour}.txt.gz"
    keep_unnamed(out)

    def show(left: int, count: int) -> None:
        click.echo(f"{left} plies left: {count:,} lines", err=True)

    try:
        strategy = make_lines(colour, book, show)
    except (BookError, Lost) as error:
        raise click.ClickException(str(error)) from None
    write_lines(out, strategy)
    click.echo(f"{out}: {len(strategy.lines):,} lines")


def _read(colour: str) -> Lines:
    path = LINES / f"{colour}.txt.gz"
    if not path.exists():
        raise click.ClickException(
            f"{path} does not exist: run this in a clone, or make it with python -m theorem lines"
        )
    try:
        return read_lines(path)
    except ValueError as error:
        raise click.ClickException(str(error)) from None


@main.command("coq")
@_colour
@setting("--piece", click.IntRange(1, 4_000_000), 20_000, "Lines in a piece.")
@_build
def coq_command(colour: str, piece: int, out: Path) -> None:
    """Write a colour's lines as Coq sources: the pieces to check, and the theorem."""
    strategy = _read(colour)
    counts = write_coq(strategy, out, piece)
    click.echo(f"{out}: {len(strategy.lines):,} lines, {len(counts)} pieces")


@main.command("games")
@setting("--positions", COUNT, 100_000, "How many positions to play a move in; the last game may add a few.")
@seed_option("Changes the games.")
@_build
def games_command(positions: int, seed: int, out: Path) -> None:
    """Write games for Coq to replay: random ones by the project's rules, and those that the course's code judged."""
    out.mkdir(parents=True, exist_ok=True)
    source, count, games = games_source(positions, seed)
    write_source(out / "Games.v", source)
    click.echo(f"{out / 'Games.v'}: {count:,} plies of {games:,} games")
    source, games = course_games_source(STAFF_GAMES)
    write_source(out / "CourseGames.v", source)
    click.echo(f"{out / 'CourseGames.v'}: {games:,} games that the course's code judged")


@main.command("damage")
@_build
def damage_command(out: Path) -> None:
    """Write a small certificate that Coq must accept, and ten damaged ones that it must refuse."""
    out.mkdir(parents=True, exist_ok=True)
    try:
        source, wrong = damage_source(_read("black"))
    except NoNode as error:
        raise click.ClickException(str(error)) from None
    write_source(out / "Damage.v", source)
    click.echo(f"{out / 'Damage.v'}: " + "; ".join(wrong))


if __name__ == "__main__":
    main(prog_name="python -m theorem")
