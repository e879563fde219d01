"""A reviewed game as SGF: the value after every move, and best play as a variation where a move gave something away."""

from datetime import date
from typing import Any

from arena.match.host import State, describe, score_text
from arena.review.review import Mistake, Review
from arena.review.text import cost_text, moves_text, summary_text, worth_text
from arena.standings.sgf import open_sgf
from book.sgf import add_move
from solver.position import move_name

#: How SGF marks a move that gives away the game, and one that gives away points: bad, twice bad.
_VERY = {True: 2, False: 1}

_SCORED = ("max", "two_passes")


def annotated_sgf(review: Review, day: date | None = None) -> bytes:
    """Return the SGF of a reviewed game, with its day if that is known.

    The value of a position is its node's V: stones Black - White under best play, where it is exact.
    """
    game = open_sgf(review.game.black, review.game.white, _result(review.state), day)
    root = game.get_root()
    root.set("GN", review.game.source)
    root.set("C", "\n".join([worth_text(review.worth[0]), *summary_text(review, 1000)]))
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
    if review.state.result is not None:
        node.set("C", "\n".join([*([node.get("C")] if node is not root else []), describe(review.state)]))
    text: bytes = game.serialise()
    return text


def _mark(parent: Any, node: Any, mistake: Mistake, comment: list[str]) -> None:
    """Mark a mistake, and add what was better as a variation beside it."""
    node.set("BM", _VERY[mistake.decisive])
    comment.append(f"{move_name(mistake.move)} {cost_text(mistake)} ({mistake.kind}).")
    if mistake.answer:
        comment.append(f"The answer: {moves_text(mistake.answer, mistake.ply)}")
    branch = parent
    for at, move in enumerate(mistake.instead):
        branch = branch.new_child()
        add_move(branch, mistake.ply - 1 + at, move)
        if not at:
            branch.set("C", f"Better: {worth_text(mistake.before)}.")


def _result(state: State) -> str:
    """Return the result as SGF writes it, ``?`` when the game was not played to its end."""
    if state.result is None:
        return "?"
    if state.result.reason in _SCORED:
        return score_text(state.position.margin)
    return f"{'BW'[state.result.winner - 1]}+{({'timeout': 'T', 'resigned': 'R'}).get(state.result.reason, 'F')}"
