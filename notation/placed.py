"""What a reader returns: a position, the way to it as far as the text shows it, and what was taken for granted."""

from collections.abc import Iterator
from typing import NamedTuple

from notation.faults import NotationError
from notation.host_file import EMPTY_FOR_WHITE, TOO_MANY_STONES, least_ply, parse_question
from solver.position import GAME_PLIES, Position


class Placed(NamedTuple):
    """A position that a text shows.

    way: the positions before it, the first one first; empty where the text shows none.
    ply_guessed: whether the text does not contain the ply, and the least that fits is taken.
    notes: what else a reader has to know, such as another komi; each is a clause.
    """

    position: Position
    way: tuple[Position, ...] = ()
    ply_guessed: bool = False
    notes: tuple[str, ...] = ()


def check_told(ply: int | None) -> None:
    """Raise NotationError for a ply that is given with a text that contains it."""
    if ply is not None:
        raise NotationError("ambiguous", "it contains the ply, so no other can be given")


def checked(position: Position) -> Position:
    """Return a position that a game can show; raises NotationError for any other."""
    try:
        position.check()
    except ValueError as error:
        raise NotationError("unreachable", str(error)) from None
    return position


def place(board: Position, colour: int | None, ply: int | None) -> Placed:
    """Place a board in a game.

    board: stones, ko point and PASS; its ply means nothing. A ko point that cannot be one is dropped, with a note.
    colour: the mover, 1 = Black, 2 = White; None if the text does not tell.
    ply: plies played; None for the least that fits.
    Raises NotationError.
    """
    faults = []
    for each in [ply] if ply is not None else sorted(_least_plies(board, colour)):
        if colour not in (None, 1 + each % 2):
            raise NotationError("wrong-colour", f"after {each} plies it is the other side's move")
        # Nobody has passed before the first ply.
        found = board._replace(ply=each, passed=board.passed and each > 0)
        try:
            checked(found)
            _check_count(found)
            return Placed(found, ply_guessed=ply is None)
        except NotationError as error:
            faults.append(error)
    if not faults:
        raise NotationError("unreachable", EMPTY_FOR_WHITE if not board.black | board.white else TOO_MANY_STONES)
    if board.ko is None:
        raise faults[0]
    placed = place(board._replace(ko=None), colour, ply)
    return placed._replace(notes=("the + is read as an empty point, as no ko is possible there",))


def _check_count(position: Position) -> None:
    """Raise NotationError for more stones than the plies played have put down."""
    least = least_ply(position.black, position.white, position.mover, position.passed)
    if position.black | position.white and position.ply < least:
        raise NotationError("unreachable", f"so many stones take {least} plies, and not {position.ply}")


def _least_plies(board: Position, colour: int | None) -> Iterator[int]:
    """Yield the least ply for each side that may be the mover, if the game is not over then."""
    for mover in (1, 2) if colour is None else (colour,):
        is_start = mover == 1 and not board.black | board.white
        ply = 0 if is_start else least_ply(board.black, board.white, mover, board.passed)
        if ply < GAME_PLIES and (is_start or board.black | board.white):
            yield ply


def read_input(content: bytes | str, ply: int | None = None) -> Placed:
    """Return the position that the host's ``input.txt`` shows.

    ply: plies played, which the file does not contain; None for the least that fits.
    Raises NotationError, also for boards that no game can show.
    """
    question = parse_question(content.encode() if isinstance(content, str) else content)
    if question.fault is not None:
        raise question.fault
    placed = place(question.position(1), question.colour, ply if ply is not None else question.least_ply)
    return placed._replace(ply_guessed=ply is None and not question.is_opening)
