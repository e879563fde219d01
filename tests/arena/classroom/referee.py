"""An independent referee for kept games, and the points of the assignment, without any of the project's rules."""

from collections.abc import Sequence
from typing import Any

Board = list[list[int]]


def taken_off(board: Board, colour: int) -> int:
    """Remove the groups of a colour that have no liberty, and return the number of their stones."""
    gone = set()
    for i in range(5):
        for j in range(5):
            if board[i][j] == colour and (i, j) not in gone:
                group, edge = {(i, j)}, [(i, j)]
                free = False
                while edge:
                    x, y = edge.pop()
                    for u, v in ((x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)):
                        if 0 <= u < 5 and 0 <= v < 5:
                            free = free or board[u][v] == 0
                            if board[u][v] == colour and (u, v) not in group:
                                group.add((u, v))
                                edge.append((u, v))
                if not free:
                    gone |= group
    for i, j in gone:
        board[i][j] = 0
    return len(gone)


def winner_of(moves: Sequence[str], absent: bool) -> str:
    """Return the winner of a game. absent: whether the side to move after the moves gave no answer."""
    board = [[0] * 5 for _ in range(5)]
    boards = [[row[:] for row in board]]
    for number, move in enumerate(moves):
        colour = 1 + number % 2
        loses = ("White", "Black")[number % 2]
        if move == "PASS":
            if boards[-1] == (boards[-2] if len(boards) > 1 else boards[-1]):
                return by_stones(board)
        else:
            i, j = map(int, move.split(","))
            if not (0 <= i < 5 and 0 <= j < 5) or board[i][j]:
                return loses
            board[i][j] = colour
            taken_off(board, 3 - colour)
            if taken_off(board, colour):
                return loses
            if len(boards) > 1 and board == boards[-2]:
                return loses
        boards.append([row[:] for row in board])
    if absent:
        return ("White", "Black")[len(moves) % 2]
    assert len(moves) == 24
    return by_stones(board)


def by_stones(board: Board) -> str:
    black, white = (sum(row.count(colour) for row in board) for colour in (1, 2))
    return "Black" if black > white + 2.5 else "White"


#: The tables of the assignment: the full points, and the factors from 70 % and below 70 %.
TABLE = {
    "random": (25, 15, 0),
    "greedy": (25, 15, 0),
    "aggressive": (25, 20, 10),
    "alphabeta": (15, 10, 5),
    "qlearning": (5, 5, 0),
    "championship": (5, 5, 2),
}


def points_of(games: Sequence[dict[str, Any]], student: str, opponent: str, year: int) -> float:
    """Return a student's points against an opponent from the games of one repetition, which are judged again here."""
    wins = total = 0
    for game in games:
        if {game["black"], game["white"]} == {student, opponent}:
            absent = game["reason"] in ("missing", "timeout", "malformed")
            mine = "Black" if game["black"] == student else "White"
            total += 1
            wins += winner_of(game["moves"], absent) == mine
    full, fair, poor = (25, 20, 10) if (year, opponent) == (2020, "alphabeta") else TABLE[opponent]
    share = wins / total
    return float(full) if share >= 0.9 else fair * share if share >= 0.7 else poor * share
