"""The Python interface of the book: open a book, look up positions, play moves, and draw boards."""

import sqlite3
import sys
import warnings
import weakref
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, TypeAlias, TypeGuard, TypeVar, overload

from little_go.book.answers.live import LiveSearch, for_seconds
from little_go.book.answers.query import NOT_IN_BOOK, Knowledge, Service, state_of
from little_go.book.answers.report import knowledge_record, knowledge_text, turn_knowledge
from little_go.book.answers.sources import BookSource, StoreSource, sources_of
from little_go.book.drawing.picture import board_svg
from little_go.book.exchange.merge import provide_store
from little_go.book.files.reader import BookError, MoveBook
from little_go.book.files.shipped import ATLAS_FILE, BOOK_FILE, standard_store
from little_go.book.files.writer import read_named_book
from little_go.book.store.connection import named_game
from little_go.book.store.facts import Origin, StoreError
from little_go.book.store.store import Store, open_store
from little_go.notation.faults import NotationError
from little_go.notation.forms import read
from little_go.notation.movetext import read_move
from little_go.notation.parsed import ParsedPosition, checked, not_read, same_game
from little_go.notation.record import left_out_record, read_key
from little_go.runtime.release import here_or_shipped
from little_go.solver.answer import LEAST, MOST, Answer, Bounds
from little_go.solver.bounds import COLOURS, worth_text
from little_go.solver.family import COURSE, Variant
from little_go.solver.native import NoKernel
from little_go.solver.position import Position, move_name
from little_go.solver.symmetry import canonical_key

#: The public names of ``from little_go.book import …``.
__all__ = [
    "Book",
    "BookError",
    "Knowledge",
    "Known",
    "Move",
    "MoveName",
    "NoKernel",
    "NotInBook",
    "NotRead",
    "Origin",
    "Place",
    "Service",
    "StoreError",
    "open_book",
    "open_store",
]

_Default = TypeVar("_Default")

#: A move: ``"2,2"``, ``"C3"``, ``"PASS"``, or ``(2, 2)``, a tuple of row and column, both from 0.
MoveName: TypeAlias = str | tuple[int, int]

#: A position: a Position, a Known, a key (solver.symmetry), a first move or a sequence of moves from the empty board
#: (``[(2, 2), (1, 1), "PASS"]``), or a text that ``query`` reads: moves (``"2,2 1,1 PASS"``), a board, a key, a line of
#: JSON, an SGF, a link.
Place: TypeAlias = "Position | Known | str | int | tuple[int, int] | Sequence[MoveName]"


class NotInBook(KeyError):
    """Raised if no source contains the position. A missing position is not necessarily lost."""

    def __str__(self) -> str:
        return str(self.args[0])


class NotRead(UserWarning):
    """A warning that a part of a text was skipped or assumed. ``Known.not_read`` contains the skipped parts."""


def open_book(path: str | Path | None = None, *, live: float = 0.0, table: int | None = None) -> "Book":
    """Open a book as a context manager.

    Without ``with``, call close(). Without close(), Python closes the file when no variable refers to the book any
    more.

    path: a proof store, or a compressed book whose name ends in ``.json``. ``book.json`` means the shipped book if the
    working directory has no such file. If path is None, the book has the shipped files and ``book.db``, if it exists.
    ``book.db`` is in the working directory, or else in the clone (for an installed package, in the user's cache
    directory). ``len()`` and ``positions()`` build this store if it is missing, in about 15 seconds, and print a line
    on standard error. The file determines the game (``Book.game``). live: the maximum number of seconds for which each
    look-up searches moves of unknown value, on all cores. table: the memory for the search in MiB, a power of two, or
    None if the machine's memory determines it. Raise StoreError or BookError if a file cannot be read, and NoKernel if
    a search is requested and there is no kernel.
    """
    search = LiveSearch(table) if live else None
    if path is not None and Path(path).suffix == ".json":
        compressed, game = read_named_book(here_or_shipped(path))
        return Book(compressed, Service([BookSource(compressed, Path(path).name)], search, game=game), live, table)
    if path is not None:
        game = named_game(Path(path))
        store = open_store(path, game=game)
        return Book(store, Service([StoreSource(store)], search, game=game), live, table)
    held = open_store(standard_store(), game=COURSE) if standard_store().exists() else None
    sources = sources_of(held, ATLAS_FILE, BOOK_FILE, certificates=True)
    return Book(held, Service(sources, search, game=COURSE), live, table)


