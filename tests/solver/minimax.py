"""An independent implementation of the rules, and a plain minimax, on strings of 25 characters.

This module does not use the solver. A board is a string of ``.``, ``X`` and ``O``, row by row; a move is an index into
it, or None for PASS. Ko is the host's rule: a stone may not recreate the board that stood before the opponent's last
move.
"""

from functools import cache
from typing import NamedTuple

SIZE = 5


class State(NamedTuple):
    """A state of a game. ``before`` is the board before the last ply, which is equal to ``board`` after a PASS."""

    board: str
    before: str
    mover: str
    left: int
    passed: bool


START = State("." * SIZE * SIZE, "." * SIZE * SIZE, "X", SIZE * SIZE - 1, False)


def adjacent(point: int) -> list[int]:
    row, column = divmod(point, SIZE)
    steps = [(row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)]
    return [SIZE * r + c for r, c in steps if 0 <= r < SIZE and 0 <= c < SIZE]


def chain(board: list[str], point: int) -> tuple[set[int], bool]:
    """Return the stones connected to the one at ``point`` and whether they have a liberty."""
    found, queue, breathes = {point}, [point], False
    while queue:
        for near in adjacent(queue.pop()):
            if board[near] == ".":
                breathes = True
            elif board[near] == board[point] and near not in found:
                found.add(near)
                queue.append(near)
    return found, breathes


def after(state: State, move: int | None) -> State | None:
    """Return the state after a move, or None if the move is illegal."""
    other = "O" if state.mover == "X" else "X"
    if move is None:
        # The host ends the game after a PASS if the board is equal to the board before.
        left = 0 if state.board == state.before else state.left - 1
        return State(state.board, state.board, other, left, True)
    if state.board[move] != ".":
        return None
    board = list(state.board)
    board[move] = state.mover
    for near in adjacent(move):
        if board[near] == other:
            stones, breathes = chain(board, near)
            if not breathes:
                for stone in stones:
                    board[stone] = "."
    if not chain(board, move)[1]:
        return None
    result = "".join(board)
    if result == state.before:
        return None
    return State(result, state.board, other, state.left - 1, False)


def successors(state: State) -> list[tuple[int | None, State]]:
    children = [(move, after(state, move)) for move in [*range(SIZE * SIZE), None]]
    return [(move, child) for move, child in children if child is not None]


@cache
def value(state: State) -> int:
    """Return the number of stones of X less those of O at the end under best play."""
    if state.left == 0:
        return state.board.count("X") - state.board.count("O")
    values = [value(child) for _, child in successors(state)]
    return max(values) if state.mover == "X" else min(values)
