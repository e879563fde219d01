"""``input.txt`` and ``output.txt``; part of ``my_player3.py``, Python 3.7.

``input.txt`` is 11 lines: the mover's colour, five rows of the board before the opponent's last
move, five rows of the board now. Lines end with LF; the last one may lack it.
"""

from typing import List, NamedTuple, Optional, Tuple

from runtime.plain import read_plain, write_plain
from solver.position import (
    FULL,
    GAME_PLIES,
    PASS,
    SIZE,
    IllegalMove,
    Position,
    groups_of,
    move_name,
    neighbours,
    parse_rows,
    points_of,
)

INPUT_FILE, OUTPUT_FILE = "input.txt", "output.txt"

_INPUT_LINES = 1 + 2 * SIZE
_MOST_INPUT_BYTES = 1000


class BadInput(ValueError):
    """An ``input.txt`` that shows no position of a game; the message is one line."""


class Question(NamedTuple):
    """The host's question.

    colour: the mover, 1 = Black, 2 = White.
    before: the boards (black, white) before the opponent's last move.
    black, white: the boards now.
    ko: the point the mover may not play, or None.
    passed: whether the opponent's last move was a PASS.
    """

    colour: int
    before: Tuple[int, int]
    black: int
    white: int
    ko: Optional[int]
    passed: bool

    def position(self, ply: int) -> Position:
        """Return the position, given the plies already played."""
        return Position(self.black, self.white, self.ko, ply, self.passed and ply > 0)

    @property
    def least_ply(self) -> int:
        """The least number of plies that can have been played, from the stones and the mover."""
        black, white = bin(self.black).count("1"), bin(self.white).count("1")
        if self.passed and not (self.colour == 1 and self.is_opening):
            # The PASS was a ply without a stone.
            black, white = (black, white + 1) if self.colour == 1 else (black + 1, white)
        return 2 * max(black, white) if self.colour == 1 else 2 * max(black - 1, white) + 1

    @property
    def is_opening(self) -> bool:
        """Whether the mover has not moved yet, so that the ply is certain."""
        return self.before == (0, 0)


def read_question(path: str) -> Question:
    """Read ``input.txt``; raises BadInput, also when the file cannot be read."""
    try:
        content = read_plain(path, _MOST_INPUT_BYTES + 1)
    except OSError as error:
        raise BadInput("cannot be read: {}".format(error.strerror)) from None
    return parse_question(content)


def parse_question(content: bytes) -> Question:
    """Parse the bytes of an ``input.txt``; raises BadInput."""
    lines = _input_lines(content)
    if lines[0] not in ("1", "2"):
        raise BadInput("line 1 is {!r}, want the colour, 1 or 2".format(lines[0]))
    colour = int(lines[0])
    before = _parse_board(lines, 1)
    now = _parse_board(lines, 1 + SIZE)
    if before == now:
        question = Question(colour, before, now[0], now[1], None, True)
    else:
        question = Question(colour, before, now[0], now[1], _ko_after(colour, before, now), False)
    if question.least_ply >= GAME_PLIES:
        raise BadInput("the boards show a game of more than {} plies".format(GAME_PLIES))
    return question


def write_move(path: str, move: int) -> None:
    """Write ``output.txt``, whole or not at all if possible; raises OSError."""
    write_plain(path, move_name(move).encode("ascii"))


def _input_lines(content: bytes) -> List[str]:
    if len(content) > _MOST_INPUT_BYTES:
        raise BadInput("too long for {} lines of a colour and rows".format(_INPUT_LINES))
    if b"\r" in content:
        raise BadInput("lines end with CR, want LF alone")
    try:
        text = content.decode("ascii")
    except UnicodeDecodeError:
        raise BadInput("not a text of digits") from None
    lines = text[:-1].split("\n") if text.endswith("\n") else text.split("\n")
    if len(lines) != _INPUT_LINES:
        raise BadInput("{} lines, want {}".format(len(lines) if content else 0, _INPUT_LINES))
    return lines


def _parse_board(lines: List[str], first: int) -> Tuple[int, int]:
    """Return the board in five lines from index ``first`` on."""
    for number, line in enumerate(lines[first : first + SIZE], first + 1):
        if len(line) != SIZE or line.strip("012"):
            raise BadInput("line {} is {!r}, want five of 0, 1, 2".format(number, line))
    board = parse_rows(lines[first : first + SIZE])
    empty = FULL & ~(board[0] | board[1])
    for stones in board:
        for group in groups_of(stones):
            if not neighbours(group) & empty:
                point = next(points_of(group))
                name = "previous" if first == 1 else "current"
                raise BadInput("on the {} board the group at {} has no liberty".format(name, move_name(point)))
    return board


def _ko_after(colour: int, before: Tuple[int, int], now: Tuple[int, int]) -> Optional[int]:
    """Return the ko point after the opponent's move that leads from one board to the other; raises BadInput."""
    opponent = 2 - colour
    added = now[opponent] & ~before[opponent]
    if added and not added & (added - 1):
        # The ply only says whose move it is: White's at 1, Black's at 2.
        position = Position(before[0], before[1], None, 2 - opponent)
        try:
            after = position.play(added.bit_length() - 1)
        except IllegalMove:
            after = position.play(PASS)
        if (after.black, after.white) == now:
            return after.ko
    raise BadInput("impossible: no move of the opponent leads from the previous board to the current one")
