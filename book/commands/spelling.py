"""The ways to write a position down: moves, the host's input.txt, a board, a key, an SGF, a line of JSON.

All functions raise ValueError, whose message is one line, for a text that is no such thing or a position that no game
can show.
"""

import re
from collections.abc import Iterator, Sequence
from itertools import accumulate
from typing import NamedTuple

from book.drawing.sgf import read_moves
from solver.position import (
    GAME_PLIES,
    PASS,
    SIZE,
    START,
    IllegalMove,
    Position,
    parse_move,
    parse_rows,
    play_all,
    points_of,
)
from solver.record import BadRecord, from_record, parse_object
from solver.symmetry import position_of

#: A row of a board: five signs, blanks between them or none, the row's number before them or none.
_ROW = re.compile(r"\s*(?:[0-4]\s+)?((?:[.XO+xo]\s*){5})")
_DIGITS = re.compile(r"[012]{5}")
_PLIES = re.compile(rf"\b(\d+) of {GAME_PLIES} plies played")
_TO_MOVE = re.compile(r"\b(black|white)\b[^\n]*\bto move", re.IGNORECASE)
_AFTER_PASS = re.compile(r"\bafter a PASS\b", re.IGNORECASE)


class Spelled(NamedTuple):
    """A position, whether its ply was not told and is the least that is possible, and the positions on the way."""

    position: Position
    ply_guessed: bool = False
    way: tuple[Position, ...] = ()


def _played(moves: Sequence[int]) -> Spelled:
    """Return the position after moves from the empty board, and those before it; raises IllegalMove."""
    position = play_all(START, moves)
    way = accumulate(moves[:-1], Position.play, initial=START) if moves else ()
    return Spelled(position, way=tuple(way))


def moves_of(text: str) -> list[int]:
    """Return the moves in ``text``, separated by blanks; PASS in any case.

    >>> moves_of("2,2 pass")
    [12, 25]
    """
    return [PASS if word.upper() == "PASS" else parse_move(word) for word in text.split()]


def after_moves(text: str) -> Spelled:
    """Return the position after moves from the empty board.

    >>> after_moves("2,2 1,1 Pass").position.ply
    3
    """
    return _played(moves_of(text))


def from_key(text: str) -> Spelled:
    """Return the position of a key (solver.symmetry), decimal or, with 0x before it, hexadecimal.

    >>> from_key("864691128455135232").position == START
    True
    """
    try:
        key = int(text, 0)
    except ValueError:
        raise ValueError(f"not a key: {text!r} (want a number of at most 61 bits)") from None
    return Spelled(_checked(position_of(key)))


def from_text(text: str) -> Spelled:
    """Return the position that a text spells in any of the ways of this module; of ``--ply`` it knows what it says.

    >>> from_text("2,2 1,1").position == from_text("...../.O.../..X../...../.....").position
    True
    """
    word = text.strip()
    if word.startswith("{"):
        return from_json(word)
    if word.startswith("("):
        return from_sgf(word.encode())
    if re.fullmatch(r"\d+|0x[0-9a-f]+", word, re.IGNORECASE):
        return from_key(word)
    if re.fullmatch(r"[12]\s+[012\s]+", word):
        return from_input(word)
    return from_board(word) if re.search("[/\n]", word) else after_moves(text)


def from_input(text: str, ply: int | None = None) -> Spelled:
    """Return the position that the host's ``input.txt`` shows.

    The file tells the mover, the board before the opponent's last move and the board now, but not the ply.
    ply: plies played; None for the least that is possible.
    """
    lines = text.split()
    if len(lines) != 1 + 2 * SIZE:
        raise ValueError(f"{len(lines)} lines, want {1 + 2 * SIZE}: the colour, and two boards of {SIZE} rows")
    if lines[0] not in ("1", "2"):
        raise ValueError(f"line 1 is {lines[0]!r}, want the colour, 1 or 2")
    colour = int(lines[0])
    before, now = parse_rows(lines[1 : 1 + SIZE]), parse_rows(lines[1 + SIZE :])
    opening = colour == 1 and before == now == (0, 0)
    passed = before == now and not opening
    ko = None if before == now else _ko_after(colour, before, now)
    return _placed(Position(*now, ko, 0, passed), colour, ply)


