"""The review of a game: the value after each ply, the mistakes, and the turning point.

A mistake is a move with a worse value than the best move, and the cost of the mistake is the difference in points. The
turning point is the fault that ended the game or, without such a fault, the last move that changed the winner.
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

#: Maximum nodes for the value of a position, which is enough for every position.
NODES = 500_000_000

#: Maximum nodes for the value of a position if many games are reviewed. The kernel searches this number of nodes in 0.1
#: s.
REVIEW_NODES = 300_000

#: In a line of best play, the node limit of a position is 1/LINE_SHARE of the limit for a value, but at least
#: QUICK_NODES.
LINE_SHARE = 20

#: Maximum nodes for all values of a game, without the lines of best play. The search takes less than 3 s on two cores.
GAME_NODES = 12_000_000

#: Maximum nodes for each position in the first round of searches, and in the second round, which determines only
#: winners.
QUICK_NODES, WINNER_NODES = 300_000, 3_000_000


class Evaluator:
    """An evaluator of positions in games, which reuses earlier searches."""

    def __init__(
        self,
        sources: Sequence[Source],
        nodes: int = NODES,
        table_mib: int | None = None,
        game_nodes: int | None = None,
    ) -> None:
        """Prepare the evaluator. table_mib: see LiveSearch.

        nodes: the maximum number of nodes for the value of a position, after which the evaluator returns bounds.
        game_nodes: the maximum number of nodes for all positions of a game; None for no limit. These limits of nodes do
        not apply to explanations.
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

    def for_game(self, game: Variant) -> "Evaluator":
        """Return an evaluator for a length and komi that shares the sources and the search with this evaluator."""
        if game not in self._by_game:
            evaluator = copy(self)
            evaluator._service, evaluator._tried = Service(self._sources, self._live, game=game), {}
            evaluator._explained = {}
            self._by_game[game] = evaluator
        return self._by_game[game]

    @property
    def searched(self) -> int:
        """The number of nodes of all searches so far."""
        return self._live.searched

    def known_of_all(self, positions: Sequence[Position]) -> list[Knowledge]:
        """Return the final knowledge of each position of a game."""
        *_, (known, _) = self.partial_values(positions)
        return known

    def partial_values(self, positions: Sequence[Position]) -> Iterator[tuple[list[Knowledge], frozenset[int]]]:
        """Yield the knowledge of each position of a game, and the indices of the positions whose value is not settled.

        The first result comes before any search, and the last result when all values are settled. The search has three
        rounds: exact values with few nodes for each position, winners that are not known yet, and exact values. Each
        round begins with the last position, because the value of a late position helps to search earlier positions. The
        value of a position bounds the value after a move and vice versa, so consecutive positions exchange bounds.
        """
        node_limit = None if self._game_nodes is None else self.searched + self._game_nodes
        known = [self._service.ask(each, way=positions[:ply], moves=False) for ply, each in enumerate(positions)]
        for nodes, exact in self._rounds():
            for ply in range(len(positions) - 1, -1, -1):
                known = _passed_on(known)
                unsettled = open_plies(known)
                yield known, unsettled
                nodes_left = nodes if node_limit is None else min(nodes, node_limit - self.searched)
                if ply in unsettled and nodes_left > 0 and (exact or known[ply].winner is None):
                    found = self._search(positions, known, ply, nodes_left, exact=exact)
                    known = [*known[:ply], found, *known[ply + 1 :]]
        yield _passed_on(known), frozenset()

    def _rounds(self) -> Iterator[tuple[int, bool]]:
        """Yield for each round the maximum nodes for a position, and whether exact values are searched."""
        yield min(QUICK_NODES, self._nodes), True
        yield min(WINNER_NODES, self._nodes), False
        yield self._nodes, True

    def _search(
        self, positions: Sequence[Position], known: Sequence[Knowledge], ply: int, nodes: int, *, exact: bool
    ) -> Knowledge:
        """Search one position of a game, and return what is then known. exact: whether to search the exact value."""
        guess = known[ply + 1].value if ply + 1 < len(known) else None
        if exact:
            return self.known(positions[ply], guess, nodes, positions[:ply])
        self._service.decide(positions[ply], self._service.game.least, self._live.nodes(nodes))
        return self.known(positions[ply], guess, 1, positions[:ply])

    def known(
        self, position: Position, guess: int | None = None, nodes: int | None = None, way: Sequence[Position] = ()
    ) -> Knowledge:
        """Return the knowledge of a position after a search.

        guess: a value that the position may have. nodes: the maximum number of nodes; None for the evaluator's maximum.
        way: the earlier positions of the game, as in Service.ask().
        """
        key, nodes = canonical_key(position), nodes or self._nodes
        budget = self._live.nodes(nodes) if nodes > self._tried.get(key, 0) else None
        self._tried[key] = max(nodes, self._tried.get(key, 0))
        return self._service.ask(position, budget, way=way, moves=False, guess=guess)

    def values(self, position: Position, way: Sequence[Position]) -> Iterator[Knowledge]:
        """Yield the knowledge of a position and its moves, several times a second, until all values are exact.

        The search ends after the evaluator's maximum number of nodes. way: see Service.ask().
        """
        return self._service.updates(position, self._live.nodes(self._nodes), LOOK_SECONDS, way)

    def line(self, position: Position, plies: int) -> list[int]:
        """Return a line of best play, up to the first position whose best move is not proven.

        plies: the maximum length of the line. ``teaching_line`` chooses the last moves of the line.
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
        """Return an explanation of why a move is worse than the best move; None if the move is not worse.

        This search has no limit on the number of nodes.
        """
        which = key_of(position), move
        if which not in self._explained:
            self._explained[which] = explained(position, move, self._live.judge, self._service.game)
        return self._explained[which]


def open_plies(known: Sequence[Knowledge]) -> frozenset[int]:
    """Return the indices of the positions whose value is not exact."""
    return frozenset(number for number, each in enumerate(known) if each.value is None)


def _passed_on(known: Sequence[Knowledge]) -> list[Knowledge]:
    """Return the knowledge of the positions of a game after consecutive positions exchanged bounds."""
    found = list(known)
    for at in range(len(found) - 1, 0, -1):
        found[at - 1] = pass_on(found[at - 1], found[at])[0]
    for at in range(1, len(found)):
        found[at] = pass_on(found[at - 1], found[at])[1]
    return found


@dataclass(frozen=True)
class Mistake:
    """A move that is worse than the best move.

    ply: the ply of the move, from 1. position: the position before the move. before, after: the knowledge of the
    positions before and after the move. cost: the points that the move gave away, which are a lower bound unless
    ``exact`` is set. decisive: whether the move changed the winner. instead, answer: best play to the end of the game,
    in place of the move and after the move. reason: the reason why the move is a mistake. ``with_lines`` sets instead,
    answer and reason, which are empty before.
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
        """The colour that made the mistake: 1 for Black, 2 for White."""
        return self.position.mover

    @property
    def kind(self) -> str:
        """The kind of mistake, one of solver.native.explain.KINDS: a PASS, or the event in the reason."""
        return judging.kind_of(move_name(self.move), OTHER if self.reason is None else self.reason.kind)

    def record(self) -> dict[str, Any]:
        """Return the mistake as a dictionary for JSON."""
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

    positions, known: the position and the knowledge at the start and after each move. mistakes: the mistakes in the
    order of plies. open: the indices of the positions whose value is still being searched. unexplained: the number of
    mistakes at the beginning of the list that are not explained yet.
    """

    game: GameToReview
    positions: tuple[Position, ...]
    known: tuple[Knowledge, ...]
    mistakes: tuple[Mistake, ...]
    open: frozenset[int] = frozenset()
    unexplained: int = 0

    @property
    def state(self) -> State:
        """The host's last state of the game."""
        return self.game.state

    @property
    def fault(self) -> Fault | None:
        """The fault that ended the game, or None."""
        return fault_in(self.state, *self.known[-1:])

    @property
    def turning_point(self) -> Mistake | Fault | None:
        """The fault that ended the game, or else the last move that changed the winner, or else None."""
        turning = judging.turning_point([vars(mistake) for mistake in self.mistakes])
        return self.fault or (self.mistakes[turning] if turning >= 0 else None)

    @property
    def start(self) -> Position:
        """The position before the first move."""
        return self.game.state.start

    @property
    def first_ply(self) -> int:
        """The number of plies before the first move of the record."""
        return self.start.ply - self.game.game.first_ply

    def moves(self) -> list[int]:
        """Return the legal moves of the game."""
        return [parse_move(name) for name in self.state.moves[: len(self.positions) - 1]]

    def record(self) -> dict[str, Any]:
        """Return the review as a dictionary for JSON. Values are from Black's side, and None if they are not exact."""
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
    """Return the review of a game. colours: the colours whose mistakes are explained."""
    *_, last = partial_reviews(game, evaluator, colours)
    return last


