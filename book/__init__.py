"""The book, or what we know: the proof store, the compressed book, and questions put to both.

From Python, begin with open_book():

>>> from book import open_book
>>> book = open_book("book.json")
>>> known = book.find("2,2 1,1")
>>> known.winner, known.status, known.mover
('Black', 'proven', 'Black')
>>> book.get("0,0 4,4 2,2 1,1 3,3", "not in the book")
'not in the book'
"""

from typing import TYPE_CHECKING

from runtime.lazy import lazy_names

if TYPE_CHECKING:
    from book.answers.live import Live as Live
    from book.answers.query import Knowledge as Knowledge
    from book.answers.query import KnownMove as KnownMove
    from book.answers.query import ask as ask
    from book.answers.sources import AtlasSource as AtlasSource
    from book.answers.sources import BookSource as BookSource
    from book.answers.sources import Origin as Origin
    from book.answers.sources import Said as Said
    from book.answers.sources import Source as Source
    from book.answers.sources import StoreSource as StoreSource
    from book.answers.sources import open_sources as open_sources
    from book.drawing.picture import board_svg as board_svg
    from book.drawing.report import knowledge_record as knowledge_record
    from book.drawing.report import knowledge_text as knowledge_text
    from book.files.atlas import AtlasError as AtlasError
    from book.files.atlas import Row as Row
    from book.files.atlas import read_atlas as read_atlas
    from book.files.atlas import write_atlas as write_atlas
    from book.files.reader import BookEntry as BookEntry
    from book.files.reader import BookError as BookError
    from book.library import Book as Book
    from book.library import Known as Known
    from book.library import Move as Move
    from book.library import NotInBook as NotInBook
    from book.library import open_book as open_book
    from book.store.facts import Choice as Choice
    from book.store.facts import Contradiction as Contradiction
    from book.store.facts import Entry as Entry
    from book.store.facts import Fact as Fact
    from book.store.facts import Statement as Statement
    from book.store.facts import StoreError as StoreError
    from book.store.store import Store as Store
    from book.store.store import open_store as open_store
    from solver.native import NoKernel as NoKernel

_HOMES = {
    "AtlasError": "book.files.atlas",
    "AtlasSource": "book.answers.sources",
    "Book": "book.library",
    "BookEntry": "book.files.reader",
    "BookError": "book.files.reader",
    "BookSource": "book.answers.sources",
    "Choice": "book.store.facts",
    "Contradiction": "book.store.facts",
    "Entry": "book.store.facts",
    "Fact": "book.store.facts",
    "Knowledge": "book.answers.query",
    "Known": "book.library",
    "KnownMove": "book.answers.query",
    "Live": "book.answers.live",
    "Move": "book.library",
    "NoKernel": "solver.native",
    "NotInBook": "book.library",
    "Origin": "book.answers.sources",
    "Row": "book.files.atlas",
    "Said": "book.answers.sources",
    "Source": "book.answers.sources",
    "Statement": "book.store.facts",
    "Store": "book.store.store",
    "StoreError": "book.store.facts",
    "StoreSource": "book.answers.sources",
    "ask": "book.answers.query",
    "board_svg": "book.drawing.picture",
    "knowledge_record": "book.drawing.report",
    "knowledge_text": "book.drawing.report",
    "open_book": "book.library",
    "open_sources": "book.answers.sources",
    "open_store": "book.store.store",
    "read_atlas": "book.files.atlas",
    "write_atlas": "book.files.atlas",
}

__all__ = list(_HOMES)

# A type checker takes the names from the imports above.
if not TYPE_CHECKING:
    __getattr__ = lazy_names(__name__, _HOMES)
