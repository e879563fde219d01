"""Write the files of the host: the module ``write`` that the assignment lets programs import.

This is Little-Go's own version, with the names that students' programs use. The module runs on Python 3.7.
"""


def writeOutput(result, path="output.txt"):
    """Write an answer, which is a pair of row and column, or ``"PASS"``."""
    text = result if isinstance(result, str) else "{},{}".format(result[0], result[1])
    with open(path, "w") as file:
        file.write(text)


def writePass(path="output.txt"):
    """Write a PASS."""
    writeOutput("PASS", path)


def writeNextInput(piece_type, previous_board, board, path="input.txt"):
    """Write the input.txt of the next move: the colour to move, the board before the last move, and the board now."""
    rows = ["".join(str(stone) for stone in row) for row in (*previous_board, *board)]
    with open(path, "w") as file:
        file.write("\n".join([str(piece_type)] + rows))
