"""The tree of an atlas: the positions with few plies played, the moves between them, and minimax over them."""

import itertools
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from statistics import median_low

from little_go.book.files.atlas import PLY_AFTER, PLY_BEFORE, Row
from little_go.book.store.facts import contradiction
from little_go.solver.answer import LEAST, MOST, Answer
from little_go.solver.bounds import UNKNOWN, after_move, best_of, merge_answers
from little_go.solver.family import COURSE
from little_go.solver.native import kernel
from little_go.solver.position import Position
from little_go.solver.symmetry import canonical_key, position_of


@dataclass(frozen=True)
class Edge:
    """A move of the tree.

    child: the canonical key of the position after the move, or None if the move ends the game. margin: the number of
    Black's stones minus the number of White's stones after the move.
    """

    move: int
    child: int | None
    margin: int


class Tree:
    """The positions up to a number of plies after a start, as canonical keys, and the moves between these positions.

    levels: the sorted keys, by plies played. moves: the moves of each position before the last level, by the position's
    key. parents: for each key of the last level, the keys of the positions from which a move leads to it.
    """

    def __init__(self, start: Position, plies: int, watch: Callable[[int, int, int], None]) -> None:
        """watch: a function that is called with the plies played, the number of positions done at this ply, and the
        total number.
        """
        self.levels = [[canonical_key(start)]]
        self.moves: dict[int, list[Edge]] = {}
        for played in range(plies):
            for done, key in enumerate(self.levels[-1]):
                self.moves[key] = list(edges_of(key))
                watch(played, done, len(self.levels[-1]))
            self.levels.append(sorted(set().union(*map(self.following, self.levels[-1]))))
        self.parents: dict[int, list[int]] = {key: [] for key in self.last}
        for parent in self.levels[-2] if plies else []:
            for child in self.following(parent):
                self.parents[child].append(parent)

    def following(self, key: int) -> set[int]:
        """Return the keys of the positions after the moves of a position, which must be before the last level."""
        return {edge.child for edge in self.moves[key] if edge.child is not None}

    @property
    def last(self) -> list[int]:
        """The positions of the last level."""
        return self.levels[-1]

    def inner(self) -> Iterator[int]:
        """Yield the keys of the positions before the last level, from the latest ply to the start."""
        for level in reversed(self.levels[:-1]):
            yield from level


def edges_of(key: int) -> Iterator[Edge]:
    """Yield the legal moves of a position, each with the position after it."""
    for move, child in kernel.children(key):
        after = position_of(child)
        yield Edge(move, None if after.is_over else child, after.margin)


def derive(tree: Tree, answers: Mapping[int, Answer]) -> dict[int, Answer]:
    """Return, by key, the answers for the tree's positions that follow from the last level by minimax.

    answers: the proven answers, by key. Raise Contradiction if a derived answer contradicts a proven answer.
    """
    result = dict(answers)
    for key in tree.inner():
        result[key] = merge_proven(key, answers.get(key, UNKNOWN), minimax(key, tree.moves[key], result))
    return result


def answer_after(edge: Edge, answers: Mapping[int, Answer]) -> Answer:
    """Return the proven answer for the position after a move."""
    if edge.child is None:
        return Answer(edge.margin, edge.margin, None, 0)
    return answers.get(edge.child, UNKNOWN)


def minimax(key: int, edges: list[Edge], answers: Mapping[int, Answer]) -> Answer:
    """Return the bounds of a position that follow from the answers for the positions after its moves."""
    position = position_of(key)
    return best_of(position.black_to_move, {edge.move: answer_after(edge, answers) for edge in edges})


def merge_proven(key: int, own: Answer, follows: Answer) -> Answer:
    """Merge two proven answers for a position. Raise Contradiction if the answers exclude each other."""
    answer = merge_answers(position_of(key).black_to_move, own, follows)
    if answer.lo > answer.hi:
        raise contradiction(key, own, follows, "proven", "by the moves before or after it", COURSE)
    return answer


def rows(
    tree: Tree,
    answers: Mapping[int, Answer],
    origins: Mapping[int, tuple[int, int, str | None]],
    *,
    apart: bool = False,
) -> Iterator[Row]:
    """Yield the atlas's rows of all positions with proven bounds.

    answers: the result of derive(). origins: the result of Store.origins(). apart: whether the last level is written to
    a separate file. That separate file has a row only for a position that was searched or has an exact value, because
    other bounds follow from earlier positions.
    """
    for ply, level in enumerate(tree.levels, 1):
        for key in level:
            answer = answers.get(key, UNKNOWN)
            follows = apart and ply == len(tree.levels) and answer.value is None and not answer.nodes
            if answer[:2] != UNKNOWN[:2] and not follows:
                position = position_of(key)
                best, every = best_moves(position, tree.moves.get(key, []), answers, answer)
                *stored, origin = origins.get(key, (LEAST, MOST, None))
                if stored != [answer.lo, answer.hi]:
                    origin = PLY_BEFORE if ply == len(tree.levels) else PLY_AFTER
                yield Row(position, answer.lo, answer.hi, best, every, answer.nodes, origin or "")


