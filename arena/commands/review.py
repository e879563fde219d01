"""``python -m arena review``: where a game was lost, and where an agent goes wrong most."""

import json
import re
import shutil
from collections.abc import Callable
from pathlib import Path

import click

from arena.commands.options import book_option
from arena.commands.series import review_all
from arena.review.annotated import annotated_sgf
from arena.review.games import read_games
from arena.review.picture import curve_svg
from arena.review.review import Review
from arena.review.summary import summaries_text, summarise
from arena.review.text import WIDTH, review_text
from arena.review.worth import NODES, Valuer
from book.answers.sources import session_sources
from book.files.reader import MoveBook, read_book
from runtime.errors import BadUsage, writing
from runtime.files import write_whole
from runtime.options import COUNT, json_option, setting, table_option
from runtime.release import here_or_shipped

#: So many games are told in full; of more, only the summary.
FEW_GAMES = 1


@click.command()
@click.argument("games", nargs=-1, required=True, metavar="GAME...", help="The games to review.")
@json_option("Print one JSON object per game, and one for the agents at the end.")
@click.option("--full", is_flag=True, help="Print each game in full, however many there are.")
@click.option(
    "--sgf",
    type=click.Path(path_type=Path),
    help="Write the annotated game, with best play as variations: a file for one game, a directory for more.",
)
@click.option(
    "--svg",
    type=click.Path(path_type=Path),
    help="Draw the value after each ply: a file for one game, a directory for more.",
)
@setting(
    "--nodes",
    COUNT,
    NODES,
    "The most nodes that the search may use for one position; if they do not suffice, bounds are shown.",
)
@table_option(None, "Memory for the transposition table; what fits the machine unless it is given")
@book_option
def review(
    games: tuple[str, ...],
    as_json: bool,
    full: bool,
    sgf: Path | None,
    svg: Path | None,
    nodes: int,
    table_mib: int | None,
    book: Path,
) -> None:
    """Show what each move of a game was worth, and where the game was lost.

    GAME is an SGF file, a file of JSON lines as play and tournament write them, a directory of such files, or the
    moves themselves, as in python -m arena review 2,2 1,1 3,3

    A mistake is a move whose value is worse for the mover than the best move's; its cost is in points. The turning
    point is the last move that changed who wins. Worth is the result under best play, komi included: B+0.5 is a win for
    Black by half a point. For several games it shows where each agent goes wrong most, by ply and by kind.
    """
    played = list(read_games(games))
    sources = session_sources(find_book(book))
    try:
        valuer = Valuer(sources, nodes, table_mib)
    except ValueError as error:
        raise BadUsage(str(error)) from None
    if not played:
        raise BadUsage(f"no game in {' '.join(games)}")
    reviews = review_all(played, valuer)
    with writing():
        if sgf is not None:
            _write_each(reviews, sgf, ".sgf", annotated_sgf)
        if svg is not None:
            _write_each(reviews, svg, ".svg", curve_svg)
    summaries = summarise(reviews)
    if as_json:
        for each in reviews:
            click.echo(json.dumps(each.record()))
        click.echo(json.dumps({"agents": {name: summary.record() for name, summary in summaries.items()}}))
        return
    width = max(WIDTH, shutil.get_terminal_size().columns if len(reviews) > FEW_GAMES else WIDTH)
    if full or len(reviews) <= FEW_GAMES:
        click.echo("\n\n".join("\n".join(review_text(each, width)) for each in reviews))
    if len(reviews) > FEW_GAMES:
        click.echo("\n".join([*([""] if full else []), *summaries_text(summaries)]))


def find_book(path: Path = Path("book.json")) -> MoveBook:
    """Return the book of this name, in the working directory or else among what ships. Raises BookError."""
    return read_book(str(here_or_shipped(path)))


def _write_each(reviews: list[Review], out: Path, suffix: str, content: Callable[[Review], str | bytes]) -> None:
    if len(reviews) == 1 and not out.is_dir():
        write_whole(out, content(reviews[0]))
        return
    out.mkdir(parents=True, exist_ok=True)
    for number, each in enumerate(reviews, 1):
        write_whole(out / f"{number:04}-{_slug(each.game.source)}{suffix}", content(each))


def _slug(source: str) -> str:
    return re.sub(r"\W+", "_", source.removesuffix(".sgf")).strip("_") or "game"
