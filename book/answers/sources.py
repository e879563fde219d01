"""The sources of answers, and a ledger that merges the sources' statements, inferences and the results of searches.

A source states values of positions. A value depends neither on the komi nor on the game's length, so all games use the
same sources. Only our player's choice of a move belongs to one game.

If a statement contains best moves, its bound for the mover also holds for the positions after these moves. The ledger
transfers this bound to these positions before it merges statements, because a best move may not keep the bound of
another statement.
"""

from abc import ABC, abstractmethod
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field, replace
from functools import cache, reduce
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from little_go.book.files.atlas import AtlasError, Row, read_atlas
from little_go.book.files.claims_index import ClaimsIndex, read_claims_index
from little_go.book.files.reader import MoveBook
from little_go.book.files.shipped import (
    ATLAS_FILE,
    ATLAS_PLY,
    BOOK_FILE,
    CLAIMS,
    LATER_PLIES,
    LINES,
    VALUES,
    later_digests,
)
from little_go.book.files.values import LAST_PLY, read_values
from little_go.book.files.writer import read_named_book
from little_go.book.store.facts import Choice, Origin, Statement, contradiction
from little_go.runtime.files import MIB, sha256_of
from little_go.solver.answer import LEAST, MOST, Answer, Bounds, BoundsBase
from little_go.solver.bounds import UNKNOWN, after_move, best_of, intersect, merge_answers
from little_go.solver.family import Variant
from little_go.solver.native import NoKernel
from little_go.solver.position import Position
from little_go.solver.symmetry import Oriented, canonical_key, key_of

if TYPE_CHECKING:
    from little_go.book.store.store import Store

#: Kinds of sources.
STORE, ATLAS, BOOK, CERTIFICATE, LINE, KERNEL, RULES = (
    "store", "atlas", "book", "certificate", "line", "kernel", "rules",
)  # fmt: skip

#: The names of inferences: a position has the value of its best move, and no move is worth more than the position.
BY_MOVES, BY_POSITION = "its moves", "the position"


class Source(ABC):
    """A source of statements about positions."""

    @abstractmethod
    def statements_about(self, position: Position) -> list[Statement]:
        """Return the source's statements about a position of an unfinished game, or an empty list if it has none."""

    def statements_about_moves(self, position: Position) -> Mapping[int, Statement]:
        """Return, by move, the statements about moves that are recorded with the position before the moves."""
        return {}

    def choice(self, position: Position, game: Variant) -> Choice | None:
        """Return our player's move in a game, or None if the source does not have it."""
        return None


class StoreSource(Source):
    """The proof store, with the statements of each imported file, and the store's own bounds if they are narrower."""

    def __init__(self, store: "Store") -> None:
        self._store = store
        self._origin = Origin(STORE, store.path.name)

    def statements_about(self, position: Position) -> list[Statement]:
        """Return the statements of the store and of each file imported into it."""
        said = self._store.statements_of(position)
        entry = self._store.get(position)
        if entry is not None:
            files: BoundsBase = reduce(intersect, said, Bounds())
            if not said or entry.lo > files.lo or entry.hi < files.hi:
                said.insert(0, Statement(entry.lo, entry.hi, _one(entry.best), self._origin))
        return said

    def statements_about_moves(self, position: Position) -> Mapping[int, Statement]:
        """Return the bounds that the store records with the moves."""
        answers = self._store.moves_of(position)
        return {move: Statement(each.lo, each.hi, (), self._origin) for move, each in answers.items()}

    def choice(self, position: Position, game: Variant) -> Choice | None:
        """Return the closure's choice or an imported book's move, or None if the game is not the store's game."""
        if game != self._store.game:
            return None
        chosen = self._store.choice_of(position)
        if chosen is not None:
            return chosen
        stated = (each for each in self._store.statements_of(position) if each.origin.kind == BOOK)
        return next((Choice(position, move) for each in stated for move in each.best), None)


class AtlasSource(Source):
    """An atlas file; ``AtlasSource(path)`` raises AtlasError if the file is not a valid atlas."""

    def __init__(self, path: Path) -> None:
        self._rows: dict[int, Row] = {key_of(row.position): row for row in read_atlas(path)}
        self._origin = Origin(ATLAS, path.name)

    def statements_about(self, position: Position) -> list[Statement]:
        """Return the file's statement about a position."""
        oriented = Oriented.of(position)
        row = self._rows.get(oriented.key)
        if row is None:
            return []
        return [Statement(row.lo, row.hi, tuple(oriented.back[move] for move in row.best), self._origin)]


