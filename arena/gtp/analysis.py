"""The output lines of ``littlego-analyze``, ``lz-analyze`` and ``kata-analyze``.

The last two, of Leela Zero and KataGo, were made for engines that estimate. Here a move is proven to win (100 %),
proven to lose (0 %), or neither (50 %), for the side to move. ``visits`` has no meaning for a proof. Programs hide
moves with few visits, so a proven move gets many and an unknown one a single visit.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from arena.gtp.protocol import parse_colour, parse_count
from book.answers.query import NOT_IN_BOOK, PROVEN, UNDECIDED, Knowledge
from notation.movetext import vertex_name
from solver.bounds import COLOURS

#: Hundredths of a second between two lines, unless the command sets an interval.
INTERVAL = 100

LEELA_ZERO, KATAGO = "lz-analyze", "kata-analyze"

_VISITS = {PROVEN: 1000, UNDECIDED: 10, NOT_IN_BOOK: 1}

#: Other options of a controller: all moves are listed anyway, and the rest applies to networks only.
_IGNORED = ("minmoves", "ownership", "movesOwnership", "ownershipStdev", "pvVisits", "pvEdgeVisits", "rootInfo")


class Request(NamedTuple):
    """A controller's request for analysis.

    colour: of the moves, 1 Black, 2 White, None for the side to move. seconds: between lines. most: maximum of moves in
    a line, None for all.
    """

    colour: int | None = None
    seconds: float = INTERVAL / 100
    most: int | None = None


def parse_request(words: Sequence[str]) -> Request:
    """Parse the words after the command: a colour, an interval, and pairs; raises ValueError.

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
            raise ValueError(f"not known: {name!r}")
    return request


def value_line(move: int, after: Knowledge) -> str:
    """Return the knowledge after a move as a line of ``littlego-analyze``.

    >>> from book import Origin
    >>> from solver import START, Answer
    >>> from solver.family import COURSE
    >>> by_book = (Origin("book", "book.json"),)
    >>> value_line(12, Knowledge(START.play(12), Answer(3, 24, None, 0), winner_from=by_book, game=COURSE))
    'C3 proven winner Black lo 3 hi 24 sources book'
    """
    winner = COLOURS.get(after.winner or 0, "unknown")
    sources = "+".join(after.kinds) or "none"
    return f"{vertex_name(move)} {after.state} winner {winner} lo {after.lo} hi {after.hi} sources {sources}"


def analysis_line(name: str, values: Sequence[tuple[int, Knowledge]], mover: int) -> str:
    """Return the knowledge after the moves, in their order, as a line of ``lz-analyze`` or ``kata-analyze``.

    >>> from solver import START, Answer
    >>> from solver.family import COURSE
    >>> known = Knowledge(START.play(12), Answer(3, 3, None, 0), game=COURSE)
    >>> analysis_line(LEELA_ZERO, [(12, known)], 1)
    'info move C3 visits 1000 winrate 10000 prior 10000 lcb 10000 order 0 pv C3'
    >>> analysis_line(KATAGO, [(12, known)], 1)
    'info move C3 visits 1000 winrate 1.0 scoreMean 0.5 scoreLead 0.5 prior 1.0 lcb 1.0 order 0 pv C3'
    """
    pairs = _leela_zero if name == LEELA_ZERO else _katago
    moves = []
    for order, (move, value) in enumerate(values):
        # Programs recognize a PASS only in lower case.
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
        # Points on the board and komi, for the side to move.
        komi = value.game.komi
        lead = value.lo - komi if mover == 1 else komi - value.lo
        yield f"scoreMean {lead} scoreLead {lead}"
    yield f"prior {round(share, 4)} lcb {winrate}"
