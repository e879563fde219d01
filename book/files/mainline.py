"""The principal variation: one line of best play for both sides, from the empty board to the end.

Often several moves are best; the line takes the least of them each time, PASS last. docs/SOLUTION.md draws it. Every
position on it is worth VALUE, and so is every image of one.
"""

from solver.position import parse_moves

#: Stones Black - White at the end.
VALUE = 3

MAIN_LINE: tuple[int, ...] = tuple(
    parse_moves("2,2 1,1 1,2 3,1 2,1 3,2 3,0 1,0 0,1 2,0 0,0 2,3 0,2 1,3 0,3 2,4 0,4 3,3 1,0 1,4 2,0 3,4 4,0 4,1")
)
