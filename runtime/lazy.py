"""Public names of a package that are imported when they are first asked for, so that importing the package is cheap.

The player's Python 3.7 reads this, as it reads ``book``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any


def lazy_names(package: str, homes: Mapping[str, str]) -> Callable[[str], Any]:
    """Return the ``__getattr__`` of a package, as PEP 562 has it.

    package: its name. homes: the module of each public name.
    """

    def look_up(name: str) -> Any:
        if name == "__all__":
            return sorted(homes)
        if name not in homes:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        return getattr(import_module(homes[name]), name)

    return look_up
