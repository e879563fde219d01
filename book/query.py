"""A position in, what is known out: as text for people, as JSON for scripts.

Three answers are kept apart everywhere: not in the book; in the book, undecided (bounds that do
not tell the winner yet); and proven.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from book.reader import Book
from book.store import Choice, Store
from solver.answer import LEAST, MOST, Answer
from solver.position import Position, move_name
from solver.record import answer_record, to_record
from solver.symmetry import canonical_key

COLOURS = {1: "Black", 2: "White"}

_UNKNOWN = Answer(LEAST, MOST, None, 0)


class Source(Protocol):
    """Where knowledge comes from. Answers and moves are in the orientation of the question."""

    def answer(self, position: Position) -> Answer | None:
        """Return what is known of a position, or None when it is not in the book."""

    def moves_of(self, position: Position) -> Mapping[int, Answer]:
        """Return, for the legal moves about which something is known, an answer about the position it leads to."""

    def choice(self, position: Position) -> Choice | None:
        """Return what we play in a position, or None when the source does not tell."""


class StoreSource:
    """The proof store as a source."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def answer(self, position: Position) -> Answer | None:
        """Return what is known of a position, or None when it is not in the store."""
        entry = self._store.get(position)
        return None if entry is None else entry.answer

    def moves_of(self, position: Position) -> Mapping[int, Answer]:
        """Return what is known of each legal move."""
        return self._store.moves_of(position)

    def choice(self, position: Position) -> Choice | None:
        """Return what the closure chose, or None."""
        return None if position.is_over else self._store.choice_of(position)


class BookSource:
    """The compressed book as a source: verdicts and moves, no values and no costs."""

    def __init__(self, book: Book) -> None:
        self._book = book

    def answer(self, position: Position) -> Answer | None:
        """Return what is known of a position, or None when it is not in the book."""
        entry = self._book.get(position)
        return None if entry is None else Answer(entry.lo, entry.hi, entry.move, 0)

    def moves_of(self, position: Position) -> Mapping[int, Answer]:
        """Return what is known of each legal move."""
        known = {}
        for move in position.legal_moves():
            child = position.play(move)
            answer = _final(child) if child.is_over else self.answer(child)
            if answer is not None:
                known[move] = answer
        return known

    def choice(self, position: Position) -> None:
        """Return None: what a book knows of a position is what we play there."""


@dataclass(frozen=True)
class Knowledge:
    """What a source knows about a position.

    answer: bounds and best move; a finished game's score; None when the position is not in the book.
    pv: the principal variation, best moves for as long as the source knows them.
    moves: what is known of each legal move, by move.
    choice: what we play, where the source tells it.
    """

    position: Position
    answer: Answer | None
    pv: list[int]
    moves: dict[int, "Knowledge"]
    choice: Choice | None = None


def ask(source: Source, position: Position) -> Knowledge:
    """Return what ``source`` knows about ``position`` and its moves; the moves' own ``moves`` stay empty."""
    moves = {}
    for move, answer in source.moves_of(position).items():
        child = position.play(move)
        moves[move] = Knowledge(child, answer, _variation(source, child, answer), {})
    answer_here = _final(position) if position.is_over else source.answer(position)
    variation = _variation(source, position, answer_here)
    return Knowledge(position, answer_here, variation, moves, source.choice(position))


def _final(position: Position) -> Answer:
    return Answer(position.margin, position.margin, None, 0)


def _variation(source: Source, position: Position, answer: Answer | None) -> list[int]:
    moves: list[int] = []
    while answer is not None and answer.best is not None:
        moves.append(answer.best)
        position = position.play(answer.best)
        answer = None if position.is_over else source.answer(position)
    return moves


def knowledge_record(knowledge: Knowledge) -> dict[str, Any]:
    """Return the keys that scripts read, the same for the position and for each of its moves.

    ``source`` is ``book`` or ``none``; a finished game is ``none`` with the score on the board as value.
    """
    known = knowledge.answer is not None and not knowledge.position.is_over
    answer = answer_record(knowledge.answer or _UNKNOWN, "book" if known else "none")
    moves = {move_name(move): knowledge_record(child) for move, child in knowledge.moves.items()}
    pv = [move_name(move) for move in knowledge.pv]
    ends = {key: answer.pop(key) for key in ("nodes", "source")}
    return {**to_record(knowledge.position), **answer, "pv": pv, "moves": moves, **ends}


