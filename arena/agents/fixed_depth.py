"""Search by alpha-beta to a fixed depth with a weighted evaluation, for the searching agents.

Alpha-beta is the textbook method (Knuth and Moore 1975). The search uses no table, so that it always gives the same
answer in the same position. A position in which the game has ended is evaluated like any other. ``solver.alphabeta`` is
a much stronger search.
"""

from functools import lru_cache
from typing import NamedTuple

from little_go.arena.agents.greedy import captures
from little_go.generator.opponents.features import euler, side_groups
from little_go.solver.position import FROM_CENTRE, FULL, PASS, POINTS, SIZE, Position, neighbours, points_of

_INFINITY = 1e9

#: A margin that is smaller than any difference of two scores, because weights are integers.
_TOUCH = 0.5

_EDGE = sum(1 << p for p in range(POINTS) if p // SIZE in (0, SIZE - 1) or p % SIZE in (0, SIZE - 1))
_CORNERS = sum(1 << p for p in (0, SIZE - 1, POINTS - SIZE, POINTS - 1))


class Weights(NamedTuple):
    """The weights of the features of a side, with which evaluate() adds up the features.

    stones: stones on the board. liberties: the sum of the liberties of all groups. contacts: pairs of a stone and an
    empty point next to it. reach: empty points that are two steps away from a stone and not next to a stone. euler:
    groups minus holes (Gray 1971), a measure of shape (van der Werf 2003). edge: stones on the edge, including corners.
    corners: stones in corners. in_atari: stones in groups with one liberty.
    """

    stones: int
    liberties: int = 0
    contacts: int = 0
    reach: int = 0
    euler: int = 0
    edge: int = 0
    corners: int = 0
    in_atari: int = 0


class Style(NamedTuple):
    """The parameters of an agent's search.

    depth: the number of plies, at least 1. branching: the maximum number of moves that are searched in a position, at
    least 1. Moves that capture more stones are searched first. Among moves that capture equally many stones, moves
    nearer to the centre come first, and then moves that are later in reading order.
    """

    depth: int
    branching: int
    weights: Weights


def best_moves(position: Position, style: Style) -> list[int]:
    """Return the best moves in reading order, or [PASS] if there is no legal point."""
    best, best_score = [PASS], -_INFINITY
    for move in _tried(position, style.branching):
        # With this window, a score that equals the best score is exact, and a smaller score is only a bound.
        score = _score_after(position, move, style, style.depth, best_score - _TOUCH, _INFINITY)
        if score > best_score:
            best, best_score = [], score
        if score == best_score:
            best.append(move)
    return sorted(best)


def _score(position: Position, style: Style, depth: int, alpha: float, beta: float) -> float:
    """Return the mover's score, which is exact if it is between alpha and beta, and otherwise a bound."""
    if depth <= 0:
        return evaluate(position, style.weights)
    best = -_INFINITY
    for move in _tried(position, style.branching) or [PASS]:
        best = max(best, _score_after(position, move, style, depth, max(alpha, best), beta))
        if best >= beta:
            break
    return best


def _score_after(position: Position, move: int, style: Style, depth: int, alpha: float, beta: float) -> float:
    """Return the score of a move for the mover of ``position``, like _score()."""
    after = position.play(move)
    if after.is_over:
        # If a PASS ends the game early, the ply after it does not state who was the mover.
        return evaluate(after._replace(ply=position.ply), style.weights)
    return -_score(after, style, depth - 1, -beta, -alpha)


def _tried(position: Position, branching: int) -> list[int]:
    taken = captures(position)
    ranked = sorted(points_of(position.legal_points()), key=lambda p: (-taken.get(p, 0), FROM_CENTRE[p], -p))
    return ranked[:branching]


def evaluate(position: Position, weights: Weights) -> int:
    """Return the mover's weighted sum minus the opponent's weighted sum."""
    black = _side(position.black, position.white, weights)
    white = _side(position.white, position.black, weights)
    return black - white if position.black_to_move else white - black


# The evaluation of a side is cached, because a search evaluates the same stones repeatedly.
@lru_cache(maxsize=1 << 16)
def _side(mine: int, theirs: int, weights: Weights) -> int:
    empty = FULL & ~(mine | theirs)
    near = neighbours(mine) & empty
    groups = side_groups(mine, theirs)
    counts = Weights(
        stones=mine.bit_count(),
        liberties=sum(group.liberties.bit_count() for group in groups),
        contacts=sum((neighbours(1 << point) & mine).bit_count() for point in points_of(near)),
        reach=(neighbours(near) & empty & ~near).bit_count(),
        euler=euler(mine),
        edge=(mine & _EDGE).bit_count(),
        corners=(mine & _CORNERS).bit_count(),
        in_atari=sum(group.stones.bit_count() for group in groups if group.in_atari),
    )
    return sum(weight * count for weight, count in zip(weights, counts, strict=True))
