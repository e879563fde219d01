"""Find contradictions in the proof store.

Every bound was proven by a search, so all bounds must be consistent: a position has the value of its best move, equal
positions have one entry, and our choices keep the proven results. A contradiction means that a search was wrong or the
file is damaged.
"""

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from little_go.book.exchange.compress import may_arise_in_some_game
from little_go.book.store.facts import Choice, Contradiction, Entry, StoreError
from little_go.book.store.store import Store
from little_go.notation.record import to_record
from little_go.solver.answer import Answer
from little_go.solver.bounds import COLOURS, disproved, refuted
from little_go.solver.native.kernel import Kernel
from little_go.solver.position import Position, move_name
from little_go.solver.symmetry import canonical_key, key_of


@dataclass
class FsckResult:
    """The numbers of entries, moves between entries, choices, replies to choices, and faults.

    readable: whether the tables and views are the ones that this program makes. No row of other tables is read.
    """

    entries: int = 0
    links: int = 0
    choices: int = 0
    replies: int = 0
    faults: int = 0
    readable: bool = True


def fsck(store: Store, report: FsckResult, last_left: int | None, watch: Callable[[], None]) -> Iterator[str]:
    """Yield a line for each fault, and count everything that was checked in ``report``.

    last_left: the minimum number of plies left, at least 1, after a reply to a choice for which the next choice must
    exist; None to require no such choice. watch: a function that is called for each entry and each choice.
    """
    alone = store.damage()
    report.readable = not any(line.startswith("schema: ") for line in alone)
    if report.readable:
        alone += [f"not the key of a position: {key}" for key in store.impossible_keys()]
    report.faults += len(alone)
    yield from alone
    if not report.readable:
        return
    for entry in store:
        report.entries += 1
        for fault in _until_unreadable(_entry_faults(store, entry, report)):
            report.faults += 1
            yield f"{fault}: {json.dumps(to_record(entry.position, store.game))}"
        watch()
    for choice, entry in store.choices():
        report.choices += 1
        for fault in _until_unreadable(_choice_faults(store, choice, entry, last_left, report)):
            report.faults += 1
            yield f"{fault}: {json.dumps(to_record(entry.position, store.game))}"
        watch()


def _until_unreadable(faults: Iterator[str]) -> Iterator[str]:
    """Yield the faults. If a row cannot be read, yield this fault last and stop."""
    try:
        yield from faults
    except StoreError as error:
        yield str(error)


def _entry_faults(store: Store, entry: Entry, report: FsckResult) -> Iterator[str]:
    position = entry.position
    try:
        position.check()
    except ValueError as error:
        yield f"not a position: {error}"
        return
    if position.is_over:
        yield "the game is over here, so it should have no row"
        return
    if key_of(position) != canonical_key(position):
        yield "not in canonical orientation"
    if position != store.game.start and not may_arise_in_some_game(position):
        yield "no game reaches it: its number of stones does not fit the ply"
    if entry.best is not None and entry.best not in position.legal_moves():
        yield f"the best move, {entry.best}, is illegal"
        return
    try:
        moves = store.moves_of(position)
    except Contradiction as error:
        yield f"a move and the position it leads to contradict each other: {error}"
        return
    report.links += len(moves)
    yield from _bound_faults(entry, moves)


def is_sound(position: Position) -> bool:
    """Return whether a search can accept a position: whether it is possible and unfinished."""
    try:
        position.check()
    except ValueError:
        return False
    return not position.is_over


def _bound_faults(entry: Entry, moves: dict[int, Answer]) -> Iterator[str]:
    """Yield the contradictions between the bounds on a position and the bounds on its moves."""
    position = entry.position
    # From the mover's point of view, no move has a value above hi, and the best move has a value of lo or more.
    black = position.black_to_move
    lo, hi = entry.mover_bound(black), entry.opponent_bound(black)
    for move, answer in moves.items():
        if (bound := answer.mover_bound(black)) > hi:
            yield f"the mover can reach at most {hi:+d}, but {move_name(move)} reaches {bound:+d}"
    if entry.best in moves and moves[entry.best].opponent_bound(black) < lo:
        yield f"the best move, {move_name(entry.best)}, cannot keep {lo:+d} for the mover"
    if (
        len(moves) == len(position.legal_moves())
        and max(answer.opponent_bound(black) for answer in moves.values()) < lo
    ):
        yield f"no move keeps {lo:+d} for the mover"


def _choice_faults(
    store: Store, choice: Choice, entry: Entry, last_left: int | None, report: FsckResult
) -> Iterator[str]:
    """Yield the faults of a choice, which must keep a proven win after every reply."""
    position, game = choice.position, store.game
    winner = game.winner(entry.answer)
    if choice.move not in position.legal_moves():
        yield f"the choice, {choice.move}, is illegal"
        return
    if winner is None:
        yield "a move is chosen, but the winner is not proven"
        return
    if (winner == position.mover) != (choice.chance is None):
        yield f"the choice has the chance {choice.chance}, but {COLOURS[winner]} wins"
    child = position.play(choice.move)
    ends = [child] if child.is_over else [child.play(reply) for reply in child.legal_moves()]
    entries = store.get_all(after for after in ends if not after.is_over)
    for after in ends:
        report.replies += 1
        known = entries.get(after)
        won = game.leader(after) if after.is_over else None if known is None else game.winner(known.answer)
        if winner == position.mover and won not in (None, position.mover):
            yield f"the choice, {move_name(choice.move)}, loses a won position"
        missing = last_left is not None and after.left >= last_left
        if missing and store.choice_of(after) is None:
            yield f"after the choice, {move_name(choice.move)}, a reply has no choice of ours"


def prove_entries(
    store: Store, entries: Sequence[Entry], kernel: Kernel, watch: Callable[[int], None]
) -> Iterator[str]:
    """Yield a line for each bound of a row or of a recorded move that a search refutes.

    kernel: a kernel whose table is empty at first. The search of a row may use the results of earlier rows. watch: a
    function that is called with the number of rows that are done.
    """
    # Rows with few plies left come first, because their searches are fast and their results speed up the other
    # searches.
    for done, entry in enumerate(sorted(entries, key=lambda entry: entry.position.left), 1):
        position = entry.position
        record = json.dumps(to_record(position, store.game))
        for fault in disproved(kernel.decide, position, entry.answer):
            yield f"{fault}, {_whose(store, entry)}: {record}"
        for move, answer in store.moves_of(position).items():
            for fault in refuted(kernel.decide, position.play(move), answer):
                yield f"after {move_name(move)}, {fault}: {record}"
        watch(done)


def _whose(store: Store, entry: Entry) -> str:
    if entry.run is None:
        return "from no run"
    by = "" if entry.maker is None else f" and its worker {store.maker_name(entry.maker)}"
    return f"from run {entry.run}{by}, on which later runs rely"
