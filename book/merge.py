"""Taking an atlas into a store, as proven facts marked with the file that they came from."""

import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from book.atlas import AtlasError, Row, read_atlas
from book.store import Entry, Fact, Store
from solver.position import move_name
from solver.symmetry import canonical_key, key_of

#: What the run of an import is ended with in the store.
COMPLETE, FAILED = "complete", "failed"

_Bounds = tuple[int, int]


def import_atlas(
    store: Store, path: Path, watch: Callable[[Sequence[Row]], Iterable[Row]] = lambda rows: rows
) -> tuple[int, int]:
    """Merge an atlas into a store; return how many positions it has, and how many of them it tells the store more of.

    watch: given the rows, gives them back one by one, to show how far the work is.
    Raises AtlasError naming the first line that is wrong, contradicts another, or contradicts the store; then nothing
    is written. Raises StoreError and OSError.
    """
    rows = list(read_atlas(path))
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    facts = [
        _counted(fact, entry) for fact, entry in zip(_facts(rows, path, watch), _known(store, rows, path), strict=True)
    ]
    run = store.start_run({"import": path.name, "sha256": digest})
    outcome = FAILED
    try:
        improved = store.record(facts, run)
        outcome = COMPLETE
    finally:
        store.end_run(run, outcome)
    return len(rows), improved


def _known(store: Store, rows: Sequence[Row], path: Path) -> Iterator[Entry | None]:
    """Yield what the store knows of each row's position; raise AtlasError where it cannot be true together."""
    for number, row in enumerate(rows, 2):
        entry = store.get(row.position)
        if entry is not None and (entry.lo > row.hi or entry.hi < row.lo):
            raise AtlasError(
                f"{path}, line {number}: {row.lo} to {row.hi}, but {store.path} has it proven {entry.lo} to {entry.hi}"
            )
        yield entry


def _counted(fact: Fact, entry: Entry | None) -> Fact:
    """Return the fact without its nodes if the store knows as much: they would be counted twice."""
    news = entry is None or entry.lo < fact.lo or entry.hi > fact.hi
    return fact if news else replace(fact, nodes=0)


def _facts(rows: Sequence[Row], path: Path, watch: Callable[[Sequence[Row]], Iterable[Row]]) -> Iterator[Fact]:
    """Yield a fact for each row, with what its moves are worth where the file tells it of all of them."""
    bounds = {key_of(row.position): (row.lo, row.hi) for row in rows}
    last = max((row.position.ply for row in rows), default=0)
    for number, row in enumerate(watch(rows), 2):
        moves = {} if row.position.ply == last else dict(_moves(row, bounds))
        try:
            complete = _check_moves(row, moves)
        except ValueError as error:
            raise AtlasError(f"{path}, line {number}: {error}") from None
        best = row.best[0] if row.best else None
        yield Fact(row.position, row.lo, row.hi, best, row.nodes, moves=moves if complete else {})


def _moves(row: Row, bounds: Mapping[int, _Bounds]) -> Iterator[tuple[int, _Bounds]]:
    for move in row.position.legal_moves():
        child = row.position.play(move)
        if child.is_over:
            yield move, (child.margin, child.margin)
        elif (known := bounds.get(canonical_key(child))) is not None:
            yield move, known


def _check_moves(row: Row, moves: Mapping[int, _Bounds]) -> bool:
    """Return whether the worth of all moves is known; raise ValueError where it does not go with the row."""
    # From the mover's side, so that more is better.
    lo, hi = _seen(row, (row.lo, row.hi))
    seen = {move: _seen(row, known) for move, known in moves.items()}
    complete = len(moves) == len(row.position.legal_moves())
    for move, (least, _) in seen.items():
        if least > hi:
            raise ValueError(f"{row.lo} to {row.hi}, but {move_name(move)} is better by another line")
    if complete and max(most for _, most in seen.values()) < lo:
        raise ValueError(f"{row.lo} to {row.hi}, but no move is so good by the other lines")
    for move in row.best:
        # Where the atlas is unfinished, another line may not tell yet what this one does.
        if move in seen and seen[move][0 if row.all_best else 1] < lo:
            raise ValueError(f"best move {move_name(move)} does not keep {row.lo} to {row.hi} by another line")
    others = [most for move, (_, most) in seen.items() if move not in row.best]
    if row.all_best and not (complete and all(most < lo for most in others)):
        raise ValueError("moves_known is 1, but the other lines do not tell that every other move is worse")
    return complete


def _seen(row: Row, bounds: _Bounds) -> _Bounds:
    return bounds if row.position.black_to_move else (-bounds[1], -bounds[0])