def _tell(line: str) -> None:
    print(line, file=sys.stderr)


def _close_unused(store: Store) -> None:
    # With sqlite3, only the thread that opened a file can close it.
    with suppress(sqlite3.ProgrammingError):
        store.close()


class Book:
    """An open book, which open_book() returns. ``len()`` is the number of stored positions.

    Public attribute: ``game``, which contains the length and the komi.
    """

    def __init__(
        self, held: Store | MoveBook | None, service: Service, seconds: float, table: int | None = None
    ) -> None:
        """held: the stored positions, or None to build the store on first use. table: the same as in open_book()."""
        self._held = held
        self._service = service
        self._seconds = seconds
        self._table = table
        self.game: Variant = service.game
        if isinstance(held, Store):
            weakref.finalize(self, _close_unused, held)

    @property
    def _positions(self) -> Store | MoveBook:
        if self._held is None:
            self._held = open_store(provide_store(_tell), game=COURSE)
            weakref.finalize(self, _close_unused, self._held)
        return self._held

    def __enter__(self) -> "Book":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the file. A second call of this method has no effect."""
        if isinstance(self._held, Store):
            self._held.close()

    def find(self, place: Place = "") -> "Known":
        """Return the knowledge about a position, by default about the start. ``book[place]`` does the same.

        >>> book = open_book("book.json")
        >>> book.find("2,2 1,2").bounds, book["2,2"].mover
        ((3, 24), 'White')
        >>> book["0,0 4,4 2,2"]
        Traceback (most recent call last):
            ...
        little_go.book.library.NotInBook: not in the book: '0,0 4,4 2,2': who wins is not known

        Warn with NotRead if a part of a text is skipped. Raise NotInBook, a KeyError, if nothing is known. Raise
        ValueError if the moves, the key or the position cannot occur in a game. Raise StoreError if the file cannot be
        read or contradicts itself.
        """
        known = self._known(place)
        if known.status == NOT_IN_BOOK:
            raise NotInBook(f"not in the book: {place!r}: who wins is not known")
        return known

    @overload
    def get(self, place: Place = "") -> "Known | None": ...

    @overload
    def get(self, place: Place, default: _Default) -> "Known | _Default": ...

    def get(self, place: Place = "", default: Any = None) -> Any:
        """Return the knowledge about a position, or ``default`` if nothing is known.

        Other errors are raised as by find().
        """
        known = self._known(place)
        return default if known.status == NOT_IN_BOOK else known

    def __getitem__(self, place: Place) -> "Known":
        return self.find(place)

    def __contains__(self, place: Place) -> bool:
        return self._known(place).status != NOT_IN_BOOK

    def _known(self, place: Place) -> "Known":
        placed = _placed(place, self.game)
        for note in (*placed.notes, *not_read(placed.left_out)):
            warnings.warn(note, NotRead, stacklevel=_outside())
        return Known(self, placed.position, placed.way, left_out=placed.left_out)

    def __len__(self) -> int:
        return len(self._positions)

    def __iter__(self) -> Iterator["Known"]:
        return self.positions()

    def positions(self, ply: int | None = None) -> Iterator["Known"]:
        """Yield the stored positions in canonical orientation, so symmetric positions are yielded only once.

        ply: the number of plies played, from 0, in the yielded positions, or None for all positions.
        """
        for position, answer in self._stored(ply):
            yield Known(self, position, stored=answer)

    def _stored(self, ply: int | None) -> Iterator[tuple[Position, Answer]]:
        held = self._positions
        ply = None if ply is None else self.game.first_ply + ply
        if isinstance(held, Store):
            for entry in held.entries(ply=ply):
                yield entry.position, entry.answer
            return
        for position, known in held.items():
            if ply in (None, position.ply):
                yield position, Answer(*known.bounds, known.move, 0)

    def ask(self, position: Position, way: Sequence[Position] = ()) -> Knowledge:
        """Return everything that is known about a position and its moves, which `little-go query` prints.

        way: the earlier positions of the game, whose values bound the value of this position.
        """
        return self._service.ask(position, for_seconds(self._seconds) if self._seconds else None, way=way)

    def why(self, position: Position, move: int) -> str:
        """Return the explanation that `little-go query --why` prints, after a search of a few seconds.

        Raise IllegalMove if the move is illegal, and NoKernel if there is no kernel.
        """
        if self._service.live is None:
            self._service.live = LiveSearch(self._table)
        return self._service.why(position, move)


class Known:
    """A position and everything that is known about it. ``print()`` shows a text, and a notebook shows a drawing.

    Two objects are equal if they have the same position, game and bounds.

    >>> known = open_book("book.json")["2,2"]
    >>> known.winner, known.best, known.sources
    ('Black', [], ['book book.json'])
    >>> known == known.play("1,2").play("pass"), {known: "won"}[open_book("book.json")["2,2"]]
    (False, 'won')

    Public attributes: ``position`` (solver.position.Position); ``game``, with the length and the komi; ``not_read``,
    the skipped parts of the text with which the position was looked up.
    """

    def __init__(
        self,
        book: Book,
        position: Position,
        way: Sequence[Position] = (),
        stored: Answer | None = None,
        left_out: Sequence[str] = (),
    ) -> None:
        """way: the earlier positions of the game.

        stored: the stored answer for the position, or None if it has not been read.
        """
        self.position = position
        self.game: Variant = book.game
        self.not_read = tuple(left_out)
        self._book = book
        self._way = tuple(way)
        self._stored = stored

    @cached_property
    def knowledge(self) -> Knowledge:
        """Everything that is known, with the sources (book.answers.query.Knowledge)."""
        return self._book.ask(self.position, self._way)

    @property
    def _answer(self) -> Answer | None:
        return self._stored or self.knowledge.answer

    @property
    def key(self) -> int:
        """The canonical key of 61 bits, which is equal for symmetric copies.

        A key contains the plies left, but not ``game``.
        """
        return canonical_key(self.position)

    @property
    def ply(self) -> int:
        """The number of plies played, from 0.

        In shorter games ``position.ply`` is larger, because every game ends with ply 24 in that count.
        """
        return self.position.ply - self.game.first_ply

    @property
    def mover(self) -> str:
        """The side to move, ``Black`` or ``White``."""
        return COLOURS[self.position.mover]

    @property
    def passed(self) -> bool:
        """Whether the last ply was a PASS."""
        return self.position.passed and self.ply > 0

    @property
    def board(self) -> str:
        """The board as text. X is a black stone, O is a white stone, and + is the ko point."""
        return self.position.diagram()

    @property
    def legal_moves(self) -> list[str]:
        """All legal moves, such as ``["0,0", "PASS"]``. The list is empty if the game is over."""
        return [] if self.position.is_over else [move_name(move) for move in sorted(self.position.legal_moves())]

    @property
    def status(self) -> str:
        """``proven`` (the winner is proven), ``undecided`` (the bounds prove no winner) or ``not-in-book``."""
        return state_of(self._answer, self.game)

    @property
    def value(self) -> int | None:
        """Black's stones minus White's stones at the end under best play, without komi.

        The value is None if only bounds are proven.
        """
        return None if self._answer is None else self._answer.value

    @property
    def lo(self) -> int:
        """The proven lower bound of the value, -24 to 24."""
        return LEAST if self._answer is None else self._answer.lo

    @property
    def hi(self) -> int:
        """The proven upper bound of the value, -24 to 24."""
        return MOST if self._answer is None else self._answer.hi

    @property
    def bounds(self) -> tuple[int, int]:
        """The proven lower and upper bound of the value, ``(lo, hi)``."""
        return self.lo, self.hi

    @property
    def worth(self) -> str:
        """The proven part of the result under best play, komi included, such as ``B+0.5`` or ``Black wins``."""
        return worth_text(Bounds(*self.bounds), self.game)

    @property
    def winner(self) -> str | None:
        """The proven winner, ``Black`` (value above the komi) or ``White``, or None."""
        winner = None if self._answer is None else self.game.winner(self._answer)
        return None if winner is None else COLOURS[winner]

    @property
    def best(self) -> list[str]:
        """The moves that are proven to be best, such as ``["2,2"]``. The list is empty if there is no such move."""
        return [move_name(move) for move in self.knowledge.best_moves]

    @property
    def best_move(self) -> str | None:
        """A move that is proven to keep the mover's bound (``lo`` for Black, ``hi`` for White), or None."""
        return None if self.knowledge.best is None else move_name(self.knowledge.best)

    @property
    def likely(self) -> str | None:
        """The most promising move, which is a guess; None if a move is proven to win or to be best."""
        return None if self.knowledge.likely is None else move_name(self.knowledge.likely)

    @property
    def pv(self) -> list[str]:
        """The principal variation: best moves of both sides, as far as they are known."""
        return [move_name(move) for move in self.knowledge.pv]

    @property
    def sources(self) -> list[str]:
        """The sources of the bounds, such as ``atlas atlas.csv.gz``."""
        return self.knowledge.sources

    @cached_property
    def moves(self) -> dict[str, "Move"]:
        """By name, the legal moves with their values, from best to worst for the mover."""
        moves = {}
        for known in self.knowledge.moves:
            for move in known.moves:
                after = turn_knowledge(known.after, self.position.play(move))
                position = Known(self._book, after.position, (*self._way, self.position), after.answer)
                alike = [move_name(other) for other in known.moves if other != move]
                moves[move_name(move)] = Move(position, alike, known.lost, known.replies, known.holding, known.open)
        return moves

    def play(self, move: MoveName) -> "Known":
        """Return the knowledge after a move, such as ``2,2``, ``(2, 2)``, ``C3`` or ``PASS``.

        Raise ValueError if the move is illegal.
        """
        return Known(self._book, self.position.play(_move_of(move)), (*self._way, self.position))

    def why(self, move: MoveName) -> str:
        """Return two sentences that explain why a move is worse than the best move, after a search of a few seconds.

        Raise ValueError if the move is illegal, and NoKernel if there is no kernel.
        """
        return self._book.why(self.position, _move_of(move))

    def record(self) -> dict[str, Any]:
        """Return the JSON fields that `little-go query --json` prints."""
        return knowledge_record(self.knowledge) | left_out_record(self.not_read)

    def svg(self) -> str:
        """Draw the board with the value of each move."""
        return board_svg(self.knowledge)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Known):
            return NotImplemented
        here, there = (self.game, self.position, self.bounds), (other.game, other.position, other.bounds)
        return here == there and self.status == other.status

    def __hash__(self) -> int:
        return hash((self.game, self.position))

    def _repr_svg_(self) -> str:
        return self.svg()

    def __str__(self) -> str:
        return knowledge_text(self.knowledge)

    def __repr__(self) -> str:
        lo, hi = self.bounds
        value = f"value={lo:+d}" if lo == hi else f"bounds=({lo}, {hi})"
        return f"<Known ply={self.ply} {self.status} {value}>"


