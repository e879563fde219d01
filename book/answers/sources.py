"""The sources of answers: the store, the atlas and the book, each by itself.

They state values of positions, which no komi changes, and a position with as many plies left is worth the same in a
game of any length. So every game asks the same sources. What our player plays is for one game alone.
"""

from abc import ABC, abstractmethod
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import replace
from functools import cache, reduce
from pathlib import Path
from typing import TYPE_CHECKING

from book.exchange.claims import CertificateError, images_of, read_claims
from book.files.atlas import AtlasError, Row, read_atlas
from book.files.mainline import LINES
from book.files.named import read_named_book
from book.files.reader import MoveBook
from book.files.shipped import ATLAS_FILE, ATLAS_PLY, BOOK_FILE, LATER_PLIES, VALUES, later_digests
from book.files.shipped import certificates as certificate_files
from book.files.values import PLY_SIZES, read_values
from book.store.facts import Choice, Origin, Statement
from runtime.files import MIB, sha256_of
from solver.answer import Bounds, Ends
from solver.bounds import meet
from solver.family import Variant
from solver.native import NoKernel
from solver.position import Position, parse_move
from solver.symmetry import IDENTITY, INVERSE, POINT_IMAGE, Turned, key_of

if TYPE_CHECKING:
    from book.store.store import Store

#: Kinds of sources.
STORE, ATLAS, BOOK, CERTIFICATE, LINE, KERNEL, RULES = (
    "store", "atlas", "book", "certificate", "line", "kernel", "rules",
)  # fmt: skip

#: What follows from other answers: a position is worth what its best move is, and no move is worth more.
BY_MOVES, BY_POSITION = "its moves", "the position"


class Source(ABC):
    """A source of statements about positions."""

    @abstractmethod
    def said_of(self, position: Position) -> list[Statement]:
        """Return the source's statements about a position that is not over; none when it does not know it."""

    def said_of_moves(self, position: Position) -> Mapping[int, Statement]:
        """Return the statements about moves, by move; those about the positions after them may be among them."""
        return {}

    def choice(self, position: Position, game: Variant) -> Choice | None:
        """Return our player's move in a game, or None where the source does not have it."""
        return None


class StoreSource(Source):
    """The proof store: what each imported file says, and what the store has beyond that."""

    def __init__(self, store: "Store") -> None:
        self._store = store
        self._origin = Origin(STORE, store.path.name)

    def said_of(self, position: Position) -> list[Statement]:
        """Return the statements of the store, and of each file that it has read."""
        said = self._store.statements_of(position)
        entry = self._store.get(position)
        if entry is not None:
            files: Ends = reduce(meet, said, Bounds())
            if not said or entry.lo > files.lo or entry.hi < files.hi:
                said.insert(0, Statement(entry.lo, entry.hi, _one(entry.best), self._origin))
        return said

    def said_of_moves(self, position: Position) -> Mapping[int, Statement]:
        """Return the bounds of moves."""
        answers = self._store.moves_of(position)
        return {move: Statement(each.lo, each.hi, (), self._origin) for move, each in answers.items()}

    def choice(self, position: Position, game: Variant) -> Choice | None:
        """Return the closure's choice, or an imported book's move; None in another game than the store's."""
        if game != self._store.game:
            return None
        chosen = self._store.choice_of(position)
        if chosen is not None:
            return chosen
        stated = (each for each in self._store.statements_of(position) if each.origin.kind == BOOK)
        return next((Choice(position, move) for each in stated for move in each.best), None)


class AtlasSource(Source):
    """An atlas file; make one with ``AtlasSource(path)``, which raises AtlasError and OSError."""

    def __init__(self, path: Path) -> None:
        self._rows: dict[int, Row] = {key_of(row.position): row for row in read_atlas(path)}
        self._origin = Origin(ATLAS, path.name)

    def said_of(self, position: Position) -> list[Statement]:
        """Return the file's statement about a position."""
        turned = Turned.of(position)
        row = self._rows.get(turned.key)
        if row is None:
            return []
        return [Statement(row.lo, row.hi, tuple(turned.back[move] for move in row.best), self._origin)]


class ValuesSource(Source):
    """The atlas that ships, all its plies, read in a tenth of the time: the kernel makes the keys."""

    def __init__(self, plies: Collection[int] = range(len(PLY_SIZES))) -> None:
        """plies: those that it answers for. Raises AtlasError, OSError and NoKernel."""
        self._values = read_values(VALUES)
        # By the names of the files that the values are packed from, as a store that has imported them has it.
        files = {ply: LATER_PLIES.get(ply, ATLAS_FILE).name for ply in plies}
        self._origins = {ply: Origin(ATLAS, file) for ply, file in files.items()}

    def said_of(self, position: Position) -> list[Statement]:
        """Return the file's statement about a position."""
        origin = self._origins.get(position.ply)
        known = None if origin is None else self._values.get(position)
        return [] if origin is None or known is None else [Statement(known.lo, known.hi, _one(known.best), origin)]


class BookSource(Source):
    """A compressed book: verdicts and moves, no values and no costs."""

    def __init__(self, book: MoveBook, name: str) -> None:
        self._book = book
        self._origin = Origin(BOOK, name)

    def said_of(self, position: Position) -> list[Statement]:
        """Return the book's statement about a position."""
        entry = self._book.get(position)
        return [] if entry is None else [Statement(*entry.bounds, (entry.move,), self._origin)]

    def choice(self, position: Position, game: Variant) -> Choice | None:
        """Return the book's move, which is what we play there; None in another game than the book's."""
        entry = self._book.get(position) if game == self._book.game else None
        return None if entry is None else Choice(position, entry.move)


