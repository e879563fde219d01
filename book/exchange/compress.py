"""Choose the lines of the compressed book.

With a closure these are its choices, without those that the player finds by itself.

Without one, a position gets a line when a move is known, the winner is proven, and the 24-ply game can reach it. The
generator solves shorter games too, from the empty board at a later ply, and only positions that *certainly* cannot
arise may be dropped.

may_arise() therefore plays a shadow game with only the number of stones of each colour. Every real game has its shadow,
as long as a capture may take at least as many stones as k stones can take on 5x5:

- k = 2: one stone. Two points cut off nothing but a corner.
- k = 3: three stones, the triangle in a corner.
- k = 4: six, the next triangle.
- from k = 5 on no limit is claimed.

So the empty board arises at ply 0 only, a lone stone at plies 1 and 2 only, and no side ever has more stones than
turns.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import cache

from book.files.writer import BookLine, verdict_of
from book.store.facts import Choice, Entry
from solver.family import Variant
from solver.position import Position
from solver.symmetry import key_of

#: Most stones that k stones can capture at once; more stones have no limit here.
MOST_CAPTURED = {1: 0, 2: 1, 3: 3, 4: 6}

#: Stones of the side that has just moved, stones of the mover, whether the last ply was a PASS.
_Count = tuple[int, int, bool]

#: Why an entry is left out.
NO_MOVE, UNDECIDED, CANNOT_ARISE, TOO_LATE, BY_PLAYER = (
    "without a move",
    "undecided",
    "that cannot arise in a 24-ply game",
    "with too few plies left",
    "that the player finds by itself",
)


def chosen_lines(
    choices: Iterable[tuple[Choice, Entry]], min_left: int, skipped: Counter[str], game: Variant
) -> Iterator[BookLine]:
    """Yield a line of the book for each choice worth one, and count the others in ``skipped``, by reason.

    choices, min_left: as Store.choices() yields them, and as for select_lines().
    """
    for choice, entry in choices:
        if choice.solver_nodes is not None:
            skipped[BY_PLAYER] += 1
        else:
            yield from select_lines(
                [replace(entry, answer=entry.answer._replace(best=choice.move))], min_left, skipped, game
            )


def select_lines(entries: Iterable[Entry], min_left: int, skipped: Counter[str], game: Variant) -> Iterator[BookLine]:
    """Yield a line of the book for each entry worth one, and count the others in ``skipped``, by reason.

    entries: in canonical orientation, as Store.entries() yields them. min_left: entries with fewer plies left are
        skipped.
    """
    for entry in entries:
        reason = _reason_to_skip(entry, min_left, game)
        if reason is not None or entry.best is None:
            skipped[reason or NO_MOVE] += 1
        else:
            verdict = verdict_of(entry.position, entry.lo, entry.hi, game)
            yield BookLine(key_of(entry.position), entry.best, verdict)


def _reason_to_skip(entry: Entry, min_left: int, game: Variant) -> str | None:
    if game.winner(entry) is None:
        return UNDECIDED
    if entry.position.left < min_left:
        return TOO_LATE
    return None if may_arise(entry.position, game) else CANNOT_ARISE


def may_arise(position: Position, game: Variant) -> bool:
    """Return False only when no play of a game has the position's number of stones at its ply.

    >>> [may_arise(Position(ply=ply), Variant(24, 2.5)) for ply in (0, 4)]
    [True, False]
    """
    if position.ply <= game.first_ply:
        return position == game.start
    return _count(position) in _counts_at(position.ply - game.first_ply)


def may_arise_in_some_game(position: Position) -> bool:
    """Return False only when no game of at most 24 plies has the position's number of stones at its ply.

    >>> may_arise_in_some_game(Position(ply=4)), may_arise_in_some_game(Position(black=7, ply=1))
    (True, False)
    """
    count = _count(position)
    # A game of n plies starts at ply 24 - n.
    return any(count in _counts_at(position.ply - start, start == 0) for start in range(0, position.ply + 1, 2))


def _count(position: Position) -> _Count:
    black, white = position.black.bit_count(), position.white.bit_count()
    return (white, black, position.passed) if position.black_to_move else (black, white, position.passed)


@cache
def _counts_at(ply: int, first_pass_ends: bool = True) -> frozenset[_Count]:
    """Return the stone counts after ``ply`` plies of the shadow game, without ended games."""
    if ply == 0:
        return frozenset({(0, 0, False)})
    after: set[_Count] = set()
    for theirs, mine, passed in _counts_at(ply - 1, first_pass_ends):
        if not passed and (ply > 1 or not first_pass_ends):
            after.add((mine, theirs, True))
        most = min(theirs, MOST_CAPTURED.get(mine + 1, theirs))
        after.update((mine + 1, theirs - captured, False) for captured in range(most + 1))
    return frozenset(after)
