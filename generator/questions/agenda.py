"""The positions that an atlas has still to search, and their order.

A position goes out in slices of nodes. One that a slice leaves open goes to the front of the queue again, for what was
found is still in the table. With tables that are not shared that would be in vain; there a position that has taken too
many nodes is split: the positions after its moves are searched in its place, only as far as they matter for it, and its
value follows from theirs.
"""

from collections import Counter, deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from generator.questions.first_plies import Edge, Tree, agree, bounds_from_parents, edges_of, guess_of, minimax, order
from solver.answer import BLACK_WINS, LEAST, MOST, Answer, Bounds
from solver.bounds import intersect


class Window(Bounds):
    """A question about a value: its exact size if it lies between two bounds, otherwise only on which side it lies.

    lo, hi: least and greatest value between, lo < hi.
    """

    __slots__ = ()

    def settles(self, answer: Answer) -> bool:
        """Return whether nothing is left to ask.

        >>> Window(2, 3).settles(Answer(3, 24, None, 0)), Window(2, 3).settles(Answer(2, 24, None, 0))
        (True, False)
        """
        left = intersect(self, answer)
        return left.lo >= left.hi

    def within(self, answer: Answer) -> "Window":
        """Narrow the window to what is still open."""
        return Window(*intersect(self, answer))


#: The exact value, and who wins.
EXACT, VERDICT = Window(LEAST, MOST), Window(BLACK_WINS - 1, BLACK_WINS)


@dataclass(frozen=True)
class Change:
    """The consequences of an answer.

    derived: split positions of which more is known now. finished: positions of the last level that are settled now.
    """

    derived: list[int] = field(default_factory=list)
    finished: list[int] = field(default_factory=list)


class QuestionQueue:
    """The positions to search.

    answers: what is proven, by canonical key; changed by the agenda alone. at_once: the positions of the last level
    that those before them settle without a search.
    """

    def __init__(
        self,
        tree: Tree,
        window: Window,
        look_up: Callable[[int], Answer],
        split_nodes: int | None = None,
    ) -> None:
        """Prepare.

        window: what is asked of the last level. look_up: tells what is proven of a position.
        split_nodes: nodes after which a position is split, or None for never.
        """
        self._tree = tree
        self._window = window
        self._look_up = look_up
        self._split_nodes = split_nodes
        looked_up = {key: look_up(key) for level in tree.levels for key in level}
        self.answers = looked_up | bounds_from_parents(tree, looked_up)
        self.at_once = [
            key for key in tree.last if window.settles(self.answers[key]) and not window.settles(looked_up[key])
        ]
        self._flying: Counter[int] = Counter()
        self._nodes: Counter[int] = Counter()
        # The moves of split positions; and, by position after such a move, the split positions before it, in order.
        self._moves: dict[int, list[Edge]] = {}
        self._before: dict[int, list[int]] = {}
        # Best moves come after all values.
        asked = [key for key in order(tree, self.answers) if not self.is_settled(key)]
        self._queue = deque(sorted(asked, key=lambda key: window.settles(self.answers[key])))
        self._open = set(asked)

    @property
    def open(self) -> int:
        """The number of positions of the last level that are not settled."""
        return len(self._open)

    def next(self, *, again: bool = True) -> int | None:
        """Return the next position to search, which counts as given out, or None.

        again: when all are given out, return one of them again, where fewest are.
        """
        key = self._from_queue()
        if key is None:
            if not again:
                return None
            candidates = [key for key in self._flying if not self.is_settled(key)]
            if not candidates:
                return None
            key = min(candidates, key=self._flying.__getitem__)
        self._flying[key] += 1
        return key

    def _from_queue(self) -> int | None:
        while self._queue:
            key = self._queue.popleft()
            if key not in self._flying and not self.is_settled(key):
                return key
        return None

    def is_settled(self, key: int) -> bool:
        """Return whether a position need not be searched any more."""
        return self.window(key).settles(self.answers[key]) and not self._lacks_best(key)

    def _lacks_best(self, key: int) -> bool:
        """Return whether a best move is asked for, and not known; a split position's follows from its moves, if any."""
        asked = self._window == EXACT and key in self._tree.parents and key not in self._moves
        return asked and self.answers[key].best is None

    def window(self, key: int) -> Window:
        """Return the window in which a position's value is asked."""
        if key not in self._before:
            return self._window.within(self.answers[key])
        asked = [self.window(parent) for parent in self._before[key] if not self.is_settled(parent)]
        if not asked:
            return Window(MOST, LEAST)
        return Window(min(each.lo for each in asked), max(each.hi for each in asked)).within(self.answers[key])

    def guess(self, key: int) -> int:
        """Guess a position's value, within its window."""
        window = self.window(key)
        return min(max(guess_of(self._tree, self.answers, self.root(key)), window.lo), window.hi)

    def root(self, key: int) -> int:
        """Return the position of the last level for which one is searched."""
        while key in self._before:
            key = self._before[key][0]
        return key

    def drop(self, key: int) -> None:
        """Note that a position given out will bring no answer."""
        self._flying[key] -= 1
        if not self._flying[key]:
            del self._flying[key]

    def take_in(self, key: int, answer: Answer, nodes: int) -> Change:
        """Take what is proven now of a position given out, after so many nodes more; raises Contradiction."""
        self.drop(key)
        self.answers[key] = agree(key, answer, self.answers[key])
        self._nodes[key] += nodes
        change = Change()
        self._hand_up(key, change)
        if not self.is_settled(key) and key not in self._moves:
            if self._is_too_large(key):
                self._split(key, change)
            elif key not in self._flying:
                self._queue.appendleft(key)
        return change

    def _is_too_large(self, key: int) -> bool:
        # The moves of a position whose bounds are settled have nothing left to ask.
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
        self._queue.extendleft(reversed(list(self._asked_by(key))))

    def _following(self, key: int) -> list[int]:
        return list(dict.fromkeys(edge.child for edge in self._moves[key] if edge.child is not None))

    def _asked_by(self, key: int) -> Iterator[int]:
        """Yield the positions to search instead of a split one; some may serve another one too, or be given out."""
        for child in self._following(key):
            if child in self._moves:
                yield from self._asked_by(child)
            else:
                yield child

    def _derive(self, key: int, change: Change) -> None:
        answer = agree(key, self.answers[key], minimax(key, self._moves[key], self.answers))
        if answer[:2] != self.answers[key][:2]:
            self.answers[key] = answer
            change.derived.append(key)
            self._hand_up(key, change)

    def _hand_up(self, key: int, change: Change) -> None:
        if key in self._open and self.is_settled(key):
            self._open.remove(key)
            change.finished.append(key)
        for parent in self._before.get(key, ()):
            self._derive(parent, change)
