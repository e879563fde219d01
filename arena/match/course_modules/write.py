"""Write the files of the host: the module ``write`` that the assignment lets programs import.

Written for Little-Go from the names that programs use; needs Python 3.7 and nothing else.
"""


def writeOutput(result, path="output.txt"):
    """Write a move, a pair of row and column, or ``"PASS"``."""
    text = result if isinstance(result, str) else "{},{}".format(result[0], result[1])
    with open(path, "w") as file:
        file.write(text)


def writePass(path="output.txt"):
    """Write a PASS."""
    writeOutput("PASS", path)


def writeNextInput(piece_type, previous_board, board, path="input.txt"):
    """Write what a program is asked next: its colour, the board before the last move, and the board now."""
    rows = ["".join(str(stone) for stone in row) for row in (*previous_board, *board)]
    with open(path, "w") as file:
        file.write("\n".join([str(piece_type)] + rows))
