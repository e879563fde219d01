"""``python -m arena gtp``: our player as a GTP engine."""

import sys
from pathlib import Path

import click

from arena.commands.options import BadUsage
from arena.gtp.engine import ANALYSIS_SECONDS, Engine, serve
from arena.gtp.lines import Lines
from book.files.reader import Book, BookError, open_book
from player.clock import DEFAULT_BUDGET, MOST_BUDGET
from player.main import find_book
from runtime.release import here_or_shipped


@click.command()
@click.option(
    "--book",
    type=click.Path(path_type=Path, dir_okay=False),
    help="The book to play from.  [default: book.json]",
)
@click.option(
    "--cpu",
    default=DEFAULT_BUDGET,
    show_default=True,
    type=click.FloatRange(0, MOST_BUDGET, min_open=True),
    help="Seconds of CPU per move.",
)
@click.option(
    "--seconds",
    default=ANALYSIS_SECONDS,
    show_default=True,
    type=click.FloatRange(min=0, min_open=True),
    help="Seconds of wall-clock time for a littlego-analyze that names no time.",
)
def gtp(book: Path | None, cpu: float, seconds: float) -> None:
    """Answer Go Text Protocol, version 2, on standard input and output.

    The player is the one in my_player3.py. It plays only Little-Go: 5x5, komi 2.5, 24 plies, stones count.
    list_commands lists the commands. littlego-analyze shows what each move is worth. Programs such as Sabaki draw the
    answers of lz-analyze and kata-analyze. See docs/GTP.md.
    """
    serve(Engine(_open_book(book), cpu, seconds), Lines(sys.stdin.buffer), sys.stdout)


def _open_book(path: Path | None) -> Book | None:
    if path is None:
        return find_book([str(here_or_shipped("book.json").parent)])
    try:
        return open_book(str(path))
    except BookError as error:
        raise BadUsage(str(error)) from None
