"""Parse and write commands, responses and analyses of GTP. notation.movetext parses and writes vertices.

The lines of ``lz-analyze`` (Leela Zero) and ``kata-analyze`` (KataGo) were designed for engines that estimate the
chance to win. Little-Go's engine writes 100 % for a move that is proven to win for the side to move, 0 % for a move
that is proven to lose, and 50 % otherwise. The number of ``visits`` has no meaning for a proof. But programs hide moves
with few visits, so a proven move gets many visits, and a move about which nothing is known gets one visit.
"""

import io
import os
import re
from collections.abc import Callable, Iterator, Sequence
from queue import Empty, Queue
from threading import Thread
from typing import IO, NamedTuple

from little_go.arena.match.limits import Report
from little_go.book.answers.query import NOT_IN_BOOK, PROVEN, UNDECIDED, Knowledge
from little_go.notation.movetext import vertex_name
from little_go.solver.bounds import COLOUR_NUMBERS, COLOURS

#: The prefix of an agent's name if the agent is a GTP engine.
ENGINE_PREFIX = "gtp:"

#: The command of Little-Go's engine that sets the length of the game.
SET_PLIES = "littlego-plies"

#: The end of a response, which is an empty line.
END = "\n\n"

#: Matches the control characters that GTP ignores, which are all except tab and newline.
_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f]")
_RESPONSE = re.compile(r"([=?])([0-9]*)\s*(.*)", re.DOTALL)


class Command(NamedTuple):
    """A controller's command.

    id: the decimal digits that the response must repeat, or "". name: the name of the command, which is case-sensitive.
    arguments: the words after the name.
    """

    id: str
    name: str
    arguments: tuple[str, ...]


class Response(NamedTuple):
    """An engine's answer.

    succeeded: whether the command was carried out. id: the id of the command. text: the result, or the reason for the
    failure, without empty lines.
    """

    succeeded: bool
    id: str
    text: str

    def __str__(self) -> str:
        return f"{'=' if self.succeeded else '?'}{self.id} {self.text}".rstrip() + END


class EngineFault(Exception):
    """Raised if an engine fails. The message is one line.

    reason: ``missing`` if the engine ended or refused a command; ``timeout`` if it exceeded a limit of time;
    ``malformed`` if its answer is not GTP. over: the report on the exceeded limit, or None.
    """

    def __init__(self, message: str, reason: str, over: Report | None = None) -> None:
        super().__init__(message)
        self.reason = reason
        self.over = over


def parse_command(line: str) -> Command | None:
    r"""Return the command in a line of input, or None if the line contains no command.

    >>> parse_command("7 play\tb C3 # the centre\r\n")
    Command(id='7', name='play', arguments=('b', 'C3'))
    >>> parse_command("# nothing but a comment")
    """
    words = _CONTROL.sub("", line).partition("#")[0].split()
    if not words:
        return None
    number = words.pop(0) if words[0].isascii() and words[0].isdigit() else ""
    return Command(number, words[0] if words else "", tuple(words[1:]))


def parse_response(text: str) -> Response:
    r"""Return the response in a text without the empty line at its end. Raise ValueError if there is no response.

    >>> parse_response("=12 C3")
    Response(succeeded=True, id='12', text='C3')
    >>> parse_response("? unknown command")
    Response(succeeded=False, id='', text='unknown command')
    >>> parse_response("=C3")
    Response(succeeded=True, id='', text='C3')
    """
    match = _RESPONSE.fullmatch(text)
    if match is None:
        raise ValueError(f"not a GTP response: {text[:40]!r}")
    return Response(match[1] == "=", match[2], match[3].strip())


def parse_colour(text: str) -> int:
    """Return 1 for Black and 2 for White. Raise ValueError if the text is not a colour.

    >>> parse_colour("W"), parse_colour("black")
    (2, 1)
    """
    for name, number in COLOUR_NUMBERS.items():
        if text.lower() in (name, name[0]):
            return number
    raise ValueError(f"not a colour: {text!r}")


