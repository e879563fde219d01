"""Answer questions about a position from all sources, from inferences and from a search.

An answer has one of three states, which all output distinguishes. The position is not in the book, or the position is
in the book but the bounds do not decide the winner, or the winner is proven. Each bound has a list of its sources.
"""

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace

from little_go.book.answers.live import Budget, LiveSearch
from little_go.book.answers.reasons import explained
from little_go.book.answers.sources import BY_MOVES, BY_POSITION, LINE, KnownBounds, Ledger, Source, joined
from little_go.book.store.facts import Choice, Origin, Statement
from little_go.solver.answer import LEAST, Answer, BoundsBase, goal_of
from little_go.solver.bounds import UNKNOWN, after_move, best_of, merge_answers, points_lost, rank, worth_text
from little_go.solver.family import Variant
from little_go.solver.position import Position, move_name, play_all
from little_go.solver.symmetry import canonical_key, position_of

#: The node limit, about a second, of the search for the replies that hold. In positions with few plies played, an
#: unlimited search for these replies would take longer than the search for all values.
_REPLY_NODES = 4_000_000

#: The three states, as in JSON output.
NOT_IN_BOOK, UNDECIDED, PROVEN = "not-in-book", "undecided", "proven"


def state_of(answer: Answer | None, game: Variant) -> str:
    """Return the state of an answer about a position of a game. The answer is None if nothing is known.

    >>> [state_of(each, Variant(24, 2.5)) for each in (None, Answer(-24, 9, None, 0), Answer(3, 24, None, 0))]
    ['not-in-book', 'undecided', 'proven']
    """
    if answer is None:
        return NOT_IN_BOOK
    return UNDECIDED if game.winner(answer) is None else PROVEN


@dataclass(frozen=True)
class Knowledge(BoundsBase):
    """Everything known about a position.

    answer: the bounds, and a move proven to keep the mover's bound; the score if the game is over; None if the position
    is not in the book. lo_from, hi_from: the sources of the bounds; the trivial bounds -24 and 24 have no sources.
    winner_from: the sources that prove the winner. likely: the most promising move, which is a guess; None if a move is
    proven to win or to be best. pv: the principal variation: best moves, as far as they are known. named: the sources
    that contain the position. moves: the legal moves, from best to worst for the mover; symmetric moves form a group.
    choice: our player's move, or None if no source contains it. game: the game, whose komi determines the winner.
    """

    position: Position
    answer: Answer | None
    lo_from: tuple[Origin, ...] = ()
    hi_from: tuple[Origin, ...] = ()
    winner_from: tuple[Origin, ...] = ()
    pv: tuple[int, ...] = ()
    moves: tuple["KnownMove", ...] = ()
    choice: Choice | None = None
    named: tuple[Origin, ...] = ()
    likely: int | None = None
    game: Variant = field(kw_only=True)

    @property
    def bounds(self) -> Answer:
        """The answer, or the trivial bounds of a position that is not in the book."""
        return self.answer or UNKNOWN

    @property
    def lo(self) -> int:
        """The lower bound of the value."""
        return self.bounds.lo

    @property
    def hi(self) -> int:
        """The upper bound of the value."""
        return self.bounds.hi

    @property
    def winner(self) -> int | None:
        """The proven winner of the game (1 = Black, 2 = White), or None."""
        return self.game.winner(self)

    @property
    def worth(self) -> str:
        """The bounds in words, as results of the game."""
        return worth_text(self, self.game)

    @property
    def best(self) -> int | None:
        """A move proven to keep the mover's bound, or None."""
        return self.bounds.best

    @property
    def state(self) -> str:
        """The state of the answer, from state_of()."""
        return state_of(self.answer, self.game)

    @property
    def sources(self) -> list[str]:
        """The sources of the bounds, such as ``atlas atlas.csv.gz``; ``kernel`` means a search by this process."""
        return list(map(str, dict.fromkeys((*self.lo_from, *self.hi_from))))

    @property
    def kinds(self) -> list[str]:
        """The kinds of the sources, except inferences."""
        origins = (*self.winner_from, *self.lo_from, *self.hi_from) or self.named
        return list(dict.fromkeys(each.kind for each in origins if each.kind not in (BY_MOVES, BY_POSITION)))

    @property
    def after_moves(self) -> list[tuple[int, "Knowledge"]]:
        """The legal moves, each with the knowledge about the position after it, from best to worst for the mover."""
        return [(move, known.after) for known in self.moves for move in known.moves]

    @property
    def exact(self) -> int:
        """The number of legal moves whose exact value is known."""
        return sum(len(known.moves) for known in self.moves if known.after.value is not None)

    @property
    def best_moves(self) -> list[int]:
        """All moves that are proven to have the value of the position."""
        return sorted(move for known in self.moves if known.lost == (0, 0) for move in known.moves)


