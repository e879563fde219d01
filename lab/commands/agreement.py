"""``python -m lab agreement``: how alike our agents are to the course's."""

import json
from pathlib import Path

import click

from arena.commands.game_options import logged_option
from arena.standings.games_progress import Progress
from lab.games.agreement import Agreement, agreements, open_games, sample, table
from runtime.options import json_option, seed_option
from solver.family import COURSE


@click.command()
@logged_option
@click.option("--sample", "count", type=click.IntRange(min=1), help="Games drawn of each class.  [default: all]")
@seed_option("Chooses the games that --sample draws.")
@json_option("Print one JSON object per agent.")
def agreement(logged: Path, count: int | None, seed: int, as_json: bool) -> None:
    """Measure how often our agents play as the course's own agents did.

    For the logged moves of each class it shows three shares. "fits": our agent's rule ranks the move best. "plays": our
    agent plays the move, on average. "random": a random legal point hits the move.
    """
    drawn = sample(open_games(logged), count, seed)
    found: dict[str, Agreement] = {}
    with Progress(len(drawn), hidden=False, plies=COURSE.plies) as progress:
        for so_far in agreements(drawn):
            found = so_far
            progress.game()
    lines = [json.dumps(agreed.record()) for agreed in found.values()] if as_json else table(found.values())
    click.echo("\n".join(lines))
