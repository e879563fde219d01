"""Merge facts into rows about canonical positions, whose bounds only tighten.

A batch of facts becomes rows by rows_of(); merge() and merge_move() bring a row together with
the one that the store has. Facts about the same position may come in any order, and twice.
"""

from collections.abc import Callable, Iterable
from typing import NamedTuple

from book.store.facts import Entry, Fact, StoreError, agree, contradiction
from solver.answer import LEAST, MOST, Answer, Bounds, Ends
from solver.bounds import met
from solver.family import Variant
from solver.position import PASS, Position
from solver.symmetry import Turned, canonical_key, position_of


class _StoredRow(NamedTuple):
    lo: int
    hi: int
    best: int | None
    nodes: int
    seconds: float
    run: int | None
    maker: int | None
    moves_known: bool
    origin: str | None


class StoredRow(_StoredRow, Ends):
    """The stored columns of ``positions``, canonical orientation."""

    __slots__ = ()


class _MoveRow(NamedTuple):
    child: int | None
    lo: int
    hi: int


class MoveRow(_MoveRow, Ends):
    """The stored columns of ``moves``."""

    __slots__ = ()


_MOVES = frozenset(range(PASS + 1))

#: What is known of a position without a row.
NOTHING = StoredRow(LEAST, MOST, None, 0, 0.0, None, None, False, None)

_PositionRows = dict[int, StoredRow]
_MoveRows = dict[tuple[int, int], MoveRow]
_Whose = Callable[[StoredRow], str]


def rows_of(facts: Iterable[Fact], run: int | None, whose: _Whose, game: Variant) -> tuple[_PositionRows, _MoveRows]:
    """Turn facts about positions of a game into rows, one for each position; raises Contradiction and ValueError."""
    rows: _PositionRows = {}
    moves: _MoveRows = {}
    for fact in facts:
        fact.check()
        turned = Turned.of(fact.position)
        key, image = turned.key, turned.to
        for move, bounds in fact.moves.items():
            at = key, image[move]
            moves[at] = merge_move(at, moves.get(at), _move_row(key, fact.position.play(move), bounds, game), game)
        lo, hi, best = _with_moves(key, fact, game)
        best = None if best is None else image[best]
        cost = fact.nodes, fact.seconds
        new = StoredRow(lo, hi, best, *cost, run, fact.maker, fact.moves_known, fact.origin)
        rows[key] = merge(key, rows.get(key), new, whose, game)
    return rows, moves


def _with_moves(key: int, fact: Fact, game: Variant) -> tuple[int, int, int | None]:
    """Return the fact's bounds and best move, the mover's side improved by what its moves are proven to reach."""
    lo, hi, best = fact.lo, fact.hi, fact.best
    for move, (move_lo, move_hi) in fact.moves.items():
        if fact.position.black_to_move and move_lo > lo:
            lo, best = move_lo, move
        elif not fact.position.black_to_move and move_hi < hi:
            hi, best = move_hi, move
    return *agree(key, Bounds(lo=lo), Bounds(hi=hi), game), best


def _move_row(key: int, child: Position, bounds: tuple[int, int], game: Variant) -> MoveRow:
    if child.is_over:
        return MoveRow(None, *agree(key, Bounds(*bounds), Bounds(child.margin, child.margin), game))
    return MoveRow(canonical_key(child), *bounds)


def merge(key: int, old: StoredRow | None, new: StoredRow, whose: _Whose, game: Variant) -> StoredRow:
    """Merge two rows about a position of a game; the mover's side keeps the best move that proves it.

    whose: tells where a row is from. Raises Contradiction, which names both.
    """
    if old is None:
        return new
    if max(old.lo, new.lo) > min(old.hi, new.hi):
        raise contradiction(key, old, new, whose(old), whose(new), game)
    lo, hi = agree(key, old, new, game)
    best = met(position_of(key).black_to_move, Answer(*old[:4]), Answer(*new[:4])).best
    row = old._replace(lo=lo, hi=hi, best=best, nodes=old.nodes + new.nodes, seconds=old.seconds + new.seconds)
    row = row._replace(moves_known=old.moves_known or new.moves_known)
    if row[:2] != old[:2] or (old.origin is None and row[:2] == new[:2]):
        row = row._replace(origin=new.origin)
    return row._replace(run=new.run, maker=new.maker) if improves(row, old) else row


def merge_move(at: tuple[int, int], old: MoveRow | None, new: MoveRow, game: Variant) -> MoveRow:
    """Merge two rows about a move, whose position's key and number are ``at``; raises Contradiction."""
    if old is None:
        return new
    return MoveRow(new.child, *agree(at[0], old, new, game))


def improves(row: StoredRow, old: StoredRow | None) -> bool:
    """Whether a row is new, or has other bounds or another best move than the old one."""
    return old is None or row[:3] != old[:3]


def entry_of(position: Position, turned: Turned, row: StoredRow) -> Entry:
    """Turn a row of the canonical orientation into an Entry about ``position``, which ``turned`` is of."""
    return Entry(position, *row._replace(best=None if row.best is None else move_of(turned, row.best)))


def move_of(turned: Turned, stored: int) -> int:
    """Return a stored move in the orientation of the position that was turned; raises StoreError for what is none."""
    if stored not in _MOVES:
        raise StoreError(f"damaged: a row about key {turned.key} has {stored} in the place of a move")
    return turned.back[stored]
