"""A book of whatever game it names: the player's reader is told which game it plays."""

import json
from contextlib import suppress
from pathlib import Path

from book.files.reader import MoveBook, book_rules, read_book
from runtime.files import MIB, read_file
from solver.family import COURSE, Variant


def read_named_book(path: Path) -> tuple[MoveBook, Variant]:
    """Return a book and its game; raises BookError, as read_book() does of the course's where no game is named."""
    game = COURSE
    # What is wrong with the file, read_book() tells.
    with suppress(OSError, ValueError, TypeError, LookupError, RecursionError):
        rules = json.loads(read_file(path, 256 * MIB))["rules"]
        named = Variant(rules["plies"], rules["komi"])
        named.check()
        if rules == book_rules(named):
            game = named
    return read_book(str(path), game), game
