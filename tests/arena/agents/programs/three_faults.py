"""A student's agent with three planted faults: it opens with 1,1, ignores the ko rule, and once searches for ever."""

SIZE = 5


def read():
    with open("input.txt") as file:
        lines = file.read().split()
    return int(lines[0]), [list(map(int, line)) for line in lines[6:11]]


def group_at(board, start):
    """Return the points of a group, and whether it has a liberty."""
    group, left, free = {start}, [start], False
    while left:
        row, column = left.pop()
        for near in ((row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)):
            if not (0 <= near[0] < SIZE and 0 <= near[1] < SIZE) or near in group:
                continue
            stone = board[near[0]][near[1]]
            if stone == 0:
                free = True
            elif stone == board[start[0]][start[1]]:
                group.add(near)
                left.append(near)
    return group, free


def taken_by(board, side, point):
    """Return how many stones a move captures, or None if the move is suicide."""
    after = [row[:] for row in board]
    after[point[0]][point[1]] = side
    taken = set()
    for row in range(SIZE):
        for column in range(SIZE):
            if after[row][column] == 3 - side:
                group, free = group_at(after, (row, column))
                if not free:
                    taken |= group
    # Fault 1: the previous board is not compared, so the ko rule is ignored.
    if not taken and not group_at(after, point)[1]:
        return None
    return len(taken)


def choose(side, board):
    empty = [(row, column) for row in range(SIZE) for column in range(SIZE) if not board[row][column]]
    if len(empty) == SIZE * SIZE:
        return 1, 1  # Fault 2: only 2,2 wins.
    if side == 2 and len(empty) == SIZE * SIZE - 13:
        while True:  # Fault 3: a search without a limit.
            pass
    gains = {point: taken_by(board, side, point) for point in empty}
    legal = [point for point in empty if gains[point] is not None]
    return max(legal, key=lambda point: (gains[point], -abs(point[0] - 2) - abs(point[1] - 2)), default=None)


move = choose(*read())
with open("output.txt", "w") as file:
    file.write("PASS" if move is None else "{},{}".format(*move))
