"""Scripts of the Go Text Protocol: the commands that a Go program was given, a line each."""

import re

from notation.faults import NotationError, shown
from notation.movetext import after_moves
from notation.parts import parts_of
from notation.placed import Placed
from solver.family import COURSE, Variant
from solver.position import SIZE

_LINE = re.compile(r"[^\r\n]+")
#: A command, its number before it or none; what follows a # is a comment.
_COMMAND = re.compile(
    r"[ \t]*(?:[0-9]{1,9} +)?(?:play +(black|white|b|w) +([a-hj-z][0-9]{1,2}|pass)|(undo|clear_board)"
    r"|boardsize +([0-9]{1,3})|komi +(-?[0-9]{1,3}(?:\.[0-9]{1,3})?))[ \t]*(?=#|$)",
    re.IGNORECASE,
)
_PLAY = re.compile(r"(?:^|[\r\n])[ \t]*(?:[0-9]{1,9} +)?play +(?:black|white|b|w) +\S", re.IGNORECASE)


def is_script(text: str) -> bool:
    """Whether a line of a text is a command to play a move."""
    return _PLAY.search(text) is not None


def read_script(text: str, game: Variant | None, ply: int | None = None) -> Placed:
    """Return the position after the commands of a script; raises NotationError.

    Lines that are neither ``boardsize``, ``clear_board``, ``komi``, ``play`` nor ``undo`` are left out.
    ply: after so many plies. game: None for the course's; a komi that is not the game's is named in a note.
    """
    game = game or COURSE
    words: list[str] = []
    taken, notes = [], []
    for line in _LINE.finditer(text):
        command = _COMMAND.match(line[0])
        if command is None:
            if re.match(r"[ \t]*(?:[0-9]{1,9} +)?play[ \t]", line[0], re.IGNORECASE):
                raise NotationError("not-a-move", f"{shown(line[0].strip())} plays no move")
            continue
        taken.append((line.start() + command.start(), line.start() + command.end()))
        colour, vertex, other, size, komi = command.groups()
        if colour:
            words.append(f"{colour} {vertex}")
        elif other:
            words = words[:-1] if other.lower() == "undo" else []
        elif size and int(size) != SIZE:
            raise NotationError("not-5x5", f"a board of size {size}, but only {SIZE} is possible here")
        elif komi and float(komi) != game.komi:
            notes.append(f"it states komi {float(komi):g}, and what is said here is for komi {game.komi:g}")
    line_of_moves = "\n".join(words)
    placed = after_moves(line_of_moves, ply=ply, game=game)
    return placed._replace(notes=tuple(dict.fromkeys(notes)), parts=parts_of(text, taken))
