"""Pack the project's results for the page: the book, the atlas, the certificates, the traps, the puzzles.

Each pack, like the kernel, is base64(zlib(bytes)). The atlas's bytes are those of book.files.values, the puzzles are
JSON. The others are the columns of N rows sorted by canonical key (solver.symmetry): the keys, 8 bytes each, then those
that the pack's function names. Numbers of several bytes are transposed as in ``book.json``, all lowest bytes first.
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

#: Certificates have too many positions with fewer plies left for a page, and the kernel in it decides these at once.
LEAST_LEFT = 16


class TrapReply(NamedTuple):
    """A reply to a trap.

    lost, after: canonical keys of the lost position and of the one after trap and reply. chance: of this reply by a
    modelled opponent. holds: whether it keeps the win.
    """

    lost: int
    after: int
    chance: float
    holds: bool


def certified(certificates: Iterable[Path]) -> Iterator[tuple[Position, Bounds]]:
    """Yield the bounds on positions that certificates prove.

    Of a file these are its own positions, those above its leaves with LEAST_LEFT plies left or more, and the one after
    the game's first move if it is there. The caller has the file checked. Raises CertificateError and OSError.
    """
    for path in certificates:
        for fact in read_claims(path).facts():
            if fact.position.left >= LEAST_LEFT:
                yield fact.position, Bounds(fact.lo, fact.hi)
            if fact.position == START and fact.best is not None:
                yield START.play(fact.best), Bounds(fact.lo, fact.hi)


def pack_book(book: MoveBook) -> str:
    """Return the book; columns: move in canonical orientation, verdict as in book.files.reader."""
    rows = sorted((key_of(position), entry) for position, entry in book.items())
    moves, verdicts = bytes(entry.move for _, entry in rows), bytes(entry.verdict for _, entry in rows)
    return pack(columns([key for key, _ in rows], 8), moves, verdicts)


def pack_atlas(path: Path) -> str:
    """Return a whole file of values in base64; raises AtlasError and OSError."""
    read_values(path)
    return b64encode(read_file(path, 64 * MIB)).decode("ascii")


def pack_no_atlas() -> str:
    """Return an atlas without a position."""
    return pack(bytes([VALUES_FORMAT]))


def pack_lines() -> str:
    """Return the lines of best play as JSON: each with its value, the plies before it has that, and the moves."""
    return json.dumps([[line.value, len(line.way), [*line.way, *line.moves]] for line in LINES], separators=(",", ":"))


def pack_proved(facts: Iterable[tuple[Position, Bounds]]) -> str:
    """Pack what certificates prove, a row for each canonical position; columns: lo + 24, hi + 24."""
    known: dict[int, Bounds] = {}
    for position, bounds in facts:
        key = canonical_key(position)
        known[key] = intersect(known.get(key, Bounds()), bounds)
    keys = sorted(known)
    los, his = (bytes(known[key][end] - LEAST for key in keys) for end in (0, 1))
    return pack(columns(keys, 8), los, his)


def pack_traps(replies: Iterable[TrapReply]) -> str:
    """Return replies to traps, by the key of the lost position.

    Columns: 8 bytes the key after the reply, 2 bytes the chance in per mille, whether the reply holds.
    """
    rows = sorted(set(replies))
    chances = [round(row.chance * _PER_MILLE) for row in rows]
    keys, afters = columns([row.lost for row in rows], 8), columns([row.after for row in rows], 8)
    return pack(keys, afters, columns(chances, 2), bytes(row.holds for row in rows))


def pack_puzzles(puzzles: Iterable[Puzzle]) -> str:
    """Return puzzles as a JSON list: fields and themes, with positions in the command line's notation."""
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
    """Yield every reply to the trap of each lost position in the course's book."""
    for position, entry in book.items():
        if entry.verdict == BOOK_LOSS:
            child = position.play(entry.move)
            for move, chance in opponents.chances(child, COURSE).items():
                after = child.play(move)
                holds = _winner(after, book, kernel) == child.mover
                yield TrapReply(key_of(position), canonical_key(after), chance, holds)


def _winner(position: Position, book: MoveBook, kernel: Kernel) -> int | None:
    """Find the winner, by the rules, the book or the kernel."""
    if position.is_over:
        return COURSE.leader(position)
    entry = book.get(position)
    if entry is None or entry.verdict == BOOK_UNDECIDED:
        return COURSE.winner(kernel.decide(position, BLACK_WINS))
    return COURSE.winner(entry.bounds)
