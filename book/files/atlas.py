"""The file of the atlas, which contains the value and best moves of every position of the first plies.

The file is CSV, packed by gzip, with a line for each canonical position in the order of ply and key. The same rows give
the same bytes.

The columns: ``ply``: the number of plies played, of 24; Black moves if it is even. ``board``: the rows from the top,
separated by slashes, such as ``...../...../..X../...../.....``. ``ko``: the point that the mover may not play, or
empty. ``passed``: 1 after a PASS, else 0. ``value``: the number of Black's stones less White's stones at the end under
best play; empty if only bounds are proven. ``lo``, ``hi``: proven bounds. ``best``: moves proven to keep the mover's
bound (lo for Black, hi for White), separated by blanks. ``moves_known``: 1 if every other move is proven to be worse.
In the last known ply, ``moves_known`` is 0 and ``best`` is the move that the search found, or empty if the value
follows from the position before and no search has found a move yet. ``origin``: how the bounds were found: ``search``;
``ply before``, from the value of a position from which a best move leads here; ``ply after``, by minimax; empty if it
is not recorded. ``nodes``: the number of nodes searched for this position, including searches for a best move after the
value was known.

If a position is not in the file, its value is unknown. A missing position is not necessarily lost.
"""

import csv
import io
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from little_go.runtime.files import MIB, UNREADABLE, open_text, packed, why_unreadable, write_whole
from little_go.solver.answer import BLACK_WINS, LEAST, MOST
from little_go.solver.position import Position, move_name, parse_move, parse_moves, parse_rows
from little_go.solver.symmetry import canonical_key, key_of

COLUMNS = ("ply", "board", "ko", "passed", "value", "lo", "hi", "best", "moves_known", "origin", "nodes")

#: The values of ``origin``.
SEARCH, PLY_BEFORE, PLY_AFTER = ORIGINS = ("search", "ply before", "ply after")

_STONES = ".XO"
_DIGITS = str.maketrans(_STONES, "012")


class AtlasError(Exception):
    """Raised if a file is not an atlas, or contradicts itself.

    The message is one line with the number of the bad line.
    """


@dataclass(frozen=True)
class Row:
    """A position's row in the atlas, in canonical orientation.

    lo, hi: the proven bounds. best: the moves that keep the mover's bound. moves_known: whether every other move is
    proven to be worse. nodes: the number of nodes searched for this position. origin: one of ORIGINS, or empty.
    """

    position: Position
    lo: int
    hi: int
    best: tuple[int, ...] = ()
    moves_known: bool = False
    nodes: int = 0
    origin: str = ""


def write_atlas(rows: Iterable[Row], path: str | Path) -> None:
    """Write rows to ``path``. If writing fails, an old file stays unchanged."""
    text = io.StringIO(newline="")
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(COLUMNS)
    writer.writerows(map(_fields, sorted(rows, key=lambda row: (row.position.ply, key_of(row.position)))))
    write_whole(path, packed(text.getvalue().encode("ascii")))


def position_fields(position: Position) -> list[str | int]:
    """Return the fields ``ply``, ``board``, ``ko`` and ``passed`` of a position."""
    board = "/".join("".join(_STONES[int(digit)] for digit in line) for line in position.rows())
    return [position.ply, board, "" if position.ko is None else move_name(position.ko), int(position.passed)]


def position_of_fields(ply: str, board: str, ko: str, passed: str) -> Position:
    """Return the position from the fields that position_fields() returns. Raise ValueError if a field is not valid."""
    position = Position(*_stones(board), parse_move(ko) if ko else None, _integer(ply), _flag(passed))
    position.check()
    if position.is_over:
        raise ValueError("the game is over")
    return position


def _fields(row: Row) -> list[str | int]:
    return [
        *position_fields(row.position),
        row.lo if row.lo == row.hi else "",
        row.lo,
        row.hi,
        " ".join(map(move_name, row.best)),
        int(row.moves_known),
        row.origin,
        row.nodes,
    ]


def read_atlas(path: str | Path) -> Iterator[Row]:
    """Yield the rows of a file. Line 1 has the names of the columns.

    Raise AtlasError, with the number of the first bad line, if the file is not valid.
    """
    with open_text(path, 512 * MIB, "ascii") as text:
        yield from _rows(path, csv.reader(text, strict=True))


def _rows(path: str | Path, lines: Iterator[list[str]]) -> Iterator[Row]:
    seen: set[int] = set()
    number = 1
    try:
        if tuple(next(lines, ())) != COLUMNS:
            raise ValueError(f"the columns are not {','.join(COLUMNS)}")
        for fields in lines:
            number += 1
            row = _row(fields)
            key = key_of(row.position)
            if key in seen:
                raise ValueError("the position was in an earlier line")
            seen.add(key)
            yield row
    except UNREADABLE as error:
        raise AtlasError(f"{path}: cannot be read: {why_unreadable(error)}") from None
    except (ValueError, csv.Error) as error:
        raise AtlasError(f"{path}, line {number}: {error}") from None


