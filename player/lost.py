"""A move for a lost game, near its end; part of ``my_player3.py``, Python 3.7."""

from typing import Iterable, List, Optional

from solver.answer import BLACK_WINS
from solver.exact import ExactSolver
from solver.position import Position


def hardest_move(position: Position, moves: Iterable[int], solver: ExactSolver, cpu_deadline: float) -> Optional[int]:
    """Return the move after which the fewest replies keep the other side's win; of equals the one of the best value.

    moves: to be tried, the likely ones first. The result is the best of those judged by ``cpu_deadline``
    (time.process_time()), None when not one was.
    """
    best: List[int] = []
    fewest = len(position.legal_moves()) + 1
    for move in moves:
        child = position.play(move)
        holding = None if child.is_over else _holding_replies(child, fewest, solver, cpu_deadline)
        if holding is None:
            if child.is_over:
                continue
            break
        if holding < fewest:
            best, fewest = [], holding
        if holding == fewest:
            best.append(move)
    return _best_value(position, best, solver, cpu_deadline) if best else None


def _holding_replies(child: Position, enough: int, solver: ExactSolver, cpu_deadline: float) -> Optional[int]:
    """Count the replies that keep the mover's win, to at most one more than ``enough``; None when time is up."""
    replies = child.legal_moves()
    known = solver.decide(child, BLACK_WINS, cpu_deadline=cpu_deadline).best
    if known in replies:
        # One that holds comes first, so that a move no better than another is soon given up.
        replies.remove(known)
        replies.insert(0, known)
    holding = 0
    for reply in replies:
        after = child.play(reply)
        winner = after.leader
        if not after.is_over:
            answer = solver.decide(after, BLACK_WINS, cpu_deadline=cpu_deadline)
            if answer.winner is None:
                return None
            winner = answer.winner
        holding += winner == child.mover
        if holding > enough:
            break
    return holding


def _best_value(position: Position, moves: List[int], solver: ExactSolver, cpu_deadline: float) -> int:
    """Return the move of the best value, as far as the time allows to tell."""
    if len(moves) == 1:
        return moves[0]
    sign = 1 if position.black_to_move else -1
    best, best_value = moves[0], None
    for move in moves:
        value = solver.value(position.play(move), cpu_deadline=cpu_deadline).value
        if value is None:
            break
        if best_value is None or sign * value > sign * best_value:
            best, best_value = move, value
    return best
