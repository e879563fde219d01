"""Drawn boards: five rows of signs, ours and other programs', and the lines around them (``forms.toml``)."""

from little_go.notation.faults import NotationError
from little_go.notation.parsed import ParsedPosition
from little_go.notation.ports import Ports, refusal
from little_go.notation.settling import settle
from little_go.notation.texts import read_text
from little_go.solver.family import COURSE, Variant


def game_line(game: Variant) -> list[str]:
    """Return the line that states the game of a printed board, in a list; an empty list for the course's game.

    >>> game_line(COURSE), game_line(Variant(8, 0.5))
    ([], ['Game: 8 plies, komi 0.5'])
    """
    return [] if game == COURSE else [f"Game: {game}"]


def read_board(text: str, game: Variant | None, ply: int | None = None) -> ParsedPosition:
    """Read five rows, in which ``.`` is empty, ``X`` or ``#`` is Black, ``O`` is White, and ``+`` is the ko point.

    ply: the number of plies played; None if the text states it, or to use the smallest possible ply. game: the game;
    None for the game that the text states, or the course's game if it states none. Raises NotationError. Its fault is
    ``ambiguous`` if two lines contradict each other or the text has several boards.
    """
    try:
        said = read_text(Ports(text), text)
    except NotationError as error:
        raise refusal("few-rows", 0) if error.fault == "not-a-move" else error from None
    if said["form"] != "board":
        raise refusal("few-rows", 0)
    return settle(said, text, game, ply)