def knowledge_text(knowledge: Knowledge) -> str:
    """Return the board and what is known about it, for people."""
    position = knowledge.position
    lines = [_heading(position), position.diagram(), "", verdict(position, knowledge.answer)]
    if knowledge.answer is not None and knowledge.answer.best is not None:
        lines.append(f"{_move_label(position, knowledge.answer)}: {move_name(knowledge.answer.best)}")
        if knowledge.answer.winner is not None:
            lines.append("Principal variation: " + " ".join(move_name(move) for move in knowledge.pv))
    if knowledge.choice is not None:
        lines.append(f"We play: {_choice_text(knowledge.choice)}")
    if knowledge.moves:
        lines.append("Known moves:")
        lines += [_move_line(position, moves) for moves in _alike(_by_worth(knowledge))]
    return "\n".join(lines)


def _choice_text(choice: Choice) -> str:
    name = move_name(choice.move)
    if choice.chance is not None:
        return f"{name}, a trap: a modelled opponent errs later on with a chance of {choice.chance:.1%}"
    if choice.solver_nodes is not None:
        return f"{name}, which the player finds by itself in {choice.solver_nodes:,} nodes"
    return f"{name}, by the book"


def _heading(position: Position) -> str:
    if position.is_over:
        return "The game is over."
    passed = ", after a PASS" if position.passed else ""
    mark = "X" if position.black_to_move else "O"
    return f"Ply {position.ply} of 24, {COLOURS[position.mover]} ({mark}) to move{passed}."


def verdict(mover_of: Position, answer: Answer | None) -> str:
    """Return in words what is known, and what it means for the mover of ``mover_of``."""
    if answer is None:
        return "Not in the book."
    if mover_of.is_over:
        return f"{COLOURS[mover_of.winner]} has won: {_value(answer)}."
    if answer.winner is None:
        return f"In the book, undecided: {_value(answer)}."
    outcome = "wins" if answer.winner == mover_of.mover else "loses"
    return f"Proven: {outcome} for the mover, {COLOURS[answer.winner]} wins: {_value(answer)}."


def _move_label(position: Position, answer: Answer) -> str:
    """Return what the move is that goes with an answer: only a proven win makes it the best."""
    if answer.winner is None:
        return "Most promising so far"
    return "Best move" if answer.winner == position.mover else "Move, though all lose"


def _value(answer: Answer) -> str:
    if answer.value is not None:
        return f"value {answer.value:+d}"
    if answer.lo == LEAST:
        return "value unknown" if answer.hi == MOST else f"value at most {answer.hi:+d}"
    if answer.hi == MOST:
        return f"value at least {answer.lo:+d}"
    return f"value {answer.lo:+d} to {answer.hi:+d}"


def _alike(moves: Iterable[tuple[int, Knowledge]]) -> list[list[tuple[int, Knowledge]]]:
    """Return the moves in groups that lead to the same position but for a turn or a reflection."""
    groups: dict[int, list[tuple[int, Knowledge]]] = {}
    for move, child in moves:
        groups.setdefault(canonical_key(child.position), []).append((move, child))
    return list(groups.values())


def _move_line(position: Position, moves: Sequence[tuple[int, Knowledge]]) -> str:
    move, child = moves[0]
    others = f" (and {len(moves) - 1} alike)" if len(moves) > 1 else ""
    return f"  {move_name(move) + others:17}  {verdict(position, child.answer)}"


def _by_worth(knowledge: Knowledge) -> list[tuple[int, Knowledge]]:
    """Return the moves, those best for the mover first."""
    sign = 1 if knowledge.position.black_to_move else -1

    def worth(item: tuple[int, Knowledge]) -> int:
        answer = item[1].answer or _UNKNOWN
        return -sign * (answer.lo + answer.hi)

    return sorted(knowledge.moves.items(), key=worth)
