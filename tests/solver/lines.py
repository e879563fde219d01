"""Questions to a kernel outside Python, as lines: ``decide ME OPP KO LEFT PASS_ENDS GOAL LIMIT``, or ``value`` alike.

They are answered by ``LO HI BEST NODES``. As in kernel.h, all is seen from the mover, there ``ko`` is -1 where none is,
the best move 26, and the guess 99.
"""

from little_go.solver.answer import Answer
from little_go.solver.position import Position

NO_KO, NO_MOVE, NO_GUESS = -1, 26, 99


def seen(position: Position) -> str:
    """Return the position as the mover sees it."""
    stones = [position.black, position.white]
    me, opp = stones if position.black_to_move else reversed(stones)
    ko = NO_KO if position.ko is None else position.ko
    return f"{me} {opp} {ko} {position.left} {int(position.pass_ends)}"


def question(position: Position, threshold: int | None, limit: int = 0) -> str:
    """Return the line that asks whether the value reaches the threshold, or what it is; limit: of nodes, 0 for none."""
    if threshold is None:
        return f"value {seen(position)} {NO_GUESS} {limit}"
    return f"decide {seen(position)} {threshold if position.black_to_move else 1 - threshold} {limit}"


def answer_line(position: Position, answer: Answer) -> list[int]:
    """Return the numbers of the line that gives the answer."""
    bounds = [answer.lo, answer.hi] if position.black_to_move else [-answer.hi, -answer.lo]
    return [*bounds, NO_MOVE if answer.best is None else answer.best, answer.nodes]
