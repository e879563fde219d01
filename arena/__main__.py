"""The arena's front door: ``python -m arena``."""

import json
import sys
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, ExitStack, nullcontext, suppress
from functools import partial, wraps
from pathlib import Path
from typing import IO, Any

import click

from arena.agreement import STAFF_GAMES, Agreement, GamesError, agreements, open_games, sample, table
from arena.contestant import Contestant, UnknownAgent, open_contestant
from arena.host import State, describe
from arena.play import Game, play_game
from arena.process import Limits
from arena.progress import Progress
from arena.standings import Standings
from arena.tally import Tally
from arena.tournament import (
    GAMES_FILE,
    SGF_DIRECTORY,
    Fixture,
    Keeper,
    TournamentError,
    play_fixtures,
    schedule,
)

#: As many games as get their final boards drawn without being asked for.
FEW_GAMES = 3

#: What ``--jsonl`` takes for standard output.
STANDARD_OUTPUT = Path("-")

#: Exit code of a run ended by Ctrl-C, as the shell has it.
INTERRUPTED = 130


class BadUsage(click.ClickException):
    """A command line that asks for something that is not there; one line on standard error."""

    exit_code = 2


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
def main() -> None:
    """Play games of Little-Go, judged as by the course's host."""


_Command = Callable[..., None]


def _program_options(command: _Command) -> _Command:
    """Add the options for agents that are programs; the command gets ``limits`` and ``python`` of them."""

    @click.option(
        "--cpu",
        default=Limits().cpu,
        show_default=True,
        type=click.FloatRange(min=0, min_open=True),
        help="Seconds of CPU a program may take for a move (user + system, its children's too).",
    )
    @click.option(
        "--wall",
        type=click.FloatRange(min=0, min_open=True),
        help="Seconds on the clock a program may take for a move.  [default: three times --cpu]",
    )
    @click.option(
        "--python", default=sys.executable, help="Interpreter for Python files.  [default: the one running this]"
    )
    @wraps(command)
    def with_limits(*arguments: Any, cpu: float, wall: float | None, **options: Any) -> None:
        command(*arguments, limits=Limits(cpu, 3 * cpu if wall is None else wall), **options)

    return with_limits


@main.command()
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
@_program_options
@click.option("--boards/--no-boards", default=None, help=f"Draw final boards.  [default: up to {FEW_GAMES} games]")
def play(
    black: str,
    white: str,
    games: int,
    seed: int,
    jsonl: Path | None,
    boards: bool | None,
    limits: Limits,
    python: str,
) -> None:
    """Play games between two agents.

    AGENT is aggressive, alphabeta, championship, greedy, human, random, or the path of a Python file
    such as my_player3.py. A file is copied, with a book.json beside it, into a directory of its own
    and started there once per move; the directory lasts as long as the run. The built-in agents run
    inside this process: their CPU time is measured, not limited.

    A program that overstays a limit is killed with all it started; the move it has left in
    output.txt counts all the same.
    """
    draw = games <= FEW_GAMES if boards is None else boards
    try:
        with ExitStack() as stack:
            first, second = (stack.enter_context(open_contestant(agent, limits, python)) for agent in (black, white))
            lines = stack.enter_context(_open_lines(jsonl)) if jsonl else None
            _play_all(first, second, range(seed, seed + games), lines, draw)
    except UnknownAgent as error:
        raise BadUsage(str(error)) from None
    except KeyboardInterrupt:
        click.echo("interrupted", err=True)
        sys.exit(INTERRUPTED)


