"""A reviewed game: its value after each ply, the mistakes, and the turning point.

A mistake is a move of a worse value than the best; its cost is the difference in points. The turning point is the fault
that ended the game, or else the last move that changed the winner.
"""

from collections.abc import Collection, Iterable, Iterator, Sequence
from copy import copy
from dataclasses import dataclass, replace
from typing import Any

from little_go.arena.match.host import State
from little_go.arena.review.fault import Fault, fault_in
from little_go.arena.review.reading import GameToReview, positions_of
from little_go.arena.standings.tally import Progress
from little_go.book.answers import judging
from little_go.book.answers.live import LOOK_SECONDS, LiveSearch
from little_go.book.answers.query import Knowledge, Service, pass_on
from little_go.book.answers.reasons import LATE_LEFT, Explanation, Reason, explained, teaching_line
from little_go.book.answers.report import origins_record
from little_go.book.answers.sources import Source
from little_go.notation.record import to_record
from little_go.solver.bounds import COLOURS
from little_go.solver.family import COURSE, Variant
from little_go.solver.native.explain import OTHER
from little_go.solver.position import Position, move_name, parse_move
from little_go.solver.symmetry import canonical_key, key_of

#: Maximum nodes for a position's value: enough for any.
NODES = 500_000_000

#: Nodes for a position's value where there are many games: 0.1 s.
REVIEW_NODES = 300_000

#: A line of best play may take 1/LINE_SHARE of them for each position, and at least a first round's.
LINE_SHARE = 20

#: Nodes for the values of a whole game, less than 3 s on two cores, without the lines.
GAME_NODES = 12_000_000

#: Nodes for each position in a game's first round, and in the second, which decides the winner.
QUICK_NODES, WINNER_NODES = 300_000, 3_000_000


