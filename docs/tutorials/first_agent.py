# 1234567890:Ada Example
"""A first agent: it takes as many stones as it can, then seeks liberties, then the centre. Python 3.7 or newer."""


def read(path="input.txt"):
    """Return the side to play, the board before the opponent's move, and the board now."""
    with open(path) as file:
        lines = file.read().split()
    boards = [[[int(digit) for digit in row] for row in lines[at : at + 5]] for at in (1, 6)]
    return int(lines[0]), boards[0], boards[1]


def neighbours(i, j):
    """Return the points beside a point."""
    return [(a, b) for a, b in ((i - 1, j), (i + 1, j), (i, j - 1), (i, j + 1)) if 0 <= a < 5 and 0 <= b < 5]


def group(board, i, j):
    """Return the stones of a group, and its liberties."""
    stones, liberties, todo = {(i, j)}, set(), [(i, j)]
    while todo:
        for a, b in neighbours(*todo.pop()):
            if board[a][b] == 0:
                liberties.add((a, b))
            elif board[a][b] == board[i][j] and (a, b) not in stones:
                stones.add((a, b))
                todo.append((a, b))
    return stones, liberties


def play(side, board, i, j):
    """Return the board after a stone, and how many stones it takes."""
    board = [row[:] for row in board]
    board[i][j], taken = side, 0
    for a, b in neighbours(i, j):
        if board[a][b] == 3 - side:
            stones, liberties = group(board, a, b)
            if not liberties:
                taken += len(stones)
                for c, d in stones:
                    board[c][d] = 0
    return board, taken


def choose(side, before, board):
    """Return the best move by a simple score, or PASS."""
    best, move = (-1, 0, 0), "PASS"
    for i in range(5):
        for j in range(5):
            if board[i][j] == 0:
                after, taken = play(side, board, i, j)
                liberties = len(group(after, i, j)[1])
                score = (taken, liberties, -abs(i - 2) - abs(j - 2))
                # No liberties: suicide. The board of before: ko.
                if liberties > 0 and after != before and score > best:
                    best, move = score, f"{i},{j}"
    return move


if __name__ == "__main__":
    with open("output.txt", "w") as output:
        output.write(choose(*read()))
