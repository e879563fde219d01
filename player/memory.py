"""Remember the ply, which ``input.txt`` does not contain.

The module is part of ``my_player3.py`` and must run with Python 3.7. With each move the player records the boards
before and after the move. Each record contains the ply, and whether this ply is certain. The records are separate for
each colour, because two copies of the player may share a directory. At the next call, the ply is known if the host's
previous board is the recorded board after a move. The ply is also known if the previous board results from a recorded
board by another move, because the host may have used an earlier answer. A new game replaces the records. The file has
this format::

    {"format": 2, "games": {"1": [["0000000000000000000000000", 0, true], ["0000000000001000000000000", 1, true], ...]}}
"""

import json
import os
from typing import Any, Dict, List, Sequence, Tuple

from little_go.notation.host_file import Question, last_move
from little_go.runtime.plain import read_plain, write_plain
from little_go.solver.position import GAME_PLIES, POINTS, SIZE, Position, parse_rows

MEMORY_FILE = "little_go_memory.json"
MEMORY_FORMAT = 2

#: The maximum size of the file in bytes, which is far more than two games need.
_MOST_MEMORY_BYTES = 1 << 20

#: The records of a game. A record contains the board as 25 digits, the number of plies played, and whether this number
#: is certain.
_Notes = List[Tuple[str, int, bool]]


class PlyMemory:
    """The records of the current games, which are in a file in the first writable directory.

    A file that is missing or invalid counts as empty, and a failed write is ignored. Without records the ply is a
    guess.
    """

    def __init__(self, directories: Sequence[str]) -> None:
        self._paths = [os.path.join(directory, MEMORY_FILE) for directory in directories]

    def recall(self, question: Question) -> Tuple[int, bool]:
        """Return the number of plies played, and whether it is certain. An uncertain number may be too small."""
        ply, self._certain = question.least_ply, question.is_opening
        self._notes: _Notes = []
        if question.is_opening:
            return ply, True
        for path in self._paths:
            notes = _load_games(path).get(str(question.colour), [])
            for index in range(len(notes) - 1, -1, -1):
                noted_board, noted_ply, certain = notes[index]
                was_left = noted_ply % 2 == question.colour % 2
                now = noted_ply + (1 if was_left else 2)
                if ply <= now < GAME_PLIES and _fits(question, noted_board, was_left):
                    self._notes = notes[: index + 1]
                    self._certain = certain
                    return now, certain
        return ply, False

    def note(self, position: Position, move: int) -> None:
        """Record the position of the last recalled question, and the board after ``move``.

        A second call for the same position keeps the record of the first call, because the host may use either move.
        """
        after = position.play(move)
        asked = (_digits(position.black, position.white), position.ply, self._certain)
        if asked not in self._notes:
            self._notes.append(asked)
        self._notes.append((_digits(after.black, after.white), position.ply + 1, self._certain))
        for path in self._paths:
            games = _load_games(path)
            games[str(position.mover)] = self._notes
            if _save_games(path, games):
                return


def _fits(question: Question, noted: str, was_left: bool) -> bool:
    """Return whether the host's previous board fits a recorded board.

    If the recorded board is the board after our move (``was_left``), the two boards must be equal. Otherwise the
    previous board must result from the recorded board by one move.
    """
    if was_left:
        return noted == _digits(*question.before)
    board = parse_rows([noted[start : start + SIZE] for start in range(0, POINTS, SIZE)])
    if board == question.before:
        # Our move was a PASS, so the other side has not passed: two PASSes in a row would have ended the game.
        return not question.passed
    return last_move(question.colour, board, question.before) is not None


def _digits(black: int, white: int) -> str:
    return "".join(Position(black, white).rows())


def _load_games(path: str) -> Dict[str, _Notes]:
    """Return the records in a file, indexed by colour, or an empty dict if the file is not a valid memory."""
    try:
        content = json.loads(read_plain(path, _MOST_MEMORY_BYTES).decode("ascii"))
        if content["format"] != MEMORY_FORMAT:
            return {}
        return {colour: _checked(content["games"].get(colour, [])) for colour in ("1", "2")}
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return {}


def _checked(notes: Any) -> _Notes:
    """Check records from a file, and return the records. Raise ValueError or TypeError if a record is invalid."""
    checked = []
    for board, ply, certain in notes:
        fits = isinstance(board, str) and len(board) == POINTS and not board.strip("012")
        counts = type(ply) is int and 0 <= ply <= GAME_PLIES
        if not (fits and counts and isinstance(certain, bool)):
            raise ValueError("not a note")
        checked.append((board, ply, certain))
    return checked


def _save_games(path: str, games: Dict[str, _Notes]) -> bool:
    try:
        write_plain(path, json.dumps({"format": MEMORY_FORMAT, "games": games}).encode("ascii"))
    except OSError:
        return False
    return True