@dataclass(frozen=True)
class KnownMove:
    """Symmetric moves, and the position after them.

    moves: the moves, of which the first one leads to ``after``. lost: the least and the greatest number of points that
    the moves can lose compared with the best move. replies: the number of legal replies. holding: the number of replies
    after which the side that replies wins. open: the number of replies after which the winner is not known.
    """

    moves: tuple[int, ...]
    after: Knowledge
    lost: tuple[int, int]
    replies: int
    holding: int
    open: int


def pass_on(before: Knowledge, after: Knowledge) -> tuple[Knowledge, Knowledge]:
    """Return the knowledge before a move and the knowledge after it, each narrowed by the other.

    The value after a move is not better for its mover than the value before the move. Raise Contradiction if the bounds
    exclude each other.
    """
    position, black = before.position, before.position.black_to_move
    move = next(move for move in position.legal_moves() if position.play(move) == after.position)
    here = _narrowed(before, Answer(*after.mover_end(black), move, 0), BY_MOVES, after)
    there = _narrowed(after, Answer(*after_move(black, before, is_best=False), None, 0), BY_POSITION, before)
    return here, there


def _narrowed(known: Knowledge, follows: Answer, why: str, other: Knowledge) -> Knowledge:
    """Return the knowledge narrowed by bounds that follow from the position ``other``.

    why: the kind of inference, BY_MOVES or BY_POSITION.
    """
    bounds = KnownBounds(known.lo, known.hi, known.game, known.lo_from, known.hi_from, known.winner_from, known.named)
    origins = [joined([Origin(why)], ends) for ends in (other.lo_from, other.hi_from)]
    more = bounds.tightened_by(canonical_key(known.position), follows, *origins)
    if (more.lo, more.hi) == (bounds.lo, bounds.hi):
        return known
    answer = merge_answers(known.position.black_to_move, known.bounds, follows)
    guess = known.best if known.likely is None and answer.best is None else known.likely
    return replace(
        known,
        answer=answer,
        lo_from=more.lo_from,
        hi_from=more.hi_from,
        winner_from=more.winner_from,
        # Drop the rest of the old principal variation, because it was only proven to keep the wider bounds.
        pv=() if answer.best is None or more.winner is None else (answer.best,),
        likely=None if _settles(known.position, answer, known.game) else guess,
    )


def _settles(position: Position, answer: Answer, game: Variant) -> bool:
    """Return whether the move of an answer is proven to be best or to win."""
    return answer.best is not None and (answer.value is not None or game.winner(answer) == position.mover)


def smallest_best_move(position: Position, value: int, known: Callable[[Position], Answer | None]) -> int | None:
    """Return the move with the least number that keeps a position's exact value, or None if the bounds do not show it.

    value: the position's value from Black's side. known: a function that returns the bounds of a position that is not
    over, or None. A line of such moves is the principal variation, which depends only on the rules.
    """
    for move in sorted(position.legal_moves()):
        child = position.play(move)
        if child.is_over:
            lo = hi = child.margin
        else:
            answer = known(child)
            if answer is None:
                return None
            lo, hi = answer.lo, answer.hi
        if lo == hi == value:
            return move
        if lo <= value <= hi:
            return None
    return None


@dataclass
class _Group:
    """Moves that lead to the same canonical position.

    after: the position after the first move. key: the canonical key of this position. replies: the canonical keys of
    the positions after the replies, or [] if the replies are not needed.
    """

    moves: list[int]
    after: Position
    key: int
    replies: list[int]


