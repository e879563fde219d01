"""What a reader returns: a position, the way to it as far as the text shows it, and what was taken for granted."""

import re
from collections.abc import Iterator
from itertools import islice
from typing import NamedTuple

from notation.faults import NotationError, shown
from notation.host_file import EMPTY_FOR_WHITE, TOO_MANY, least_ply, parse_question
from notation.parts import Part, left_out, parts_of
from solver.family import COURSE, Variant
from solver.position import SIZE, Position

_INPUT_LINE = re.compile(r"[^\r\n]+")


class Placed(NamedTuple):
    """A position that a text shows, and the game that it is of.

    way: the positions before it, the first one first; empty where the text shows none.
    ply_guessed: whether the text does not contain the ply, and the least that fits is taken.
    notes: what else a reader has to know, such as another komi; each is a clause.
    parts: the text, cut into what was taken and what was left out; empty for what no text shows.
    """

    position: Position
    game: Variant
    way: tuple[Position, ...] = ()
    ply_guessed: bool = False
    notes: tuple[str, ...] = ()
    parts: tuple[Part, ...] = ()

    @property
    def left_out(self) -> tuple[str, ...]:
        """What the reader left out of the text, in the text's words."""
        return left_out(self.parts)

    def all_read(self) -> "Placed":
        """Return this if the reader left nothing out; raises NotationError otherwise."""
        if self.left_out:
            raise NotationError("damaged", f"{shown(self.left_out[0])} is left over: want moves and no other words")
        return self

    @property
    def ply(self) -> int:
        """Plies played, as the game counts."""
        return self.position.ply - self.game.first_ply


def check_told(ply: int | None) -> None:
    """Raise NotationError for a ply that is given with a text that contains it."""
    if ply is not None:
        raise NotationError("ambiguous", "it contains the ply, so no other can be given")


def same_game(named: Variant, asked: Variant | None) -> Variant:
    """Return the game that a text names; raises NotationError where another one is asked about."""
    if asked not in (None, named):
        raise NotationError("other-game", f"it is of a game of {named}, and this one is of {asked}")
    return named


def stated_game(plies: int, komi: float, asked: Variant | None) -> Variant:
    """Return the game of a length and komi that a text names; raises NotationError for none and for another one."""
    named = Variant(plies, komi)
    try:
        named.check()
    except ValueError as error:
        raise NotationError("other-game", str(error)) from None
    return same_game(named, asked)


def checked(position: Position, game: Variant) -> Position:
    """Return a position that a game can show; raises NotationError for any other."""
    ply = position.ply - game.first_ply
    try:
        if ply < 0 <= position.ply:
            raise ValueError(f"{position.left} plies are left, and the game has {game.plies}")
        if ply > game.plies != COURSE.plies:
            raise ValueError(f"ply {ply} is not within 0 to {game.plies}")
        position.check()
        if not ply and position != game.start:
            raise ValueError("the game starts from the empty board")
    except ValueError as error:
        raise NotationError("unreachable", str(error)) from None
    _check_count(position, game)
    return position


def at_ply(board: Position, ply: int, game: Variant) -> Position:
    """Return a board with its ko point and PASS after so many plies of a game; it may be one that no game shows."""
    return board._replace(ply=game.first_ply + ply, passed=board.passed if ply else board.passed or game.start.passed)


def place(
    board: Position,
    colour: int | None,
    ply: int | None,
    game: Variant,
    captured: tuple[int, int] = (0, 0),
) -> Placed:
    """Place a board in a game.

    board: stones, ko point and PASS; its ply means nothing. A ko point that cannot be one is dropped, with a note.
    colour: the mover, 1 = Black, 2 = White; None if the text does not tell.
    ply: plies played, as the game counts; None for the least that fits.
    captured: Black's and White's stones that have been captured, as far as the text counts them.
    Raises NotationError.
    """
    faults = []
    for each in [ply] if ply is not None else sorted(_least_plies(board, colour, game, captured)):
        if colour not in (None, 1 + each % 2):
            raise NotationError("wrong-colour", f"after {each} plies it is the other side's move")
        # Nobody has passed before the first ply.
        found = at_ply(board._replace(passed=board.passed and each > 0), each, game)
        try:
            checked(found, game)
            _check_count(found, game, captured)
            return Placed(found, game, ply_guessed=ply is None)
        except NotationError as error:
            faults.append(error)
    if not faults:
        too_many = TOO_MANY.format(game.plies)
        raise NotationError("unreachable", EMPTY_FOR_WHITE if not board.black | board.white else too_many)
    if board.ko is None:
        raise faults[0]
    placed = place(board._replace(ko=None), colour, ply, game, captured)
    return placed._replace(notes=("the + is read as an empty point, as no ko is possible there",))


def _check_count(position: Position, game: Variant, captured: tuple[int, int] = (0, 0)) -> None:
    """Raise NotationError for more stones than the plies played have put down, and for a stone that came too early."""
    ply = position.ply - game.first_ply
    if not position.black and position.white.bit_count() == 1:
        # A PASS of Black's on the first ply ends the game, and one white stone captures none in so few plies.
        raise NotationError("unreachable", "a white stone alone: Black puts down the first stone, and it stays")
    if position.black | position.white:
        least = _least_ply(position, position.mover, captured)
        if ply < least:
            raise NotationError("unreachable", f"so many stones take {least} plies, and not {ply}")


def _least_ply(board: Position, mover: int, captured: tuple[int, int]) -> int:
    """Return the least number of plies that the stones on the board and the captured ones take."""
    # Captured stones count like others: they stand behind the board's last point.
    black, white = (
        stones | ((1 << count) - 1) << SIZE * SIZE for stones, count in zip(board[:2], captured, strict=True)
    )
    return least_ply(black, white, mover, board.passed)


def _least_plies(board: Position, colour: int | None, game: Variant, captured: tuple[int, int]) -> Iterator[int]:
    """Yield the least ply for each side that may be the mover, if the game is not over then."""
    for mover in (1, 2) if colour is None else (colour,):
        is_start = mover == 1 and not board.black | board.white
        ply = 0 if is_start else _least_ply(board, mover, captured)
        if ply < game.plies and (is_start or board.black | board.white):
            yield ply


def read_input(content: bytes | str, game: Variant, ply: int | None = None) -> Placed:
    """Return the position that the host's ``input.txt`` shows.

    ply: plies played, which the file does not contain; None for the least that fits.
    Raises NotationError, also for boards that no game can show.
    """
    question = parse_question(content.encode() if isinstance(content, str) else content, game)
    if question.fault is not None:
        raise question.fault
    least = question.least_ply - game.first_ply
    placed = place(question.position(1), question.colour, least if ply is None else ply, game)
    text = content if isinstance(content, str) else content.decode("utf-8", "replace")
    guessed = ply is None and not question.is_opening
    return placed._replace(ply_guessed=guessed, parts=parts_of(text, [(0, _input_end(text))]))


def _input_end(text: str) -> int:
    """Return where the eleventh line ends that is not blank."""
    lines = (line for line in _INPUT_LINE.finditer(text) if line[0].strip("\ufeff \t\v\f"))
    return next(islice(lines, 2 * SIZE, None)).end()
