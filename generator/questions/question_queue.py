"""The positions of an atlas that are still to be searched, and their order.

A position is searched in slices of nodes. A position that is still open after a slice returns to the front of the
queue, because the table still has the partial results. Workers with separate tables would lose these results, so a run
with such workers splits a position that has taken too many nodes. Instead of the split position, the positions after
its moves are searched, each in the window that matters for the split position. The value of the split position follows
from their values.
"""

from collections import Counter, deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from little_go.generator.questions.first_plies import (
    Edge,
    Tree,
    bounds_from_parents,
    edges_of,
    guess_of,
    merge_proven,
    minimax,
    order,
)
from little_go.solver.answer import BLACK_WINS, LEAST, MOST, Answer, Bounds
from little_go.solver.bounds import intersect


class Window(Bounds):
    """The question whether a value is at most ``lo``, at least ``hi``, or which number between ``lo`` and ``hi``.

    ``lo`` is less than ``hi``. A bound "at most ``lo``" or "at least ``hi``" settles the question.
    """

    __slots__ = ()

    def settles(self, answer: Answer) -> bool:
        """Return whether an answer settles the question.

        >>> Window(2, 3).settles(Answer(3, 24, None, 0)), Window(2, 3).settles(Answer(2, 24, None, 0))
        (True, False)
        """
        left = intersect(self, answer)
        return left.lo >= left.hi

    def within(self, answer: Answer) -> "Window":
        """Return the part of the window that an answer leaves open."""
        return Window(*intersect(self, answer))


#: The question of the exact value, and the question of the winner.
EXACT, VERDICT = Window(LEAST, MOST), Window(BLACK_WINS - 1, BLACK_WINS)


@dataclass(frozen=True)
class Change:
    """The consequences of a recorded answer.

    derived: the keys of the split positions whose bounds became tighter. finished: the keys of the positions of the
    last level that the answer settled.
    """

    derived: list[int] = field(default_factory=list)
    finished: list[int] = field(default_factory=list)


