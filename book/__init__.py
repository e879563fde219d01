"""The book: the proof store, the compressed book, and answers from these two sources.

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

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from little_go.book.library import *  # noqa: F403


if not TYPE_CHECKING:

    def __getattr__(name):
        """Import book.library when one of its public names is used for the first time (PEP 562)."""
        if name.startswith("_") and name != "__all__":
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        library = import_module("little_go.book.library")
        if name != "__all__" and name not in library.__all__:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        return getattr(library, name)

    def __dir__():
        """Return the public names, so that editors can complete them."""
        return [
            *import_module("little_go.book.library").__all__,
            *(name for name in globals() if name.startswith("__")),
        ]
