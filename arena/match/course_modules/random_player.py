"""A player that chooses one of the legal moves at random.

Copy this file as my_player3.py, and replace get_input() by your own function.
"""

import random

from host import GO
from read import readInput
from write import writeOutput


class RandomPlayer:
    """A player that moves at random."""

    def __init__(self):
        self.type = "random"

    def get_input(self, go, piece_type):
        """Return a legal move, or "PASS" if there is none."""
        moves = [
            (i, j)
            for i in range(go.size)
            for j in range(go.size)
            if go.valid_place_check(i, j, piece_type, test_check=True)
        ]
        return random.choice(moves) if moves else "PASS"


if __name__ == "__main__":
    N = 5
    piece_type, previous_board, board = readInput(N)
    go = GO(N)
    go.set_board(piece_type, previous_board, board)
    writeOutput(RandomPlayer().get_input(go, piece_type))
