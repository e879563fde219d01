"""Functions that merge bounds on a value, infer bounds from a move, and express bounds in words."""

from collections.abc import Callable, Iterable, Iterator, Mapping

from little_go.solver.answer import LEAST, MOST, Answer, Bounds, BoundsBase
from little_go.solver.family import Variant
from little_go.solver.position import Position, move_name

#: The names of the colours, indexed by the number of the colour.
COLOURS = {1: "Black", 2: "White"}

#: The numbers of the colours, indexed by the names that options and records use.
COLOUR_NUMBERS = {name.lower(): number for number, name in COLOURS.items()}


#: The answer that is correct for every position, because it contains no information.
UNKNOWN = Answer(LEAST, MOST, None, 0)


def intersect(one: BoundsBase, other: BoundsBase) -> Bounds:
    """Return the intersection of two ranges of values. If the ranges contradict each other, the result has lo > hi.

    >>> intersect(Bounds(3, 24), Bounds(-2, 9))
    Bounds(lo=3, hi=9)
    """
    return Bounds(max(one.lo, other.lo), min(one.hi, other.hi))


def merge_answers(black: bool, old: Answer, new: Answer) -> Answer:
    """Merge two answers about the same position. If the answers contradict each other, the result has lo > hi.

    The best move of an answer keeps only the mover's bound of the same answer: lo if Black is to move (``black``), and
    hi if White is to move. So the result contains the best move of the answer with the better bound for the mover, even
    if this move is None. If the two bounds are equal, the result contains the old answer's move or, if this move is
    None, the new answer's move. The node count of the result is that of the old answer.

    >>> merge_answers(True, Answer(3, 24, 12, 90), Answer(5, 5, None, 10))
    Answer(lo=5, hi=5, best=None, nodes=90)
    >>> merge_answers(False, Answer(3, 24, 12, 90), Answer(3, 9, 7, 10))
    Answer(lo=3, hi=9, best=7, nodes=90)
    """
    lo, hi = intersect(old, new)
    had, has = old.mover_bound(black), new.mover_bound(black)
    replaces = has > had or (has == had and old.best is None)
    return Answer(lo, hi, new.best if replaces else old.best, old.nodes)


def worse_than(bounds: BoundsBase, black: bool) -> Bounds:
    """Return the bounds after any move that is worse than the best move in a position with the given bounds.

    The parameter ``black`` states whether Black makes the move.

    >>> worse_than(Bounds(3, 3), True), worse_than(Bounds(3, 3), False)
    (Bounds(lo=-24, hi=2), Bounds(lo=4, hi=24))
    """
    return Bounds(hi=bounds.hi - 1) if black else Bounds(lo=bounds.lo + 1)


def bounds_text(bounds: BoundsBase) -> str:
    """Return a text that describes bounds on a value.

    >>> [bounds_text(Bounds(*each)) for each in [(3, 3), (3, 24), (-24, 2), (-5, 9), (-24, 24)]]
    ['+3', '+3 or more', '+2 or less', '-5 to +9', 'unknown']
    """
    lo, hi = bounds.lo, bounds.hi
    if lo == hi:
        return f"{lo:+d}"
    if lo == LEAST:
        return "unknown" if hi == MOST else f"{hi:+d} or less"
    return f"{lo:+d} or more" if hi == MOST else f"{lo:+d} to {hi:+d}"


def best_of(black: bool, moves: Mapping[int, Answer]) -> Answer:
    """Return the answer about a position, computed by minimax from the answers after all of its moves.

    There must be at least one move. The parameter ``black`` states whether Black is to move. The best move of the
    result is the first move that keeps the mover's bound. If this bound is the worst possible bound, every move keeps
    it, and the best move is None. The node count of the result is the sum of the node counts of all moves.

    >>> best_of(True, {0: Answer(-3, 5, None, 10), 12: Answer(3, 4, None, 20)})
    Answer(lo=3, hi=5, best=12, nodes=30)
    """
    pick = max if black else min
    best = max(moves, key=lambda move: moves[move].mover_bound(black))
    lo, hi = pick(each.lo for each in moves.values()), pick(each.hi for each in moves.values())
    nodes = sum(answer.nodes for answer in moves.values())
    return Answer(lo, hi, best if moves[best].mover_bound(black) > LEAST else None, nodes)


