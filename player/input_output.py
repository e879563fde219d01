"""``input.txt`` and ``output.txt``; part of ``my_player3.py``, Python 3.7."""

from notation.faults import NotationError
from notation.host_file import MOST_INPUT_BYTES, Question, parse_question
from runtime.plain import read_plain, write_plain
from solver.family import Variant
from solver.position import move_name

INPUT_FILE, OUTPUT_FILE = "input.txt", "output.txt"


def read_question(path: str, game: Variant) -> Question:
    """Read ``input.txt``; raises NotationError, also when the file cannot be read."""
    try:
        content = read_plain(path, MOST_INPUT_BYTES)
    except OSError as error:
        raise NotationError("damaged", "cannot be read: {}".format(error.strerror)) from None
    return parse_question(content, game)


def write_move(path: str, move: int) -> None:
    """Write ``output.txt``, whole or not at all if possible; raises OSError."""
    write_plain(path, move_name(move).encode("ascii"))
