"""Questions as lines for a kernel outside Python: ``decide ME OPP KO LEFT PASS_ENDS GOAL LIMIT``, or the same with
``value``.

The answer is ``LO HI BEST NODES``. As in kernel.h, everything is from the mover's side. ``ko`` is -1 if there is no ko
point, the best move is 26 if none is known, and the guess is 99 if there is none.
"""

from little_go.solver.answer import Answer
from little_go.solver.position import Position

NO_KO, NO_MOVE, NO_GUESS = -1, 26, 99


def seen(position: Position) -> str:
    """Return the position from the mover's side."""
    stones = [position.black, position.white]
    me, opp = stones if position.black_to_move else reversed(stones)
    ko = NO_KO if position.ko is None else position.ko
    return f"{me} {opp} {ko} {position.left} {int(position.pass_ends)}"


def question(position: Position, threshold: int | None, limit: int = 0) -> str:
    """Return the line with the question whether the value is ``threshold`` or more, or which value it is. limit: the
    node limit, or 0.
    """
    if threshold is None:
        return f"value {seen(position)} {NO_GUESS} {limit}"
    return f"decide {seen(position)} {threshold if position.black_to_move else 1 - threshold} {limit}"


def answer_line(position: Position, answer: Answer) -> list[int]:
    """Return the numbers in the line of the answer."""
    bounds = [answer.lo, answer.hi] if position.black_to_move else [-answer.hi, -answer.lo]
    return [*bounds, NO_MOVE if answer.best is None else answer.best, answer.nodes]
