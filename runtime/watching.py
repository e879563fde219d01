"""Show the progress of a loop, or not."""

from collections.abc import Iterable
from typing import Protocol, TypeVar

_Item = TypeVar("_Item")


class Watch(Protocol):
    """Wraps items to show the progress of the work on them; runtime.display.tracked is one."""

    def __call__(self, items: Iterable[_Item], what: str = "Reading", /) -> Iterable[_Item]:
        """Yield the items; what: the name of the work."""


def unwatched(items: Iterable[_Item], _what: str = "", /) -> Iterable[_Item]:
    """Yield the items without showing progress.

    >>> list(unwatched([3, 1]))
    [3, 1]
    """
    return items
