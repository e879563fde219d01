"""The command ``little-go generator closure``."""

from functools import partial
from pathlib import Path
from typing import Any

import click

from book.store.store import open_store
from generator.commands.run_options import (
    cluster_options,
    even,
    plies_option,
    searching,
    workshop_of,
)
from generator.questions.closure import Closure, Level
from generator.questions.traps import Traps
from generator.report.progress import RunDisplay, level_line
from generator.workers.workshop import Settings
from runtime.errors import BadUsage
from runtime.hints import command_line
from runtime.options import COLOUR, setting
from solver.bounds import COLOUR_NUMBERS
from solver.family import COURSE
from solver.position import GAME_PLIES, Position, parse_move, start_of


@click.command()
@searching
@cluster_options
@plies_option
@click.option(
    "--colour",
    "colours",
    type=COLOUR,
    multiple=True,
    default=COLOUR.choices,
    help="The side to choose moves for.  [default: both]",
)
@setting(
    "--solver-nodes",
    click.IntRange(0),
    100_000,
    "Nodes of the player's own solver.",
)
@setting("--left", click.IntRange(1, GAME_PLIES), 14, "Go down to this number of plies left.")
@click.option(
    "--moves",
    metavar="MOVES",
    help="Only what follows after these moves: Black's first.",
)
def closure(
    plies: int, colours: tuple[str, ...], solver_nodes: int, left: int, moves: str | None, **settings: Any
) -> None:
    """Choose our move in every position that our play can lead to.

    A won position gets a winning move, a lost one the move that most often makes opponents err. Needs `solve` or `run`
    first. It stops and resumes as `run` does.
    """
    parameters = {"plies": plies, "colours": colours, "solver_nodes": solver_nodes, "last_left": left}
    _require_winner(settings["db"], even(plies))
    start = start_of(even(plies))
    only = None if moves is None else _after_first(start, moves, colours)
    with workshop_of(Settings(**settings, game=COURSE), parameters, processes=True) as (shop, display):
        traps = Traps(shop, display.part, COURSE)
        closing = Closure(shop, traps, solver_nodes, display.part, COURSE)
        for colour in colours:
            closing.close(start, COLOUR_NUMBERS[colour], left, partial(_show_level, display, colour), only)


def _after_first(start: Position, move: str, colours: tuple[str, ...]) -> Position:
    """Return the position after Black's first move; raises BadUsage."""
    if colours != ("white",):
        raise BadUsage("--moves is Black's first move: use it only with --colour white")
    try:
        return start.play(parse_move(move))
    except ValueError as error:
        raise BadUsage(f"--moves: {error}") from None


def _require_winner(db: Path, plies: int) -> None:
    """Raise ClickException unless the store proves who wins the game of so many plies."""
    if db.exists():
        with open_store(db, game=COURSE) as store:
            answer = store.answer(start_of(plies))
        if answer is not None and store.game.winner(answer) is not None:
            return
    raise click.ClickException(
        f"{db} does not prove who wins the game of {plies} plies: first run"
        f" {command_line('generator run --plies', plies, '--db', db)}"
    )


def _show_level(display: RunDisplay, colour: str, level: Level) -> None:
    display.finished(level_line(colour, level))