class ValuesSource(Source):
    """The shipped atlas with all its plies.

    These values are read ten times as fast as the CSV file, because the kernel computes the keys.
    """

    def __init__(self, plies: Collection[int] = range(LAST_PLY + 1)) -> None:
        """plies: the plies about which this source makes statements. Raise NoKernel if there is no kernel."""
        self._values = read_values(VALUES)
        # The origins have the names of the CSV files with the same values, like the origins in a store that has
        # imported these files.
        files = {ply: _atlas_file(ply) for ply in plies}
        self._origins = {ply: Origin(ATLAS, file) for ply, file in files.items()}

    def statements_about(self, position: Position) -> list[Statement]:
        """Return the file's statement about a position."""
        origin = self._origins.get(position.ply)
        known = None if origin is None else self._values.get(position)
        return [] if origin is None or known is None else [Statement(known.lo, known.hi, _one(known.best), origin)]


class BookSource(Source):
    """A compressed book, which has winners and moves, but no values and no node counts."""

    def __init__(self, book: MoveBook, name: str) -> None:
        self._book = book
        self._origin = Origin(BOOK, name)

    def statements_about(self, position: Position) -> list[Statement]:
        """Return the book's statement about a position."""
        entry = self._book.get(position)
        return [] if entry is None else [Statement(*entry.bounds, (entry.move,), self._origin)]

    def choice(self, position: Position, game: Variant) -> Choice | None:
        """Return the book's move, which our player plays, or None if the game is not the book's game."""
        entry = self._book.get(position) if game == self._book.game else None
        return None if entry is None else Choice(position, entry.move)


class CertificateSource(Source):
    """The shipped certificates, which have bounds on the value of each position, and moves that keep the bounds."""

    def __init__(self, index: ClaimsIndex, without: Collection[str] = ()) -> None:
        """without: the SHA-256 hashes of certificates to omit."""
        self._index = index
        self._said = {
            number: (file.bounds, Origin(CERTIFICATE, file.name))
            for number, file in enumerate(index.files)
            if file.digest not in without
        }

    def statements_about(self, position: Position) -> list[Statement]:
        """Return each certificate's statement about a position."""
        oriented = Oriented.of(position)
        return [
            Statement(
                *self._said[number][0], _one(None if move is None else oriented.back[move]), self._said[number][1]
            )
            for number, move in self._index.about(oriented.key)
            if number in self._said
        ]


class LineSource(Source):
    """The shipped lines of best play, which have the value of each position on a line, and the next move."""

    def __init__(self) -> None:
        self._known: dict[int, tuple[int, int]] = {}
        for line in LINES:
            for position, move in line.steps():
                oriented = Oriented.of(position)
                self._known.setdefault(oriented.key, (line.value, oriented.to[move]))

    def statements_about(self, position: Position) -> list[Statement]:
        """Return the line's statement about a position."""
        oriented = Oriented.of(position)
        if oriented.key not in self._known:
            return []
        value, move = self._known[oriented.key]
        return [Statement(value, value, (oriented.back[move],), Origin(LINE))]


@contextmanager
def open_sources(
    db: Path | None,
    atlas: Path | None,
    book: Path | None,
    certificates: bool,
    game: Variant,
) -> Iterator[list[Source]]:
    """Open a game's store, and yield all sources of sources_of(), including the store.

    game: the store's game.
    """
    with ExitStack() as stack:
        store = None
        if db is not None:
            # The import is not at the top, because the other sources need no database.
            from little_go.book.store.store import open_store

            store = stack.enter_context(open_store(db, game=game))
        yield sources_of(store, atlas, book, certificates)


