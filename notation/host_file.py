"""Read the host's ``input.txt``.

The module is part of ``my_player3.py`` and must run with Python 3.7. The file has 11 lines: the mover's colour, five
rows of the board before the opponent's last move, and five rows of the current board. This reader accepts all files
that the course's code accepts, and some other files: a line may end with LF, CR LF or CR, and a byte order mark, blanks
around a line, blank lines, and text after the eleventh line are ignored.
"""

import re
from typing import List, NamedTuple, Optional, Tuple

from little_go.notation.faults import NotationError, shown
from little_go.solver.family import Variant
from little_go.solver.position import (
    FULL,
    SIZE,
    IllegalMove,
    Position,
    groups_of,
    move_name,
    neighbours,
    parse_rows,
    points_of,
)

#: The files of a call. The host writes ``input.txt``, and reads ``output.txt``.
INPUT_FILE, OUTPUT_FILE = "input.txt", "output.txt"

#: The number of bytes of a file that are read. The 11 lines must be within these bytes.
MOST_INPUT_BYTES = 1 << 16

EMPTY_FOR_WHITE = "White moves on an empty board, but a PASS on the first ply ends the game"
TOO_MANY = "so many stones take {} plies or more, and then the game is over"

_INPUT_LINES = 1 + 2 * SIZE
_LINE_END = re.compile("\r\n|\r|\n")
#: The colour as hosts write it. The function int() of the course's code accepts other spellings, but no host uses them.
_COLOUR = re.compile("[+]?0*([12])")


class Question(NamedTuple):
    """The position in which the host asks for a move.

    - ``colour``: the number of the mover's colour, 1 for Black and 2 for White.
    - ``before``: the masks of Black's and White's stones before the opponent's last move.
    - ``black``, ``white``: the masks of Black's and White's stones now.
    - ``ko``: the point that the ko rule forbids for the mover, or None.
    - ``passed``: whether the opponent's last move was a PASS.
    - ``game``: the game that the host plays.
    - ``fault``: the reason why no game can lead to these boards, or None. If there is a fault, ``ko`` is the point on
      which a stone would restore the previous board.
    """

    colour: int
    before: Tuple[int, int]
    black: int
    white: int
    ko: Optional[int]
    passed: bool
    game: Variant
    fault: Optional[NotationError] = None

    def position(self, ply: int) -> Position:
        """Return the position with this ply, which is counted as in Position: the game starts at ``game.first_ply``."""
        return Position(self.black, self.white, self.ko, ply, self.passed and ply > 0)

    @property
    def least_ply(self) -> int:
        """The smallest ply of a Position with these stones, or the mover's last ply if they need too many plies."""
        passed = self.passed and not (self.colour == 1 and self.is_opening)
        least = least_ply(self.black, self.white, self.colour, passed)
        return self.game.first_ply + min(least, self.game.plies - 3 + self.colour)

    @property
    def is_opening(self) -> bool:
        """Whether this is the mover's first move, so that the ply is certain."""
        return self.before == (0, 0)


def least_ply(black: int, white: int, colour: int, passed: bool) -> int:
    """Return the smallest number of plies after which these stones can be on the board.

    The parameter ``colour`` is the number of the mover's colour, and ``passed`` states whether the last ply was a PASS.
    The result may be larger than the length of a game.
    """
    blacks, whites = bin(black).count("1"), bin(white).count("1")
    if passed:
        blacks, whites = (blacks, whites + 1) if colour == 1 else (blacks + 1, whites)
    return 2 * max(blacks, whites) if colour == 1 else 2 * max(blacks - 1, whites) + 1


def last_move(colour: int, before: Tuple[int, int], now: Tuple[int, int]) -> Optional[Position]:
    """Return the position after the stone of this colour that leads from one board to the other.

    If no such stone exists, return None.
    """
    added = now[colour - 1] & ~before[colour - 1]
    if added and not added & (added - 1):
        # The ply only determines the mover: White moves at ply 1, and Black moves at ply 2.
        try:
            after = Position(before[0], before[1], None, 3 - colour).play(added.bit_length() - 1)
        except IllegalMove:
            return None
        if (after.black, after.white) == now:
            return after
    return None


