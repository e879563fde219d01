"""``python -m arena play``: games between two agents."""

import json
import sys
from contextlib import AbstractContextManager, ExitStack, nullcontext
from functools import partial
from pathlib import Path
from typing import IO

import click

from arena.commands.options import BadUsage, program_options
from arena.match.contestant import Contestant, HumanContestant
from arena.match.host import State, describe
from arena.match.play import Game, play_game
from arena.standings.entrants import Terms, UnknownAgent, open_contestant, parse_entrant
from arena.standings.progress import Progress
from arena.standings.tally import Tally

#: As many games as get their final boards drawn without being asked for.
FEW_GAMES = 3

#: What ``--jsonl`` takes for standard output.
STANDARD_OUTPUT = Path("-")


@click.command()
@click.option("--black", required=True, metavar="AGENT", help="Who plays Black.")
@click.option("--white", required=True, metavar="AGENT", help="Who plays White.")
@click.option("--games", default=1, show_default=True, type=click.IntRange(min=1), help="Games to play.")
@click.option(
    "--seed", default=0, show_default=True, help="Chance of the first game; each game after it adds 1 to its seed."
)
@click.option(
    "--jsonl",
    type=click.Path(path_type=Path, dir_okay=False, allow_dash=True),
    help="Write each game to this file as a line of JSON as soon as it ends; - is standard output, and the summary "
    "goes to standard error then. What the file held is lost.",
)
@program_options
@click.option("--boards/--no-boards", default=None, help=f"Draw final boards.  [default: up to {FEW_GAMES} games]")
def play(
    black: str,
    white: str,
    games: int,
    seed: int,
    jsonl: Path | None,
    boards: bool | None,
    terms: Terms,
) -> None:
    """Play games between two agents.

    AGENT is aggressive, alphabeta, championship, greedy, human, qlearning, random, or a program: the path of a
    .py, .java or .cpp file, copied with a book.json beside it; a directory with such a file, DIR or DIR:FILE, copied
    whole; or cmd:COMMAND. Java is compiled by javac, C++ by g++ -std=c++17. NAME=AGENT says what to call it,
    AGENT@PYTHON what runs a Python file. A program has a directory of its own and is started there once per
    move; the directory lasts as long as the run. The built-in agents run inside this process: their CPU time is
    measured, not limited. Without --sandbox, programs run as you and may do what you may.

    A program that overstays a limit is killed with all it started; the move it has left in
    output.txt counts all the same.

    AGENT may be gtp:COMMAND too, one that starts a GTP engine, such as 'gtp:gnugo --mode gtp --level 1'. The
    engine runs as long as the games do, in a directory of its own, under the same limits for each move. It is told
    board size, komi and moves; the host judges.
    """
    draw = games <= FEW_GAMES if boards is None else boards
    try:
        with ExitStack() as stack:
            first, second = (
                stack.enter_context(open_contestant(parse_entrant(agent), terms)) for agent in (black, white)
            )
            lines = stack.enter_context(_open_lines(jsonl)) if jsonl else None
            _play_all(first, second, range(seed, seed + games), lines, draw, terms.strict)
    except UnknownAgent as error:
        raise BadUsage(str(error)) from None


def _open_lines(path: Path) -> AbstractContextManager[IO[str]]:
    if path == STANDARD_OUTPUT:
        return nullcontext(sys.stdout)
    try:
        return path.open("w", encoding="utf-8")
    except OSError as error:
        raise BadUsage(f"cannot write {str(path)!r}: {error.strerror}") from None


def _play_all(
    black: Contestant, white: Contestant, seeds: range, lines: IO[str] | None, draw: bool, strict: bool
) -> None:
    """Play a game for each seed, and sum up what was played even when interrupted."""
    say = partial(click.echo, err=lines is sys.stdout)
    by_hand = any(isinstance(side, HumanContestant) for side in (black, white))
    tally = Tally()
    try:
        with Progress(len(seeds), hidden=by_hand) as progress:

            def watch(state: State) -> None:
                progress.ply(len(state.moves))
                if by_hand and state.result is None:
                    say(describe(state))

            for seed in seeds:
                game = play_game(black, white, seed, watch, strict)
                tally.add(game)
                if lines:
                    # Flushed at once, so that a run cut short leaves whole lines.
                    lines.write(json.dumps(game.record()) + "\n")
                    lines.flush()
                if draw:
                    progress.hide()
                    say(_drawing(game))
                progress.game()
    finally:
        say("\n".join(tally.lines()))


def _drawing(game: Game) -> str:
    return "\n".join(
        (
            f"{game.black} (Black, X) - {game.white} (White, O), seed {game.seed}",
            " ".join(game.state.moves),
            game.state.position._replace(ko=None).diagram(),
            describe(game.state),
            "",
        )
    )