def partial_reviews(game: GameToReview, evaluator: Evaluator, colours: Collection[int] = (1, 2)) -> Iterator[Review]:
    """Yield the review of a game repeatedly while it is computed; the last review is complete.

    colours: the colours whose mistakes are explained. Mistakes of another colour have no lines of best play.
    """
    positions, evaluator = positions_of(game.state), evaluator.for_game(game.game)
    moves = list(map(parse_move, game.state.moves[: len(positions) - 1]))
    so_far = Review(game, tuple(positions), (), ())
    for known, unsettled in evaluator.partial_values(positions):
        judged = (judge_move(move, *known[at : at + 2]) for at, move in enumerate(moves))
        mistakes = tuple(mistake for mistake in judged if mistake)
        so_far = replace(so_far, known=tuple(known), mistakes=mistakes, open=unsettled, unexplained=len(mistakes))
        yield so_far
    for at in range(len(so_far.mistakes) - 1, -1, -1):
        # Late mistakes are explained first, because these explanations need few nodes and help to explain early
        # mistakes.
        mistake = so_far.mistakes[at]
        if mistake.mover in colours:
            mistake = with_lines(mistake, evaluator)
        whole = (*so_far.mistakes[:at], mistake, *so_far.mistakes[at + 1 :])
        so_far = replace(so_far, mistakes=whole, unexplained=at)
        yield so_far


