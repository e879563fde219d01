"""An agent in several files: it plays the first point in its list that its rules allow."""

from read import read_points
from rules import is_legal
from write import write_point

if __name__ == "__main__":
    colour, before, board = read_points("input.txt")
    with open("order.txt") as file:
        points = [int(word) for word in file.read().split()]
    write_point("output.txt", next((point for point in points if is_legal(colour, before, board, point)), None))
