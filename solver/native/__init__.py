"""The native kernel: an exception for the case that the kernel is not built, and legal moves with their keys."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import NamedTuple

from little_go.solver.position import Position
from little_go.solver.symmetry import key_of


class NoKernel(RuntimeError):
    """Raised if the native kernel is not built. The message is one line."""


@contextmanager
def kernel_needed() -> Iterator[None]:
    """Return a context that raises NoKernel if an import inside it fails because the kernel is not built."""
    try:
        yield
    except ImportError as error:
        if error.name not in ("little_go.solver.native.kernel", "little_go.solver.native.explain"):
            raise
        raise NoKernel(
            "the native kernel is not built for this Python: run make setup in a clone, or reinstall the package"
        ) from None


class Step(NamedTuple):
    """A legal move with the position after the move and the canonical key of this position.

    The field ``position`` has the same orientation as the position before the move.
    """

    move: int
    key: int
    position: Position


def children(position: Position) -> set[int]:
    """Return the canonical keys of the positions after each move that does not end the game."""
    # The import is in this function, because a program that only reads a store needs no kernel.
    from little_go.solver.native import kernel

    return set(kernel.next_ply([kernel.canonical_key(position)]))


def steps_from(position: Position) -> list[Step]:
    """Return the legal moves as steps: points in ascending order, then PASS."""
    from little_go.solver.native import kernel

    return [Step(move, key, position.play(move)) for move, key in kernel.children(key_of(position))]


def distinct_steps(position: Position) -> list[Step]:
    """Return the legal moves as steps, but only the first of several moves that lead to symmetric positions."""
    steps: dict[int, Step] = {}
    for step in steps_from(position):
        steps.setdefault(step.key, step)
    return list(steps.values())
