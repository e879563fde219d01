"""The first plies of the solved game as a picture: every first move, every reply to the winning one, our answers."""

from collections.abc import Iterator
from dataclasses import dataclass
from html import escape

from book.answers.report import short_value
from book.store.facts import StoreError
from book.store.store import Store
from runtime.hints import command_line
from runtime.svg import picture
from solver.answer import Answer
from solver.family import COURSE, Variant
from solver.position import PASS, SIZE, Position, move_name
from solver.steps import distinct_steps
from solver.symmetry import canonical_key

#: Pixels: a board's side, from one board to the next, from one row to the next, around all, left for headings.
_BOARD, _ACROSS, _DOWN = 86, 112, 148
_EDGE, _MARGIN = 20, 150

#: Styles by the winner, of a board's frame and of its value.
_WINNERS = {1: "black", 2: "white", None: "open"}


@dataclass(frozen=True)
class Leaf:
    """One board of the picture.

    answer: what is known of the position, or None.
    parent: the index of the board above it, in the row above.
    """

    position: Position
    move: int
    answer: Answer | None
    parent: int


def tree_svg(store: Store) -> str:
    """Return the picture; a green frame means that Black wins, a red one White, a grey one that it is not known.

    Raises StoreError when the store does not tell who wins.
    """
    start = store.game.start
    answer = store.answer(start)
    if answer is None or store.game.winner(answer) is None or answer.best is None:
        first = command_line("generator run --db", store.path)
        raise StoreError(f"the store does not prove who wins the game: first run {first}")
    rows = [[Leaf(start, PASS, answer, 0)]]
    rows.append(list(_moves(store, start, 0)))
    best = next(index for index, leaf in enumerate(rows[1]) if _same(leaf.position, start.play(answer.best)))
    rows.append(list(_moves(store, rows[1][best].position, best)))
    rows.append(list(_answers(store, rows[2])))
    return _drawn(store.game, [row for row in rows if row])


def _same(one: Position, other: Position) -> bool:
    return canonical_key(one) == canonical_key(other)


def _moves(store: Store, position: Position, parent: int) -> Iterator[Leaf]:
    """Yield the positions after each move, one of those that differ by a turn or a reflection only."""
    for move, _, child in distinct_steps(position):
        yield Leaf(child, move, store.answer(child), parent)


def _answers(store: Store, replies: list[Leaf]) -> Iterator[Leaf]:
    for index, reply in enumerate(replies):
        move = None if reply.position.is_over else _answer(store, reply)
        if move is not None:
            yield Leaf(reply.position.play(move), move, reply.answer, index)


def _answer(store: Store, reply: Leaf) -> int | None:
    """Return our move: the closure's, or else one that keeps what is proven."""
    choice = store.choice_of(reply.position)
    if choice is not None:
        return choice.move
    return None if reply.answer is None or store.game.winner(reply.answer) is None else reply.answer.best


_HEADINGS = (
    ("The empty board",),
    ("Black's", "first moves"),
    ("White's replies", "to the winning one"),
    ("Black's answers",),
)


def _drawn(game: Variant, rows: list[list[Leaf]]) -> str:
    width = 2 * _EDGE + _MARGIN + _ACROSS * max(map(len, rows))
    height = 2 * _EDGE + _DOWN * (len(rows) - 1) + _BOARD + 24
    parts = [f'<rect class="page" width="{width}" height="{height}"/>']
    for depth, row in enumerate(rows):
        y = _EDGE + _DOWN * depth
        for number, line in enumerate(_HEADINGS[depth]):
            at = y + _BOARD / 2 - 4 + 20 * number
            parts.append(f'<text class="heading" x="{_EDGE}" y="{at:g}">{line}</text>')
        for index, leaf in enumerate(row):
            x = _left(width, len(row), index)
            if depth:
                parts.append(_link(_left(width, len(rows[depth - 1]), leaf.parent), x, y))
            parts += _board(game, leaf, x, y)
    title = "The first plies of the solved game" + ("" if game == COURSE else f", {game}")
    return picture(__file__, width, height, title, parts)


def _left(width: int, number: int, index: int) -> float:
    """Return the left edge of the board with this index in a row of so many."""
    return (width + _MARGIN - number * _ACROSS) / 2 + index * _ACROSS + (_ACROSS - _BOARD) / 2


def _link(above: float, x: float, y: float) -> str:
    top, bottom = y - _DOWN + _BOARD + 26, y
    start, end, middle = above + _BOARD / 2, x + _BOARD / 2, (top + bottom) / 2
    return f'<path class="link" d="M{start:g} {top:g} C{start:g} {middle:g} {end:g} {middle:g} {end:g} {bottom:g}"/>'


def _board(game: Variant, leaf: Leaf, x: float, y: float) -> Iterator[str]:
    winner = _WINNERS[None if leaf.answer is None else game.winner(leaf.answer)]
    yield f'<rect class="frame {winner}" x="{x:g}" y="{y:g}" width="{_BOARD}" height="{_BOARD}" rx="4"/>'
    step = _BOARD / (SIZE + 1)
    near, far = step, step * SIZE
    for k in range(1, SIZE + 1):
        across = f"M{x + near:g} {y + step * k:g} H{x + far:g}"
        yield f'<path class="line" d="{across} M{x + step * k:g} {y + near:g} V{y + far:g}"/>'
    for point in range(SIZE * SIZE):
        fill = {1: "#1b1b1b", 2: "#fbfbf8"}.get(int("".join(leaf.position.rows())[point]))
        if fill is not None:
            cx, cy = x + step * (point % SIZE + 1), y + step * (point // SIZE + 1)
            last = ' stroke-width="2.5" stroke="#c77700"' if point == leaf.move else ' stroke="#1b1b1b"'
            yield f'<circle cx="{cx:g}" cy="{cy:g}" r="{step * 0.46:g}" fill="{fill}"{last}/>'
    value = "" if leaf.answer is None else short_value(leaf.answer)
    name = "" if leaf.position == game.start else move_name(leaf.move) + " "
    yield (
        f'<text x="{x + _BOARD / 2:g}" y="{y + _BOARD + 18:g}">{escape(name)}'
        f'<tspan class="value {winner}">{escape(value)}</tspan></text>'
    )
