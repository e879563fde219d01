"""Import files into a store, as proven facts with the name of the file.

A file is an atlas, a part of a later ply's values, a book.json, or a shipped certificate. The store contains the bounds
merged from all files, and also each file's statement about a position.
"""

import json
import os
import random
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from little_go.book.exchange.claims import read_claims
from little_go.book.files.atlas import SEARCH, AtlasError, Row, read_atlas
from little_go.book.files.levels import SUFFIX
from little_go.book.files.reader import BOOK_UNDECIDED, read_book
from little_go.book.files.shipped import later_digests, shipped_files, standard_store
from little_go.book.files.values import read_later
from little_go.book.store.facts import Contradiction, Fact, StoreBusy, StoreError
from little_go.book.store.links import link_moves
from little_go.book.store.store import COMPLETE, FAILED, Store, WriterLock, open_store
from little_go.notation.record import to_record
from little_go.runtime.collector import without_collector
from little_go.runtime.display import Watch, unwatched
from little_go.runtime.files import MIB, sha256_of
from little_go.solver.answer import Bounds, BoundsBase
from little_go.solver.bounds import refuted, worse_than
from little_go.solver.family import COURSE
from little_go.solver.native import kernel_needed
from little_go.solver.position import Position, move_name
from little_go.solver.symmetry import canonical_key, key_of

#: The number of facts of a file that are searched again, the size of the table in MiB, and the node limit of a search.
_SAMPLE, _SAMPLE_MIB, _SAMPLE_NODES = 20, 64, 1_000_000

#: The maximum size of an imported file in bytes.
_MOST = 256 * MIB

#: The seconds between two checks whether another process has built the store.
_PATIENCE = 0.2

_Bounds = tuple[int, int]


class ImportResult(NamedTuple):
    """The result of an import: the file's name, the number of its positions, and the number of improved positions."""

    name: str
    positions: int
    improved: int


def kind_of(path: Path) -> str:
    """Return a file's kind by its name: "book", "certificate", "part", or "atlas" for any other name."""
    if path.suffix == ".json":
        return "book"
    if path.suffix == SUFFIX:
        return "part"
    return "certificate" if path.name.endswith((".cert", ".cert.gz")) else "atlas"


def import_file(store: Store, path: Path, watch: Watch = unwatched) -> ImportResult:
    """Merge an atlas, a part of a later ply's values, a book or a shipped certificate into a store.

    After an error the store contains nothing of the file. Raise AtlasError (with the first line that is wrong or
    contradicts another line), BookError or CertificateError if the file cannot be used. Raise Contradiction if the file
    contradicts the store or a search.
    """
    facts, about = _READERS[kind_of(path)](store, path, watch)
    digest = sha256_of(path, _MOST)
    ours = {sha256_of(each, _MOST) for each in shipped_files()}
    if digest not in ours | {*later_digests().values()}:
        _prove_some(path, facts)
    run = store.start_run(
        {"import": path.name, "sha256": digest, "kind": kind_of(path).replace("part", "atlas"), **about}
    )
    outcome = FAILED
    try:
        improved = store.record(facts, run, stated=True)
        outcome = COMPLETE
    except Contradiction as error:
        raise Contradiction(f"{path}: {error}") from None
    finally:
        store.end_run(run, outcome)
    return ImportResult(path.name, len(facts), improved)


def import_shipped(db: Path, watch: Watch = unwatched) -> Iterator[ImportResult]:
    """Merge all shipped files into the store at ``db``, as import_files() does."""
    return import_files(db, shipped_files(), watch)


def import_files(db: Path, files: Iterable[Path], watch: Watch = unwatched) -> Iterator[ImportResult]:
    """Merge files into the store at ``db``, which is created if missing, and yield the result of each file.

    Finally store the legal moves of all positions, for the views. After an error no new store exists.
    """
    # The many facts of a file contain no cycles.
    with open_for_import(db) as store, without_collector():
        for path in files:
            yield import_file(store, path, watch)
        link_moves(store, watch)


def provide_store(announce: Callable[[str], None], watch: Watch = unwatched) -> Path:
    """Return the path of standard_store(). If the store is missing, build it from the shipped files first.

    announce: a function that is called with a line of text before the store is built. If another process is building
    the store, wait.
    """
    path = standard_store()
    if not path.exists():
        announce(f"{path} does not exist yet: building it from the shipped files, about 15 seconds")
        path.parent.mkdir(parents=True, exist_ok=True)
    while not path.exists():
        try:
            for _ in import_shipped(path, watch):
                pass
        except StoreBusy:
            time.sleep(_PATIENCE)
        except StoreError:
            if not path.exists():
                raise
    return path


