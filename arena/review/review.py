"""A game reviewed: what it was worth after each ply, the mistakes, and the turning point.

A mistake is a move whose value is worse than the best for the mover; its cost is the difference in points. The turning
point is the last move that changed who wins.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from arena.match.host import State
from arena.review.games import Played, positions_of
from arena.review.kinds import kind_of
from arena.review.worth import Valuer
from book.answers.query import Knowledge
from book.answers.reasons import Reason, reason
from book.drawing.report import origins_record
from solver.position import Position, move_name, parse_move
from solver.record import to_record


@dataclass(frozen=True)
class Mistake:
    """A move that gave something away.

    ply: the move's, from 1. position: before it. before, after: what the positions before and after it are worth.
    cost: points given away; as many at least when ``exact`` is False.
    decisive: whether it changed who wins.
    instead: best play in its place, empty where no move is proven. answer: best play after the move. Both go to the end
        of the game, or as far as it is proven.
    """

    ply: int
    position: Position
    move: int
    before: Knowledge
    after: Knowledge
    cost: int
    exact: bool
    decisive: bool
    instead: tuple[int, ...]
    answer: tuple[int, ...]

    @property
    def mover(self) -> int:
        """The colour that made it: 1 = Black, 2 = White."""
        return self.position.mover

    @cached_property
    def kind(self) -> str:
        """What sort of error it is, as arena.review.kinds names it."""
        return kind_of(self.position, self.move, self.instead[0] if self.instead else None, self.reason)

    @cached_property
    def reason(self) -> Reason | None:
        """Why it is one, by what comes of both lines; None where they are too short to tell."""
        try:
            return reason(self.position, (self.move, *self.answer), self.instead) if self.instead else None
        except ValueError:
            return None

    def record(self) -> dict[str, Any]:
        """Return the mistake as JSON keys."""
        why = self.reason
        return {
            "ply": self.ply,
            "mover": self.mover,
            "move": move_name(self.move),
            "cost": self.cost,
            "exact": self.exact,
            "decisive": self.decisive,
            "kind": self.kind,
            "best": move_name(self.instead[0]) if self.instead else None,
            "pv": list(map(move_name, self.instead)),
            "answer": list(map(move_name, self.answer)),
            "theme": None if why is None else why.theme,
            "reason": None if why is None else why.text,
        }


@dataclass(frozen=True)
class Review:
    """A reviewed game.

    positions, worth: of the empty board and after each ply, one more than the plies.
    """

    game: Played
    positions: tuple[Position, ...]
    worth: tuple[Knowledge, ...]
    mistakes: tuple[Mistake, ...]

    @property
    def state(self) -> State:
        """The host's last state."""
        return self.game.state

    @property
    def turning_point(self) -> Mistake | None:
        """The last move that changed who wins, if there is one."""
        return next((mistake for mistake in reversed(self.mistakes) if mistake.decisive), None)

    def moves(self) -> list[int]:
        """Return the legal moves of the game."""
        return [parse_move(name) for name in self.state.moves[: len(self.positions) - 1]]

    def record(self) -> dict[str, Any]:
        """Return the review as JSON keys; values are from Black's side, null where they are not exact."""
        turning = self.turning_point
        result = self.state.result
        return {
            "source": self.game.source,
            "black": self.game.black,
            "white": self.game.white,
            **({"winner": None, "reason": None, "detail": ""} if result is None else result._asdict()),
            "plies": [
                {
                    "move": None if not number else self.state.moves[number - 1],
                    "position": to_record(position),
                    "value": worth.value,
                    "lo": worth.lo,
                    "hi": worth.hi,
                    "best": None if worth.best is None else move_name(worth.best),
                    "source": worth.source,
                    **origins_record(worth),
                }
                for number, (position, worth) in enumerate(zip(self.positions, self.worth, strict=True))
            ],
            "mistakes": [mistake.record() for mistake in self.mistakes],
            "turning_point": None if turning is None else turning.ply,
        }


def review(game: Played, valuer: Valuer, watch: Callable[[int], None] = lambda ply: None) -> Review:
    """Return the review of a game. watch: told each ply whose position is being asked about, the last one first."""
    positions = positions_of(game.state)
    worth = valuer.along(positions, watch)
    moves = map(parse_move, game.state.moves[: len(positions) - 1])
    judged = (judge_move(valuer, move, *positions[at : at + 2], *worth[at : at + 2]) for at, move in enumerate(moves))
    return Review(game, tuple(positions), tuple(worth), tuple(mistake for mistake in judged if mistake))


def judge_move(
    valuer: Valuer, move: int, position: Position, after: Position, worth: Knowledge, worth_after: Knowledge
) -> Mistake | None:
    """Return the mistake that a move is proven to be, given the positions before and after it, or None."""
    cost = worth.lo - worth_after.hi if position.black_to_move else worth_after.lo - worth.hi
    if cost <= 0:
        return None
    return Mistake(
        position.ply + 1,
        position,
        move,
        worth,
        worth_after,
        cost,
        worth.value is not None and worth_after.value is not None,
        worth.winner is not None and worth_after.winner is not None and worth.winner != worth_after.winner,
        _instead(valuer, position, worth, move),
        tuple(valuer.line(after, after.left)),
    )


def _instead(valuer: Valuer, position: Position, before: Knowledge, played: int) -> tuple[int, ...]:
    if before.best is None or before.best == played:
        return ()
    after = position.play(before.best)
    return (before.best, *valuer.line(after, after.left))
