"""The checker of certificates: a proof that one colour wins, line by line, from the rules alone.

The format is described in docs/CERTIFICATE.md. A line with more plies left than the leaf level is right when
every legal answer of the loser to its move leads to a position that has a line too; a line at the
leaf level is right when a search of the checker's own finds that the winner wins after its move. By induction
on the plies left, the winner wins wherever every line is right. So each line is checked by itself: the work is
cut into chunks, which processes share and a state file remembers.

Nothing here comes from the solver or the store; an error there cannot hide here.
"""

import errno
import gzip
import hashlib
import json
import multiprocessing
import os
import re
import signal
import threading
import time
import zlib
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from dataclasses import dataclass, field
from operator import itemgetter
from pathlib import Path
from typing import NamedTuple

from proof.checker import referee
from proof.checker.referee import FULL, NEEDS, PLIES, Referee, beside, breathless, groups_of, margin_of, play

MAGIC = "little-go certificate 1"
RULES = "rules 5x5 stones-only komi 2.5 plies 24"
START = f"{PLIES} {'.' * 25} - -"

#: Whether the plies left are even or odd before a move of the colour's.
PARITIES = {"Black": "even", "White": "odd"}

#: Lines in a chunk, what one process does at a time and the state file counts in.
CHUNK = 128

#: Seconds between calls of ``show`` when nothing was finished, and between a worker's looks at its parent.
_TICK = 1.0

_LINE = re.compile(r"((\d\d) ([.XO]{25}) (-|[0-4],[0-4]) (-|P)) (PASS|[0-4],[0-4])")
_NAMES = [f"{p // 5},{p % 5}" for p in range(25)]
_POINT = {name: 1 << p for p, name in enumerate(_NAMES)}


class Fault(NamedTuple):
    """What is wrong with a certificate: the number of the line in the file, the line, and why."""

    number: int
    line: str
    why: str


class BadCertificate(ValueError):
    """A certificate that is wrong in its form."""

    def __init__(self, fault: Fault) -> None:
        super().__init__(fault.why)
        self.fault = fault


class Place(NamedTuple):
    """A position: plies left (Black moves when even), stones and ko point as bit sets, the last ply a PASS."""

    left: int
    black: int
    white: int
    ko: int
    passed: bool


@dataclass(frozen=True)
class Certificate:
    """A certificate whose header is right.

    digest: sha256 of the whole file, unpacked.
    winner: "Black" or "White".
    starts: the positions it is about, as the lines write them; all with as many plies left.
    leaf: plies left of the lines that the checker searches.
    lines, first: the lines after the header, and the number of the first of them in the file.
    known: the positions that have a line.
    fault: the first line that is wrong in its form; None when there is none.
    """

    digest: str
    winner: str
    starts: tuple[str, ...]
    leaf: int
    lines: list[str]
    first: int
    known: frozenset[str]
    fault: Fault | None

    @property
    def loser(self) -> str:
        """The other colour."""
        return "White" if self.winner == "Black" else "Black"


class Tally(NamedTuple):
    """Work done: lines checked, leaves among them, positions searched, seconds of CPU."""

    lines: int = 0
    leaves: int = 0
    nodes: int = 0
    cpu: float = 0.0

    def plus(self, other: "Tally") -> "Tally":
        """Return the sum of two."""
        return Tally(
            self.lines + other.lines, self.leaves + other.leaves, self.nodes + other.nodes, self.cpu + other.cpu
        )


@dataclass(frozen=True)
class Outcome:
    """What a check found.

    fault: the first wrong line, all before it being right; None when every line that was to be checked is.
    tally: all work, that of earlier runs included.
    earlier: lines that earlier runs checked.
    """

    fault: Fault | None
    tally: Tally
    earlier: int


def _image(symmetry: int, point: int) -> int:
    i, j = divmod(point, 5)
    if symmetry & 1:
        i, j = j, i
    return 5 * (4 - i if symmetry & 2 else i) + (4 - j if symmetry & 4 else j)


#: Each symmetry twice: which old points make up the new board, and what the old ko is called then.
_SYMMETRIES = [
    (
        itemgetter(*(sorted(range(25), key=lambda p, s=s: _image(s, p)))),  # type: ignore[misc]
        {"-": "-"} | {_NAMES[p]: _NAMES[_image(s, p)] for p in range(25)},
    )
    for s in range(8)
]


