"""The ply, which ``input.txt`` does not carry; part of ``my_player3.py``, Python 3.7.

With each move the player notes the board of the question and the one that it leaves, the plies played by then and
whether they are certain, for each colour, as two of our players may share a directory. When the host's previous board
is one that was left, or follows by another move from one of a question, the ply follows; a new game starts the notes
afresh::

    {"format": 2, "games": {"1": [["0000000000000000000000000", 0, true], ["0000000000001000000000000", 1, true], ...]}}
"""

import json
import os
from typing import Any, Dict, List, Sequence, Tuple

from notation.host_file import Question, last_move
from runtime.plain import read_plain, write_plain
from solver.position import GAME_PLIES, POINTS, SIZE, Position, parse_rows

MEMORY_FILE = "little_go_memory.json"
MEMORY_FORMAT = 2

#: Far more than two games' notes.
_MOST_MEMORY_BYTES = 1 << 20

#: The notes of one game: the board as 25 digits, the plies played by then, whether that is certain.
_Notes = List[Tuple[str, int, bool]]


class PlyMemory:
    """The notes of the running games, in the first of some directories that can be written.

    Files that are missing, unreadable or not ours count as empty, and a failure to write is no error: then the ply is a
    guess.
    """

    def __init__(self, directories: Sequence[str]) -> None:
        self._paths = [os.path.join(directory, MEMORY_FILE) for directory in directories]
        self._notes: _Notes = []
        self._certain = False

    def recall(self, question: Question) -> Tuple[int, bool]:
        """Return the plies already played, and whether that is certain or the least that fits."""
        ply, self._certain = question.least_ply, question.is_opening
        self._notes = []
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
        """Note the position of the last recalled question, and the board that ``move`` leaves.

        A second move noted for it stands beside the first: the host may have taken either.
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
    """Whether the host's previous board is a noted one that we left, or follows by our move from one of a question."""
    if was_left:
        return noted == _digits(*question.before)
    board = parse_rows([noted[start : start + SIZE] for start in range(0, POINTS, SIZE)])
    if board == question.before:
        # Our PASS; after the other side's the game would be over.
        return not question.passed
    return last_move(question.colour, board, question.before) is not None


def _digits(black: int, white: int) -> str:
    return "".join(Position(black, white).rows())


def _load_games(path: str) -> Dict[str, _Notes]:
    """Return the notes in a file, by colour; none when it is not a memory of ours."""
    try:
        content = json.loads(read_plain(path, _MOST_MEMORY_BYTES).decode("ascii"))
        if content["format"] != MEMORY_FORMAT:
            return {}
        return {colour: _checked(content["games"].get(colour, [])) for colour in ("1", "2")}
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return {}


def _checked(notes: Any) -> _Notes:
    """Check notes read from a file; raises ValueError or TypeError when they are not ours."""
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