def best_moves(
    position: Position, edges: Iterable[Edge], answers: Mapping[int, Answer], answer: Answer
) -> tuple[tuple[int, ...], bool]:
    """Return the moves that are proven to keep the mover's bound, and whether all others are proven to be worse."""
    black = position.black_to_move
    afters = [(edge.move, answer_after(edge, answers)) for edge in edges]
    least = answer.mover_bound(black)
    keeping = {move for move, after in afters if after.mover_bound(black) >= least > LEAST}
    worse = {move for move, after in afters if after.opponent_bound(black) < least}
    every = bool(afters) and answer.value is not None and len(keeping) + len(worse) == len(afters)
    if answer.best is not None:
        keeping.add(answer.best)
    return tuple(sorted(keeping)), every


def order(tree: Tree, answers: Mapping[int, Answer]) -> list[int]:
    """Return the positions of the last level in the order of the search.

    Positions after good play come first. The positions are sorted by the points lost by the side that has lost fewer
    points, and then by the points lost by both sides. So the positions in which only one side has erred come before all
    others. Positions with equal numbers are in the order of a depth-first walk that tries the moves by number.
    """
    fewest = losses(tree, answers)
    return sorted(_depth_first(tree), key=lambda key: min((min(lost), sum(lost)) for lost in fewest[key]))


def losses(tree: Tree, answers: Mapping[int, Answer]) -> dict[int, set[tuple[int, int]]]:
    """Return, for each position, the minimum points that Black and White can have lost on a path from the start.

    The result is a set of pairs (points lost by Black, points lost by White) for each position, because one path may be
    better for Black and another path for White. No pair of a set is worse than another pair in both numbers. If only
    bounds are proven, the loss of a move is the smallest loss that the bounds allow.
    """
    fewest: dict[int, set[tuple[int, int]]] = {key: set() for level in tree.levels for key in level}
    fewest[tree.levels[0][0]] = {(0, 0)}
    for level in tree.levels[:-1]:
        for key in level:
            best = _undominated(fewest[key])
            for child in tree.following(key):
                black, white = _lost(key, answers.get(key, UNKNOWN), answers.get(child, UNKNOWN))
                fewest[child] |= {(so_far[0] + black, so_far[1] + white) for so_far in best}
    return {key: _undominated(pairs) for key, pairs in fewest.items()}


def _lost(key: int, before: Answer, after: Answer) -> tuple[int, int]:
    position = position_of(key)
    black = position.black_to_move
    lost = max(before.mover_bound(black) - after.opponent_bound(black), 0)
    return (lost, 0) if black else (0, lost)


def _undominated(pairs: set[tuple[int, int]]) -> set[tuple[int, int]]:
    kept: set[tuple[int, int]] = set()
    least = MOST - LEAST + 1
    for black, white in sorted(pairs):
        if white < least:
            kept.add((black, white))
            least = white
    return kept


def bounds_from_parents(tree: Tree, answers: Mapping[int, Answer]) -> dict[int, Answer]:
    """Return the answers for the last level, narrowed by the answers for the positions before it.

    No move improves the value for its mover: the value is not greater after Black's move than before, and not less
    after White's move. A bound also holds after the mover's best move. Raise Contradiction if the answers exclude each
    other.
    """
    narrowed = {key: answers[key] for key in tree.last}
    for parent in itertools.chain.from_iterable(tree.levels[-2:-1]):
        before = answers[parent]
        for edge in tree.moves[parent]:
            if edge.child is not None:
                follows = after_move(position_of(parent).black_to_move, before, edge.move == before.best)
                narrowed[edge.child] = merge_proven(edge.child, narrowed[edge.child], Answer(*follows, None, 0))
    return narrowed


def _depth_first(tree: Tree) -> list[int]:
    seen: dict[int, None] = {}

    def descend(key: int) -> None:
        if key not in seen:
            seen[key] = None
            for edge in tree.moves.get(key, ()):
                if edge.child is not None:
                    descend(edge.child)

    descend(tree.levels[0][0])
    return [key for key in seen if key not in tree.moves]


def guess_of(tree: Tree, answers: Mapping[int, Answer], key: int) -> int:
    """Return a guess of the value of a position of the last level.

    The guess is the median of the known values of its siblings, which are the other positions after the same parent. If
    no sibling has a known value, the guess is the median of the parents' known values, and if no parent has a known
    value, the margin of the position.
    """
    parents = tree.parents[key]
    siblings = set().union(*map(tree.following, parents))
    values = [value for each in siblings if (value := answers.get(each, UNKNOWN).value) is not None]
    values = values or [value for each in parents if (value := answers.get(each, UNKNOWN).value) is not None]
    answer = answers.get(key, UNKNOWN)
    guess = median_low(values) if values else position_of(key).margin
    return min(max(guess, answer.lo), answer.hi)