def canonical(board: str, ko: str) -> str:
    """Return ``<board> <ko>`` of the image that is least as ASCII text, of the eight.

    >>> canonical("........................X", "-")
    '........................X -'
    """
    return min(f"{''.join(pick(board))} {names[ko]}" for pick, names in _SYMMETRIES)


def board_text(black: int, white: int) -> str:
    """Return the board as 25 characters, row by row."""
    return "".join("X" if black >> p & 1 else "O" if white >> p & 1 else "." for p in range(25))


def place_text(place: Place) -> str:
    """Return the canonical position as the lines write it."""
    ko = _NAMES[place.ko.bit_length() - 1] if place.ko else "-"
    return f"{place.left:02} {canonical(board_text(place.black, place.white), ko)} {'P' if place.passed else '-'}"


def parse_place(text: str) -> Place:
    """Return the position that the beginning of a line states; raises ValueError when it is not well written."""
    found = _LINE.fullmatch(f"{text} PASS")
    if found is None:
        raise ValueError("not a position: want plies left, board, ko point or -, P or -")
    _, left, board, ko, passed, _ = found.groups()
    masks = [sum(1 << p for p in range(25) if board[p] == mark) for mark in "XO"]
    return Place(int(left), masks[0], masks[1], _POINT.get(ko, 0), passed == "P")


def follow(place: Place, move: str) -> Place | None:
    """Return the position after a move; None when it is illegal. When the game has ended no plies are left."""
    if move == "PASS":
        ends = place.passed or place.left == PLIES
        return Place(0 if ends else place.left - 1, place.black, place.white, 0, True)
    black_moves = place.left % 2 == 0
    mine, theirs = (place.black, place.white) if black_moves else (place.white, place.black)
    played = play(mine, theirs, place.ko, _POINT[move])
    if played is None:
        return None
    mine, theirs, ko = played
    black, white = (mine, theirs) if black_moves else (theirs, mine)
    return Place(place.left - 1, black, white, ko, False)


def read_certificate(path: str | Path) -> Certificate:
    """Return the certificate in a file, unpacked when its name ends in ``.gz``.

    Raises BadCertificate when the header is wrong or does not fit what follows it, and OSError. What is
    wrong in the form of the lines is noted in ``fault``.
    """
    data = _read(Path(path))
    header, first, body = _split(data)
    lines = body.decode("ascii", "replace").split("\n")
    complete = lines.pop() == ""
    if header.lines != str(len(lines)):
        raise _bad(first - 2, f"lines {header.lines}", f"{len(lines)} complete lines follow the header")
    if not complete or hashlib.sha256(body).hexdigest() != header.sha256:
        raise _bad(first - 1, f"sha256 {header.sha256}", "what follows has another hash")
    known = frozenset(line.rpartition(" ")[0] for line in lines)
    fault = next(_form_faults(lines, first, header), None)
    digest = hashlib.sha256(data).hexdigest()
    return Certificate(digest, header.winner, header.starts, header.leaf, lines, first, known, fault)


def _bad(number: int, line: str, why: str) -> BadCertificate:
    return BadCertificate(Fault(number, line, why))


def _read(path: Path) -> bytes:
    if path.suffix != ".gz":
        return path.read_bytes()
    data = bytearray()
    try:
        with gzip.open(path) as file:
            while part := file.read(1 << 16):
                data += part
    except (EOFError, gzip.BadGzipFile, zlib.error):
        raise _bad(data.count(b"\n") + 1, "", "the file cannot be unpacked from here on") from None
    return bytes(data)


class _Header(NamedTuple):
    winner: str
    starts: tuple[str, ...]
    leaf: int
    lines: str
    sha256: str


def _split(data: bytes) -> tuple[_Header, int, bytes]:
    """Return the header, the number of the line after it, and all from there on."""
    fields: dict[str, str] = {}
    starts: list[str] = []
    rest = data
    for number, (name, pattern) in enumerate(_header_of(data), 1):
        row, newline, rest = rest.partition(b"\n")
        text = row[:100].decode("ascii", "replace")
        found = re.fullmatch(pattern, text)
        if not (found and newline):
            raise _bad(number, text, f"want the header line: {name}")
        fields |= found.groupdict()
        if name == "start":
            starts.append(fields["start"])
        winner = fields.get("winner", "").capitalize()
        why = _header_fault(name, starts or [START], winner, fields)
        if why:
            raise _bad(number, text, why)
    header = _Header(winner, tuple(starts or [START]), int(fields["leaf"]), fields["lines"], fields["sha256"])
    return header, number + 1, rest


