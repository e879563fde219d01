"""One call of the host, from ``input.txt`` to ``output.txt``; part of ``my_player3.py``, Python 3.7."""

import os
import sys
from typing import List, Optional

from book.files.reader import BookError, MoveBook, read_book
from notation.faults import NotationError
from notation.host_file import INPUT_FILE, MOST_INPUT_BYTES, OUTPUT_FILE, Question, parse_question
from player.choose import choose_unsure, possible_positions, quick_move
from player.clock import Clock, clock_from
from player.memory import PlyMemory
from runtime.plain import read_plain, remove_plain, write_plain
from solver.family import COURSE, Variant
from solver.position import move_name

BOOK_FILE = "book.json"

#: The game that is played; player.build puts another one here.
GAME = COURSE


def main() -> int:
    """Answer ``input.txt`` in the working directory with ``output.txt``, and return the exit code.

    0: a legal move was written. 1: it could not be written. 2: ``input.txt`` cannot be read, and nothing was written.
    With 1 and 2 no old move is left standing. Any other fault costs one line on standard error, not the move: boards
    that no game can show are answered at once.
    """
    try:
        question = read_question(INPUT_FILE, GAME)
    except NotationError as error:
        _complain("{}: {}".format(INPUT_FILE, error))
        _withdraw()
        return 2
    early = quick_move(question.position(question.least_ply), GAME)
    try:
        # The host takes any file, even from a player that it stopped.
        write_move(OUTPUT_FILE, early)
    except OSError as error:
        _complain("{}: {}".format(OUTPUT_FILE, error.strerror))
        _withdraw()
        return 1
    if question.fault is not None:
        _complain("{}: played at once: {}".format(INPUT_FILE, question.fault))
        return 0
    try:
        _improve(question, early)
    except Exception as error:
        _complain("played at once after an internal error: {!r}".format(error))
    return 0


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


def find_book(directories: List[str]) -> Optional[MoveBook]:
    """Return the book in the first directory that has one; without a sound one, print a line and return None."""
    paths = [os.path.join(directory, BOOK_FILE) for directory in directories]
    path = next((path for path in paths if os.path.exists(path)), None)
    if path is None:
        _complain("no {}: playing without".format(BOOK_FILE))
        return None
    try:
        return read_book(path, GAME)
    except BookError as error:
        _complain("{}: playing without a book".format(error))
        return None


def _improve(question: Question, early: int) -> None:
    """Replace the early move by the chosen one, and note the ply."""
    here = os.getcwd()
    beside = os.path.dirname(os.path.abspath(sys.argv[0]))
    memory = PlyMemory([here, beside])
    ply, certain = memory.recall(question)
    position = question.position(ply)
    positions = [position] if certain else possible_positions(position, question.least_ply)
    # Killed at any moment, the player has played one of the moves noted.
    memory.note(position, early)
    move = choose_unsure(positions, _clock(), find_book([beside, here]), game=GAME).move
    if move != early:
        memory.note(position, move)
        write_move(OUTPUT_FILE, move)


def _clock() -> Clock:
    try:
        return clock_from()
    except ValueError as error:
        _complain(str(error))
        return Clock()


def _withdraw() -> None:
    """Leave no old move standing, which the host would take for the answer."""
    try:
        remove_plain(OUTPUT_FILE)
    except OSError as error:
        _complain("{}: an old one cannot be removed: {}".format(OUTPUT_FILE, error.strerror))


def _complain(line: str) -> None:
    try:
        if sys.stderr is not None:
            print("little-go: " + line, file=sys.stderr, flush=True)
    except (OSError, ValueError):
        # Python would try again at the end, and fail by its exit code.
        sys.stderr = None


if __name__ == "__main__":
    sys.exit(main())
