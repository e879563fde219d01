"""The interface of a game whose moves can be learnt."""

from collections.abc import Callable, Hashable, Sequence
from random import Random
from typing import NamedTuple, Protocol, TypeAlias, TypeVar

State = TypeVar("State", bound=Hashable)

#: A player's way to move: a function from a state and a source of chance to a move.
Policy: TypeAlias = Callable[[State, Random], int]

#: What ``Rules.winner`` says of a game that nobody won.
DRAW = 0


class KeyedMove(NamedTuple):
    """A legal move and the key that its value is kept under.

    Moves with equal keys, in whatever states, are taken for the same and share one value Q(s, a).
    """

    move: int
    key: int


class Rules(Protocol[State]):
    """The rules of a game for two, the players 1 and 2. States are immutable."""

    start: State

    def choices(self, state: State) -> Sequence[KeyedMove]:
        """Return the moves to choose from, at least one as long as the game goes on."""

    def play(self, state: State, move: int) -> State:
        """Return the state after a move."""

    def mover(self, state: State) -> int:
        """Return the player to move, 1 or 2."""

    def winner(self, state: State) -> int | None:
        """Return the winner, 1, 2 or DRAW; None while the game goes on."""