def _header_of(data: bytes) -> list[tuple[str, str]]:
    """Return the header's lines, with a name and a pattern for each."""
    starts = re.match(rb".*\n.*\n((?:start .*\n)*)", data)
    return [
        (MAGIC, re.escape(MAGIC)),
        (RULES, re.escape(RULES)),
        *[("start", "start (?P<start>.*)")] * (starts[1].count(b"\n") if starts else 0),
        ("winner black or winner white", "winner (?P<winner>black|white)"),
        ("leaf", r"leaf (?P<leaf>\d{1,2})"),
        ("lines", r"lines (?P<lines>\d+)"),
        ("sha256", "sha256 (?P<sha256>[0-9a-f]{64})"),
    ]


def _header_fault(name: str, starts: Sequence[str], winner: str, fields: dict[str, str]) -> str | None:
    """Return what is wrong with the header's line ``name``, the last one read; None when nothing is."""
    if name == "start":
        return _place_fault(starts[-1]) or _starts_fault(starts)
    most = int(starts[0][:2])
    if name.startswith("winner") and (why := _turn_fault(most, winner)):
        return f"at the start {why}"
    if name == "leaf":
        leaf = int(fields["leaf"])
        if _turn_fault(leaf, winner) or not 1 <= leaf <= most:
            return f"the leaf level must be {PARITIES[winner]}, from {2 - most % 2} to {most}"
    return None


def _starts_fault(starts: Sequence[str]) -> str | None:
    """Return what is wrong with the last of the starts beside the others, None when nothing is."""
    if starts[-1][:2] != starts[0][:2]:
        return "want as many plies left as at the first start"
    if len(starts) > 1 and starts[-1] <= starts[-2]:
        return "the starts must be sorted, and none of them be there twice"
    return None


def _form_faults(lines: Sequence[str], first: int, header: _Header) -> Iterator[Fault]:
    """Yield what is wrong in the form of the lines, in order."""
    starts = iter(header.starts)
    before = (-PLIES, "")
    for number, line in enumerate(lines, first):
        text, start = line.rpartition(" ")[0], next(starts, None)
        why: str | None = "not a line: want plies left, board, ko point or -, P or -, move"
        if _LINE.fullmatch(line):
            left = int(line[:2])
            why = (
                _order_fault(text, left, before, start, header)
                or _turn_fault(left, header.winner)
                or _place_fault(text)
            )
            before = (-left, text)
        if why:
            yield Fault(number, line, why)
    for start in starts:
        yield Fault(first + len(lines), "", f"no line for the start, {start}")


def _order_fault(text: str, left: int, before: tuple[int, str], start: str | None, header: _Header) -> str | None:
    if start is not None:
        return None if text == start else f"the first lines must be for the starts: here, {start}"
    if (-left, text) == before:
        return "a second line for this position"
    if (-left, text) < before:
        return "not sorted: it belongs before the line above"
    if left == int(header.starts[0][:2]):
        return "as many plies left as at the start, and it is none"
    if left < header.leaf:
        return f"fewer plies left than the leaf level, {header.leaf}"
    return None


def _turn_fault(left: int, winner: str) -> str | None:
    """Return what is wrong with the plies left before a move of the winner's, None when nothing is."""
    parity = PARITIES[winner]
    return None if left % 2 == (parity == "odd") else f"it is not {winner}'s move: want plies left {parity}"


def _place_fault(text: str) -> str | None:
    """Return what is wrong with the position at the beginning of a line, None when nothing is."""
    try:
        place = parse_place(text)
    except ValueError as error:
        return str(error)
    if not 1 <= place.left <= PLIES:
        return f"plies left must be 1 to {PLIES}"
    if place.left == PLIES and text != START:
        return "the game starts from the empty board"
    empty = FULL & ~(place.black | place.white)
    for name, stones in (("black", place.black), ("white", place.white)):
        if breathless(stones, empty):
            return f"a {name} group has no liberty"
    if place.ko and (place.passed or not _could_be_ko(place)):
        other = "white" if place.left % 2 == 0 else "black"
        return f"the ko point cannot be one: no lone {other} stone has just taken a lone stone there"
    if place_text(place) != text:
        return f"not canonical: want {place_text(place)}"
    return None