def parse_count(text: str) -> int:
    """Return the number in a text. Raise ValueError if the text does not consist of one to nine digits."""
    if not re.fullmatch("[0-9]{1,9}", text):
        raise ValueError(f"not a number: {text[:20]!r}")
    return int(text)


#: A function that waits for the next line or the end of the input, and returns False if a number of seconds is over
#: before (None for no limit).
WaitForInput = Callable[[float | None], bool]

_CHUNK = 1 << 16

#: Maximum bytes of a line of input with its line end, which no command needs.
MOST_LINE_BYTES = 1 << 20


class Line(NamedTuple):
    """A line of a file with its line end, which may be missing in the last line.

    text: the first MOST_LINE_BYTES bytes of the line as text. is_whole: whether this is the whole line.
    """

    text: str
    is_whole: bool


class LineReader:
    """Reads the lines of a file to which another process may still write.

    A thread reads the file, because not every system can poll a file. This class has its own buffer, in which
    wait_for_input() searches for a line.
    """

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file
        # The buffer contains the current line, cut if it is too long, and later lines. The first _searched bytes of the
        # buffer do not contain the end of a line.
        self._buffer = bytearray()
        self._searched = 0
        self._ended = False
        self._chunks: Queue[bytes] | None = None
        try:
            descriptor = file.fileno()
        except (OSError, io.UnsupportedOperation):
            # The file is in memory, so reading from it never blocks.
            return
        # Do not use SimpleQueue, which in Python 3.10 waits forever if a short timeout ends before its first check.
        self._chunks = Queue()
        Thread(target=_read, args=(descriptor, self._chunks), daemon=True).start()

    def __iter__(self) -> Iterator[Line]:
        """Yield each line as soon as it arrives."""
        while True:
            end = self._buffer.find(b"\n", self._searched) + 1
            if end or (self._ended and self._buffer):
                line = bytes(self._buffer[: end or len(self._buffer)])
                del self._buffer[: len(line)]
                self._searched = 0
                text = line[:MOST_LINE_BYTES].decode("utf-8", "replace")
                yield Line(text, len(line) <= MOST_LINE_BYTES)
            elif self._ended:
                return
            else:
                self._searched = len(self._buffer)
                self._add_chunk(None)

    def _add_chunk(self, seconds: float | None) -> bool:
        """Wait for the next chunk of the file, and add it to the buffer. Return False if no chunk arrives in time."""
        try:
            chunk = self._file.read(_CHUNK) if self._chunks is None else self._chunks.get(timeout=seconds)
        except Empty:
            return False
        # The buffer does not contain the end of a line yet.
        head, end, rest = chunk.partition(b"\n")
        self._buffer += head[: max(0, MOST_LINE_BYTES + 1 - len(self._buffer))] + end + rest
        self._ended = not chunk
        return True

    def wait_for_input(self, seconds: float | None) -> bool:
        """Wait for the next line or the end of the file. Return False if the time is over before.

        seconds: the maximum seconds to wait, or None for no limit.
        """
        return b"\n" in self._buffer or self._ended or self._chunks is None or self._add_chunk(seconds)


def _read(descriptor: int, chunks: "Queue[bytes]") -> None:
    chunk = b" "
    while chunk:
        try:
            chunk = os.read(descriptor, _CHUNK)
        except OSError:
            # Reading from a closed terminal raises an error instead of reporting the end of the file.
            chunk = b""
        chunks.put(chunk)


#: Hundredths of a second between two lines of an analysis if the command contains no interval.
INTERVAL = 100

LEELA_ZERO, KATAGO = "lz-analyze", "kata-analyze"

_VISITS = {PROVEN: 1000, UNDECIDED: 10, NOT_IN_BOOK: 1}

#: The options that the analysis commands ignore. minmoves has no effect because all moves are listed, and the other
#: options are about networks.
_IGNORED = ("minmoves", "ownership", "movesOwnership", "ownershipStdev", "pvVisits", "pvEdgeVisits", "rootInfo")


