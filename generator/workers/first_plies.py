"""The tree of an atlas: the positions with few plies played, the moves between them, and minimax over them."""

import itertools
import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from operator import itemgetter
from statistics import median_low

from book.files.atlas import Row
from book.store.facts import Contradiction
from solver.answer import LEAST, MOST, Answer
from solver.bounds import UNKNOWN, Bounds, for_mover, meet
from solver.native import kernel
from solver.position import Position
from solver.record import to_record
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


def derive(tree: Tree, known: Mapping[int, Answer]) -> dict[int, Answer]:
    """Derive what is known of each position from the last level, by minimax.

    known: what is proven, by key; anything else is unknown.
    Raises Contradiction where what follows for a position cannot be true together with what is proven of it.
    """
    found = dict(known)
    for key in tree.inner():
        found[key] = met(key, known.get(key, UNKNOWN), minimax(key, tree.moves[key], found))
    return found


def worth(edge: Edge, known: Mapping[int, Answer]) -> Answer:
    """Look up what is known after a move."""
    if edge.child is None:
        return Answer(edge.margin, edge.margin, None, 0)
    return known.get(edge.child, UNKNOWN)


def minimax(key: int, edges: list[Edge], known: Mapping[int, Answer]) -> Answer:
    """Derive a position's bounds from what is known after its moves."""
    position = position_of(key)
    afters = [for_mover(position, worth(edge, known)) for edge in edges]
    best, move = max(((after.lo, edge.move) for after, edge in zip(afters, edges, strict=True)), key=itemgetter(0))
    bounds = for_mover(position, Bounds(best, max(after.hi for after in afters)))
    return Answer(*bounds, move if best > LEAST else None, 0)


def met(key: int, known: Answer, follows: Answer) -> Answer:
    """Return two answers for a position as one, with the nodes of the first; raises Contradiction."""
    lo, hi = meet(known, follows)
    if lo > hi:
        raise Contradiction(
            f"{json.dumps(to_record(position_of(key)))}: proven {known.lo} to {known.hi}, but by the moves"
            f" before or after it {follows.lo} to {follows.hi}; find the fault with python -m proof fsck --prove all"
        )
    position = position_of(key)
    old_reach, new_reach = for_mover(position, known).lo, for_mover(position, follows).lo
    replaces = new_reach > old_reach or (new_reach == old_reach and known.best is None)
    return Answer(lo, hi, follows.best if replaces else known.best, known.nodes)


def rows(tree: Tree, known: Mapping[int, Answer], *, apart: bool = False) -> Iterator[Row]:
    """Yield the atlas's rows of all positions of which something is known.

    known: as derive() returns it. apart: whether the last level gets a file of its own. Then the rows of the level
    before tell nothing that their own file does not show, and of the last level no position has a row whose bounds
    follow from those before it: only what is exact, or was searched.
    """
    for ply, level in enumerate(tree.levels, 1):
        for key in level:
            answer = known.get(key, UNKNOWN)
            follows = apart and ply == len(tree.levels) and answer.value is None and not answer.nodes
            if answer[:2] != UNKNOWN[:2] and not follows:
                position = position_of(key)
                edges = [] if apart and ply == len(tree.levels) - 1 else tree.moves.get(key, [])
                best, every = best_moves(position, edges, known, answer)
                yield Row(position, answer.lo, answer.hi, best, every, answer.nodes)


def best_moves(
    position: Position, edges: Iterable[Edge], known: Mapping[int, Answer], answer: Answer
) -> tuple[tuple[int, ...], bool]:
    """Return the moves proven to keep the mover's bound, and whether every other move is proven to be worse."""
    afters = [(edge.move, for_mover(position, worth(edge, known))) for edge in edges]
    least = for_mover(position, answer).lo
    keeping = {move for move, after in afters if after.lo >= least > LEAST}
    worse = {move for move, after in afters if after.hi < least}
    every = bool(afters) and answer.value is not None and len(keeping) + len(worse) == len(afters)
    if answer.best is not None:
        keeping.add(answer.best)
    return tuple(sorted(keeping)), every


def order(tree: Tree, known: Mapping[int, Answer]) -> list[int]:
    """List the last level in the order of the search.

    First come the positions that good play leads to: by the fewest points that the side which lost fewer has lost, then
    by the points that both have lost. So the semi-strong part, where only one side has erred, comes before the rest.
    Positions alike in this come depth first, by the moves in the order of their points.
    """
    fewest = losses(tree, known)
    return sorted(_depth_first(tree), key=lambda key: min((min(lost), sum(lost)) for lost in fewest[key]))


def losses(tree: Tree, known: Mapping[int, Answer]) -> dict[int, set[tuple[int, int]]]:
    """Tell for each position how few points Black and White can have lost on the way there.

    It is a set of pairs, as one way may be better for Black and another for White; none is worse than another in both.
    Where only bounds are proven, a move counts as losing the least that they allow.
    """
    found: dict[int, set[tuple[int, int]]] = {key: set() for level in tree.levels for key in level}
    found[tree.levels[0][0]] = {(0, 0)}
    for level in tree.levels[:-1]:
        for key in level:
            best = _undominated(found[key])
            for child in tree.following(key):
                black, white = _lost(key, known.get(key, UNKNOWN), known.get(child, UNKNOWN))
                found[child] |= {(so_far[0] + black, so_far[1] + white) for so_far in best}
    return {key: _undominated(pairs) for key, pairs in found.items()}


def _lost(key: int, before: Answer, after: Answer) -> tuple[int, int]:
    position = position_of(key)
    lost = max(for_mover(position, before).lo - for_mover(position, after).hi, 0)
    return (lost, 0) if position.black_to_move else (0, lost)


def _undominated(pairs: set[tuple[int, int]]) -> set[tuple[int, int]]:
    kept: set[tuple[int, int]] = set()
    least = MOST - LEAST + 1
    for black, white in sorted(pairs):
        if white < least:
            kept.add((black, white))
            least = white
    return kept


def handed_down(tree: Tree, known: Mapping[int, Answer]) -> dict[int, Answer]:
    """Narrow what is known of the last level by the positions before it.

    A move gains its mover nothing: after Black's the value is at most, after White's at least, what it was before.
    After a move that keeps the mover's bound, that bound holds too. Raises Contradiction.
    """
    narrowed = {key: known[key] for key in tree.last}
    for parent in itertools.chain.from_iterable(tree.levels[-2:-1]):
        before = known[parent]
        gains_nothing, keeps = Answer(LEAST, before.hi, None, 0), Answer(before.lo, MOST, None, 0)
        if not position_of(parent).black_to_move:
            gains_nothing, keeps = keeps, gains_nothing
        for edge in tree.moves[parent]:
            if edge.child is not None:
                narrowed[edge.child] = met(edge.child, narrowed[edge.child], gains_nothing)
                if edge.move == before.best:
                    narrowed[edge.child] = met(edge.child, narrowed[edge.child], keeps)
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


def guess_of(tree: Tree, known: Mapping[int, Answer], key: int) -> int:
    """Guess the value of a position of the last level: that of its siblings, or of the position before it."""
    parents = tree.parents[key]
    siblings = set().union(*map(tree.following, parents))
    values = [value for each in siblings if (value := known.get(each, UNKNOWN).value) is not None]
    values = values or [value for each in parents if (value := known.get(each, UNKNOWN).value) is not None]
    answer = known.get(key, UNKNOWN)
    guess = median_low(values) if values else position_of(key).margin
    return min(max(guess, answer.lo), answer.hi)
