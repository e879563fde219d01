"""Functions that merge bounds on a value, infer bounds from a move, and return bounds in words."""

from collections.abc import Callable, Iterable, Iterator, Mapping

from little_go.solver.answer import LEAST, MOST, Answer, Bounds, BoundsBase
from little_go.solver.family import Variant
from little_go.solver.position import Position, move_name

#: The names of the colours by number, as people read them.
COLOURS = {1: "Black", 2: "White"}

#: The numbers of the colours by name, in the spelling of options and records.
COLOUR_NUMBERS = {name.lower(): number for number, name in COLOURS.items()}


#: The answer that is true for every position.
UNKNOWN = Answer(LEAST, MOST, None, 0)


def intersect(one: BoundsBase, other: BoundsBase) -> Bounds:
    """Return the intersection of two bounds; lo > hi if they contradict each other.

    >>> intersect(Bounds(3, 24), Bounds(-2, 9))
    Bounds(lo=3, hi=9)
    """
    return Bounds(max(one.lo, other.lo), min(one.hi, other.hi))


def merge_answers(black: bool, old: Answer, new: Answer) -> Answer:
    """Merge two answers about one position, with the nodes of the old answer; lo > hi if they contradict each other.

    black: whether Black is to move. A best move keeps only the mover's bound of its own answer, lo for Black and hi for
    White. So the result has the best move of the answer with the better bound for the mover, even if this move is None.
    If the two bounds are equal, the result has the old answer's move, or if this move is None, the new answer's move.

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
    """Return the bounds after a move that is worse than the best move in a position with the given bounds.

    black: whether Black makes the move.

    >>> worse_than(Bounds(3, 3), True), worse_than(Bounds(3, 3), False)
    (Bounds(lo=-24, hi=2), Bounds(lo=4, hi=24))
    """
    return Bounds(hi=bounds.hi - 1) if black else Bounds(lo=bounds.lo + 1)


def bounds_text(bounds: BoundsBase) -> str:
    """Return bounds on a value in words.

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
    """Return a position's answer by minimax, from the answers after all of its moves, of which there is at least one.

    black: whether Black is to move. The best move is the first move that keeps the mover's bound, or None if this bound
    is the worst possible one, which every move keeps. The nodes are the sum over all moves.

    >>> best_of(True, {0: Answer(-3, 5, None, 10), 12: Answer(3, 4, None, 20)})
    Answer(lo=3, hi=5, best=12, nodes=30)
    """
    pick = max if black else min
    best = max(moves, key=lambda move: moves[move].mover_bound(black))
    lo, hi = pick(each.lo for each in moves.values()), pick(each.hi for each in moves.values())
    nodes = sum(answer.nodes for answer in moves.values())
    return Answer(lo, hi, best if moves[best].mover_bound(black) > LEAST else None, nodes)


def after_move(black: bool, here: BoundsBase, is_best: bool) -> Bounds:
    """Return the bounds after a move that follow from the bounds before it.

    black: whether Black moves. is_best: whether the move keeps the mover's bound of ``here``. The opponent's bound
    holds after every move, because no move is worth more to its mover than the position.
    """
    return intersect(here.opponent_end(black), here.mover_end(black)) if is_best else here.opponent_end(black)


def points_lost(black: bool, here: BoundsBase, after: BoundsBase, others: Iterable[BoundsBase]) -> tuple[int, int]:
    """Return the minimum and the maximum number of points that a move can lose compared with the best move.

    black: whether Black moves. here: bounds on the position. after: bounds after the move. others: bounds after each
    other move.

    >>> points_lost(True, Bounds(3, 3), Bounds(-24, 1), [Bounds(3, 3)])
    (2, 27)
    """
    # A move that is no worse than any other is the best move, even if its value is not known.
    most = min(
        here.opponent_bound(black),
        max((each.opponent_bound(black) for each in others), default=after.mover_bound(black)),
    )
    return max(0, here.mover_bound(black) - after.opponent_bound(black)), max(0, most - after.mover_bound(black))


def rank(black: bool, after: BoundsBase, game: Variant) -> tuple[int, int, int]:
    """Return a sort key for a move, by the bounds after it: the mover's wins come first, then open moves, then losses.

    black: whether Black moves.
    """
    winner = game.winner(after)
    outcome = 1 if winner is None else 0 if (winner == 1) is black else 2
    return outcome, -after.mover_bound(black), -after.opponent_bound(black)


def score_text(value: int, komi: float) -> str:
    """Return a value as a result of Go, as SGF and GTP write it: winner and margin, komi included.

    >>> score_text(3, 2.5), score_text(0, 2.5)
    ('B+0.5', 'W+2.5')
    """
    return f"{'B' if value > komi else 'W'}+{abs(value - komi):g}"


def worth_text(bounds: BoundsBase, game: Variant) -> str:
    """Return bounds in words for people: a result of the game, only the winner, or "undecided".

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
    """Yield in words each of the two bounds that a search refutes. A bound that it leaves open is not refuted."""
    if bounds.lo > LEAST and decide(position, bounds.lo).at_least(bounds.lo) is False:
        yield f"a search refutes {bounds.lo:+d} or more"
    if bounds.hi < MOST and decide(position, bounds.hi + 1).at_least(bounds.hi + 1) is True:
        yield f"a search refutes {bounds.hi:+d} or less"


def disproved(decide: Callable[[Position, int], Answer], position: Position, answer: Answer) -> Iterator[str]:
    """Yield in words each claim of an answer that a search refutes: a bound, or that ``best`` keeps the mover's."""
    yield from refuted(decide, position, answer)
    if answer.best is not None and position.allows(answer.best):
        for fault in refuted(decide, position.play(answer.best), answer.mover_end(position.black_to_move)):
            yield f"after the best move, {move_name(answer.best)}, {fault}"
