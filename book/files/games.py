"""Files of games that the course's host logged: JSON lines, packed by gzip if the name ends in .gz."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from little_go.runtime.files import MIB, UNREADABLE, open_text, why_unreadable
from little_go.runtime.release import shipped
from little_go.solver.bounds import COLOURS
from little_go.solver.position import START, IllegalMove, Position, parse_move

#: The shipped file of logged games.
STAFF_GAMES = shipped("data/staff_games.jsonl.gz")


class GamesError(ValueError):
    """Raised if a file of games cannot be used. The message is one line with the file's name."""


class LoggedGame(NamedTuple):
    """A logged game of one of the course's agents against a student's program.

    agent: the class of the course's agent. colour: the colour of that agent, 1 = Black, 2 = White. moves: the names of
    the moves. winner: 1 or 2. reason: the reason why the game ended, which begins with ``unfinished`` if the log stops
    early. final: the last board in the host's digits. The fields winner, reason and final are set only if read_games()
    is called with ``whole``.
    """

    agent: str
    colour: int
    moves: tuple[str, ...]
    winner: int = 0
    reason: str = ""
    final: str = ""

    def steps(self) -> Iterator[tuple[Position, int]]:
        """Yield each position and its move, up to the first illegal move, because some logs have illegal moves.

        >>> [move for _, move in LoggedGame("greedy", 1, ("2,2", "1,1", "2,2", "0,0")).steps()]
        [12, 6]
        """
        position = START
        for name in self.moves:
            try:
                move = parse_move(name)
                after = position.play(move)
            except (IllegalMove, ValueError):
                return
            yield position, move
            position = after


def read_games(path: Path, *, whole: bool = False) -> list[LoggedGame]:
    """Return the games of a file in which each game has the keys ``staff_agent``, ``staff_color`` and ``moves``.

    whole: whether each game must also have the keys ``winner``, ``reason`` and ``final``. Raise GamesError if the file
    cannot be read or has a bad line.
    """
    try:
        with open_text(path, 256 * MIB) as lines:
            return [_read_game(path, number, line, whole) for number, line in enumerate(lines, 1)]
    except UNREADABLE as error:
        raise GamesError(f"{path}: cannot be read: {why_unreadable(error)}") from None


def _read_game(path: Path, number: int, line: str, whole: bool) -> LoggedGame:
    try:
        game = _game(json.loads(line), whole)
        if game.colour in COLOURS and (game.winner in COLOURS or not whole):
            return game
    except (ValueError, KeyError, TypeError, RecursionError):
        pass
    raise GamesError(f"{path}: line {number} is not a logged game")


def _game(record: dict[str, Any], whole: bool) -> LoggedGame:
    game = LoggedGame(str(record["staff_agent"]), int(record["staff_color"]), tuple(map(str, record["moves"])))
    if not whole:
        return game
    return game._replace(winner=int(record["winner"]), reason=str(record["reason"]), final=str(record["final"]))
