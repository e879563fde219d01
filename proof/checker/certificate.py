"""Read certificates in the format of docs/reference/CERTIFICATE.md. This module imports only the checker's core.

This module finds faults in the form of a file, and checks that the starts follow from the lines. The modules ``rules``
and ``search``, which are the core, check each line.
"""

import errno
import hashlib
import os
import re
import stat
import zlib
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from little_go.proof.checker.rules import (
    FULL,
    PASS,
    PLIES,
    START,
    Claim,
    Place,
    beside,
    breathless,
    name_of,
    play,
    start_fault,
)
from little_go.proof.checker.search import Judge, fault_of

RULES = "rules 5x5 stones-only komi 2.5 plies 24"

#: The maximum size of an unpacked file in bytes: fifteen times the size of the largest shipped certificate.
MOST_BYTES = 64 << 20

_LINE = re.compile(r"((\d\d) ([.XO]{25}) (-|[0-4],[0-4]) (-|P)) (PASS|[0-4],[0-4])", re.ASCII)
_POINT = {f"{p // 5},{p % 5}": 1 << p for p in range(25)}
_MOVE = {**_POINT, "PASS": PASS}

#: By version, the lines of the header after the first two: name, pattern, and whether the number of such lines is free.
_HEADERS = {
    "1": (
        ("start", "start (?P<start>.*)", True),
        ("winner black or winner white", "winner (?P<winner>black|white)", False),
    ),
    "2": (
        ("claim", r"claim black (?P<sign>>=|<=) (?P<bound>0|-?[1-9]\d?)", False),
        ("start or position", "(?:start (?P<moves>.*)|position (?P<start>.*))", True),
    ),
}
_ENDING = (
    ("leaf", r"leaf (?P<leaf>[1-9]\d?)", False),
    ("lines", r"lines (?P<lines>0|[1-9]\d{0,7})", False),
    ("sha256", "sha256 (?P<sha256>[0-9a-f]{64})", False),
)


class Fault(NamedTuple):
    """A fault of a certificate: the number of the line in the file, the line, and the reason why it is wrong."""

    number: int
    line: str
    why: str


class BadCertificate(ValueError):
    """Raised if a certificate is malformed, or does not prove its starts."""

    def __init__(self, number: int, line: str, why: str) -> None:
        super().__init__(why)
        self.fault = Fault(number, line, why)


class Start(NamedTuple):
    """A position to which the claim of a certificate applies.

    text: the start in the header, which is a list of moves from the empty board, or a position. reached: whether a
    known game reaches the position. number: the number of the start's line in the file, or 0 if format 1 omits the
    empty board.
    """

    text: str
    place: Place
    reached: bool
    number: int


@dataclass(frozen=True)
class Certificate:
    """A certificate whose header is right, and whose starts are proved if all its lines are right.

    digest: the SHA-256 of the whole unpacked file. claim: the claim about each start. leaf: the number of plies left of
    the lines that the checker searches. lines, first: the lines after the header, and the number of the first line in
    the file. known: the names of the positions that have a line. fault: the first malformed line, or None if there is
    no such line.
    """

    digest: str
    claim: Claim
    starts: tuple[Start, ...]
    leaf: int
    lines: list[str]
    first: int
    known: frozenset[str]
    fault: Fault | None


def line_fault_of(certificate: Certificate, index: int, judge: Judge) -> Fault | None:
    """Return the fault of a well-formed line, or None if the line is right. judge: a Judge of the claim."""
    line = certificate.lines[index]
    text, _, move = line.rpartition(" ")
    why = fault_of(certificate.claim, certificate.leaf, parse_place(text), _MOVE[move], certificate.known, judge)
    return None if why is None else Fault(certificate.first + index, line, why)


def parse_place(text: str) -> Place:
    """Return the position at the beginning of a line. Raise ValueError if the text is not well-formed."""
    found = _LINE.fullmatch(f"{text} PASS")
    if found is None:
        raise ValueError("not a position: want plies left, board, ko point or -, P or -")
    _, left, board, ko, passed, _ = found.groups()
    black, white = (sum(1 << p for p in range(25) if board[p] == mark) for mark in "XO")
    return Place(int(left), black, white, _POINT.get(ko, 0), passed == "P")