def sources_of(
    store: "Store | None",
    atlas: Path | None,
    book: Path | None,
    certificates: bool,
) -> list[Source]:
    """Return the sources of answers, in the order in which they are consulted.

    An argument None or False omits a source. A file that the store has imported is not a separate source. With an
    atlas, the sources include the later shipped plies if there is a kernel, and the principal variation, which
    continues after them.

    Raise StoreError, AtlasError, BookError or OSError if a file cannot be read.
    """
    # The line is the first source, because its move is preferred if several moves are best.
    sources: list[Source] = [] if atlas is None else [LineSource()]
    if store is not None:
        sources.append(StoreSource(store))
    read: Collection[str] = () if store is None else store.imported()
    if certificates:
        sources.append(CertificateSource(read_claims_index(CLAIMS), read))
    sources += _of_atlas(atlas, read)
    if book is not None and not _is_read(book, read):
        sources.append(BookSource(read_named_book(book)[0], book.name))
    return sources


def _of_atlas(atlas: Path | None, read: Collection[str]) -> Iterator[Source]:
    """Yield sources for an atlas and for the later plies that the store has not imported."""
    if atlas is None:
        return
    later = {ply for ply, digest in later_digests().items() if digest not in read} if read else {*LATER_PLIES}
    # A store never imports the parts of the last ply.
    later.add(LAST_PLY)
    first = set() if _is_read(atlas, read) or atlas != ATLAS_FILE else set(range(ATLAS_PLY + 1))
    try:
        if first | later:
            yield ValuesSource(first | later)
    except NoKernel:
        first = set()
    if not first and not _is_read(atlas, read):
        yield AtlasSource(atlas)


def session_sources(book: MoveBook | None) -> list[Source]:
    """Return the sources for a session of many questions: the shipped certificates and atlas, and a book.

    Reading the files takes a fifth of a second. Files that cannot be read are omitted.
    """
    sources: list[Source] = [] if book is None else [BookSource(book, BOOK_FILE.name)]
    with suppress(AtlasError, OSError):
        sources = [*_shipped(), *sources]
    return sources


@cache
def _shipped() -> tuple[Source, ...]:
    return tuple(sources_of(None, ATLAS_FILE, None, certificates=True))


def _atlas_file(ply: int) -> str:
    """Return the name of the file or folder that contains the values of a ply."""
    if ply <= ATLAS_PLY:
        return ATLAS_FILE.name
    return LATER_PLIES[ply].name if ply in LATER_PLIES else f"ply{ply}"


def _is_read(path: Path, read: Collection[str]) -> bool:
    return bool(read) and _digest(path) in read


def _digest(path: Path) -> str:
    return sha256_of(path, 256 * MIB)


def _one(move: int | None) -> tuple[int, ...]:
    return () if move is None else (move,)


_Origins: TypeAlias = tuple[Origin, ...]


@dataclass(frozen=True, slots=True)
class KnownBounds(BoundsBase):
    """The known bounds on a position's value, and their sources."""

    lo: int = field()
    hi: int = field()
    #: The game, whose komi determines the winner.
    game: Variant
    #: The sources of each bound. A bound that holds for every position has no sources.
    lo_from: _Origins = ()
    hi_from: _Origins = ()
    #: The sources that prove the winner.
    winner_from: _Origins = ()
    #: The sources that contain the position, even if their statements are weaker than the bounds.
    named: _Origins = ()
    #: The number of nodes searched for this position in this session.
    nodes: int = 0

    @property
    def winner(self) -> int | None:
        """The proven winner of the game (1 = Black, 2 = White), or None."""
        return self.game.winner(self)

    @property
    def answer(self) -> Answer:
        """The bounds without a move."""
        return Answer(self.lo, self.hi, None, self.nodes)

    @property
    def is_known(self) -> bool:
        """Whether a source contains the position, or its bounds are narrower than the trivial bounds."""
        return bool(self.named) or self.lo > LEAST or self.hi < MOST

    def merged_with(
        self, key: int, bounds: BoundsBase, lo_from: Iterable[Origin], hi_from: Iterable[Origin]
    ) -> "KnownBounds":
        """Return these bounds merged with the bounds of another statement.

        If both have the same bound, it gets the origins of both. key: the position's key, for the error message. Raise
        Contradiction if the statement contradicts the bounds.
        """
        lo, hi = intersect(self, bounds)
        by_lo = _end_from(self.lo, self.lo_from, bounds.lo, lo_from, LEAST)
        by_hi = _end_from(-self.hi, self.hi_from, -bounds.hi, hi_from, -MOST)
        if lo > hi:
            raise contradiction(key, Bounds(lo=lo), Bounds(hi=hi), _names(by_lo), _names(by_hi), self.game)
        winner, winner_from = self.game.winner(bounds), self.winner_from
        if winner is not None:
            winner_from = joined(winner_from, lo_from if winner == 1 else hi_from)
        return replace(self, lo=lo, hi=hi, lo_from=by_lo, hi_from=by_hi, winner_from=winner_from)

    def tightened_by(
        self, key: int, bounds: BoundsBase, lo_from: Iterable[Origin], hi_from: Iterable[Origin]
    ) -> "KnownBounds":
        """Return the bounds merged with inferred or searched bounds. Only a narrower bound has an effect."""
        news = Bounds(bounds.lo if bounds.lo > self.lo else LEAST, bounds.hi if bounds.hi < self.hi else MOST)
        return self if news == Bounds() else self.merged_with(key, news, lo_from, hi_from)