class QuestionQueue:
    """The positions to search.

    Public attributes: ``answers``, the proven answers by canonical key, which only this class changes;
    ``settled_by_parents``, the positions of the last level that the answers for the previous ply settle without a
    search.
    """

    def __init__(
        self,
        tree: Tree,
        window: Window,
        look_up: Callable[[int], Answer],
        split_nodes: int | None = None,
    ) -> None:
        """Queue the positions of the last level that are open.

        window: the question about each of these positions. look_up: a function that returns the proven answer for a
        position's key. split_nodes: the number of nodes after which a position is split, or None if no position is
        split.
        """
        self._tree = tree
        self._window = window
        self._look_up = look_up
        self._split_nodes = split_nodes
        looked_up = {key: look_up(key) for level in tree.levels for key in level}
        self.answers = looked_up | bounds_from_parents(tree, looked_up)
        self.settled_by_parents = [
            key for key in tree.last if window.settles(self.answers[key]) and not window.settles(looked_up[key])
        ]
        self._in_flight: Counter[int] = Counter()
        self._nodes: Counter[int] = Counter()
        # By split position, its moves. By position after such a move, the split positions from which the move leads
        # there.
        self._moves: dict[int, list[Edge]] = {}
        self._before: dict[int, list[int]] = {}
        # If only the best move of a position is missing, the position comes last.
        asked = [key for key in order(tree, self.answers) if not self.is_settled(key)]
        self._queue = deque(sorted(asked, key=lambda key: window.settles(self.answers[key])))
        self._open = set(asked)

    @property
    def open(self) -> int:
        """The number of positions of the last level that are not settled."""
        return len(self._open)

    def next(self, *, again: bool = True) -> int | None:
        """Return the next position to search, and count it as in flight. Return None if no position is left.

        again: whether a position that is in flight may be returned if all open positions are in flight. The returned
        position then has the fewest jobs in flight.
        """
        key = self._from_queue()
        if key is None:
            if not again:
                return None
            candidates = [key for key in self._in_flight if not self.is_settled(key)]
            if not candidates:
                return None
            key = min(candidates, key=self._in_flight.__getitem__)
        self._in_flight[key] += 1
        return key

    def _from_queue(self) -> int | None:
        while self._queue:
            key = self._queue.popleft()
            if key not in self._in_flight and not self.is_settled(key):
                return key
        return None

    def is_settled(self, key: int) -> bool:
        """Return whether a position needs no further search."""
        return self.window(key).settles(self.answers[key]) and not self._lacks_best(key)

    def _lacks_best(self, key: int) -> bool:
        """Return whether the best move of a position must be found and is not known.

        The best move of a split position follows from the values of its moves.
        """
        asked = self._window == EXACT and key in self._tree.parents and key not in self._moves
        return asked and self.answers[key].best is None

    def window(self, key: int) -> Window:
        """Return the open question about a position. The returned window has lo > hi if no question is open."""
        if key not in self._before:
            return self._window.within(self.answers[key])
        asked = [self.window(parent) for parent in self._before[key] if not self.is_settled(parent)]
        if not asked:
            return Window(MOST, LEAST)
        return Window(min(each.lo for each in asked), max(each.hi for each in asked)).within(self.answers[key])

    def guess(self, key: int) -> int:
        """Return a guess of a position's value, within its window."""
        window = self.window(key)
        return min(max(guess_of(self._tree, self.answers, self.root(key)), window.lo), window.hi)

    def root(self, key: int) -> int:
        """Return the position of the last level to whose question a position belongs; it may be the position itself."""
        while key in self._before:
            key = self._before[key][0]
        return key

    def drop(self, key: int) -> None:
        """Reduce the number of a position's jobs in flight by one."""
        self._in_flight[key] -= 1
        if not self._in_flight[key]:
            del self._in_flight[key]

    def record_answer(self, key: int, answer: Answer, nodes: int) -> Change:
        """Record the answer for a position in flight. Raise Contradiction if proven answers exclude each other.

        nodes: the number of nodes that this slice has searched.
        """
        self.drop(key)
        self.answers[key] = merge_proven(key, answer, self.answers[key])
        self._nodes[key] += nodes
        change = Change()
        self._record_parents(key, change)
        if not self.is_settled(key) and key not in self._moves:
            if self._is_too_large(key):
                self._split(key, change)
            elif key not in self._in_flight:
                self._queue.appendleft(key)
        return change

    def _is_too_large(self, key: int) -> bool:
        # If the bounds are settled, only the best move is missing, and a search of the moves would not find it.
        is_open = not self.window(key).settles(self.answers[key])
        return is_open and self._split_nodes is not None and self._nodes[key] >= self._split_nodes

    def _split(self, key: int, change: Change) -> None:
        # The most promising move goes first.
        self._moves[key] = sorted(edges_of(key), key=lambda edge: edge.move != self.answers[key].best)
        for child in self._following(key):
            if child not in self._before:
                self.answers[child] = self._look_up(child)
            self._before.setdefault(child, []).append(key)
        self._derive(key, change)
        self._queue.extendleft(reversed(list(self._positions_to_search(key))))

    def _following(self, key: int) -> list[int]:
        return list(dict.fromkeys(edge.child for edge in self._moves[key] if edge.child is not None))

    def _positions_to_search(self, key: int) -> Iterator[int]:
        """Yield the positions to search instead of a split position.

        Some of these positions may already be in the queue or in flight.
        """
        for child in self._following(key):
            if child in self._moves:
                yield from self._positions_to_search(child)
            else:
                yield child

    def _derive(self, key: int, change: Change) -> None:
        answer = merge_proven(key, self.answers[key], minimax(key, self._moves[key], self.answers))
        if answer[:2] != self.answers[key][:2]:
            self.answers[key] = answer
            change.derived.append(key)
            self._record_parents(key, change)

    def _record_parents(self, key: int, change: Change) -> None:
        if key in self._open and self.is_settled(key):
            self._open.remove(key)
            change.finished.append(key)
        for parent in self._before.get(key, ()):
            self._derive(parent, change)
