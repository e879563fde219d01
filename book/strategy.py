"""A colour's complete strategy, followed through the store's choices."""

from collections.abc import Callable, Iterable, Iterator

from book.store import Choice, Store
from solver.position import START, Position
from solver.record import to_record
from solver.symmetry import canonical_key, key_of, position_of


class Incomplete(Exception):
    """The store does not hold the whole strategy; the message says what is missing."""


def won_starts(store: Store, colour: int) -> list[Position]:
    """Return the positions at the first ply of ``colour`` (1 = Black, 2 = White) that the store proves it to win.

    It loses the others. Raises Incomplete where the store does not say who wins, and when there is no such position.
    """
    level = {canonical_key(START)} if START.mover == colour else children(START)
    won = []
    for position in map(position_of, sorted(level)):
        entry = store.get(position)
        if entry is None or entry.answer.winner is None:
            raise Incomplete(f"it is not proven who wins at ply {position.ply}, in {to_record(position)}")
        if entry.answer.winner == colour:
            won.append(position)
    if not won:
        raise Incomplete(f"{'Black' if colour == 1 else 'White'} wins no position at its first ply")
    return won


def strategy(
    store: Store,
    starts: Iterable[Position],
    last_left: int,
    watch: Callable[[int, int, int], None],
    find: Callable[[Position], int | None] | None = None,
) -> Iterator[Choice]:
    """Yield our choice in every position that can arise from ``starts``, ours to move, whatever the other side plays.

    last_left: positions with fewer plies left are left out.
    watch: shown, as it goes on, the ply, positions done there, and how many there are.
    find: asked for a winning move where the store has no choice; returns None if there is none.
    Raises Incomplete where a choice is missing or the position is not proven to be won.
    """
    level = {canonical_key(start) for start in starts}
    while level:
        following: set[int] = set()
        for done, key in enumerate(sorted(level), 1):
            choice = _winning_choice(store, position_of(key), find)
            yield choice
            following |= {reply for reply in replies(choice) if position_of(reply).left >= last_left}
            watch(choice.position.ply, done, len(level))
        level = following


def replies(choice: Choice) -> set[int]:
    """Return the canonical keys of the positions that can arise at our next ply."""
    return replies_after(choice.position, choice.move)


def replies_after(position: Position, move: int) -> set[int]:
    """Return the canonical keys of the positions that can arise at our next ply after a move of ours."""
    after = position.play(move)
    return set() if after.is_over else children(after)


def children(position: Position) -> set[int]:
    """Return the canonical keys of the positions after each move that does not end the game."""
    # Not at the top: reading a store needs no kernel.
    from solver import kernel

    return set(kernel.next_ply([kernel.canonical_key(position)]))


def distinct_moves(position: Position) -> list[tuple[int, Position]]:
    """Return the moves, the first of those that differ by a turn or a reflection only, and where they lead."""
    from solver import kernel

    moves: dict[int, int] = {}
    for move, child in kernel.children(key_of(position)):
        moves.setdefault(child, move)
    return [(move, position.play(move)) for move in moves.values()]


def _winning_choice(store: Store, position: Position, find: Callable[[Position], int | None] | None) -> Choice:
    choice, entry = store.choice_of(position), store.get(position)
    if choice is not None and entry is not None:
        if entry.answer.winner != position.mover:
            raise Incomplete(f"it is not proven that the mover wins at ply {position.ply}, in {to_record(position)}")
        return choice
    move = None if find is None else find(position)
    if move is None:
        raise Incomplete(f"no move is chosen at ply {position.ply}, in {to_record(position)}")
    return Choice(position, move)