class Ledger:
    """The known bounds of positions, by canonical key. The bounds come from sources, searches and inferences.

    Public attribute: ``game``, the game, whose komi determines the winner.
    """

    def __init__(self, sources: Sequence[Source], game: Variant) -> None:
        self.game = game
        self._sources = sources
        self._nothing = KnownBounds(LEAST, MOST, game)
        self._bounds: dict[int, KnownBounds] = {}
        # The statements of the sources since the last settle(), and the answers of searches, both in canonical
        # orientation.
        self._statements: dict[int, list[Statement]] = {}
        self._searched: dict[int, Answer] = {}
        # The bounds that settle() has kept.
        self._settled: dict[int, KnownBounds] = {}

    def at(self, key: int) -> KnownBounds:
        """Return the known bounds of the position with the canonical key ``key``, without reading the sources."""
        return self._bounds.get(key) or self._settled.get(key, self._nothing)

    def known_bounds(self) -> Iterator[tuple[int, KnownBounds]]:
        """Yield the canonical keys and bounds of the positions that were added since the last settle()."""
        return ((key, bounds) for key, bounds in self._bounds.items() if bounds.is_known)

    # Look-ups

    def ask(self, position: Position) -> int:
        """Merge the statements of all sources about a position, and return its canonical key.

        Further calls of ask() for the position have no effect until the next settle(). Raise Contradiction if two
        sources exclude each other.
        """
        oriented = Oriented.of(position)
        key = oriented.key
        if key in self._statements:
            return key
        self._statements[key] = []
        if position.is_over:
            self._merge(key, Bounds(position.margin, position.margin), Origin(RULES))
            return key
        for statement in chain.from_iterable(source.statements_about(position) for source in self._sources):
            self._statements[key].append(replace(statement, best=tuple(oriented.to[move] for move in statement.best)))
            self._merge(key, statement, statement.origin)
            self._bounds[key] = replace(self._bounds[key], named=joined(self._bounds[key].named, [statement.origin]))
            for move in statement.best:
                self._merge(
                    canonical_key(position.play(move)), statement.mover_end(position.black_to_move), statement.origin
                )
        if (answer := self._searched.get(key)) is not None:
            self._take_in(position, oriented, answer)
        return key

    def ask_of_moves(self, position: Position) -> None:
        """Merge the statements of all sources about a position's moves."""
        for source in self._sources:
            for move, statement in source.statements_about_moves(position).items():
                self._tighten(canonical_key(position.play(move)), statement, [statement.origin], [statement.origin])

    def statements(self, position: Position) -> list[Statement]:
        """Return the statements that contain best moves of a position, sorted from best to worst for the mover."""
        key, oriented = self.ask(position), Oriented.of(position)
        statements, searched = self._statements[key], self._searched.get(key, UNKNOWN)
        if searched.best is not None:
            statements = [*statements, Statement(searched.lo, searched.hi, (searched.best,), Origin(KERNEL))]
        named = [
            replace(each, best=tuple(oriented.back[move] for move in each.best)) for each in statements if each.best
        ]
        return sorted(named, key=lambda each: -each.mover_bound(position.black_to_move))

    def choice(self, position: Position) -> Choice | None:
        """Return our player's move in an unfinished position, from the first source that has such a move."""
        choices = (source.choice(position, self.game) for source in self._sources)
        return next((choice for choice in choices if choice is not None), None)

    # Additions

    def learn(self, position: Position, answer: Answer) -> None:
        """Merge the answer of a search about a position, and the answer's move if this move keeps the mover's bound."""
        if position.is_over:
            return
        oriented, black = Oriented.of(position), position.black_to_move
        self._bounds[oriented.key] = replace(self.at(oriented.key), nodes=answer.nodes)
        # Every move keeps the worst possible bound, so the move of an answer with only this bound is a guess.
        best = oriented.to[answer.best] if answer.best is not None and answer.mover_bound(black) > LEAST else None
        found = answer._replace(best=best)
        if found[:2] != UNKNOWN[:2]:
            self._searched[oriented.key] = merge_answers(black, self._searched.get(oriented.key, UNKNOWN), found)
            self._take_in(position, oriented, found)

    def _take_in(self, position: Position, oriented: Oriented, found: Answer) -> None:
        """Merge an answer in canonical orientation if its bounds are narrower than the known bounds."""
        origins = [Origin(KERNEL)]
        self._tighten(oriented.key, found, origins, origins)
        if found.best is not None:
            after = canonical_key(position.play(oriented.back[found.best]))
            self._tighten(after, found.mover_end(position.black_to_move), origins, origins)

    def infer(self, position: Position, after: Sequence[int]) -> None:
        """Infer a position's bounds from the bounds after all its moves, and then infer bounds after the moves from
        these bounds.

        after: the canonical keys of the positions after the moves, or [] to infer nothing.
        """
        if after:
            self._infer_from_moves(position, dict.fromkeys(after))
            self._infer_for_moves(position, dict.fromkeys(after))

    def _infer_from_moves(self, position: Position, moves: Iterable[int]) -> None:
        black, known = position.black_to_move, {key: self.at(key) for key in moves}
        follows = best_of(black, {key: bounds.answer for key, bounds in known.items()})
        keeper = max(known.values(), key=lambda bounds: bounds.mover_bound(black))
        why, all_moves = [Origin(BY_MOVES)], known.values()
        kept = joined(why, keeper.lo_from if black else keeper.hi_from)
        capped = joined(why, (origin for each in all_moves for origin in (each.hi_from if black else each.lo_from)))
        self._tighten(canonical_key(position), follows, *((kept, capped) if black else (capped, kept)))

    def _infer_for_moves(self, position: Position, moves: Iterable[int]) -> None:
        black, here, why = position.black_to_move, self.at(canonical_key(position)), [Origin(BY_POSITION)]
        able = [key for key in moves if self.at(key).opponent_bound(black) >= here.mover_bound(black)]
        for key in moves:
            # If only one move can have the value of the position, this move is the best move.
            follows = after_move(black, here, is_best=able == [key])
            self._tighten(key, follows, joined(why, here.lo_from), joined(why, here.hi_from))

    def _merge(self, key: int, bounds: BoundsBase, origin: Origin) -> None:
        self._bounds[key] = self.at(key).merged_with(key, bounds, [origin], [origin])

    def _tighten(self, key: int, bounds: BoundsBase, lo_from: Iterable[Origin], hi_from: Iterable[Origin]) -> None:
        self._bounds[key] = self.at(key).tightened_by(key, bounds, lo_from, hi_from)

    def settle(self, keys: Iterable[int]) -> None:
        """Drop all bounds except the answers of searches and the bounds of the positions ``keys``."""
        self._settled.update((key, self.at(key)) for key in keys if self.at(key).is_known)
        self._bounds.clear()
        self._statements.clear()


def joined(origins: Iterable[Origin], others: Iterable[Origin]) -> _Origins:
    """Merge two lists of origins, without duplicates."""
    return tuple(dict.fromkeys((*origins, *others)))


def _end_from(old: int, old_from: _Origins, new: int, new_from: Iterable[Origin], trivial: int) -> _Origins:
    """Return the sources of the higher of two lower bounds.

    If the bounds are equal and not trivial, return the sources of both.
    """
    if new > old:
        return tuple(new_from)
    return joined(old_from, new_from) if new == old > trivial else old_from


def _names(origins: Iterable[Origin]) -> str:
    return ", ".join(map(str, origins))