def after_move(black: bool, here: BoundsBase, is_best: bool) -> Bounds:
    """Infer bounds on the value after a move from ``here``, the bounds on the value before the move.

    The parameter ``black`` states whether Black moves, and ``is_best`` states whether the move keeps the mover's bound
    of ``here``. The opponent's bound is correct after every move, because no move improves the position of the mover.
    """
    return intersect(here.opponent_end(black), here.mover_end(black)) if is_best else here.opponent_end(black)


def points_lost(black: bool, here: BoundsBase, after: BoundsBase, others: Iterable[BoundsBase]) -> tuple[int, int]:
    """Return the minimum and the maximum number of points that a move can lose compared with the best move.

    The parameter ``black`` states whether Black moves. The other parameters are the bounds on the value of the position
    (``here``), after the move (``after``) and after each other move (``others``).

    >>> points_lost(True, Bounds(3, 3), Bounds(-24, 1), [Bounds(3, 3)])
    (2, 27)
    """
    # A move that is at least as good as every other move is a best move, even if its value is not known.
    most = min(
        here.opponent_bound(black),
        max((each.opponent_bound(black) for each in others), default=after.mover_bound(black)),
    )
    return max(0, here.mover_bound(black) - after.opponent_bound(black)), max(0, most - after.mover_bound(black))


def rank(black: bool, after: BoundsBase, game: Variant) -> tuple[int, int, int]:
    """Return a sort key for a move, computed from the bounds ``after`` the move.

    Moves that win for the mover come first, then undecided moves, and then moves that lose. The parameter ``black``
    states whether Black moves.
    """
    winner = game.winner(after)
    outcome = 1 if winner is None else 0 if (winner == 1) is black else 2
    return outcome, -after.mover_bound(black), -after.opponent_bound(black)


def score_text(value: int, komi: float) -> str:
    """Return the result of a game with this value in the notation of SGF and GTP: the winner, and the margin with komi.

    >>> score_text(3, 2.5), score_text(0, 2.5)
    ('B+0.5', 'W+2.5')
    """
    return f"{'B' if value > komi else 'W'}+{abs(value - komi):g}"


def worth_text(bounds: BoundsBase, game: Variant) -> str:
    """Return a text that describes bounds for people: a result of the game, only the winner, or "undecided".

    >>> [worth_text(Bounds(*each), Variant(24, 2.5)) for each in [(3, 3), (3, 12), (5, 24), (-24, 2), (-3, 0), (-5, 9)]]
    ['B+0.5', 'Black wins', 'B+2.5 or more', 'White wins', 'W+2.5 or more', 'undecided']
    """
    winner = game.winner(bounds)
    if bounds.lo == bounds.hi:
        return score_text(bounds.lo, game.komi)
    if winner is None:
        return "undecided"
    least = bounds.lo if winner == 1 else bounds.hi
    if least in (game.least - 1, game.least):
        return f"{COLOURS[winner]} wins"
    return f"{score_text(least, game.komi)} or more"


def refuted(decide: Callable[[Position, int], Answer], position: Position, bounds: BoundsBase) -> Iterator[str]:
    """Yield a text for each of the two bounds that a search refutes, but not for a bound that it does not decide."""
    if bounds.lo > LEAST and decide(position, bounds.lo).at_least(bounds.lo) is False:
        yield f"a search refutes {bounds.lo:+d} or more"
    if bounds.hi < MOST and decide(position, bounds.hi + 1).at_least(bounds.hi + 1) is True:
        yield f"a search refutes {bounds.hi:+d} or less"


def disproved(decide: Callable[[Position, int], Answer], position: Position, answer: Answer) -> Iterator[str]:
    """Yield a text for each bound of an answer that a search refutes, in the position or after the best move."""
    yield from refuted(decide, position, answer)
    if answer.best is not None and position.allows(answer.best):
        for fault in refuted(decide, position.play(answer.best), answer.mover_end(position.black_to_move)):
            yield f"after the best move, {move_name(answer.best)}, {fault}"