@main.command()
@click.argument("agents", nargs=-1, required=True, metavar="AGENT...", help="Who plays; two or more.")
@click.option("--games", default=10, show_default=True, type=click.IntRange(min=1), help="Games a pair, each colour.")
@click.option("--jobs", default=1, show_default=True, type=click.IntRange(min=1), help="Processes that play.")
@click.option("--seed", default=0, show_default=True, help="Chance of all games.")
@click.option(
    "--out",
    type=click.Path(path_type=Path, file_okay=False),
    help=f"Keep the games in this directory: {GAMES_FILE}, a line each, and {SGF_DIRECTORY}/, a file each. Games that "
    "are there already are not played again.",
)
@click.option("--json", "as_json", is_flag=True, help="Print the standings as one JSON object.")
@_program_options
def tournament(
    agents: tuple[str, ...],
    games: int,
    jobs: int,
    seed: int,
    out: Path | None,
    as_json: bool,
    limits: Limits,
    python: str,
) -> None:
    """Play a round robin: each AGENT against each other, with both colours.

    AGENT is as for play, but for human. Prints who won how often against whom, Elo (Bradley-Terry by
    maximum likelihood; the mean is 0) with 95 % intervals, CPU per move, and the games lost by a
    fault such as timeout. --jobs does not change the games.
    """
    try:
        _check_agents(agents, limits, python)
        standings = _play_tournament(agents, schedule(agents, games, seed), out, limits, python, jobs)
    except (UnknownAgent, TournamentError) as error:
        raise BadUsage(str(error)) from None
    click.echo(json.dumps(standings.record()) if as_json else "\n".join(standings.text()))
    if standings.games < len(agents) * (len(agents) - 1) * games:
        click.echo("interrupted", err=True)
        sys.exit(INTERRUPTED)


def _check_agents(agents: Sequence[str], limits: Limits, python: str) -> None:
    if len(agents) < 2 or len(set(agents)) < len(agents):
        raise BadUsage("a tournament needs two agents or more, each named once")
    if "human" in agents:
        raise BadUsage("a person cannot play in a tournament")
    for agent in agents:
        with open_contestant(agent, limits, python):
            pass


def _play_tournament(
    agents: Sequence[str], fixtures: list[Fixture], out: Path | None, limits: Limits, python: str, jobs: int
) -> Standings:
    """Play the games that are left, and return the standings, also when interrupted."""
    keeper = Keeper(out) if out else None
    played = keeper.played(fixtures) if keeper else {}
    left = [fixture for fixture in fixtures if fixture.key not in played]
    with suppress(KeyboardInterrupt), ExitStack() as stack:
        if keeper:
            stack.enter_context(keeper.adding())
        progress = stack.enter_context(Progress(len(left), hidden=False))
        for record in play_fixtures(left, limits, python, jobs):
            if keeper:
                keeper.add(record)
            played[record["black"], record["white"], record["number"]] = record
            progress.game()
    return Standings(agents, played.values())


@main.command()
@click.option(
    "--file",
    "path",
    type=click.Path(path_type=Path, dir_okay=False),
    default=STAFF_GAMES,
    help=f"The logged games, JSON lines.  [default: {STAFF_GAMES.name} of the arena]",
)
@click.option("--games", type=click.IntRange(min=1), help="Look at so many games of each class.  [default: all]")
@click.option("--seed", default=0, show_default=True, help="Draws the games for --games.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object an agent.")
def agreement(path: Path, games: int | None, seed: int, as_json: bool) -> None:
    """Tell how often our agents play as the course's own did.

    For the logged moves of each class: "fits", the share that has the best rank by the rule of our agent of that
    name; "plays", the share that it plays on average; "by lot", the share that a legal point by lot hits.
    """
    try:
        logged = sample(open_games(path), games, seed)
    except GamesError as error:
        raise BadUsage(str(error)) from None
    found: dict[str, Agreement] = {}
    with Progress(len(logged), hidden=False) as progress:
        for so_far in agreements(logged):
            found = so_far
            progress.game()
    lines = [json.dumps(agreed.record()) for agreed in found.values()] if as_json else table(found.values())
    click.echo("\n".join(lines))


def _open_lines(path: Path) -> AbstractContextManager[IO[str]]:
    if path == STANDARD_OUTPUT:
        return nullcontext(sys.stdout)
    try:
        return path.open("w", encoding="utf-8")
    except OSError as error:
        raise BadUsage(f"cannot write {str(path)!r}: {error.strerror}") from None


def _play_all(black: Contestant, white: Contestant, seeds: range, lines: IO[str] | None, draw: bool) -> None:
    """Play a game for each seed, and sum up what was played even when interrupted."""
    say = partial(click.echo, err=lines is sys.stdout)
    by_hand = "human" in (black.name, white.name)
    tally = Tally()
    try:
        with Progress(len(seeds), hidden=by_hand) as progress:

            def watch(state: State) -> None:
                progress.ply(len(state.moves))
                if by_hand and state.result is None:
                    say(describe(state))

            for seed in seeds:
                game = play_game(black, white, seed, watch)
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


if __name__ == "__main__":
    main(prog_name="python -m arena")
