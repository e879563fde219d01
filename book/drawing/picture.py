"""SVG pictures for light and dark pages: the frame of any picture, and the picture of a position."""

import re
from collections.abc import Iterable
from html import escape
from pathlib import Path
from textwrap import indent

from little_go.book.answers.query import Knowledge, KnownMove
from little_go.book.answers.report import verdict
from little_go.runtime.files import MIB, read_text
from little_go.solver.bounds import COLOURS, score_text
from little_go.solver.position import PASS, SIZE, Position, points_of

#: Characters that XML cannot contain, such as a terminal's escape character or a lone surrogate.
_NOT_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")


def picture(module: str, width: float, height: float, title: str, shapes: Iterable[str]) -> str:
    """Return an SVG picture with the given shapes.

    Sizes are in pixels. ``�`` replaces characters that XML cannot contain. module: the caller's ``__file__``. The style
    sheet is the file with the same name and the suffix ``.css``.
    """
    size = f'viewBox="0 0 {width} {height}" width="{width}" height="{height}"'
    head = f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img">\n<title>{escape(title, quote=False)}</title>'
    style = indent(read_text(Path(module).with_suffix(".css"), MIB), "  ")
    return writable("\n".join([head, f"<style>\n{style}</style>", *shapes, "</svg>", ""]))


def writable(text: str) -> str:
    """Return the text with ``�`` for each character that XML cannot contain."""
    return _NOT_XML.sub("\ufffd", text)


#: The number of pixels between two lines of the board, and between the first line and the edge of the picture.
_STEP, _EDGE = 80, 70
_WIDTH = 2 * _EDGE + _STEP * (SIZE - 1)

#: The number of pixels between two lines of the caption, and before the first and after the last line.
_LINE, _ROOM = 22, 18

#: The style sheet of the shapes.
STYLE = Path(__file__).with_suffix(".css")

#: Half the width of a move's mark, in pixels.
_MARK = 28

#: Half the width, in pixels, of the frame around a point that a reason mentions.
_NAMED = 38


def board_svg(knowledge: Knowledge) -> str:
    """Return a picture of a position. Each legal move has a mark with its value.

    The mark is a square if the move wins for the mover, and a disc if it loses. The outline is dashed if the winner is
    not known. The best moves have a second outline. The text in the mark is the result, such as B+0.5, or B if only the
    winner is known. The value of PASS is below the board.
    """
    position = knowledge.position
    caption = list(_caption(knowledge))
    height = _WIDTH + _LINE * len(caption) + _ROOM
    body = [
        f'<rect class="page" width="{_WIDTH}" height="{height}"/>',
        *_board(position),
        *(shape for known in knowledge.moves for shape in _marks(position, known)),
    ]
    for number, line in enumerate(caption):
        y = _WIDTH + _ROOM + _LINE * number + 4
        body.append(f'<text class="caption" x="{_WIDTH // 2}" y="{y}">{escape(line)}</text>')
    return picture(__file__, _WIDTH, height, " ".join(caption[:1]), body)


def mistake_svg(position: Position, move: int | None, better: int | None, label: str, named: Iterable[int] = ()) -> str:
    """Return a picture of a board. The move has a disc with "?", and the better move has a square with "!".

    The page must contain STYLE. label: the description of the picture. named: the points that a reason mentions, which
    get a frame.
    """
    shapes = [
        shape
        for point, kind, sign in ((move, "loses", "?"), (better, "wins", "!"))
        if point is not None and point != PASS
        for shape in (_shape(point, kind, kind, _MARK), _text(point, sign, "value mark"))
    ]
    head = f'<svg viewBox="0 0 {_WIDTH} {_WIDTH}" role="img" aria-label="{escape(label)}">'
    frames = [_frame(point) for point in named]
    return "\n".join([head, *_board(position), *frames, *shapes, "</svg>"])


def _frame(point: int) -> str:
    x, y = _at(point)
    return f'<rect class="named" x="{x - _NAMED}" y="{y - _NAMED}" width="{2 * _NAMED}" height="{2 * _NAMED}" rx="8"/>'


def _board(position: Position) -> list[str]:
    return [
        f'<rect class="board" width="{_WIDTH}" height="{_WIDTH}" rx="8"/>',
        *_grid(),
        *(_stone(point, "black") for point in points_of(position.black)),
        *(_stone(point, "white") for point in points_of(position.white)),
        *([] if position.ko is None else [_text(position.ko, "ko", "value small dim")]),
    ]


def _caption(knowledge: Knowledge) -> list[str]:
    position = knowledge.position
    lines = [verdict(position, knowledge.answer, knowledge.game)]
    if position.is_over:
        return lines
    lines[0] = f"{COLOURS[position.mover]} to move. {lines[0]}"
    lines += [f"PASS: {_worth_text(known.after)}" for known in knowledge.moves if PASS in known.moves]
    kinds = dict.fromkeys(_kind(position, known) for known in knowledge.moves)
    meanings = {"wins": "square: wins for the mover", "loses": "disc: loses", "open": "dashed: not proven"}
    legend = [meaning for kind, meaning in meanings.items() if kind in kinds]
    return [*lines, "; ".join([*legend, *(["double line: best"] if knowledge.best_moves else [])])]


def _worth_text(known: Knowledge) -> str:
    return "nothing is known" if known.answer is None else known.worth


def _at(point: int) -> tuple[int, int]:
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
    return f'<circle class="{colour}" cx="{x}" cy="{y}" r="{_STEP * 0.46:g}"/>'


def _marks(position: Position, known: KnownMove) -> list[str]:
    kind, value = _kind(position, known), _short(known.after)
    style = "value" + (" small" if len(value) > 1 else "") + (" dim" if kind == "open" else "")
    shapes = []
    for move in known.moves:
        if move != PASS:
            shapes.append(_shape(move, kind, kind, _MARK))
            if known.lost == (0, 0):
                shapes.append(_shape(move, kind, "best", _MARK - 5))
            shapes.append(_text(move, value, style))
    return shapes


def _short(known: Knowledge) -> str:
    """Return the result, the winner if only bounds are known, or "" if the winner is not known."""
    if known.value is not None:
        return score_text(known.value, known.game.komi)
    return "" if known.answer is None or known.winner is None else COLOURS[known.winner][0]


def _shape(point: int, kind: str, style: str, half: int) -> str:
    x, y = _at(point)
    if kind == "wins":
        return f'<rect class="{style}" x="{x - half}" y="{y - half}" width="{2 * half}" height="{2 * half}" rx="3"/>'
    return f'<circle class="{style}" cx="{x}" cy="{y}" r="{half}"/>'


def _text(point: int, text: str, style: str) -> str:
    x, y = _at(point)
    return f'<text class="{style}" x="{x}" y="{y}" dy=".35em">{text}</text>'


def _kind(position: Position, known: KnownMove) -> str:
    winner = None if known.after.answer is None else known.after.winner
    return "open" if winner is None else "wins" if winner == position.mover else "loses"