class CertificateSource(Source):
    """Certificates that ship: bounds on the value of each of their positions, and the moves that keep them.

    Make one with ``CertificateSource(paths)``, which raises CertificateError and OSError.
    """

    def __init__(self, paths: Iterable[Path]) -> None:
        # By the lines of the files, as they are: to parse or to turn all of them would take seconds. "" is no move.
        self._claims: list[tuple[Statement, dict[str, str]]] = []
        for path in paths:
            claims = read_claims(path)
            said = Statement(*claims.bounds, (), Origin(CERTIFICATE, path.name))
            starts = {images_of(start)[IDENTITY]: "" for start in claims.start_positions()}
            self._claims.append((said, starts | dict(line.rsplit(" ", 1) for line in claims.lines)))

    def said_of(self, position: Position) -> list[Statement]:
        """Return what each certificate says of a position."""
        images = {text: symmetry for symmetry, text in enumerate(images_of(position))}
        return [
            replace(said, best=_turned_back(moves[text], symmetry))
            for said, moves in self._claims
            for text, symmetry in images.items()
            if text in moves
        ]


class LineSource(Source):
    """The lines of best play that ship: the value of each of their positions, and the next move."""

    def __init__(self) -> None:
        self._known: dict[int, tuple[int, int]] = {}
        for line in LINES:
            for position, move in line.steps():
                turned = Turned.of(position)
                self._known.setdefault(turned.key, (line.value, turned.to[move]))

    def said_of(self, position: Position) -> list[Statement]:
        """Return the line's statement about a position."""
        turned = Turned.of(position)
        if turned.key not in self._known:
            return []
        value, move = self._known[turned.key]
        return [Statement(value, value, (turned.back[move],), Origin(LINE))]


@contextmanager
def open_sources(
    db: Path | None,
    atlas: Path | None,
    book: Path | None,
    certificates: Iterable[Path],
    game: Variant,
) -> Iterator[list[Source]]:
    """Open a game's store, None: without one, and give it with the other sources, as sources_of() does.

    game: the store's. Raises StoreError for a store that cannot be read, and as sources_of() does.
    """
    with ExitStack() as stack:
        store = None
        if db is not None:
            # Imported here, because what the files state needs no database.
            from book.store.store import open_store

            store = stack.enter_context(open_store(db, game=game))
        yield sources_of(store, atlas, book, certificates)


def sources_of(
    store: "Store | None",
    atlas: Path | None,
    book: Path | None,
    certificates: Iterable[Path],
) -> list[Source]:
    """Return the sources to ask; None: do not ask it. A file that the store has imported is not asked again.

    With an atlas come the later plies that ship, where there is a kernel, and the principal variation, which leads on
    where they end.

    Raises StoreError, AtlasError, BookError, CertificateError and OSError for a file that cannot be read.
    """
    # The line comes first: where several moves are best, it is the one to follow.
    sources: list[Source] = [] if atlas is None else [LineSource()]
    if store is not None:
        sources.append(StoreSource(store))
    read: Collection[str] = () if store is None else store.imported()
    if unread := [path for path in certificates if not _is_read(path, read)]:
        sources.append(CertificateSource(unread))
    sources += _of_atlas(atlas, read)
    if book is not None and not _is_read(book, read):
        sources.append(BookSource(read_named_book(book)[0], book.name))
    return sources


def _of_atlas(atlas: Path | None, read: Collection[str]) -> Iterator[Source]:
    """Yield what answers for an atlas and for the later plies, as far as a store has not read them."""
    if atlas is None:
        return
    later = {ply for ply, digest in later_digests().items() if digest not in read} if read else {*LATER_PLIES}
    first = set() if _is_read(atlas, read) or atlas != ATLAS_FILE else set(range(ATLAS_PLY + 1))
    try:
        if first | later:
            yield ValuesSource(first | later)
    except NoKernel:
        first = set()
    if not first and not _is_read(atlas, read):
        yield AtlasSource(atlas)


def session_sources(book: MoveBook | None) -> list[Source]:
    """Return the sources of a session of many questions: the shipped certificates and atlas, and the book it has.

    They are read once, in a fifth of a second; where they cannot be read, the session does without.
    """
    sources: list[Source] = [] if book is None else [BookSource(book, BOOK_FILE.name)]
    with suppress(AtlasError, CertificateError, OSError):
        sources = [*_shipped(), *sources]
    return sources


@cache
def _shipped() -> tuple[Source, ...]:
    return tuple(sources_of(None, ATLAS_FILE, None, certificate_files()))


def _is_read(path: Path, read: Collection[str]) -> bool:
    """Whether a file's SHA-256 is among those that a store has read."""
    return bool(read) and _digest(path) in read


def _digest(path: Path) -> str:
    return sha256_of(path, 256 * MIB)


def _turned_back(move: str, symmetry: int) -> tuple[int, ...]:
    """Return a move of a symmetry's image as it lies in the position; none where the text is empty."""
    return (POINT_IMAGE[INVERSE[symmetry]][parse_move(move)],) if move else ()


def _one(move: int | None) -> tuple[int, ...]:
    return () if move is None else (move,)
