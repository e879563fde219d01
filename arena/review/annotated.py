"""A reviewed game as SGF: the value after every move, and best play as a variation beside a mistake.

The game's own variations stay.
"""

from typing import Any

from arena.match.host import describe
from arena.review.review import Mistake, Review
from arena.review.text import LINE_PLIES, cost_text, summary_text
from arena.standings.game_sgf import open_sgf, result_text, set_end
from notation.movetext import moves_text
from notation.sgf import add_line, add_move, move_in, set_up
from solver.native.explain import OTHER
from solver.position import move_name

#: SGF's degree of a bad move, by whether it gives away the game.
_VERY = {True: 2, False: 1}


def annotated_sgf(review: Review) -> bytes:
    """Return the SGF of a reviewed game.

    A node's V is its exact value: stones Black - White under best play.
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
    root.set("C", "\n".join([review.worth[0].worth, *summary_text(review, 1000)]))
    if review.worth[0].value is not None:
        root.set("V", review.worth[0].value)
    node = root
    mistakes = {mistake.ply: mistake for mistake in review.mistakes}
    for number, move in enumerate(review.moves()):
        parent, node = node, node.new_child()
        ply = review.first_ply + number + 1
        add_move(node, ply - 1, move)
        for line in played.others.get(number, []):
            add_line(parent, line)
        worth = review.worth[number + 1]
        comment = [worth.worth]
        if worth.value is not None:
            node.set("V", worth.value)
        if ply in mistakes:
            _mark(parent, node, mistakes[ply], comment)
        node.set("C", "\n".join(comment))
    if result is not None and node is not root:
        # The root's summary has the result.
        fault = [] if review.fault is None else [f"{review.fault.deed}. {review.fault.rule}"]
        node.set("C", "\n".join([node.get("C"), *fault, describe(review.state)]))
    if last := played.others.get(len(review.moves())):
        # Without a node of the game's own the first variation would look like its continuation.
        node.new_child()
        for line in last:
            add_line(node, line)
    text: bytes = game.serialise()
    return text


def _mark(parent: Any, node: Any, mistake: Mistake, comment: list[str]) -> None:
    """Mark a mistake, and add the better line as a variation."""
    node.set("BM", _VERY[mistake.decisive])
    kind = "" if mistake.kind == OTHER else f" ({mistake.kind})"
    comment.append(f"{move_name(mistake.move)} {cost_text(mistake)}{kind}.")
    if mistake.reason:
        comment.append(mistake.reason.text)
    if mistake.answer:
        comment.append(f"The answer: {moves_text(mistake.answer[:LINE_PLIES], mistake.ply)}")
    branch = parent
    for at, move in enumerate(mistake.instead):
        # A variation that exists already is marked and continued.
        there = next((child for child in branch if child is not node and move_in(child) == move), None)
        branch = branch.new_child() if there is None else there
        if there is None:
            add_move(branch, mistake.ply - 1 + at, move)
        better = f"Better: {mistake.before.worth}."
        comment_there = branch.get("C") if branch.has_property("C") else ""
        if not at and better not in comment_there:
            branch.set("C", "\n".join(filter(None, [comment_there, better])))