def _row(fields: Sequence[str]) -> Row:
    if len(fields) != len(COLUMNS):
        raise ValueError(f"{len(fields)} fields instead of {len(COLUMNS)}")
    value, low, high, best, moves_known, origin, nodes = fields[4:]
    position = position_of_fields(*fields[:4])
    if canonical_key(position) != key_of(position):
        raise ValueError("the position is not in canonical orientation")
    lo, hi = _integer(low), _integer(high)
    if not LEAST <= lo <= hi <= MOST:
        raise ValueError(f"bounds {lo} to {hi} are not within {LEAST} to {MOST}, in order")
    if value != (str(lo) if lo == hi else ""):
        raise ValueError(f"value {value!r} does not fit the bounds {lo} to {hi}")
    moves = tuple(parse_moves(best))
    if illegal := [move for move in moves if not position.allows(move)]:
        raise ValueError(f"the best move {move_name(min(illegal))} is illegal")
    if _integer(nodes) < 0:
        raise ValueError(f"nodes cannot be {nodes}")
    if origin not in ("", *ORIGINS):
        raise ValueError(f"origin {origin!r} is none of {', '.join(ORIGINS)}")
    row = Row(position, lo, hi, moves, _flag(moves_known), _integer(nodes), origin)
    if row.moves_known and not (lo == hi and moves):
        raise ValueError("moves_known is 1, but the value or a best move is missing")
    return row


def _stones(board: str) -> tuple[int, int]:
    if set(board) - set(_STONES + "/"):
        raise ValueError(f"board {board!r} has characters other than {_STONES}")
    return parse_rows(board.translate(_DIGITS).split("/"))


def _integer(text: str) -> int:
    number = int(text)
    if str(number) != text:
        raise ValueError(f"{text!r} is not a number in its usual form")
    return number


def _flag(text: str) -> bool:
    if text not in ("0", "1"):
        raise ValueError(f"{text!r} is neither 0 nor 1")
    return text == "1"


def summary(bounds: Iterable[tuple[int, int, int]]) -> list[dict[str, Any]]:
    """Return a summary of an atlas by ply. bounds: the ply, lo and hi of each position.

    Each ply has the keys ``ply``; ``positions``, the number of positions; ``exact``, the number of positions with an
    exact value; ``black`` and ``white``, the numbers of positions that this colour is proven to win; ``values``, the
    number of positions by exact value.
    """
    plies: dict[int, Counter[tuple[int, int]]] = {}
    for ply, lo, hi in bounds:
        plies.setdefault(ply, Counter())[lo, hi] += 1
    return [
        {
            "ply": ply,
            "positions": group.total(),
            "exact": sum(number for (lo, hi), number in group.items() if lo == hi),
            "black": sum(number for (lo, _), number in group.items() if lo >= BLACK_WINS),
            "white": sum(number for (_, hi), number in group.items() if hi < BLACK_WINS),
            "values": {lo: number for (lo, hi), number in sorted(group.items()) if lo == hi},
        }
        for ply, group in sorted(plies.items())
    ]


def summary_text(record: Sequence[Mapping[str, Any]]) -> str:
    """Format a summary as two tables."""
    lines = ["ply  positions   exact   Black wins   White wins"]
    for each in record:
        counts = (each[name] for name in ("positions", "exact", "black", "white"))
        lines.append("{:3} {:10,} {:7,} {:12,} {:12,}".format(each["ply"], *counts))
    values = sorted({value for each in record for value in each["values"]})
    lines += ["", "value " + "".join(f"{'ply ' + str(each['ply']):>8}" for each in record)]
    for value in values:
        lines.append(f"{value:+5d} " + "".join(f"{each['values'].get(value, ''):>8}" for each in record))
    return "\n".join(lines)


def read_ply(path: str | Path, ply: int) -> tuple[bytes, bytes]:
    """Return the value + 24 and a best move of each position of a ply, in the order of the file, which is sorted by
    key.

    If a value is not exact, its byte is 255. If no best move is known, its byte is 31. Raise AtlasError if the file is
    damaged.
    """
    values, moves = bytearray(), bytearray()
    with open_text(path, 512 * MIB, "ascii") as text:
        try:
            for played, _, _, _, value, _, _, best, *_ in csv.reader(text):
                if played == str(ply):
                    values.append(int(value) - LEAST if value else 255)
                    moves.append(parse_move(best.split()[0]) if best else 31)
        except UNREADABLE as error:
            raise AtlasError(f"{path}: cannot be read: {why_unreadable(error)}") from None
        except (ValueError, csv.Error) as error:
            raise AtlasError(f"{path}: damaged: {error}") from None
    return bytes(values), bytes(moves)