def with_progress(stages: Iterable[Review], progress: Progress) -> Iterator[Review]:
    """Yield the given stages of a review, and show the progress of the review."""
    for review in stages:
        if review.open:
            progress.settled("values settled", len(review.known) - len(review.open), len(review.known))
        else:
            progress.settled("mistakes explained", len(review.mistakes) - review.unexplained, len(review.mistakes))
        yield review


def judge_move(move: int, before: Knowledge, after: Knowledge) -> Mistake | None:
    """Return a move as a Mistake without lines of best play, or None if the move is not proven to be a mistake.

    before, after: the knowledge of the positions before and after the move.
    """
    position, game = before.position, before.game
    found = judging.judged(position.black_to_move, [before.lo, before.hi], [after.lo, after.hi], game.least)
    if found["cost"] <= 0:
        return None
    return Mistake(position.ply - game.first_ply + 1, position, move, before, after, **found)


def with_lines(mistake: Mistake, evaluator: Evaluator) -> Mistake:
    """Return the mistake with its reason, and with best play in place of the move and after the move."""
    found = evaluator.for_game(mistake.before.game).explained(mistake.position, mistake.move)
    assert found is not None, "a move that costs points is worse than the best move"
    return replace(mistake, instead=found.better, answer=found.worse[1:], reason=found.reason)