def parse_question(content: bytes, game: Variant) -> Question:
    """Parse the bytes of an ``input.txt``. Raise NotationError if the colour or the boards cannot be read."""
    lines = _input_lines(content)
    number, first = lines[0]
    colour_sign = _COLOUR.fullmatch(first)
    if colour_sign is None:
        raise NotationError(
            "damaged", "{} is not a colour: write 1 for Black or 2 for White".format(shown(first)), number, 1
        )
    colour = int(colour_sign.group(1))
    before, now = _read_rows(lines[1 : 1 + SIZE]), _read_rows(lines[1 + SIZE :])
    question = Question(colour, before, now[0], now[1], None, before == now, game)
    try:
        _check_boards(question)
        return question if question.passed else question._replace(ko=_ko_after(colour, before, now))
    except NotationError as fault:
        return question._replace(ko=_repeating(colour, before, now), fault=fault)


def _input_lines(content: bytes) -> List[Tuple[int, str]]:
    """Return the first 11 lines that are not blank, each with its line number from 1."""
    text = content[:MOST_INPUT_BYTES].decode("utf-8", "replace").lstrip("\ufeff")
    numbered = [(number, line.strip()) for number, line in enumerate(_LINE_END.split(text), 1)]
    lines = [(number, line) for number, line in numbered if line][:_INPUT_LINES]
    if len(lines) < _INPUT_LINES:
        count = "1 line" if len(lines) == 1 else "{} lines".format(len(lines))
        wanted = "{} instead of {}: write the colour, and two boards of {} rows".format(count, _INPUT_LINES, SIZE)
        raise NotationError("damaged", wanted)
    return lines


def _read_rows(lines: List[Tuple[int, str]]) -> Tuple[int, int]:
    for number, row in lines:
        signs = len(row) - len(row.lstrip("012"))
        if signs != len(row) or signs != SIZE:
            fault = "not-5x5" if signs == len(row) else "damaged"
            wanted = "{} is not a row of the board: write five digits, each 0, 1 or 2".format(shown(row))
            raise NotationError(fault, wanted, number, min(signs, SIZE) + 1)
    return parse_rows([row for _, row in lines])


def _check_boards(question: Question) -> None:
    for name, board in (("previous", question.before), ("current", (question.black, question.white))):
        empty = FULL & ~(board[0] | board[1])
        for stones in board:
            for group in groups_of(stones):
                if not neighbours(group) & empty:
                    group_name = "the group at {} on the {} board".format(move_name(next(points_of(group))), name)
                    raise NotationError("unreachable", group_name + " has no liberty")
    passed = question.passed and not (question.colour == 1 and question.is_opening)
    if question.colour == 2 and passed and question.is_opening:
        raise NotationError("unreachable", EMPTY_FOR_WHITE)
    if least_ply(question.black, question.white, question.colour, passed) >= question.game.plies:
        raise NotationError("unreachable", TOO_MANY.format(question.game.plies))


def _ko_after(colour: int, before: Tuple[int, int], now: Tuple[int, int]) -> Optional[int]:
    """Return the ko point after the opponent's move. Raise NotationError if no such move connects the boards."""
    after = last_move(3 - colour, before, now)
    if after is not None:
        return after.ko
    if last_move(colour, before, now) is not None:
        raise NotationError("wrong-colour", "the last move was the mover's own, so it is the other side's turn")
    raise NotationError("unreachable", "no move of the opponent leads from the previous board to the current one")


def _repeating(colour: int, before: Tuple[int, int], now: Tuple[int, int]) -> Optional[int]:
    """Return the point on which a stone of the mover would restore the previous board. The host forbids this move."""
    position = Position(now[0], now[1], None, 3 - colour)
    for point in points_of(before[colour - 1] & ~now[colour - 1]):
        try:
            after = position.play(point)
        except IllegalMove:
            continue
        if (after.black, after.white) == before:
            return point
    return None
