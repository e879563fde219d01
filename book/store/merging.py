"""Merge facts into rows about canonical positions, whose bounds only tighten.

A batch of facts becomes rows by rows_of(); merge() and merge_move() bring a row together with
the one that the store has. Facts about the same position may come in any order, and twice.
"""

from collections.abc import Iterable
from typing import NamedTuple

from book.store.facts import Contradiction, Entry, Fact
from solver.answer import LEAST, MOST
from solver.position import Position
from solver.symmetry import INVERSE, POINT_IMAGE, canonical, canonical_key, position_of


class StoredRow(NamedTuple):
    """The stored columns of ``positions``, canonical orientation."""

    lo: int
    hi: int
    best: int | None
    nodes: int
    seconds: float
    run: int | None
    maker: int | None


class MoveRow(NamedTuple):
    """The stored columns of ``moves``."""

    child: int | None
    lo: int
    hi: int


#: What is known of a position without a row.
NOTHING = StoredRow(LEAST, MOST, None, 0, 0.0, None, None)

_PositionRows = dict[int, StoredRow]
_MoveRows = dict[tuple[int, int], MoveRow]


def rows_of(facts: Iterable[Fact], run: int | None) -> tuple[_PositionRows, _MoveRows]:
    """Turn a batch of facts into rows, facts about the same position merged; raises Contradiction and ValueError."""
    rows: _PositionRows = {}
    moves: _MoveRows = {}
    for fact in facts:
        fact.check()
        key, symmetry = canonical(fact.position)
        image = POINT_IMAGE[symmetry]
        for move, bounds in fact.moves.items():
            at = key, image[move]
            moves[at] = merge_move(at, moves.get(at), _move_row(key, fact.position.play(move), bounds))
        lo, hi, best = _with_moves(key, fact)
        new = StoredRow(lo, hi, None if best is None else image[best], fact.nodes, fact.seconds, run, fact.maker)
        rows[key] = merge(key, rows.get(key), new)
    return rows, moves


def _with_moves(key: int, fact: Fact) -> tuple[int, int, int | None]:
    """Return the fact's bounds and best move, the mover's side improved by what its moves are proven to reach."""
    lo, hi, best = fact.lo, fact.hi, fact.best
    for move, (move_lo, move_hi) in fact.moves.items():
        if fact.position.black_to_move and move_lo > lo:
            lo, best = move_lo, move
        elif not fact.position.black_to_move and move_hi < hi:
            hi, best = move_hi, move
    lo, hi = tighten(key, (lo, MOST), (LEAST, hi))
    return lo, hi, best


def _move_row(key: int, child: Position, bounds: tuple[int, int]) -> MoveRow:
    if child.is_over:
        return MoveRow(None, *tighten(key, bounds, (child.margin, child.margin)))
    return MoveRow(canonical_key(child), *bounds)


def merge(key: int, old: StoredRow | None, new: StoredRow) -> StoredRow:
    """Merge two rows about a position; the mover's side keeps the best move that proves it. Raises Contradiction."""
    if old is None:
        return new
    lo, hi = tighten(key, (old.lo, old.hi), (new.lo, new.hi))
    # How far each row gets the mover: more is better for both colours.
    old_reach, new_reach = (old.lo, new.lo) if position_of(key).black_to_move else (-old.hi, -new.hi)
    replaces = new_reach > old_reach or (new_reach == old_reach and old.best is None)
    best = new.best if replaces else old.best
    row = StoredRow(lo, hi, best, old.nodes + new.nodes, old.seconds + new.seconds, old.run, old.maker)
    return row._replace(run=new.run, maker=new.maker) if improves(row, old) else row


def merge_move(at: tuple[int, int], old: MoveRow | None, new: MoveRow) -> MoveRow:
    """Merge two rows about a move, whose position's key and number are ``at``; raises Contradiction."""
    if old is None:
        return new
    return MoveRow(new.child, *tighten(at[0], (old.lo, old.hi), (new.lo, new.hi)))


def improves(row: StoredRow, old: StoredRow | None) -> bool:
    """Whether a row is new, or has other bounds or another best move than the old one."""
    return old is None or row[:3] != old[:3]


def tighten(key: int, old: tuple[int, int], new: tuple[int, int]) -> tuple[int, int]:
    """Intersect two pairs of bounds on the same value; raises Contradiction, which names the position of the key."""
    lo, hi = max(old[0], new[0]), min(old[1], new[1])
    if lo > hi:
        raise Contradiction(
            f"{position_of(key)}: proven {old[0]} to {old[1]} and proven {new[0]} to {new[1]} cannot both be true"
        )
    return lo, hi


def entry_of(position: Position, symmetry: int, row: StoredRow) -> Entry:
    """Turn a row into an Entry about ``position``, which ``symmetry`` takes to canonical orientation."""
    back = POINT_IMAGE[INVERSE[symmetry]]
    return Entry(position, *row._replace(best=None if row.best is None else back[row.best]))
