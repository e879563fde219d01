"""The curve of a game: its value after each ply, as SVG."""

from collections.abc import Iterator
from html import escape

from arena.review.review import Review
from book.answers.query import Knowledge
from book.drawing.picture import picture
from solver.answer import LEAST, MOST
from solver.bounds import COLOURS
from solver.family import Variant
from solver.position import move_name

#: Pixels: per ply, per point of value, and the margins.
_STEP, _POINT, _LEFT, _TOP, _BOTTOM = 30, 7, 56, 44, 46
_RIGHT = 24
_HEIGHT = _TOP + _POINT * (MOST - LEAST) + _BOTTOM


def curve_svg(review: Review) -> str:
    """Return the curve of a reviewed game: exact values joined, bounds as bars, mistakes as dots with their moves.

    Above the broken line Black wins. A red dot changed the winner or is a fault, an orange one only cost points.
    """
    title = f"{review.game.black} (Black) - {review.game.white} (White)"
    game = review.game.game
    width = _LEFT + _STEP * game.plies + _RIGHT
    body = [
        f'<rect class="page" width="{width}" height="{_HEIGHT}"/>',
        f'<text class="title" x="{_LEFT}" y="26">{escape(title)}</text>',
        *_grid(game),
        *(_range(ply, worth) for ply, worth in _plies(review) if worth.value is None),
        *_curve(review),
        *_dots(review),
        f'<text x="{_LEFT + _STEP * game.plies / 2:g}" y="{_HEIGHT - 8}">plies played</text>',
    ]
    return picture(__file__, width, _HEIGHT, title, body)


def _plies(review: Review) -> Iterator[tuple[int, Knowledge]]:
    """Yield each ply played, from the start, with the position's value."""
    return enumerate(review.worth, review.first_ply)


def _x(ply: int) -> float:
    return _LEFT + _STEP * ply


def _y(value: float) -> float:
    return _TOP + _POINT * (MOST - value)


def _grid(game: Variant) -> list[str]:
    right = _x(game.plies)
    lines = []
    for value in range(LEAST, MOST + 1, 6):
        lines.append(f'<line class="grid" x1="{_LEFT}" y1="{_y(value):g}" x2="{right:g}" y2="{_y(value):g}"/>')
        lines.append(f'<text class="value" x="{_LEFT - 8}" y="{_y(value):g}" dy=".35em">{value:+d}</text>')
    for ply in range(0, game.plies + 1, 2):
        lines.append(f'<text x="{_x(ply):g}" y="{_y(LEAST) + 20:g}">{ply}</text>')
    lines.append(f'<line class="komi" x1="{_LEFT}" y1="{_y(game.komi):g}" x2="{right:g}" y2="{_y(game.komi):g}"/>')
    for side, colour in ((MOST - 1.5, 1), (LEAST + 1.5, 2)):
        lines.append(f'<text x="{right - 44:g}" y="{_y(side):g}" dy=".35em">{COLOURS[colour]} wins</text>')
    return lines


def _range(ply: int, worth: Knowledge) -> str:
    """Return a bar between two bounds."""
    x = f"{_x(ply):g}"
    return f'<line class="range" x1="{x}" y1="{_y(worth.lo):g}" x2="{x}" y2="{_y(worth.hi):g}"/>'


def _curve(review: Review) -> list[str]:
    """Return a line through each run of exact values."""
    runs: list[list[str]] = [[]]
    for ply, worth in _plies(review):
        if worth.value is None:
            runs.append([])
        else:
            runs[-1].append(f"{_x(ply):g},{_y(worth.value):g}")
    return [f'<polyline class="curve" points="{" ".join(run)}"/>' for run in runs if run]


def _dots(review: Review) -> list[str]:
    dots = []
    for mistake in review.mistakes:
        x, y = _x(mistake.ply), _y(_shown(mistake.after))
        kind = "decisive" if mistake.decisive else "mistake"
        move = move_name(mistake.move)
        told = f"ply {mistake.ply}, {move}: {mistake.after.worth}"
        dots.append(f'<circle class="{kind}" cx="{x:g}" cy="{y:g}" r="6"><title>{escape(told)}</title></circle>')
        # Black's mistakes fall, White's rise: the label is on the side without the curve.
        below = mistake.mover == 1
        dots.append(f'<text x="{x:g}" y="{y + (20 if below else -11):g}">{move}</text>')
    if fault := review.fault:
        x, y = _x(fault.ply), _y(_shown(review.worth[-1]))
        told = escape(f"ply {fault.ply}: {fault.deed}")
        dots.append(f'<circle class="decisive" cx="{x:g}" cy="{y:g}" r="6"><title>{told}</title></circle>')
        dots.append(f'<text x="{x:g}" y="{y + (20 if fault.mover == 1 else -11):g}">fault</text>')
    return dots


def _shown(worth: Knowledge) -> int:
    """Return the value, or the bound nearer to a change of winner."""
    if worth.value is not None:
        return worth.value
    return worth.lo if worth.lo >= worth.game.least else worth.hi
