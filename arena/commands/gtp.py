"""``little-go gtp``: our player as a GTP engine."""

import sys
from pathlib import Path

import click

from arena.gtp.engine import Engine, serve
from arena.gtp.line_reader import LineReader
from book.answers.live import LIVE_SECONDS
from book.commands.options import game_options
from book.files.reader import read_book
from player.clock import DEFAULT_BUDGET, MOST_BUDGET
from player.main import find_book
from runtime.options import FILE, SOME_TIME, Duration, setting, table_option
from runtime.release import here_or_shipped
from solver.family import COURSE, Variant


@click.command()
@click.option("--book", type=FILE, help="The book to play from, or to ask first.  [default: book.json]")
@setting("--cpu", Duration(0, MOST_BUDGET, min_open=True), f"{DEFAULT_BUDGET:g}s", "CPU time per move.")
@setting(
    "--live",
    SOME_TIME,
    f"{LIVE_SECONDS:g}s",
    "How long a littlego-analyze that names no time searches unsolved moves, until all is exact.",
)
@table_option(None, "Memory for the transposition table of analyses, chosen to fit the machine by default")
@game_options
def gtp(book: Path | None, cpu: float, live: float, table_mib: int | None, game: Variant) -> None:
    """Answer Go Text Protocol, version 2, on standard input and output.

    The player is the one in my_player3.py. The commands komi and littlego-plies set another game; it has a book for
    that of --plies and --komi alone. list_commands lists the commands. littlego-analyze shows what each move is worth.
    Programs such as Sabaki draw the answers of lz-analyze and kata-analyze.
    """
    opened = None
    if book:
        opened = read_book(str(book), game)
    elif game == COURSE:
        opened = find_book([str(here_or_shipped("book.json").parent)])
    serve(Engine(opened, cpu, live, table_mib, game=game), LineReader(sys.stdin.buffer), sys.stdout)
