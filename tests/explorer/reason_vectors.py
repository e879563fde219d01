"""Test vectors that compare the page's reasons with Python's.

``python -m tests.explorer.reason_vectors`` writes the file. Each line has a position, a line of play that begins with a
mistake, one that begins with a best move, the comparison of the mistake with a PASS, and the reason. Both are lines of
best play. Each mistake occurs twice: with whole lines, and with the first three plies of each line.
"""

import json
from collections.abc import Iterator
from itertools import islice
from typing import Any

from little_go.notation.record import to_record
from little_go.solver.family import COURSE
from tests.book.answers.test_reasons import VECTORS, mistakes

FILE = VECTORS
SEED = 7
MISTAKES = 500


def vectors(count: int = MISTAKES) -> Iterator[dict[str, Any]]:
    """Yield the vectors of the first ``count`` mistakes; the seed is fixed."""
    for mistake in islice(mistakes(MISTAKES, SEED), count):
        for plies in (24, 3):
            cut = mistake._replace(worse=mistake.worse[:plies], better=mistake.better[:plies])
            given = cut._asdict() | {"position": to_record(cut.position, COURSE)}
            yield given | {"is": cut.why._asdict()}


def text(count: int = MISTAKES) -> str:
    """Return the part of the file that is about the first ``count`` mistakes."""
    return "".join(json.dumps(vector, separators=(",", ":")) + "\n" for vector in vectors(count))


if __name__ == "__main__":
    FILE.write_text(text(), "utf-8")
