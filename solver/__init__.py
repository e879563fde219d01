"""The solver contains the rules, the symmetries of the board, and the searches that find the value of a position.

>>> from little_go.solver import START, move_name, parse_moves, play_all
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

The class ``solver.native.kernel.Kernel`` is the search in C, with a table from ``open_table``. The class
``solver.exact.ExactSolver`` is a search in pure Python, which ``my_player3.py`` uses.
"""

from typing import TYPE_CHECKING

from little_go.solver.answer import Answer
from little_go.solver.position import START, IllegalMove, Position, move_name, parse_moves, play_all
from little_go.solver.symmetry import canonical_key, position_of

__all__ = [
    "START",
    "Answer",
    "ExactSolver",
    "IllegalMove",
    "Position",
    "canonical_key",
    "move_name",
    "parse_moves",
    "play_all",
    "position_of",
]

if TYPE_CHECKING:
    from little_go.solver.exact import ExactSolver
else:

    def __getattr__(name):
        """Import the pure-Python search only when it is first used, because most processes use the kernel (PEP 562)."""
        if name != "ExactSolver":
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        from little_go.solver.exact import ExactSolver

        return ExactSolver
