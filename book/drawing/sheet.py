"""The atlas drawn as SVG: all positions after two plies with their values, and how values are spread at each ply."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby

from book.answers.report import short_value
from book.files.atlas import Row
from runtime.svg import picture
from solver.answer import BLACK_WINS, Answer
from solver.position import SIZE, Position, move_name
from solver.symmetry import SYMMETRIES, transform

#: Pixels: a board's grid step, its frame, and the room that it takes with its caption; boards in a line.
_STEP, _FRAME = 11, 9
_BOARD = 2 * _FRAME + _STEP * (SIZE - 1)
_WIDE, _HIGH, _PER_LINE = _BOARD + 10, _BOARD + 26, 15
_EDGE, _HEADING = 20, 34
_WIDTH = 2 * _EDGE + _WIDE * _PER_LINE - 10

#: Of the chart: from one value to the next, the height of its largest column, and the room of a ply.
_COLUMN, _TALL, _CHART = 20, 70, 112


def sheet_svg(rows: Iterable[Row]) -> str:
    """Return the positions after two plies as a table of boards, and the values at each ply as a chart.

    Positions stand by Black's first move, the best one first. A frame and a bold value mark those that Black wins.
    Where a value is not known exactly, the bound that tells the winner stands for it. Raises ValueError without any
    position after two plies.
    """
    rows = list(rows)
    after_two = [row for row in rows if row.position.ply == 2]
    if not after_two:
        raise ValueError("no position after two plies")
    shapes, top = _boards(after_two, {_upright(row).black: row for row in rows if row.position.ply == 1})
    chart, height = _charts(rows, top)
    title = "Little-Go: every position after two plies, and its value"
    return picture(__file__, _WIDTH, height, title, [*shapes, *chart])


def _upright(row: Row) -> Position:
    """Return the position turned such that Black's stones, then White's, are nearest to the top left."""
    images = (transform(symmetry, row.position) for symmetry in range(SYMMETRIES))
    return min(images, key=lambda image: (image.black, image.white))


def _boards(rows: Sequence[Row], firsts: Mapping[int, Row]) -> tuple[list[str], int]:
    """Return the boards, and where they end; ``firsts``: the positions after Black's first move, by its stone."""
    groups: dict[int, list[Row]] = {}
    for row in rows:
        groups.setdefault(_upright(row).black, []).append(row)
    legend = "Every position after two plies, and its value: stones Black - White at the end. Framed: Black wins."
    shapes, y = [f'<text class="title" x="{_EDGE}" y="{_EDGE + 14}">{legend}</text>'], _EDGE + _HEADING
    for black, group in sorted(groups.items(), key=lambda item: -min(row.lo for row in item[1])):
        move = move_name(black.bit_length() - 1)
        worth = f", worth {_value(firsts[black])}" if black in firsts else ""
        text = f"After {move}{worth}: the {len(group)} replies of White, the best first"
        shapes.append(f'<text class="heading" x="{_EDGE}" y="{y + 20}">{text}</text>')
        y += _HEADING
        for at, row in enumerate(sorted(group, key=lambda row: (row.lo, row.hi, _upright(row).white))):
            shapes += _board(row, _EDGE + _WIDE * (at % _PER_LINE), y + _HIGH * (at // _PER_LINE))
        y += _HIGH * -(-len(group) // _PER_LINE)
    return shapes, y


def _value(row: Row) -> str:
    return _typeset(short_value(Answer(row.lo, row.hi, None, 0)))


def _typeset(value: str) -> str:
    return value.replace("-", "\N{MINUS SIGN}").replace("+0", "0")


def _board(row: Row, x: int, y: int) -> list[str]:
    position, won = _upright(row), row.lo >= BLACK_WINS
    frame = "won" if won else "board"
    shapes = [f'<rect class="{frame}" x="{x}" y="{y}" width="{_BOARD}" height="{_BOARD}" rx="3"/>']
    for k in range(SIZE):
        at, low, high = _FRAME + _STEP * k, _FRAME, _FRAME + _STEP * (SIZE - 1)
        shapes.append(f'<path class="line" d="M{x + low} {y + at}H{x + high}M{x + at} {y + low}V{y + high}"/>')
    for stones, colour in ((position.black, "#1b1b1b"), (position.white, "#fbfbf8")):
        for point in (point for point in range(SIZE * SIZE) if stones >> point & 1):
            cx, cy = x + _FRAME + _STEP * (point % SIZE), y + _FRAME + _STEP * (point // SIZE)
            shapes.append(f'<circle cx="{cx}" cy="{cy}" r="{_STEP * 0.47:g}" fill="{colour}" stroke="#1b1b1b"/>')
    caption = _value(row) + (" pass" if position.passed else "")
    style = "value black" if won else "value"
    return [*shapes, f'<text class="{style}" x="{x + _BOARD // 2}" y="{y + _BOARD + 16}">{caption}</text>']


def _charts(rows: Sequence[Row], top: int) -> tuple[list[str], int]:
    plies = {ply: list(group) for ply, group in groupby(rows, key=lambda row: row.position.ply)}
    counts = {ply: Counter(row.lo for row in group if row.lo == row.hi) for ply, group in plies.items()}
    values = [value for count in counts.values() for value in count]
    lo, hi = min(values, default=0), max(values, default=0)
    shapes = [f'<text class="heading" x="{_EDGE}" y="{top + 26}">How many positions have which value, by ply</text>']
    y = top + 40
    for ply, count in counts.items():
        if count:
            shapes += _chart(ply, count, len(plies[ply]), lo, hi, y)
            y += _CHART
    return shapes, y


def _chart(ply: int, count: Counter[int], positions: int, lo: int, hi: int, y: int) -> list[str]:
    base, left = y + _TALL + 14, _EDGE + 150
    exact = sum(count.values())
    plural = "" if positions == 1 else "s"
    known = f"{positions:,} position{plural}" if exact == positions else f"{exact:,} of {positions:,} exact"
    shapes = [
        f'<text class="heading" x="{_EDGE}" y="{base - 18}">Ply {ply}</text>',
        f'<text class="small" x="{_EDGE}" y="{base - 2}" style="text-anchor: start">{known}</text>',
        f'<path class="axis" d="M{left} {base}H{left + 2 * _COLUMN * (hi - lo + 1)}"/>',
    ]
    for value in range(lo, hi + 1):
        x, tall = left + 2 * _COLUMN * (value - lo), _TALL * count[value] / max(count.values())
        name = _typeset(f"{value:+d}")
        number = f"{count[value]:,}" if count[value] else ""
        style = "bar black" if value >= BLACK_WINS else "bar"
        shapes.append(
            f'<rect class="{style}" x="{x + 6}" y="{base - tall:g}" width="{_COLUMN + 8}" height="{tall:g}"/>'
        )
        shapes.append(f'<text class="small" x="{x + _COLUMN}" y="{base - tall - 4:g}">{number}</text>')
        shapes.append(f'<text class="small" x="{x + _COLUMN}" y="{base + 14}">{name}</text>')
    return shapes
