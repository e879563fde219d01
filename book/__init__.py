"""The book, or what we know: the proof store, the compressed book, and questions put to both.

From Python, begin with open_book():

>>> from book import open_book
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

import sys

# `python -m` looks for modules in the current directory first, where anybody's solver.py may be. Not from here on.
_IS_FIRST = sys.argv[:1] == ["-m"] and not getattr(sys.flags, "safe_path", sys.flags.isolated)
if _IS_FIRST and __path__[0] != f"{sys.path[0]}/{__name__}":
    del sys.path[0]

from typing import TYPE_CHECKING

from runtime.lazy import lazy_names

#: The module of each public name; the imports below are the same for type checkers.
_HOMES = {
    "Knowledge": "book.answers.query",
    "Service": "book.answers.service",
    "Origin": "book.answers.sources",
    "BookError": "book.files.reader",
    "Book": "book.library",
    "Known": "book.library",
    "Move": "book.library",
    "NotInBook": "book.library",
    "open_book": "book.library",
    "StoreError": "book.store.facts",
    "open_store": "book.store.store",
    "NoKernel": "solver.native",
}

if TYPE_CHECKING:
    from book.answers.query import Knowledge as Knowledge
    from book.answers.service import Service as Service
    from book.answers.sources import Origin as Origin
    from book.files.reader import BookError as BookError
    from book.library import Book as Book
    from book.library import Known as Known
    from book.library import Move as Move
    from book.library import NotInBook as NotInBook
    from book.library import open_book as open_book
    from book.store.facts import StoreError as StoreError
    from book.store.store import open_store as open_store
    from solver.native import NoKernel as NoKernel
else:
    __getattr__ = lazy_names(__name__, _HOMES)
