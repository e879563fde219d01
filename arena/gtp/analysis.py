"""What each move of a position is worth, as ``littlego-analyze`` writes it."""

from arena.gtp.protocol import vertex_name
from book.answers.query import Knowledge
from solver.colours import COLOURS


def value_line(move: int, after: Knowledge) -> str:
    """Return what is known after a move as a line of ``littlego-analyze``.

    >>> from book import Origin
    >>> from solver import START, Answer
    >>> value_line(12, Knowledge(START.play(12), Answer(3, 24, None, 0), winner_from=(Origin("book", "book.json"),)))
    'C3 proven winner black lo 3 hi 24 source book'
    """
    winner = COLOURS.get(after.winner or 0, "unknown").lower()
    source = "+".join(after.kinds) or "none"
    return f"{vertex_name(move)} {after.state} winner {winner} lo {after.lo} hi {after.hi} source {source}"
