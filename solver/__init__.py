"""The solver, or what a position is worth: rules, symmetry, and the searches.

>>> from solver import START, move_name, parse_moves, play_all
>>> position = play_all(START, parse_moves("2,2 1,1"))
>>> print(position.diagram())
  0 1 2 3 4
0 . . . . .
1 . O . . .
2 . . X . .
3 . . . . .
4 . . . . .
>>> len(position.legal_moves()), move_name(position.legal_moves()[-1])
(24, 'PASS')

``solver.native.kernel.Kernel`` searches natively, on memory of ``open_table``; ``solver.exact.ExactSolver`` does the
same in plain Python, as ``my_player3.py`` does.
"""

import sys

# `python -m` looks for modules in the current directory first, where anybody's solver.py may be. Not from here on.
_IS_FIRST = sys.argv[:1] == ["-m"] and not getattr(sys.flags, "safe_path", sys.flags.isolated)
if _IS_FIRST and __path__[0] != f"{sys.path[0]}/{__name__}":
    del sys.path[0]

from importlib import import_module
from typing import TYPE_CHECKING

from solver.answer import Answer
from solver.position import START, IllegalMove, Position, move_name, parse_moves, play_all
from solver.symmetry import canonical_key, position_of

if TYPE_CHECKING:
    from solver.exact import ExactSolver
    from solver.native.kernel import Kernel
    from solver.native.table import open_table

__all__ = [
    "START",
    "Answer",
    "ExactSolver",
    "IllegalMove",
    "Kernel",
    "Position",
    "canonical_key",
    "move_name",
    "open_table",
    "parse_moves",
    "play_all",
    "position_of",
]

#: Imported when first asked for: the kernel may not be built, and the rules must not wait for it. Other packages
#: have runtime.lazy for the last lines; this one imports nothing of ours.
_HOMES = {"ExactSolver": "solver.exact", "Kernel": "solver.native.kernel", "open_table": "solver.native.table"}

if not TYPE_CHECKING:

    def __getattr__(name):
        if name not in _HOMES:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        return getattr(import_module(_HOMES[name]), name)
