"""All legal moves of the stored positions, for the views: SQL cannot tell which moves are legal.

The store notes what is proven, which seldom is every move. The views show every one, and need to know where each leads.
What is counted of them stays true when the store learns more, as bounds only tighten; it may then be too little.
"""

from book.store.store import Store
from runtime.watching import Watch, unwatched

#: Positions whose moves are written at once.
_BATCH = 10_000


def link_moves(store: Store, watch: Watch = unwatched) -> int:
    """Note the legal moves of all positions that have none noted, and count anew; return how many positions had none.

    watch: given the batches of keys, gives them back one by one, to show how far the work is.
    What is written stays when the work is stopped, and the next call goes on. Raises StoreError.
    """
    # Not at the top: reading a store needs no kernel.
    from solver.native.kernel import children

    keys = store.unlinked_keys()
    for batch in watch([keys[start : start + _BATCH] for start in range(0, len(keys), _BATCH)]):
        store.link((key, move, child) for key in batch for move, child in children(key))
    store.count_moves()
    return len(keys)
