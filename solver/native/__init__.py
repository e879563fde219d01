"""The native kernel: the error if it is not built, and the legal moves of a position with their keys."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import NamedTuple

from little_go.solver.position import Position
from little_go.solver.symmetry import key_of


class NoKernel(RuntimeError):
    """Raised if the native kernel is not built; the message is one line."""


@contextmanager
def kernel_needed() -> Iterator[None]:
    """Raise NoKernel if an import inside the ``with`` block needs the kernel and the kernel is not built."""
    try:
        yield
    except ImportError as error:
        if error.name not in ("little_go.solver.native.kernel", "little_go.solver.native.explain"):
            raise
        raise NoKernel(
            "the native kernel is not built for this Python: run make setup in a clone, or reinstall the package"
        ) from None


class Step(NamedTuple):
    """A legal move with the position after it, and the canonical key of this position.

    position: the position after the move, in the orientation of the position before the move.
    """

    move: int
    key: int
    position: Position


def children(position: Position) -> set[int]:
    """Return the canonical keys of the positions after each move that does not end the game."""
    # The import is not at the top, because a program that only reads a store needs no kernel.
    from little_go.solver.native import kernel

    return set(kernel.next_ply([kernel.canonical_key(position)]))


def steps_from(position: Position) -> list[Step]:
    """Return the legal moves. The points are in order, and PASS is last."""
    from little_go.solver.native import kernel

    return [Step(move, key, position.play(move)) for move, key in kernel.children(key_of(position))]


def distinct_steps(position: Position) -> list[Step]:
    """Return the legal moves. If several moves lead to symmetric positions, return only the first of them."""
    steps: dict[int, Step] = {}
    for step in steps_from(position):
        steps.setdefault(step.key, step)
    return list(steps.values())
