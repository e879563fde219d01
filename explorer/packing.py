"""Pack the project's results for the page: the book, the atlas, the certificates, the traps and the puzzles.

A pack is data that zlib compresses and base64 encodes. The pack of the puzzles is JSON, and the atlas is a file of
book.files.values in base64. The other packs are tables. The rows of a table are sorted by canonical key
(solver.symmetry). A table is stored column by column: first the keys, with 8 bytes each, then the columns that the
function's docstring lists. If the numbers of a column have several bytes, the lowest bytes of all rows come first, as
in ``book.json``.
"""

import json
from base64 import b64encode
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from little_go.book.exchange.claims import read_claims
from little_go.book.files.puzzles import Puzzle
from little_go.book.files.reader import BOOK_LOSS, BOOK_UNDECIDED, MoveBook
from little_go.book.files.shipped import LINES
from little_go.book.files.values import VALUES_FORMAT, read_values
from little_go.explorer.packs import columns, pack
from little_go.generator.opponents.models import Opponents
from little_go.notation.record import to_record
from little_go.runtime.files import MIB, read_file
from little_go.solver.answer import BLACK_WINS, LEAST, Bounds
from little_go.solver.bounds import intersect
from little_go.solver.family import COURSE
from little_go.solver.native.kernel import Kernel
from little_go.solver.position import START, Position
from little_go.solver.symmetry import canonical_key, key_of

_PER_MILLE = 1000

#: The page contains only positions with at least this number of plies left. Later positions are omitted, because there
#: are too many, and the page's kernel decides each of them immediately.
LEAST_LEFT = 16


class TrapReply(NamedTuple):
    """A reply to a trap.

    lost, after: canonical keys of the lost position, and of the position after the trap and the reply. chance: the
    probability that a modelled opponent chooses this reply. holds: whether the reply keeps the win.
    """

    lost: int
    after: int
    chance: float
    holds: bool


def certified(certificates: Iterable[Path]) -> Iterator[tuple[Position, Bounds]]:
    """Yield the bounds on positions that the certificates prove.

    Each file yields its positions that have at least LEAST_LEFT plies left, and the position after the first move of
    the game, if the file contains this move. The caller must have checked the files.
    """
    for path in certificates:
        for fact in read_claims(path).facts():
            if fact.position.left >= LEAST_LEFT:
                yield fact.position, Bounds(fact.lo, fact.hi)
            if fact.position == START and fact.best is not None:
                yield START.play(fact.best), Bounds(fact.lo, fact.hi)


def pack_book(book: MoveBook) -> str:
    """Return a pack of the book. The columns are the canonical position's move and its verdict (book.files.reader)."""
    rows = sorted((key_of(position), entry) for position, entry in book.items())
    moves, verdicts = bytes(entry.move for _, entry in rows), bytes(entry.verdict for _, entry in rows)
    return pack(columns([key for key, _ in rows], 8), moves, verdicts)


def pack_atlas(path: Path) -> str:
    """Return the unchanged bytes of a file of values in base64. Raise AtlasError if the file is damaged."""
    read_values(path)
    return b64encode(read_file(path, 64 * MIB)).decode("ascii")


def pack_no_atlas() -> str:
    """Return a pack of an atlas without positions."""
    return pack(bytes([VALUES_FORMAT]))


def pack_lines() -> str:
    """Return the lines of best play as JSON.

    Each line is a list [value, start, moves]: all positions after the first ``start`` plies have the value.
    """
    return json.dumps([[line.value, len(line.way), [*line.way, *line.moves]] for line in LINES], separators=(",", ":"))


def pack_proved(facts: Iterable[tuple[Position, Bounds]]) -> str:
    """Return a pack of bounds, with a row for each canonical position. The columns are lo + 24 and hi + 24."""
    known: dict[int, Bounds] = {}
    for position, bounds in facts:
        key = canonical_key(position)
        known[key] = intersect(known.get(key, Bounds()), bounds)
    keys = sorted(known)
    los, his = (bytes(known[key][end] - LEAST for key in keys) for end in (0, 1))
    return pack(columns(keys, 8), los, his)


def pack_traps(replies: Iterable[TrapReply]) -> str:
    """Return a pack of the replies to traps, sorted by the key of the lost position.

    The columns are the key after the reply (8 bytes), the probability in per mille (2 bytes), and whether the reply
    keeps the win.
    """
    rows = sorted(set(replies))
    chances = [round(row.chance * _PER_MILLE) for row in rows]
    keys, afters = columns([row.lost for row in rows], 8), columns([row.after for row in rows], 8)
    return pack(keys, afters, columns(chances, 2), bytes(row.holds for row in rows))


def pack_puzzles(puzzles: Iterable[Puzzle]) -> str:
    """Return a pack of puzzles: a JSON list with the fields, the themes and the position of each puzzle."""
    rows = [
        {
            **each._asdict(),
            "position": to_record(each.position, COURSE),
            "wrong": round(each.wrong, 3),
            "themes": each.themes,
        }
        for each in puzzles
    ]
    return pack(json.dumps(rows, separators=(",", ":")).encode("ascii"))


def trap_replies(book: MoveBook, kernel: Kernel, opponents: Opponents) -> Iterator[TrapReply]:
    """Yield every reply to the trap in each lost position of the course's book."""
    for position, entry in book.items():
        if entry.verdict == BOOK_LOSS:
            child = position.play(entry.move)
            for move, chance in opponents.chances(child, COURSE).items():
                after = child.play(move)
                holds = _winner(after, book, kernel) == child.mover
                yield TrapReply(key_of(position), canonical_key(after), chance, holds)


def _winner(position: Position, book: MoveBook, kernel: Kernel) -> int | None:
    """Return the winner according to the rules, the book or the kernel."""
    if position.is_over:
        return COURSE.leader(position)
    entry = book.get(position)
    if entry is None or entry.verdict == BOOK_UNDECIDED:
        return COURSE.winner(kernel.decide(position, BLACK_WINS))
    return COURSE.winner(entry.bounds)