def _ko_after(colour: int, before: tuple[int, int], now: tuple[int, int]) -> int | None:
    """Return the ko point after the opponent's move that leads from one board to the other."""
    # The ply only says whose move it was: White's at 1, Black's at 2.
    position = Position(*before, None, colour)
    for point in points_of(now[2 - colour] & ~before[2 - colour]):
        try:
            after = position.play(point)
        except IllegalMove:
            continue
        if (after.black, after.white) == now:
            return after.ko
    raise ValueError("no move of the opponent leads from the previous board to the current one")


def from_board(text: str, ply: int | None = None) -> Spelled:
    """Return the position that five rows show: ``.`` empty, ``X`` Black, ``O`` White, ``+`` the ko point.

    Rows may be lines or separated by slashes, with or without blanks and the row's number. What `python -m book query`
    prints is taken as it is, its first line with the plies played too. Rows of the host's digits are taken as well.
    ply: plies played; None for what the text says, or else for the least that is possible.
    """
    rows = list(_rows(text))
    if len(rows) != SIZE:
        raise ValueError(f"{len(rows)} rows of a board, want {SIZE} of {SIZE} points: . empty, X Black, O White, + ko")
    signs = "".join(rows)
    if signs.count("+") > 1:
        raise ValueError("more than one ko point")
    board = parse_rows(["".join({"X": "1", "O": "2"}.get(sign, "0") for sign in row) for row in rows])
    ko = signs.index("+") if "+" in signs else None
    played, mover = _PLIES.search(text), _TO_MOVE.search(text)
    if ply is None and played is not None:
        ply = int(played[1])
    colour = None if mover is None else 1 if mover[1].lower() == "black" else 2
    return _placed(Position(*board, ko, 0, _AFTER_PASS.search(text) is not None), colour, ply)


def _rows(text: str) -> Iterator[str]:
    """Yield the rows of a board in a text, in signs, whatever else is there."""
    for line in text.replace("/", "\n").splitlines():
        if found := _ROW.fullmatch(line):
            yield "".join(found[1].split()).upper()
        elif _DIGITS.fullmatch(line.strip()):
            yield "".join(".XO"[int(digit)] for digit in line.strip())


def from_sgf(content: bytes, ply: int | None = None) -> Spelled:
    """Return the position after the main line of a game on 5x5; ``ply``: after so many of its moves."""
    moves = read_moves(content)
    if ply is not None and ply > len(moves):
        raise ValueError(f"the game has {len(moves)} moves, and not {ply}")
    return _played(moves[:ply])


def from_json(line: str) -> Spelled:
    """Return the position of a line of JSON: an object with ``moves``, with ``key``, or as solver.record has it.

    >>> from_json('{"moves": "2,2 1,1"}') == from_json('{"moves": ["2,2", "1,1"]}') == after_moves("2,2 1,1")
    True
    """
    record = parse_object(line)
    if "black" in record:
        return Spelled(from_record(record))
    if "moves" in record:
        moves = record["moves"]
        return after_moves(" ".join(map(str, moves)) if isinstance(moves, list) else str(moves))
    if "key" in record:
        return from_key(str(record["key"]))
    raise BadRecord("no position: want moves, or key, or black, white and ply")


def _placed(board: Position, colour: int | None, ply: int | None) -> Spelled:
    """Return a position with its ply, given the rest of it; colour: the mover, None if that is not told."""
    found = board._replace(ply=_least_ply(board, colour) if ply is None else ply)
    if colour is not None and found.mover != colour:
        raise ValueError(f"after {ply} plies it is the other side's move")
    if found.is_over:
        raise ValueError(f"so many stones take {GAME_PLIES} plies or more, and then the game is over")
    # Black's board is empty before the first ply and after it, and nobody has passed.
    return Spelled(_checked(found._replace(passed=found.passed and found.ply > 0)), ply is None)


def _least_ply(board: Position, colour: int | None) -> int:
    """Return the least number of plies that these stones take, and a PASS at the end where there was one."""

    def possible(ply: int) -> bool:
        # Black's plies are the even ones. A PASS was the last ply, and put no stone down.
        black, white = (ply + 1) // 2, ply // 2
        if board.passed and ply:
            black, white = (black - 1, white) if ply % 2 else (black, white - 1)
        mover = 1 + ply % 2
        return board.black.bit_count() <= black and board.white.bit_count() <= white and colour in (None, mover)

    least = 1 if board.passed else 0
    return next((ply for ply in range(least, GAME_PLIES) if possible(ply)), GAME_PLIES)


def _checked(position: Position) -> Position:
    position.check()
    return position
