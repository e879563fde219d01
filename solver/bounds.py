"""Bounds on a position's value: of two the narrower, as the mover sees them, and in words."""

from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple, Protocol

from solver.answer import BLACK_WINS, LEAST, MOST, Answer
from solver.colours import COLOURS
from solver.position import KOMI, Position, move_name

#: What holds for every position.
UNKNOWN = Answer(LEAST, MOST, None, 0)


class Bounded(Protocol):
    """Whatever has bounds: an answer, a fact, a row of a file."""

    @property
    def lo(self) -> int:
        """The least that the value can be."""

    @property
    def hi(self) -> int:
        """The most that the value can be."""


class Bounds(NamedTuple):
    """Proven bounds on a value, stones Black - White, -24 <= lo <= hi <= 24; by default those of every position."""

    lo: int = LEAST
    hi: int = MOST


def meet(one: Bounded, other: Bounded) -> Bounds:
    """Intersect two bounds; lo > hi when they cannot both be true.

    >>> meet(Bounds(3, 24), Bounds(-2, 9))
    Bounds(lo=3, hi=9)
    """
    return Bounds(max(one.lo, other.lo), min(one.hi, other.hi))


def for_mover(position: Position, bounds: Bounded) -> Bounds:
    """Turn bounds to the side of the position's mover, so that more is better.

    >>> for_mover(Position(ply=1), Bounds(3, 24))
    Bounds(lo=-24, hi=-3)
    """
    return Bounds(bounds.lo, bounds.hi) if position.black_to_move else Bounds(-bounds.hi, -bounds.lo)


def bounds_text(bounds: Bounded) -> str:
    """Say bounds in words, as the views' column ``worth`` does.

    >>> [bounds_text(Bounds(*each)) for each in [(3, 3), (3, 24), (-24, 2), (-5, 9), (-24, 24)]]
    ['+3', '+3 or more', '+2 or less', '-5 to +9', 'unknown']
    """
    lo, hi = bounds.lo, bounds.hi
    if lo == hi:
        return f"{lo:+d}"
    if lo == LEAST:
        return "unknown" if hi == MOST else f"{hi:+d} or less"
    return f"{lo:+d} or more" if hi == MOST else f"{lo:+d} to {hi:+d}"


def of_moves(position: Position, moves: Mapping[int, Answer]) -> Answer:
    """Return what the answers about all moves of a position say of it, with the first that keeps the mover's bound.

    >>> of_moves(Position(), {0: Answer(-3, 5, None, 10), 12: Answer(3, 4, None, 20)})
    Answer(lo=3, hi=5, best=12, nodes=30)
    """
    best = max(moves, key=lambda move: for_mover(position, moves[move]).lo)
    pick = max if position.black_to_move else min
    lo, hi = (pick(bound) for bound in list(zip(*moves.values(), strict=True))[:2])
    return Answer(lo, hi, best, sum(answer.nodes for answer in moves.values()))


def score_text(value: int) -> str:
    """Return a result as Go players, SGF and GTP write it: the winner, and by how much, komi included.

    >>> score_text(3), score_text(0)
    ('B+0.5', 'W+2.5')
    """
    return f"{'B' if value > KOMI else 'W'}+{abs(value - KOMI):g}"


def worth_text(bounds: Bounded) -> str:
    """Say bounds as people are told them: one result, the winner alone, or that it is open.

    >>> [worth_text(Bounds(*each)) for each in [(3, 3), (3, 12), (5, 24), (-24, 2), (-3, 0), (-5, 9)]]
    ['B+0.5', 'Black wins', 'B+2.5 or more', 'White wins', 'W+2.5 or more', 'undecided']
    """
    black, white = bounds.lo >= BLACK_WINS, bounds.hi < BLACK_WINS
    if bounds.lo == bounds.hi:
        return score_text(bounds.lo)
    if not (black or white):
        return "undecided"
    least = bounds.lo if black else bounds.hi
    if least in (BLACK_WINS - 1, BLACK_WINS):
        return f"{COLOURS[1 if black else 2]} wins"
    return f"{score_text(least)} or more"


def refuted(decide: Callable[[Position, int], Answer], position: Position, bounds: Bounded) -> Iterator[str]:
    """Yield what a search finds to be false of bounds; what it leaves open is not refuted."""
    if bounds.lo > LEAST and decide(position, bounds.lo).at_least(bounds.lo) is False:
        yield f"a search refutes {bounds.lo:+d} or more"
    if bounds.hi < MOST and decide(position, bounds.hi + 1).at_least(bounds.hi + 1) is True:
        yield f"a search refutes {bounds.hi:+d} or less"


def disproved(decide: Callable[[Position, int], Answer], position: Position, answer: Answer) -> Iterator[str]:
    """Yield what a search finds to be false of an answer, its best move included, which must keep the mover's bound."""
    yield from refuted(decide, position, answer)
    if answer.best is not None and position.allows(answer.best):
        kept = Bounds(lo=answer.lo) if position.black_to_move else Bounds(hi=answer.hi)
        for fault in refuted(decide, position.play(answer.best), kept):
            yield f"after the best move, {move_name(answer.best)}, {fault}"
