"""What do we know? The proof store, the compressed book, and questions put to both.

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
    from book.atlas import AtlasError as AtlasError
    from book.atlas import Row as Row
    from book.atlas import read_atlas as read_atlas
    from book.atlas import write_atlas as write_atlas
    from book.library import Book as Book
    from book.library import Known as Known
    from book.library import Move as Move
    from book.library import NotInBook as NotInBook
    from book.library import open_book as open_book
    from book.live import Live as Live
    from book.live import NoKernel as NoKernel
    from book.picture import board_svg as board_svg
    from book.query import Knowledge as Knowledge
    from book.query import KnownMove as KnownMove
    from book.query import ask as ask
    from book.reader import BookEntry as BookEntry
    from book.reader import BookError as BookError
    from book.report import knowledge_record as knowledge_record
    from book.report import knowledge_text as knowledge_text
    from book.sources import AtlasSource as AtlasSource
    from book.sources import BookSource as BookSource
    from book.sources import Origin as Origin
    from book.sources import Said as Said
    from book.sources import Source as Source
    from book.sources import StoreSource as StoreSource
    from book.sources import open_sources as open_sources
    from book.store import Choice as Choice
    from book.store import Contradiction as Contradiction
    from book.store import Entry as Entry
    from book.store import Fact as Fact
    from book.store import Statement as Statement
    from book.store import Store as Store
    from book.store import StoreError as StoreError
    from book.store import open_store as open_store

_HOMES = {
    "AtlasError": "book.atlas",
    "AtlasSource": "book.sources",
    "Book": "book.library",
    "BookEntry": "book.reader",
    "BookError": "book.reader",
    "BookSource": "book.sources",
    "Choice": "book.store",
    "Contradiction": "book.store",
    "Entry": "book.store",
    "Fact": "book.store",
    "Knowledge": "book.query",
    "Known": "book.library",
    "KnownMove": "book.query",
    "Live": "book.live",
    "Move": "book.library",
    "NoKernel": "book.live",
    "NotInBook": "book.library",
    "Origin": "book.sources",
    "Row": "book.atlas",
    "Said": "book.sources",
    "Source": "book.sources",
    "Statement": "book.store",
    "Store": "book.store",
    "StoreError": "book.store",
    "StoreSource": "book.sources",
    "ask": "book.query",
    "board_svg": "book.picture",
    "knowledge_record": "book.report",
    "knowledge_text": "book.report",
    "open_book": "book.library",
    "open_sources": "book.sources",
    "open_store": "book.store",
    "read_atlas": "book.atlas",
    "write_atlas": "book.atlas",
}

__all__ = list(_HOMES)

# A type checker takes the names from the imports above.
if not TYPE_CHECKING:
    __getattr__ = lazy_names(__name__, _HOMES)
