"""Choose the lines of the compressed book.

If the store has a closure, the lines are its choices, except the moves that the player finds by itself.

Otherwise, a position gets a line if a move is known, the winner is proven, and the 24-ply game can reach the position.
The store may contain positions of shorter games too, which begin with the empty board at a later ply. Only a position
that *certainly* cannot arise in the 24-ply game may be omitted.

may_arise() therefore plays a shadow game, in which only the number of stones of each colour counts. Every real game has
a shadow, if the limits on captures in the shadow game are not too small. On 5x5, k stones can capture at most:

- k = 2: one stone, because two points can only surround a corner.
- k = 3: three stones, the triangle in a corner.
- k = 4: six stones, the next triangle.
- k = 5 or more: the shadow game has no limit.

So the empty board can arise only at ply 0, and a single stone only at plies 1 and 2, and a side never has more stones
than it has had turns.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import cache

from little_go.book.files.writer import BookLine, verdict_of
from little_go.book.store.facts import Choice, Entry
from little_go.solver.family import Variant
from little_go.solver.position import Position
from little_go.solver.symmetry import key_of

#: The maximum number of stones that k stones can capture in one move, by k. For more than four stones there is no
#: limit.
MOST_CAPTURED = {1: 0, 2: 1, 3: 3, 4: 6}

#: The number of stones of the side that moved last, the number of the mover's stones, and whether the last ply was a
#: PASS.
_Count = tuple[int, int, bool]

#: The reasons for omitting an entry, as the command prints them after the number of positions.
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
    """Yield a line of the book for each choice that needs a line, and count the other choices in ``skipped``, by
    reason.

    choices: the results of Store.choices(). min_left: the same as in select_lines().
    """
    for choice, entry in choices:
        if choice.solver_nodes is not None:
            skipped[BY_PLAYER] += 1
        else:
            yield from select_lines(
                [replace(entry, answer=entry.answer._replace(best=choice.move))], min_left, skipped, game
            )


def select_lines(entries: Iterable[Entry], min_left: int, skipped: Counter[str], game: Variant) -> Iterator[BookLine]:
    """Yield a line of the book for each suitable entry, and count the other entries in ``skipped``, by reason.

    entries: the results of Store.entries(). min_left: the minimum number of plies left. Entries with fewer plies left
    are skipped.
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
    """Return False only if no sequence of moves of the game has the position's numbers of stones at its ply.

    >>> [may_arise(Position(ply=ply), Variant(24, 2.5)) for ply in (0, 4)]
    [True, False]
    """
    if position.ply <= game.first_ply:
        return position == game.start
    return _count(position) in _counts_at(position.ply - game.first_ply)


def may_arise_in_some_game(position: Position) -> bool:
    """Return False only if no game of at most 24 plies has the position's numbers of stones at its ply.

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
    """Return the stone counts of unfinished games after ``ply`` plies of the shadow game."""
    if ply == 0:
        return frozenset({(0, 0, False)})
    after: set[_Count] = set()
    for theirs, mine, passed in _counts_at(ply - 1, first_pass_ends):
        if not passed and (ply > 1 or not first_pass_ends):
            after.add((mine, theirs, True))
        most = min(theirs, MOST_CAPTURED.get(mine + 1, theirs))
        after.update((mine + 1, theirs - captured, False) for captured in range(most + 1))
    return frozenset(after)
