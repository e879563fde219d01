"""Read the claims of a shipped certificate as facts for the store. docs/reference/CERTIFICATE.md describes the format.

This module does not prove the claims; `little-go check`, which shares no code with it, does. So only the shipped files,
identified by their SHA-256, are read, and the store contains the file's name with the claims.
"""

import hashlib
import re
import zlib
from collections.abc import Iterable, Iterator
from operator import itemgetter
from pathlib import Path
from typing import NamedTuple

from little_go.book.files.claims_index import NO_MOVE, ClaimsIndex, Listed, Row
from little_go.book.files.shipped import CERTIFICATES, SUMS
from little_go.book.store.facts import Fact
from little_go.runtime.files import MIB, read_file, read_text
from little_go.runtime.hints import command_line
from little_go.solver.answer import Bounds
from little_go.solver.position import GAME_PLIES, POINTS, START, Position, move_name, parse_move, parse_moves, play_all
from little_go.solver.symmetry import INVERSE, POINT_IMAGE, SYMMETRIES, Oriented

_HEADER = re.compile(
    r"little-go certificate 2\nrules [^\n]*\n"
    r"claim (?P<claim>black (?P<sign>>=|<=) (?P<bound>-?\d+))\n"
    r"(?P<starts>(?:start [^\n]*\n)+)"
    r"leaf (?P<leaf>\d+)\nlines \d+\nsha256 [0-9a-f]{64}\n"
)

#: The number of bytes that are unpacked at a time, which is more than the length of a certificate's header.
_PART = MIB // 4

_BLACK, _WHITE = str.maketrans(".XO", "010"), str.maketrans(".XO", "001")

_SIGNS = str.maketrans("012", ".XO")

#: For each symmetry, a function that returns the signs of the symmetric board, in the order of its points.
_TURNS = [itemgetter(*POINT_IMAGE[INVERSE[symmetry]][:POINTS]) for symmetry in range(SYMMETRIES)]


class CertificateError(Exception):
    """Raised if a file is not a shipped certificate. The message is one line with the file's name."""


class Claims(NamedTuple):
    """The claims of a certificate.

    digest: the file's SHA-256. claim: the claim as text, such as ``black >= 3``. starts: the positions to which the
    claim applies, as moves from the empty board. bounds: the claim as bounds on the value. lines: the positions and
    moves of the file.
    """

    digest: str
    claim: str
    starts: list[str]
    bounds: Bounds
    lines: list[str]

    def start_positions(self) -> list[Position]:
        """Return the starts as positions."""
        return [play_all(START, parse_moves("" if start == "empty" else start)) for start in self.starts]

    def facts(self) -> Iterator[Fact]:
        """Yield a fact for each start and each line. The best move in the fact of a line is the line's move."""
        for start in self.start_positions():
            yield Fact(start, *self.bounds)
        for line in self.lines:
            position, _, move = line.rpartition(" ")
            yield Fact(_position(position), *self.bounds, parse_move(move))


def read_claims(path: Path) -> Claims:
    """Read a shipped certificate's claims about its starts, and about the positions before its leaves.

    The leaves, which are most of the file, are omitted, because a search decides a leaf quickly. Raise CertificateError
    if the file is not in the shipped SHA256SUMS.
    """
    packed = read_file(path, 256 * MIB)
    digest = hashlib.sha256(packed).hexdigest()
    if digest not in _listed():
        raise CertificateError(
            f"{path}: not one of the shipped certificates, and a file's claim is not a proof: check it with"
            f" {command_line('proof check', path)}"
        )
    unpacker = zlib.decompressobj(16 + zlib.MAX_WBITS)
    text = unpacker.decompress(packed, _PART)
    header = _HEADER.match(text.decode("ascii"))
    if header is None:
        raise CertificateError(f"{path}: not a certificate of format 2")
    bound = int(header["bound"])
    bounds = Bounds(lo=bound) if header["sign"] == ">=" else Bounds(hi=bound)
    # Lines are in the order of plies, so the leaves come last, and need not be unpacked.
    mark, at = f"\n{int(header['leaf']):02} ".encode(), header.end() - 1
    while (leaves := text.find(mark, at)) < 0 and not unpacker.eof:
        at = len(text) - len(mark)
        text += unpacker.decompress(unpacker.unconsumed_tail, _PART)
    lines = text[header.end() : None if leaves < 0 else leaves].decode("ascii").splitlines()
    starts = [row.partition(" ")[2] for row in header["starts"].splitlines()]
    return Claims(digest, header["claim"], starts, bounds, lines)


def index_claims(paths: Iterable[Path]) -> ClaimsIndex:
    """Return the index of shipped certificates."""
    files, rows = [], []
    for number, path in enumerate(paths):
        claims = read_claims(path)
        files.append(Listed(path.name, claims.digest, claims.bounds))
        moves: dict[int, set[int]] = {}
        for fact in claims.facts():
            oriented = Oriented.of(fact.position)
            its = moves.setdefault(oriented.key, set())
            if fact.best is not None:
                its.add(oriented.to[fact.best])
        rows += [Row(key, number, move) for key, its in moves.items() for move in its or {NO_MOVE}]
    return ClaimsIndex.of(files, rows)


def images_of(position: Position) -> list[str]:
    """Return, by symmetry, the eight symmetric copies of a position in the format of a certificate's lines."""
    board = "".join(position.rows()).translate(_SIGNS)
    ends = ["-"] * SYMMETRIES if position.ko is None else [move_name(points[position.ko]) for points in POINT_IMAGE]
    last = "P" if position.passed else "-"
    return [f"{position.left:02} {''.join(turn(board))} {ko} {last}" for turn, ko in zip(_TURNS, ends, strict=True)]


def _listed() -> list[str]:
    # A list of checksums next to the file would prove nothing, because the file's author may also have written the
    # list.
    return [row.split()[0] for row in read_text(CERTIFICATES / SUMS, MIB).splitlines()]


def _position(text: str) -> Position:
    left, board, ko, passed = text.split(" ")
    # The first character of a line's board is point 0, which is the lowest bit.
    black, white = (int(board[::-1].translate(digits), 2) for digits in (_BLACK, _WHITE))
    return Position(black, white, None if ko == "-" else parse_move(ko), GAME_PLIES - int(left), passed == "P")
