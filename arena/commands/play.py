"""``python -m arena play``: games between two agents."""

import os
import sys
from contextlib import AbstractContextManager, ExitStack, nullcontext
from errno import EISDIR, ENOENT
from functools import partial
from pathlib import Path
from typing import IO

import click

from arena.commands.game_options import program_options
from arena.commands.series import REVIEW_NODES
from arena.commands.sitting import Sitting, open_valuer
from arena.review.adviser import Adviser
from arena.review.worth import NODES
from arena.standings.entrants import Terms, open_contestant, parse_entrant
from runtime.errors import BadUsage, writing
from runtime.filesystem import STANDARD_OUTPUT, open_to_write
from runtime.options import COUNT, FILE, seed_option, setting

#: As many games as get their final boards drawn without being asked for.
FEW_GAMES = 3


@click.command()
@click.option("--black", required=True, metavar="AGENT", help="Who plays Black.")
@click.option("--white", required=True, metavar="AGENT", help="Who plays White.")
@setting("--games", COUNT, 1, "Games to play.")
@seed_option("Seed of the first game; each further game adds 1.")
@click.option(
    "--jsonl",
    type=FILE,
    help="Write each game to this file as a line of JSON as soon as it ends, and overwrite what the file had; - is "
    "standard output, and then the summary goes to standard error.",
)
@click.option(
    "--sgf",
    type=click.Path(path_type=Path),
    help="Write the game as SGF, with the value after each move, and best play where a move was a mistake: a file for "
    "one game, a directory for more.",
)
@program_options
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
) -> None:
    """Play games between two agents.

    AGENT is aggressive, alphabeta, championship, greedy, human, qlearning, random, or a program. A program is the path
    of a .py, .java or .cpp file, which is copied with a book.json beside it; a directory with such a file, DIR or
    DIR:FILE, which is copied whole; or cmd:COMMAND. Java is compiled by javac, C++ by g++ -std=c++17. NAME=AGENT gives
    an agent a name, and AGENT@PYTHON names the interpreter of a Python file. A program has its own directory, which
    lasts as long as the run, and is started there once per move. The built-in agents run inside this process: their CPU
    time is measured, not limited. Without --sandbox, programs run as you and can do whatever you can.

    A program that exceeds a limit is killed with everything it started. A move that it has left in output.txt still
    counts.

    For human, ? explains what you can enter: moves, hint, values, why, undo, resign, quit.

    AGENT may also be gtp:COMMAND, a command that starts a GTP engine, such as 'gtp:gnugo --mode gtp --level 1'. The
    engine runs as long as the games do, in its own directory, with the same limits for each move. It is told board
    size, komi and moves; the host judges the games.
    """
    draw = games <= FEW_GAMES if boards is None else boards
    entrants = [parse_entrant(agent) for agent in (black, white)]
    people = [colour for colour, entrant in enumerate(entrants, 1) if entrant.agent == "human"]
    if jsonl == STANDARD_OUTPUT and people:
        raise BadUsage("human needs standard output: give --jsonl a file")
    if sgf:
        _check_sgf(sgf, games)
    adviser = Adviser(partial(open_valuer, NODES if people else REVIEW_NODES), people)
    with ExitStack() as stack:
        first, second = (stack.enter_context(open_contestant(entrant, terms, adviser.advice)) for entrant in entrants)
        lines = stack.enter_context(_open_lines(jsonl)) if jsonl else None
        sitting = Sitting(first, second, terms.strict, draw, adviser, lines, sgf)
        sitting.play(range(seed, seed + games))


def _open_lines(path: Path) -> AbstractContextManager[IO[str]]:
    if path == STANDARD_OUTPUT:
        return nullcontext(sys.stdout)
    with writing(path):
        return open_to_write(path)


def _check_sgf(sgf: Path, games: int) -> None:
    """Raise BadUsage where the games could not be written, before one is played."""
    with writing(sgf):
        if games > 1:
            sgf.mkdir(parents=True, exist_ok=True)
        elif sgf.is_dir():
            raise IsADirectoryError(EISDIR, os.strerror(EISDIR))
        elif not sgf.parent.is_dir():
            raise FileNotFoundError(ENOENT, os.strerror(ENOENT))
