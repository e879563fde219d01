"""``python -m lab ladder``: White after 2,2, against opponents who search."""

import json
from pathlib import Path

import click

from arena.agents.searching import PREFIX, open_searching
from arena.commands.game_options import book_option
from arena.standings.aligned import aligned
from arena.standings.entrants import BUILT_IN
from arena.standings.games_progress import Progress
from book.files.reader import read_book
from lab.games.rungs import Rung, TrapLadder, interval, rungs
from runtime.errors import BadUsage
from runtime.options import COUNT, json_option, seed_option, setting
from runtime.release import here_or_shipped
from solver.family import COURSE


@click.command()
@click.argument("opponents", nargs=-1, metavar="[OPPONENT]...", help="The opponents.")
@book_option
@setting("--games", COUNT, 20, "How many games with the same colours, against each opponent.")
@seed_option("Seed of all games.")
@json_option("Print one JSON object.")
def ladder(opponents: tuple[str, ...], book: Path, games: int, seed: int, as_json: bool) -> None:
    """Measure how often our traps win the lost game of White, after Black has opened 2,2.

    OPPONENT is search:EVALUATION:DEPTH:EXACT or a built-in agent. The default is 42 searching opponents.
    The traps were chosen against none of the evaluations (count, breath, contact, werf, solid, wide) except count,
    which counts stones. The depths are 2 to 8 plies. EXACT is the number of plies left from which the opponent
    plays without error: 6, 8, 10, 12 or 14. Ties are decided at random.

    White plays the book's moves, as my_player3.py does. A game ends when Black has thrown the win away, because White
    keeps every win: little-go proof verify --colour white checks that.
    """
    names = list(opponents) or rungs()
    try:
        for name in names:
            if name not in BUILT_IN:
                open_searching(name, game=COURSE)
    except ValueError as error:
        raise BadUsage(str(error)) from None
    climbing = TrapLadder(read_book(str(here_or_shipped(book)), game=COURSE))
    found: list[Rung] = []
    with Progress(len(names) * games, hidden=False, plies=COURSE.plies) as progress:
        for name in names:
            found.append(climbing.climb(name, games, seed, BUILT_IN.get(name), progress.game))
    played, won = sum(rung.games for rung in found), sum(rung.won for rung in found)
    if as_json:
        each = [{**rung._asdict(), "won": rung.won} for rung in found]
        click.echo(json.dumps({"games": played, "won": won, "opponents": each}))
        return
    low, high = interval(won, played)
    click.echo("\n".join([*_table(found), ""]))
    click.echo(f"White won {won / played:.1%} of {played} games (95 %: {low:.1%} to {high:.1%})")


def _table(found: list[Rung]) -> list[str]:
    """Return an opponent each line, how often White won, and after how many plies Black erred."""
    rows = [["opponent", "won", "of", "Black errs at ply"]]
    for rung in found:
        plies = " ".join(f"{ply}:{rung.plies.count(ply)}" for ply in sorted(set(rung.plies)))
        rows.append([rung.name.removeprefix(PREFIX), f"{rung.won}", f"{rung.games}", plies or "-"])
    return aligned(rows)
