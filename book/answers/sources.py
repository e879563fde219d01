"""The sources of answers: the store, the atlas and the book, each by itself."""

import hashlib
from abc import ABC, abstractmethod
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from functools import cache
from pathlib import Path
from typing import NamedTuple

from book.exchange.claims import CertificateError, images_of, read_claims
from book.files.atlas import AtlasError, Row, read_atlas
from book.files.mainline import LINES
from book.files.reader import MoveBook, read_book
from book.files.shipped import ATLAS as ATLAS_FILE
from book.files.shipped import BOOK as BOOK_FILE
from book.files.shipped import LATER_PLIES, VALUES
from book.files.shipped import certificates as certificate_files
from book.files.values import PLY_SIZES, read_values
from book.store.facts import Choice
from book.store.store import Store, open_store
from solver.answer import LEAST, MOST
from solver.native import NoKernel
from solver.position import PASS, Position, move_name
from solver.symmetry import IDENTITY, INVERSE, POINT_IMAGE, canonical, key_of

#: Kinds of sources.
STORE, ATLAS, BOOK, CERTIFICATE, LINE, KERNEL, RULES = (
    "store", "atlas", "book", "certificate", "line", "kernel", "rules",
)  # fmt: skip

#: What follows from other answers: a position is worth what its best move is, and no move is worth more.
BY_MOVES, BY_POSITION = "its moves", "the position"


class Origin(NamedTuple):
    """The origin of a bound: the kind of source, and its file's name, or "" where there is only one."""

    kind: str
    name: str = ""

    def __str__(self) -> str:
        """Return both, as scripts get them: ``certificate game-at-least-3.cert.gz``."""
        return f"{self.kind} {self.name}".strip()


class Said(NamedTuple):
    """One source's statement about a position, in the orientation of the question.

    lo, hi: proven bounds. best: moves that keep the mover's side of them, as far as the source names them.
    """

    lo: int
    hi: int
    best: tuple[int, ...]
    origin: Origin


class Source(ABC):
    """Somebody who knows about positions."""

    @abstractmethod
    def said_of(self, position: Position) -> list[Said]:
        """Return the source's statements about a position that is not over; none when it does not know it."""

    def said_of_moves(self, position: Position) -> Mapping[int, Said]:
        """Return the statements about moves, by move; those about the positions after them may be among them."""
        return {}

    def choice(self, position: Position) -> Choice | None:
        """Return our player's move, or None where the source does not tell."""
        return None


class StoreSource(Source):
    """The proof store: what each imported file says, and what the store has beyond that."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._origin = Origin(STORE, store.path.name)

    def said_of(self, position: Position) -> list[Said]:
        """Return the statements of the store, and of each file that it has read."""
        stated = self._store.statements_of(position)
        said = [Said(each.lo, each.hi, _one(each.best), Origin(each.kind, each.file)) for each in stated]
        entry = self._store.get(position)
        if entry is not None:
            lo, hi = max((each.lo for each in said), default=LEAST), min((each.hi for each in said), default=MOST)
            if not said or entry.lo > lo or entry.hi < hi:
                said.insert(0, Said(entry.lo, entry.hi, _one(entry.best), self._origin))
        return said

    def said_of_moves(self, position: Position) -> Mapping[int, Said]:
        """Return the bounds of moves."""
        answers = self._store.moves_of(position)
        return {move: Said(each.lo, each.hi, (), self._origin) for move, each in answers.items()}

    def choice(self, position: Position) -> Choice | None:
        """Return the closure's choice, or an imported book's move."""
        chosen = self._store.choice_of(position)
        if chosen is not None:
            return chosen
        played = [each.best for each in self._store.statements_of(position) if each.kind == BOOK]
        return next((Choice(position, move) for move in played if move is not None), None)


class AtlasSource(Source):
    """An atlas file; make one with ``AtlasSource(path)``, which raises AtlasError and OSError."""

    def __init__(self, path: Path) -> None:
        self._rows: dict[int, Row] = {key_of(row.position): row for row in read_atlas(path)}
        self._origin = Origin(ATLAS, path.name)

    def said_of(self, position: Position) -> list[Said]:
        """Return the file's statement about a position."""
        key, symmetry = canonical(position)
        row = self._rows.get(key)
        if row is None:
            return []
        back = POINT_IMAGE[INVERSE[symmetry]]
        return [Said(row.lo, row.hi, tuple(back[move] for move in row.best), self._origin)]


class ValuesSource(Source):
    """The atlas that ships, all its plies, read in a tenth of the time: the kernel makes the keys."""

    def __init__(self, plies: Collection[int] = range(len(PLY_SIZES))) -> None:
        """plies: those that it answers for. Raises AtlasError, OSError and NoKernel."""
        self._values = read_values(VALUES)
        self._plies = plies
        self._origin = Origin(ATLAS, VALUES.name)

    def said_of(self, position: Position) -> list[Said]:
        """Return the file's statement about a position."""
        known = self._values.get(position) if position.ply in self._plies else None
        return [] if known is None else [Said(known.lo, known.hi, _one(known.best), self._origin)]


