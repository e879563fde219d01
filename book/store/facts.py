"""Facts, and the rows of a store about them, as records without a database.

rows_of() returns the rows about canonical positions for a batch of facts. merge() and merge_move() merge a row with the
stored row. Bounds only tighten, so facts about a position may arrive in any order and repeatedly.
"""

import hashlib
import json
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple, TypeAlias

from little_go.notation.record import to_record
from little_go.solver.answer import LEAST, MOST, Answer, Bounds, BoundsBase
from little_go.solver.bounds import bounds_text, intersect, merge_answers
from little_go.solver.family import Variant
from little_go.solver.position import PASS, Position
from little_go.solver.symmetry import Oriented, canonical_key, key_of, position_of

STATUSES = ("exact", "decided", "undecided")


class StoreError(RuntimeError):
    """Raised if a store cannot be opened, read or written. The message is one line."""


class StoreBusy(StoreError):
    """Raised if another process is writing the store."""


class Contradiction(StoreError):
    """Raised if two proven facts contradict each other."""


def contradiction(
    key: int, one: BoundsBase, other: BoundsBase, one_from: str, other_from: str, game: Variant
) -> Contradiction:
    """Return the error for two bounds on one position that contradict each other.

    key: the position's key. one_from, other_from: the sources of the bounds, in words. game: the game, whose length
    determines the number of the ply.
    """
    board = json.dumps(to_record(position_of(key), game))
    return Contradiction(
        f"{board}: {one_from}: {bounds_text(one)}, and {other_from}: {bounds_text(other)}, cannot both be true"
    )


def intersect_proven(key: int, one: BoundsBase, other: BoundsBase, game: Variant) -> Bounds:
    """Return the intersection of two proven bounds on a position.

    Raise Contradiction if the bounds exclude each other.
    """
    bounds = intersect(one, other)
    if bounds.lo > bounds.hi:
        raise contradiction(key, one, other, "one proof", "another", game)
    return bounds


@dataclass(frozen=True, slots=True)
class Fact(BoundsBase):
    """A proven fact about a position, in the position's own orientation."""

    position: Position
    #: Bounds on the value (stones Black - White), -24 <= lo <= hi <= 24.
    lo: int = field()
    hi: int = field()
    #: A move that keeps the mover's bound (lo for Black, hi for White), or None.
    best: int | None = None
    #: The nodes and the seconds of this proof. A position's entry has the sums over all facts about the position.
    nodes: int = 0
    seconds: float = 0.0
    #: The proven bounds (lo, hi) of single moves, by move.
    moves: Mapping[int, tuple[int, int]] = field(default_factory=dict)
    #: The number, from Store.note_worker(), of the cluster's worker that proved the fact, or None.
    maker: int | None = None
    #: The way in which the bounds were found, one of book.files.atlas.ORIGINS; None if a file only claims them.
    origin: str | None = None
    #: Whether ``moves`` contains every best move, and all other moves are proven to be worse.
    moves_known: bool = False

    def check(self) -> None:
        """Raise ValueError unless the position is possible and unfinished, the bounds are in range, and ``best`` is
        legal.
        """
        self.position.check()
        if self.position.is_over:
            raise ValueError("the game is over, so the value is the margin on the board, and nothing is recorded")
        for lo, hi in ((self.lo, self.hi), *self.moves.values()):
            if not LEAST <= lo <= hi <= MOST:
                raise ValueError(f"bounds {lo} to {hi} are not within {LEAST} to {MOST}, in order")
        if self.best is not None and not self.position.allows(self.best):
            raise ValueError(f"the best move, {self.best}, is illegal")
        black = self.position.black_to_move
        kept = any(Bounds(*bounds).mover_bound(black) >= self.mover_bound(black) for bounds in self.moves.values())
        if self.moves_known and (self.value is None or not kept):
            raise ValueError("moves_known needs an exact value, and a best move among the moves")


