"""The sources of answers, each by itself, and the ledger that merges their statements, what follows, and searches.

Sources state values of positions, which no komi changes, and a position with as many plies left is worth the same in a
game of any length. So every game asks the same sources. What our player plays is for one game alone.

A statement counts for the position that it is about, and its best moves carry the mover's end of the statement's own
bounds to the positions after them. No statement is merged with another before that, so no move comes to stand beside
a bound that it does not keep.
"""

from abc import ABC, abstractmethod
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field, replace
from functools import cache, reduce
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from book.exchange.claims import CertificateError, images_of, read_claims
from book.files.atlas import AtlasError, Row, read_atlas
from book.files.mainline import LINES
from book.files.reader import MoveBook
from book.files.shipped import ATLAS_FILE, ATLAS_PLY, BOOK_FILE, LATER_PLIES, VALUES, later_digests
from book.files.shipped import certificates as certificate_files
from book.files.values import PLY_SIZES, read_values
from book.files.writer import read_named_book
from book.store.facts import Choice, Origin, Statement, contradiction
from runtime.files import MIB, sha256_of
from solver.answer import LEAST, MOST, Answer, Bounds, Ends
from solver.bounds import UNKNOWN, after_move, best_of, meet, met
from solver.family import Variant
from solver.native import NoKernel
from solver.position import Position, parse_move
from solver.symmetry import IDENTITY, INVERSE, POINT_IMAGE, Turned, canonical_key, key_of

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


_Origins: TypeAlias = tuple[Origin, ...]


@dataclass(frozen=True, slots=True)
class KnownBounds(Ends):
    """The bounds known of a position's value, and their sources."""

    lo: int = field()
    hi: int = field()
    #: The game, whose komi decides who wins.
    game: Variant
    #: The sources of each end; none for an end that holds for every position.
    lo_from: _Origins = ()
    hi_from: _Origins = ()
    #: The sources that state enough to name the winner.
    winner_from: _Origins = ()
    #: The sources that have the position, whatever they state of it.
    named: _Origins = ()
    #: Positions searched for it in this session.
    nodes: int = 0

    @property
    def winner(self) -> int | None:
        """The colour that wins the game (1 = Black, 2 = White), or None when the ends do not tell."""
        return self.game.winner(self)

    @property
    def answer(self) -> Answer:
        """The bounds without a move."""
        return Answer(self.lo, self.hi, None, self.nodes)

    @property
    def is_known(self) -> bool:
        """Whether a source has the position, or more is known than holds for every position."""
        return bool(self.named) or self.lo > LEAST or self.hi < MOST

    def told(self, key: int, said: Ends, lo_from: Iterable[Origin], hi_from: Iterable[Origin]) -> "KnownBounds":
        """Return this with one more statement; equal ends have the origins of both.

        key: the position's, for what is raised: Contradiction when both cannot be true.
        """
        lo, hi = meet(self, said)
        by_lo = _end_from(self.lo, self.lo_from, said.lo, lo_from, LEAST)
        by_hi = _end_from(-self.hi, self.hi_from, -said.hi, hi_from, -MOST)
        if lo > hi:
            raise contradiction(key, Bounds(lo=lo), Bounds(hi=hi), _names(by_lo), _names(by_hi), self.game)
        winner, winner_from = self.game.winner(said), self.winner_from
        if winner is not None:
            winner_from = joined(winner_from, lo_from if winner == 1 else hi_from)
        return replace(self, lo=lo, hi=hi, lo_from=by_lo, hi_from=by_hi, winner_from=winner_from)

    def followed(self, key: int, said: Ends, lo_from: Iterable[Origin], hi_from: Iterable[Origin]) -> "KnownBounds":
        """Return this with what follows from other bounds, or was searched: only an end that says more counts."""
        news = Bounds(said.lo if said.lo > self.lo else LEAST, said.hi if said.hi < self.hi else MOST)
        return self if news == Bounds() else self.told(key, news, lo_from, hi_from)


