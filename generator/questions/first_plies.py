"""The tree of an atlas: the positions with few plies played, the moves between them, and minimax over them."""

import itertools
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from statistics import median_low

from book.files.atlas import PLY_AFTER, PLY_BEFORE, Row
from book.store.facts import contradiction
from solver.answer import LEAST, MOST, Answer
from solver.bounds import UNKNOWN, after_move, best_of, merge_answers
from solver.family import COURSE
from solver.native import kernel
from solver.position import Position
from solver.symmetry import canonical_key, position_of


@dataclass(frozen=True)
class Edge:
    """A move of the tree, and the canonical key of the position after it; None where the move ends the game.

    margin: the board's, when the game ends.
    """

    move: int
    child: int | None
    margin: int


class Tree:
    """All positions with at most so many plies played from a start, as canonical keys, and the moves between them.

    levels: by plies played, the keys in order. moves: of every position but those of the last level.
    parents: the positions before each of the last level.
    """

    def __init__(self, start: Position, plies: int, watch: Callable[[int, int, int], None]) -> None:
        """watch: shown the plies played, positions done there, and how many there are."""
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
        """Return the positions after one that is not of the last level."""
        return {edge.child for edge in self.moves[key] if edge.child is not None}

    @property
    def last(self) -> list[int]:
        """The positions of the last level."""
        return self.levels[-1]

    def inner(self) -> Iterator[int]:
        """Yield the positions before the last level, those last that are nearest to the start."""
        for level in reversed(self.levels[:-1]):
            yield from level


def edges_of(key: int) -> Iterator[Edge]:
    """Yield the legal moves of a position, and where they lead."""
    for move, child in kernel.children(key):
        after = position_of(child)
        yield Edge(move, None if after.is_over else child, after.margin)


def derive(tree: Tree, answers: Mapping[int, Answer]) -> dict[int, Answer]:
    """Derive what is known of each position from the last level, by minimax.

    answers: what is proven, by key; anything else is unknown.
    Raises Contradiction where what follows for a position cannot be true together with what is proven of it.
    """
    result = dict(answers)
    for key in tree.inner():
        result[key] = agree(key, answers.get(key, UNKNOWN), minimax(key, tree.moves[key], result))
    return result


def worth(edge: Edge, answers: Mapping[int, Answer]) -> Answer:
    """Look up what is known after a move."""
    if edge.child is None:
        return Answer(edge.margin, edge.margin, None, 0)
    return answers.get(edge.child, UNKNOWN)


def minimax(key: int, edges: list[Edge], answers: Mapping[int, Answer]) -> Answer:
    """Derive a position's bounds from what is known after its moves."""
    position = position_of(key)
    return best_of(position.black_to_move, {edge.move: worth(edge, answers) for edge in edges})


def agree(key: int, own: Answer, follows: Answer) -> Answer:
    """Return two answers for a position as one, as ``met`` does; raises Contradiction where that cannot be."""
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
    """Yield the atlas's rows of all positions of which something is known.

    answers: as derive() returns it. origins: of Store.origins(). apart: whether the last level gets a file of its own.
    Then no position of it has a row whose bounds follow from those before it: only what is exact, or was searched.
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
    """Return the moves proven to keep the mover's bound, and whether every other move is proven to be worse."""
    black = position.black_to_move
    afters = [(edge.move, worth(edge, answers)) for edge in edges]
    least = answer.mover_bound(black)
    keeping = {move for move, after in afters if after.mover_bound(black) >= least > LEAST}
    worse = {move for move, after in afters if after.opponent_bound(black) < least}
    every = bool(afters) and answer.value is not None and len(keeping) + len(worse) == len(afters)
    if answer.best is not None:
        keeping.add(answer.best)
    return tuple(sorted(keeping)), every


def order(tree: Tree, answers: Mapping[int, Answer]) -> list[int]:
    """List the last level in the order of the search.

    First come the positions that good play leads to: by the fewest points that the side which lost fewer has lost, then
    by the points that both have lost. So the semi-strong part, where only one side has erred, comes before the rest.
    Positions alike in this come depth first, by the moves in the order of their points.
    """
    fewest = losses(tree, answers)
    return sorted(_depth_first(tree), key=lambda key: min((min(lost), sum(lost)) for lost in fewest[key]))


def losses(tree: Tree, answers: Mapping[int, Answer]) -> dict[int, set[tuple[int, int]]]:
    """Tell for each position how few points Black and White can have lost on the way there.

    It is a set of pairs, as one way may be better for Black and another for White; none is worse than another in both.
    Where only bounds are proven, a move counts as losing the least that they allow.
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
    """Narrow what is known of the last level by the positions before it.

    A move gains its mover nothing: after Black's the value is at most, after White's at least, what it was before.
    After a move that keeps the mover's bound, that bound holds too. Raises Contradiction.
    """
    narrowed = {key: answers[key] for key in tree.last}
    for parent in itertools.chain.from_iterable(tree.levels[-2:-1]):
        before = answers[parent]
        for edge in tree.moves[parent]:
            if edge.child is not None:
                follows = after_move(position_of(parent).black_to_move, before, edge.move == before.best)
                narrowed[edge.child] = agree(edge.child, narrowed[edge.child], Answer(*follows, None, 0))
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
    """Guess the value of a position of the last level: that of its siblings, or of the position before it."""
    parents = tree.parents[key]
    siblings = set().union(*map(tree.following, parents))
    values = [value for each in siblings if (value := answers.get(each, UNKNOWN).value) is not None]
    values = values or [value for each in parents if (value := answers.get(each, UNKNOWN).value) is not None]
    answer = answers.get(key, UNKNOWN)
    guess = median_low(values) if values else position_of(key).margin
    return min(max(guess, answer.lo), answer.hi)
