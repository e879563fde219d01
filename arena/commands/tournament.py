"""``little-go tournament``: a round robin."""

import json

import click

from arena.commands.game_options import program_options
from arena.commands.series import SeriesOptions, end_series, enter_agents, play_series, series_options
from arena.standings.entrants import Terms
from arena.standings.standings import Standings
from arena.standings.tournament import schedule
from book.commands.options import game_options
from runtime.errors import BadUsage
from runtime.options import COUNT, json_option, setting
from solver.family import Variant


@click.command()
@click.argument("agents", nargs=-1, required=True, metavar="AGENT...", help="Two or more agents.")
@setting("--games", COUNT, 10, "How many games with the same colours.")
@series_options
@json_option("Print the standings as one JSON object.")
@program_options
@game_options
def tournament(
    agents: tuple[str, ...],
    games: int,
    series: SeriesOptions,
    as_json: bool,
    terms: Terms,
    game: Variant,
) -> None:
    """Play a round robin with both colours. AGENT is as for play, except human. It prints wins, Elo with 95 %
    intervals, CPU per move, and faults.
    """
    terms = terms._replace(game=game)
    if len(agents) < 2 or len(set(agents)) < len(agents):
        raise BadUsage("a tournament needs two or more agents, each named once")
    roster, identities = enter_agents(agents, terms)
    fixtures = schedule(list(roster), games, series.seed)
    played = play_series(fixtures, roster, identities, series, terms)
    standings = Standings(list(roster), played.records)
    click.echo(json.dumps(standings.record()) if as_json else "\n".join(standings.text()))
    end_series(played, series)
