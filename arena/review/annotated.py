"""A reviewed game as SGF: the value after every move, and best play as a variation where a move gave something away."""

from typing import Any

from arena.match.host import describe
from arena.review.kinds import OTHER
from arena.review.review import Mistake, Review
from arena.review.text import LINE_PLIES, cost_text, moves_text, summary_text
from arena.standings.game_sgf import open_sgf, result_text
from book.drawing.sgf import add_move
from solver.bounds import worth_text
from solver.position import move_name

#: How SGF marks a move that gives away the game, and one that gives away points: bad, twice bad.
_VERY = {True: 2, False: 1}


def annotated_sgf(review: Review) -> bytes:
    """Return the SGF of a reviewed game.

    The value of a position is its node's V: stones Black - White under best play, where it is exact.
    """
    played, result = review.game, review.state.result
    score = "?" if result is None else result_text(result.reason, result.winner, review.state.position.margin)
    game = open_sgf(played.black, played.white, score, played.day, played.note)
    root = game.get_root()
    root.set("GN", played.source)
    root.set("C", "\n".join([worth_text(review.worth[0]), *summary_text(review, 1000)]))
    if review.worth[0].value is not None:
        root.set("V", review.worth[0].value)
    node = root
    mistakes = {mistake.ply: mistake for mistake in review.mistakes}
    for ply, move in enumerate(review.moves(), 1):
        parent, node = node, node.new_child()
        add_move(node, ply - 1, move)
        worth = review.worth[ply]
        comment = [worth_text(worth)]
        if worth.value is not None:
            node.set("V", worth.value)
        if ply in mistakes:
            _mark(parent, node, mistakes[ply], comment)
        node.set("C", "\n".join(comment))
    if result is not None and node is not root:
        # The root has the result in its summary.
        node.set("C", f"{node.get('C')}\n{describe(review.state)}")
    text: bytes = game.serialise()
    return text


def _mark(parent: Any, node: Any, mistake: Mistake, comment: list[str]) -> None:
    """Mark a mistake, and add what was better as a variation beside it."""
    node.set("BM", _VERY[mistake.decisive])
    kind = "" if mistake.kind == OTHER else f" ({mistake.kind})"
    comment.append(f"{move_name(mistake.move)} {cost_text(mistake)}{kind}.")
    if mistake.reason:
        comment.append(mistake.reason.text)
    if mistake.answer:
        comment.append(f"The answer: {moves_text(mistake.answer[:LINE_PLIES], mistake.ply)}")
    branch = parent
    for at, move in enumerate(mistake.instead):
        branch = branch.new_child()
        add_move(branch, mistake.ply - 1 + at, move)
        if not at:
            branch.set("C", f"Better: {worth_text(mistake.before)}.")
