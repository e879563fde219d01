"""The result of a reader: a position, earlier positions if the text contains them, and the reader's assumptions.

The result also contains the parts of the text that the reader parsed, and the parts that it skipped.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby, islice
from operator import attrgetter
from typing import NamedTuple

from little_go.notation.faults import NotationError, shown
from little_go.notation.host_file import EMPTY_FOR_WHITE, TOO_MANY, least_ply, parse_question
from little_go.notation.ports import table
from little_go.solver.family import COURSE, Variant
from little_go.solver.position import SIZE, Position

#: The maximum size of a file in bytes. sgfmill takes a few seconds for a file of this size.
MOST_SGF_BYTES = 20_000_000

#: The maximum number of characters that a note quotes from a skipped part, and the maximum number of quoted parts.
_MOST_QUOTED, _MOST_PARTS = table()["parts"]["quoted"], table()["parts"]["most"]

#: The characters that all readers, including the SGF reader, treat as blanks. Text from web pages contains more kinds
#: of blanks than SGF allows.
BLANKS = " \n" + table()["fold"][" "] + table()["fold"]["\n"]
#: The beginning of a game in SGF, and the beginning of nodes that are not within the brackets of a game.
SGF_START = re.compile(rf"\([{BLANKS}]*;")
SGF_BARE = re.compile(rf"[{BLANKS}]*;[{BLANKS}]*[A-Za-z]{{1,8}}[{BLANKS}]*\[")

#: The characters that have no meaning between two parsed parts.
_SIGNS = re.escape(BLANKS + table()["parts"]["neutral"])
_NEUTRAL = re.compile(f"[{_SIGNS}]*[.!?]?[{_SIGNS}]*")


def is_sgf(text: str) -> bool:
    """Return whether a text contains the beginning of a game in SGF."""
    return SGF_START.search(text) is not None or SGF_BARE.match(text) is not None


class Part(NamedTuple):
    """A part of a text. The field ``is_taken`` states whether a reader parsed this part."""

    text: str
    is_taken: bool


def parts_of(text: str, taken: Iterable[tuple[int, int]]) -> tuple[Part, ...]:
    """Divide a text into parsed and skipped parts, which together are the whole text.

    The parameter ``taken`` contains the spans of the parsed parts in ascending order. Blanks around a skipped part
    count as parsed. A part that contains only signs such as brackets and dashes, and at most one full stop, also counts
    as parsed.

    >>> parts_of("see 2,2!", [(4, 7)])
    (Part(text='see', is_taken=False), Part(text=' 2,2!', is_taken=True))
    """
    pieces: list[Part] = []
    at = 0
    for begin, end in (*taken, (len(text), len(text))):
        pieces += _unread(text[at:begin])
        pieces.append(Part(text[max(at, begin) : end], True))
        at = max(at, end)
    merged = (
        Part("".join(part.text for part in group), is_taken)
        for is_taken, group in groupby((part for part in pieces if part.text), attrgetter("is_taken"))
    )
    return tuple(merged)


def _unread(text: str) -> list[Part]:
    if _NEUTRAL.fullmatch(text):
        return [Part(text, True)]
    begin, end = len(text) - len(text.lstrip(BLANKS)), len(text.rstrip(BLANKS))
    return [Part(text[:begin], True), Part(text[begin:end], False), Part(text[end:], True)]


def whole(text: str) -> tuple[Part, ...]:
    """Return the parts of a text that was parsed completely."""
    return parts_of(text, [(0, len(text))])


def left_out(parts: Iterable[Part]) -> tuple[str, ...]:
    """Return the texts of all skipped parts, in the order of the parts."""
    return tuple(part.text for part in parts if not part.is_taken)


def not_read(left: Iterable[str]) -> list[str]:
    """Return a one-line note for each skipped part. If there are too many parts, the last note counts the other parts.

    >>> not_read(["Bob: hi\\nAnn: hello", "bye"])
    ["not read: 'Bob: hi' and 1 more line", "not read: 'bye'"]
    """
    left = list(left)
    notes = [f"not read: {_quoted(text)}" for text in left[:_MOST_PARTS]]
    more = len(left) - _MOST_PARTS
    return [*notes, f"not read: {more} more part{'s' if more > 1 else ''}"] if more > 0 else notes


def _quoted(text: str) -> str:
    first, *more = text.splitlines() or [""]
    quoted = repr(first if len(first) <= _MOST_QUOTED else first[:_MOST_QUOTED] + "...")
    return quoted + (f" and {len(more)} more line{'s' if len(more) > 1 else ''}" if more else "")


_INPUT_LINE = re.compile(r"[^\r\n]+")


class ParsedPosition(NamedTuple):
    """A position that a text contains, and the game of this position.

    - ``way``: the earlier positions in the order of play; empty if the text does not contain earlier positions.
    - ``ply_guessed``: whether the text does not contain the ply, so that the smallest possible ply is assumed.
    - ``notes``: remarks for the user, such as a remark on a different komi. Each remark is a clause.
    - ``parts``: the parsed and skipped parts of the text; empty if there is no text.
    """

    position: Position
    game: Variant
    way: tuple[Position, ...] = ()
    ply_guessed: bool = False
    notes: tuple[str, ...] = ()
    parts: tuple[Part, ...] = ()

    @property
    def left_out(self) -> tuple[str, ...]:
        """The parts of the text that the reader skipped."""
        return left_out(self.parts)

    def all_read(self) -> "ParsedPosition":
        """Return this result. Raise NotationError if the reader skipped a part of the text."""
        if self.left_out:
            raise NotationError("damaged", f"{shown(self.left_out[0])} is left over: give only moves")
        return self

    @property
    def ply(self) -> int:
        """The number of plies played, counted from the game's start."""
        return self.position.ply - self.game.first_ply


