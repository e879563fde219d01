"""A reviewed game as files: an SGF with values and better lines, and an SVG picture of the curve of values.

The SGF contains the value after every move and, as variations, best play in place of each mistake. The SGF also
contains the variations and comments that the game had before the review.
"""

from collections.abc import Iterator, Sequence
from html import escape
from typing import Any

from little_go.arena.match.host import describe
from little_go.arena.review.reading import OURS, GameToReview
from little_go.arena.review.review import Mistake, Review
from little_go.arena.review.text import LINE_PLIES, cost_text, summary_text
from little_go.arena.standings.game_sgf import open_sgf, result_text, set_end
from little_go.book.answers.query import Knowledge
from little_go.book.drawing.picture import picture
from little_go.notation.movetext import moves_text
from little_go.notation.sgf import add_line, add_move, move_in, set_up
from little_go.solver.answer import LEAST, MOST
from little_go.solver.bounds import COLOURS
from little_go.solver.family import Variant
from little_go.solver.native.explain import OTHER
from little_go.solver.position import move_name

#: The value of the SGF property BM (bad move): 2 if the move gives away the win, or else 1.
_VERY = {True: 2, False: 1}


def annotated_sgf(review: Review) -> bytes:
    """Return the SGF of a reviewed game.

    The property V of a node is the exact value of the position: Black's stones minus White's stones after best play.
    """
    played, result = review.game, review.state.result
    margin = review.state.position.margin
    score = "?" if result is None else result_text(result.reason, result.winner, margin, played.game)
    note = "; ".join(filter(None, [played.note, *played.notes]))
    game = open_sgf(played.black, played.white, score, played.day, note, played.game)
    root = game.get_root()
    if review.start != played.game.start:
        set_up(root, review.start, played.game)
    if result is not None:
        set_end(game, result.reason, "" if review.fault is None else review.fault.move, result.detail)
    root.set("GN", played.source)
    root.set("C", _comment(played, 0, [review.known[0].worth, *summary_text(review, 1000)]))
    if review.known[0].value is not None:
        root.set("V", review.known[0].value)
    node = root
    mistakes = {mistake.ply: mistake for mistake in review.mistakes}
    for number, move in enumerate(review.moves()):
        parent, node = node, node.new_child()
        ply = review.first_ply + number + 1
        add_move(node, ply - 1, move)
        for line in played.variations.get(number, []):
            add_line(parent, line)
        known = review.known[number + 1]
        comment = [known.worth]
        if known.value is not None:
            node.set("V", known.value)
        if ply in mistakes:
            _mark(parent, node, mistakes[ply], comment)
        node.set("C", _comment(played, number + 1, comment))
    if result is not None and node is not root:
        # The summary in the comment of the root already contains the result.
        fault = [] if review.fault is None else [f"{review.fault.deed}. {review.fault.rule}"]
        node.set("C", "\n".join([node.get("C"), *fault, describe(review.state)]))
    if last := played.variations.get(len(review.moves())):
        # In SGF the first child of a node continues the game, so an empty first child must precede the variations.
        node.new_child()
        for line in last:
            add_line(node, line)
    text: bytes = game.serialise()
    return text


def _comment(played: GameToReview, number: int, ours: Sequence[str]) -> str:
    return "\n".join(filter(None, [played.comments.get(number), OURS + "\n".join(ours)]))


def _mark(parent: Any, node: Any, mistake: Mistake, comment: list[str]) -> None:
    """Mark a mistake, and add the better line as a variation. comment: lines of the node's comment, to extend."""
    node.set("BM", _VERY[mistake.decisive])
    kind = "" if mistake.kind == OTHER else f" ({mistake.kind})"
    comment.append(f"{move_name(mistake.move)} {cost_text(mistake)}{kind}.")
    if mistake.reason:
        comment.append(mistake.reason.text)
    if mistake.answer:
        comment.append(f"The answer: {moves_text(mistake.answer[:LINE_PLIES], mistake.ply)}")
    branch = parent
    for at, move in enumerate(mistake.instead):
        # If the game already has this variation, comment on it and continue it.
        there = next((child for child in branch if child is not node and move_in(child) == move), None)
        branch = branch.new_child() if there is None else there
        if there is None:
            add_move(branch, mistake.ply - 1 + at, move)
        better = f"Better: {mistake.before.worth}."
        comment_there = branch.get("C") if branch.has_property("C") else ""
        if not at and better not in comment_there:
            branch.set("C", "\n".join(filter(None, [comment_there, better])))


