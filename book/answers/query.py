"""A position in, all that is known of it out: from every source, from what follows, and from a search.

Three answers are kept apart everywhere: not in the book; in the book, undecided (bounds that do not tell the winner
yet); and proven. Each bound keeps the names of its sources.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import reduce

from book.answers.live import Budget, Live
from book.answers.sources import BY_MOVES, BY_POSITION, KERNEL, LINE, RULES, Origin, Said, Source
from book.answers.strategy import least_best
from book.store.facts import Choice, Contradiction
from solver.answer import BLACK_WINS, LEAST, MOST, Answer
from solver.bounds import UNKNOWN, Bounds, for_mover, meet, of_moves
from solver.position import Position
from solver.symmetry import canonical_key, position_of

#: The most nodes for which replies hold: a second. After an early move that would cost more than all values do.
_REPLY_NODES = 4_000_000

#: The three answers to what is known of a position, wherever a program reads them.
NOT_IN_BOOK, UNDECIDED, PROVEN = "not-in-book", "undecided", "proven"


def state_of(answer: Answer | None) -> str:
    """Return which of the three answers it is that is known of a position: None when nothing is.

    >>> state_of(None), state_of(Answer(-24, 9, None, 0)), state_of(Answer(3, 24, None, 0))
    ('not-in-book', 'undecided', 'proven')
    """
    if answer is None:
        return NOT_IN_BOOK
    return UNDECIDED if answer.winner is None else PROVEN


@dataclass
class Stated:
    """The bounds known so far of a position's value.

    key: its canonical key.
    lo_from, hi_from: who says so; nobody for a bound that holds for every position.
    winner_from: who says enough to tell who wins.
    named: the sources that have the position, whatever they say of it. nodes: searched for it now.
    """

    key: int
    lo: int = LEAST
    hi: int = MOST
    lo_from: tuple[Origin, ...] = ()
    hi_from: tuple[Origin, ...] = ()
    winner_from: tuple[Origin, ...] = ()
    named: tuple[Origin, ...] = ()
    nodes: int = 0

    @property
    def answer(self) -> Answer:
        """The bounds without a move."""
        return Answer(self.lo, self.hi, None, self.nodes)

    def take(self, lo: int, hi: int, lo_from: Iterable[Origin], hi_from: Iterable[Origin]) -> None:
        """Take bounds that somebody states; raises Contradiction when they cannot be true with the others."""
        if lo >= BLACK_WINS or hi < BLACK_WINS:
            self.winner_from = _joined(self.winner_from, lo_from if lo >= BLACK_WINS else hi_from)
        if lo > self.lo:
            self.lo, self.lo_from = lo, tuple(lo_from)
        elif lo == self.lo > LEAST:
            self.lo_from = _joined(self.lo_from, lo_from)
        if hi < self.hi:
            self.hi, self.hi_from = hi, tuple(hi_from)
        elif hi == self.hi < MOST:
            self.hi_from = _joined(self.hi_from, hi_from)
        if self.lo > self.hi:
            raise Contradiction(
                f"{_names(self.lo_from)}: {self.lo:+d} or more, and {_names(self.hi_from)}: {self.hi:+d} or less,"
                f" cannot both be true of the position {self.key}"
            )

    def follow(self, lo: int, hi: int, lo_from: Iterable[Origin], hi_from: Iterable[Origin]) -> None:
        """Take what follows from other bounds, where it says more than is known."""
        self.take(lo if lo > self.lo else LEAST, hi if hi < self.hi else MOST, lo_from, hi_from)

    def learn(self, answer: Answer) -> None:
        """Take what a search has found, where it says more than is known."""
        self.nodes = answer.nodes
        self.follow(answer.lo, answer.hi, [Origin(KERNEL)], [Origin(KERNEL)])


@dataclass(frozen=True)
class Knowledge:
    """All that is known about a position.

    answer: bounds and best move; a finished game's score; None when the position is not in the book.
    lo_from, hi_from: where the bounds come from; nothing for -24 and 24. winner_from: who says enough to tell who wins.
    pv: the principal variation, best moves for as long as they are known.
    named: the sources that have the position, whatever they say of it.
    moves: the legal moves, in groups that a symmetry makes one; those best for the mover first.
    choice: what our player plays, where a source tells it.
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

    @property
    def bounds(self) -> Answer:
        """The answer, and of a position that is not in the book what holds for every position."""
        return self.answer or UNKNOWN

    @property
    def lo(self) -> int:
        """The least that the value can be."""
        return self.bounds.lo

    @property
    def hi(self) -> int:
        """The most that the value can be."""
        return self.bounds.hi

    @property
    def value(self) -> int | None:
        """The exact value, or None."""
        return self.bounds.value

    @property
    def winner(self) -> int | None:
        """The colour that is proven to win, or None."""
        return self.bounds.winner

    @property
    def best(self) -> int | None:
        """The best move, or None."""
        return self.bounds.best

    @property
    def state(self) -> str:
        """Which of the three answers it is, as ``state_of`` names them."""
        return state_of(self.answer)

    @property
    def source(self) -> str:
        """The word for JSON: ``book`` (a file has it), ``live`` (it was searched now, at least in part) or ``none``."""
        if self.answer is None or self.position.is_over:
            return "none"
        return "live" if any(origin.kind == KERNEL for origin in (*self.lo_from, *self.hi_from)) else "book"

    @property
    def kinds(self) -> list[str]:
        """The kinds of the sources that say so, what follows from others left out."""
        origins = (*self.winner_from, *self.lo_from, *self.hi_from) or self.named
        return list(dict.fromkeys(each.kind for each in origins if each.kind not in (BY_MOVES, BY_POSITION)))

    @property
    def after_moves(self) -> list[tuple[int, "Knowledge"]]:
        """Each legal move with what is known after it or after its image, those best for the mover first."""
        return [(move, known.after) for known in self.moves for move in known.moves]

    @property
    def exact(self) -> int:
        """Of how many legal moves the exact value is known."""
        return sum(len(known.moves) for known in self.moves if known.after.value is not None)

    @property
    def best_moves(self) -> list[int]:
        """The moves that are proven to be worth as much as the position, images of each other too."""
        return sorted(move for known in self.moves if known.lost == (0, 0) for move in known.moves)


