"""What a position is worth, and its source: one answer for all callers, from files first, and then from a search."""

import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from book.answers.ledger import Ledger
from book.answers.live import Budget, Live
from book.answers.query import Inquiry, Knowledge
from book.answers.reasons import explained
from book.answers.sources import Source
from solver.answer import Answer, goal_of
from solver.bounds import UNKNOWN
from solver.family import Variant
from solver.position import Position, move_name
from solver.symmetry import canonical_key


class Service:
    """Answers what a game's positions are worth; what was found for one helps with the next.

    Public attributes: ``live``, the search, or None; ``game``, whose komi decides who wins.
    """

    def __init__(self, sources: Sequence[Source], live: Live | None = None, *, game: Variant) -> None:
        self.live, self.game = live, game
        self._ledger = Ledger(sources, game)
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
        with self._asked(position, way, moves, guess) as inquiry:
            for search in self._searches(inquiry, budget, replies):
                for _ in search:
                    pass
            return self._answer(inquiry, budget if moves and replies else None)

    def updates(
        self,
        position: Position,
        budget: Budget,
        seconds: float,
        way: Sequence[Position] = (),
        *,
        replies: bool = False,
    ) -> Iterator[Knowledge]:
        """Yield what is known: at once, every ``seconds`` of a search, and when all is exact or the budget is spent.

        replies: whether to search, after that, which replies hold, and a line to the end; then the last answer is that
        of ask(). way, and what it raises: as for ask().
        """
        with self._asked(position, way) as inquiry:
            yield inquiry.knowledge()
            shown = time.monotonic()
            for search in self._searches(inquiry, budget, replies):
                for _ in search:
                    if time.monotonic() - shown >= seconds:
                        inquiry.infer()
                        yield inquiry.knowledge()
                        shown = time.monotonic()
                yield inquiry.knowledge()
            if replies:
                yield self._answer(inquiry, budget)

    def decide(self, position: Position, goal: int, budget: Budget) -> Answer:
        """Search until it is known whether a position is worth so much, or the budget is spent."""
        if self.live is None:
            return UNKNOWN
        answer = self.live.decide(position, goal, budget)
        self._ledger.learn(position, answer)
        return answer

    def best(self, position: Position, value: int, budget: Budget) -> int | None:
        """Search for a move that keeps a position's value; None when the budget does not suffice to find one."""
        goal = goal_of(value, position.black_to_move)
        answer = self.decide(position, goal, budget)
        return answer.best if answer.at_least(goal) is position.black_to_move else None

    def why(self, position: Position, move: int) -> str:
        """Say why a move is worse than the best one, or that it is not, or that there is no kernel to find that out.

        Raises IllegalMove.
        """
        if self.live is None:
            if move in self.ask(position).best_moves:
                return f"{move_name(move)} is a best move."
            return f"best play after {move_name(move)} is not known far enough."
        found = explained(position, move, self.live.judge, self.game)
        return f"{move_name(move)} is a best move." if found is None else found.reason.text

    @contextmanager
    def _asked(
        self, position: Position, way: Sequence[Position], moves: bool = True, guess: int | None = None
    ) -> Iterator[Inquiry]:
        """Ask the sources about the positions on the way, each only once, and about the position.

        In the end what is known of them and of their moves is kept.
        """
        keys: list[int] = []
        try:
            for each in way:
                key = canonical_key(each)
                if key not in self._passed and not each.is_over:
                    self._passed.add(key)
                    self._ledger.ask(each)
                    if self._ledger.at(key).is_known:
                        keys += Inquiry(self._ledger, each, replies=False).keys
            inquiry = Inquiry(self._ledger, position, moves, guess=guess)
            keys += inquiry.keys
            yield inquiry
        finally:
            self._ledger.settle(keys)

    def _searches(self, inquiry: Inquiry, budget: Budget | None, replies: bool) -> Iterator[Iterator[None]]:
        if self.live is not None and budget is not None:
            yield inquiry.search(self.live, budget)
            if replies:
                yield inquiry.search_replies(self.live, budget)

    def _answer(self, inquiry: Inquiry, budget: Budget | None) -> Knowledge:
        """Put together what is known; budget: for a line to the end, None where it is of no interest."""
        if self.live is None or budget is None:
            return inquiry.knowledge()
        return inquiry.knowledge(lambda position, value: self.best(position, value, budget))
