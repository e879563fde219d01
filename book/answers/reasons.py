"""Explain why a move is worse than another move, by two lines of best play and a sentence about each line.

A sentence states only what happens on the board in its line, so a reader can replay the line and check the sentence.
The functions in ``solver/native/explain.c`` make the lines and sentences, also for the page.
"""

from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from little_go.book.answers.judging import points_named
from little_go.book.files.shipped import VALUES
from little_go.book.files.values import Values, read_values
from little_go.solver.answer import Bounds, BoundsBase
from little_go.solver.bounds import UNKNOWN
from little_go.solver.family import Variant
from little_go.solver.native import kernel_needed
from little_go.solver.position import Position

if TYPE_CHECKING:
    from little_go.solver.native.kernel import Kernel

#: If this number of plies or fewer are left, teaching_line() chooses the moves again among all best moves. The choice
#: takes some hundredths of a second.
LATE_LEFT = 12

_TABLE_MIB = 16


class Reason(NamedTuple):
    """The reason why a move is worse than another move.

    theme, kind: an element of THEMES and an element of KINDS in solver.native.explain. worse, better: a sentence about
    each of the two moves.
    """

    theme: str
    worse: str
    better: str
    kind: str

    @property
    def text(self) -> str:
        """The two sentences, separated by a blank."""
        return f"{self.worse} {self.better}"

    @property
    def named(self) -> dict[str, list[str]]:
        """By sentence, ``worse`` and ``better``, the points in the sentence without repetitions."""
        return points_named(self.worse, self.better)


#: The outcome of a search for lines that did not compare the move with a PASS.
NOT_COMPARED = 1


class Explanation(NamedTuple):
    """Best play to the end of the game, after a move and after the best move, and the reason why the move is worse.

    outcome: the outcome that explain() of solver.native.explain returns.
    """

    worse: tuple[int, ...]
    better: tuple[int, ...]
    reason: Reason
    outcome: int = NOT_COMPARED


class ExactOracle:
    """Exact values of positions, from the atlas or else from a kernel without a node limit."""

    def __init__(self, kernel: "Kernel") -> None:
        self._kernel = kernel

    def value(self, position: Position) -> int:
        """Return a position's exact value from Black's side."""
        known = _stored(position)
        return self._kernel.value(position).lo if known.value is None else known.lo

    def reaches(self, position: Position, goal: int) -> bool:
        """Return whether a position's value is ``goal`` or more."""
        known = _stored(position).at_least(goal)
        return self._kernel.decide(position, goal).lo >= goal if known is None else known


def open_oracle() -> ExactOracle:
    """Open an oracle with its own small table. Raise NoKernel if there is no kernel."""
    # The import is not at the top, because a program that only reads a store needs no kernel.
    with kernel_needed():
        from little_go.solver.native.kernel import Kernel
        from little_go.solver.native.table import open_table

    return ExactOracle(Kernel(open_table(_TABLE_MIB)))


def _stored(position: Position) -> BoundsBase:
    if position.is_over:
        return Bounds(position.margin, position.margin)
    return _atlas().get(position) or UNKNOWN


@cache
def _atlas() -> Values:
    return read_values(VALUES)


def reason(
    position: Position, worse: Sequence[int], better: Sequence[int], game: Variant, outcome: int = NOT_COMPARED
) -> Reason:
    """Return the reason why the first move of one line is worse than the first move of another line.

    The reason follows from what happens on the board in the two lines, so longer lines give better reasons. worse,
    better: two lines of best play, which begin with the two moves. game: the game of the position. outcome: the outcome
    that explain() of solver.native.explain returns, which states whether a PASS is worth as much as the move. Raise
    IllegalMove if a move is illegal, ValueError if a line has no reply, and NoKernel if there is no kernel.

    >>> from little_go.solver import START, parse_moves, play_all
    >>> position = play_all(START, parse_moves("0,1 0,0 2,2 4,4"))
    >>> print(reason(position, parse_moves("3,3 1,0"), parse_moves("1,0 3,4"), Variant(24, 2.5)).text)
    After 3,3 White's 0,0 stays on the board until ply 6 at least. 1,0 captures it.
    """
    with kernel_needed():
        from little_go.solver.native import explain

    return Reason(*explain.reason(position, worse, better, game.plies, game.komi, outcome))


def explained(position: Position, move: int, judge: ExactOracle, game: Variant) -> Explanation | None:
    """Explain, by a search, why a move is worse than the best move. Return None if the move is a best move.

    Raises IllegalMove and NoKernel.
    """
    with kernel_needed():
        from little_go.solver.native import explain

    found = explain.explain(position, move, judge)
    if found is None:
        return None
    worse, better, outcome = found
    return Explanation(worse, better, reason(position, worse, better, game, outcome), outcome)


def teaching_line(position: Position, moves: Sequence[int]) -> list[int]:
    """Return a line of best play to the end of the game, in which the last plies are chosen again.

    moves: best play from the position, or a known beginning of best play. For the last LATE_LEFT plies, the moves that
    keep the value are compared. The chosen move captures the most stones, and among such moves it leaves the fewest
    points to be filled. So the last part of the line depends only on the rules. Raises IllegalMove and NoKernel.
    """
    line = []
    for move in moves:
        if position.left <= LATE_LEFT:
            break
        line.append(move)
        position = position.play(move)
    if position.is_over or position.left > LATE_LEFT:
        return line
    with kernel_needed():
        from little_go.solver.native import explain

    return [*line, *explain.settled_line(position, open_oracle())]