@dataclass(frozen=True)
class Choice:
    """Our move in a position.

    solver_nodes: the number of nodes that the player's own solver needs, with an empty table, to find this move; None
    if the number is too large, so that the book must contain the move. chance: in a lost position, the probability that
    an opponent throws the win away, according to the models of opponents; None in a won position.
    """

    position: Position
    move: int
    solver_nodes: int | None = None
    chance: float | None = None


@dataclass(frozen=True, slots=True)
class Entry(BoundsBase):
    """The store's row about a position, in canonical orientation or in the orientation of the query."""

    position: Position
    #: Bounds, best move and nodes, merged over all facts.
    answer: Answer
    #: The sum of the seconds of all facts.
    seconds: float
    #: The last run that improved the entry, or None.
    run: int | None
    #: The number of the cluster's worker that last improved the entry, or None.
    maker: int | None
    #: ``moves_known`` and ``origin`` are the same as in Fact.
    moves_known: bool = False
    origin: str | None = None

    @property
    def lo(self) -> int:
        """The lower bound of the value."""
        return self.answer.lo

    @property
    def hi(self) -> int:
        """The upper bound of the value."""
        return self.answer.hi

    @property
    def best(self) -> int | None:
        """A move that keeps the mover's bound, or None."""
        return self.answer.best

    @property
    def nodes(self) -> int:
        """The number of positions that were searched for all facts about the position."""
        return self.answer.nodes

    def status(self, game: Variant) -> str:
        """Return the status: ``exact``, ``decided`` (the game's winner is proven) or ``undecided``."""
        if self.value is not None:
            return "exact"
        return "undecided" if game.winner(self) is None else "decided"


class Origin(NamedTuple):
    """The origin of a bound: the kind of source, and its file's name, or "" if only one source is of this kind."""

    kind: str
    name: str = ""

    def __str__(self) -> str:
        """Return the kind and the name in one text, such as ``certificate game-at-least-3.cert.gz``."""
        return f"{self.kind} {self.name}".strip()


@dataclass(frozen=True, slots=True)
class Statement(BoundsBase):
    """One source's statement about a position, in the orientation of the question."""

    #: Proven bounds on the value.
    lo: int = field()
    hi: int = field()
    #: Moves that keep the mover's bound. The tuple is empty if the source contains none.
    best: tuple[int, ...]
    #: The origin of the statement. An imported file has its name and the kind ``atlas``, ``book`` or ``certificate``.
    origin: Origin


class Believed:
    """A summary of the rows that a run uses without searching them again.

    table: ``taken_over`` of the TableFile that the run uses, or None if it uses no file.
    """

    def __init__(self, table: Mapping[str, Any] | None = None) -> None:
        self.table = table
        self._rows: Counter[int | None] = Counter()
        self._digest = hashlib.sha256()

    def add(self, entry: Entry) -> None:
        """Count a row. The digest depends on the order of the rows, which must be the order of Store.entries()."""
        self._rows[entry.run] += 1
        self._digest.update(f"{key_of(entry.position)} {entry.lo} {entry.hi} {entry.best}\n".encode("ascii"))

    def record(self) -> dict[str, Any]:
        """Return the summary as JSON fields: the number of rows, the numbers by run, the digest of the rows, and the
        table.
        """
        by_run = {str(run): rows for run, rows in sorted(self._rows.items(), key=lambda item: item[0] or 0)}
        rows = sum(self._rows.values())
        return {
            "rows": rows,
            "by_run": by_run,
            "sha256": self._digest.hexdigest() if rows else None,
            "table": self.table,
        }


_MOVES = frozenset(range(PASS + 1))

#: Columns of the table ``moves``: the key after a move, or None if the game is over, and the bounds.
MoveRow: TypeAlias = tuple[int | None, Bounds]

_PositionRows = dict[int, Entry]
_MoveRows = dict[tuple[int, int], MoveRow]
_SourceName = Callable[[Entry], str]


