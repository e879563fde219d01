"""What is this position worth, and who says so? One answer, for whoever asks: sources first, and then a search."""

import time
from collections.abc import Iterator, Sequence

from book.answers.live import Budget, Live
from book.answers.query import Inquiry, Knowledge, Stated
from book.answers.reasons import reason
from book.answers.sources import Source
from book.answers.teaching import teaching_line
from solver.position import Position, move_name
from solver.symmetry import canonical_key


class Service:
    """Answers what positions are worth; what was found for one helps with the next.

    Public attributes: ``live``, the search, or None.
    """

    def __init__(self, sources: Sequence[Source], live: Live | None = None) -> None:
        self.live = live
        self._sources = [*sources] if live is None else [*sources, live]
        self._followed: dict[int, Stated] = {}
        self._passed: set[int] = set()

    def ask(
        self,
        position: Position,
        budget: Budget | None = None,
        *,
        way: Sequence[Position] = (),
        moves: bool = True,
        replies: bool = True,
        guess: int | None = None,
    ) -> Knowledge:
        """Return what is known about a position and its moves; the positions after these have no ``moves``.

        budget: what a search of what is open may cost; None: no search. way: the positions that led here, the first
        one first: what is known of them and of their other moves counts here too. moves, replies: whether the moves,
        and which replies to them hold, are of interest. guess: what the value may be.
        Raises Contradiction when two sources cannot both be right.
        """
        inquiry = self._inquiry(position, way, moves, guess)
        for _ in self._search(inquiry, budget, replies):
            pass
        self._followed.update(inquiry.known())
        live = self.live
        if live is None or budget is None or not (moves and replies):
            return inquiry.knowledge()
        return inquiry.knowledge(lambda position, value: live.best(position, value, budget))

    def why(self, knowledge: Knowledge, move: int, budget: Budget | None, way: Sequence[Position] = ()) -> str:
        """Say why a move is worse than the best one, or that it is not, or that it is not known to be.

        knowledge: what is known of the position and its moves. budget, way: as for ask().
        """
        position, after = knowledge.position, knowledge.position.play(move)
        if move in knowledge.best_moves:
            return f"{move_name(move)} is a best move."
        line = () if after.is_over else self.ask(after, budget, way=(*way, position)).pv
        try:
            return reason(position, (move, *self._taught(after, line)), self._taught(position, knowledge.pv)).text
        except ValueError:
            return f"best play after {move_name(move)} is not known far enough."

    def _taught(self, position: Position, line: Sequence[int]) -> Sequence[int]:
        """Return a line with its end as people are shown it, where there is a kernel."""
        return line if self.live is None or not line else teaching_line(position, line)

    def updates(
        self, position: Position, budget: Budget, seconds: float, way: Sequence[Position] = ()
    ) -> Iterator[Knowledge]:
        """Yield what is known: at once, every ``seconds`` of a search, and at its end, unless it was stopped.

        It ends when all moves have exact values, or the budget is spent. way, and what it raises: as for ask().
        """
        inquiry = self._inquiry(position, way)
        yield inquiry.knowledge()
        shown = time.monotonic()
        for _ in self._search(inquiry, budget, replies=False):
            if time.monotonic() - shown >= seconds:
                inquiry.follow()
                yield inquiry.knowledge()
                shown = time.monotonic()
        self._followed.update(inquiry.known())
        if budget() > 0:
            yield inquiry.knowledge()

    def _inquiry(
        self, position: Position, way: Sequence[Position], moves: bool = True, guess: int | None = None
    ) -> Inquiry:
        """Ask the sources about the positions on the way, each only once, and about the position."""
        for each in way:
            key = canonical_key(each)
            if key not in self._passed and not each.is_over:
                self._passed.add(key)
                if Inquiry(self._sources, each, moves=False, followed=self._followed).known():
                    self._followed.update(Inquiry(self._sources, each, replies=False, followed=self._followed).known())
        return Inquiry(self._sources, position, moves, guess=guess, followed=self._followed)

    def _search(self, inquiry: Inquiry, budget: Budget | None, replies: bool) -> Iterator[None]:
        if self.live is not None and budget is not None:
            yield from inquiry.search(self.live, budget, replies)