@contextmanager
def open_for_import(path: Path) -> Iterator[Store]:
    """Open the store at ``path`` for writing. A new store is made as ``path`` + ``.tmp`` and renamed at the end.

    Raise StoreBusy if another process is making the store, and StoreError if another process has made it meanwhile.
    """
    draft = Path(f"{path}.tmp")
    if path.exists():
        if draft.exists() and draft.samefile(path):
            # A process was killed before it could remove the draft.
            _remove_store(draft)
        with open_store(path, write=True, game=COURSE) as store:
            yield store
        return
    with _only_maker(path):
        if path.exists():
            raise StoreError(f"{path}: another process has made it meanwhile, so it stays unchanged")
        # A killed process may have left a draft. The facts in the draft are valid, so they stay in the new store.
        with open_store(draft, write=True, game=COURSE) as store:
            try:
                yield store
            except BaseException:
                store.close()
                _remove_store(draft)
                raise
        try:
            # Unlike os.replace(), os.link() does not overwrite a file that another process has made meanwhile.
            os.link(draft, path)
        except FileExistsError:
            raise StoreError(f"{path}: another process has made it meanwhile, so it stays unchanged") from None
        finally:
            _remove_store(draft)


@contextmanager
def _only_maker(path: Path) -> Iterator[None]:
    """Hold a lock for making the store at ``path``. Raise StoreBusy if another process holds the lock.

    The lock of the draft is not enough, because it ends before the draft is renamed. A process that then took the
    draft's lock would write to a removed file.
    """
    new = Path(f"{path}.new")
    try:
        lock = WriterLock(new)
    except StoreBusy:
        raise StoreBusy(f"{path} is being made by another process") from None
    try:
        yield
    finally:
        # A process that has already opened the lock's file will find the finished store.
        lock.release()
        _remove_store(new)


def _remove_store(path: Path) -> None:
    for name in (path, f"{path}-wal", f"{path}-shm", f"{path.resolve()}-writer"):
        with suppress(OSError):
            os.remove(name)


def _prove_some(path: Path, facts: Sequence[Fact]) -> None:
    """Search random facts of a file again, with a node limit for each. Raise Contradiction if a fact is false."""
    with kernel_needed():
        # The import is not at the top, because a program that only reads a store needs no kernel.
        from little_go.solver.native.kernel import Kernel
        from little_go.solver.native.table import open_table
    kernel = Kernel(open_table(_SAMPLE_MIB))
    decide = partial(kernel.decide, node_limit=_SAMPLE_NODES)
    for fact in random.sample(facts, min(_SAMPLE, len(facts))):
        for position, bounds in (fact.position, fact), *_claim_of_a_move(fact):
            for fault in refuted(decide, position, bounds):
                raise Contradiction(f"{path}: {fault}: {json.dumps(to_record(position, COURSE))}")


def _claim_of_a_move(fact: Fact) -> Iterator[tuple[Position, BoundsBase]]:
    """If a fact contains all best moves, yield its claim about the position after a random move."""
    after = fact.position.play(random.choice(fact.position.legal_moves()))
    if fact.moves_known and not after.is_over:
        same = {canonical_key(fact.position.play(move)): bounds for move, bounds in fact.moves.items()}
        worse = worse_than(fact, fact.position.black_to_move)
        yield after, Bounds(*same.get(canonical_key(after), worse))


def _atlas(store: Store, path: Path, watch: Watch) -> tuple[list[Fact], dict[str, Any]]:
    rows = list(read_atlas(path))
    before = _bounds_before(store, rows, path)
    return [_counted(fact, bounds) for fact, bounds in zip(_facts(rows, path, watch), before, strict=True)], {}


def _part(store: Store, path: Path, watch: Watch) -> tuple[list[Fact], dict[str, Any]]:
    return [Fact(position, value, value, origin=SEARCH) for position, value in watch(list(read_later(path)))], {}


def _book(store: Store, path: Path, watch: Watch) -> tuple[list[Fact], dict[str, Any]]:
    entries = [
        (position, entry)
        for position, entry in read_book(str(path), store.game).items()
        if entry.verdict != BOOK_UNDECIDED
    ]
    return [Fact(position, *entry.bounds, entry.move) for position, entry in watch(entries)], {}


def _certificate(store: Store, path: Path, watch: Watch) -> tuple[list[Fact], dict[str, Any]]:
    claims = read_claims(path)
    # The store does not check the certificate; docs/explanation/SOLUTION.md lists the checks.
    return list(watch(list(claims.facts()))), {"claim": claims.claim, "starts": claims.starts, "checked": False}


#: For each kind of file, the function that returns a file's facts, and further parameters to store with the run.
_READERS = {"atlas": _atlas, "part": _part, "book": _book, "certificate": _certificate}