class Inquiry:
    """A question about a position, its moves and the replies to these moves. The ledger contains the known bounds."""

    def __init__(
        self,
        ledger: Ledger,
        position: Position,
        moves: bool = True,
        replies: bool = True,
        guess: int | None = None,
    ) -> None:
        """Write the sources' statements about the position into the ledger, and infer bounds from these statements.

        moves: whether to include the moves. replies: whether to include the replies to all moves, and not only to moves
        of unknown value. guess: a likely value. Raise Contradiction if two sources exclude each other.
        """
        self._ledger = ledger
        self._position = position
        self._guess = guess
        self._key = ledger.ask(position)
        self._groups = self._grouped(replies) if moves else []
        self.infer()

    def _grouped(self, replies: bool) -> list[_Group]:
        """Write the sources' statements about the moves and replies into the ledger, and return the moves."""
        groups: dict[int, _Group] = {}
        for move in self._position.legal_moves():
            after = self._position.play(move)
            key = self._ledger.ask(after)
            if key in groups:
                groups[key].moves.append(move)
                continue
            groups[key] = _Group([move], after, key, [])
            if replies or self._ledger.at(key).value is None:
                groups[key].replies = [self._ledger.ask(after.play(reply)) for reply in after.legal_moves()]
        self._ledger.ask_of_moves(self._position)
        return list(groups.values())

    @property
    def keys(self) -> list[int]:
        """The canonical keys of the position and, if the moves are included, of the positions after them."""
        return [self._key, *(group.key for group in self._groups)]

    @property
    def _here(self) -> KnownBounds:
        return self._ledger.at(self._key)

    def infer(self) -> None:
        """Infer the bounds of the moves from the replies, then those of the position from the moves, and those of the
        moves again.
        """
        for group in self._groups:
            self._ledger.infer(group.after, group.replies)
        self._ledger.infer(self._position, [group.key for group in self._groups])

    # Searches

    def search(self, live: LiveSearch, budget: Budget) -> Iterator[None]:
        """Search for the winners and exact values that are not known, and yield many times a second."""
        for key, bounds in self._ledger.known_bounds():
            live.teach(position_of(key), bounds)
        position, here = self._position, self._here
        if self._groups:
            moves = {move: group.key for group in self._groups for move in group.moves}
            yield from self._settle(live, budget, position, moves, lambda bounds: bounds.value is not None)
        elif here.value is None:
            self._ledger.learn(position, live.value(position, budget, self._guess))
            yield
        elif self._keeper(position, here) is None:
            self._ledger.learn(position, live.decide(position, goal_of(here.lo, position.black_to_move), budget))
            yield
        self.infer()

    def search_replies(self, live: LiveSearch, budget: Budget) -> Iterator[None]:
        """Search for the winners after the replies to losing moves, and yield many times a second."""
        spare = live.nodes(_REPLY_NODES)
        rest: Budget = lambda: min(budget(), spare())  # noqa: E731
        for group in sorted(self._groups, key=self._rank):
            if self._ledger.at(group.key).winner == group.after.mover:
                moves = dict(zip(group.after.legal_moves(), group.replies, strict=True))
                yield from self._settle(live, rest, group.after, moves, lambda bounds: bounds.winner is not None)

    def _settle(
        self,
        live: LiveSearch,
        budget: Budget,
        position: Position,
        moves: Mapping[int, int],
        is_settled: Callable[[KnownBounds], bool],
    ) -> Iterator[None]:
        """Search a position's moves until each move is settled, and yield many times a second.

        moves: by move, the canonical key of the position after it.
        """
        ledger = self._ledger
        if all(is_settled(ledger.at(key)) for key in moves.values()):
            return
        known = {move: ledger.at(key).answer for move, key in moves.items()}
        for answers in live.moves(position, known, ledger.at(ledger.ask(position)).answer, budget):
            for move, answer in answers.items():
                ledger.learn(position.play(move), answer)
            ledger.learn(position, best_of(position.black_to_move, answers))
            yield
            if all(is_settled(ledger.at(key)) for key in moves.values()):
                return

    # The result

    def knowledge(self, line: Callable[[Position, int], int | None] = lambda position, value: None) -> Knowledge:
        """Return the knowledge of the position and its moves.

        line: a function that returns a move that keeps a position's value, or None. The function is called if no source
        has the principal variation.
        """
        position = self._position
        moves = tuple(self._known_move(group) for group in sorted(self._groups, key=self._rank))
        choice = None if position.is_over else self._ledger.choice(position)
        best, likely = self._best(moves, choice), self._likely(moves, choice)
        return replace(self._knowledge_of(position, self._here, best, likely, line), moves=moves, choice=choice)

    def _knowledge_of(
        self,
        position: Position,
        bounds: KnownBounds,
        best: int | None,
        likely: int | None = None,
        line: Callable[[Position, int], int | None] = lambda *_: None,
    ) -> Knowledge:
        """Return the knowledge of a position, without its moves.

        best: a move that keeps the mover's bound, or None. likely: the most promising move, or None. line: the same as
        in knowledge().
        """
        pv = () if bounds.winner is None else self._variation(position, bounds, best, likely, line)
        if pv and bounds.value is not None:
            best = pv[0]
        answer = bounds.answer._replace(best=best)
        if _settles(position, answer, bounds.game):
            likely = None
        elif pv:
            likely = pv[0]
        return Knowledge(
            position,
            answer if bounds.is_known else None,
            bounds.lo_from,
            bounds.hi_from,
            bounds.winner_from,
            pv,
            named=bounds.named,
            likely=likely,
            game=bounds.game,
        )

    def _variation(
        self,
        position: Position,
        bounds: KnownBounds,
        best: int | None,
        likely: int | None,
        line: Callable[[Position, int], int | None],
    ) -> tuple[int, ...]:
        """Return the principal variation of a position whose winner is proven.

        If the mover loses and the value is not exact, no move is best. In this case the variation begins with the
        likely move, to show how the other side wins.
        """
        is_best_known = bounds.value is not None or bounds.winner == position.mover
        first = best if is_best_known else likely
        start = () if first is None else (first,)
        return (*start, *self._line(play_all(position, start), bounds, line))

    def _known_move(self, group: _Group) -> KnownMove:
        bounds = self._ledger.at(group.key)
        after = self._knowledge_of(group.after, bounds, self._keeper(group.after, bounds))
        winners = [self._ledger.at(key).winner for key in group.replies]
        if after.winner == self._position.mover:
            holding = unknown = 0
        else:
            holding, unknown = winners.count(group.after.mover), winners.count(None)
        return KnownMove(tuple(group.moves), after, self._lost(group), len(winners), holding, unknown)

    def _lost(self, group: _Group) -> tuple[int, int]:
        """Return the minimum and maximum points that a group's moves can lose compared with the best move."""
        others = [self._ledger.at(each.key) for each in self._groups if each is not group]
        return points_lost(self._position.black_to_move, self._here, self._ledger.at(group.key), others)

    def _rank(self, group: _Group) -> tuple[int, int, int]:
        """Return a sort key: the mover's wins come first, then open moves, then losses."""
        return rank(self._position.black_to_move, self._ledger.at(group.key), self._ledger.game)

    def _best(self, moves: Sequence[KnownMove], choice: Choice | None) -> int | None:
        """Return a move proven to keep the mover's bound, or None.

        If moves are proven to be best, return the best move on a shipped line, or else the best move with the least
        number. If no move is proven to be best, return our player's choice if this choice keeps the bound, or else any
        move that keeps the bound.
        """
        position, here = self._position, self._here
        proven = [move for known in moves if known.lost == (0, 0) for move in known.moves]
        if proven:
            on_line = self._on_line(position)
            return on_line if on_line in proven else min(proven)
        keeper = self._keeper(position, here)
        if keeper is None or choice is None or not moves:
            return keeper
        black, ours = position.black_to_move, self._ledger.at(canonical_key(position.play(choice.move)))
        return choice.move if ours.mover_bound(black) >= here.mover_bound(black) else keeper

    def _keeper(self, position: Position, bounds: KnownBounds) -> int | None:
        """Return a move that is known to keep the mover's bound, or None.

        If every move keeps the bound, return None.
        """
        if bounds.value is None and bounds.mover_bound(position.black_to_move) == LEAST:
            return None
        return self._next(position, bounds)

    def _likely(self, moves: Sequence[KnownMove], choice: Choice | None) -> int | None:
        """Return the most promising move, or None.

        The candidates are our player's choice, followed by the best moves of the sources. Return the first candidate
        that has the best bounds, or else the first candidate. If there is no candidate, return the only move with the
        best bounds.
        """
        named = [] if choice is None or not moves else [choice.move]
        named += [move for said in self._statements(self._position) for move in said.best]
        first = moves[0].after.answer if moves else None
        top = [move for known in moves if known.after.answer == first for move in known.moves]
        found = [move for move in named if move in top] or named[:1]
        if found:
            return found[0]
        # If several moves have the best bounds, no move is more promising than the others.
        return top[0] if [known.after.answer for known in moves].count(first) == 1 and first is not None else None

    def _statements(self, position: Position) -> list[Statement]:
        return [] if position.is_over else self._ledger.statements(position)

    def _line(
        self, position: Position, bounds: KnownBounds, line: Callable[[Position, int], int | None] = lambda *_: None
    ) -> Iterator[int]:
        """Yield known moves that keep the value or, if the value is not known, the win."""
        kept: BoundsBase = bounds
        if bounds.value is None and bounds.winner is not None:
            kept = bounds.game.won_by(bounds.winner)
        while not position.is_over:
            move = self._next(position, kept)
            if move is None and kept.value is not None:
                move = line(position, kept.value)
            if move is None:
                return
            yield move
            position = position.play(move)

    def _next(self, position: Position, bounds: BoundsBase) -> int | None:
        """Return a move that is known to keep the mover's bound, or None.

        If the value is exact, return the move on a shipped line, which leads to the end of the game, or else the best
        move with the least number.
        """
        if bounds.value is not None:
            on_line = self._on_line(position)
            best = smallest_best_move(position, bounds.value, self._asked) if on_line is None else on_line
            if best is not None:
                return best
        black = position.black_to_move
        least = bounds.mover_bound(black)
        for said in self._statements(position):
            if said.mover_bound(black) >= least:
                return said.best[0]
        for move, after in self._after(position):
            if after.mover_bound(black) >= least > LEAST:
                return move
        return None

    def _after(self, position: Position) -> Iterator[tuple[int, KnownBounds]]:
        """Yield the moves of the inquiry's position, or the replies to one of its moves, with the bounds after each."""
        for group in self._groups:
            if position == self._position:
                yield from ((move, self._ledger.at(group.key)) for move in group.moves)
            elif position == group.after and group.replies:
                yield from zip(position.legal_moves(), map(self._ledger.at, group.replies), strict=True)

    def _on_line(self, position: Position) -> int | None:
        return next((said.best[0] for said in self._statements(position) if said.origin.kind == LINE), None)

    def _asked(self, position: Position) -> Answer:
        return self._ledger.at(self._ledger.ask(position)).answer


