"""A position and what is known of its moves, drawn as SVG."""

from xml.sax.saxutils import escape

from book.query import Knowledge, verdict
from solver.answer import Answer
from solver.position import PASS, SIZE, Position

#: Pixels between two lines of the board, and from the first line to the edge of the picture.
_STEP, _EDGE = 80, 70
_CAPTION = 60
_WIDTH = 2 * _EDGE + _STEP * (SIZE - 1)

_STYLE = """
  text { font-family: sans-serif; text-anchor: middle; fill: #222; }
  .line { stroke: #5b4636; stroke-width: 2; stroke-linecap: square; }
  .label { font-size: 18px; fill: #5b4636; }
  .value { font-size: 20px; font-weight: bold; fill: #fff; }
  .caption { font-size: 14px; }
"""

#: What a move is known to do for the mover, and its colour.
_COLOURS = {True: "#2e7d32", False: "#b3402e", None: "#77726b"}


def board_svg(knowledge: Knowledge) -> str:
    """Return a picture of the board; each move about which something is known carries its value.

    Green moves are proven to win for the mover, red ones to lose, grey ones are undecided. The value is
    stones Black - White, or the bound on it that tells the winner. A PASS is not drawn.
    """
    position = knowledge.position
    caption = verdict(position, knowledge.answer)
    body = [
        f'<rect width="{_WIDTH}" height="{_WIDTH + _CAPTION}" fill="#fff"/>',
        f'<rect width="{_WIDTH}" height="{_WIDTH}" rx="8" fill="#e8c48a"/>',
        *_grid(),
        *(_stone(point, "#1b1b1b") for point in range(SIZE * SIZE) if position.black >> point & 1),
        *(_stone(point, "#fbfbf8") for point in range(SIZE * SIZE) if position.white >> point & 1),
        *_moves(knowledge),
        f'<text class="caption" x="{_WIDTH / 2:g}" y="{_WIDTH + _CAPTION / 2:g}">{escape(caption)}</text>',
    ]
    size = f'viewBox="0 0 {_WIDTH} {_WIDTH + _CAPTION}" width="{_WIDTH}" height="{_WIDTH + _CAPTION}"'
    head = f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img">\n<title>{escape(caption)}</title>'
    return "\n".join([head, f"<style>{_STYLE}</style>", *body, "</svg>", ""])


def _at(point: int) -> tuple[int, int]:
    """Return where a point is drawn, x and y."""
    return _EDGE + _STEP * (point % SIZE), _EDGE + _STEP * (point // SIZE)


def _grid() -> list[str]:
    first, last = _EDGE, _EDGE + _STEP * (SIZE - 1)
    shapes = []
    for k in range(SIZE):
        at = _EDGE + _STEP * k
        shapes.append(f'<line class="line" x1="{first}" y1="{at}" x2="{last}" y2="{at}"/>')
        shapes.append(f'<line class="line" x1="{at}" y1="{first}" x2="{at}" y2="{last}"/>')
        shapes.append(f'<text class="label" x="{at}" y="{_EDGE // 3}" dy=".35em">{k}</text>')
        shapes.append(f'<text class="label" x="{_EDGE // 3}" y="{at}" dy=".35em">{k}</text>')
    return shapes


def _stone(point: int, colour: str) -> str:
    x, y = _at(point)
    return f'<circle cx="{x}" cy="{y}" r="{_STEP * 0.46:g}" fill="{colour}" stroke="#1b1b1b"/>'


def _moves(knowledge: Knowledge) -> list[str]:
    shapes = []
    for move, child in sorted(knowledge.moves.items()):
        if move == PASS or child.answer is None:
            continue
        x, y = _at(move)
        colour = _COLOURS[_wins(knowledge.position, child.answer)]
        shapes.append(f'<circle cx="{x}" cy="{y}" r="{_STEP * 0.34:g}" fill="{colour}"/>')
        shapes.append(f'<text class="value" x="{x}" y="{y}" dy=".35em">{short_value(child.answer)}</text>')
    return shapes


def _wins(position: Position, answer: Answer) -> bool | None:
    return None if answer.winner is None else answer.winner == position.mover


def short_value(answer: Answer) -> str:
    """Return a value, or the bound that tells the winner, in a few characters.

    >>> short_value(Answer(3, 3, None, 0)), short_value(Answer(4, 12, None, 0)), short_value(Answer(-9, 2, None, 0))
    ('+3', '≥4', '≤2')
    """
    if answer.value is not None:
        return f"{answer.value:+d}"
    return {1: f"≥{answer.lo}", 2: f"≤{answer.hi}", None: "?"}[answer.winner]
