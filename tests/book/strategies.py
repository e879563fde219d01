"""A small game worked out, for the tests of strategies and certificates."""

from pathlib import Path

from book.store import Choice, Fact, open_store
from book.strategy import replies, strategy
from solver.exact import ExactSolver
from solver.position import Position
from solver.symmetry import canonical_key, position_of

#: Black to move wins by 3, with 8 plies left.
WON = Position(black=1389316, white=4720866, ply=16)
LEAF = 4


def work_out(path: Path) -> None:
    """Store what the pure-Python solver plays in all that can arise down to the leaves, and who wins there."""
    level = {canonical_key(WON)}
    with open_store(path, write=True) as store:
        while level:
            positions = [position_of(key) for key in level if position_of(key).left >= LEAF]
            answers = [ExactSolver().decide(position, 3) for position in positions]
            pairs = list(zip(positions, answers, strict=True))
            store.record([Fact(position, answer.lo, answer.hi, answer.best) for position, answer in pairs])
            choices = [Choice(position, answer.best) for position, answer in pairs if answer.best is not None]
            store.choose(choices)
            level = {key for choice in choices for key in replies(choice)}


def turns(db: Path) -> list[Choice]:
    with open_store(db) as store:
        return list(strategy(store, [WON], LEAF, lambda *_: None))


def winning_move(position: Position) -> int | None:
    answer = ExactSolver().decide(position, 3)
    return answer.best if answer.winner == position.mover else None
