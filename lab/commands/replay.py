"""``python -m lab replay``: logged games, judged again."""

import json
import sys
from pathlib import Path

import click

from arena.commands.game_options import logged_option
from arena.standings.games_progress import Progress
from book.files.games import read_games
from lab.games import replay as replaying
from runtime.options import json_option
from solver.family import COURSE


@click.command()
@logged_option
@json_option("Print one JSON object.")
def replay(logged: Path, as_json: bool) -> None:
    """Judge logged games again, and compare with the log.

    It lists each game whose log is not whole, and each whole game for which our host finds another result or final
    board, and counts them all. It exits with 1 if there is a game of the second kind.
    """
    games = read_games(logged, whole=True)
    found = []
    with Progress(len(games), hidden=False, plies=COURSE.plies) as progress:
        for line, game in enumerate(games, 1):
            found.append(replaying.replay(line, game))
            progress.game()
    click.echo(json.dumps(replaying.record(found)) if as_json else "\n".join(replaying.text(found)))
    if replaying.counts(found)[replaying.CONTRADICTS]:
        sys.exit(1)