class BookSource(Source):
    """A compressed book: verdicts and moves, no values and no costs."""

    def __init__(self, book: MoveBook, name: str) -> None:
        self._book = book
        self._origin = Origin(BOOK, name)

    def said_of(self, position: Position) -> list[Said]:
        """Return the book's statement about a position."""
        entry = self._book.get(position)
        return [] if entry is None else [Said(entry.lo, entry.hi, (entry.move,), self._origin)]

    def choice(self, position: Position) -> Choice | None:
        """Return the book's move: what it knows of a position is what we play there."""
        entry = self._book.get(position)
        return None if entry is None else Choice(position, entry.move)


class CertificateSource(Source):
    """Certificates that ship: bounds on the value of each of their positions, and the moves that keep them.

    Make one with ``CertificateSource(paths)``, which raises CertificateError and OSError.
    """

    def __init__(self, paths: Iterable[Path]) -> None:
        # By the lines of the files, as they are: to parse or to turn all of them would take seconds.
        self._said: dict[str, list[Said]] = {}
        for path in paths:
            claims, origin = read_claims(path), Origin(CERTIFICATE, path.name)
            whole = Said(claims.lo, claims.hi, (), origin)
            shared = {move_name(move): whole._replace(best=(move,)) for move in range(PASS + 1)}
            for start in claims.start_positions():
                self._said.setdefault(images_of(start)[IDENTITY], []).append(whole)
            for line in claims.lines:
                position, _, move = line.rpartition(" ")
                self._said.setdefault(position, []).append(shared[move])

    def said_of(self, position: Position) -> list[Said]:
        """Return what each certificate says of a position."""
        images = {text: POINT_IMAGE[INVERSE[each]] for each, text in enumerate(images_of(position))}
        return [
            said._replace(best=tuple(back[move] for move in said.best))
            for text, back in images.items()
            for said in self._said.get(text, ())
        ]


class LineSource(Source):
    """The lines of best play that ship: the value of each of their positions, and the next move."""

    def __init__(self) -> None:
        self._known: dict[int, tuple[int, int]] = {}
        for line in LINES:
            for position, move in line.steps():
                key, symmetry = canonical(position)
                self._known.setdefault(key, (line.value, POINT_IMAGE[symmetry][move]))

    def said_of(self, position: Position) -> list[Said]:
        """Return the line's statement about a position."""
        key, symmetry = canonical(position)
        if key not in self._known:
            return []
        value, move = self._known[key]
        return [Said(value, value, (POINT_IMAGE[INVERSE[symmetry]][move],), Origin(LINE))]


@contextmanager
def open_sources(
    db: Path | None, atlas: Path | None, book: Path | None, certificates: Iterable[Path] = ()
) -> Iterator[list[Source]]:
    """Open the sources to ask; None: do not ask it. A file that the store has imported is not asked again.

    With an atlas come the later plies that ship, where there is a kernel, and the principal variation, which goes on
    where they end.

    Raises StoreError, AtlasError, BookError, CertificateError and OSError for a file that cannot be read.
    """
    with ExitStack() as stack:
        # The line comes first: where several moves are best, it is the one to go on with.
        sources: list[Source] = [] if atlas is None else [LineSource()]
        read: Collection[str] = ()
        if db is not None:
            store = stack.enter_context(open_store(db))
            sources.append(StoreSource(store))
            read = store.imported()
        unread = [path for path in certificates if _digest(path) not in read]
        if unread:
            sources.append(CertificateSource(unread))
        if atlas is not None:
            if _digest(atlas) not in read:
                sources.append(AtlasSource(atlas))
            if later := {ply for ply, path in LATER_PLIES.items() if _digest(path) not in read}:
                with suppress(NoKernel):
                    sources.append(ValuesSource(later))
        if book is not None and _digest(book) not in read:
            sources.append(BookSource(read_book(str(book)), book.name))
        yield sources


def session_sources(book: MoveBook | None) -> list[Source]:
    """Return what a session asks that asks a lot: the certificates and the atlas that ship, and the book it has.

    They are read once, in half a second; where they cannot be read, the session does without.
    """
    sources: list[Source] = [] if book is None else [BookSource(book, BOOK_FILE.name)]
    with suppress(AtlasError, CertificateError, OSError):
        sources = [*_shipped(), *sources]
    return sources


@cache
def _shipped() -> tuple[Source, ...]:
    try:
        atlas: Source = ValuesSource()
    except NoKernel:
        atlas = AtlasSource(ATLAS_FILE)
    return LineSource(), CertificateSource(certificate_files()), atlas


def _digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def _one(move: int | None) -> tuple[int, ...]:
    return () if move is None else (move,)