def rows_of(
    facts: Iterable[Fact], run: int | None, source_name: _SourceName, game: Variant
) -> tuple[_PositionRows, _MoveRows]:
    """Return one row for each position of the facts, by key, and rows for the moves of these positions.

    Facts about the same position are merged. source_name: a function that returns the source of a row in words. Raise
    Contradiction if two facts exclude each other, and ValueError if a fact is not valid.
    """
    rows: _PositionRows = {}
    moves: _MoveRows = {}
    for fact in facts:
        fact.check()
        oriented = Oriented.of(fact.position)
        key, image = oriented.key, oriented.to
        for move, bounds in fact.moves.items():
            at = key, image[move]
            moves[at] = merge_move(at, moves.get(at), _move_row(key, fact.position.play(move), bounds, game), game)
        lo, hi, best = _with_moves(key, fact, game)
        answer = Answer(lo, hi, None if best is None else image[best], fact.nodes)
        new = Entry(oriented.position, answer, fact.seconds, run, fact.maker, fact.moves_known, fact.origin)
        rows[key] = merge(key, rows.get(key), new, source_name, game)
    return rows, moves


def _with_moves(key: int, fact: Fact, game: Variant) -> tuple[int, int, int | None]:
    """Return a fact's bounds and best move. The bounds of its moves may tighten the mover's bound."""
    lo, hi, best = fact.lo, fact.hi, fact.best
    for move, (move_lo, move_hi) in fact.moves.items():
        if fact.position.black_to_move and move_lo > lo:
            lo, best = move_lo, move
        elif not fact.position.black_to_move and move_hi < hi:
            hi, best = move_hi, move
    return *intersect_proven(key, Bounds(lo=lo), Bounds(hi=hi), game), best


def _move_row(key: int, child: Position, bounds: tuple[int, int], game: Variant) -> MoveRow:
    if child.is_over:
        return None, intersect_proven(key, Bounds(*bounds), Bounds(child.margin, child.margin), game)
    return canonical_key(child), Bounds(*bounds)


def merge(key: int, old: Entry | None, new: Entry, source_name: _SourceName, game: Variant) -> Entry:
    """Merge two rows about a position. The best move is from the row that proves the mover's bound.

    source_name: the same as in rows_of(). Raise Contradiction, with the sources of the rows, if the rows exclude each
    other.
    """
    if old is None:
        return new
    answer = merge_answers(new.position.black_to_move, old.answer, new.answer)
    if answer.lo > answer.hi:
        raise contradiction(key, old, new, source_name(old), source_name(new), game)
    is_by_new = answer[:2] != old.answer[:2] or (old.origin is None and answer[:2] == new.answer[:2])
    row = Entry(
        old.position,
        answer._replace(nodes=old.nodes + new.nodes),
        old.seconds + new.seconds,
        old.run,
        old.maker,
        old.moves_known or new.moves_known,
        new.origin if is_by_new else old.origin,
    )
    return replace(row, run=new.run, maker=new.maker) if improves(row, old) else row


def merge_move(at: tuple[int, int], old: MoveRow | None, new: MoveRow, game: Variant) -> MoveRow:
    """Merge two rows about a move.

    Raise Contradiction if the rows exclude each other. at: the key of the position, and the move's number.
    """
    return new if old is None else (new[0], intersect_proven(at[0], old[1], new[1], game))


def improves(row: Entry, old: Entry | None) -> bool:
    """Return whether a row is new, or differs from the old row in its bounds or its best move."""
    return old is None or row.answer[:3] != old.answer[:3]


def entry_of(position: Position, oriented: Oriented, row: Entry) -> Entry:
    """Return a canonical row in the orientation of ``position``.

    oriented: the symmetry between the two orientations.
    """
    best = None if row.best is None else move_of(oriented, row.best)
    return replace(row, position=position, answer=row.answer._replace(best=best))


def move_of(oriented: Oriented, stored: int) -> int:
    """Return a stored move in the orientation of the position. Raise StoreError if the stored move is not valid."""
    if stored not in _MOVES:
        raise StoreError(f"damaged: the row about key {oriented.key} has the move {stored}, which does not exist")
    return oriented.back[stored]