@dataclass(frozen=True)
class Move:
    """A move and the position after it.

    after: the position after the move. alike: the symmetric moves. lost: the least and the greatest number of points
    that the move can lose compared with the best move. replies: the number of legal replies. holding: the number of
    replies after which the side that replies wins. open: the number of replies after which the winner is not known.
    """

    after: Known
    alike: list[str]
    lost: tuple[int, int]
    replies: int
    holding: int
    open: int

    @property
    def value(self) -> int | None:
        """The value of the position after the move."""
        return self.after.value

    @property
    def winner(self) -> str | None:
        """The proven winner after the move."""
        return self.after.winner

    @property
    def worth(self) -> str:
        """The proven part of the result after the move, komi included."""
        return self.after.worth


def _placed(place: Place, game: Variant) -> ParsedPosition:
    """Return the position of a place, with the earlier positions if the place is a sequence of moves."""
    if isinstance(place, Known):
        return ParsedPosition(checked(place.position, same_game(place.game, game)), game)
    if isinstance(place, Position):
        return ParsedPosition(checked(place, game), game)
    if isinstance(place, str):
        return read(place, game)
    if isinstance(place, int):
        return read_key(str(place), game)
    moves = [place] if _is_point(place) else place
    return read(" ".join(move_name(_move_of(move)) for move in moves), game)


def _is_point(place: object) -> TypeGuard[tuple[int, int]]:
    return isinstance(place, tuple) and len(place) == 2 and all(isinstance(number, int) for number in place)


def _move_of(move: object) -> int:
    """Return the number of a move, 0 to 25. Raise NotationError if ``move`` is not a MoveName."""
    if isinstance(move, str):
        return read_move(move)
    if not _is_point(move):
        raise NotationError("not-a-move", f"{move!r} is not a move: give '2,2', (2, 2), 'C3' or 'PASS'")
    return read_move("{},{}".format(*move))


def _outside() -> int:
    """Return the number of calls between this function's caller and the code that uses this module."""
    frame, calls = sys._getframe(1), 1
    while frame.f_back is not None and frame.f_globals.get("__name__") == __name__:
        frame, calls = frame.f_back, calls + 1
    return calls
