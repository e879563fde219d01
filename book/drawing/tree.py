"""The first plies of the solved game as a picture, and a store's positions as a tree in SGF.

The picture shows every first move, every reply to the winning first move, and our answers to these replies.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape
from typing import Any

from little_go.book.answers.report import short_value, verdict
from little_go.book.drawing.picture import picture
from little_go.book.store.facts import StoreError
from little_go.book.store.store import Store
from little_go.notation.sgf import add_move, new_sgf
from little_go.runtime.hints import command_line
from little_go.solver.answer import Answer
from little_go.solver.family import COURSE, Variant
from little_go.solver.native import distinct_steps
from little_go.solver.position import PASS, SIZE, Position, move_name
from little_go.solver.symmetry import canonical_key

#: Sizes in pixels: the width of a board, the distance between two boards, the distance between two rows, the width of
#: the edge, and the width of the headings.
_BOARD, _ACROSS, _DOWN = 86, 112, 148
_EDGE, _MARGIN = 20, 150

#: By winner, the style of a board's frame and value.
_WINNERS = {1: "black", 2: "white", None: "open"}


@dataclass(frozen=True)
class Leaf:
    """One board of the picture.

    answer: the answer about the position, or None. parent: the index, in the row above, of the board before the move.
    """

    position: Position
    move: int
    answer: Answer | None
    parent: int


def tree_svg(store: Store) -> str:
    """Return the picture. A frame is green if Black wins, red if White wins, and grey if the winner is not known.

    Raise StoreError if the store does not prove the winner of the game.
    """
    start = store.game.start
    answer = store.answer(start)
    if answer is None or store.game.winner(answer) is None or answer.best is None:
        first = command_line("generator run --db", store.path)
        raise StoreError(f"the store does not prove who wins the game: first run {first}")
    rows = [[Leaf(start, PASS, answer, 0)]]
    rows.append(list(_moves(store, start, 0)))
    best_key = canonical_key(start.play(answer.best))
    best = next(index for index, leaf in enumerate(rows[1]) if canonical_key(leaf.position) == best_key)
    rows.append(list(_moves(store, rows[1][best].position, best)))
    rows.append(list(_answers(store, rows[2])))
    return _drawn(store.game, [row for row in rows if row])


def _moves(store: Store, position: Position, parent: int) -> Iterator[Leaf]:
    """Yield the positions after all moves. Of symmetric positions, yield only the first."""
    for move, _, child in distinct_steps(position):
        yield Leaf(child, move, store.answer(child), parent)


def _answers(store: Store, replies: list[Leaf]) -> Iterator[Leaf]:
    for index, reply in enumerate(replies):
        move = None if reply.position.is_over else _answer(store, reply)
        if move is not None:
            yield Leaf(reply.position.play(move), move, reply.answer, index)


def _answer(store: Store, reply: Leaf) -> int | None:
    """Return our move: the choice of the closure, or else a move that keeps the proven win."""
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


#: The maximum number of nodes of a tree, because Go programs keep all nodes in memory.
MOST_NODES = 100_000


def tree_sgf(store: Store, depth: int, moves: Sequence[int] = ()) -> bytes:
    """Return a store's knowledge about the next ``depth`` plies after ``moves``, as a tree in SGF.

    Symmetric moves are one branch, whose comment lists the moves. The branch that is best for the mover comes first, so
    the main line is best play as far as best play is known. ``V`` contains an exact value, and ``BM`` marks a move that
    throws a win away. Raise IllegalMove if a move is illegal, and ValueError if the tree has more than MOST_NODES
    nodes.
    """
    game = new_sgf(store.game)
    position = store.game.start
    node = game.get_root()
    for ply, move in enumerate(moves):
        position = position.play(move)
        node = node.new_child()
        add_move(node, ply, move)
    _Tree(store).grow(node, position, store.answer(position), depth, "")
    text: bytes = game.serialise()
    return text


class _Tree:
    def __init__(self, store: Store) -> None:
        self._store = store
        self._nodes = 0

    def grow(self, node: Any, position: Position, answer: Answer | None, depth: int, about_move: str) -> None:
        """Add a comment to a node, and add the nodes of the next ``depth`` plies."""
        self._nodes += 1
        if self._nodes > MOST_NODES:
            raise ValueError(f"more than {MOST_NODES:,} nodes: give a smaller --depth, or begin at a later POSITION")
        comment = [verdict(position, answer, self._store.game), about_move]
        if answer is not None and answer.value is not None:
            node.set("V", answer.value)
        if depth and not position.is_over:
            branches = _branches(self._store.game, position, self._store.moves_of(position))
            missing = len(position.legal_moves()) - sum(len(names) for names, _ in branches)
            comment.append(f"Not in the store: {missing} moves." if missing else "")
            for names, after in branches:
                child = node.new_child()
                add_move(child, position.ply, names[0])
                if _throws_away(self._store.game, position, answer, after):
                    child.set("BM", 2)
                self.grow(child, position.play(names[0]), after, depth - 1, _about(position, names, answer, after))
        node.set("C", "\n".join(line for line in comment if line))


def _branches(game: Variant, position: Position, known: dict[int, Answer]) -> list[tuple[list[int], Answer]]:
    """Return groups of symmetric moves with the answers after the moves, from best to worst for the mover."""
    groups: dict[int, tuple[list[int], Answer]] = {}
    for move, answer in known.items():
        groups.setdefault(canonical_key(position.play(move)), ([], answer))[0].append(move)
    sign = 1 if position.black_to_move else -1

    def rank(group: tuple[list[int], Answer]) -> tuple[int, int]:
        _, answer = group
        winner = game.winner(answer)
        outcome = 1 if winner is None else 0 if winner == position.mover else 2
        return outcome, -sign * (answer.lo + answer.hi)

    return sorted(groups.values(), key=rank)


def _throws_away(game: Variant, position: Position, before: Answer | None, after: Answer) -> bool:
    won = before is not None and game.winner(before) == position.mover
    return won and game.winner(after) not in (None, position.mover)


def _about(position: Position, moves: Sequence[int], before: Answer | None, after: Answer) -> str:
    """Return the comment about a move: the points that it loses, and the symmetric moves."""
    words = []
    if before is not None and before.value is not None and after.value is not None and before.value != after.value:
        lost = abs(before.value - after.value)
        words.append(f"{move_name(moves[0])} loses {lost} point{'s' if lost > 1 else ''}.")
    if len(moves) > 1:
        words.append(f"Alike: {' '.join(map(move_name, moves[1:]))}.")
    return " ".join(words)
