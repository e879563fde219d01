"""The board of a game: the module ``host`` that the assignment lets programs import.

This is Little-Go's own version, with the names that students' programs use. The module runs on Python 3.7. A board is a
list of rows; a stone is 1 (Black, X) or 2 (White, O), and an empty point is 0.
"""

import sys
from copy import deepcopy

from read import readInput, readOutput
from write import writeNextInput

EMPTY, BLACK, WHITE = 0, 1, 2
SIGNS = {EMPTY: " ", BLACK: "X", WHITE: "O"}


class GO:
    """A board with the rules of the course.

    board: the board now. previous_board: the board before the last move. died_pieces: the points at which the last move
    captured stones. X_move: whether Black moves next. n_move: the number of moves so far. max_move: the number of moves
    after which the game ends. komi: the points that White gets in addition to the stones.
    """

    def __init__(self, n):
        """Begin a game on an empty board of n rows and n columns."""
        self.n = self.size = n
        self.max_move = n * n - 1
        self.komi = n / 2
        self.verbose = False
        self.init_board(n)

    def init_board(self, n):
        """Empty the board and begin a game."""
        self.board, self.previous_board = ([[EMPTY] * n for _ in range(n)] for _ in range(2))
        self.died_pieces = []
        self.X_move = True
        self.n_move = 0

    def set_board(self, piece_type, previous_board, board):
        """Set both boards from input.txt, before a move of the colour piece_type."""
        self.died_pieces = [
            (i, j)
            for i in range(self.size)
            for j in range(self.size)
            if previous_board[i][j] == piece_type and board[i][j] != piece_type
        ]
        self.previous_board = previous_board
        self.board = board

    def compare_board(self, board1, board2):
        """Return whether two boards are equal."""
        return all(board1[i][j] == board2[i][j] for i in range(self.size) for j in range(self.size))

    def copy_board(self):
        """Return a copy of this object that shares nothing with it."""
        return deepcopy(self)

    def update_board(self, new_board):
        """Replace the board."""
        self.board = new_board

    def detect_neighbor(self, i, j):
        """Return the points next to a point."""
        around = ((i - 1, j), (i + 1, j), (i, j - 1), (i, j + 1))
        return [(x, y) for x, y in around if 0 <= x < self.size and 0 <= y < self.size]

    def detect_neighbor_ally(self, i, j):
        """Return the points next to a stone that have stones of the same colour."""
        colour = self.board[i][j]
        return [(x, y) for x, y in self.detect_neighbor(i, j) if self.board[x][y] == colour]

    def ally_dfs(self, i, j):
        """Return the points of a stone's group."""
        group, todo = [], [(i, j)]
        seen = {(i, j)}
        while todo:
            point = todo.pop()
            group.append(point)
            for other in self.detect_neighbor_ally(*point):
                if other not in seen:
                    seen.add(other)
                    todo.append(other)
        return group

    def find_liberty(self, i, j):
        """Return whether a stone's group has a liberty."""
        return any(self.board[x][y] == EMPTY for stone in self.ally_dfs(i, j) for x, y in self.detect_neighbor(*stone))

    def find_died_pieces(self, piece_type):
        """Return the stones of a colour that have no liberty."""
        dead, seen = [], set()
        for i in range(self.size):
            for j in range(self.size):
                if self.board[i][j] == piece_type and (i, j) not in seen:
                    group = self.ally_dfs(i, j)
                    seen.update(group)
                    if not self.find_liberty(i, j):
                        dead += group
        return sorted(dead)

    def remove_died_pieces(self, piece_type):
        """Remove the stones of a colour that have no liberty, and return their points."""
        dead = self.find_died_pieces(piece_type)
        self.remove_certain_pieces(dead)
        return dead

    def remove_certain_pieces(self, positions):
        """Remove the stones at these points."""
        for i, j in positions:
            self.board[i][j] = EMPTY

    def place_chess(self, i, j, piece_type):
        """Place a stone if the move is legal, and return whether it is.

        Captured stones stay on the board, so the caller removes them by ``died_pieces = remove_died_pieces(3 -
        piece_type)``.
        """
        if not self.valid_place_check(i, j, piece_type):
            return False
        self.previous_board = deepcopy(self.board)
        self.board[i][j] = piece_type
        return True

    def valid_place_check(self, i, j, piece_type, test_check=False):
        """Return whether a stone may be placed. With ``verbose`` and without test_check, print why it may not."""
        fault = self._fault(i, j, piece_type)
        if fault and self.verbose and not test_check:
            print("Invalid placement:", fault)
        return not fault

    def _fault(self, i, j, piece_type):
        """Return the reason why a stone may not be placed, or "" if it may."""
        if not 0 <= i < self.size or not 0 <= j < self.size:
            return "{},{} is not on the board.".format(i, j)
        if self.board[i][j] != EMPTY:
            return "there is a stone at {},{}.".format(i, j)
        after = GO(self.size)
        after.board = [list(row) for row in self.board]
        after.board[i][j] = piece_type
        if after.find_liberty(i, j):
            return ""
        after.remove_died_pieces(3 - piece_type)
        if not after.find_liberty(i, j):
            return "the stone at {},{} would have no liberty.".format(i, j)
        if self.died_pieces and self.compare_board(self.previous_board, after.board):
            return "{},{} would bring back the board before the last move (KO).".format(i, j)
        return ""

    def game_end(self, piece_type, action="MOVE"):
        """Return whether the game is over, which it is after max_move moves, or after two PASSes in a row."""
        passed_twice = action == "PASS" and self.compare_board(self.previous_board, self.board)
        return self.n_move >= self.max_move or passed_twice

    def score(self, piece_type):
        """Return the number of stones of a colour."""
        return sum(1 for row in self.board for stone in row if stone == piece_type)

    def judge_winner(self):
        """Return the colour that has won, or 0 for a tie. White's score includes the komi."""
        margin = self.score(BLACK) - self.score(WHITE) - self.komi
        return BLACK if margin > 0 else WHITE if margin < 0 else 0

    def visualize_board(self):
        """Print the board."""
        line = "-" * 2 * len(self.board)
        print(line)
        for row in self.board:
            print(" ".join(SIGNS[stone] for stone in row))
        print(line)

    def play(self, player1, player2, verbose=False):
        """Play a game between two objects with a method get_input(go, piece_type), and return the winner.

        If a move is not legal, the player is called again.
        """
        self.init_board(self.size)
        self.verbose = verbose
        over = False
        while not over:
            piece_type = BLACK if self.X_move else WHITE
            action = (player1 if self.X_move else player2).get_input(self, piece_type)
            if action != "PASS" and not self.place_chess(action[0], action[1], piece_type):
                continue
            self.n_move += 1
            self.X_move = not self.X_move
            if action == "PASS":
                over = self.game_end(piece_type, action)
                self.previous_board = deepcopy(self.board)
            else:
                self.died_pieces = self.remove_died_pieces(3 - piece_type)
                over = self.game_end(piece_type)
            if verbose:
                self.visualize_board()
        return self.judge_winner()


def judge(n_move, verbose=False):
    """Judge the move in output.txt on the board of input.txt, and write the next input.txt.

    This function ends the process. The exit code is 0 if the game continues, 1 or 2 for the colour that has won, and 3
    for a tie.
    """
    size = 5
    piece_type, previous_board, board = readInput(size)
    go = GO(size)
    go.verbose = verbose
    go.set_board(piece_type, previous_board, board)
    go.n_move = n_move
    try:
        action, i, j = readOutput()
    except (OSError, ValueError, IndexError):
        print("output.txt is missing or has no move")
        sys.exit(3 - piece_type)
    if action == "MOVE":
        if not go.place_chess(i, j, piece_type):
            sys.exit(3 - piece_type)
        go.died_pieces = go.remove_died_pieces(3 - piece_type)
    if verbose:
        go.visualize_board()
    if go.game_end(piece_type, action):
        sys.exit(go.judge_winner() or 3)
    if action == "PASS":
        go.previous_board = go.board
    writeNextInput(3 - piece_type, go.previous_board, go.board)
    sys.exit(0)
