"""What shows how far a loop has come, and what shows nothing."""

from collections.abc import Iterable
from typing import Protocol, TypeVar

_Item = TypeVar("_Item")


class Watch(Protocol):
    """Gives items back one by one, to show how far the work on them is; runtime.display.tracked is one."""

    def __call__(self, items: Iterable[_Item], what: str = "Reading", /) -> Iterable[_Item]:
        """Give the items back; what: is being done with them."""


def unwatched(items: Iterable[_Item], _what: str = "", /) -> Iterable[_Item]:
    """Give the items back.

    >>> list(unwatched([3, 1]))
    [3, 1]
    """
    return items
