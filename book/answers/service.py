"""What is this position worth, and who says so? One answer, for whoever asks: sources first, and then a search."""

import time
from collections.abc import Iterator, Sequence

from book.answers.live import Budget, Live
from book.answers.query import Inquiry, Knowledge
from book.answers.sources import Source
from solver.position import Position


class Service:
    """Answers what positions are worth; what was found for one helps with the next.

    Public attributes: ``live``, the search, or None.
    """

    def __init__(self, sources: Sequence[Source], live: Live | None = None) -> None:
        self.live = live
        self._sources = [*sources] if live is None else [*sources, live]

    def ask(
        self,
        position: Position,
        budget: Budget | None = None,
        *,
        moves: bool = True,
        replies: bool = True,
        guess: int | None = None,
    ) -> Knowledge:
        """Return what is known about a position and its moves; the positions after these have no ``moves``.

        budget: what a search of what is open may cost; None: no search. moves, replies: whether the moves, and which
        replies to them hold, are of interest. guess: what the value may be.
        Raises Contradiction when two sources cannot both be right.
        """
        inquiry = Inquiry(self._sources, position, moves, guess)
        for _ in self._search(inquiry, budget, replies):
            pass
        return inquiry.knowledge(self.live if budget is not None and moves and replies else None)

    def updates(self, position: Position, budget: Budget, seconds: float) -> Iterator[Knowledge]:
        """Yield what is known: at once, every ``seconds`` of a search, and at its end, unless it was stopped.

        It ends when all moves have exact values, or the budget is spent. Raises as ask() does.
        """
        inquiry = Inquiry(self._sources, position)
        yield inquiry.knowledge()
        shown = time.monotonic()
        for _ in self._search(inquiry, budget, replies=False):
            if time.monotonic() - shown >= seconds:
                inquiry.follow()
                yield inquiry.knowledge()
                shown = time.monotonic()
        if budget(1.0) > 0:
            yield inquiry.knowledge()

    def _search(self, inquiry: Inquiry, budget: Budget | None, replies: bool) -> Iterator[None]:
        if self.live is not None and budget is not None:
            yield from inquiry.search(self.live, budget, replies)
