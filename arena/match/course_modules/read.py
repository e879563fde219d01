"""Read the files of the host: the module ``read`` that the assignment lets programs import.

This is Little-Go's own version, with the names that students' programs use. The module runs on Python 3.7.
"""


def readInput(n, path="input.txt"):
    """Return the colour to move, the board before the opponent's move, and the board now. Each board has n rows."""
    with open(path) as file:
        lines = [line.strip() for line in file]
    boards = [[[int(digit) for digit in line] for line in lines[first : first + n]] for first in (1, n + 1)]
    return int(lines[0]), boards[0], boards[1]


def readOutput(path="output.txt"):
    """Return ``"MOVE", row, column``, or ``"PASS", -1, -1``.

    Raise ValueError or IndexError if the text is not a move.
    """
    with open(path) as file:
        fields = file.readline().strip().split(",")
    if fields[0] == "PASS":
        return "PASS", -1, -1
    return "MOVE", int(fields[0]), int(fields[1])