def check_told(ply: int | None) -> None:
    """Raise NotationError if a ply is given, because the text already contains the ply."""
    if ply is not None:
        raise NotationError("ambiguous", "it contains the ply, so no other can be given")


def same_game(named: Variant, asked: Variant | None) -> Variant:
    """Return the game that a text states. Raise NotationError if the user asks about another game."""
    if asked not in (None, named):
        raise NotationError("other-game", f"it is of a game of {named}, and this one is of {asked}")
    return named


def stated_game(plies: int, komi: float, asked: Variant | None) -> Variant:
    """Return the game with the length and the komi that a text states.

    Raise NotationError if there is no such game, or if the user asks about another game.
    """
    named = Variant(plies, komi)
    try:
        named.check()
    except ValueError as error:
        raise NotationError("other-game", str(error)) from None
    return same_game(named, asked)


def checked(position: Position, game: Variant) -> Position:
    """Return the position. Raise NotationError if no game can lead to the position."""
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
    """Return the board as the position after this number of plies. The function does not check the position."""
    return board._replace(ply=game.first_ply + ply, passed=board.passed if ply else board.passed or game.start.passed)


def place(
    board: Position,
    colour: int | None,
    ply: int | None,
    game: Variant,
    captured: tuple[int, int] = (0, 0),
    is_told: bool = False,
) -> ParsedPosition:
    """Find the position of a game that has this board.

    - ``board``: a position with stones, ko point and PASS, whose ply is ignored. An impossible ko point is removed,
      with a note.
    - ``colour``: the side to move, 1 for Black or 2 for White; None if the text does not state the side.
    - ``ply``: the number of plies played, counted from the game's start; None for the smallest possible number.
    - ``captured``: the numbers of captured stones of Black and White; 0 if the text does not state these numbers.
    - ``is_told``: whether the text states if the last ply was a PASS. Otherwise a PASS is assumed if the side that
      moved last has no stone.

    Raise NotationError if no game has such a position.
    """
    faults = []
    boards = [board if is_told else _with_pass(board, mover) for mover in (1, 2)]
    for each in [ply] if ply is not None else sorted(_least_plies(boards, colour, game, captured)):
        if colour not in (None, 1 + each % 2):
            raise NotationError("wrong-colour", f"after {each} plies it is the other side's move")
        # There is no PASS before the first ply, and a PASS as the last ply of the game makes no difference.
        one = boards[each % 2] if each != game.plies else board
        found = at_ply(one._replace(passed=one.passed and each > 0), each, game)
        try:
            checked(found, game)
            _check_count(found, game, captured)
            notes = () if one == board else ("the side that moved last has no stone, so its last ply was a PASS",)
            return ParsedPosition(found, game, ply_guessed=ply is None, notes=notes)
        except NotationError as error:
            faults.append(error)
    if not faults:
        too_many = TOO_MANY.format(game.plies)
        raise NotationError("unreachable", EMPTY_FOR_WHITE if not board.black | board.white else too_many)
    if board.ko is None:
        raise faults[0]
    placed = place(board._replace(ko=None), colour, ply, game, captured, is_told)
    return placed._replace(notes=("the + is read as an empty point, as no ko is possible there", *placed.notes))


