"""The options ``--plies`` and ``--komi``, which name a game of the family."""

import click

from runtime.errors import BadUsage
from runtime.options import gathered, setting
from solver.family import COURSE, Variant


def checked(game: Variant) -> Variant:
    """Return a game that there is; raises BadUsage."""
    try:
        game.check()
    except ValueError as error:
        raise BadUsage(str(error)) from None
    return game


def _game(plies: int, komi: float) -> Variant:
    return checked(Variant(plies, komi))


def _named(plies: int | None, komi: float | None) -> Variant | None:
    if plies is None and komi is None:
        return None
    return checked(Variant(COURSE.plies if plies is None else plies, COURSE.komi if komi is None else komi))


#: The game to play or to make; the command gets ``game``.
game_options = gathered(
    "game",
    _game,
    setting("--plies", click.INT, COURSE.plies, "The length of the game, even."),
    setting("--komi", click.FLOAT, COURSE.komi, "White's points beside the stones."),
)

#: The game that is asked about; the command gets ``variant``, None for the one that the files name.
named_game_options = gathered(
    "variant",
    _named,
    click.option("--plies", type=click.INT, help=f"The game's length.  [default: {COURSE.plies}]"),
    click.option("--komi", type=click.FLOAT, help=f"White's points beside the stones.  [default: {COURSE.komi}]"),
)
