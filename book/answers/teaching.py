"""Lines of best play for people: where several moves are as good, the one that shows the most.

That is the one that takes the most stones now, and of several the one that leaves the fewest points to be filled. Two
lines that are compared share as many moves as the values let them, so that what differs is what the mistake changed.
"""

from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from book.answers.reasons import Reason, reason
from book.files.shipped import VALUES
from book.files.values import PLY_SIZES, Values, read_values
from solver.answer import Bounds, BoundsBase, goal_of
from solver.bounds import UNKNOWN
from solver.family import Variant
from solver.native import kernel_needed
from solver.position import PASS, Position

if TYPE_CHECKING:
    from solver.native.kernel import Kernel

#: With this many plies left or fewer all best moves are compared, which takes some hundredths of a second a line.
LATE_LEFT = 12

_TABLE_MIB = 16


class ExactOracle:
    """Says what positions are worth, without an error and whatever it costs: by the atlas, then by the kernel."""

    def __init__(self, kernel: "Kernel") -> None:
        self._kernel = kernel

    def value(self, position: Position) -> int:
        """Return a position's exact value, from Black's side."""
        known = _stored(position)
        return self._kernel.value(position).lo if known.value is None else known.lo

    def reaches(self, position: Position, goal: int) -> bool:
        """Tell whether a position is worth so much."""
        known = _stored(position).at_least(goal)
        return self._kernel.decide(position, goal).lo >= goal if known is None else known


def open_oracle() -> ExactOracle:
    """Return a judge on a small table of its own. Raises NoKernel."""
    # Not at the top: reading a store needs no kernel.
    with kernel_needed():
        from solver.native.kernel import Kernel
        from solver.native.table import open_table

    return ExactOracle(Kernel(open_table(_TABLE_MIB)))


def _stored(position: Position) -> BoundsBase:
    """Return what is known of a position without a search."""
    if position.is_over:
        return Bounds(position.margin, position.margin)
    return (position.ply < len(PLY_SIZES) and _atlas().get(position)) or UNKNOWN


@cache
def _atlas() -> Values:
    return read_values(VALUES)


class Explanation(NamedTuple):
    """Why a move is worse than the best one: best play to the end, from each of both moves on, and what that shows."""

    worse: tuple[int, ...]
    better: tuple[int, ...]
    reason: Reason


def explained(position: Position, move: int, judge: ExactOracle, game: Variant) -> Explanation | None:
    """Return why a move of a game is worse than the best one; None where it is not. It depends on the rules alone.

    The answer to the move is a best one: one that takes stones now, or else one that the mover would have played, or
    else as in ``teaching_line``. Where that answer is a best move for the mover, the better line begins with it. The
    rest of the better line has the moves of the worse one wherever they are as good. Raises IllegalMove.
    """
    value, after = judge.value(position), position.play(move)
    worth = judge.value(after)
    if value == worth:
        return None
    wanted = sorted(
        _keeping(position, position.legal_moves(), value, judge), key=lambda each: unsettled(position, each)
    )
    worse = [move]
    if not after.is_over:
        worse += _line(after, worth, judge, wanted, plies=1)
        worse += _line(after.play(worse[1]), worth, judge)
    first = next((each for each in worse[1:2] if each in wanted), wanted[0])
    better = [first, *_line(position.play(first), value, judge, [each for each in worse if each != PASS])]
    return Explanation(tuple(worse), tuple(better), reason(position, worse, better, game))


def _line(
    position: Position, value: int, judge: ExactOracle, preferred: Collection[int] = (), plies: int | None = None
) -> Iterator[int]:
    """Yield best play: moves that take stones, then the preferred ones, then those that settle the board soonest."""
    while not position.is_over and plies != 0:
        ranked = sorted(position.legal_moves(), key=lambda move: _rank(position, move, preferred))
        move = next(_keeping(position, ranked, value, judge))
        yield move
        position = position.play(move)
        plies = None if plies is None else plies - 1


def _rank(position: Position, move: int, preferred: Collection[int]) -> tuple[int, bool, int, int]:
    taken, left_open, _ = unsettled(position, move)
    return taken, move not in preferred, left_open, move


def _keeping(position: Position, moves: Iterable[int], value: int, judge: ExactOracle) -> Iterator[int]:
    """Yield those of the moves that keep a position's value, in their order."""
    black = position.black_to_move
    goal = goal_of(value, black)
    for move in moves:
        child = position.play(move)
        if (child.margin >= goal if child.is_over else judge.reaches(child, goal)) is black:
            yield move


def teaching_line(position: Position, moves: Sequence[int]) -> list[int]:
    """Return a line of best play whose last plies are chosen again, to the end of the game.

    moves: best play from the position, as far as it is known. Each of the last LATE_LEFT plies is the first by
    ``unsettled`` of the moves that keep the value. So the line depends on the rules alone from there on. Raises
    IllegalMove.
    """
    line = []
    for move in moves:
        if position.left <= LATE_LEFT:
            break
        line.append(move)
        position = position.play(move)
    if position.is_over or position.left > LATE_LEFT:
        return line
    judge = open_oracle()
    return [*line, *_line(position, judge.value(position), judge)]


def unsettled(position: Position, move: int) -> tuple[int, int, int]:
    """Return what sorts moves: those that take the most stones first, then those that leave the fewest open points."""
    after = position.play(move)
    stones = [(each.black | each.white).bit_count() for each in (position, after)]
    return stones[1] - stones[0] - (move != PASS), open_points(after), move


def open_points(position: Position) -> int:
    """Count the points that either side may fill, if it has a turn left; none in a game that has ended.

    >>> from solver import START
    >>> open_points(START), open_points(START.play(12))
    (25, 24)
    """
    if position.is_over:
        return 0
    after = position._replace(ply=position.ply + 1, ko=None)
    return (position.legal_points() | (0 if after.is_over else after.legal_points())).bit_count()
