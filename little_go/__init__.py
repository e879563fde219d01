"""Little-Go from Python, and the command ``little-go``.

>>> from little_go import open_book
>>> known = open_book()["2,2 1,1"]
>>> known.winner, known.worth, known.best
('Black', 'B+0.5', ['1,2', '1,3', '2,1', '3,1'])
>>> known.play("0,2").worth, len(known.legal_moves)
('W+1.5', 24)

little_go/api.py lists the public names.
"""

import os
import sys
from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from little_go.api import *  # noqa: F403


def _is_command() -> bool:
    """Return whether this process was started as the command ``little-go`` or as the module ``little_go``."""
    begun = sys.argv[0] if sys.argv else ""
    if begun == "-m":
        # Python has not found the file of the module yet. In sys.orig_argv, the name of the module precedes its
        # arguments.
        return sys.orig_argv[len(sys.orig_argv) - len(sys.argv)] == __name__
    return os.path.splitext(os.path.basename(begun))[0] == "little-go"


# A program that imports this package handles its own Ctrl-C.
if _is_command():
    from little_go.runtime.ctrl_c import end_at_once

    end_at_once()

if not TYPE_CHECKING:

    def __getattr__(name):
        """Import little_go.api when a public name is first needed, and return the object of this name (PEP 562)."""
        if name.startswith("_") and name != "__all__":
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        api = import_module("little_go.api")
        if name != "__all__" and name not in api.__all__:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        return getattr(api, name)

    def __dir__():
        """Return the public names, for completion in an interpreter."""
        return [*import_module("little_go.api").__all__, *(name for name in globals() if name.startswith("__"))]
