"""The ways of writing, by name."""

from collections.abc import Callable
from random import Random

from tests.notation.ways.games import Told

#: A way returns None for a draw that it cannot use.
Way = Callable[[Random], Told | None]

WAYS: dict[str, Way] = {}


def way(make: Way) -> Way:
    """Add a function to the ways under its name."""
    WAYS[make.__name__.replace("_", " ")] = make
    return make
