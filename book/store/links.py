"""All legal moves of the stored positions, for the views: SQL cannot compute which moves are legal.

The store notes proven moves, seldom all; the views show every one, and need the position after each. The counts stay
true when the store learns more, because bounds only tighten, but may then be too low.
"""

from collections.abc import Mapping

from book.store.store import Store
from runtime.display import Watch, unwatched
from solver.answer import Bounds
from solver.bounds import intersect, worse_than
from solver.family import Variant
from solver.native import kernel_needed
from solver.position import PASS
from solver.symmetry import position_of

#: Positions whose moves are written in one transaction.
_BATCH = 10_000

_Bounds = tuple[int, int]

#: Of Store.position_bounds().
_Known = Mapping[int, tuple[int, int, int | None, bool]]


def link_moves(store: Store, watch: Watch = unwatched) -> int:
    """Note the legal moves of positions that have none noted, and count all again; return the number of the former.

    watch: wraps the batches of keys, to show progress.
    Written batches stay when this is stopped, and the next call continues. Raises StoreError.
    """
    with kernel_needed():
        # Not at the top: reading a store needs no kernel.
        from solver.native.kernel import children
    known, recorded = store.position_bounds(), store.move_bounds()
    unlinked = set(store.unlinked_keys())
    keys = list(known)
    for batch in watch([keys[start : start + _BATCH] for start in range(0, len(keys), _BATCH)]):
        reached = [(key, children(key)) for key in batch]
        links = ((key, *move) for key, moves in reached if key in unlinked for move in moves)
        store.link(
            links, [_count(store.game, known, recorded.get(key, {}), key, dict(moves)) for key, moves in reached]
        )
    return len(unlinked)


def _count(
    game: Variant, known: _Known, recorded: Mapping[int, _Bounds], key: int, moves: Mapping[int, int]
) -> tuple[int | None, ...]:
    """Return a position's row of move_counts, by the bounds of moves_view; querying the view takes longer.

    Symmetric moves have one key after them, and count once.
    """
    lo, hi, best, moves_known = known[key]
    position = position_of(key)
    different = set(moves.values())
    # No move is worth more to its mover than the position is, and the best one, with symmetric ones, is worth as much.
    here, black = Bounds(lo, hi), position.black_to_move
    # Where all best moves are recorded, another is worth less.
    unknown = worse_than(here, black) if moves_known else here.opponent_end(black)
    # Only those with narrower bounds: in the shipped files few of 1.7 million.
    after = {} if best is None or best not in moves else {moves[best]: Bounds(lo, hi)}
    for move, bounds in recorded.items():
        if move in moves:
            after[moves[move]] = intersect(after.get(moves[move], here.opponent_end(black)), Bounds(*bounds))
    for child in known.keys() & different:
        after[child] = intersect(after.get(child, unknown), Bounds(*known[child][:2]))
    if position.left == 1 or position.pass_ends:
        # Every move ends the game, or only a PASS does.
        for child in different if position.left == 1 else (moves[PASS],):
            end = position_of(child)
            after[child] = Bounds(end.margin, end.margin)
    # Most have the same bounds, and this runs for every position of a new store.
    times = {unknown: len(different) - len(after)}
    for bounds in after.values():
        times[bounds] = times.get(bounds, 0) + 1
    return key, len(moves), *_counted(game, times, position.black_to_move)


def _counted(game: Variant, times: Mapping[Bounds, int], black: bool) -> tuple[int | None, ...]:
    """Count the moves: all, winning, losing, undecided, exact; and if all are exact, the best, second and worst value.

    times: the number of moves with each of the bounds.
    """
    sign, mover = (1, 1) if black else (-1, 2)
    moves = winning = losing = 0
    values: list[int] = []
    for bounds, count in times.items():
        winner = game.winner(bounds)
        moves += count
        winning += count * (winner == mover)
        losing += count * (winner == 3 - mover)
        if bounds.value is not None:
            values += count * [bounds.mover_bound(black)]
    values.sort(reverse=True)
    ranked: list[int | None] = [None, None, None]
    if len(values) == moves:
        ranked = [sign * values[0], sign * values[1] if moves > 1 else None, sign * values[-1]]
    return moves, winning, losing, moves - winning - losing, len(values), *ranked