class Ledger:
    """What is known of positions, by canonical key: what sources and searches tell, and what follows from that.

    Public attributes: ``game``, whose komi decides who wins.
    """

    def __init__(self, sources: Sequence[Source], game: Variant) -> None:
        self.game = game
        self._sources = sources
        self._nothing = KnownBounds(LEAST, MOST, game)
        self._stated: dict[int, KnownBounds] = {}
        # In canonical orientation: what the sources state of each position that they were asked about since settle(),
        # and what searches have found.
        self._said: dict[int, list[Statement]] = {}
        self._found: dict[int, Answer] = {}
        # What settle() has kept.
        self._kept: dict[int, KnownBounds] = {}

    def at(self, key: int) -> KnownBounds:
        """Return what is known of the position of a canonical key, and ask nobody."""
        return self._stated.get(key) or self._kept.get(key, self._nothing)

    def known(self) -> Iterator[tuple[int, KnownBounds]]:
        """Yield the canonical keys of the positions of which something was told since settle(), and what is known."""
        return ((key, stated) for key, stated in self._stated.items() if stated.is_known)

    # Asking

    def ask(self, position: Position) -> int:
        """Ask each source about a position, unless that has been done since settle(); return its canonical key.

        Raises Contradiction when two sources cannot both be right.
        """
        turned = Turned.of(position)
        key = turned.key
        if key in self._said:
            return key
        self._said[key] = []
        if position.is_over:
            self._tell(key, Bounds(position.margin, position.margin), Origin(RULES))
            return key
        for said in (said for source in self._sources for said in source.said_of(position)):
            self._said[key].append(replace(said, best=tuple(turned.to[move] for move in said.best)))
            self._tell(key, said, said.origin)
            self._stated[key] = replace(self._stated[key], named=joined(self._stated[key].named, [said.origin]))
            for move in said.best:
                self._tell(canonical_key(position.play(move)), said.kept(position.black_to_move), said.origin)
        if (found := self._found.get(key)) is not None:
            self._take(position, turned, found)
        return key

    def ask_of_moves(self, position: Position) -> None:
        """Ask each source for what it keeps of a position's moves beside the positions after them."""
        for source in self._sources:
            for move, said in source.said_of_moves(position).items():
                self._follow(canonical_key(position.play(move)), said, [said.origin], [said.origin])

    def said(self, position: Position) -> list[Statement]:
        """Return the statements about a position that name moves, those best for the mover first; asks if need be."""
        key, turned = self.ask(position), Turned.of(position)
        said, found = self._said[key], self._found.get(key, UNKNOWN)
        if found.best is not None:
            said = [*said, Statement(found.lo, found.hi, (found.best,), Origin(KERNEL))]
        named = [replace(each, best=tuple(turned.back[move] for move in each.best)) for each in said if each.best]
        return sorted(named, key=lambda each: -each.reach(position.black_to_move))

    def choice(self, position: Position) -> Choice | None:
        """Return our player's move in a position that is not over, as the first source has it that knows one."""
        choices = (source.choice(position, self.game) for source in self._sources)
        return next((choice for choice in choices if choice is not None), None)

    # Telling

    def learn(self, position: Position, answer: Answer) -> None:
        """Take what a search has found of a position, and its move where it keeps the mover's end."""
        if position.is_over:
            return
        turned, black = Turned.of(position), position.black_to_move
        self._stated[turned.key] = replace(self.at(turned.key), nodes=answer.nodes)
        # Every move keeps the least value, so there a move is a guess.
        best = turned.to[answer.best] if answer.best is not None and answer.reach(black) > LEAST else None
        found = answer._replace(best=best)
        if found[:2] != UNKNOWN[:2]:
            self._found[turned.key] = met(black, self._found.get(turned.key, UNKNOWN), found)
            self._take(position, turned, found)

    def _take(self, position: Position, turned: Turned, found: Answer) -> None:
        """Take an answer in canonical orientation, where it says more than is known."""
        origins = [Origin(KERNEL)]
        self._follow(turned.key, found, origins, origins)
        if found.best is not None:
            after = canonical_key(position.play(turned.back[found.best]))
            self._follow(after, found.kept(position.black_to_move), origins, origins)

    def infer(self, position: Position, after: Sequence[int]) -> None:
        """Draw the conclusions for a position from what is known after all its moves, and for these from the position.

        after: the canonical keys of the positions after its moves; with none, nothing follows.
        """
        if after:
            self._infer_from_moves(position, dict.fromkeys(after))
            self._infer_for_moves(position, dict.fromkeys(after))

    def _infer_from_moves(self, position: Position, moves: Iterable[int]) -> None:
        black, known = position.black_to_move, {key: self.at(key) for key in moves}
        follows = best_of(black, {key: stated.answer for key, stated in known.items()})
        keeper = max(known.values(), key=lambda stated: stated.reach(black))
        why, all_moves = [Origin(BY_MOVES)], known.values()
        kept = joined(why, keeper.lo_from if black else keeper.hi_from)
        capped = joined(why, (origin for each in all_moves for origin in (each.hi_from if black else each.lo_from)))
        self._follow(canonical_key(position), follows, *((kept, capped) if black else (capped, kept)))

    def _infer_for_moves(self, position: Position, moves: Iterable[int]) -> None:
        black, here, why = position.black_to_move, self.at(canonical_key(position)), [Origin(BY_POSITION)]
        able = [key for key in moves if self.at(key).most(black) >= here.reach(black)]
        for key in moves:
            # If only one move can be worth as much as the position, it is.
            follows = after_move(black, here, is_best=able == [key])
            self._follow(key, follows, joined(why, here.lo_from), joined(why, here.hi_from))

    def _tell(self, key: int, said: Ends, origin: Origin) -> None:
        self._stated[key] = self.at(key).told(key, said, [origin], [origin])

    def _follow(self, key: int, said: Ends, lo_from: Iterable[Origin], hi_from: Iterable[Origin]) -> None:
        self._stated[key] = self.at(key).followed(key, said, lo_from, hi_from)

    def settle(self, keys: Iterable[int]) -> None:
        """Keep what is known of some positions, and what searches have found; drop what sources can tell again."""
        self._kept.update((key, self.at(key)) for key in keys if self.at(key).is_known)
        self._stated.clear()
        self._said.clear()


def joined(origins: Iterable[Origin], others: Iterable[Origin]) -> _Origins:
    """Return all of them, each once."""
    return tuple(dict.fromkeys((*origins, *others)))


def _end_from(old: int, old_from: _Origins, new: int, new_from: Iterable[Origin], trivial: int) -> _Origins:
    """Return who states the better of two ends, more being better; both where they are equal, and not trivial."""
    if new > old:
        return tuple(new_from)
    return joined(old_from, new_from) if new == old > trivial else old_from


def _names(origins: Iterable[Origin]) -> str:
    return ", ".join(map(str, origins))
