"""A reviewed game: its value after each ply, the mistakes, and the turning point.

A mistake is a move of a worse value than the best; its cost is the difference in points. The turning point is the fault
that ended the game, or else the last move that changed the winner.
"""

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from arena.match.host import State
from arena.review.fault import Fault, fault_in
from arena.review.reading import Played, positions_of
from arena.review.worth import Valuer
from arena.standings.tally import Progress
from book.answers.query import Knowledge
from book.answers.reasons import Reason
from book.answers.report import origins_record
from notation.record import to_record
from solver.bounds import COLOURS
from solver.native.explain import OTHER, PASSES
from solver.position import PASS, Position, move_name, parse_move


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
        if self.move == PASS:
            return PASSES
        return OTHER if self.reason is None else self.reason.kind

    def record(self) -> dict[str, Any]:
        """Return the mistake as JSON keys."""
        why = self.reason
        return {
            "ply": self.ply,
            "mover": COLOURS[self.mover],
            "move": move_name(self.move),
            "cost": self.cost,
            "exact": self.exact,
            "decisive": self.decisive,
            "kind": self.kind,
            "best_move": move_name(self.instead[0]) if self.instead else None,
            "pv": list(map(move_name, self.instead)),
            "answer": list(map(move_name, self.answer)),
            "theme": None if why is None else why.theme,
            "why": None if why is None else why.text,
        }


@dataclass(frozen=True)
class Review:
    """A reviewed game.

    positions, worth: of the start and after each move, one more than the moves. open: numbers of moves after which the
    value is still searched. bare: the number of first mistakes that still lack lines.
    """

    game: Played
    positions: tuple[Position, ...]
    worth: tuple[Knowledge, ...]
    mistakes: tuple[Mistake, ...]
    open: frozenset[int] = frozenset()
    bare: int = 0

    @property
    def state(self) -> State:
        """The host's last state."""
        return self.game.state

    @property
    def fault(self) -> Fault | None:
        """The fault that ended the game, or None."""
        return fault_in(self.state, *self.worth[-1:])

    @property
    def turning_point(self) -> Mistake | Fault | None:
        """The fault that ended the game, else the last move that changed the winner, or None."""
        return self.fault or next((mistake for mistake in reversed(self.mistakes) if mistake.decisive), None)

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
                    "value": worth.value,
                    "lo": worth.lo,
                    "hi": worth.hi,
                    "best_move": None if worth.best is None else move_name(worth.best),
                    "sources": worth.sources,
                    **origins_record(worth),
                }
                for number, (position, worth) in enumerate(zip(self.positions, self.worth, strict=True))
            ],
            "fault": None if fault is None else fault.record(),
            "mistakes": [mistake.record() for mistake in self.mistakes],
            "turning_point": None if turning is None else turning.ply,
        }


def review(game: Played, valuer: Valuer, colours: Collection[int] = (1, 2)) -> Review:
    """Return the review of a game. colours: whose mistakes are explained."""
    *_, last = unfolding(game, valuer, colours)
    return last


def unfolding(game: Played, valuer: Valuer, colours: Collection[int] = (1, 2)) -> Iterator[Review]:
    """Yield a game's review repeatedly while it is computed; the last one is complete.

    colours: whose mistakes are explained; the others stay without lines.
    """
    positions, valuer = positions_of(game.state), valuer.of(game.game)
    moves = list(map(parse_move, game.state.moves[: len(positions) - 1]))
    so_far = Review(game, tuple(positions), (), ())
    for worth, left in valuer.settling(positions):
        judged = (judged_move(move, *worth[at : at + 2]) for at, move in enumerate(moves))
        bare = tuple(mistake for mistake in judged if mistake)
        so_far = replace(so_far, worth=tuple(worth), mistakes=bare, open=left, bare=len(bare))
        yield so_far
    for at in range(len(so_far.mistakes) - 1, -1, -1):
        # Late mistakes are cheap, and their results help with the early ones.
        mistake = so_far.mistakes[at]
        if mistake.mover in colours:
            mistake = with_lines(mistake, valuer)
        whole = (*so_far.mistakes[:at], mistake, *so_far.mistakes[at + 1 :])
        so_far = replace(so_far, mistakes=whole, bare=at)
        yield so_far


def watched(stages: Iterable[Review], progress: Progress) -> Iterator[Review]:
    """Yield a review's stages and show their progress."""
    for review in stages:
        if review.open:
            progress.settled("values settled", len(review.worth) - len(review.open), len(review.worth))
        else:
            progress.settled("mistakes explained", len(review.mistakes) - review.bare, len(review.mistakes))
        yield review


def judged_move(move: int, before: Knowledge, after: Knowledge) -> Mistake | None:
    """Return the proven mistake of a move, without lines, or None, given the knowledge before and after it."""
    position = before.position
    black = position.black_to_move
    cost = before.mover_bound(black) - after.opponent_bound(black)
    if cost <= 0:
        return None
    exact = before.value is not None and after.value is not None
    decisive = before.winner is not None and after.winner is not None and before.winner != after.winner
    ply = position.ply - before.game.first_ply + 1
    return Mistake(ply, position, move, before, after, cost, exact, decisive)


def with_lines(mistake: Mistake, valuer: Valuer) -> Mistake:
    """Return a mistake with its reason and with best play in its place and after it."""
    found = valuer.of(mistake.before.game).explained(mistake.position, mistake.move)
    assert found is not None, "what costs points is worse than the best move"
    return replace(mistake, instead=found.better, answer=found.worse[1:], reason=found.reason)
