"""Merge facts into rows about canonical positions, whose bounds only tighten.

A batch of facts becomes rows by rows_of(); merge() and merge_move() bring a row together with
the one that the store has. Facts about the same position may come in any order, and twice.
"""

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import TypeAlias

from book.store.facts import Entry, Fact, StoreError, agree, contradiction
from solver.answer import Answer, Bounds
from solver.bounds import met
from solver.family import Variant
from solver.position import PASS, Position
from solver.symmetry import Turned, canonical_key

_MOVES = frozenset(range(PASS + 1))

#: The stored columns of ``moves``: the key of the position after a move, None where the game is over, and the bounds.
MoveRow: TypeAlias = tuple[int | None, Bounds]

_PositionRows = dict[int, Entry]
_MoveRows = dict[tuple[int, int], MoveRow]
_Whose = Callable[[Entry], str]


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
        answer = Answer(lo, hi, None if best is None else image[best], fact.nodes)
        new = Entry(turned.position, answer, fact.seconds, run, fact.maker, fact.moves_known, fact.origin)
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
        return None, agree(key, Bounds(*bounds), Bounds(child.margin, child.margin), game)
    return canonical_key(child), Bounds(*bounds)


def merge(key: int, old: Entry | None, new: Entry, whose: _Whose, game: Variant) -> Entry:
    """Merge two rows about a position of a game; the mover's side keeps the best move that proves it.

    whose: returns where a row is from. Raises Contradiction, which names both.
    """
    if old is None:
        return new
    answer = met(new.position.black_to_move, old.answer, new.answer)
    if answer.lo > answer.hi:
        raise contradiction(key, old, new, whose(old), whose(new), game)
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
    """Merge two rows about a move, whose position's key and number are ``at``; raises Contradiction."""
    return new if old is None else (new[0], agree(at[0], old[1], new[1], game))


def improves(row: Entry, old: Entry | None) -> bool:
    """Whether a row is new, or has other bounds or another best move than the old one."""
    return old is None or row.answer[:3] != old.answer[:3]


def entry_of(position: Position, turned: Turned, row: Entry) -> Entry:
    """Turn a row of the canonical orientation into one about ``position``, which ``turned`` is of."""
    best = None if row.best is None else move_of(turned, row.best)
    return replace(row, position=position, answer=row.answer._replace(best=best))


def move_of(turned: Turned, stored: int) -> int:
    """Return a stored move in the orientation of the position that was turned; raises StoreError for no move."""
    if stored not in _MOVES:
        raise StoreError(f"damaged: a row about key {turned.key} has {stored} in the place of a move")
    return turned.back[stored]
