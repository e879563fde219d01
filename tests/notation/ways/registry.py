"""The ways of writing, by name."""

from collections.abc import Callable
from random import Random

from tests.notation.ways.games import Told

#: A way returns None for a draw that it cannot use.
Way = Callable[[Random], Told | None]

WAYS: dict[str, Way] = {}

#: Ways that mislead: a careful reader does well to refuse their texts, so they do not count in the share that is read.
TRAPS: set[str] = set()


def way(make: Way) -> Way:
    """Add a function to the ways under its name."""
    WAYS[make.__name__.replace("_", " ")] = make
    return make


def trap(make: Way) -> Way:
    """Add a function to the ways, and its name to those that mislead."""
    TRAPS.add(make.__name__.replace("_", " "))
    return way(make)
