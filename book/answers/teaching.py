"""Lines of best play for people: where several moves are as good, the one that settles the board soonest.

That is the one that takes the most stones now, and of several the one that leaves the fewest points to be filled.
"""

from collections.abc import Sequence

from solver.position import PASS, Position

#: With so many plies left or fewer all best moves are looked at, which takes some hundredths of a second a line.
LATE_LEFT = 12

_TABLE_MIB = 16


def teaching_line(position: Position, moves: Sequence[int]) -> list[int]:
    """Return a line of best play whose last plies are chosen anew, to the end of the game.

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
    # Not at the top: reading a store needs no kernel.
    from solver.native.kernel import Kernel
    from solver.native.table import open_table

    kernel = Kernel(open_table(_TABLE_MIB))
    value = kernel.value(position).lo
    # Black keeps it by moves that are worth as much, White by those that are not worth more.
    while not position.is_over:
        black, goal = position.black_to_move, value if position.black_to_move else value + 1
        ranked = sorted(position.legal_moves(), key=lambda move: unsettled(position, move))
        children = ((move, position.play(move)) for move in ranked)
        move, position = next(
            (move, child)
            for move, child in children
            if (child.margin >= goal if child.is_over else kernel.decide(child, goal).at_least(goal)) is black
        )
        line.append(move)
    return line


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
