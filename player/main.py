"""Answer a call of the host: read ``input.txt``, and write ``output.txt``.

The module is part of ``my_player3.py`` and must run with Python 3.7.
"""

import os
import sys
from typing import List, Optional

from little_go.book.files.reader import BookError, MoveBook, read_book
from little_go.notation.faults import NotationError
from little_go.notation.host_file import INPUT_FILE, MOST_INPUT_BYTES, OUTPUT_FILE, Question, parse_question
from little_go.player.choose import choose_unsure, possible_positions, quick_move
from little_go.player.clock import Clock, clock_from
from little_go.player.memory import PlyMemory
from little_go.runtime.plain import read_plain, remove_plain, write_plain
from little_go.solver.family import COURSE, Variant
from little_go.solver.position import move_name

BOOK_FILE = "book.json"

#: The game of the player. The module player.build can replace it by another game.
GAME = COURSE


def main() -> int:
    """Answer ``input.txt`` in the working directory with ``output.txt``, and return the exit code.

    The exit code is 0 if a legal move was written, 1 if the move could not be written, and 2 if ``input.txt`` could not
    be read. If the exit code is 1 or 2, an old ``output.txt`` is removed. After any other fault the player prints one
    line on standard error, and still writes a move. If the board cannot occur in a game, the player answers without a
    search.
    """
    try:
        question = read_question(INPUT_FILE, GAME)
    except NotationError as error:
        _warn("{}: {}".format(INPUT_FILE, error))
        _remove_old_move()
        return 2
    early = quick_move(question.position(question.least_ply), GAME)
    try:
        # Write an early move, which the host accepts even if it later stops the player.
        write_move(OUTPUT_FILE, early)
    except OSError as error:
        _warn("{}: {}".format(OUTPUT_FILE, error.strerror))
        _remove_old_move()
        return 1
    if question.fault is not None:
        _warn("{}: played at once: {}".format(INPUT_FILE, question.fault))
        return 0
    try:
        _improve(question, early)
    except Exception as error:
        _warn("played at once after an internal error: {!r}".format(error))
    return 0


def read_question(path: str, game: Variant) -> Question:
    """Return the content of ``input.txt``. Raise NotationError if the file cannot be read or is invalid."""
    try:
        content = read_plain(path, MOST_INPUT_BYTES)
    except OSError as error:
        raise NotationError("damaged", "cannot be read: {}".format(error.strerror)) from None
    return parse_question(content, game)


def write_move(path: str, move: int) -> None:
    """Write ``output.txt``, in a single step if the file system allows this. Raise OSError if the file cannot be
    written.
    """
    write_plain(path, move_name(move).encode("ascii"))


def find_book(directories: List[str]) -> Optional[MoveBook]:
    """Return the book in the first directory that contains a book. If there is no valid book, print a line."""
    paths = [os.path.join(directory, BOOK_FILE) for directory in directories]
    path = next((path for path in paths if os.path.exists(path)), None)
    if path is None:
        _warn("{}: not found: playing without a book".format(BOOK_FILE))
        return None
    try:
        return read_book(path, GAME)
    except BookError as error:
        _warn("{}: playing without a book".format(error))
        return None


def _improve(question: Question, early: int) -> None:
    here = os.getcwd()
    beside = os.path.dirname(os.path.abspath(sys.argv[0]))
    memory = PlyMemory([here, beside])
    ply, certain = memory.recall(question)
    position = question.position(ply)
    positions = [position] if certain else possible_positions(position, question.least_ply)
    # Record the early move before the search, so that the records contain the played move even if the host stops the
    # player.
    memory.note(position, early)
    move = choose_unsure(positions, _clock(), find_book([beside, here]), game=GAME).move
    if move != early:
        memory.note(position, move)
        write_move(OUTPUT_FILE, move)


def _clock() -> Clock:
    try:
        return clock_from()
    except ValueError as error:
        _warn(str(error))
        return Clock()


def _remove_old_move() -> None:
    """Remove an old ``output.txt``, because the host would accept it as the answer."""
    try:
        remove_plain(OUTPUT_FILE)
    except OSError as error:
        _warn("{}: the old file cannot be removed: {}".format(OUTPUT_FILE, error.strerror))


def _warn(line: str) -> None:
    try:
        if sys.stderr is not None:
            print("little-go: " + line, file=sys.stderr, flush=True)
    except (OSError, ValueError):
        # If sys.stderr is not None, Python flushes it again when the process exits, and changes the exit code.
        sys.stderr = None


if __name__ == "__main__":
    sys.exit(main())
