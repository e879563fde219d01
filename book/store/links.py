"""Store all legal moves of the stored positions, for the views, because SQL cannot compute which moves are legal.

The table ``moves`` has only moves with proven bounds, which are rarely all moves. The views show every legal move, and
need the position after it. Bounds only tighten, so new facts do not make the stored counts of moves false, but the
counts can become too low.
"""

from collections.abc import Mapping

from little_go.book.store.store import Store
from little_go.runtime.display import Watch, unwatched
from little_go.solver.answer import Bounds
from little_go.solver.bounds import intersect, worse_than
from little_go.solver.family import Variant
from little_go.solver.native import kernel_needed
from little_go.solver.position import PASS
from little_go.solver.symmetry import position_of

#: The number of positions in one transaction.
_BATCH = 10_000

_Bounds = tuple[int, int]

#: The type of the result of Store.position_bounds().
_Known = Mapping[int, tuple[int, int, int | None, bool]]


def link_moves(store: Store, watch: Watch = unwatched) -> int:
    """Store the legal moves of all positions without stored moves, and the counts of all positions.

    Return the number of positions whose legal moves are new. If the call is interrupted, the written batches stay, and
    the next call continues. watch: a function that wraps the batches of keys, to show progress.
    """
    with kernel_needed():
        # The import is not at the top, because a program that only reads a store needs no kernel.
        from little_go.solver.native.kernel import children
    known, recorded = store.position_bounds(), store.move_bounds()
    unlinked = set(store.unlinked_keys())
    keys = list(known)
    for batch in watch([keys[start : start + _BATCH] for start in range(0, len(keys), _BATCH)]):
        reached = [(key, children(key)) for key in batch]
        links = ((key, *move) for key, moves in reached if key in unlinked for move in moves)
        store.link(
            links, [_move_counts(store.game, known, recorded.get(key, {}), key, dict(moves)) for key, moves in reached]
        )
    return len(unlinked)


def _move_counts(
    game: Variant, known: _Known, recorded: Mapping[int, _Bounds], key: int, moves: Mapping[int, int]
) -> tuple[int | None, ...]:
    """Return a position's row of move_counts.

    The bounds are those of moves_view, but a query of that view takes longer. recorded: the recorded bounds of the
    position's moves. moves: the key of the position after each legal move. Symmetric moves have the same key, and count
    once.
    """
    usual, after = _bounds_after(known, recorded, key, moves)
    # Moves with the usual bounds are counted together, which saves time, because most moves have these bounds.
    numbers = {usual: len(set(moves.values())) - len(after)}
    for bounds in after.values():
        numbers[bounds] = numbers.get(bounds, 0) + 1
    return key, len(moves), *_count_outcomes(game, numbers, position_of(key).black_to_move)


def _bounds_after(
    known: _Known, recorded: Mapping[int, _Bounds], key: int, moves: Mapping[int, int]
) -> tuple[Bounds, dict[int, Bounds]]:
    """Return the usual bounds of a move, and the bounds of moves with other bounds, by the key of the position after
    the move.

    The usual bounds apply to moves about which nothing else is known.
    """
    lo, hi, best, moves_known = known[key]
    position, here = position_of(key), Bounds(lo, hi)
    black = position.black_to_move
    # No move is worth more to its mover than the position. If all best moves are recorded, every other move is worse.
    at_most = here.opponent_end(black)
    usual = worse_than(here, black) if moves_known else at_most
    # The best move, and each move symmetric to it, has the value of the position.
    after = {} if best is None or best not in moves else {moves[best]: here}
    for move, bounds in recorded.items():
        if move in moves:
            after[moves[move]] = intersect(after.get(moves[move], at_most), Bounds(*bounds))
    for child in known.keys() & set(moves.values()):
        after[child] = intersect(after.get(child, usual), Bounds(*known[child][:2]))
    # A move that ends the game has the margin as its value: every move on the last ply, and a PASS that ends the game.
    ended = set(moves.values()) if position.left == 1 else {moves[PASS]} if position.pass_ends else set()
    for child in ended:
        end = position_of(child)
        after[child] = Bounds(end.margin, end.margin)
    return usual, after


def _count_outcomes(game: Variant, numbers: Mapping[Bounds, int], black: bool) -> tuple[int | None, ...]:
    """Return the numbers of all, winning, losing, undecided and exact moves, and the best, second best and worst value.

    The three values are None unless the values of all moves are exact.

    numbers: by bounds, the number of moves that have them.
    """
    sign, mover = (1, 1) if black else (-1, 2)
    moves = winning = losing = 0
    values: list[int] = []
    for bounds, count in numbers.items():
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