class Evaluator:
    """Finds the values of the positions of games, reusing earlier searches."""

    def __init__(
        self,
        sources: Sequence[Source],
        nodes: int = NODES,
        table_mib: int | None = None,
        game_nodes: int | None = None,
    ) -> None:
        """nodes: maximum for a position's value; if they do not suffice, it has bounds.

        game_nodes: maximum for all of a game's positions, None for no limit. Explanations have no limit. table_mib, and
        errors: as in LiveSearch.
        """
        self._live = LiveSearch(table_mib)
        self._sources = sources
        self._service = Service(sources, self._live, game=COURSE)
        self._nodes = nodes
        self._line_nodes = max(nodes // LINE_SHARE, min(nodes, QUICK_NODES))
        self._game_nodes = game_nodes
        self._tried: dict[int, int] = {}
        self._explained: dict[tuple[int, int], Explanation | None] = {}
        self._by_game = {COURSE: self}

    def of(self, game: Variant) -> "Evaluator":
        """Return the evaluator of another game, with the same sources and search."""
        if game not in self._by_game:
            other = copy(self)
            other._service, other._tried = Service(self._sources, self._live, game=game), {}
            other._explained = {}
            self._by_game[game] = other
        return self._by_game[game]

    @property
    def searched(self) -> int:
        """The nodes of all searches so far."""
        return self._live.searched

    def known_of_all(self, positions: Sequence[Position]) -> list[Knowledge]:
        """Value each position of a game, as ``partial_values`` does."""
        *_, (known, _) = self.partial_values(positions)
        return known

    def partial_values(self, positions: Sequence[Position]) -> Iterator[tuple[list[Knowledge], frozenset[int]]]:
        """Yield the knowledge of each position of a game and the plies still searched; at last these are none.

        Rounds: without search; few nodes for each position; the winner where it is open; exact values. Each round
        starts with the last position, whose answer helps with the earlier ones. A move is worth no more to its mover
        than the position, so bounds pass between positions before and after a move.
        """
        limit, searched = self._game_nodes, self.searched
        known = [self._service.ask(each, way=positions[:ply], moves=False) for ply, each in enumerate(positions)]
        for nodes, exact in self._rounds():
            for ply in range(len(positions) - 1, -1, -1):
                _pass_on(known)
                left = open_plies(known)
                yield known, left
                spare = nodes if limit is None else limit + searched - self.searched
                if ply in left and spare > 0 and (exact or known[ply].winner is None):
                    if not exact:
                        self._service.decide(
                            positions[ply], self._service.game.least, self._live.nodes(min(nodes, spare))
                        )
                    guess = known[ply + 1].value if ply + 1 < len(known) else None
                    known[ply] = self.known(positions[ply], guess, min(nodes, spare) if exact else 1, positions[:ply])
        _pass_on(known)
        yield known, frozenset()

    def _rounds(self) -> Iterator[tuple[int, bool]]:
        """Yield each round's nodes for a position, and whether it searches exact values or only winners."""
        yield min(QUICK_NODES, self._nodes), True
        yield min(WINNER_NODES, self._nodes), False
        yield self._nodes, True

    def known(
        self, position: Position, guess: int | None = None, nodes: int | None = None, way: Sequence[Position] = ()
    ) -> Knowledge:
        """Value a position. guess: its possible value. nodes: fewer than usual. way: as in Service.ask()."""
        key, nodes = canonical_key(position), nodes or self._nodes
        budget = self._live.nodes(nodes) if nodes > self._tried.get(key, 0) else None
        self._tried[key] = max(nodes, self._tried.get(key, 0))
        return self._service.ask(position, budget, way=way, moves=False, guess=guess)

    def values(self, position: Position, way: Sequence[Position]) -> Iterator[Knowledge]:
        """Yield the knowledge of a position and its moves, several times a second until all is exact.

        way: as in Service.ask(). Limited to the nodes of a position's value.
        """
        return self._service.updates(position, self._live.nodes(self._nodes), LOOK_SECONDS, way)

    def line(self, position: Position, plies: int) -> list[int]:
        """Return a line of best play of at most ``plies`` plies; it ends where the best move is not proven.

        The last moves are those of ``teaching_line``.
        """
        moves: list[int] = []
        start = position
        while len(moves) < plies and position.left > LATE_LEFT:
            move = self.known(position, nodes=self._line_nodes).best
            if move is None:
                break
            moves.append(move)
            position = position.play(move)
        return teaching_line(start, moves)[:plies]

    def explained(self, position: Position, move: int) -> Explanation | None:
        """Return why a move is worse than the best one, without a limit of nodes; None where it is not."""
        what = key_of(position), move
        if what not in self._explained:
            self._explained[what] = explained(position, move, self._live.judge, self._service.game)
        return self._explained[what]


def open_plies(known: Sequence[Knowledge]) -> frozenset[int]:
    """Return the numbers of moves after which the value is not exact."""
    return frozenset(number for number, each in enumerate(known) if each.value is None)


def _pass_on(known: list[Knowledge]) -> None:
    """Pass bounds between the positions of a game, in both directions."""
    for at in range(len(known) - 1, 0, -1):
        known[at - 1] = pass_on(known[at - 1], known[at])[0]
    for at in range(1, len(known)):
        known[at] = pass_on(known[at - 1], known[at])[1]


@dataclass(frozen=True)
class Mistake:
    """A move that gave something away.

    ply: of the move, from 1. position: before it. before, after: knowledge of the positions before and after it. cost:
    points given away; a lower bound unless ``exact``. decisive: whether it changed the winner. instead, answer: best
    play in its place, and after it, to the end of the game. reason: of the mistake. The last three are empty until
    ``with_lines``.
    """

    ply: int
    position: Position
    move: int
    before: Knowledge
    after: Knowledge
    cost: int
    exact: bool
    decisive: bool
    instead: tuple[int, ...] = ()
    answer: tuple[int, ...] = ()
    reason: Reason | None = None

    @property
    def mover(self) -> int:
        """The colour that made it: 1 = Black, 2 = White."""
        return self.position.mover

    @property
    def kind(self) -> str:
        """The kind of error, one of solver.native.explain.KINDS: a PASS, or the event in its reason."""
        return judging.kind_of(move_name(self.move), OTHER if self.reason is None else self.reason.kind)

    def record(self) -> dict[str, Any]:
        """Return the mistake as JSON keys."""
        lines = {"instead": list(map(move_name, self.instead)), "answer": list(map(move_name, self.answer))}
        made = {
            "ply": self.ply,
            "mover": COLOURS[self.mover],
            "move": move_name(self.move),
            "cost": self.cost,
            "exact": self.exact,
            "decisive": self.decisive,
        }
        return judging.mistake_record(made, None if self.reason is None else {**self.reason._asdict(), **lines})


@dataclass(frozen=True)
class Review:
    """A reviewed game.

    positions, known: of the start and after each move, one more than the moves. open: numbers of moves after which the
    value is still searched. unexplained: the number of first mistakes that still lack lines.
    """

    game: GameToReview
    positions: tuple[Position, ...]
    known: tuple[Knowledge, ...]
    mistakes: tuple[Mistake, ...]
    open: frozenset[int] = frozenset()
    unexplained: int = 0

    @property
    def state(self) -> State:
        """The host's last state."""
        return self.game.state

    @property
    def fault(self) -> Fault | None:
        """The fault that ended the game, or None."""
        return fault_in(self.state, *self.known[-1:])

    @property
    def turning_point(self) -> Mistake | Fault | None:
        """The fault that ended the game, else the last move that changed the winner, or None."""
        turning = judging.turning_point([vars(mistake) for mistake in self.mistakes])
        return self.fault or (self.mistakes[turning] if turning >= 0 else None)

    @property
    def start(self) -> Position:
        """The position before the first move."""
        return self.game.state.start

    @property
    def first_ply(self) -> int:
        """The plies of the game before the first move."""
        return self.start.ply - self.game.game.first_ply

    def moves(self) -> list[int]:
        """Return the legal moves of the game."""
        return [parse_move(name) for name in self.state.moves[: len(self.positions) - 1]]

    def record(self) -> dict[str, Any]:
        """Return the review as JSON keys; values are Black's, null where not exact."""
        turning, fault = self.turning_point, self.fault
        result = self.state.result
        return {
            "game": self.game.source,
            "black": self.game.black,
            "white": self.game.white,
            "winner": None if result is None else COLOURS[result.winner],
            "reason": None if result is None else result.reason,
            "detail": "" if result is None else result.detail,
            "plies": [
                {
                    "move": None if not number else self.state.moves[number - 1],
                    "position": to_record(position, self.game.game),
                    "value": known.value,
                    "lo": known.lo,
                    "hi": known.hi,
                    "best_move": None if known.best is None else move_name(known.best),
                    "sources": known.sources,
                    **origins_record(known),
                }
                for number, (position, known) in enumerate(zip(self.positions, self.known, strict=True))
            ],
            "fault": None if fault is None else fault.record(),
            "mistakes": [mistake.record() for mistake in self.mistakes],
            "turning_point": None if turning is None else turning.ply,
        }


def review(game: GameToReview, evaluator: Evaluator, colours: Collection[int] = (1, 2)) -> Review:
    """Return the review of a game. colours: whose mistakes are explained."""
    *_, last = partial_reviews(game, evaluator, colours)
    return last


def partial_reviews(game: GameToReview, evaluator: Evaluator, colours: Collection[int] = (1, 2)) -> Iterator[Review]:
    """Yield a game's review repeatedly while it is computed; the last one is complete.

    colours: whose mistakes are explained; the others stay without lines.
    """
    positions, evaluator = positions_of(game.state), evaluator.of(game.game)
    moves = list(map(parse_move, game.state.moves[: len(positions) - 1]))
    so_far = Review(game, tuple(positions), (), ())
    for known, left in evaluator.partial_values(positions):
        judged = (judge_move(move, *known[at : at + 2]) for at, move in enumerate(moves))
        mistakes = tuple(mistake for mistake in judged if mistake)
        so_far = replace(so_far, known=tuple(known), mistakes=mistakes, open=left, unexplained=len(mistakes))
        yield so_far
    for at in range(len(so_far.mistakes) - 1, -1, -1):
        # Late mistakes are cheap, and their results help with the early ones.
        mistake = so_far.mistakes[at]
        if mistake.mover in colours:
            mistake = with_lines(mistake, evaluator)
        whole = (*so_far.mistakes[:at], mistake, *so_far.mistakes[at + 1 :])
        so_far = replace(so_far, mistakes=whole, unexplained=at)
        yield so_far


def with_progress(stages: Iterable[Review], progress: Progress) -> Iterator[Review]:
    """Yield a review's stages and show their progress."""
    for review in stages:
        if review.open:
            progress.settled("values settled", len(review.known) - len(review.open), len(review.known))
        else:
            progress.settled("mistakes explained", len(review.mistakes) - review.unexplained, len(review.mistakes))
        yield review


def judge_move(move: int, before: Knowledge, after: Knowledge) -> Mistake | None:
    """Return the proven mistake of a move, without lines, or None, given the knowledge before and after it."""
    position, game = before.position, before.game
    found = judging.judged(position.black_to_move, [before.lo, before.hi], [after.lo, after.hi], game.least)
    if found["cost"] <= 0:
        return None
    return Mistake(position.ply - game.first_ply + 1, position, move, before, after, **found)


def with_lines(mistake: Mistake, evaluator: Evaluator) -> Mistake:
    """Return a mistake with its reason and with best play in its place and after it."""
    found = evaluator.of(mistake.before.game).explained(mistake.position, mistake.move)
    assert found is not None, "what costs points is worse than the best move"
    return replace(mistake, instead=found.better, answer=found.worse[1:], reason=found.reason)
