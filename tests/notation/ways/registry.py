"""The registry of the ways of writing, by name."""

from collections.abc import Callable
from random import Random

from tests.notation.ways.games import Told

#: A way returns None if it cannot use the drawn position.
Way = Callable[[Random], Told | None]

WAYS: dict[str, Way] = {}

#: Misleading ways. A careful reader may refuse their texts, so they do not count in the share that must be read.
TRAPS: set[str] = set()


def way(make: Way) -> Way:
    """Add a function to the ways under its name."""
    WAYS[make.__name__.replace("_", " ")] = make
    return make


def trap(make: Way) -> Way:
    """Add a function to the ways, and its name to the misleading ways."""
    TRAPS.add(make.__name__.replace("_", " "))
    return way(make)
