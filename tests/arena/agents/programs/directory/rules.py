"""The rules of Little-Go, on boards of 25 digits."""


def neighbours(point):
    row, column = divmod(point, 5)
    for i, j in ((row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)):
        if 0 <= i < 5 and 0 <= j < 5:
            yield 5 * i + j


def breathes(board, point):
    group, todo = {point}, [point]
    while todo:
        for near in neighbours(todo.pop()):
            if board[near] == "0":
                return True
            if board[near] == board[point] and near not in group:
                group.add(near)
                todo.append(near)
    return False


def is_legal(colour, before, board, point):
    if board[point] != "0":
        return False
    placed = board[:point] + colour + board[point + 1 :]
    other = "3" if colour == "0" else str(3 - int(colour))
    dead = [near for near in range(25) if placed[near] == other and not breathes(placed, near)]
    left = "".join("0" if near in dead else digit for near, digit in enumerate(placed))
    return breathes(left, point) and left != before
