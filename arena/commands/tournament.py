"""``python -m arena tournament``: a round robin."""

import json
import sys
from collections.abc import Sequence
from contextlib import ExitStack, suppress
from pathlib import Path

import click

from arena.commands.options import INTERRUPTED, BadUsage, program_options
from arena.contestant import UnknownAgent, open_contestant
from arena.process import Limits
from arena.progress import Progress
from arena.standings import Standings
from arena.tournament import (
    GAMES_FILE,
    SGF_DIRECTORY,
    Fixture,
    Keeper,
    TournamentError,
    play_fixtures,
    schedule,
)


@click.command()
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
@program_options
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