def place_after(moves: str) -> Place:
    """Return the position after moves from the empty board, separated by blanks. The text ``empty`` means no moves.

    Raise ValueError if the text is not a list of moves of an unfinished game.
    """
    place = START
    for name in [] if moves == "empty" else moves.split(" "):
        after = play(place, _MOVE[name]) if name in _MOVE else None
        if after is None or after.left == 0:
            raise ValueError(f"{name!r} is not a move of an unfinished game")
        place = after
    return place


def read_certificate(path: str | Path) -> Certificate:
    """Return the certificate in a file, which is unpacked if its name ends in ``.gz``.

    Raise BadCertificate if the header is wrong or does not match the lines, or if a start does not follow from the
    lines. The field ``fault`` of the certificate contains the first malformed line.
    """
    data = _read(Path(path))
    fields, starts, number, body = _header(data)
    lines = body.decode("ascii", "replace").split("\n")
    complete = lines.pop() == ""
    if fields["lines"] != str(len(lines)):
        raise BadCertificate(number - 1, f"lines {fields['lines']}", f"{len(lines)} complete lines follow the header")
    if not complete or hashlib.sha256(body).hexdigest() != fields["sha256"]:
        raise BadCertificate(number, f"sha256 {fields['sha256']}", "the lines after the header have another hash")
    known = frozenset(line.rpartition(" ")[0] for line in lines)
    claim, leaf = _claim(fields), int(fields["leaf"])
    for start in starts:
        if why := start_fault(claim, start.place, known):
            raise BadCertificate(start.number, f"start {start.text}" if start.number else "", why)
    fault = next(_form_faults(lines, number + 1, claim, leaf), None)
    return Certificate(hashlib.sha256(data).hexdigest(), claim, starts, leaf, lines, number + 1, known, fault)


def _read(path: Path) -> bytes:
    if path.is_dir():
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
    # O_NONBLOCK avoids waiting for the other end of a pipe.
    flags = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
    with open(os.open(path, flags), "rb") as file:
        if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
            raise BadCertificate(1, "", "not a file")
        packed = file.read(MOST_BYTES + 1)
    data = _unpacked(packed) if path.suffix == ".gz" else packed
    if len(data) > MOST_BYTES:
        raise BadCertificate(1, "", f"more than {MOST_BYTES >> 20} MiB")
    return data


def _unpacked(packed: bytes) -> bytes:
    unpacker = zlib.decompressobj(16 + zlib.MAX_WBITS)
    data = b""
    with suppress(zlib.error):
        data = unpacker.decompress(packed, MOST_BYTES + 1)
    if len(data) <= MOST_BYTES and (not unpacker.eof or unpacker.unused_data):
        raise BadCertificate(data.count(b"\n") + 1, "", "the file cannot be unpacked from here on")
    return data


def _header(data: bytes) -> tuple[dict[str, str], tuple[Start, ...], int, bytes]:
    """Return the header's fields, the starts, the number of the header's last line, and the rest of the file."""
    row, _, rest = data.partition(b"\n")
    version = {f"little-go certificate {v}".encode(): v for v in _HEADERS}.get(row)
    if version is None:
        raise BadCertificate(1, _text(row), "want the header line: little-go certificate 1, or 2")
    fields: dict[str, str] = {}
    starts: list[Start] = []
    number = 1
    for name, pattern, repeated in (("rules", re.escape(RULES), False), *_HEADERS[version], *_ENDING):
        while True:
            row, newline, after = rest.partition(b"\n")
            found = re.fullmatch(pattern, _text(row), re.ASCII) if newline and len(row) < 500 else None
            if found is None and not repeated:
                raise BadCertificate(number + 1, _text(row), f"want the header line: {name}")
            if found is None:
                break
            number, rest = number + 1, after
            if repeated:
                starts.append(_start(found.groupdict(), number, starts))
            else:
                fields |= found.groupdict()
                break
    if version == "1" and not starts:
        starts.append(Start("empty", START, True, 0))
    _check_header(fields, starts, number)
    return fields, tuple(starts), number, rest


def _text(row: bytes) -> str:
    return row[:500].decode("ascii", "replace")