#: Sizes in pixels: the width of a ply, the height of a point of value, and the margins of the picture.
_STEP, _POINT, _LEFT, _TOP, _BOTTOM = 30, 7, 56, 44, 46
_RIGHT = 24
_HEIGHT = _TOP + _POINT * (MOST - LEAST) + _BOTTOM


def curve_svg(review: Review) -> str:
    """Return an SVG picture of a reviewed game's values.

    A line connects exact values, and a bar shows the bounds of a value that is not exact. Black wins if the value is
    above the broken line. A dot with a move is a mistake: red if the mistake changed the winner, orange if it only cost
    points. A fault has a red dot, too.
    """
    title = f"{review.game.black} (Black) - {review.game.white} (White)"
    game = review.game.game
    width = _LEFT + _STEP * game.plies + _RIGHT
    body = [
        f'<rect class="page" width="{width}" height="{_HEIGHT}"/>',
        f'<text class="title" x="{_LEFT}" y="26">{escape(title)}</text>',
        *_grid(game),
        *(_range(ply, known) for ply, known in _plies(review) if known.value is None),
        *_curve(review),
        *_dots(review),
        f'<text x="{_LEFT + _STEP * game.plies / 2:g}" y="{_HEIGHT - 8}">plies played</text>',
    ]
    return picture(__file__, width, _HEIGHT, title, body)


def _plies(review: Review) -> Iterator[tuple[int, Knowledge]]:
    return enumerate(review.known, review.first_ply)


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


def _range(ply: int, known: Knowledge) -> str:
    x = f"{_x(ply):g}"
    return f'<line class="range" x1="{x}" y1="{_y(known.lo):g}" x2="{x}" y2="{_y(known.hi):g}"/>'


def _curve(review: Review) -> list[str]:
    runs: list[list[str]] = [[]]
    for ply, known in _plies(review):
        if known.value is None:
            runs.append([])
        else:
            runs[-1].append(f"{_x(ply):g},{_y(known.value):g}")
    return [f'<polyline class="curve" points="{" ".join(run)}"/>' for run in runs if run]


def _dots(review: Review) -> list[str]:
    dots = []
    for mistake in review.mistakes:
        x, y = _x(mistake.ply), _y(_shown(mistake.after))
        kind = "decisive" if mistake.decisive else "mistake"
        move = move_name(mistake.move)
        told = f"ply {mistake.ply}, {move}: {mistake.after.worth}"
        dots.append(f'<circle class="{kind}" cx="{x:g}" cy="{y:g}" r="6"><title>{escape(told)}</title></circle>')
        # The label is below the curve after Black's mistakes, where the curve falls, and above the curve after White's.
        below = mistake.mover == 1
        dots.append(f'<text x="{x:g}" y="{y + (20 if below else -11):g}">{move}</text>')
    if fault := review.fault:
        x, y = _x(fault.ply), _y(_shown(review.known[-1]))
        told = escape(f"ply {fault.ply}: {fault.deed}")
        dots.append(f'<circle class="decisive" cx="{x:g}" cy="{y:g}" r="6"><title>{told}</title></circle>')
        dots.append(f'<text x="{x:g}" y="{y + (20 if fault.mover == 1 else -11):g}">fault</text>')
    return dots


def _shown(known: Knowledge) -> int:
    """Return the exact value, or else the bound that is nearer to a change of the winner."""
    if known.value is not None:
        return known.value
    return known.lo if known.lo >= known.game.least else known.hi
