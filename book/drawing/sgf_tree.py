"""What a store knows as a tree in SGF, which people's Go programs show."""

from collections.abc import Sequence
from typing import Any

from book.answers.report import verdict
from book.store.store import Store
from notation.sgf import add_move, new_sgf
from solver.answer import Answer
from solver.family import Variant
from solver.position import Position, move_name
from solver.symmetry import canonical_key

#: Nodes that a tree may have; programs for Go hold them all in memory.
MOST_NODES = 100_000


def tree_sgf(store: Store, depth: int, moves: Sequence[int] = ()) -> bytes:
    """Write what a store knows of the ``depth`` plies after some moves, as a tree.

    Moves that lead to the same position but for a turn or a reflection are one branch, and its comment names them. The
    branch that is best for the mover comes first, so the main line is best play as far as it is known. ``V`` is the
    value, where it is known exactly, and ``BM`` marks a move that throws a win away.
    Raises IllegalMove, and ValueError for a tree of more than MOST_NODES nodes.
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
    """A tree as it grows."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._nodes = 0

    def grow(self, node: Any, position: Position, answer: Answer | None, depth: int, about_move: str) -> None:
        """Comment a node, and add the nodes of the ``depth`` plies after it."""
        self._nodes += 1
        if self._nodes > MOST_NODES:
            raise ValueError(f"more than {MOST_NODES:,} nodes: give a smaller --depth, or begin after some --moves")
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
    """Return the moves in groups that are alike, with their answer, those best for the mover first."""
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
    """Comment on a move: what it loses, and which moves are alike."""
    words = []
    if before is not None and before.value is not None and after.value is not None and before.value != after.value:
        lost = abs(before.value - after.value)
        words.append(f"{move_name(moves[0])} loses {lost} point{'s' if lost > 1 else ''}.")
    if len(moves) > 1:
        words.append(f"Alike: {' '.join(map(move_name, moves[1:]))}.")
    return " ".join(words)