class Service:
    """Answers to questions about positions of a game.

    The ledger and the table of the search keep their results for later questions. Public attributes: ``live``, the
    search, or None; ``game``, the game, whose komi determines the winner.
    """

    def __init__(self, sources: Sequence[Source], live: LiveSearch | None = None, *, game: Variant) -> None:
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
        """Return the knowledge about a position and its moves.

        The knowledge about the position after a move has no ``moves``. budget: the budget of the search for values that
        are not known, or None for no search. way: the earlier positions of the game, in order. Bounds are inferred from
        the values of these positions and of their other moves. moves, replies: whether to include the moves, and the
        replies that hold. guess: a likely value. Raise Contradiction if two sources exclude each other.
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
        """Yield the knowledge immediately, then every ``seconds`` during the search, and at the end of the search.

        The search ends when all values are exact or the budget is spent. replies: whether to continue with a search for
        the replies that hold and for a line to the end of the game. With ``replies``, the last knowledge is the result
        of ask(). The parameter ``way`` and the exceptions are the same as in ask().
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
        """Search until it is known whether a position's value is ``goal`` or more, or the budget is spent."""
        if self.live is None:
            return UNKNOWN
        answer = self.live.decide(position, goal, budget)
        self._ledger.learn(position, answer)
        return answer

    def best(self, position: Position, value: int, budget: Budget) -> int | None:
        """Search for a move that keeps a position's value. Return None if the budget is too small."""
        goal = goal_of(value, position.black_to_move)
        answer = self.decide(position, goal, budget)
        return answer.best if answer.at_least(goal) is position.black_to_move else None

    def why(self, position: Position, move: int) -> str:
        """Return a sentence that explains why a move is worse than the best move.

        If the move is a best move, or if too little is known without a kernel, the sentence says so. Raise IllegalMove
        if the move is illegal.
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
        """Return an inquiry about a position. First write the statements about the earlier positions into the ledger.

        Each earlier position is looked up only once in a session. On exit, the ledger keeps the bounds of the positions
        and of their moves.
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
        """Return the knowledge. budget: the budget of a search for a line to the end, or None for no search."""
        if self.live is None or budget is None:
            return inquiry.knowledge()
        return inquiry.knowledge(lambda position, value: self.best(position, value, budget))