def _could_be_ko(place: Place) -> bool:
    empty = FULL & ~(place.black | place.white)
    others = place.white if place.left % 2 == 0 else place.black
    takers = [g for g, near, size in groups_of(others) if size == 1 and near & empty == place.ko]
    return bool(place.ko & empty) and not beside(place.ko) & ~others and bool(takers)


def line_fault(certificate: Certificate, line: str, judge: Referee) -> str | None:
    """Return why a well-formed line is wrong, None when it is right."""
    text, _, move = line.rpartition(" ")
    place = parse_place(text)
    after = follow(place, move)
    if after is None:
        return f"{move} is not legal"
    winner, loser = certificate.winner, certificate.loser
    if after.left == 0:
        return None if _winner_of(after) == winner else f"{move} ends the game, and {loser} wins"
    if place.left == certificate.leaf:
        black_wins = judge.black_wins(*after[1:4], after.left, after.passed)
        return None if black_wins == (winner == "Black") else f"{loser} wins after {move}"
    for reply in (*_NAMES, "PASS"):
        reached = follow(after, reply)
        if reached is None:
            continue
        if reached.left == 0:
            if _winner_of(reached) != winner:
                return f"{reply} then ends the game, and {loser} wins"
        elif (want := place_text(reached)) not in certificate.known:
            return f"missing reply: after {move} and {loser}'s {reply} there is no line for {want}"
    return None


def _winner_of(over: Place) -> str:
    return "Black" if margin_of(over.black, over.white) >= NEEDS[0] else "White"


def check_lines(certificate: Certificate, indices: Sequence[int]) -> tuple[Tally, Fault | None]:
    """Check lines by index, up to the first that is wrong; return the work done and that line."""
    started = time.process_time()
    judge = Referee()
    leaves = done = 0
    fault = None
    for index in indices:
        line = certificate.lines[index]
        why = line_fault(certificate, line, judge)
        if why:
            fault = Fault(certificate.first + index, line, why)
            break
        done += 1
        leaves += int(line[:2]) == certificate.leaf
    return Tally(done, leaves, judge.nodes, time.process_time() - started), fault


class State:
    """The chunks that are done, in a file that outlives the process: a line of what it is about, a line a chunk.

    notice: why what the file held was not used; None when it was, or there was no file.
    """

    def __init__(self, path: str | Path, certificate: Certificate) -> None:
        """Read the file, and make it ready for more; raises OSError, when the file is something else too."""
        self.done: dict[int, Tally] = {}
        self.notice: str | None = None
        self._path = Path(path)
        about = json.dumps({"certificate": certificate.digest, "checker": checker_version(), "chunk": CHUNK})
        if self._path.exists():
            rows = self._path.read_text("ascii", "replace").split("\n")
            if rows[0] == about:
                # Killed within a line, the last one is left short: it has no end and is dropped here.
                self.done = dict(map(_chunk_of, rows[1:-1]))
            elif rows[0].startswith('{"certificate": '):
                self.notice = f"{path} is about another certificate or checker: starting afresh"
            else:
                raise FileExistsError(errno.EEXIST, "holds something else, not the state of a check", str(path))
        self._rewrite(about)

    def _rewrite(self, about: str) -> None:
        draft = Path(f"{self._path}.tmp")
        rows = [about, *(_chunk_row(number, tally) for number, tally in self.done.items())]
        draft.write_text("".join(f"{row}\n" for row in rows), "ascii")
        os.replace(draft, self._path)

    def add(self, number: int, tally: Tally) -> None:
        """Note a chunk, on the disk too; raises OSError."""
        self.done[number] = tally
        with open(self._path, "a", encoding="ascii") as file:
            file.write(_chunk_row(number, tally) + "\n")
            file.flush()
            os.fsync(file.fileno())


def _chunk_row(number: int, tally: Tally) -> str:
    return json.dumps([number, *tally])


def _chunk_of(row: str) -> tuple[int, Tally]:
    number, lines, leaves, nodes, cpu = json.loads(row)
    return number, Tally(lines, leaves, nodes, cpu)


def checker_version() -> str:
    """Return a hash of the checker's own source: what another checker found is not relied on."""
    sources = [Path(__file__), Path(str(referee.__file__))]
    return hashlib.sha256(b"".join(source.read_bytes() for source in sources)).hexdigest()


