"""Rows of cells as lines of text."""

from collections.abc import Sequence


def aligned(rows: Sequence[Sequence[str]]) -> list[str]:
    """Return a row a line, the first and the last column flush left, the others flush right.

    The rows are of one length.

    >>> aligned([["agent", "wins", "faults"], ["greedy", "7", "-"]])
    ['agent   wins  faults', 'greedy     7  -']
    """
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    last = len(widths) - 1
    return [
        "  ".join(
            cell.ljust(width) if column in (0, last) else cell.rjust(width)
            for column, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    ]