def _with_pass(board: Position, mover: int) -> Position:
    """Return the board. If the side that moved last has no stone, set its last ply to a PASS."""
    must = not board[2 - mover] and bool(board[mover - 1])
    return board._replace(passed=True, ko=None) if must else board


def _check_count(position: Position, game: Variant, captured: tuple[int, int] = (0, 0)) -> None:
    """Raise NotationError if these stones cannot be on the board after the number of plies that were played."""
    ply = position.ply - game.first_ply
    if not position.black and position.white.bit_count() == 1:
        # Black cannot pass on the first ply, because this ends the game, and a single white stone cannot capture.
        raise NotationError("unreachable", "a white stone alone: Black puts down the first stone, and it stays")
    if 0 < ply < game.plies and not position.passed and not position[2 - position.mover]:
        side = ("White", "Black")[position.mover - 1]
        raise NotationError("unreachable", f"{side} moved last and has no stone on the board, so it has passed")
    if position.black | position.white:
        least = _least_ply(position, position.mover, captured)
        if ply < least:
            raise NotationError("unreachable", f"so many stones take {least} plies, and not {ply}")


def _least_ply(board: Position, mover: int, captured: tuple[int, int]) -> int:
    """Return the smallest number of plies that can place the stones on the board and the captured stones."""
    # Captured stones count like other stones, so they are added as bits after the last point of the board.
    black, white = (
        stones | ((1 << count) - 1) << SIZE * SIZE for stones, count in zip(board[:2], captured, strict=True)
    )
    return least_ply(black, white, mover, board.passed)


def _least_plies(
    boards: Sequence[Position], colour: int | None, game: Variant, captured: tuple[int, int]
) -> Iterator[int]:
    """Yield the smallest possible ply for each possible side to move, unless the game is already over at this ply.

    The sequence ``boards`` contains the board with Black to move and the board with White to move.
    """
    for mover in (1, 2) if colour is None else (colour,):
        board = boards[mover - 1]
        is_start = mover == 1 and not board.black | board.white
        ply = 0 if is_start else _least_ply(board, mover, captured)
        if ply < game.plies and (is_start or board.black | board.white):
            yield ply


def read_input(content: bytes | str, game: Variant, ply: int | None = None) -> ParsedPosition:
    """Read the host's ``input.txt``, which does not contain the number of plies played.

    If ``ply`` is None, the smallest possible number is assumed. Raise NotationError if the file cannot be read, or if
    no game leads to its boards.
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
    """Return the index at which the eleventh line that is not blank ends."""
    lines = (line for line in _INPUT_LINE.finditer(text) if line[0].strip("\ufeff \t\v\f"))
    return next(islice(lines, 2 * SIZE, None)).end()
