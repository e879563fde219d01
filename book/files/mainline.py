"""The shipped lines of best play, found by the native kernel: the first is the principal variation.

Where several moves are best, the principal variation takes the first, PASS last (docs/explanation/SOLUTION.md). The
others follow every other first stone, and every reply to 2,2, so that a first mistake is explained to the end. Their
last plies are those of book/answers/reasons.py.
"""

from collections.abc import Iterator
from typing import NamedTuple

from solver.position import START, Position, parse_moves, play_all


class BestLine(NamedTuple):
    """A line of best play: the value of all its positions, the moves before it, and the moves to the end."""

    value: int
    way: tuple[int, ...]
    moves: tuple[int, ...]

    def steps(self) -> Iterator[tuple[Position, int]]:
        """Yield each position on the line, and the move there."""
        position = play_all(START, self.way)
        for move in self.moves:
            yield position, move
            position = position.play(move)


#: Value, way and moves of each.
_LINES = (
    (3, "", "2,2 1,1 1,2 3,1 2,1 3,2 3,0 1,0 0,1 2,0 0,0 2,3 0,2 1,3 0,3 2,4 0,4 3,3 1,0 1,4 2,0 3,4 4,0 4,1"),
    (-2, "1,1", "2,2 1,2 1,3 2,1 3,2 2,3 3,3 3,1 2,4 0,2 4,1 0,3 1,4 0,0 0,4 3,0 3,4 1,0 2,3 0,1 4,2 4,3 4,4"),
    (0, "1,2", "2,2 2,1 1,1 0,1 2,3 1,0 3,1 1,3 1,4 3,0 3,2 0,0 0,3 0,2 2,4 0,4 4,1 3,3 4,0 3,4 0,3 4,2 2,0"),
    (-3, "0,2", "2,2 1,1 1,3 2,1 3,1 1,2 2,3 3,2 3,3 3,0 4,2 0,3 1,4 0,0 0,4 2,0 4,1 4,0 2,4 3,4 4,4 PASS 3,2"),
    (-2, "0,1", "2,2 2,1 1,2 3,2 1,1 3,1 2,3 3,3 1,0 3,4 2,4 0,2 0,0 2,0 0,3 3,0 0,1 4,0 0,2 1,4 4,2 4,3 0,4"),
    (-3, "0,0", "2,2 1,2 1,1 2,1 1,3 3,2 2,3 1,0 0,2 3,1 3,3 4,3 0,1 2,0 0,3 0,4 1,4 2,4 3,4 3,0 0,4 4,1 1,2"),
    (3, "2,2 1,2", "2,1 1,3 2,3 1,1 3,2 2,4 3,4 1,4 1,0 3,3 4,3 2,0 3,0 0,0 2,0 0,1 0,3 4,1 3,1 PASS PASS"),
    (4, "2,2 0,2", "1,1 0,1 2,1 2,3 1,3 3,3 3,2 2,0 1,0 4,1 1,4 0,3 3,0 4,2 0,0 2,4 1,2 3,1 0,4 0,2 0,1 3,4"),
    (4, "2,2 0,1", "1,1 0,2 2,1 2,3 1,3 3,3 3,2 2,0 1,0 4,1 1,4 0,3 3,0 4,2 0,0 2,4 1,2 3,1 0,4 0,2 0,1 3,4"),
    (5, "2,2 0,0", "1,1 0,1 2,1 2,3 1,3 3,3 3,2 3,0 4,3 4,2 4,1 3,4 0,2 1,4 1,0 0,0 0,3 0,4 2,4 1,4 0,1 0,4"),
    (5, "2,2 PASS", "1,1 0,0 2,1 3,1 2,3 3,2 3,3 1,3 0,1 2,4 1,0 0,3 0,2 2,0 3,0 3,4 1,2 1,4 4,1 4,3 4,2 0,4"),
)

LINES = tuple(BestLine(value, tuple(parse_moves(way)), tuple(parse_moves(moves))) for value, way, moves in _LINES)

#: The principal variation, and stones Black - White at its end.
VALUE, _, MAIN_LINE = LINES[0]