class Request(NamedTuple):
    """A controller's request for analysis.

    colour: the colour whose moves are analysed, 1 or 2, or None for the side to move. seconds: the time between two
    lines. most: the maximum number of moves in a line; None for all moves.
    """

    colour: int | None = None
    seconds: float = INTERVAL / 100
    most: int | None = None


def parse_request(words: Sequence[str]) -> Request:
    """Parse the words after the command: a colour, an interval, and pairs of an option and a value.

    >>> parse_request(["B", "50", "maxmoves", "3"])
    Request(colour=1, seconds=0.5, most=3)
    """
    left = list(words)
    request = Request()
    if left and left[0].lower() in ("b", "w", "black", "white"):
        request = request._replace(colour=parse_colour(left.pop(0)))
    if left and left[0].isascii() and left[0].isdigit():
        left.insert(0, "interval")
    if len(left) % 2:
        raise ValueError(f"{left[-1]!r} has no value")
    for name, value in zip(left[::2], left[1::2], strict=True):
        if name == "interval":
            request = request._replace(seconds=parse_count(value) / 100)
        elif name == "maxmoves":
            request = request._replace(most=parse_count(value))
        elif name not in _IGNORED:
            raise ValueError(f"unknown option: {name!r}")
    return request


def value_line(move: int, after: Knowledge) -> str:
    """Return the line of ``littlego-analyze`` that describes what is known after a move.

    >>> from little_go.book import Origin
    >>> from little_go.solver import START, Answer
    >>> from little_go.solver.family import COURSE
    >>> by_book = (Origin("book", "book.json"),)
    >>> value_line(12, Knowledge(START.play(12), Answer(3, 24, None, 0), winner_from=by_book, game=COURSE))
    'C3 proven winner Black lo 3 hi 24 sources book'
    """
    winner = COLOURS.get(after.winner or 0, "unknown")
    sources = "+".join(after.kinds) or "none"
    return f"{vertex_name(move)} {after.state} winner {winner} lo {after.lo} hi {after.hi} sources {sources}"


def analysis_line(name: str, values: Sequence[tuple[int, Knowledge]], mover: int) -> str:
    """Return the line of ``lz-analyze`` or ``kata-analyze`` that describes what is known after each move.

    >>> from little_go.solver import START, Answer
    >>> from little_go.solver.family import COURSE
    >>> known = Knowledge(START.play(12), Answer(3, 3, None, 0), game=COURSE)
    >>> analysis_line(LEELA_ZERO, [(12, known)], 1)
    'info move C3 visits 1000 winrate 10000 prior 10000 lcb 10000 order 0 pv C3'
    >>> analysis_line(KATAGO, [(12, known)], 1)
    'info move C3 visits 1000 winrate 1.0 scoreMean 0.5 scoreLead 0.5 prior 1.0 lcb 1.0 order 0 pv C3'
    """
    pairs = _leela_zero if name == LEELA_ZERO else _katago
    moves = []
    for order, (move, value) in enumerate(values):
        # Other programs recognize a PASS only if it is written in lower case.
        vertex = vertex_name(move).replace("PASS", "pass")
        known = " ".join(pairs(value, mover, 1 / len(values)))
        moves.append(f"info move {vertex} {known} order {order} pv {vertex}")
    return " ".join(moves)


def _winrate(value: Knowledge, mover: int) -> float:
    return 0.5 if value.winner is None else float(value.winner == mover)


def _leela_zero(value: Knowledge, mover: int, share: float) -> Iterator[str]:
    winrate = round(10_000 * _winrate(value, mover))
    yield f"visits {_VISITS[value.state]} winrate {winrate} prior {round(10_000 * share)} lcb {winrate}"


def _katago(value: Knowledge, mover: int, share: float) -> Iterator[str]:
    winrate = _winrate(value, mover)
    yield f"visits {_VISITS[value.state]} winrate {winrate}"
    if value.lo == value.hi:
        # The lead includes the komi, and is positive if the side to move leads.
        komi = value.game.komi
        lead = value.lo - komi if mover == 1 else komi - value.lo
        yield f"scoreMean {lead} scoreLead {lead}"
    yield f"prior {round(share, 4)} lcb {winrate}"
