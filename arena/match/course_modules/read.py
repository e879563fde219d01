"""Read the files of the host: the module ``read`` that the assignment lets programs import.

Written for Little-Go from the names that programs use; needs Python 3.7 and nothing else.
"""


def readInput(n, path="input.txt"):
    """Return the colour to move, the board before the opponent's move and the board now, each of n rows."""
    with open(path) as file:
        lines = [line.strip() for line in file]
    boards = [[[int(digit) for digit in line] for line in lines[first : first + n]] for first in (1, n + 1)]
    return int(lines[0]), boards[0], boards[1]


def readOutput(path="output.txt"):
    """Return ``"MOVE", row, column``, or ``"PASS", -1, -1``; raises ValueError for another text."""
    with open(path) as file:
        fields = file.readline().strip().split(",")
    if fields[0] == "PASS":
        return "PASS", -1, -1
    return "MOVE", int(fields[0]), int(fields[1])