@dataclass(frozen=True)
class KnownMove:
    """Moves that lead to the same position but for a turn or a reflection, and what is known of them.

    moves: the moves, the one that ``after`` is the position of first.
    lost: how many points they lose against the best move, at least and at most.
    replies: how many the other side has. holding: after how many of them it still wins. open: of how many that is not
        known.
    """

    moves: tuple[int, ...]
    after: Knowledge
    lost: tuple[int, int]
    replies: int
    holding: int
    open: int


def met(before: Knowledge, after: Knowledge) -> tuple[Knowledge, Knowledge]:
    """Return what is known before and after a move, each with what follows from the other.

    A move is worth no more to its mover than the position. Raises Contradiction.
    """
    black = before.position.black_to_move
    lo, hi = (after.lo, MOST) if black else (LEAST, after.hi)
    here = _followed(before, lo, hi, BY_MOVES, after)
    lo, hi = (LEAST, before.hi) if black else (before.lo, MOST)
    return here, _followed(after, lo, hi, BY_POSITION, before)


def _followed(known: Knowledge, lo: int, hi: int, why: str, other: Knowledge) -> Knowledge:
    stated = Stated(
        canonical_key(known.position), known.lo, known.hi, known.lo_from, known.hi_from, known.winner_from, known.named
    )
    stated.follow(lo, hi, _joined((Origin(why),), other.lo_from), _joined((Origin(why),), other.hi_from))
    if (stated.lo, stated.hi) == (known.lo, known.hi):
        return known
    return replace(
        known,
        answer=known.bounds._replace(lo=stated.lo, hi=stated.hi),
        lo_from=stated.lo_from,
        hi_from=stated.hi_from,
        winner_from=stated.winner_from,
    )


@dataclass
class _Group:
    """Moves that lead to one position but for a turn or a reflection: where the first of them leads."""

    moves: list[int]
    after: Position
    replies: list[int] = field(default_factory=list)


