"""Files of logged games: JSON lines, gzipped if the name ends in .gz."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

from runtime.files import UNREADABLE, open_text
from runtime.release import shipped

#: The logged games that ship.
STAFF_GAMES = shipped("data/staff_games.jsonl.gz")

Parsed = TypeVar("Parsed")


class GamesError(ValueError):
    """A file of games that cannot be used; the message is one line that names the file."""


def read_games(path: Path, parse: Callable[[dict[str, Any]], Parsed]) -> list[Parsed]:
    """Parse each line's object with ``parse``.

    Raises GamesError when the file cannot be read, or names the first line for which ``parse`` raises ValueError,
    KeyError or TypeError.
    """
    try:
        with open_text(path) as lines:
            return [_parsed(path, number, line, parse) for number, line in enumerate(lines, 1)]
    except UNREADABLE as error:
        raise GamesError(f"{path}: cannot be read: {getattr(error, 'strerror', None) or error}") from None


def _parsed(path: Path, number: int, line: str, parse: Callable[[dict[str, Any]], Parsed]) -> Parsed:
    try:
        return parse(json.loads(line))
    except (ValueError, KeyError, TypeError):
        raise GamesError(f"{path}: line {number} is not a logged game") from None