def check(
    certificate: Certificate,
    *,
    workers: int = 1,
    state: State | None = None,
    sample: Sequence[int] | None = None,
    show: Callable[[Tally], None] = lambda tally: None,
) -> Outcome:
    """Check a certificate's lines, those before the first that is wrong in its form, and say what was found.

    workers: processes; 1 works in this one.
    state: chunks not to be done again, and where to note the others.
    sample: check these lines only, by ascending index, instead of all.
    show: called with all work done, after each chunk and about once a second while processes are at work.
    Raises BrokenProcessPool when a worker dies, and OSError when the state cannot be written.
    """
    end = len(certificate.lines) if certificate.fault is None else certificate.fault.number - certificate.first
    indices = range(max(end, 0)) if sample is None else [index for index in sample if index < end]
    chunks: dict[int, Sequence[int]] = {
        start // CHUNK: indices[start : start + CHUNK] for start in range(0, len(indices), CHUNK)
    }
    done = {} if state is None else {number: tally for number, tally in state.done.items() if number in chunks}
    earlier = sum(tally.lines for tally in done.values())
    run = _Run(chunks, done, state, show)
    run.work(certificate, workers)
    return Outcome(run.fault or certificate.fault, run.tally, earlier)


@dataclass
class _Run:
    chunks: dict[int, Sequence[int]]
    done: dict[int, Tally]
    state: State | None
    show: Callable[[Tally], None]
    fault: Fault | None = None
    faulty: int | None = None
    tally: Tally = field(default_factory=Tally)

    def work(self, certificate: Certificate, workers: int) -> None:
        """Do what is not done, up to the chunk of the first fault."""
        for tally in self.done.values():
            self.tally = self.tally.plus(tally)
        self.show(self.tally)
        todo = [number for number in self.chunks if number not in self.done]
        if workers == 1 or len(todo) < 2:
            for number in todo:
                self._take(number, *check_lines(certificate, self.chunks[number]))
                if self.fault:
                    return
        else:
            self._share(certificate, todo, min(workers, len(todo)))

    def _take(self, number: int, tally: Tally, fault: Fault | None) -> None:
        self.tally = self.tally.plus(tally)
        if fault is None and self.state is not None:
            self.state.add(number, tally)
        if fault is not None and (self.faulty is None or number < self.faulty):
            self.fault, self.faulty = fault, number
        self.show(self.tally)

    def _share(self, certificate: Certificate, todo: list[int], workers: int) -> None:
        others = set(multiprocessing.active_children())
        fork = multiprocessing.get_context("fork")
        pool = ProcessPoolExecutor(workers, fork, _start_worker, (certificate, os.getpid()))
        try:
            self._collect(pool, todo, workers)
        finally:
            # Nobody waits for the chunks that are under way: they are done again, or behind the first fault.
            pool.shutdown(wait=False, cancel_futures=True)
            for child in set(multiprocessing.active_children()) - others:
                child.terminate()

    def _collect(self, pool: ProcessPoolExecutor, todo: list[int], workers: int) -> None:
        # Chunks go out in order, and none after a fault is known: those before it are finished, so it is the first.
        waiting = iter(todo)
        busy: dict[Future[tuple[Tally, Fault | None]], int] = {}
        while True:
            while len(busy) < 2 * workers and self.faulty is None and (number := next(waiting, None)) is not None:
                busy[pool.submit(_check_chunk, self.chunks[number])] = number
            first = min(busy.values(), default=None)
            if first is None or (self.faulty is not None and first > self.faulty):
                return
            finished = wait(busy, _TICK, FIRST_COMPLETED).done
            for future in finished:
                number = busy.pop(future)
                self._take(number, *future.result())
            if not finished:
                self.show(self.tally)


#: This process's certificate, when it is a worker.
_certificate: Certificate | None = None


def _start_worker(certificate: Certificate, parent: int) -> None:
    """Make this process a worker: silent at Ctrl-C, gone when its parent is."""
    global _certificate
    _certificate = certificate
    for kind in (signal.SIGINT, signal.SIGTERM):
        signal.signal(kind, signal.SIG_DFL)
    threading.Thread(target=_follow_parent, args=(parent,), daemon=True).start()


def _follow_parent(parent: int) -> None:
    # A parent killed with -9 closes nothing: its workers would wait for chunks for ever.
    while os.getppid() == parent:
        time.sleep(_TICK)
    os._exit(1)


def _check_chunk(indices: Sequence[int]) -> tuple[Tally, Fault | None]:
    if _certificate is None:
        raise RuntimeError("_check_chunk() before _start_worker()")
    return check_lines(_certificate, indices)
