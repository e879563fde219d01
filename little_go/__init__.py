"""Little-Go from Python, and the command ``little-go``.

>>> from little_go import open_book
>>> known = open_book()["2,2 1,1"]
>>> known.winner, known.worth, known.best
('Black', 'B+0.5', ['1,2', '1,3', '2,1', '3,1'])
>>> known.play("0,2").worth, len(known.legal_moves)
('W+1.5', 24)

The public names come from the packages below; little_go/api.py lists them.
"""

import os
import sys
from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from little_go.api import *  # noqa: F403


def _is_command() -> bool:
    """Whether this process was started as ``little-go``, by its name or as a module."""
    begun = sys.argv[0] if sys.argv else ""
    if begun == "-m":
        # Python has not found the module's file yet. The words before the module's own end with its name.
        return sys.orig_argv[len(sys.orig_argv) - len(sys.argv)] == __name__
    return os.path.splitext(os.path.basename(begun))[0] == "little-go"


# A program that imports this package handles its own Ctrl-C.
if _is_command():
    from little_go.runtime.ctrl_c import end_at_once

    end_at_once()

if not TYPE_CHECKING:

    def __getattr__(name):
        """Import little_go.api when one of its public names is first needed (PEP 562)."""
        if name.startswith("_") and name != "__all__":
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        api = import_module("little_go.api")
        if name != "__all__" and name not in api.__all__:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        return getattr(api, name)

    def __dir__():
        """List the public names, for completion."""
        return [*import_module("little_go.api").__all__, *(name for name in globals() if name.startswith("__"))]
