"""All legal moves of the stored positions, for the views: SQL cannot tell which moves are legal.

The store notes what is proven, which seldom is every move. The views show every one, and need to know where each leads.
What is counted of them stays true when the store learns more, as bounds only tighten; it may then be too little.
"""

from collections.abc import Iterable

from book.store.store import Store
from runtime.watching import Watch, unwatched
from solver.answer import BLACK_WINS, LEAST, MOST
from solver.native import kernel_needed
from solver.symmetry import position_of

#: Positions whose moves are written at once.
_BATCH = 10_000


def link_moves(store: Store, watch: Watch = unwatched) -> int:
    """Note the legal moves of all positions that have none noted, and count anew; return how many positions had none.

    watch: given the batches of keys, gives them back one by one, to show how far the work is.
    What is written stays when the work is stopped, and the next call goes on. Raises StoreError.
    """
    with kernel_needed():
        # Not at the top: reading a store needs no kernel.
        from solver.native.kernel import children
    keys = store.unlinked_keys()
    for batch in watch([keys[start : start + _BATCH] for start in range(0, len(keys), _BATCH)]):
        store.link((key, move, child) for key in batch for move, child in children(key))
    store.count_moves(counted)
    return len(keys)


def counted(key: int, moves: Iterable[tuple[int, int, int, int]]) -> tuple[int | None, ...]:
    """Return a position's row of move_counts, given of each legal move its key, the key after it, and bounds.

    Moves that lead to the same position but for a turn or a reflection have one key after them, and count once.
    """
    sign, needed = (1, BLACK_WINS) if position_of(key).black_to_move else (-1, 1 - BLACK_WINS)
    legal = 0
    # From the mover's side.
    after: dict[int, tuple[int, int]] = {}
    for _, child, lo, hi in moves:
        legal += 1
        least, most = (lo, hi) if sign > 0 else (-hi, -lo)
        had = after.get(child, (LEAST, MOST))
        after[child] = max(had[0], least), min(had[1], most)
    winning, losing = sum(lo >= needed for lo, _ in after.values()), sum(hi < needed for _, hi in after.values())
    values = sorted((lo for lo, hi in after.values() if lo == hi), reverse=True)
    told: list[int | None] = [None, None, None]
    if len(values) == len(after):
        told = [sign * values[0], sign * values[1] if len(values) > 1 else None, sign * values[-1]]
    return key, legal, len(after), winning, losing, len(after) - winning - losing, len(values), *told
