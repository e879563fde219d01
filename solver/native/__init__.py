"""The native kernel: one error where there is none, and the legal moves of a position as it lists them."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import NamedTuple

from solver.position import Position
from solver.symmetry import key_of


class NoKernel(RuntimeError):
    """The native kernel is not there; the message is one line."""


@contextmanager
def kernel_needed() -> Iterator[None]:
    """Raise NoKernel where what is imported inside needs the kernel, and it is not built."""
    try:
        yield
    except ImportError as error:
        if error.name not in ("solver.native.kernel", "solver.native.explain"):
            raise
        raise NoKernel(
            "the native kernel is not built for this Python: in a clone run make setup, else install it again"
        ) from None


class Step(NamedTuple):
    """A legal move, the canonical key of the position that it leads to, and that position as it lies."""

    move: int
    key: int
    position: Position


def children(position: Position) -> set[int]:
    """Return the canonical keys of the positions after each move that does not end the game."""
    # Not at the top: reading a store needs no kernel.
    from solver.native import kernel

    return set(kernel.next_ply([kernel.canonical_key(position)]))


def steps_from(position: Position) -> list[Step]:
    """List the legal moves, points in order and PASS last."""
    from solver.native import kernel

    return [Step(move, key, position.play(move)) for move, key in kernel.children(key_of(position))]


def distinct_steps(position: Position) -> list[Step]:
    """List the legal moves, of those that differ by a turn or a reflection only the first."""
    steps: dict[int, Step] = {}
    for step in steps_from(position):
        steps.setdefault(step.key, step)
    return list(steps.values())
