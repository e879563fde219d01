"""The interface of a game whose moves can be learnt."""

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from random import Random
from typing import Generic, NamedTuple, TypeAlias, TypeVar

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


@dataclass(frozen=True)
class Rules(Generic[State]):
    """The rules of a game for two, the players 1 and 2. States are immutable.

    choices: the moves to choose from, at least one as long as the game goes on. play: makes the state after a move.
    mover: the player to move. winner: 1, 2 or DRAW; None while the game goes on.
    """

    start: State
    choices: Callable[[State], Sequence[KeyedMove]]
    play: Callable[[State, int], State]
    mover: Callable[[State], int]
    winner: Callable[[State], int | None]