def _bounds_before(store: Store, rows: Sequence[Row], path: Path) -> Iterator[_Bounds | None]:
    """Yield the store's bounds on each row's position, or None. Raise Contradiction if these bounds exclude the row."""
    before = {key: (lo, hi) for key, (lo, hi, *_) in store.position_bounds().items()}
    for number, row in enumerate(rows, 2):
        bounds = before.get(key_of(row.position))
        if bounds is not None and (bounds[0] > row.hi or bounds[1] < row.lo):
            stored = f"but {store.path} has it proven {bounds[0]} to {bounds[1]}"
            raise Contradiction(f"{path}, line {number}: {row.lo} to {row.hi}, {stored}")
        yield bounds


def _counted(fact: Fact, before: _Bounds | None) -> Fact:
    """Return the fact.

    If the store's bounds are at least as good, omit the fact's nodes, which would be counted twice.
    """
    news = before is None or before[0] < fact.lo or before[1] > fact.hi
    return fact if news else replace(fact, nodes=0)


def _facts(rows: Sequence[Row], path: Path, watch: Watch) -> Iterator[Fact]:
    """Yield a fact for each row, with the bounds of its moves if the file has the bounds of all moves."""
    bounds = {key_of(row.position): (row.lo, row.hi) for row in rows}
    last = max((row.position.ply for row in rows), default=0)
    for number, row in enumerate(watch(rows), 2):
        moves = {} if row.position.ply == last else dict(_moves(row, bounds))
        try:
            complete = _check_moves(row, moves, last)
        except ValueError as error:
            raise AtlasError(f"{path}, line {number}: {error}") from None
        best = row.best[0] if row.best else None
        # If only the best moves are known, the row claims that every other move is worse.
        bounded = moves if complete else dict.fromkeys(row.best, (row.lo, row.hi)) if row.moves_known else {}
        origin, every = row.origin or None, row.moves_known
        yield Fact(row.position, row.lo, row.hi, best, row.nodes, moves=bounded, origin=origin, moves_known=every)


def _moves(row: Row, bounds: Mapping[int, _Bounds]) -> Iterator[tuple[int, _Bounds]]:
    for move in row.position.legal_moves():
        child = row.position.play(move)
        if child.is_over:
            yield move, (child.margin, child.margin)
        elif (after := bounds.get(canonical_key(child))) is not None:
            yield move, after


def _check_moves(row: Row, moves: Mapping[int, _Bounds], last: int) -> bool:
    """Return whether the bounds of all moves are known. Raise ValueError if the row contradicts another line.

    moves: by move, the bounds after it, from a line of the next ply or from the margin of an ended game. last: the last
    ply of the file.
    """
    after = {move: Bounds(*bounds) for move, bounds in moves.items()}
    complete = len(moves) == len(row.position.legal_moves())
    _check_bounds(row, after, complete)
    _check_best(row, after)
    if row.moves_known:
        _check_others(row, after, complete, last)
    return complete


def _check_bounds(row: Row, after: Mapping[int, Bounds], complete: bool) -> None:
    """Raise ValueError if a move is better than the row's bounds, or if all moves are worse than these bounds."""
    black, here = row.position.black_to_move, Bounds(row.lo, row.hi)
    for move, bounds in after.items():
        if bounds.mover_bound(black) > here.opponent_bound(black):
            raise ValueError(f"{row.lo} to {row.hi}, but {move_name(move)} is better according to another line")
    if complete and max(bounds.opponent_bound(black) for bounds in after.values()) < here.mover_bound(black):
        raise ValueError(f"{row.lo} to {row.hi}, but no move is that good according to the other lines")


def _check_best(row: Row, after: Mapping[int, Bounds]) -> None:
    """Raise ValueError if a best move cannot keep the mover's bound.

    In an unfinished atlas the bounds after a best move may be wider than the row's bounds, unless all best moves are
    known.
    """
    black = row.position.black_to_move
    kept = Bounds(row.lo, row.hi).mover_bound(black)
    for move in row.best:
        if move in after:
            bounds = after[move]
            if (bounds.mover_bound(black) if row.moves_known else bounds.opponent_bound(black)) < kept:
                raise ValueError(
                    f"best move {move_name(move)} does not keep {row.lo} to {row.hi} according to another line"
                )


def _check_others(row: Row, after: Mapping[int, Bounds], complete: bool, last: int) -> None:
    """Raise ValueError if a row that claims to have all best moves omits a best move, or has moves without a line."""
    black = row.position.black_to_move
    kept = Bounds(row.lo, row.hi).mover_bound(black)
    if any(bounds.opponent_bound(black) >= kept for move, bounds in after.items() if move not in row.best):
        raise ValueError("moves_known is 1, but according to another line a move that is not in best is as good")
    if row.position.ply < last and not complete:
        raise ValueError("moves_known is 1, but the positions after some moves have no line")
