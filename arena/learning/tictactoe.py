"""Tic-tac-toe, the assignment's example for Q-learning, and players of three strengths.

A state consists of two bit sets, the points of X and the points of O. X is player 1 and moves first. Moves are points::

    0 1 2
    3 4 5
    6 7 8
"""

from collections.abc import Callable
from functools import cache
from random import Random
from typing import NamedTuple

from little_go.arena.learning.learner import DRAW, KeyedMove, Rules
from little_go.solver.position import SIZE
from little_go.solver.symmetry import POINT_IMAGE

SIDE = 3
POINTS = SIDE * SIDE
_FULL = (1 << POINTS) - 1

_ROWS = [0b111 << SIDE * i for i in range(SIDE)]
_COLUMNS = [0b001_001_001 << j for j in range(SIDE)]
LINES = (*_ROWS, *_COLUMNS, 0b100_010_001, 0b001_010_100)


class TicTacToeBoard(NamedTuple):
    """A board, as two bit sets: x contains the points of X, and o contains the points of O."""

    x: int = 0
    o: int = 0

    @property
    def x_to_move(self) -> bool:
        """Whether X is to move."""
        return self.x.bit_count() == self.o.bit_count()

    @property
    def moves(self) -> list[int]:
        """The empty points, in ascending order."""
        return [point for point in range(POINTS) if not (self.x | self.o) >> point & 1]

    @property
    def winner(self) -> int | None:
        """1 if X has won, 2 if O has won, DRAW if the board is full without a winner, or None if the game goes on."""
        if _has_line(self.x):
            return 1
        if _has_line(self.o):
            return 2
        return DRAW if self.x | self.o == _FULL else None

    def play(self, move: int) -> "TicTacToeBoard":
        """Return the board with the mover's mark on an empty point."""
        mark = 1 << move
        return TicTacToeBoard(self.x | mark, self.o) if self.x_to_move else TicTacToeBoard(self.x, self.o | mark)


def play_random(board: TicTacToeBoard, rng: Random) -> int:
    """Return a random empty point."""
    return rng.choice(board.moves)


def play_smart(board: TicTacToeBoard, rng: Random) -> int:
    """Return a point that completes a line, or else a point that blocks a line, or else any empty point."""
    mine, theirs = (board.x, board.o) if board.x_to_move else (board.o, board.x)
    wins = [move for move in board.moves if _has_line(mine | 1 << move)]
    blocks = [move for move in board.moves if _has_line(theirs | 1 << move)]
    return rng.choice(wins or blocks or board.moves)


def play_perfect(board: TicTacToeBoard, rng: Random) -> int:
    """Return one of ``perfect_moves``, drawn at random."""
    return rng.choice(perfect_moves(board))


@cache
def perfect_moves(board: TicTacToeBoard) -> tuple[int, ...]:
    """Return the moves with the best result under best play, by minimax."""
    results = {move: -_best_result(board.play(move)) for move in board.moves}
    most = max(results.values())
    return tuple(move for move, result in results.items() if result == most)


#: Maps the names of players in the assignment to the functions that play for them.
PLAYERS: dict[str, Callable[[TicTacToeBoard, Random], int]] = {
    "RandomPlayer": play_random,
    "SmartPlayer": play_smart,
    "PerfectPlayer": play_perfect,
}


@cache
def _best_result(board: TicTacToeBoard) -> int:
    """Return the mover's result under best play: 1 for a win, 0 for a draw, -1 for a loss."""
    winner = board.winner
    if winner is not None:
        # Only the side that has just moved can have completed a line.
        return 0 if winner == DRAW else -1
    return max(-_best_result(board.play(move)) for move in board.moves)


def _has_line(points: int) -> bool:
    return any(points & line == line for line in LINES)


#: The points of the middle of the 5x5 board. This 3x3 board has the same symmetries as the 5x5 board.
_MIDDLE = [SIZE * i + j for i in (1, 2, 3) for j in (1, 2, 3)]
_IMAGES = [[1 << _MIDDLE.index(image[point]) for point in _MIDDLE] for image in POINT_IMAGE]


def _key(board: TicTacToeBoard) -> int:
    """Return the key of a board, which is the smallest number of its eight symmetric copies.

    The higher bits of a copy's number are the points of O, and the lower bits are the points of X.
    """

    def turned(image: list[int], points: int) -> int:
        return sum(bit for point, bit in enumerate(image) if points >> point & 1)

    return min(turned(image, board.o) << POINTS | turned(image, board.x) for image in _IMAGES)


# All choices are cached, because there are few boards and each board occurs often.
@cache
def _choices(board: TicTacToeBoard) -> tuple[KeyedMove, ...]:
    return tuple(KeyedMove(move, _key(board.play(move))) for move in board.moves)


#: The rules of tic-tac-toe for a learner. The key of a move is the key of the board after the move, so moves to
#: symmetric boards share a value.
TIC_TAC_TOE = Rules(
    TicTacToeBoard(),
    _choices,
    TicTacToeBoard.play,
    mover=lambda board: 1 if board.x_to_move else 2,
    winner=lambda board: board.winner,
)
