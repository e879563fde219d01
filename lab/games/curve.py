"""A learning curve as SVG: the share of games won against each opponent, by the games learnt from."""

from collections.abc import Sequence
from html import escape

from arena.learning.littlego import Point
from book.drawing.picture import picture

#: Pixels of the plot, and around it.
_WIDTH, _HEIGHT = 560, 300
_LEFT, _TOP, _RIGHT, _BOTTOM = 60, 50, 120, 50

#: Colours that the colour-blind can tell apart (Okabe and Ito 2008).
_COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9")

#: Pixels between names beside the plot.
_LINE_HEIGHT = 18


def curve_svg(points: Sequence[Point]) -> str:
    """Draw a curve of at least one point; all points have the same opponents."""
    last = max(1, points[-1].episodes)
    names = list(points[0].rates)
    width, height = _LEFT + _WIDTH + _RIGHT, _TOP + _HEIGHT + _BOTTOM
    title = "Games won by what was learnt"
    body = [
        f'<rect class="page" width="{width}" height="{height}"/>',
        f'<text class="title" x="{_LEFT}" y="{_TOP / 2:g}">{title}</text>',
        *_axes(last),
        *(line for number, name in enumerate(names) for line in _curve(points, name, number, last)),
        *_labels(points[-1], names),
    ]
    return picture(__file__, width, height, title, body)


def _at(episodes: int, rate: float, last: int) -> tuple[float, float]:
    return _LEFT + _WIDTH * episodes / last, _TOP + _HEIGHT * (1 - rate)


def _axes(last: int) -> list[str]:
    shapes = []
    for quarter in range(5):
        rate, episodes = quarter / 4, last * quarter // 4
        x, y = _at(episodes, rate, last)
        shapes += [
            f'<line class="grid" x1="{_LEFT}" y1="{y:g}" x2="{_LEFT + _WIDTH}" y2="{y:g}"/>',
            f'<text x="{_LEFT - 8}" y="{y:g}" dy=".35em" text-anchor="end">{rate:.0%}</text>',
            f'<text x="{x:.1f}" y="{_TOP + _HEIGHT + 20}" text-anchor="middle">{episodes:,}</text>',
        ]
    middle = _LEFT + _WIDTH / 2
    shapes.append(f'<text x="{middle:g}" y="{_TOP + _HEIGHT + 42}" text-anchor="middle">games learnt from</text>')
    return shapes


def _curve(points: Sequence[Point], name: str, number: int, last: int) -> list[str]:
    colour = _COLOURS[number % len(_COLOURS)]
    at = [_at(point.episodes, point.rates[name], last) for point in points]
    joined = " ".join(f"{x:.1f},{y:.1f}" for x, y in at)
    dots = [f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{colour}"/>' for x, y in at]
    return [f'<polyline class="curve" points="{joined}" stroke="{colour}"/>', *dots]


def _labels(point: Point, names: Sequence[str]) -> list[str]:
    """Place the names beside the ends of their curves, apart from each other and not below the plot."""
    shapes, free = [], float(_TOP)
    for number, name in enumerate(sorted(names, key=lambda name: -point.rates[name])):
        lowest = _TOP + _HEIGHT - _LINE_HEIGHT * (len(names) - 1 - number)
        y = min(lowest, max(free, _TOP + _HEIGHT * (1 - point.rates[name])))
        free = y + _LINE_HEIGHT
        colour = _COLOURS[names.index(name) % len(_COLOURS)]
        shapes.append(
            f'<text x="{_LEFT + _WIDTH + 10}" y="{y:.1f}" dy=".35em" style="fill: {colour}">{escape(name)}</text>'
        )
    return shapes