class Inquiry:
    """The bounds of a position, of those after its moves and of those after the replies to these."""

    def __init__(
        self,
        sources: Sequence[Source],
        position: Position,
        moves: bool = True,
        replies: bool = True,
        guess: int | None = None,
        followed: Mapping[int, Stated] | None = None,
    ) -> None:
        """Ask the sources. moves, replies: whether about the moves, and about replies to moves of known value, too.

        guess: what the position's value may be. followed: by canonical key, what follows of positions from others.
        Raises Contradiction when two sources cannot both be right.
        """
        self._sources = sources
        self._followed = followed or {}
        self._position = position
        self._guess = guess
        self._bounds: dict[int, Stated] = {}
        self._asked: set[int] = set()
        self._hint: int | None = None
        self._ask(position)
        self._groups = self._grouped(position, replies) if moves else []
        self.follow()

    def _grouped(self, position: Position, replies: bool) -> list[_Group]:
        """Ask about all within two plies of a position; return its moves, those alike together."""
        groups: dict[int, _Group] = {}
        for move in position.legal_moves():
            after = position.play(move)
            key = canonical_key(after)
            if key in groups:
                groups[key].moves.append(move)
                continue
            groups[key] = _Group([move], after)
            self._ask(after)
            if replies or self._at(key).answer.value is None:
                groups[key].replies = [self._ask(after.play(reply)) for reply in after.legal_moves()]
        for source in self._sources:
            for move, said in source.said_of_moves(position).items():
                self._of(position.play(move)).follow(said.lo, said.hi, [said.origin], [said.origin])
        return list(groups.values())

    def _ask(self, position: Position) -> int:
        """Ask the sources about a position and its moves; return its canonical key."""
        key = canonical_key(position)
        if key in self._asked:
            return key
        self._asked.add(key)
        bounds = self._at(key)
        if position.is_over:
            bounds.take(position.margin, position.margin, *[[Origin(RULES)]] * 2)
            return key
        for source in self._sources:
            for said in source.said_of(position):
                bounds.named = _joined(bounds.named, [said.origin])
                bounds.take(said.lo, said.hi, [said.origin], [said.origin])
                for move in said.best:
                    lo, hi = (said.lo, MOST) if position.black_to_move else (LEAST, said.hi)
                    self._at(canonical_key(position.play(move))).take(lo, hi, [said.origin], [said.origin])
        if key in self._followed:
            known = self._followed[key]
            bounds.nodes = known.nodes
            bounds.follow(known.lo, known.hi, known.lo_from, known.hi_from)
        return key

    def _at(self, key: int) -> Stated:
        return self._bounds.setdefault(key, Stated(key))

    def _of(self, position: Position) -> Stated:
        return self._at(canonical_key(position))

    # What follows

    def follow(self) -> None:
        """Draw the conclusions: from replies to moves, from these to the position, and back to its moves."""
        for group in self._groups:
            if group.replies:
                _follow_up(self._of(group.after), group.after, [self._at(key) for key in group.replies])
        here = self._of(self._position)
        if self._groups:
            _follow_up(here, self._position, [self._of(group.after) for group in self._groups])
        least = for_mover(self._position, here).lo
        able = [group for group in self._groups if for_mover(self._position, self._of(group.after)).hi >= least]
        for group in self._groups:
            # No move is worth more to the mover than the position, and if only one can be worth as much, it is.
            lo, hi = (LEAST, here.hi) if self._position.black_to_move else (here.lo, MOST)
            if able == [group]:
                lo, hi = here.lo, here.hi
            why = Origin(BY_POSITION)
            self._of(group.after).follow(lo, hi, _joined((why,), here.lo_from), _joined((why,), here.hi_from))

    def known(self) -> dict[int, Stated]:
        """Return by canonical key what is known of the position and of those after its moves."""
        bounds = [self._of(self._position), *(self._of(group.after) for group in self._groups)]
        return {each.key: each for each in bounds if _is_known(each)}

    # Searching

    def search(self, live: Live, budget: Budget, replies: bool) -> Iterator[None]:
        """Search what is open: who wins after each move, exact values, and then which replies hold.

        replies: whether these are of interest. Yields many times a second.
        """
        for key, bounds in self._bounds.items():
            if _is_known(bounds):
                live.teach(position_of(key), bounds)
        here = self._of(self._position)
        if self._groups:
            moves = {move: self._of(group.after) for group in self._groups for move in group.moves}
            yield from self._settle(live, budget, self._position, moves, lambda answer: answer.value is not None)
        elif here.answer.value is None:
            answer = live.value(self._position, budget, self._guess)
            here.learn(answer)
            self._hint = answer.best
            yield
        self.follow()
        spare = live.nodes(_REPLY_NODES)
        rest: Budget = lambda: min(budget(), spare())  # noqa: E731
        for group in sorted(self._groups, key=self._rank) if replies else ():
            if self._of(group.after).answer.winner == group.after.mover:
                moves = dict(zip(group.after.legal_moves(), map(self._at, group.replies), strict=True))
                yield from self._settle(live, rest, group.after, moves, lambda answer: answer.winner is not None)

    def _settle(
        self,
        live: Live,
        budget: Budget,
        position: Position,
        moves: Mapping[int, Stated],
        is_settled: Callable[[Answer], bool],
    ) -> Iterator[None]:
        """Search a position's moves until what is known of each is enough."""
        known = {move: bounds.answer for move, bounds in moves.items()}
        if all(map(is_settled, known.values())):
            return
        here = self._of(position)
        for found in live.moves(position, known, here.answer, budget):
            for move, bounds in moves.items():
                bounds.learn(found[move])
            here.learn(of_moves(position, found))
            yield
            if all(is_settled(bounds.answer) for bounds in moves.values()):
                return

    # What came of it

    def knowledge(self, line: Callable[[Position, int], int | None] = lambda position, value: None) -> Knowledge:
        """Put together what is known.

        line: returns a move that keeps a position's value, where no source tells the principal variation.
        """
        here, position = self._of(self._position), self._position
        moves = tuple(self._known_move(group) for group in sorted(self._groups, key=self._rank))
        choice = next((found for found in self._choices() if found is not None), None)
        best = self._best(moves, choice)
        answer = here.answer._replace(best=best) if _is_known(here) else None
        pv = () if best is None or here.answer.winner is None else (best, *self._line(position.play(best), here, line))
        return Knowledge(position, answer, here.lo_from, here.hi_from, here.winner_from, pv, moves, choice, here.named)

    def _choices(self) -> Iterator[Choice | None]:
        if not self._position.is_over:
            for source in self._sources:
                yield source.choice(self._position)

    def _known_move(self, group: _Group) -> KnownMove:
        bounds = self._of(group.after)
        answer, pv = bounds.answer, tuple(self._line(group.after, bounds))
        after = Knowledge(
            group.after,
            answer._replace(best=pv[0] if pv else None) if _is_known(bounds) else None,
            bounds.lo_from,
            bounds.hi_from,
            bounds.winner_from,
            pv,
            named=bounds.named,
        )
        winners = [self._at(key).answer.winner for key in group.replies]
        if answer.winner == self._position.mover:
            holding = unknown = 0
        else:
            holding, unknown = winners.count(group.after.mover), winners.count(None)
        return KnownMove(tuple(group.moves), after, self._lost(group), len(winners), holding, unknown)

    def _lost(self, group: _Group) -> tuple[int, int]:
        """Return the points that a move loses against the best one, at least and at most."""
        least, most = for_mover(self._position, self._of(self._position))
        lo, hi = for_mover(self._position, self._of(group.after))
        others = [for_mover(self._position, self._of(each.after)).hi for each in self._groups if each is not group]
        # A move that is no worse than any other is the best, whatever it is worth.
        return max(0, least - hi), max(0, min(most, max(others, default=lo)) - lo)

    def _rank(self, group: _Group) -> tuple[int, int, int]:
        """Return a key that sorts the mover's best moves first: wins, then open ones, then losses."""
        bounds = self._of(group.after)
        lo, hi = for_mover(self._position, bounds)
        winner = bounds.answer.winner
        return (1 if winner is None else 0 if winner == self._position.mover else 2), -lo, -hi

    def _best(self, moves: Sequence[KnownMove], choice: Choice | None) -> int | None:
        """Return a best move: a line's that ships, or the least.

        Where none is known it is the most promising one: what we play, or what a source names.
        """
        proven = [move for known in moves if known.lost == (0, 0) for move in known.moves]
        if proven:
            on_line = self._on_line(self._position)
            return on_line if on_line in proven else min(proven)
        named = [] if choice is None or not moves else [choice.move]
        named += [move for said in self._said(self._position) for move in said.best]
        named += [] if self._hint is None or not moves else [self._hint]
        first = moves[0].after.answer if moves else None
        top = [move for known in moves if known.after.answer == first for move in known.moves]
        found = [move for move in named if move in top] or named[:1]
        if found:
            return found[0]
        # Of several about which the same is known, none is more promising than the others.
        return top[0] if [known.after.answer for known in moves].count(first) == 1 and first is not None else None

    def _said(self, position: Position) -> list[Said]:
        """Return the statements about a position that is not over, those best for the mover first."""
        if position.is_over:
            return []
        said = [said for source in self._sources for said in source.said_of(position) if said.best]
        return sorted(said, key=lambda each: -each.lo if position.black_to_move else each.hi)

    def _line(
        self, position: Position, bounds: Stated, line: Callable[[Position, int], int | None] = lambda *_: None
    ) -> Iterator[int]:
        """Yield moves that keep the value, or where that is not known the win, for as long as they are known."""
        lo, hi = bounds.lo, bounds.hi
        if lo < hi and bounds.answer.winner is not None:
            lo, hi = (BLACK_WINS, MOST) if lo >= BLACK_WINS else (LEAST, BLACK_WINS - 1)
        while not position.is_over:
            move = self._next(position, lo, hi)
            if move is None and lo == hi:
                move = line(position, lo)
            if move is None:
                return
            yield move
            position = position.play(move)

    def _next(self, position: Position, lo: int, hi: int) -> int | None:
        """Return a move after which the bounds still hold.

        Of a value's best moves it is that of a line which ships, for such a line goes on to the end, or else the least
        where that is known.
        """
        if lo == hi:
            on_line = self._on_line(position)
            best = least_best(position, lo, self._known) if on_line is None else on_line
            if best is not None:
                return best
        for said in self._said(position):
            if said.lo >= lo if position.black_to_move else said.hi <= hi:
                return said.best[0]
        for group in self._groups:
            if group.after == position:
                for move, key in zip(position.legal_moves(), group.replies, strict=True):
                    reply = self._at(key)
                    if reply.lo >= lo > LEAST if position.black_to_move else reply.hi <= hi < MOST:
                        return move
        return None

    def _on_line(self, position: Position) -> int | None:
        """Return the next move of a line of best play that ships and leads through a position."""
        return next((said.best[0] for said in self._said(position) if said.origin.kind == LINE), None)

    def _known(self, position: Position) -> Answer | None:
        """Return bounds of a position, which may be further away than those that were asked about."""
        key = canonical_key(position)
        if key in self._bounds:
            return self._bounds[key].answer
        said = [said for source in self._sources for said in source.said_of(position)]
        return Answer(*reduce(meet, said, Bounds()), None, 0) if said else None


def _follow_up(bounds: Stated, position: Position, after: Sequence[Stated]) -> None:
    """Take what the bounds after all moves of a position say of it."""
    why = (Origin(BY_MOVES),)
    if position.black_to_move:
        best = max(after, key=lambda each: each.lo)
        all_from = [origin for each in after for origin in each.hi_from]
        bounds.follow(best.lo, max(each.hi for each in after), _joined(why, best.lo_from), _joined(why, all_from))
    else:
        best = min(after, key=lambda each: each.hi)
        all_from = [origin for each in after for origin in each.lo_from]
        bounds.follow(min(each.lo for each in after), best.hi, _joined(why, all_from), _joined(why, best.hi_from))


def _is_known(bounds: Stated) -> bool:
    return bool(bounds.named) or (bounds.lo, bounds.hi) != (LEAST, MOST)


def _joined(origins: Iterable[Origin], others: Iterable[Origin]) -> tuple[Origin, ...]:
    return tuple(dict.fromkeys((*origins, *others)))


def _names(origins: Iterable[Origin]) -> str:
    return ", ".join(map(str, origins))
