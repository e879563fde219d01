"""``little-go review``: the mistakes of a game, and the worst mistakes of each agent."""

import json
import re
import shutil
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import click

from little_go.arena.commands.game_options import book_option
from little_go.arena.commands.tournament import html_option, review_each, write_page
from little_go.arena.review.annotated import annotated_sgf, curve_svg
from little_go.arena.review.reading import GameToReview, read_games
from little_go.arena.review.review import (
    GAME_NODES,
    NODES,
    Evaluator,
    Review,
    open_plies,
    partial_reviews,
    with_progress,
)
from little_go.arena.review.summary import summaries_text, summarise
from little_go.arena.review.text import WIDTH, game_text, partial_review_lines, review_text
from little_go.arena.standings.tally import Progress
from little_go.book.answers.sources import session_sources
from little_go.book.commands.options import named_game_options
from little_go.book.files.games import GamesError
from little_go.book.files.reader import MoveBook, read_book
from little_go.book.files.writer import read_named_book
from little_go.runtime.errors import BadUsage, writing
from little_go.runtime.files import check_writable, write_whole
from little_go.runtime.options import COUNT, json_option, table_option
from little_go.runtime.release import here_or_shipped
from little_go.solver.family import COURSE, Variant


@click.command()
@click.argument("games", nargs=-1, required=True, metavar="GAME...", help="The games to review.")
@json_option()
@click.option("--full", is_flag=True)
@click.option(
    "--sgf",
    type=click.Path(path_type=Path),
)
@click.option(
    "--svg",
    type=click.Path(path_type=Path),
)
@html_option
@named_game_options
@click.option(
    "--nodes",
    type=COUNT,
    show_default=f"{GAME_NODES:,} for a whole game",
)
@table_option(None)
@book_option
def review(
    games: tuple[str, ...],
    as_json: bool,
    full: bool,
    sgf: Path | None,
    svg: Path | None,
    html: Path | None,
    variant: Variant | None,
    nodes: int | None,
    table_mib: int | None,
    book: Path,
) -> None:
    """Show each move's value, and which move lost the game.

    GAME is an SGF file, a file of JSON lines as play and tournament write them, a directory of such files, or the moves
    of a game.

    The value is the result under best play, with komi: B+0.5 is a win for Black by half a point. The cost of a mistake
    is in points. The turning point is the last move that changed the winner.
    """
    faults: list[GamesError] = []
    played = list(read_games(games, faults.append, variant))
    for fault in faults if played else faults[:-1]:
        click.echo(f"Error: {fault}", err=True)
    if faults and not played:
        raise faults[-1]
    for each in played:
        for note in each.notes:
            click.echo(f"{each.source}: {note}", err=True)
    for out in (sgf, svg):
        if out is not None:
            with writing(out):
                check_writable(out, folder=len(played) > 1 or out.is_dir())
    known, _ = read_named_book(here_or_shipped(book))
    try:
        evaluator = Evaluator(session_sources(known), nodes or NODES, table_mib, None if nodes else GAME_NODES)
    except ValueError as error:
        raise BadUsage(str(error)) from None
    if not played:
        raise BadUsage(f"no game in {' '.join(games)}")
    reports = _print_json(played, evaluator) if as_json else _print_text(played, evaluator, full)
    reviews = list(reports)
    with writing():
        if sgf is not None:
            _write_each(reviews, sgf, ".sgf", annotated_sgf)
        if svg is not None:
            _write_each(reviews, svg, ".svg", curve_svg)
    if html is not None:
        write_page(summarise(reviews), html)
    if faults:
        click.get_current_context().exit(BadUsage.exit_code)


def _print_json(played: list[GameToReview], evaluator: Evaluator) -> Iterator[Review]:
    reviews = []
    for each in review_each(played, evaluator):
        click.echo(json.dumps(each.record()))
        reviews.append(each)
        yield each
    summaries = summarise(reviews)
    click.echo(json.dumps({"agents": {name: summary.record() for name, summary in summaries.items()}}))


def _print_text(played: list[GameToReview], evaluator: Evaluator, full: bool) -> Iterator[Review]:
    if len(played) == 1:
        with Progress(1, hidden=False, plies=COURSE.plies) as progress:
            stages: list[Review] = []
            for line in partial_review_lines(
                _kept(with_progress(partial_reviews(played[0], evaluator), progress), stages)
            ):
                progress.hide()
                click.echo(line)
        if left := open_plies(stages[-1].known):
            plies = ", ".join(str(stages[-1].first_ply + number) for number in sorted(left))
            click.echo(f"not exact after ply {plies}: give --nodes {NODES} for exact values", err=True)
        yield stages[-1]
        return
    width, reviews = max(WIDTH, shutil.get_terminal_size().columns), []
    for each in review_each(played, evaluator):
        click.echo("\n".join([*review_text(each, width), ""] if full else game_text(each, width)))
        reviews.append(each)
        yield each
    click.echo("\n".join(["", *summaries_text(summarise(reviews))]))


def _kept(stages: Iterable[Review], kept: list[Review]) -> Iterator[Review]:
    for stage in stages:
        kept[:] = [stage]
        yield stage


def find_book(path: Path = Path("book.json")) -> MoveBook:
    """Return the book at a path, or the book that Little-Go installs if there is no file at the path."""
    return read_book(str(here_or_shipped(path)), COURSE)


def _write_each(reviews: list[Review], out: Path, suffix: str, content: Callable[[Review], str | bytes]) -> None:
    if len(reviews) == 1 and not out.is_dir():
        write_whole(out, content(reviews[0]))
        return
    out.mkdir(parents=True, exist_ok=True)
    for number, each in enumerate(reviews, 1):
        write_whole(out / f"{number:04}-{_slug(each.game.source)}{suffix}", content(each))


def _slug(source: str) -> str:
    return re.sub(r"\W+", "_", source.removesuffix(".sgf")).strip("_") or "game"
