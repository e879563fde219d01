"""Public names of a package that are imported when they are first asked for, so that importing the package is cheap.

The package lists them once, as imports under ``if TYPE_CHECKING:``, where a type checker reads them. What they are is
read from there when the first is asked for. The player's Python 3.7 reads this, as it reads ``book``.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from functools import lru_cache
from importlib import import_module
from pathlib import Path
from typing import Any


def homes_in(source: str) -> dict[str, str]:
    """Return the module of each name that a source imports under ``if TYPE_CHECKING:``.

    >>> homes_in("if TYPE_CHECKING:\\n    from math import pi as pi")
    {'pi': 'math'}
    """
    blocks = [each for each in ast.parse(source).body if isinstance(each, ast.If)]
    typed = [each for block in blocks if ast.dump(block.test) == _TYPED for each in block.body]
    return {
        alias.name: each.module
        for each in typed
        if isinstance(each, ast.ImportFrom) and each.module is not None
        for alias in each.names
    }


_TYPED = ast.dump(ast.parse("TYPE_CHECKING", mode="eval").body)


def lazy_names(package: str, file: str) -> Callable[[str], Any]:
    """Return the ``__getattr__`` of a package, as PEP 562 has it: ``__all__`` and the names it lists.

    package: its name. file: its ``__init__.py``.
    """

    @lru_cache(maxsize=1)
    def homes() -> dict[str, str]:
        return homes_in(Path(file).read_text("utf-8"))

    def look_up(name: str) -> Any:
        if name == "__all__":
            return sorted(homes())
        if name.startswith("__") or name not in homes():
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        return getattr(import_module(homes()[name]), name)

    return look_up
