"""Solving games of 8, 10, 12, … plies in turn: ``little-go generator run`` and ``solve``."""

from typing import Any

import click

from generator.commands.run_options import even, plies_option, searching, workshop_of
from generator.questions.shorter_games import ShorterGames
from generator.report.progress import solved_line
from generator.workers.workshop import Settings
from solver.family import COURSE


@click.command()
@searching
@plies_option
def run(plies: int, **settings: Any) -> None:
    """Decide who wins the games of 8, 10, 12, … plies in turn, and who wins after each first move.

    The results go into the store. You can stop it at any moment, with Ctrl-C or kill -9: the same command resumes. It
    exits with 0 when all is solved or the budget is spent, and with 130 after Ctrl-C.
    """
    _climb(Settings(**settings, game=COURSE), plies, exact=False)


@click.command()
@searching
@plies_option
def solve(plies: int, **settings: Any) -> None:
    """Find the exact value of the longest game, and the value after each of its first moves.

    The results go into the store. It first does what `run` does, because that guides the search. It stops and resumes
    as `run` does.
    """
    _climb(Settings(**settings, game=COURSE), plies, exact=True)


def _climb(settings: Settings, plies: int, *, exact: bool) -> None:
    with workshop_of(settings, {"plies": even(plies), "exact": exact}) as (shop, display):
        games = ShorterGames(shop, display.standing, COURSE)
        games.solve_all(plies, exact, lambda solved: display.finished(solved_line(solved, COURSE)))
