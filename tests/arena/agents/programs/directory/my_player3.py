"""An agent in several files: the first point of its list on which its rules let it play."""

from read import read_points
from rules import is_legal
from write import write_point

if __name__ == "__main__":
    colour, before, board = read_points("input.txt")
    with open("order.txt") as file:
        points = [int(word) for word in file.read().split()]
    write_point("output.txt", next((point for point in points if is_legal(colour, before, board, point)), None))
