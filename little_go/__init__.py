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


def _leave_current_directory() -> None:
    """Remove the current directory from the import path, unless these packages are in it.

    With `python -m`, or an empty entry in PYTHONPATH, Python imports from the current directory, where anybody's
    solver.py may be.
    """
    try:
        here = os.getcwd()
    except OSError:
        here = ""
    if __path__[0] != os.path.join(here, __name__):  # noqa: F405
        sys.path[:] = [place for place in sys.path if place not in ("", here)]


# Skip this if a program imports the package, because the program's own modules may be in the current directory.
if _is_command():
    _leave_current_directory()
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
