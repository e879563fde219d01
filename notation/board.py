"""Read drawn boards, which consist of five rows of signs. The file ``forms.toml`` lists the signs of many programs."""

from little_go.notation.faults import NotationError
from little_go.notation.parsed import ParsedPosition
from little_go.notation.ports import Ports, refusal
from little_go.notation.settling import settle
from little_go.notation.texts import read_text
from little_go.solver.family import COURSE, Variant


def game_line(game: Variant) -> list[str]:
    """Return a list with the line that states the game above a printed board. For the course's game the list is empty.

    >>> game_line(COURSE), game_line(Variant(8, 0.5))
    ([], ['Game: 8 plies, komi 0.5'])
    """
    return [] if game == COURSE else [f"Game: {game}"]


def read_board(text: str, game: Variant | None, ply: int | None = None) -> ParsedPosition:
    """Read five rows, in which ``.`` is empty, ``X`` or ``#`` is Black, ``O`` is White, and ``+`` is the ko point.

    If ``ply`` is None, the number of plies played is the number that the text states, or the smallest possible number.
    If ``game`` is None, the game is the one that the text states, or the course's game. Raise NotationError if the text
    is not a valid board. The fault is ``ambiguous`` if two lines contradict each other or if the text contains several
    boards.
    """
    try:
        said = read_text(Ports(text), text)
    except NotationError as error:
        raise refusal("few-rows", 0) if error.fault == "not-a-move" else error from None
    if said["form"] != "board":
        raise refusal("few-rows", 0)
    return settle(said, text, game, ply)
