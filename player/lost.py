"""A move for a lost game, near its end; part of ``my_player3.py``, Python 3.7."""

from typing import Callable, Iterable, List, Optional

from solver.answer import Answer
from solver.family import Variant
from solver.position import Position

#: What answers a question about a position that is not over, as far as its limits let it.
Asked = Callable[[Position], Answer]


def hardest_move(position: Position, moves: Iterable[int], decide: Asked, value: Asked, game: Variant) -> Optional[int]:
    """Return the move after which the fewest replies keep the other side's win; of equals the one of the best value.

    moves: to be tried, the likely ones first. decide: tells who wins, and for the mover's win a move that keeps
    it. value: tells the exact value. The result is the best of those judged before ``decide`` left a question
    open, None when not one was.
    """
    best: List[int] = []
    fewest = len(position.legal_moves()) + 1
    for move in moves:
        child = position.play(move)
        holding = None if child.is_over else _holding_replies(child, fewest, decide, game)
        if holding is None:
            if child.is_over:
                continue
            break
        if holding < fewest:
            best, fewest = [], holding
        if holding == fewest:
            best.append(move)
    return _best_value(position, best, value) if best else None


def _holding_replies(child: Position, enough: int, decide: Asked, game: Variant) -> Optional[int]:
    """Count the replies that keep the mover's win, to at most one more than ``enough``; None when that is left open."""
    replies = child.legal_moves()
    known = decide(child).best
    if known in replies:
        # One that holds comes first, so that a move no better than another is soon given up.
        replies.remove(known)
        replies.insert(0, known)
    holding = 0
    for reply in replies:
        after = child.play(reply)
        winner = game.winner(decide(after)) if not after.is_over else game.leader(after)
        if winner is None:
            return None
        holding += winner == child.mover
        if holding > enough:
            break
    return holding


def _best_value(position: Position, moves: List[int], value: Asked) -> int:
    """Return the move of the best value, as far as the values are told."""
    if len(moves) == 1:
        return moves[0]
    sign = 1 if position.black_to_move else -1
    best, best_value = moves[0], None
    for move in moves:
        reached = value(position.play(move)).value
        if reached is None:
            break
        if best_value is None or sign * reached > sign * best_value:
            best, best_value = move, reached
    return best