def _start(fields: dict[str, str | None], number: int, before: Sequence[Start]) -> Start:
    text = fields.get("moves") or fields["start"] or ""
    try:
        place = place_after(text) if fields.get("moves") else parse_place(text)
    except ValueError as error:
        raise BadCertificate(number, text, str(error)) from None
    if not fields.get("moves") and (why := place_fault(text)):
        raise BadCertificate(number, text, why)
    if place in (start.place for start in before):
        raise BadCertificate(number, text, "the same start twice")
    return Start(text, place, bool(fields.get("moves")) or place == START or _is_first_stone(place), number)


def _is_first_stone(place: Place) -> bool:
    return place.left == PLIES - 1 and place.black.bit_count() == 1 and not place.white and not place.passed


def _claim(fields: dict[str, str]) -> Claim:
    if "winner" in fields:
        return Claim(True, 3) if fields["winner"] == "black" else Claim(False, 2)
    return Claim(fields["sign"] == ">=", int(fields["bound"]))


def _check_header(fields: dict[str, str], starts: Sequence[Start], number: int) -> None:
    """Raise BadCertificate if the header's lines contradict each other. number: the number of the last line."""
    claim, leaf = _claim(fields), int(fields["leaf"])
    if not starts:
        raise BadCertificate(number - 2, f"leaf {leaf}", "want a line with a start before this line")
    if not -24 <= claim.bound <= 24:
        raise BadCertificate(3, f"claim black {fields['sign']} {claim.bound}", "the margin is always within -24 to 24")
    if not claim.keeper_moves(leaf):
        parity = "even" if claim.black else "odd"
        raise BadCertificate(number - 2, f"leaf {leaf}", f"the leaf level must be {parity}: {_side(claim)} moves there")
    for start in starts:
        if start.place.left - (not claim.keeper_moves(start.place.left)) < leaf:
            raise BadCertificate(number - 2, f"leaf {leaf}", f"the start {start.text} has fewer plies left")


def _side(claim: Claim) -> str:
    return "Black" if claim.black else "White"


def _form_faults(lines: Sequence[str], first: int, claim: Claim, leaf: int) -> Iterator[Fault]:
    """Yield the faults of malformed lines, in order."""
    before = (-PLIES, "")
    for number, line in enumerate(lines, first):
        why: str | None = "not a line: want plies left, board, ko point or -, P or -, move"
        if _LINE.fullmatch(line):
            text = line.rpartition(" ")[0]
            here = -int(line[:2]), text
            why = _order_fault(here, before, claim, leaf) or place_fault(text)
            before = here
        if why:
            yield Fault(number, line, why)


def _order_fault(here: tuple[int, str], before: tuple[int, str], claim: Claim, leaf: int) -> str | None:
    if here == before:
        return "a second line for this position"
    if here < before:
        return "not sorted: it belongs before the line above"
    if -here[0] < leaf:
        return f"fewer plies left than the leaf level, {leaf}"
    if not claim.keeper_moves(-here[0]):
        return f"it is not {_side(claim)}'s move"
    return None


def place_fault(text: str) -> str | None:
    """Return the fault of the position at the beginning of a line, or None if the position is right."""
    try:
        place = parse_place(text)
    except ValueError as error:
        return str(error)
    if not 1 <= place.left <= PLIES:
        return f"plies left must be 1 to {PLIES}"
    if place.left == PLIES and place != START:
        return "the game starts from the empty board"
    empty = FULL & ~(place.black | place.white)
    for name, stones in (("black", place.black), ("white", place.white)):
        if breathless(stones, empty):
            return f"a {name} group has no liberty"
    if place.ko and (place.passed or not _could_be_ko(place, empty)):
        other = "white" if place.left % 2 == 0 else "black"
        return f"not a possible ko point: no single {other} stone can have captured a single stone there"
    if name_of(place) != text:
        return f"not canonical: want {name_of(place)}"
    return None


def _could_be_ko(place: Place, empty: int) -> bool:
    others = place.white if place.left % 2 == 0 else place.black
    around = beside(place.ko)
    lone = [p for p in _POINT.values() if p & around and not beside(p) & others and beside(p) & empty == place.ko]
    return bool(place.ko & empty) and not around & ~others and bool(lone)
