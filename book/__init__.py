"""The book: the proof store, the compressed book, and questions to both.

From Python, begin with open_book():

>>> from little_go.book import open_book
>>> book = open_book("book.json")
>>> known = book["2,2 1,1"]
>>> known.winner, known.status, known.mover
('Black', 'proven', 'Black')
>>> known in book, known == book[known.position], known == book[known.key]
(True, True, True)
>>> book.get("0,0 4,4 2,2 1,1 3,3", "not in the book")
'not in the book'
>>> all(known in book for known in book.positions(ply=3))
True
"""

import os
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING

#: The packages that a book needs. A student's own solver.py may come first on the path.
_NEEDED = ("notation", "runtime", "solver")

if TYPE_CHECKING:
    from little_go.book.library import *  # noqa: F403


def _check_that_no_file_hides_ours() -> None:
    """Raise ImportError for another file or package with the name of one of _NEEDED."""
    ours = os.path.dirname(os.path.dirname(os.path.realpath(__file__)))
    for name in _NEEDED:
        spec = find_spec(name)
        found = os.path.realpath(spec.origin) if spec is not None and spec.origin else ""
        if os.path.dirname(os.path.dirname(found)) != ours:
            raise ImportError(
                f"Little-Go needs its own package {name!r}, but Python finds {found or 'none'}:"
                f" rename that file, or start Python in another directory"
            )


_check_that_no_file_hides_ours()

if not TYPE_CHECKING:

    def __getattr__(name):
        """Import book.library when one of its public names is first needed (PEP 562)."""
        if name.startswith("_") and name != "__all__":
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        library = import_module("little_go.book.library")
        if name != "__all__" and name not in library.__all__:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        return getattr(library, name)

    def __dir__():
        """List the public names, for completion."""
        return [
            *import_module("little_go.book.library").__all__,
            *(name for name in globals() if name.startswith("__")),
        ]
