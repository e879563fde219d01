"""The names that ``from little_go import …`` offers."""

from little_go.book.library import (
    Book,
    BookError,
    Known,
    Move,
    MoveName,
    NoKernel,
    NotInBook,
    NotRead,
    Place,
    StoreError,
    open_book,
    open_store,
)
from little_go.notation.faults import NotationError
from little_go.solver.family import COURSE, Variant
from little_go.solver.position import START, IllegalMove, Position

__all__ = [
    "COURSE",
    "START",
    "Book",
    "BookError",
    "IllegalMove",
    "Known",
    "Move",
    "MoveName",
    "NoKernel",
    "NotInBook",
    "NotRead",
    "NotationError",
    "Place",
    "Position",
    "StoreError",
    "Variant",
    "open_book",
    "open_store",
]
