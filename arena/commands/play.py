"""``little-go play``: games between two agents."""

import sys
from contextlib import AbstractContextManager, ExitStack, nullcontext
from functools import partial
from pathlib import Path
from typing import IO

import click

from arena.commands.game_options import program_options, tell_lacking
from arena.commands.sitting import Sitting, open_valuer
from arena.review.adviser import Adviser
from arena.review.worth import NODES, REVIEW_NODES
from arena.standings.entrants import Terms, open_contestant, parse_entrant
from book.commands.options import game_options
from runtime.errors import BadUsage, writing
from runtime.files import STANDARD_OUTPUT, check_writable, open_to_write
from runtime.options import COUNT, FILE, seed_option, setting
from solver.family import Variant

#: As many games as get their final boards drawn without being asked for.
FEW_GAMES = 3


@click.command()
@click.option("--black", required=True, metavar="AGENT", help="Who plays Black.")
@click.option("--white", required=True, metavar="AGENT", help="Who plays White.")
@setting("--games", COUNT, 1, "How many games with the same colours.")
@seed_option("The first game's seed; others add 1.")
@click.option(
    "--jsonl",
    type=FILE,
    help="Write each game, a line of JSON; - is stdout.",
)
@click.option(
    "--sgf",
    type=click.Path(path_type=Path),
    help="Write SGF with values: a file or a folder.",
)
@program_options
@game_options
@click.option("--boards/--no-boards", default=None, help=f"Draw final boards.  [default: up to {FEW_GAMES} games]")
def play(
    black: str,
    white: str,
    games: int,
    seed: int,
    jsonl: Path | None,
    sgf: Path | None,
    boards: bool | None,
    terms: Terms,
    game: Variant,
) -> None:
    """Play games between two agents. AGENT is aggressive, alphabeta, championship, greedy, qlearning, random, human
    (? helps), or a program, which runs as you unless in a --sandbox: a .py, .java or .cpp file, a directory (DIR or
    DIR:FILE), cmd:COMMAND or gtp:COMMAND. NAME=AGENT names it, AGENT@PYTHON its Python.
    """
    draw = games <= FEW_GAMES if boards is None else boards
    entrants = [parse_entrant(agent) for agent in (black, white)]
    people = [colour for colour, entrant in enumerate(entrants, 1) if entrant.agent == "human"]
    if jsonl == STANDARD_OUTPUT and people:
        raise BadUsage("human needs standard output: give --jsonl a file")
    if sgf:
        _check_sgf(sgf, games)
    terms = terms._replace(game=game)
    adviser = Adviser(partial(open_valuer, NODES if people else REVIEW_NODES), people)
    tell_lacking(entrants)
    with ExitStack() as stack:
        first, second = (stack.enter_context(open_contestant(entrant, terms, adviser.advice)) for entrant in entrants)
        lines = stack.enter_context(_open_lines(jsonl)) if jsonl else None
        sitting = Sitting(first, second, terms, draw, adviser, lines, sgf)
        sitting.play(range(seed, seed + games))


def _open_lines(path: Path) -> AbstractContextManager[IO[str]]:
    if path == STANDARD_OUTPUT:
        return nullcontext(sys.stdout)
    with writing(path):
        return open_to_write(path)


def _check_sgf(sgf: Path, games: int) -> None:
    """Raise BadUsage where the games could not be written, before one is played."""
    with writing(sgf):
        check_writable(sgf, folder=games > 1)
        if games > 1:
            sgf.mkdir(parents=True, exist_ok=True)
